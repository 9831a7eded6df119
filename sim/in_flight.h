/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * in_flight.h - accesses while others are in flight: what they wait for, and who waits for them.
 * For memory.c and the hooks only.
 */
#ifndef ZONESIM_IN_FLIGHT_H
#define ZONESIM_IN_FLIGHT_H

#include "line.h"

/* The line that a load of @size bytes at @address makes a pointer to; 0 when that is no pointer. */
static inline uintptr_t loaded_pointer(uintptr_t address, unsigned int size)
{
	if (size != 8)
		return 0;
	uintptr_t value = *(const uintptr_t *)address;

	return value - arena_base < arena_size ? value >> LINE_SHIFT : 0;
}

/* Wait for loads that the reorder buffer can not run ahead of any more. */
static inline void window_wait(struct cpu *cpu)
{
	struct window *w = &cpu->window;
	uint64_t size = cpu_window(cpu);

	if (window_rests(w, cpu->clock, cpu->executed, size))
		return;
	for (unsigned int i = 0; i < w->nr; i++) {
		const struct in_flight *f = &w->in_flight[i];

		if (f->issued + size <= cpu->executed)
			cpu_wait_until(cpu, f->complete, WAIT_LOADS);
	}
	window_forget(w, cpu->clock);
}

/*
 * When an access to @line can start: after the loads that its address comes from, and after the
 * load of a pointer to @pointer, 0 for none, which has been stored where this access reads it.
 */
static inline sim_time start_of(const struct cpu *cpu, uintptr_t line, uintptr_t pointer)
{
	const struct window *w = &cpu->window;
	sim_time start = cpu->clock;

	if (!(w->lines & (window_bit(line) | window_bit(pointer))))
		return start;
	for (unsigned int i = 0; i < w->nr; i++) {
		const struct in_flight *f = &w->in_flight[i];
		bool depends =
			f->pointer == line || f->line == line || (pointer && f->pointer == pointer);

		if (depends && f->complete > start)
			start = f->complete;
	}
	return start;
}

/* A free fill buffer: wait for the first to complete when all are busy. */
static inline void fill_buffer_wait(struct cpu *cpu)
{
	struct window *w = &cpu->window;

	while (w->nr >= cpu_costs.line_fill_buffers) {
		cpu_wait_until(cpu, w->first_complete, WAIT_LOADS);
		window_forget(w, cpu->clock);
	}
}

/* Room for a store: wait for the oldest to become visible when the store buffer is full. */
static inline void store_buffer_wait(struct cpu *cpu)
{
	struct store_buffer *buffer = &cpu->stores;
	unsigned int size = cpu_store_buffer(cpu);

	if (buffer->nr < size)
		return;
	cpu_wait_until(cpu, store_at(buffer, buffer->nr - size)->done, WAIT_STORES);
	stores_forget(buffer, cpu->clock);
}

/* @f, with everything but when it completes, starts at @start or when there is a fill buffer. */
static inline sim_time put_in_flight(
	struct cpu *cpu, sim_time start, sim_time latency, struct in_flight f)
{
	if (start + latency <= cpu->clock)
		return start + latency;
	fill_buffer_wait(cpu);
	f.complete = (start > cpu->clock ? start : cpu->clock) + latency;
	if (f.complete > cpu->clock)
		window_add(&cpu->window, &f);
	return f.complete;
}

/* A load of @line, whose value points to @pointer, from @start on; @latency 0 for a hit in the L1.
 */
static inline void finish_load(
	struct cpu *cpu, uintptr_t line, uintptr_t pointer, sim_time start, sim_time latency)
{
	bool waits = start > cpu->clock;

	if (!latency && !waits)
		return;
	if (!latency) {
		memory_served[SERVED_L1][cpu->hold]--;
		memory_served[SERVED_IN_FLIGHT][cpu->hold]++;
	}
	sim_time complete = put_in_flight(cpu, start, latency,
		(struct in_flight){.line = line, .pointer = pointer, .issued = cpu->executed});

	if (complete > block_loaded)
		block_loaded = complete;
}

/* A store to @address, from @start on; @latency 0 for a hit in the L1. */
static inline void finish_store(
	struct cpu *cpu, uintptr_t address, sim_time start, sim_time latency)
{
	if (!cpu->stores.nr && !latency && start <= cpu->clock)
		return;
	store_buffer_wait(cpu);
	stores_add(&cpu->stores, address, start > cpu->clock ? start : cpu->clock, latency);
}

/* An access, from when its address is known, to a line that takes @latency to get. */
static inline void finish_access(
	struct cpu *cpu, uintptr_t address, unsigned int size, sim_time latency, bool write)
{
	uintptr_t line = address >> LINE_SHIFT;
	uintptr_t pointer = write ? 0 : loaded_pointer(address, size);
	sim_time start = start_of(cpu, line, pointer);

	if (write) {
		finish_store(cpu, address, start, latency);
		return;
	}
	if (cpu->stores.nr && !latency) {
		sim_time there = stores_load(&cpu->stores, address, cpu->clock);

		if (there > start)
			start = there;
	}
	finish_load(cpu, line, pointer, start, latency);
}

/* Forget what has arrived, and wait for what the core can not run ahead of. */
static inline void in_flight_forget(struct cpu *cpu)
{
	if (cpu->window.nr)
		window_wait(cpu);
	if (cpu->stores.nr)
		stores_forget(&cpu->stores, cpu->clock);
}

/* Take the access if it hits the L1; others are in flight, and it may have to wait for them. */
static inline bool hit_in_flight(struct cpu *cpu, uintptr_t address, unsigned int size, bool write)
{
	struct line *line = line_of(address);

	cpu_settle(cpu);
	in_flight_forget(cpu);
	/* most often what was in flight has arrived */
	if (!cpu_waits(cpu))
		return line_hit_l1(cpu, line, write);
	if (!line_fetch_l1(cpu, line, write))
		return false;
	finish_access(cpu, address, size, 0, write);
	return true;
}

#endif
