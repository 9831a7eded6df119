/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * instructions.h - the instructions of kernel paths that zonesim does not execute. Those of the
 * allocator are counted as it runs.
 */
#ifndef ZONESIM_INSTRUCTIONS_H
#define ZONESIM_INSTRUCTIONS_H

struct error;

struct instruction_costs {
	double fault_path;   /* instructions of one anonymous fault outside the code in alloc/ */
	double unmap_path;   /* instructions to unmap one page outside the code in alloc/ */
	double switch_path;  /* instructions of one pass through the scheduler */
	double wake_path;    /* instructions to wake a task of another CPU */
	double syscall_path; /* instructions into the kernel and back */
	double socket_path;  /* instructions for a buffer at one end of an AF_UNIX socket */
};

/* Reads models/instructions.yaml. Returns 0, or -1 with @err filled. */
int instruction_costs_load(struct instruction_costs *c, struct error *err);

#endif
