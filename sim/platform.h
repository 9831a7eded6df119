/* SPDX-License-Identifier: GPL-3.0-or-later */
/* platform.h - a machine as a SimGrid platform. */
#ifndef ZONESIM_PLATFORM_H
#define ZONESIM_PLATFORM_H

#include "../models/machine.h"

/*
 * platform_xml - the platform in SimGrid's XML: a zone per socket, a host per logical CPU, numbered
 * as Linux does (CPU i and i + cores are siblings). The latency of a route between two CPUs is what
 * a dirty cache line takes from one to the other.
 * Returns a string that the caller frees, NULL when memory is short.
 */
char *platform_xml(const struct machine *machine);

/* Where logical CPU @cpu is. */
static inline unsigned int machine_cores(const struct machine *m)
{
	return (unsigned int)(m->sockets * m->cores_per_socket);
}

static inline unsigned int machine_core_of(const struct machine *m, unsigned int cpu)
{
	return cpu % machine_cores(m);
}

static inline unsigned int machine_socket_of(const struct machine *m, unsigned int cpu)
{
	return machine_core_of(m, cpu) / (unsigned int)m->cores_per_socket;
}

#endif
