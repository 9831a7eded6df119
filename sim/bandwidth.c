/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandwidth.c - loaded latency of DRAM. */

#include "bandwidth.h"

#define MAX_SOCKETS 8
#define CHECK_EVERY 32768u	/* bytes */
#define WINDOW (20 * 1000000LL) /* ps over which use is measured: 20 us */

static struct socket_bandwidth {
	uint64_t bytes;	  /* in the current window */
	uint64_t checked; /* bytes when the window's end was last looked for */
	sim_time started; /* of the window */
	double factor;	  /* from the windows before */
	double utilisation;
} sockets[MAX_SOCKETS];

static double window_capacity; /* bytes that DRAM can move in a window, reads and writes mixed */

/* Utilisation and latency over idle latency; between the points a straight line. */
static const struct {
	double utilisation, factor;
} curve[] = {{0, 1}, {0.16, 1.12}, {0.32, 1.16}, {0.39, 1.17}, {0.52, 1.25}, {0.74, 1.5},
	{0.99, 2.8}, {1.0, 3.5}};

static double loaded_latency(double utilisation)
{
	const unsigned int points = sizeof(curve) / sizeof(curve[0]);

	for (unsigned int i = 1; i < points; i++) {
		if (utilisation > curve[i].utilisation)
			continue;
		double x = (utilisation - curve[i - 1].utilisation) /
			   (curve[i].utilisation - curve[i - 1].utilisation);

		return curve[i - 1].factor + x * (curve[i].factor - curve[i - 1].factor);
	}
	return curve[points - 1].factor;
}

void bandwidth_init(const struct machine *machine)
{
	window_capacity = machine->mixed_bandwidth * (double)WINDOW / PS_PER_SECOND;
	for (unsigned int i = 0; i < MAX_SOCKETS; i++)
		sockets[i] = (struct socket_bandwidth){.factor = 1};
}

/* Windows that are over enter the mean with a weight of one in four. */
static void roll_window(struct socket_bandwidth *s)
{
	sim_time now = engine_now();

	s->checked = s->bytes;
	if (now - s->started < WINDOW)
		return;
	double windows = (double)(now - s->started) / WINDOW;
	double use = (double)s->bytes / (window_capacity * windows);

	s->utilisation += (use - s->utilisation) / 4;
	s->factor = loaded_latency(s->utilisation);
	s->bytes = 0;
	s->checked = 0;
	s->started = now;
}

void bandwidth_use(unsigned int socket, unsigned int bytes)
{
	struct socket_bandwidth *s = &sockets[socket];

	s->bytes += bytes;
	/* looking at the time is dear: only now and then */
	if (s->bytes - s->checked >= CHECK_EVERY)
		roll_window(s);
}

double bandwidth_latency_factor(unsigned int socket)
{
	return sockets[socket].factor;
}
