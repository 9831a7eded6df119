/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * published.c - reading the published tables, and finding the figure for a configuration.
 */
#include "published.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "../models/paths.h"
#include "csv.h"
#include "must.h"

/*
 * Reading
 */

/* The columns of a table, in the order of the files' header line. */
enum column {
	MACHINE,
	WORKLOAD,
	TASKS,
	KERNEL,
	PATCHES,
	BATCH,
	HIGH,
	PARAMETERS,
	METRIC,
	UNIT,
	VALUE,
	CHANGE_PCT,
	SOURCE,
	NR_COLUMNS,
};

static const char header[] = "machine,workload,tasks,kernel,patches,batch,high,parameters,metric,"
			     "unit,value,change_pct,source";

static const char *const column_names[NR_COLUMNS] = {"machine", "workload", "tasks", "kernel",
	"patches", "batch", "high", "parameters", "metric", "unit", "value", "change_pct",
	"source"};

/* A line that is being read, for messages. */
struct place {
	const char *file, *text;
	int line;
};

static int bad_field(const struct place *at, enum column column, const char *field,
	const char *wanted, struct error *err)
{
	return error_set_at(err, at->file, at->line, 1, at->text, "\"%s\" in column %s is not %s",
		field, column_names[column], wanted);
}

/* A number; an empty field gives @fallback. */
static int read_number(const struct place *at, enum column column, const char *field,
	double fallback, double *value, struct error *err)
{
	char *end;

	*value = fallback;
	if (!*field)
		return 0;
	*value = strtod(field, &end);
	if (*end || !isfinite(*value))
		return bad_field(at, column, field, "a number", err);
	return 0;
}

/* A whole number of at least 1; an empty field gives 0. */
static int read_count(const struct place *at, enum column column, const char *field,
	unsigned int *value, struct error *err)
{
	double number;

	if (read_number(at, column, field, 0, &number, err) != 0)
		return -1;
	if (*field && (number < 1 || number > INT_MAX || number != floor(number)))
		return bad_field(at, column, field, "a whole number of at least 1", err);
	*value = (unsigned int)number;
	return 0;
}

/* The numbers of a row; its strings are not set yet. */
static int read_figures(
	const struct place *at, char *const *fields, struct published_row *row, struct error *err)
{
	if (read_count(at, TASKS, fields[TASKS], &row->tasks, err) != 0 ||
		read_count(at, BATCH, fields[BATCH], &row->batch, err) != 0 ||
		read_count(at, HIGH, fields[HIGH], &row->high, err) != 0 ||
		read_number(at, VALUE, fields[VALUE], NAN, &row->value, err) != 0 ||
		read_number(at, CHANGE_PCT, fields[CHANGE_PCT], NAN, &row->change_pct, err) != 0)
		return -1;
	for (enum column c = 0; c < NR_COLUMNS; c++) {
		if (c == PATCHES || c == BATCH || c == HIGH || c == PARAMETERS || c == CHANGE_PCT)
			continue;
		if (!*fields[c])
			return error_set_at(err, at->file, at->line, 1, at->text,
				"column %s is empty", column_names[c]);
	}
	return 0;
}

static int check_parameters(const struct place *at, const char *field, struct error *err)
{
	const char *rest = field;
	struct published_parameter parameter;
	int status;

	do
		status = published_parameter(&rest, &parameter);
	while (status == 0);
	if (status > 0)
		return 0;
	return bad_field(at, PARAMETERS, field, "a list of name=number", err);
}

static int add_row(struct published *p, const char *table, char *const *fields,
	const struct place *at, struct error *err)
{
	struct published_row row = {0};

	if (read_figures(at, fields, &row, err) != 0 ||
		check_parameters(at, fields[PARAMETERS], err) != 0)
		return -1;
	row.table = must_format("%s", table);
	row.machine = must_format("%s", fields[MACHINE]);
	row.workload = must_format("%s", fields[WORKLOAD]);
	row.kernel = must_format("%s", fields[KERNEL]);
	row.patches = must_format("%s", fields[PATCHES]);
	row.parameters = must_format("%s", fields[PARAMETERS]);
	row.metric = must_format("%s", fields[METRIC]);
	row.unit = must_format("%s", fields[UNIT]);
	row.source = must_format("%s", fields[SOURCE]);
	p->rows = must_realloc(p->rows, p->nr_rows + 1, sizeof(*p->rows));
	p->rows[p->nr_rows++] = row;
	return 0;
}

static int read_row(
	struct published *p, const char *table, const struct place *at, struct error *err)
{
	char *fields[NR_COLUMNS];
	char *copy = must_format("%s", at->text);
	int nr = csv_split(copy, fields, NR_COLUMNS);
	int ret;

	if (nr < 0)
		ret = error_set_at(err, at->file, at->line, 1, at->text,
			"a quoted field does not end where it should");
	else if (nr != NR_COLUMNS)
		ret = error_set_at(err, at->file, at->line, 1, at->text,
			"%d fields where %d are expected", nr, NR_COLUMNS);
	else
		ret = add_row(p, table, fields, at, err);
	free(copy);
	return ret;
}

/* The lines of an open table: comments start with '#', the first other line is the header. */
static int read_lines(
	struct published *p, FILE *in, const char *table, struct place *at, struct error *err)
{
	bool seen_header = false;
	char *line = NULL;
	size_t size = 0;
	int ret = 0;

	while (ret == 0 && getline(&line, &size, in) >= 0) {
		at->line++;
		at->text = line;
		line[strcspn(line, "\r\n")] = '\0';
		if (*line == '#' || !*line)
			continue;
		if (seen_header)
			ret = read_row(p, table, at, err);
		else if (strcmp(line, header) != 0)
			ret = error_set_at(err, at->file, at->line, 1, line,
				"the header line must be %s", header);
		seen_header = true;
	}
	if (ret == 0 && ferror(in))
		ret = error_set(err, "%s: %s", at->file, strerror(errno));
	else if (ret == 0 && !seen_header)
		ret = error_set(err, "%s: no header line: the file is empty", at->file);
	free(line);
	return ret;
}

static int read_table(
	struct published *p, const char *directory, const char *name, struct error *err)
{
	char *path = must_format("%s/%s", directory, name);
	char *table = must_format("%.*s", (int)(strlen(name) - strlen(".csv")), name);
	struct place at = {.file = path};
	FILE *in = fopen(path, "re");
	int ret;

	if (in) {
		ret = read_lines(p, in, table, &at, err);
		fclose(in); /* only read from: nothing can be lost */
	} else {
		ret = error_set(err, "%s: %s", path, strerror(errno));
	}
	free(table);
	free(path);
	return ret;
}

static int is_table(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && length > 4 &&
	       strcmp(entry->d_name + length - 4, ".csv") == 0;
}

int published_load_directory(struct published *p, const char *directory, struct error *err)
{
	struct dirent **entries;
	int nr = scandir(directory, &entries, is_table, alphasort);
	int ret = 0;

	*p = (struct published){0};
	if (nr < 0)
		return error_set(err, "published tables: %s: %s", directory, strerror(errno));
	for (int i = 0; i < nr; i++) {
		if (ret == 0)
			ret = read_table(p, directory, entries[i]->d_name, err);
		free(entries[i]);
	}
	free(entries);
	if (ret != 0)
		published_free(p);
	return ret;
}

int published_load(struct published *p, struct error *err)
{
	char *directory = data_path("results/published", NULL, NULL);
	int ret;

	*p = (struct published){0};
	if (!directory)
		return error_set(err, "out of memory");
	ret = published_load_directory(p, directory, err);
	free(directory);
	return ret;
}

void published_free(struct published *p)
{
	for (size_t i = 0; i < p->nr_rows; i++) {
		struct published_row *row = &p->rows[i];

		free(row->table);
		free(row->machine);
		free(row->workload);
		free(row->kernel);
		free(row->patches);
		free(row->parameters);
		free(row->metric);
		free(row->unit);
		free(row->source);
	}
	free(p->rows);
	*p = (struct published){0};
}

/*
 * Finding
 */

bool published_has_word(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = list; *at;) {
		size_t word = strcspn(at, " ");

		if (word == length && strncmp(at, name, length) == 0)
			return true;
		at += word + strspn(at + word, " ");
	}
	return false;
}

static size_t count_words(const char *list)
{
	size_t nr = 0;

	while (*list) {
		size_t word = strcspn(list, " ");

		nr++;
		list += word + strspn(list + word, " ");
	}
	return nr;
}

bool published_mentions(const struct published *p, const char *kernel, const char *patch)
{
	for (size_t i = 0; i < p->nr_rows; i++)
		if (strcmp(p->rows[i].kernel, kernel) == 0 &&
			published_has_word(p->rows[i].patches, patch))
			return true;
	return false;
}

static bool patches_match(
	const struct published *p, const struct published_row *row, const struct published_key *key)
{
	size_t nr = 0;

	for (const char *const *name = key->changes; *name; name++)
		if (!published_mentions(p, row->kernel, **name == '-' ? *name + 1 : *name))
			return false;
	for (const char *const *name = key->patches; *name; name++) {
		if (published_has_word(row->patches, *name))
			nr++;
		else if (published_mentions(p, row->kernel, *name))
			return false;
	}
	return nr == count_words(row->patches);
}

int published_parameter(const char **at, struct published_parameter *parameter)
{
	const char *word = *at + strspn(*at, " "), *equals = word + strcspn(word, "= ");
	const char *end = word + strcspn(word, " ");
	char *stop;

	*at = end;
	if (!*word)
		return 1;
	if (*equals != '=' || equals == word || (size_t)(equals - word) >= sizeof(parameter->name))
		return -1;
	snprintf(parameter->name, sizeof(parameter->name), "%.*s", (int)(equals - word), word);
	equals++;
	parameter->value = 0;
	if (end - equals == (ptrdiff_t)strlen("single") &&
		strncmp(equals, "single", strlen("single")) == 0)
		return 0;
	parameter->value = strtod(equals, &stop);
	return stop == end && end > equals && isfinite(parameter->value) ? 0 : -1;
}

static bool has_parameter(
	const struct published_key *key, const struct published_parameter *parameter)
{
	for (size_t i = 0; i < key->nr_parameters; i++)
		if (strcmp(key->parameters[i].name, parameter->name) == 0 &&
			key->parameters[i].value == parameter->value)
			return true;
	return false;
}

static bool parameters_match(const struct published_row *row, const struct published_key *key)
{
	const char *at = row->parameters;
	struct published_parameter parameter;

	while (published_parameter(&at, &parameter) == 0)
		if (!has_parameter(key, &parameter))
			return false;
	return true;
}

/* A row that does not say what it was measured with matches anything. */
static bool same_setting(unsigned int row, unsigned int key)
{
	return row == 0 || row == key;
}

const struct published_row *published_find(
	const struct published *p, const struct published_key *key)
{
	for (size_t i = 0; i < p->nr_rows; i++) {
		const struct published_row *row = &p->rows[i];

		if (strcmp(row->machine, key->machine) == 0 &&
			strcmp(row->workload, key->workload) == 0 &&
			strcmp(row->kernel, key->kernel) == 0 &&
			strcmp(row->metric, key->metric) == 0 && row->tasks == key->tasks &&
			same_setting(row->batch, key->batch) &&
			same_setting(row->high, key->high) && parameters_match(row, key) &&
			patches_match(p, row, key))
			return row;
	}
	return NULL;
}

/* Do the rows differ in nothing but patches, batch, high and figures? */
static bool same_series(const struct published_row *a, const struct published_row *b)
{
	return strcmp(a->table, b->table) == 0 && strcmp(a->machine, b->machine) == 0 &&
	       strcmp(a->workload, b->workload) == 0 && strcmp(a->kernel, b->kernel) == 0 &&
	       strcmp(a->parameters, b->parameters) == 0 && strcmp(a->metric, b->metric) == 0 &&
	       a->tasks == b->tasks;
}

const struct published_row *published_base(
	const struct published *p, const struct published_row *row)
{
	for (size_t i = 0; i < p->nr_rows; i++) {
		const struct published_row *base = &p->rows[i];

		if (same_series(base, row) && (isnan(base->change_pct) || base->change_pct == 0))
			return base;
	}
	return NULL;
}
