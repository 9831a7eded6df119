/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.c - SimGrid behind a small interface. */

#include "engine.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>

#include "platform.h"

/* Configuration calls of SimGrid that its C headers do not declare. */
void sg_cfg_set_double(const char *name, double value);
double sg_cfg_get_double(const char *name);
void sg_cfg_set_string(const char *name, const char *value);

#define STACK_KIB 128u /* of an actor: allocator code is shallow */

struct engine_actor {
	sg_actor_t actor;
	void (*body)(void *);
	void *argument;
};

static unsigned int started, finished;
static struct engine_actor *running;

/*
 * A file for SimGrid, whose C interface can only load a platform by name; SimGrid tells XML from
 * others by the name's ending. In memory, or, where there is no /proc to name that by, a temporary
 * one, which @made says.
 */
static int open_file(char *path, size_t size, bool *made)
{
	int fd = memfd_create("platform.xml", MFD_CLOEXEC);

	*made = false;
	(void)snprintf(path, size, "/proc/self/fd/%d", fd);
	if (fd >= 0 && access(path, W_OK) == 0)
		return fd;
	if (fd >= 0)
		(void)close(fd);
	*made = true;
	(void)snprintf(path, size, "/tmp/zonesim-XXXXXX");
	return mkostemp(path, O_CLOEXEC);
}

static int write_platform(int fd, const struct machine *machine)
{
	char *xml = platform_xml(machine);
	size_t length = xml ? strlen(xml) : 0, done = 0;

	while (done < length) {
		ssize_t n = write(fd, xml + done, length - done);

		if (n < 0)
			break;
		done += (size_t)n;
	}
	free(xml);
	return length > 0 && done == length ? 0 : -1;
}

static int load_platform(const struct machine *machine)
{
	char path[64];
	bool made;
	int fd = open_file(path, sizeof(path), &made);

	if (fd < 0)
		return -1;
	int status = write_platform(fd, machine);

	if (status == 0)
		simgrid_load_platform(path);
	if (made)
		(void)unlink(path);
	(void)close(fd);
	return status;
}

int engine_init(const struct machine *machine)
{
	/* SimGrid reads its own options from argv and must not see ours */
	char name[] = "zonesim", quiet[] = "--log=root.thres:critical";
	char *argv[] = {name, quiet, NULL};
	int argc = 2;

	simgrid_init(&argc, argv);
	sg_cfg_set_double("surf/precision", 1e-12);
	sg_cfg_set_double("maxmin/precision", 1e-12);
	sg_cfg_set_string("network/model", "CM02");
	sg_cfg_set_string("contexts/factory", "raw");
	if (sg_cfg_get_double("surf/precision") != 1e-12)
		return -1;
	if (load_platform(machine))
		return -1;
	/* a run without actors: only that computes the routes, and we ask for latencies before ours
	 */
	simgrid_run();
	return 0;
}

static sg_host_t host_of(unsigned int cpu)
{
	char name[32];

	(void)snprintf(name, sizeof(name), "cpu%u", cpu);
	return sg_host_by_name(name);
}

static void actor_main(int argc, char *argv[])
{
	(void)argc;
	(void)argv;
	struct engine_actor *self = sg_actor_self_get_data();

	running = self;
	self->body(self->argument);
	finished++;
}

struct engine_actor *engine_start(
	const char *name, unsigned int cpu, void (*body)(void *), void *argument)
{
	struct engine_actor *self = calloc(1, sizeof(*self));

	if (!self)
		return NULL;
	self->body = body;
	self->argument = argument;
	self->actor = sg_actor_init(name, host_of(cpu));
	sg_actor_set_stacksize(self->actor, STACK_KIB);
	sg_actor_set_data(self->actor, self);
	sg_actor_start_(self->actor, actor_main, 0, NULL);
	started++;
	return self;
}

unsigned int engine_run(void)
{
	simgrid_run();
	return started - finished;
}

sim_time engine_now(void)
{
	return llround(simgrid_get_clock() * 1e12);
}

void engine_advance(sim_time delta)
{
	struct engine_actor *self = running;

	if (delta > 0)
		sg_actor_sleep_for((double)delta * 1e-12);
	running = self;
}

void engine_yield(void)
{
	struct engine_actor *self = running;

	sg_actor_yield();
	running = self;
}

void engine_park(void)
{
	struct engine_actor *self = running;

	sg_actor_suspend(self->actor);
	running = self;
}

void engine_unpark(struct engine_actor *actor)
{
	struct engine_actor *self = running;

	sg_actor_resume(actor->actor);
	running = self;
}

struct engine_actor *engine_self(void)
{
	return running;
}

sim_time engine_route_latency(unsigned int from_cpu, unsigned int to_cpu)
{
	return llround(sg_host_get_route_latency(host_of(from_cpu), host_of(to_cpu)) * 1e12);
}
