/* SPDX-License-Identifier: GPL-3.0-or-later */
/* platform.c - a machine as SimGrid XML. */

#include "platform.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * A star inside each socket: CPU - core router - mesh router. Link latencies add up, so that
 *   siblings:      2 * smt            = dirty_sibling
 *   same socket:   2 * smt + 2 * mesh = dirty_same_socket
 *   other socket:  2 * smt + 2 * mesh + link = dirty_other_socket
 */
struct latencies {
	double smt, mesh, link;
};

static struct latencies platform_latencies(const struct machine *m)
{
	struct latencies l = {.smt = m->dirty_sibling / 2};

	l.mesh = (m->dirty_same_socket - m->dirty_sibling) / 2;
	l.link = m->dirty_other_socket - m->dirty_same_socket;
	return l;
}

static void print_link(
	FILE *out, const char *name, unsigned int number, double bandwidth, double latency)
{
	fprintf(out, "      <link id=\"%s%u\" bandwidth=\"%.6gBps\" latency=\"%.6gns\"/>\n", name,
		number, bandwidth, latency * 1e9);
}

/* The CPUs whose core is @core are @core, @core + cores, ... */
static void print_core(
	FILE *out, const struct machine *m, const struct latencies *l, unsigned int core)
{
	unsigned int cores = machine_cores(m);

	fprintf(out, "      <router id=\"core%u\"/>\n", core);
	print_link(out, "mesh", core, m->read_bandwidth, l->mesh);
	for (unsigned int t = 0; t < (unsigned int)m->threads_per_core; t++) {
		unsigned int cpu = core + t * cores;

		fprintf(out, "      <host id=\"cpu%u\" speed=\"%.6gf\"/>\n", cpu,
			m->clock / m->cpi);
		print_link(out, "smt", cpu, m->read_bandwidth, l->smt);
	}
}

static void print_routes(FILE *out, const struct machine *m, unsigned int socket, unsigned int core)
{
	fprintf(out,
		"      <route src=\"core%u\" dst=\"socket%u\"><link_ctn id=\"mesh%u\"/></route>\n",
		core, socket, core);
	for (unsigned int t = 0; t < (unsigned int)m->threads_per_core; t++) {
		unsigned int cpu = core + t * machine_cores(m);

		fprintf(out,
			"      <route src=\"cpu%u\" dst=\"core%u\"><link_ctn "
			"id=\"smt%u\"/></route>\n",
			cpu, core, cpu);
	}
}

static void print_socket(
	FILE *out, const struct machine *m, const struct latencies *l, unsigned int socket)
{
	unsigned int first = socket * (unsigned int)m->cores_per_socket;
	unsigned int end = first + (unsigned int)m->cores_per_socket;

	fprintf(out, "    <zone id=\"node%u\" routing=\"Floyd\">\n", socket);
	for (unsigned int core = first; core < end; core++)
		print_core(out, m, l, core);
	fprintf(out, "      <router id=\"socket%u\"/>\n", socket);
	for (unsigned int core = first; core < end; core++)
		print_routes(out, m, socket, core);
	fprintf(out, "    </zone>\n");
}

/* Every pair of sockets has a link of its own: no pair is two hops away. */
static void print_interconnect(FILE *out, const struct machine *m, const struct latencies *l)
{
	unsigned int sockets = (unsigned int)m->sockets;

	for (unsigned int a = 0; a < sockets; a++)
		for (unsigned int b = a + 1; b < sockets; b++)
			fprintf(out,
				"    <link id=\"socket%u-socket%u\" bandwidth=\"%.6gBps\" "
				"latency=\"%.6gns\"/>\n",
				a, b, m->socket_bandwidth, l->link * 1e9);
	for (unsigned int a = 0; a < sockets; a++)
		for (unsigned int b = a + 1; b < sockets; b++)
			fprintf(out,
				"    <zoneRoute src=\"node%u\" dst=\"node%u\" gw_src=\"socket%u\" "
				"gw_dst=\"socket%u\"><link_ctn "
				"id=\"socket%u-socket%u\"/></zoneRoute>\n",
				a, b, a, b, a, b);
}

char *platform_xml(const struct machine *machine)
{
	struct latencies l = platform_latencies(machine);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "<?xml version='1.0'?>\n"
		     "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
		     "<platform version=\"4.1\">\n");
	fprintf(out, "  <!-- %s: %s -->\n", machine->name, machine->cpu);
	fprintf(out, "  <zone id=\"%s\" routing=\"Full\">\n", machine->name);
	for (unsigned int socket = 0; socket < (unsigned int)machine->sockets; socket++)
		print_socket(out, machine, &l, socket);
	print_interconnect(out, machine, &l);
	fprintf(out, "  </zone>\n</platform>\n");
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
