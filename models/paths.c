// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * paths.c - where the data that comes with zonesim is.
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "paths.h"

/* Does the running program lie in the directory that it is installed to? */
static bool is_installed(void)
{
	char self[4096];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	if (length < 0)
		return false;
	self[length] = '\0';
	slash = strrchr(self, '/');
	if (!slash)
		return false;
	*slash = '\0';
	return strcmp(self, ZONESIM_BINDIR) == 0;
}

static const char *data_root(void)
{
	const char *set = getenv("ZONESIM_DATA");

	if (set && *set)
		return set;
	if (is_installed() || access(ZONESIM_SOURCE_DIR, R_OK) < 0)
		return ZONESIM_DATADIR;
	return ZONESIM_SOURCE_DIR;
}

char *data_path(const char *kind, const char *name, const char *suffix)
{
	char *path;
	int length;

	if (name)
		length = asprintf(&path, "%s/%s/%s%s", data_root(), kind, name, suffix);
	else
		length = asprintf(&path, "%s/%s", data_root(), kind);
	return length < 0 ? NULL : path;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void names_free(char **names, int count)
{
	for (int i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

/* Append the name of @file without @suffix. Returns 0, also when the file has another suffix. */
static int add_name(char ***names, int *count, const char *file, const char *suffix)
{
	size_t length = strlen(file), end = strlen(suffix);
	char **grown;

	if (length <= end || strcmp(file + length - end, suffix) != 0 || file[0] == '.')
		return 0;
	grown = realloc(*names, sizeof(char *) * ((size_t)*count + 1));
	if (!grown)
		return -1;
	*names = grown;
	grown[*count] = strndup(file, length - end);
	if (!grown[*count])
		return -1;
	(*count)++;
	return 0;
}

int data_list(const char *kind, const char *suffix, char ***names, struct error *err)
{
	char *path = data_path(kind, NULL, NULL);
	DIR *directory = path ? opendir(path) : NULL;
	struct dirent *entry;
	int count = 0, status = 0;

	*names = NULL;
	if (!directory) {
		error_set(err, "can not read %s: %s", path ? path : kind, strerror(errno));
		free(path);
		return -1;
	}
	while (status == 0 && (entry = readdir(directory)))
		status = add_name(names, &count, entry->d_name, suffix);
	closedir(directory);
	free(path);
	if (status < 0) {
		names_free(*names, count);
		*names = NULL;
		return error_set(err, "out of memory");
	}
	if (count)
		qsort(*names, (size_t)count, sizeof(char *), by_name);
	return count;
}
