/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - points of a store as one page of HTML. */
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "chart.h"
#include "contrast.h"
#include "html.h"
#include "must.h"
#include "query.h"
#include "rows.h"
#include "store_internal.h"
#include "svg.h"

#define MOST_ROWS 1000 /* of a table that people read */

/* What all parts of the page work on. */
struct page {
	FILE *out;
	const struct report_request *request;
	unsigned int pictures;
	int problem;   /* an exit status, when the environment fails */
	char *refused; /* why the first picture that was refused can not be drawn; owned */
};

static const char style[] =
	"body { font: 15px/1.45 sans-serif; max-width: 68em; margin: 2em auto; padding: 0 1em;\n"
	"  color: #111; background: #fff; }\n"
	"h1 { font-size: 1.6em; } h2 { font-size: 1.2em; margin-top: 2em; }\n"
	"table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; "
	"}\n"
	"th, td { padding: 2px 8px; text-align: right; border-bottom: 1px solid #ddd;\n"
	"  white-space: nowrap; }\n"
	"thead { display: table-header-group; }\n"
	"th { border-bottom: 2px solid #444; white-space: normal; vertical-align: bottom; }\n"
	".left { text-align: left; } .wide { overflow-x: auto; }\n"
	"svg { max-width: 100%; height: auto; background: #fff; } figure { margin: 1em 0; "
	"break-inside: avoid; }\n"
	"pre { background: #f5f5f5; padding: 0.7em; overflow-x: auto; font-size: 13px;\n"
	"  white-space: pre-wrap; }\n"
	".note { color: #555; font-size: 13px; }\n"
	"@media screen and (prefers-color-scheme: dark) { body { color: #ddd; background: #181818; "
	"}\n"
	"  th, td { border-color: #444; } pre { background: #262626; } .note { color: #aaa; }\n"
	"  a { color: #8ab4f8; } svg { border-radius: 4px; } }\n"
	"@media print { body { max-width: none; margin: 0; font-size: 11px; }\n"
	"  table, pre { font-size: 9px; } tr { break-inside: avoid; } h2 { break-after: avoid; }\n"
	"  .wide { overflow: visible; } }\n";

/*
 * Loading
 */

/* The points with @metrics, NULL for all. Returns 0, or -1 with @err filled. */
static int load(const struct page *p, struct rows *rows, char *const *words, size_t nr_words,
	char *const *metrics, size_t nr_metrics, struct error *err)
{
	struct selection *selection = selection_make(p->request->store, words, nr_words, err);
	int ret;

	if (!selection)
		return -1;
	ret = rows_load(rows, selection, metrics, nr_metrics, err);
	selection_free(selection);
	return ret;
}

/*
 * Pictures
 */

/* One picture of the points that @words select. Returns as chart_print does. */
static int draw_chart(struct page *p, const struct chart_kind *kind, FILE *svg, char *const *words,
	size_t nr_words, struct error *err)
{
	static char score[] = "score", *fallback[] = {score};
	struct chart_request request = {.store = p->request->store};
	struct rows rows;
	size_t nr = 0;
	int ret;

	while (kind->metrics && kind->metrics[nr])
		nr++;
	if (load(p, &rows, words, nr_words, nr ? (char *const *)kind->metrics : fallback,
		    nr ? nr : 1, err) < 0)
		return -1;
	rows_keep_one_model(&rows, NULL, stderr);
	request.rows = &rows;
	ret = chart_print(svg, kind, &request, err);
	rows_free(&rows);
	return ret;
}

/*
 * A picture of all points, or of those like @like in machine and patches. What can not be drawn of
 * them has no place in the report.
 */
static int put_chart(struct page *p, const char *name, const struct rows *rows,
	const struct row *like, struct error *err)
{
	static const char *const keys[] = {"machine", "patches"};
	size_t nr = p->request->nr_select;
	char **words = must_calloc(nr + 2, sizeof(*words));
	FILE *svg = tmpfile();
	struct error reason;
	int ret;

	memcpy(words, p->request->select, nr * sizeof(*words));
	for (size_t i = 0; like && i < 2; i++) {
		char *value = rows_text(rows, like, keys[i]);

		words[nr++] = must_format("%s=%s", keys[i], value);
		free(value);
	}
	if (!svg)
		ret = error_set(&reason, "can not make a temporary file: %s", strerror(errno));
	else
		ret = draw_chart(p, chart_find(name), svg, words, nr, &reason);
	if (ret == 0) {
		fputs("<figure>\n", p->out);
		html_put_svg(p->out, svg, ++p->pictures);
		fputs("</figure>\n", p->out);
	} else if (ret != SVG_REFUSED) {
		*err = reason;
	} else if (!p->refused) {
		p->refused = must_format("%s", reason.text);
	}
	if (svg)
		fclose(svg); /* only read from */
	while (nr > p->request->nr_select)
		free(words[--nr]);
	free(words);
	return ret == SVG_REFUSED ? 0 : ret;
}

/* A picture for each machine and set of patches. Rows are sorted by them. */
static int put_charts_apart(
	struct page *p, const char *name, const struct rows *rows, struct error *err)
{
	size_t machine = (size_t)rows_setting(rows, "machine");
	size_t patches = (size_t)rows_setting(rows, "patches");

	for (size_t i = 0; i < rows->nr; i++) {
		const struct row *row = &rows->list[i];

		if (i > 0 && rows_same(row - 1, row, machine) && rows_same(row - 1, row, patches))
			continue;
		if (put_chart(p, name, rows, row, err) < 0)
			return -1;
	}
	return 0;
}

static bool varies(const struct rows *rows, const char *key)
{
	return rows_varies(rows, (size_t)rows_setting(rows, key));
}

static int put_charts(struct page *p, const struct rows *rows, struct error *err)
{
	bool batch = varies(rows, "pcp.batch"), tasks = varies(rows, "tasks");

	fputs("<h2>Pictures</h2>\n", p->out);
	if (put_chart(p, "lines", rows, NULL, err) < 0 ||
		(tasks && put_chart(p, "scaling", rows, NULL, err) < 0) ||
		(batch && put_charts_apart(p, "spin", rows, err) < 0) ||
		(batch && varies(rows, "pcp.high") && put_charts_apart(p, "map", rows, err) < 0) ||
		put_chart(p, "holds", rows, NULL, err) < 0 ||
		put_chart(p, "waits", rows, NULL, err) < 0)
		return -1;
	if (p->pictures == 0) {
		fputs("<p class=\"note\">These points do not lend themselves to a picture. ",
			p->out);
		html_put(p->out, p->refused);
		fputs("</p>\n", p->out);
	}
	return 0;
}

/*
 * Tables
 */

/* The most telling metrics; a comparison of all would be long. */
static char compared[][24] = {"score", "zone_lock_spin_share", "lru_lock_spin_share",
	"zone_lock_hold_alloc", "zone_lock_hold_free", "lru_lock_hold"};
#define NR_COMPARED (sizeof(compared) / sizeof(*compared))

static int load_side(struct page *p, struct rows *rows, char **words, char *patches)
{
	char *metrics[NR_COMPARED];
	struct error unused;

	for (size_t i = 0; i < NR_COMPARED; i++)
		metrics[i] = compared[i];
	words[p->request->nr_select] = patches;
	return load(p, rows, words, p->request->nr_select + 1, metrics, NR_COMPARED, &unused);
}

static void put_sides(struct page *p, struct rows *base, struct rows *patched)
{
	struct contrast c;
	struct error unused;

	rows_keep_one_model(base, patched, stderr);
	if (contrast_make(&c, base, patched, &unused) < 0)
		return;
	fputs("<div class=\"wide\">\n", p->out);
	contrast_print_html(p->out, &c);
	fputs("</div>\n", p->out);
	contrast_free(&c);
}

/* Base against patched. Without a base there is nothing to compare with, which is no error. */
static void put_contrast(struct page *p, const char *patches)
{
	size_t nr = p->request->nr_select;
	char **words = must_calloc(nr + 1, sizeof(*words));
	char none[] = "patches=none", *other = must_format("patches=%s", patches);
	struct rows base, patched;

	memcpy(words, p->request->select, nr * sizeof(*words));
	if (load_side(p, &base, words, none) == 0) {
		if (load_side(p, &patched, words, other) == 0) {
			put_sides(p, &base, &patched);
			rows_free(&patched);
		}
		rows_free(&base);
	}
	free(other);
	free(words);
}

/* Is row @i the first of its set of patches? Texts of one pool are equal when their addresses are.
 */
static bool is_first(const struct rows *rows, size_t i, int setting)
{
	for (size_t k = i; k-- > 0;)
		if (rows->list[k].text[setting] == rows->list[i].text[setting])
			return false;
	return true;
}

static void put_contrasts(struct page *p, const struct rows *rows)
{
	int setting = rows_setting(rows, "patches");

	if (!varies(rows, "patches"))
		return;
	fputs("<h2>Patches compared</h2>\n", p->out);
	for (size_t i = 0; i < rows->nr; i++) {
		char *patches;

		if (!*rows->list[i].text[setting] || !is_first(rows, i, setting))
			continue;
		patches = rows_text(rows, &rows->list[i], "patches");
		put_contrast(p, patches);
		free(patches);
	}
}

static void put_points(struct page *p, struct rows *rows)
{
	size_t nr = rows->nr;

	fputs("<h2>Points</h2>\n<div class=\"wide\">\n", p->out);
	if (nr > MOST_ROWS)
		rows->nr = MOST_ROWS;
	query_print_html(p->out, rows);
	rows->nr = nr;
	fputs("</div>\n", p->out);
	if (nr > MOST_ROWS)
		fprintf(p->out,
			"<p class=\"note\">These are the first %d of %zu: <code>zonesim query "
			"--csv</code> lists all.</p>\n",
			MOST_ROWS, nr);
}

/*
 * Where it comes from
 */

/*
 * The first column of each row as preformatted text, the second as its heading. Ends @statement,
 * which may be NULL: @err says why.
 */
static int put_answers(struct page *p, sqlite3_stmt *statement, struct error *err)
{
	int answer;

	if (!statement)
		return -1;
	while ((answer = sqlite3_step(statement)) == SQLITE_ROW) {
		fputs("<h3>", p->out);
		html_put(p->out, (const char *)sqlite3_column_text(statement, 1));
		fputs("</h3>\n<pre>", p->out);
		html_put(p->out, (const char *)sqlite3_column_text(statement, 0));
		fputs("</pre>\n", p->out);
	}
	if (answer != SQLITE_DONE)
		store_failed(p->request->store, err);
	sqlite3_finalize(statement);
	return answer == SQLITE_DONE ? 0 : -1;
}

/* The scenarios that any of the points belongs to. */
static int put_scenarios(struct page *p, struct error *err)
{
	struct selection *selection =
		selection_make(p->request->store, p->request->select, p->request->nr_select, err);
	int ret;

	if (!selection)
		return -1;
	fputs("<h2>Configuration</h2>\n", p->out);
	ret = put_answers(p,
		selection_prepare(selection,
			"SELECT definition, name FROM scenarios WHERE id IN (SELECT scenario FROM "
			"scenario_points JOIN points USING (fingerprint) JOIN models ON models.id "
			"= "
			"model WHERE",
			") ORDER BY name", err),
		err);
	selection_free(selection);
	return ret;
}

static int put_model(struct page *p, const char *digest, struct error *err)
{
	sqlite3_stmt *statement = store_prepare(p->request->store,
		"SELECT 'zonesim ' || version || char(10) || 'model ' || digest || char(10) || "
		"'sources ' || sources || char(10) || 'coefficients ' || coefficients, "
		"'The model' FROM models WHERE digest = ?",
		err);

	if (statement)
		store_bind_text(statement, 1, digest);
	return put_answers(p, statement, err);
}

static int put_provenance(struct page *p, const struct rows *rows, struct error *err)
{
	const char *first = rows->list[0].started, *last = first;
	double wall = 0;

	for (size_t i = 0; i < rows->nr; i++) {
		wall += rows->list[i].wall;
		if (strcmp(rows->list[i].started, first) < 0)
			first = rows->list[i].started;
		if (strcmp(rows->list[i].started, last) > 0)
			last = rows->list[i].started;
	}
	fputs("<h2>Provenance</h2>\n<p>Store: ", p->out);
	html_put(p->out, store_path(p->request->store));
	fputs("; points: ", p->out);
	html_put(p->out, p->request->words);
	fprintf(p->out, ". Simulated from %s to %s, first on host ", first, last);
	html_put(p->out, *rows->list[0].host ? rows->list[0].host : "unknown");
	fprintf(p->out, "; %.0f s of processor time in all.</p>\n", wall);
	return put_model(p, rows->list[0].model, err);
}

/*
 * The page
 */

static void put_head(struct page *p, const struct rows *rows)
{
	char *common = rows_common(rows);
	const char *title = p->request->title ? p->request->title : p->request->words;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>",
		p->out);
	html_put(p->out, title);
	fprintf(p->out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
	html_put(p->out, title);
	fprintf(p->out, "</h1>\n<p>%zu point%s, simulated with zonesim %s: ", rows->nr,
		rows->nr == 1 ? "" : "s", rows->list[0].version);
	html_put(p->out, common);
	fputs(".</p>\n<p class=\"note\">± is the half width of the 95% confidence interval of a "
	      "run.</p>\n",
		p->out);
	free(common);
}

static int put_page(FILE *out, void *page, struct error *err)
{
	struct page *p = page;
	static char metrics[][24] = {"score", "zone_lock_spin_share", "lru_lock_spin_share"};
	char *wanted[] = {metrics[0], metrics[1], metrics[2]};
	struct rows rows;
	int ret;

	p->out = out;
	if (load(p, &rows, p->request->select, p->request->nr_select, wanted, 3, err) < 0) {
		p->problem = EXIT_BAD_INPUT;
		return -1;
	}
	rows_keep_one_model(&rows, NULL, stderr);
	put_head(p, &rows);
	put_contrasts(p, &rows);
	ret = put_charts(p, &rows, err);
	if (ret == 0) {
		put_points(p, &rows);
		ret = put_scenarios(p, err) < 0 || put_provenance(p, &rows, err) < 0 ? -1 : 0;
	}
	fputs("</body>\n</html>\n", out);
	rows_free(&rows);
	return ret;
}

int report_write(
	const char *path, const struct report_request *request, int *status, struct error *err)
{
	struct page page = {.request = request, .problem = EXIT_RUN_FAILED};
	int ret = file_write(path, put_page, &page, err);

	free(page.refused);
	*status = ret < 0 ? page.problem : EXIT_DONE;
	return ret < 0 ? -1 : 0;
}
