/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.c - choosing the picture for a document, and putting it in place in one step. */
#include "plot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../models/error.h"
#include "gnuplot.h"
#include "must.h"
#include "picture.h"

/* More configurations with bars than this can not be read, and lines are tried. */
#define MAX_GROUPS 8

/*
 * Putting it in place
 */

/* The file to replace: where @path is a symbolic link, what it points to. The caller frees it. */
static char *target_of(const char *path)
{
	char *real = realpath(path, NULL);

	return real ? real : must_format("%s", path);
}

static int copy(FILE *from, FILE *to)
{
	char buffer[8192];
	size_t size;

	rewind(from);
	while ((size = fread(buffer, 1, sizeof(buffer), from)) > 0)
		if (fwrite(buffer, 1, size, to) != size)
			return -1;
	return ferror(from) ? -1 : 0;
}

/* Permissions of a new file, as open would give them. */
static mode_t usual_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* Fill the file @fd with the picture. Closes @fd. Returns 0, or -1 with errno. */
static int fill(int fd, FILE *picture)
{
	FILE *out = fdopen(fd, "w");
	int ret;

	if (!out) {
		close(fd);
		return -1;
	}
	ret = copy(picture, out);
	if (ret == 0 && fchmod(fd, usual_mode()) != 0)
		ret = -1;
	if (fclose(out) != 0)
		ret = -1;
	return ret;
}

/* Replace the file @path by the picture, or leave it as it was. */
static int replace(const char *path, FILE *picture, struct error *err)
{
	char *target = target_of(path), *temporary = must_format("%s.XXXXXX", target);
	struct stat old;
	int fd, ret = 0;

	if (stat(target, &old) == 0 && !S_ISREG(old.st_mode)) {
		ret = error_set(err, "%s: not a regular file, a picture can not replace it", path);
		goto out;
	}
	fd = mkstemp(temporary);
	if (fd < 0) {
		ret = error_set(err, "%s: %s", path, strerror(errno));
		goto out;
	}
	if (fill(fd, picture) != 0 || rename(temporary, target) != 0) {
		ret = error_set(err, "%s: %s", path, strerror(errno));
		unlink(temporary); /* what is left of it does no harm */
	}
out:
	free(temporary);
	free(target);
	return ret;
}

/*
 * Choosing
 */

/* Is there a figure to draw at all? */
static bool has_figures(const struct comparison *c)
{
	for (size_t i = 0; i < document_size(c->document); i++)
		if (point_metric(document_point(c->document, i), c->metric).mean > 0)
			return true;
	return false;
}

static int draw(FILE *script, const struct comparison *c, struct error *err)
{
	struct picture picture = {.script = script};
	bool bars = c->has_patched ? c->nr_rows <= MAX_GROUPS : !picture_has_lines(c);

	if (!has_figures(c))
		return error_set(err, "nothing to plot: no point has a %s", c->metric);
	if (bars || !picture_has_lines(c))
		picture_bars(&picture, c);
	else
		picture_lines(&picture, c);
	return 0;
}

int plot_grouped_bars(json_t *document, const char *svg_path, struct error *err)
{
	FILE *script = tmpfile(), *picture = tmpfile();
	struct comparison c;
	int ret = -1;

	if (!script || !picture) {
		error_set(err, "can not make a temporary file: %s", strerror(errno));
		goto out;
	}
	if (comparison_make(&c, document, err) != 0)
		goto out;
	ret = draw(script, &c, err);
	comparison_free(&c);
	if (ret == 0)
		ret = gnuplot_run(script, picture, err);
	if (ret == 0)
		ret = replace(svg_path, picture, err);
out:
	if (script)
		fclose(script); /* both are gone with this: nothing can be lost */
	if (picture)
		fclose(picture);
	return ret;
}
