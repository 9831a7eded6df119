/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bandwidth.h - how busy each socket's DRAM is, and how much longer that makes an access.
 */
#ifndef ZONESIM_BANDWIDTH_H
#define ZONESIM_BANDWIDTH_H

#include "cpu.h"

void bandwidth_init(const struct machine *machine);

/* @bytes go to or from the DRAM of @socket. */
void bandwidth_use(unsigned int socket, unsigned int bytes);

/*
 * How many times the idle latency an access to the DRAM of @socket takes now.
 * Source of the curve: Intel MLC loaded latencies of a 2-socket Platinum 8180 as published by FD.io
 * CSIT, as shares of the greatest bandwidth reached; other 2-socket machines follow it closely.
 */
double bandwidth_latency_factor(unsigned int socket);

#endif
