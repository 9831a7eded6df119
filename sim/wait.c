/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wait.c - sleeping and waking. */

#include "wait.h"

#include "fast_forward.h"
#include "sim.h"
#include "timeline.h"

static void tell_timeline(const struct cpu *cpu, sim_time since)
{
	if (__builtin_expect(timeline_on, false))
		timeline_slept(cpu, since);
}

/* The CPU has slept: its clock stood still, and its core has to come back first. */
static void wake_up(struct cpu *cpu)
{
	cpu->state = CPU_RUNNING;
	cpu_resume(cpu);
	cpu->clock = engine_now();
	if (charged_cpu)
		cpu_charge_time(cpu, fixed_costs.idle_exit);
	cpu_charge_cycles(cpu, fixed_costs.switch_path);
}

bool wait_sleep(struct wait_queue *queue)
{
	struct cpu *cpu = this_cpu;

	if (sim_stopping)
		return false;
	cpu_settle(cpu);
	sim_time since = cpu->clock;

	/* first of all: from here on others run, and may wake it before it sleeps */
	cpu->sleeping = true;
	cpu_queue_add(&queue->cpus, cpu);
	queue->sleepers++;
	(void)fast_forward_turn();
	cpu_charge_cycles(cpu, fixed_costs.switch_path);
	cpu_fence(cpu);
	cpu_sync(cpu);
	if (cpu->sleeping) {
		cpu->state = CPU_IDLE;
		while (cpu->sleeping)
			engine_park();
		wake_up(cpu);
	} else if (cpu->clock < engine_now()) {
		cpu->clock = engine_now();
	}
	cpu_settle(cpu);
	cpu->slept += cpu->clock - since;
	tell_timeline(cpu, since);
	return !sim_stopping;
}

static void rouse(struct cpu *cpu)
{
	/* the run may have ended while its waker was at it */
	if (!cpu->sleeping)
		return;
	cpu->sleeping = false;
	if (cpu->state == CPU_IDLE)
		engine_unpark(cpu->actor);
}

/* Off the queue already; what the waker pays comes before the sleeper knows. */
static void pay_and_rouse(struct cpu *cpu)
{
	struct cpu *waker = this_cpu;

	cpu_charge_cycles(waker, fixed_costs.wake_path);
	cpu_fence(waker);
	cpu_sync(waker);
	rouse(cpu);
	/* others may have run while the engine saw to that */
	cpu_resume(waker);
}

unsigned int wait_wake(struct wait_queue *queue)
{
	struct cpu *cpu = cpu_queue_take(&queue->cpus);

	if (!cpu)
		return 0;
	queue->sleepers--;
	pay_and_rouse(cpu);
	return 1;
}

unsigned int wait_wake_all(struct wait_queue *queue)
{
	struct cpu *cpu = queue->cpus.first, *next;
	unsigned int sleepers = queue->sleepers;

	/* those who wake may come back to the queue at once */
	*queue = (struct wait_queue){0};
	for (; cpu; cpu = next) {
		next = cpu->next_waiter;
		pay_and_rouse(cpu);
	}
	return sleepers;
}

bool wait_time(sim_time time)
{
	struct cpu *cpu = this_cpu;

	cpu_fence(cpu);
	cpu_sync(cpu);
	sim_time since = cpu->clock;

	cpu->state = CPU_IDLE;
	engine_advance(time);
	cpu->state = CPU_RUNNING;
	cpu_resume(cpu);
	cpu->clock = engine_now();
	tell_timeline(cpu, since);
	return !sim_stopping;
}

bool barrier_wait(struct barrier *barrier, unsigned int tasks, bool *last)
{
	cpu_fence(this_cpu);
	cpu_sync(this_cpu);
	*last = ++barrier->arrived == tasks;
	if (!*last)
		return wait_sleep(&barrier->queue);
	barrier->arrived = 0;
	(void)wait_wake_all(&barrier->queue);
	return !sim_stopping;
}

void wait_end(void)
{
	for (unsigned int i = 0; i < nr_cpus; i++)
		rouse(&cpus[i]);
}

unsigned int wait_sleepers(void)
{
	unsigned int sleepers = 0;

	for (unsigned int i = 0; i < nr_cpus; i++)
		sleepers += cpus[i].sleeping;
	return sleepers;
}
