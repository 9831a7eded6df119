/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coefficients.h - what is the same on all machines: how long a lock takes from hand to hand, and
 * the cycles of kernel paths that zonesim does not execute.
 */
#ifndef ZONESIM_COEFFICIENTS_H
#define ZONESIM_COEFFICIENTS_H

#define COEFFICIENTS_FILE "coefficients" /* in models/, without .yaml */

struct error;

struct coefficients {
	double hand_over;    /* transfers of a line that handing over a lock takes */
	double fault_path;   /* cycles of one anonymous fault outside the code in alloc/ */
	double unmap_path;   /* cycles to unmap one page outside the code in alloc/ */
	double switch_path;  /* cycles of one pass through the scheduler */
	double wake_path;    /* cycles to wake a task of another CPU */
	double syscall_path; /* cycles into the kernel and back */
	double socket_path;  /* cycles for a buffer at one end of an AF_UNIX socket */
};

/* Reads models/coefficients.yaml. Returns 0, or -1 with @err filled. */
int coefficients_load(struct coefficients *c, struct error *err);

/* The same, and the bounds of what each may be, as far as they are not NULL. */
int coefficients_load_bounds(struct coefficients *c, struct coefficients *low,
	struct coefficients *high, struct error *err);

#endif
