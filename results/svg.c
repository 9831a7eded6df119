/* SPDX-License-Identifier: GPL-3.0-or-later */
/* svg.c - from a gnuplot script to an SVG file, which is replaced in one step. */
#include "svg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../models/error.h"
#include "../models/replace.h"
#include "gnuplot.h"
#include "must.h"

/*
 * Putting it in place
 */

/* The file to replace: where @path is a symbolic link, what it points to. The caller frees it. */
static char *target_of(const char *path)
{
	char *real = realpath(path, NULL);

	return real ? real : must_format("%s", path);
}

static int copy(FILE *to, void *what)
{
	FILE *from = what;
	char buffer[8192];
	size_t size;

	rewind(from);
	while ((size = fread(buffer, 1, sizeof(buffer), from)) > 0)
		if (fwrite(buffer, 1, size, to) != size)
			return -1;
	return ferror(from) ? -1 : 0;
}

/* Replace the file @path by the picture, or leave it as it was. */
static int replace(const char *path, FILE *picture, struct error *err)
{
	char *target = target_of(path);
	struct stat old;
	int problem, ret = 0;

	if (stat(target, &old) == 0 && !S_ISREG(old.st_mode)) {
		ret = error_set(err, "%s: not a regular file, which can not be replaced", path);
	} else {
		problem = replace_file(target, copy, picture);
		if (problem)
			ret = error_set(err, "%s: %s", path, strerror(problem));
	}
	free(target);
	return ret;
}

/*
 * Drawing
 */

/* Fill the file @picture. Returns as svg_write does. */
static int render(FILE *picture, svg_draw *draw, void *what, struct error *err)
{
	FILE *script = tmpfile();
	int ret;

	if (!script)
		return error_set(err, "can not make a temporary file: %s", strerror(errno));
	ret = draw(script, what, err) == 0 ? gnuplot_run(script, picture, err) : SVG_REFUSED;
	fclose(script); /* gone with this: nothing can be lost */
	return ret;
}

int svg_write(const char *path, svg_draw *draw, void *what, struct error *err)
{
	FILE *picture = tmpfile();
	int ret;

	if (!picture)
		return error_set(err, "can not make a temporary file: %s", strerror(errno));
	ret = render(picture, draw, what, err);
	if (ret == 0)
		ret = replace(path, picture, err);
	fclose(picture); /* gone with this, too */
	return ret;
}

int svg_print(FILE *out, svg_draw *draw, void *what, struct error *err)
{
	FILE *picture = tmpfile();
	int ret;

	if (!picture)
		return error_set(err, "can not make a temporary file: %s", strerror(errno));
	ret = render(picture, draw, what, err);
	if (ret == 0 && copy(out, picture) < 0)
		ret = error_set(err, "can not write the picture: %s", strerror(errno));
	fclose(picture);
	return ret;
}

int file_write(const char *path, svg_draw *draw, void *what, struct error *err)
{
	FILE *text = tmpfile();
	int ret;

	if (!text)
		return error_set(err, "can not make a temporary file: %s", strerror(errno));
	ret = draw(text, what, err);
	if (ret == 0 && (fflush(text) != 0 || ferror(text)))
		ret = error_set(err, "%s: %s", path, strerror(errno));
	if (ret == 0)
		ret = replace(path, text, err);
	fclose(text); /* gone with this: nothing can be lost */
	return ret;
}
