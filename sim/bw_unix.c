/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bw_unix.c - lmbench's bandwidth of AF_UNIX stream sockets, many pairs at once: the writer of a
 * pair sends messages, the reader takes them. A message travels in buffers of 32 KiB, each a block
 * of order 3 that the writer's CPU allocates and the reader's CPU frees.
 *
 * The pairs are dealt out to the sockets, and the two of a pair have cores of their own next to
 * each other: where a scheduler that keeps wakers and woken near would settle. The buffers' headers
 * come from slab caches, which keep them, so they cost their cache lines only.
 */

#include <stdlib.h>

#include "../alloc/page_alloc.h"
#include "lock.h"
#include "measure.h"
#include "memory.h"
#include "platform.h"
#include "sim.h"
#include "timeline.h"
#include "wait.h"
#include "workload.h"

enum { PARAMETER_MESSAGE };

#define BUFFER_ORDER 3
#define BUFFER_PAGES (1u << BUFFER_ORDER)
#define BUFFER_BYTES (BUFFER_PAGES * PAGE_SIZE)
/* The default send buffer, 208 KiB, has room for that many, with what is accounted beside data. */
#define QUEUE_BUFFERS 6
#define HEADER_LINES 6 /* struct sk_buff and the shared information behind its linear part */
#define USER_PAGES 16
#define BUFFERS_PER_ROUND 2048UL

/* A buffer on its way; in the arena. */
struct header {
	char lines[HEADER_LINES][CACHE_LINE];
};

/* What the two ends of a connection share; in the arena. */
struct connection {
	spinlock_t queue_lock;
	unsigned int sent, received; /* buffers, since the start */
	struct header headers[QUEUE_BUFFERS] __cacheline_aligned;
};

struct pair {
	struct connection *connection;
	struct page *queue[QUEUE_BUFFERS];
	struct wait_queue readers, writers;
};

struct state {
	struct pair *pair;
	bool writer;
	unsigned int left;	  /* buffers of the message at hand */
	char (*user)[CACHE_LINE]; /* a record for each page of the user's buffer */
};

static struct pair pairs[NR_CPUS / 2];

static unsigned int cpu_of_task(const struct point *point, unsigned int id)
{
	unsigned int sockets = (unsigned int)point->machine->sockets;
	unsigned int cores = (unsigned int)point->machine->cores_per_socket;
	unsigned int pair = id / 2, at = pair / sockets * 2 + id % 2;
	unsigned int core = pair % sockets * cores + at % cores;

	return at < cores ? core : core + machine_cores(point->machine);
}

/* By whichever of the two comes first. */
static int connect_pair(struct pair *pair, int node)
{
	pair->connection = arena_alloc(sizeof(*pair->connection), CACHE_LINE);
	if (!pair->connection)
		return -1;
	spin_lock_init(&pair->connection->queue_lock, "sk_receive_queue", node);
	return 0;
}

static int init(struct task *task)
{
	struct state *s = task->private = calloc(1, sizeof(*s));
	struct pair *pair = &pairs[task->id / 2];

	if (!s)
		return -1;
	if (!pair->connection && connect_pair(pair, (int)task->cpu->socket))
		return -1;
	s->user = arena_alloc(USER_PAGES * CACHE_LINE, CACHE_LINE);
	if (!s->user)
		return -1;
	s->pair = pair;
	s->writer = task->id % 2 == 0;
	return 0;
}

/* One end writes or reads what the other wrote or read before. */
static void touch(const void *address, enum access access)
{
	memory_access((uintptr_t)address, 8, access);
}

static void touch_header(const struct header *header, enum access access)
{
	for (unsigned int i = 0; i < HEADER_LINES; i++)
		touch(header->lines[i], access);
}

/* Between the user's buffer and a block. */
static void copy(const struct state *s, struct page *block)
{
	for (unsigned int i = 0; i < BUFFER_PAGES; i++) {
		unsigned int at = (s->left * BUFFER_PAGES + i) % USER_PAGES;
		uintptr_t user = (uintptr_t)s->user[at], page = (uintptr_t)(block + i);

		memory_copy_page(s->writer ? page : user, s->writer ? user : page);
	}
}

/* Put a buffer on the queue, or take one off; the queue's length is looked at under its lock. */
static unsigned int change_queue(struct pair *pair, unsigned int *counter)
{
	struct connection *c = pair->connection;
	unsigned long flags = local_irq_save();

	spin_lock(&c->queue_lock);
	touch(counter, ACCESS_WRITE);
	++*counter;
	unsigned int queued = c->sent - c->received;

	spin_unlock(&c->queue_lock);
	local_irq_restore(flags);
	return queued;
}

static void send_buffer(struct task *task, struct state *s)
{
	struct pair *pair = s->pair;
	struct connection *c = pair->connection;

	while (c->sent - c->received == QUEUE_BUFFERS)
		if (!wait_sleep(&pair->writers))
			return;
	unsigned int slot = c->sent % QUEUE_BUFFERS;
	struct page *block = alloc_pages(BUFFER_ORDER, MIGRATE_UNMOVABLE);

	if (!block) {
		sim_fail(
			"the simulated machine ran out of memory: task %u got no buffer", task->id);
		return;
	}
	cpu_charge_cycles(task->cpu, fixed_costs.socket_path);
	touch_header(&c->headers[slot], ACCESS_WRITE);
	copy(s, block);
	pair->queue[slot] = block;
	if (change_queue(pair, &c->sent) == 1)
		(void)wait_wake(&pair->readers);
	s->left--;
}

static void receive_buffer(struct task *task, struct state *s)
{
	struct pair *pair = s->pair;
	struct connection *c = pair->connection;

	while (c->sent == c->received)
		if (!wait_sleep(&pair->readers))
			return;
	unsigned int slot = c->received % QUEUE_BUFFERS;

	cpu_charge_cycles(task->cpu, fixed_costs.socket_path);
	touch_header(&c->headers[slot], ACCESS_READ);
	copy(s, pair->queue[slot]);
	touch_header(&c->headers[slot], ACCESS_WRITE);
	free_pages(pair->queue[slot], BUFFER_ORDER);
	/* a writer that waits is woken when half of its room is free again */
	if (change_queue(pair, &c->received) == QUEUE_BUFFERS / 2)
		(void)wait_wake(&pair->writers);
	s->left--;
	cpu_settle(task->cpu);
	measure_work(task, BUFFER_BYTES);
}

static unsigned int buffers_of_message(const struct point *point)
{
	return (unsigned int)(point->parameters[PARAMETER_MESSAGE] / BUFFER_BYTES);
}

static void step(struct task *task)
{
	struct state *s = task->private;

	if (!s->left) {
		cpu_charge_cycles(task->cpu, fixed_costs.syscall_path);
		s->left = buffers_of_message(task->point);
	}
	timeline_phase(task->cpu, s->writer ? "send" : "receive");
	if (s->writer)
		send_buffer(task, s);
	else
		receive_buffer(task, s);
}

static double memory(const struct point *point)
{
	return (double)point->tasks * (QUEUE_BUFFERS + 1) * BUFFER_BYTES;
}

static unsigned long work_per_round(const struct point *point)
{
	(void)point;
	return BUFFERS_PER_ROUND * BUFFER_BYTES / 2;
}

static const struct workload_parameter parameters[] = {
	[PARAMETER_MESSAGE] = {"message", PARAMETER_BYTES, 64 << 10, BUFFER_BYTES, 1 << 20,
		"bytes of a write and of a read, in whole buffers of 32 KiB"},
	{NULL},
};

static const struct workload_metric metrics[] = {
	{"bandwidth", "MB/s", "bytes that all readers together take per second", SERIES_WORK,
		SERIES_TIME, 1e-6},
	{"free_high", "1/s", "drains per second that emptied a pageset because of order 1 to 3",
		SERIES_EVENT + PCP_DRAIN_HIGH, SERIES_TIME, 1},
	{"cache_miss_rate", "percent",
		"cache lines from memory, of those that the last-level caches were asked for",
		SERIES_LLC_MISSES, SERIES_LLC_REFERENCES, 100},
	{NULL},
};

const struct workload workload_bw_unix = {
	.name = "bw_unix",
	.help = "lmbench bw_unix: pairs of tasks send data through AF_UNIX stream sockets",
	.parameters = parameters,
	.rate = "bytes/s",
	.rate_help = "bytes received per second, all pairs together",
	.metrics = metrics,
	.task_group = 2,
	.memory = memory,
	.cpu_of_task = cpu_of_task,
	.init = init,
	.step = step,
	.work_per_round = work_per_round,
	.turns_per_round = NULL, /* of the two of a pair one would end its fast forward first; the
				    free lists soon mix */
};
