/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c - where a line is, and what it takes to get it. */

#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bandwidth.h"
#include "c2c.h"
#include "holders.h"
#include "in_flight.h"
#include "platform.h"
#include "prefetcher.h"
#include "sim.h"

#define LINES_PER_PAGE 64

uint64_t memory_served[NR_SERVED][NR_HOLDS];
uint64_t memory_data_lines[NR_DATA_SOURCES];

const char *const served_names[NR_SERVED] = {"l1", "in-flight", "l2", "llc", "dirty-socket",
	"dirty-remote", "llc-remote", "dram", "dram-remote", "upgrade"};
const char *const served_help[NR_SERVED] = {"the core's own L1",
	"a line that was already on its way", "the core's own L2", "the socket's last-level cache",
	"another core of the socket, which may have modified it", "a core of another socket",
	"the last-level cache of another socket", "DRAM of the socket", "DRAM of another socket",
	"write permission for a line that others held too"};

uintptr_t arena_base;
size_t arena_size;
uintptr_t shadow_offset;
static size_t arena_used;

struct core_clocks *core_clocks;
static struct prefetcher *prefetchers; /* by core */
uint32_t llc_clock[MAX_SOCKETS];
uint32_t l1_lines, l2_lines;
static uint32_t socket_lines[MAX_SOCKETS]; /* in the LLC, and what the cores have beyond it */
bool llc_inclusive;

static struct memory_costs {
	sim_time l2, llc, dram_local, dram_remote, atomic;
	sim_time clear_hot, clear_cold, clear_llc;
	sim_time read_llc, read_dram, read_dram_remote; /* of a page */
	sim_time sibling, transfer[MAX_SOCKETS][MAX_SOCKETS];
} costs;

static struct home {
	uintptr_t start;
	unsigned int node;
} homes[MAX_SOCKETS * 3];
static unsigned int nr_homes;

/* ---- set-up ---- */

static void *reserve(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	/* accesses are random; without huge pages each would miss the host's TLB too */
	if (memory != MAP_FAILED)
		(void)madvise(memory, size, MADV_HUGEPAGE);

	return memory == MAP_FAILED ? NULL : memory;
}

static void init_costs(const struct machine *m)
{
	unsigned int cores = (unsigned int)m->cores_per_socket;
	double cycle = cpu_costs.ps_per_cycle;
	sim_time l2 = (sim_time)(m->l2_latency * cycle);

	costs.l2 = l2;
	costs.llc = seconds_to_ps(m->llc_latency);
	costs.dram_local = seconds_to_ps(m->dram_local);
	costs.dram_remote = seconds_to_ps(m->dram_remote);
	costs.atomic = (sim_time)(m->atomic * cycle);
	costs.clear_hot = seconds_to_ps(m->clear_page_hot);
	costs.clear_cold = seconds_to_ps(m->clear_page_cold);
	/* as many lines at a time as there are fill buffers */
	costs.read_llc = (sim_time)(LINES_PER_PAGE * (double)costs.llc / m->line_fill_buffers);
	costs.read_dram =
		(sim_time)(LINES_PER_PAGE * (double)costs.dram_local / m->line_fill_buffers);
	costs.read_dram_remote =
		(sim_time)(LINES_PER_PAGE * (double)costs.dram_remote / m->line_fill_buffers);
	costs.clear_llc = costs.clear_hot + costs.read_llc;
	costs.sibling = engine_route_latency(0, nr_cpus > machine_cores(m) ? machine_cores(m) : 0);
	for (unsigned int a = 0; a < (unsigned int)m->sockets; a++)
		for (unsigned int b = 0; b < (unsigned int)m->sockets; b++)
			costs.transfer[a][b] =
				a == b ? engine_route_latency(a * cores, a * cores + (cores > 1))
				       : engine_route_latency(a * cores, b * cores);
}

int memory_init(const struct machine *m, size_t size)
{
	unsigned int cores = machine_cores(m);

	arena_size = (size + 4095) & ~(size_t)4095;
	arena_used = 0;
	void *arena = reserve(arena_size), *shadow = reserve(arena_size);

	core_clocks = calloc(cores, sizeof(*core_clocks));
	prefetchers = calloc(cores, sizeof(*prefetchers));
	for (unsigned int i = 0; core_clocks && i < nr_cpus; i++) {
		cpus[i].core_tag = cpus[i].core + 1;
		cpus[i].core_clocks = &core_clocks[cpus[i].core];
	}
	if (!arena || !shadow || !core_clocks || !prefetchers || holders_init(cores))
		return -1;
	arena_base = (uintptr_t)arena;
	shadow_offset = (uintptr_t)shadow - arena_base;
	l1_lines = (uint32_t)(m->l1d_size / 64);
	l2_lines = (uint32_t)(m->l2_size / 64);
	for (unsigned int i = 0; i < (unsigned int)m->sockets; i++)
		socket_lines[i] = (uint32_t)(m->llc_size / 64);
	llc_inclusive = m->llc_inclusive;
	init_costs(m);
	bandwidth_init(m);
	return 0;
}

void *arena_alloc(size_t size, size_t align)
{
	size_t start = (arena_used + align - 1) & ~(align - 1);

	if (start > arena_size || size > arena_size - start)
		return NULL;
	arena_used = start + size;
	return (void *)(arena_base + start);
}

void memory_set_home(uintptr_t start, unsigned int node)
{
	if (nr_homes == sizeof(homes) / sizeof(homes[0]))
		sim_broken("more than %zu parts of memory with a home",
			sizeof(homes) / sizeof(homes[0]));
	homes[nr_homes++] = (struct home){start, node};
}

static unsigned int home_of(uintptr_t address)
{
	unsigned int node = 0;

	for (unsigned int i = 0; i < nr_homes; i++)
		if (address >= homes[i].start)
			node = homes[i].node;
	return node;
}

sim_time memory_transfer(const struct cpu *from, const struct cpu *to)
{
	if (from->core == to->core)
		return costs.sibling;
	return costs.transfer[from->socket][to->socket];
}

/* ---- records ---- */

/* What was last used at @stamp of @socket's footprint clock is on that socket still. */
static bool on_socket(unsigned int socket, uint32_t stamp)
{
	return llc_clock[socket] - stamp < socket_lines[socket];
}

static bool in_llc(const struct line *line)
{
	return line->llc_socket && on_socket(line->llc_socket - 1u, line->llc_stamp);
}

/*
 * @lines come into the L2 of @cpu's core. Without inclusion the lines of an L2 are held beyond the
 * LLC's, but only by cores that have brought some in: the L2 of an idle core stays empty.
 */
static void fill_l2(const struct cpu *cpu, uint32_t lines)
{
	struct core_clocks *clocks = cpu->core_clocks;
	uint32_t empty = l2_lines - clocks->l2_filled;

	clocks->l2 += lines;
	if (!empty)
		return;
	if (lines > empty)
		lines = empty;
	clocks->l2_filled += lines;
	if (!llc_inclusive)
		socket_lines[cpu->socket] += lines;
}

/* @cpu's core uses the line now: it is the first holder, with stamps of this moment. */
static void use_line(const struct cpu *cpu, struct line *line)
{
	const struct core_clocks *clocks = cpu->core_clocks;
	struct holder *h = make_first(line, cpu->core);

	h->l1_stamp = clocks->l1;
	h->l2_stamp = clocks->l2;
}

/* The first holder writes: no one else has the line any more. */
static void own_line(struct line *line)
{
	drop_other_holders(line);
	line->dirty = true;
	line->exclusive = true;
}

/* ---- what a miss costs ---- */

static sim_time from_dram(
	const struct cpu *cpu, const struct line *line, uintptr_t address, enum served *from)
{
	unsigned int home = home_of(address);
	bool local = home == cpu->socket;

	llc_clock[cpu->socket]++;
	*from = local ? SERVED_DRAM : SERVED_DRAM_REMOTE;
	/* what was modified was written back before it came to be in DRAM again */
	bandwidth_use(home, line->dirty ? 128 : 64);
	return (sim_time)((double)(local ? costs.dram_local : costs.dram_remote) *
			  bandwidth_latency_factor(home));
}

/* A line that this core does not have: who gives it, into @from, and how long that takes. */
static sim_time miss(
	const struct cpu *cpu, const struct line *line, uintptr_t address, enum served *from)
{
	const struct holder *owner = &line->holder[0];

	/* a core with the right to write has to be asked, whether it has written or not */
	if (line->exclusive && owner->core && owner->core != cpu->core + 1 && in_private(owner)) {
		const struct cpu *other = &cpus[owner->core - 1];

		*from = other->socket == cpu->socket ? SERVED_DIRTY_SOCKET : SERVED_DIRTY_REMOTE;
		return memory_transfer(other, cpu);
	}
	if (!in_llc(line))
		return from_dram(cpu, line, address, from);
	unsigned int socket = line->llc_socket - 1u;

	*from = socket == cpu->socket ? SERVED_LLC : SERVED_LLC_REMOTE;
	return socket == cpu->socket ? costs.llc : costs.transfer[socket][cpu->socket];
}

/* The line comes into the core's L2; @other has it too, NULL for no one. */
static void bring_in(const struct cpu *cpu, struct line *line, const struct holder *other)
{
	fill_l2(cpu, 1);
	/* a modified line that is read is written back on the way */
	line->dirty = false;
	line->exclusive = !other;
}

/* ---- hardware prefetch ---- */

static void prefetch_line(const struct cpu *cpu, uintptr_t address)
{
	struct prefetcher *prefetcher = &prefetchers[cpu->core];
	struct core_clocks *clocks = cpu->core_clocks;

	if (address - arena_base >= arena_size)
		return;
	struct line *line = line_of(address);
	const struct holder *known = holder_find(line, cpu->core);
	enum served from;

	if (known && in_private(known))
		return;
	sim_time latency = miss(cpu, line, address, &from);

	if (!prefetcher_request(
		    prefetcher, address >> LINE_SHIFT, cpu->clock, cpu->clock + latency))
		return;
	bring_in(cpu, line, other_holder(line, cpu->core));
	struct holder *h = make_first(line, cpu->core);

	h->l1_stamp = clocks->l1 - l1_lines; /* not there */
	h->l2_stamp = clocks->l2;
	stamp_llc(line, cpu->socket);
}

/* The L2 has been asked for @address: let the prefetchers run ahead. */
static void prefetch_ahead(const struct cpu *cpu, uintptr_t address, bool missed)
{
	uintptr_t wanted[PREFETCH_MOST];
	unsigned int nr =
		prefetcher_train(&prefetchers[cpu->core], address >> LINE_SHIFT, missed, wanted);

	for (unsigned int i = 0; i < nr; i++)
		prefetch_line(cpu, wanted[i] << LINE_SHIFT);
}

/* What a hit in the L2 takes: the line may still be on its way there. */
static sim_time hit_in_l2(const struct cpu *cpu, uintptr_t address)
{
	sim_time arrival = prefetcher_arrival(&prefetchers[cpu->core], address >> LINE_SHIFT);

	return arrival > cpu->clock + costs.l2 ? arrival - cpu->clock : costs.l2;
}

/* ---- access ---- */

/*
 * Bring the line to @cpu's core, for writing or reading. Returns the latency: 0 for a hit in the
 * L1. Updates the line's record and the footprint clocks.
 */
static sim_time fetch(struct cpu *cpu, struct line *line, uintptr_t address, bool write)
{
	if (line_fetch_l1(cpu, line, write))
		return 0;
	struct core_clocks *clocks = cpu->core_clocks;
	const struct holder *other = other_holder(line, cpu->core);
	const struct holder *known = holder_find(line, cpu->core);
	bool hit_l1 = known && in_l1(known, clocks), hit_l2 = known && in_l2(known, clocks);
	enum served from = hit_l1 ? SERVED_L1 : SERVED_L2;
	sim_time latency = 0;

	if (!hit_l1) {
		latency = hit_l2 ? hit_in_l2(cpu, address) : miss(cpu, line, address, &from);
		clocks->l1++;
		if (!hit_l2)
			bring_in(cpu, line, other);
	}
	memory_served[from][cpu->hold]++;
	if (write && other) {
		/* the other copy has to be given up first, which takes as long as a transfer */
		sim_time invalidation = memory_transfer(&cpus[other->core - 1], cpu);

		if (hit_l1 || hit_l2) {
			from = SERVED_UPGRADE;
			memory_served[from][cpu->hold]++;
		}
		if (invalidation > latency)
			latency = invalidation;
	}
	if (__builtin_expect(c2c_on, false))
		c2c_add(cpu->hold, address, from, latency);
	use_line(cpu, line);
	if (write)
		own_line(line);
	/* an inclusive LLC ages from its last request, others from when the cores drop the line */
	if (!llc_inclusive || !(hit_l1 || hit_l2))
		stamp_llc(line, cpu->socket);
	if (!hit_l1)
		prefetch_ahead(cpu, address, !hit_l2);
	return latency;
}

static void atomic_access(struct cpu *cpu, struct line *line, uintptr_t address)
{
	cpu_fence(cpu);
	if (line->holder[0].core == cpu->core + 1 && line->exclusive) {
		cpu_wait_until(cpu, cpu->clock + fetch(cpu, line, address, true) + costs.atomic,
			WAIT_ATOMICS);
		return;
	}
	/* others see it: simulated time must have come this far */
	cpu_sync(cpu);
	cpu_wait_until(cpu, line->busy_until, WAIT_ATOMICS);
	cpu_wait_until(
		cpu, cpu->clock + fetch(cpu, line, address, true) + costs.atomic, WAIT_ATOMICS);
	line->busy_until = cpu->clock;
}

void memory_barrier(void)
{
	struct cpu *cpu = this_cpu;

	cpu_fence(cpu);
	cpu_wait_until(cpu, cpu->clock + costs.atomic, WAIT_ATOMICS);
}

/* Not in the L1, or not with the permission that it takes. */
static void miss_access(
	struct cpu *cpu, struct line *line, uintptr_t address, unsigned int size, bool write)
{
	cpu_settle(cpu);
	finish_access(cpu, address, size, fetch(cpu, line, address, write), write);
}

void memory_access(uintptr_t address, unsigned int size, enum access access)
{
	struct cpu *cpu = this_cpu;
	struct line *line = line_of(address);

	if (access == ACCESS_ATOMIC)
		atomic_access(cpu, line, address);
	else if (cpu_waits(cpu) ? !hit_in_flight(cpu, address, size, access == ACCESS_WRITE)
				: !line_hit_l1(cpu, line, access == ACCESS_WRITE))
		miss_access(cpu, line, address, size, access == ACCESS_WRITE);
}

void memory_prefetch(uintptr_t address)
{
	struct cpu *cpu = this_cpu;
	struct line *line = line_of(address);

	cpu_settle(cpu);
	if (cpu->window.nr)
		window_wait(cpu);
	sim_time start = start_of(cpu, address >> LINE_SHIFT, 0);
	sim_time latency = fetch(cpu, line, address, false);

	if (latency)
		(void)put_in_flight(cpu, start, latency,
			(struct in_flight){
				.line = address >> LINE_SHIFT, .issued = HOLDS_UP_NOTHING});
}

void memory_take_line(struct cpu *cpu, uintptr_t address)
{
	struct line *line = line_of(address);

	use_line(cpu, line);
	own_line(line);
	stamp_llc(line, cpu->socket);
}

/* ---- page data ---- */

/* The data of the page that @line stands for is used on @cpu's socket now. */
static void stamp_data(const struct cpu *cpu, struct line *line)
{
	line->data_socket = (uint8_t)(cpu->socket + 1);
	line->data_stamp = llc_clock[cpu->socket];
}

/* Whether the data are in the LLC of @cpu's socket; if not, they pass through it now. */
static bool data_in_llc(const struct cpu *cpu, const struct line *line, unsigned int node)
{
	if (line->data_socket == cpu->socket + 1 && on_socket(cpu->socket, line->data_stamp)) {
		memory_data_lines[DATA_NEAR] += LINES_PER_PAGE;
		return true;
	}
	memory_data_lines[DATA_FAR] += LINES_PER_PAGE;
	bandwidth_use(node, 64 * LINES_PER_PAGE);
	llc_clock[cpu->socket] += LINES_PER_PAGE;
	return false;
}

/* The page's lines go through @cpu's core, which takes @time. */
static void pass_page(struct cpu *cpu, struct line *line, sim_time time)
{
	cpu_settle(cpu);
	cpu_charge_time(cpu, time);
	cpu->core_clocks->l1 += LINES_PER_PAGE;
	fill_l2(cpu, LINES_PER_PAGE);
	stamp_data(cpu, line);
}

void memory_clear_page(uintptr_t record)
{
	struct cpu *cpu = this_cpu;
	struct line *line = line_of(record);
	unsigned int node = home_of(record);
	sim_time time = costs.clear_llc;

	if (!data_in_llc(cpu, line, node))
		time = (sim_time)((double)costs.clear_cold * bandwidth_latency_factor(node));
	pass_page(cpu, line, time);
}

static void read_page(uintptr_t record)
{
	struct cpu *cpu = this_cpu;
	struct line *line = line_of(record);
	unsigned int node = home_of(record);
	sim_time time = costs.read_llc;

	if (!data_in_llc(cpu, line, node))
		time = (sim_time)((double)(node == cpu->socket ? costs.read_dram
							       : costs.read_dram_remote) *
				  bandwidth_latency_factor(node));
	pass_page(cpu, line, time);
}

void memory_copy_page(uintptr_t to, uintptr_t from)
{
	read_page(from);
	memory_clear_page(to);
}

void memory_touch_page(uintptr_t record)
{
	/* the page has just been zeroed by this core, so the line is at hand */
	stamp_data(this_cpu, line_of(record));
}
