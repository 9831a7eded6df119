// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * document.c - reading YAML with care, and finding one's way in it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "document.h"
#include "error.h"

/*
 * Places
 */

/* The length of the line break at @p; 0 when there is none. The breaks that libyaml counts. */
static size_t line_break(const char *p)
{
	if (p[0] == '\r')
		return p[1] == '\n' ? 2 : 1;
	if (p[0] == '\n')
		return 1;
	if (strncmp(p, "\xc2\x85", 2) == 0)
		return 2;
	if (strncmp(p, "\xe2\x80\xa8", 3) == 0 || strncmp(p, "\xe2\x80\xa9", 3) == 0)
		return 3;
	return 0;
}

/* The text of line @line, counted from 0 after the skipped bytes; "" past the end. */
static const char *line_text(const struct document *d, size_t line)
{
	const char *p = d->text + d->skip;

	if (line == 0)
		return d->text;
	while (*p && line) {
		size_t length = line_break(p);

		if (length)
			line--;
		p += length ? length : 1;
	}
	return p;
}

/*
 * The end of the text is often on an empty line after the last: the end of the line before it says
 * more.
 */
static yaml_mark_t before_end(const struct document *d, yaml_mark_t mark)
{
	const char *p;

	if (mark.line == 0 || mark.column > 0 || *line_text(d, mark.line))
		return mark;
	mark.line--;
	for (p = line_text(d, mark.line); *p && !line_break(p); p++)
		mark.column += ((unsigned char)*p & 0xc0) != 0x80;
	if (mark.line == 0)
		mark.column -= d->skip;
	return mark;
}

/* A message at a mark of libyaml's, whose line and column (in characters) count from 0. */
__attribute__((format(printf, 4, 0))) static void error_at_mark(const struct document *d,
	const yaml_mark_t *written, struct error *err, const char *format, va_list args)
{
	yaml_mark_t mark = before_end(d, *written);
	size_t column = mark.column + (mark.line == 0 ? d->skip : 0);
	char what[1024];

	if (vsnprintf(what, sizeof(what), format, args) < 0)
		what[0] = '\0';
	error_set_at(err, d->file, (int)mark.line + 1, (int)column + 1, line_text(d, mark.line),
		"%s", what);
}

__attribute__((format(printf, 4, 5))) static int mark_error(const struct document *d,
	const yaml_mark_t *mark, struct error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	error_at_mark(d, mark, err, format, args);
	va_end(args);
	return -1;
}

int node_error(const struct document *d, const node *n, struct error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	error_at_mark(d, &n->start_mark, err, format, args);
	va_end(args);
	return -1;
}

/* The mark of the byte at @offset of the YAML text. */
static yaml_mark_t mark_of_offset(const struct document *d, size_t offset)
{
	const char *p = d->text + d->skip, *end = p + offset;
	yaml_mark_t mark = {0};

	while (p < end && p < d->text + d->size) {
		size_t length = *p ? line_break(p) : 0;

		if (length) {
			mark.line++;
			mark.column = 0;
		} else if (((unsigned char)*p & 0xc0) != 0x80) {
			mark.column++;
		}
		p += length ? length : 1;
	}
	return mark;
}

/*
 * Reading
 */

/* Read at most one byte more than is allowed. Returns 0, or -1 with @err filled. */
static int read_all(struct document *d, int fd, struct error *err)
{
	d->text = malloc(DOCUMENT_MAX_SIZE + 2);
	if (!d->text)
		return error_set(err, "out of memory");
	while (d->size <= DOCUMENT_MAX_SIZE) {
		ssize_t got = read(fd, d->text + d->size, DOCUMENT_MAX_SIZE + 1 - d->size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_set(err, "can not read %s: %s", d->file, strerror(errno));
		if (got == 0)
			break;
		d->size += (size_t)got;
	}
	d->text[d->size] = '\0';
	if (d->size > DOCUMENT_MAX_SIZE)
		return error_set(err, "%s is larger than 1 MiB: not a file of zonesim's", d->file);
	return 0;
}

static int read_file(struct document *d, const char *path, struct error *err)
{
	struct stat st;
	int fd, status;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_set(err, "can not open %s: %s", path, strerror(errno));
	if (fstat(fd, &st) < 0)
		status = error_set(err, "can not read %s: %s", path, strerror(errno));
	else if (S_ISDIR(st.st_mode))
		status = error_set(err, "%s is a directory: expected a YAML file", path);
	else
		status = read_all(d, fd, err);
	close(fd);
	return status;
}

/*
 * Checks before libyaml builds its tree
 */

/* Bytes that libyaml would refuse too, but with less to say. */
static int check_bytes(const struct document *d, struct error *err)
{
	const char *start = d->text + d->skip, *nul = memchr(start, '\0', d->size - d->skip);
	bool indentation = true;
	yaml_mark_t mark;

	if (nul) {
		mark = mark_of_offset(d, (size_t)(nul - start));
		return mark_error(d, &mark, err, "a NUL byte: this is not a text file");
	}
	for (const char *p = start; *p; p++) {
		if (indentation && *p == '\t') {
			mark = mark_of_offset(d, (size_t)(p - start));
			return mark_error(d, &mark, err, "a tab in the indentation: use spaces");
		}
		if (*p == '\n' || *p == '\r')
			indentation = true;
		else if (*p != ' ')
			indentation = false;
	}
	return 0;
}

/* What libyaml says of a text that is not YAML. */
static int syntax_error(const struct document *d, const yaml_parser_t *parser, struct error *err)
{
	yaml_mark_t mark = parser->problem_mark;
	const char *problem = parser->problem ? parser->problem : "unknown problem";

	switch (parser->error) {
	case YAML_MEMORY_ERROR:
		return error_set(err, "%s: out of memory", d->file);
	case YAML_READER_ERROR:
		mark = mark_of_offset(d, parser->problem_offset);
		return mark_error(d, &mark, err, "not UTF-8 text: %s", problem);
	default:
		if (parser->context && parser->context_mark.line != mark.line)
			return mark_error(d, &mark, err, "not valid YAML: %s (%s of line %zu)",
				problem, parser->context, parser->context_mark.line + 1);
		return mark_error(d, &mark, err, "not valid YAML: %s", problem);
	}
}

static void parser_start(yaml_parser_t *parser, const struct document *d)
{
	yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
		parser, (const unsigned char *)d->text + d->skip, d->size - d->skip);
}

/* Counts kept while the events of a document go by. */
struct shape {
	size_t documents, nodes;
	int depth;
};

static bool has_properties(const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return event->data.scalar.anchor || event->data.scalar.tag;
	case YAML_SEQUENCE_START_EVENT:
		return event->data.sequence_start.anchor || event->data.sequence_start.tag;
	case YAML_MAPPING_START_EVENT:
		return event->data.mapping_start.anchor || event->data.mapping_start.tag;
	default:
		return event->type == YAML_ALIAS_EVENT;
	}
}

/* Refuse an event that makes the document something else than plain, small data. */
static int check_event(
	const struct document *d, const yaml_event_t *event, struct shape *shape, struct error *err)
{
	const yaml_mark_t *mark = &event->start_mark;

	if (has_properties(event))
		return mark_error(d, mark, err,
			"anchors (&), aliases (*) and tags (!) are not used here: write the value "
			"out");
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (++shape->documents > 1)
			return mark_error(d, mark, err, "a second document: a file holds only one");
		return 0;
	case YAML_MAPPING_START_EVENT:
	case YAML_SEQUENCE_START_EVENT:
		shape->depth++;
		if (shape->depth > DOCUMENT_MAX_DEPTH)
			return mark_error(
				d, mark, err, "nested deeper than %d levels", DOCUMENT_MAX_DEPTH);
		break;
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		shape->depth--;
		return 0;
	case YAML_SCALAR_EVENT:
		if (strlen((char *)event->data.scalar.value) != event->data.scalar.length)
			return mark_error(d, mark, err, "a NUL character in a value");
		break;
	default:
		return 0;
	}
	if (++shape->nodes > DOCUMENT_MAX_NODES)
		return mark_error(d, mark, err, "more than %d values", DOCUMENT_MAX_NODES);
	return 0;
}

/* One pass over the events, which take no memory, before the tree is built. */
static int check_shape(const struct document *d, struct error *err)
{
	struct shape shape = {0};
	yaml_parser_t parser;
	bool done = false;
	int status = 0;

	if (!yaml_parser_initialize(&parser))
		return error_set(err, "%s: out of memory", d->file);
	parser_start(&parser, d);
	while (!done && status == 0) {
		yaml_event_t event;

		if (!yaml_parser_parse(&parser, &event)) {
			status = syntax_error(d, &parser, err);
			break;
		}
		done = event.type == YAML_STREAM_END_EVENT;
		status = check_event(d, &event, &shape, err);
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	if (status == 0 && shape.documents == 0)
		status = error_set(err, "%s is empty", d->file);
	return status;
}

/* Every key a scalar, and none twice. */
static int check_keys(const struct document *d, const node *mapping, struct error *err)
{
	size_t count = node_count(mapping);

	if (count > DOCUMENT_MAX_KEYS)
		return node_error(d, mapping, err, "more than %d keys", DOCUMENT_MAX_KEYS);
	for (size_t i = 0; i < count; i++) {
		const node *key = node_key(d, mapping, i);
		const char *text = node_text(key);

		if (!text)
			return node_error(d, key, err, "a key must be a name");
		for (size_t j = 0; j < i; j++) {
			if (strcmp(text, node_text(node_key(d, mapping, j))) == 0)
				return node_error(d, key, err, "'%.64s' is given twice", text);
		}
	}
	return 0;
}

static int build(struct document *d, struct error *err)
{
	yaml_parser_t parser;
	int status = 0;

	if (!yaml_parser_initialize(&parser))
		return error_set(err, "%s: out of memory", d->file);
	parser_start(&parser, d);
	if (!yaml_parser_load(&parser, &d->yaml)) {
		status = syntax_error(d, &parser, err);
		memset(&d->yaml, 0, sizeof(d->yaml));
	}
	yaml_parser_delete(&parser);
	for (node *n = d->yaml.nodes.start; status == 0 && n != d->yaml.nodes.top; n++) {
		if (n->type == YAML_MAPPING_NODE)
			status = check_keys(d, n, err);
	}
	return status;
}

static int check_and_build(struct document *d, struct error *err)
{
	if (check_bytes(d, err) < 0 || check_shape(d, err) < 0)
		return -1;
	return build(d, err);
}

int document_load(struct document *d, const char *path, struct error *err)
{
	memset(d, 0, sizeof(*d));
	d->file = strdup(path);
	if (!d->file)
		return error_set(err, "out of memory");
	if (read_file(d, path, err) < 0 || check_and_build(d, err) < 0) {
		document_free(d);
		return -1;
	}
	return 0;
}

int document_parse(
	struct document *d, const char *file, const char *text, size_t skip, struct error *err)
{
	memset(d, 0, sizeof(*d));
	d->file = strdup(file);
	d->text = strdup(text);
	d->size = strlen(text);
	d->skip = skip;
	if (!d->file || !d->text) {
		document_free(d);
		return error_set(err, "out of memory");
	}
	if (check_and_build(d, err) < 0) {
		document_free(d);
		return -1;
	}
	return 0;
}

void document_free(struct document *d)
{
	if (d->yaml.nodes.start)
		yaml_document_delete(&d->yaml);
	free(d->file);
	free(d->text);
	memset(d, 0, sizeof(*d));
}
