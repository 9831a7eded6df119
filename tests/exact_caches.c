// SPDX-License-Identifier: GPL-3.0-or-later
/* exact_caches.c - set-associative caches with least-recently-used replacement. */

#include "exact_caches.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LINE 64
#define MAX_CORES 64 /* bits of a set of cores */
#define MAX_SOCKETS 8
#define MOST_PRIVATE_SETS 4096

const char *const exact_names[NR_EXACT_SERVED] = {"L1", "L2", "socket", "remote", "DRAM"};
uint64_t exact_served[NR_EXACT_SERVED], exact_data_served[NR_EXACT_SERVED];

/* A set is an array of line numbers, the last used first; 0 is no line. */
struct cache {
	unsigned int sets, ways;
	uint64_t *lines;
};

static struct cache l1[MAX_CORES], l2[MAX_CORES], llc[MAX_SOCKETS];
static unsigned int sockets, cores_per_socket;
static bool inclusive;

/*
 * Lines are numbered from 1: those of the arena, then those of page data, 64 for each line of the
 * arena. By number, which cores may have the line in their L1 or L2.
 */
static uint64_t arena_lines;
static uint64_t *arena_holders;
static uint8_t *data_holder; /* core + 1, by line of page data */

/* ---- one cache ---- */

static int cache_init(struct cache *c, double size, double ways)
{
	c->ways = (unsigned int)ways;
	c->sets = (unsigned int)(size / LINE / ways);
	c->lines = calloc((size_t)c->sets * c->ways, sizeof(*c->lines));
	return c->lines ? 0 : -1;
}

/*
 * Private caches are indexed by address, as hardware does. So that strides of the arena's
 * structures do not meet in a few sets of the LLC, its address is hashed over its slices.
 */
static uint64_t *set_of(const struct cache *c, uint64_t line)
{
	uint64_t hash = c->sets > MOST_PRIVATE_SETS ? line * 0x9e3779b97f4a7c15 >> 20 : line;

	return c->lines + hash % c->sets * c->ways;
}

static unsigned int way_of(const struct cache *c, const uint64_t *set, uint64_t line)
{
	unsigned int way = 0;

	while (way < c->ways && set[way] != line)
		way++;
	return way;
}

/* A hit makes the line the last used. */
static bool hit(struct cache *c, uint64_t line)
{
	uint64_t *set = set_of(c, line);
	unsigned int way = way_of(c, set, line);

	if (way == c->ways)
		return false;
	memmove(set + 1, set, way * sizeof(*set));
	set[0] = line;
	return true;
}

static bool holds(const struct cache *c, uint64_t line)
{
	return way_of(c, set_of(c, line), line) < c->ways;
}

static void drop(struct cache *c, uint64_t line)
{
	uint64_t *set = set_of(c, line);
	unsigned int way = way_of(c, set, line);

	if (way == c->ways)
		return;
	memmove(set + way, set + way + 1, (c->ways - way - 1) * sizeof(*set));
	set[c->ways - 1] = 0;
}

/* Put in a line that is not there. Returns the line that had to go, 0 for none. */
static uint64_t fill(struct cache *c, uint64_t line)
{
	uint64_t *set = set_of(c, line), victim = set[c->ways - 1];

	memmove(set + 1, set, (c->ways - 1) * sizeof(*set));
	set[0] = line;
	return victim;
}

/* ---- who has a line ---- */

static uint64_t holders_of(uint64_t line)
{
	if (line <= arena_lines)
		return arena_holders[line];
	uint8_t holder = data_holder[line - arena_lines];

	return holder ? 1ULL << (holder - 1) : 0;
}

static void set_holders(uint64_t line, uint64_t holders)
{
	if (line <= arena_lines)
		arena_holders[line] = holders;
	else
		data_holder[line - arena_lines] =
			holders ? (uint8_t)(__builtin_ctzll(holders) + 1) : 0;
}

/* A core of which neither L1 nor L2 has the line any more does not hold it. */
static void look_again(unsigned int core, uint64_t line)
{
	if (!holds(&l1[core], line) && !holds(&l2[core], line))
		set_holders(line, holders_of(line) & ~(1ULL << core));
}

static void drop_from(uint64_t cores, uint64_t line)
{
	for (uint64_t left = cores & holders_of(line); left; left &= left - 1) {
		unsigned int core = (unsigned int)__builtin_ctzll(left);

		drop(&l1[core], line);
		drop(&l2[core], line);
	}
	set_holders(line, holders_of(line) & ~cores);
}

static uint64_t cores_of(unsigned int socket)
{
	return ((1ULL << cores_per_socket) - 1) << (socket * cores_per_socket);
}

/* ---- fills ---- */

static void fill_llc(unsigned int socket, uint64_t line)
{
	if (hit(&llc[socket], line))
		return;
	uint64_t victim = fill(&llc[socket], line);

	if (victim && inclusive)
		drop_from(cores_of(socket), victim);
}

static void fill_l2(unsigned int core, uint64_t line)
{
	uint64_t victim = fill(&l2[core], line);

	if (!victim)
		return;
	if (!inclusive)
		fill_llc(core / cores_per_socket, victim);
	look_again(core, victim);
}

/* What the L1 drops its L2 has, or takes: nearly all of it is modified. */
static void fill_l1(unsigned int core, uint64_t line)
{
	uint64_t victim = fill(&l1[core], line);

	if (victim && !hit(&l2[core], victim))
		fill_l2(core, victim);
}

/* A line that @core does not have comes to its L2. Who had it? */
static enum exact_served miss(unsigned int core, uint64_t line)
{
	unsigned int socket = core / cores_per_socket;
	uint64_t holders = holders_of(line);
	enum exact_served served = holders ? EXACT_REMOTE : EXACT_DRAM;

	for (unsigned int i = 0; i < sockets; i++)
		if (i != socket && holds(&llc[i], line))
			served = EXACT_REMOTE;
	if (holders & cores_of(socket) || holds(&llc[socket], line))
		served = EXACT_SOCKET;
	if (inclusive)
		fill_llc(socket, line);
	else
		drop(&llc[socket], line);
	fill_l2(core, line);
	return served;
}

static enum exact_served use(unsigned int core, uint64_t line, bool write)
{
	enum exact_served served;

	if (hit(&l1[core], line)) {
		served = EXACT_L1;
	} else if (hit(&l2[core], line)) {
		served = EXACT_L2;
		fill_l1(core, line);
	} else {
		served = miss(core, line);
		fill_l1(core, line);
	}
	if (write) {
		drop_from(~(1ULL << core), line);
		for (unsigned int i = 0; i < sockets; i++)
			if (i != core / cores_per_socket)
				drop(&llc[i], line);
	}
	set_holders(line, holders_of(line) | 1ULL << core);
	return served;
}

/* ---- from outside ---- */

static void *reserve(uint64_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

int exact_init(const struct machine *m, uint64_t size)
{
	int failed = 0;

	sockets = (unsigned int)m->sockets;
	cores_per_socket = (unsigned int)m->cores_per_socket;
	inclusive = m->llc_inclusive;
	if (sockets * cores_per_socket > MAX_CORES || sockets > MAX_SOCKETS)
		return -1;
	for (unsigned int i = 0; i < sockets * cores_per_socket; i++) {
		failed |= cache_init(&l1[i], m->l1d_size, m->l1d_ways);
		failed |= cache_init(&l2[i], m->l2_size, m->l2_ways);
	}
	for (unsigned int i = 0; i < sockets; i++)
		failed |= cache_init(&llc[i], m->llc_size, m->llc_ways);
	arena_lines = size / LINE;
	arena_holders = reserve((arena_lines + 1) * sizeof(*arena_holders));
	data_holder = reserve(arena_lines * 64 + 1);
	return failed || !arena_holders || !data_holder ? -1 : 0;
}

void exact_access(unsigned int core, uint64_t offset, bool write)
{
	exact_served[use(core, offset / LINE + 1, write)]++;
}

void exact_prefetch(unsigned int core, uint64_t offset)
{
	uint64_t line = offset / LINE + 1;

	if (holds(&l1[core], line) || holds(&l2[core], line))
		return;
	(void)miss(core, line);
	set_holders(line, holders_of(line) | 1ULL << core);
}

void exact_take(unsigned int core, uint64_t offset)
{
	(void)use(core, offset / LINE + 1, true);
}

void exact_data_write(unsigned int core, uint64_t offset, unsigned int line)
{
	uint64_t number = arena_lines + offset / LINE * 64 + line + 1;
	uint8_t before = data_holder[number - arena_lines];

	if (before && before != core + 1)
		drop_from(1ULL << (before - 1), number);
	exact_data_served[use(core, number, true)]++;
}
