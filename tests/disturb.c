// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * disturb.c - a library to preload that makes the system misbehave, for tests/faults.bats.
 *
 * DISTURB_WRITES=N: of what a process writes to files, the Nth and the three after it find the disk
 * full. DISTURB_CLOCK=1: the wall clock jumps by up to a day, back or forth, whenever it is read.
 */
/* The plain names and those for large files are two functions each. */
#undef _FILE_OFFSET_BITS
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define DAY 86400

/* The function of this name that stands in for would have been called. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* ---- a full disk ---- */

static bool is_file(int fd)
{
	struct stat st;

	/* a file in memory has no name, and no disk */
	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink > 0;
}

static bool is_full(int fd)
{
	static atomic_long writes;
	const char *first = getenv("DISTURB_WRITES");
	long from = first ? atol(first) : 0;

	if (from <= 0 || !is_file(fd))
		return false;
	long number = atomic_fetch_add(&writes, 1) + 1;

	return number >= from && number < from + 4;
}

static int full(void)
{
	errno = ENOSPC;
	return -1;
}

ssize_t write(int fd, const void *buffer, size_t size)
{
	return is_full(fd) ? full() : REAL(write)(fd, buffer, size);
}

ssize_t pwrite(int fd, const void *buffer, size_t size, off_t at)
{
	return is_full(fd) ? full() : REAL(pwrite)(fd, buffer, size, at);
}

ssize_t pwrite64(int fd, const void *buffer, size_t size, off64_t at)
{
	return is_full(fd) ? full() : REAL(pwrite64)(fd, buffer, size, at);
}

/* ---- a clock that jumps ---- */

static time_t jump(void)
{
	return getenv("DISTURB_CLOCK") ? random() % (2 * DAY) - DAY : 0;
}

time_t time(time_t *result)
{
	time_t now = REAL(time)(NULL) + jump();

	if (result)
		*result = now;
	return now;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	int status = REAL(clock_gettime)(clock, now);

	if (clock == CLOCK_REALTIME)
		now->tv_sec += jump();
	return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	int status = REAL(gettimeofday)(now, zone);

	now->tv_sec += jump();
	return status;
}
