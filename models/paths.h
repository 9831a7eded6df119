/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * paths.h - where the data that comes with zonesim is.
 */
#ifndef ZONESIM_PATHS_H
#define ZONESIM_PATHS_H

struct error;

/*
 * data_path - the path of a file that comes with zonesim, e.g. ("models", "skylake-2s", ".yaml").
 * With @name NULL, the directory @kind itself. The caller frees it; NULL when memory runs out.
 *
 * Data is looked for in $ZONESIM_DATA if that is set; else beside the installed program, if it is
 * the installed program that runs; else in the source tree the program was built from.
 */
char *data_path(const char *kind, const char *name, const char *suffix);

/*
 * data_list - names of the files of @kind that end in @suffix, without it, sorted.
 * Returns their number, or -1 with @err filled. The caller frees each name and the array.
 */
int data_list(const char *kind, const char *suffix, char ***names, struct error *err);

/* Free what data_list returned. */
void names_free(char **names, int count);

#endif
