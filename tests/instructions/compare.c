/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare.c - the instructions that the hooks count, against callgrind's count of the same source
 * built without hooks.
 *
 * Usage: compare COUNTED CALLGRIND LIMIT
 * COUNTED is what the program "counted" printed; CALLGRIND.1, .2, ... are callgrind's files of the
 * same mixes, of which the functions of alloc/ are summed up. Exit status 1 when a mix is off by
 * more than LIMIT percent.
 */

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS 512

static struct row {
	double counted, callgrind;
	char path[64], name[96];
} rows[MAX_ROWS];
static size_t nr_rows;

static _Noreturn void die(const char *what, const char *which)
{
	(void)fprintf(stderr, "compare: %s %s\n", what, which);
	exit(2);
}

static void read_counted(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[512];

	if (!file)
		die("can not read", path);
	while (nr_rows < MAX_ROWS && fgets(line, sizeof(line), file)) {
		struct row *r = &rows[nr_rows++];

		if (sscanf(line, "%lf\t%63[^\t]\t%95[^\n]", &r->counted, r->path, r->name) != 3)
			die("not a line of counts:", line);
	}
	(void)fclose(file);
}

/* The instructions of the functions that are defined in alloc/, what they call left out. */
static double read_callgrind(const char *path)
{
	FILE *file = fopen(path, "r");
	bool in_alloc = false, inclusive = false;
	char line[1024];
	double sum = 0, cost;

	if (!file)
		die("can not read", path);
	while (fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "fl=", 3))
			in_alloc = strstr(line, "/alloc/") != NULL;
		else if (!strncmp(line, "calls=", 6))
			inclusive = true;
		else if (isdigit((unsigned char)line[0])) {
			if (!inclusive && in_alloc && sscanf(line, "%*s %lf", &cost) == 1)
				sum += cost;
			inclusive = false;
		}
	}
	(void)fclose(file);
	return sum;
}

static void read_all(const char *counted, const char *callgrind)
{
	char path[4096];

	read_counted(counted);
	if (!nr_rows)
		die("nothing in", counted);
	for (size_t i = 0; i < nr_rows; i++) {
		(void)snprintf(path, sizeof(path), "%s.%zu", callgrind, i + 1);
		rows[i].callgrind = read_callgrind(path);
		if (rows[i].callgrind <= 0)
			die("nothing was executed in", rows[i].name);
	}
}

static double error_of(const struct row *r)
{
	return 100 * (r->counted / r->callgrind - 1);
}

/* The errors of one path, from the least to the most. */
static void print_path(const char *path)
{
	double least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < nr_rows; i++) {
		if (strcmp(rows[i].path, path) != 0)
			continue;
		least = fmin(least, error_of(&rows[i]));
		most = fmax(most, error_of(&rows[i]));
	}
	(void)printf("%-34s %+7.2f%% %+7.2f%%\n", path, least, most);
}

static double print_errors(void)
{
	double worst = 0;

	(void)printf("%-34s %8s %8s\n", "path", "least", "most");
	for (size_t i = 0; i < nr_rows; i++) {
		bool first = true;

		for (size_t j = 0; j < i; j++)
			first &= strcmp(rows[i].path, rows[j].path) != 0;
		if (first)
			print_path(rows[i].path);
		worst = fmax(worst, fabs(error_of(&rows[i])));
	}
	(void)printf("worst error of %zu mixes: %.2f%%\n", nr_rows, worst);
	return worst;
}

int main(int argc, char *argv[])
{
	if (argc != 4)
		die("usage: compare COUNTED CALLGRIND LIMIT", "");
	read_all(argv[1], argv[2]);
	return print_errors() <= atof(argv[3]) ? 0 : 1;
}
