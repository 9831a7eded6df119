/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picture.c - the frame of a picture: size, title, legend, margins, the lines below. */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

#include "gnuplot.h"
#include "must.h"
#include "table.h"

/* Pixels. A character of the proportional font is on average this wide for a size of one. */
#define CHARACTER 0.54
#define TITLE_SIZE 15
#define TEXT_SIZE 13
#define SMALL_SIZE 11
#define LINE 1.35 /* from line to line, for a size of one */
#define EDGE 14
#define DRAWING 270   /* height of the drawing without anything around it */
#define KEY_SAMPLE 60 /* width of a legend's entry without its text */

/* Characters of UTF-8 text. */
static size_t characters(const char *text, size_t size)
{
	size_t nr = 0;

	for (size_t i = 0; i < size && text[i]; i++)
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			nr++;
	return nr;
}

/* How much of @text fits into @max characters, broken before a word; at least one word. */
static size_t line_length(const char *text, size_t max)
{
	size_t length = strcspn(text, " ");

	while (text[length]) {
		size_t next = length + 1 + strcspn(text + length + 1, " ");

		if (characters(text, next) > max)
			break;
		length = next;
	}
	return length;
}

static void put_line(struct picture *p, const char *text, size_t size, double y, int font)
{
	char *line = must_format("%.*s", (int)size, text);

	fputs("set label ", p->script);
	gnuplot_quote(p->script, line);
	fprintf(p->script,
		" at screen %.5f, screen %.5f left font 'sans-serif,%d' "
		"textcolor rgb '%s' noenhanced\n",
		EDGE / p->width, 1 - y / p->height, font,
		font == SMALL_SIZE ? "#555555" : "#000000");
	free(line);
}

/*
 * Write @text from @y downwards, broken into lines. Returns where it ends. With @write false it is
 * only measured.
 */
static double put_lines(struct picture *p, const char *text, double y, int font, bool write)
{
	size_t max = (size_t)((p->width - 2 * EDGE) / (font * CHARACTER));

	while (*text) {
		size_t length = line_length(text, max);

		y += font * LINE;
		if (write)
			put_line(p, text, length, y - font * 0.5, font);
		text += length + strspn(text + length, " ");
	}
	return y;
}

/* What was simulated: version, settings that are the same everywhere, points. */
static char *origin(const struct comparison *c)
{
	const json_t *document = c->document;
	size_t nr = document_size(document), failed = 0;
	char *common = settings_common(&c->settings), *text;

	for (size_t i = 0; i < nr; i++)
		failed += strcmp(point_status(document_point(document, i)), "failed") == 0;
	text = must_format("Simulated with zonesim %s: %s. %zu point%s, the first is %.8s%s.",
		document_version(document), common, nr, nr == 1 ? "" : "s",
		point_fingerprint(document_point(document, 0)),
		failed ? "; FAILED points are missing, see the table" : "");
	free(common);
	return text;
}

/* The first publication of the rows; "" when there is none. */
static char *publication(const struct comparison *c)
{
	for (size_t i = 0; c->has_published && i < c->nr_rows; i++) {
		const char *source = row_source(&c->rows[i]);

		if (source)
			return must_format("Published: %s.", source);
	}
	return must_format("%s", "");
}

/* The lines below the drawing, from @y downwards. Returns where they end. */
static double put_footer(struct picture *p, const struct frame *frame, double y, bool write)
{
	for (size_t i = 0; i < sizeof(frame->footer) / sizeof(*frame->footer); i++)
		y = put_lines(p, frame->footer[i] ? frame->footer[i] : "", y, SMALL_SIZE, write);
	return y;
}

static size_t longest_entry(const struct frame *frame)
{
	size_t longest = 0;

	for (size_t i = 0; i < frame->nr_legend; i++)
		if (characters(frame->legend[i], SIZE_MAX) > longest)
			longest = characters(frame->legend[i], SIZE_MAX);
	return longest;
}

/* Columns of the legend: two where they fit. */
static size_t legend_columns(const struct picture *p, const struct frame *frame)
{
	double width = (double)longest_entry(frame) * TEXT_SIZE * CHARACTER + KEY_SAMPLE;

	/* gnuplot makes one column where it thinks that two have no room. */
	return 2.3 * width < p->right - p->left ? 2 : 1;
}

static double legend_height(const struct picture *p, const struct frame *frame)
{
	size_t columns = legend_columns(p, frame);

	return (double)((frame->nr_legend + columns - 1) / columns) * TEXT_SIZE * 1.65;
}

/* gnuplot thinks that characters are wider than they are: its guess is corrected by "width". */
static void put_legend(struct picture *p, const struct frame *frame, double y)
{
	fprintf(p->script,
		"set key at screen %.5f, screen %.5f left top Left reverse horizontal maxcols %zu "
		"noenhanced font 'sans-serif,%d' samplen 2.5 spacing 1.1 width %d\n",
		EDGE / p->width, 1 - y / p->height, legend_columns(p, frame), TEXT_SIZE,
		-(int)(longest_entry(frame) / 6));
}

/* Height of the picture, and where the drawing lies in it. Returns where the legend begins. */
static double lay_out(struct picture *p, const struct frame *frame)
{
	double legend;

	p->left = EDGE + 36;
	p->right = p->width - EDGE;
	legend = put_lines(p, frame->title, EDGE / 2.0, TITLE_SIZE, false) + 6;
	p->top = legend + legend_height(p, frame) + TEXT_SIZE * LINE + 8;
	p->bottom = p->top + DRAWING;
	p->footer = p->bottom + (frame->lines_below + 0.6) * TEXT_SIZE * LINE;
	p->height = put_footer(p, frame, p->footer, false) + EDGE;
	return legend;
}

void picture_frame(struct picture *p, const struct frame *frame)
{
	double legend = lay_out(p, frame);

	fprintf(p->script,
		"set encoding utf8\n"
		"set terminal svg size %.0f,%.0f dynamic font 'sans-serif,%d' enhanced "
		"background '#ffffff'\n",
		p->width, p->height, TEXT_SIZE);
	(void)put_lines(p, frame->title, EDGE / 2.0, TITLE_SIZE, true);
	put_legend(p, frame, legend);
	put_line(p, frame->axis, strlen(frame->axis), p->top - 14, TEXT_SIZE);
	(void)put_footer(p, frame, p->footer, true);
	fprintf(p->script,
		"set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
		"set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
		p->left / p->width, p->right / p->width, 1 - p->top / p->height,
		1 - p->bottom / p->height);
	fputs("set border 3 lc rgb '#444444'\n"
	      "set grid ytics lc rgb '#dddddd' lt 1\n"
	      "set tics nomirror out textcolor rgb '#000000' noenhanced\n",
		p->script);
}

void picture_comparison_frame(
	struct picture *p, const struct comparison *c, const struct frame *frame)
{
	char *simulated = origin(c), *published = publication(c);
	struct frame whole = *frame;

	whole.title = document_scenario(c->document);
	whole.footer[0] = simulated;
	whole.footer[1] = published;
	picture_frame(p, &whole);
	free(simulated);
	free(published);
}

const char *const picture_colours[PICTURE_STYLES] = {
	"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9"};
const int picture_marks[PICTURE_STYLES] = {7, 5, 9, 13, 11, 3, 2};

char *picture_axis(const struct comparison *c, double scale)
{
	const char *unit = metric_text(c->document, c->metric, "unit");
	const char *factor = scale == 1e6 ? "million " : scale == 1e3 ? "thousand " : "";

	if (strcmp(c->metric, "score") == 0)
		return must_format("%s%s", factor, unit);
	return must_format("%s, %s%s", c->metric, factor, unit);
}

void picture_label(struct picture *p, const struct label *label, const char *text)
{
	double line = TEXT_SIZE * LINE / p->height;
	char *bold = must_format("{/:Bold %s}", text);

	fputs("set label ", p->script);
	gnuplot_quote(p->script, label->bold ? bold : text);
	free(bold);
	if (label->below)
		fprintf(p->script, " at first %.6g, screen %.5f center", label->x,
			1 - p->bottom / p->height - (label->lines + 0.2) * line);
	else
		fprintf(p->script, " at first %.6g, first %.6g %s offset screen 0, screen %.5f",
			label->x, label->y, label->upright ? "left rotate" : "center",
			(label->lines + (label->upright ? 0.3 : 0.6)) * line);
	fprintf(p->script, " font 'sans-serif,%d' front %s\n", TEXT_SIZE - 1,
		label->bold ? "enhanced" : "noenhanced");
}
