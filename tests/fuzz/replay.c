// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * replay.c - give each file of the directories named to the fuzzed program, as a test: what was
 * found once must not come back. Needs no fuzzer.
 */
#include <dirent.h>
#include <string.h>

#include "fuzz.h"

#define MAX_SIZE (4 << 20)

static void replay(const char *path)
{
	static uint8_t bytes[MAX_SIZE];
	FILE *file = fopen(path, "rb");
	size_t size;

	must_hold(file, "%s", path);
	size = fread(bytes, 1, sizeof(bytes), file);
	(void)fclose(file);
	/* a copy of just this size, so that a sanitizer sees whoever reads on */
	uint8_t *copy = malloc(size ? size : 1);

	must_hold(copy, "out of memory");
	memcpy(copy, bytes, size);
	(void)LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

int main(int argc, char **argv)
{
	int number = 0;

	for (int i = 1; i < argc; i++) {
		struct dirent **files;
		int nr = scandir(argv[i], &files, NULL, alphasort);

		must_hold(nr > 2, "%s has no files", argv[i]);
		for (int f = 0; f < nr; f++) {
			char path[4096];

			(void)snprintf(path, sizeof(path), "%s/%s", argv[i], files[f]->d_name);
			if (*files[f]->d_name != '.') {
				(void)fprintf(stderr, "%s\n", path);
				replay(path);
				(void)printf("ok %d - %s\n", ++number, files[f]->d_name);
			}
			free(files[f]);
		}
		free(files);
	}
	(void)printf("1..%d\n", number);
	return 0;
}
