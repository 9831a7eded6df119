/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * document.h - YAML files whose every node knows its place, so that errors can show it.
 *
 * A thin layer over libyaml's document interface. Nodes are libyaml's own and belong to the
 * document. What can not be meant here is refused when it is read: more than 1 MiB, more than 16
 * levels, anchors and aliases, tags, several documents, duplicate keys, tabs as indentation.
 */
#ifndef ZONESIM_DOCUMENT_H
#define ZONESIM_DOCUMENT_H

#include <stddef.h>
#include <yaml.h>

#include "units.h"

struct error;

#define DOCUMENT_MAX_SIZE (1 << 20) /* bytes */
#define DOCUMENT_MAX_DEPTH 16	    /* levels of lists and mappings */
#define DOCUMENT_MAX_NODES 50000
#define DOCUMENT_MAX_KEYS 1000 /* of one mapping */

typedef yaml_node_t node;

struct document {
	char *file;  /* name for messages */
	char *text;  /* the whole of it, with a NUL at the end */
	size_t size; /* of the text */
	size_t skip; /* bytes before the YAML starts: "path=" of an argument */
	yaml_document_t yaml;
};

/*
 * document_load - read and check the file at @path.
 * Returns 0, or -1 with @err filled. On success the caller ends it with document_free.
 */
int document_load(struct document *d, const char *path, struct error *err);

/*
 * document_parse - the same for a text in memory, of which the first @skip bytes are not YAML but
 * are shown in messages. @file is its name in messages. The text is copied.
 */
int document_parse(
	struct document *d, const char *file, const char *text, size_t skip, struct error *err);

void document_free(struct document *d);

/* The outermost node. Never NULL: an empty document is refused when it is read. */
node *document_root(const struct document *d);

/* The node's text if it is a scalar, else NULL. */
const char *node_text(const node *n);

/* Items of a list, or pairs of a mapping; 0 for a scalar. */
size_t node_count(const node *n);
node *node_item(const struct document *d, const node *list, size_t i);
node *node_key(const struct document *d, const node *mapping, size_t i);
node *node_value(const struct document *d, const node *mapping, size_t i);

/* The value of @key in a mapping; NULL when it has none. */
node *node_find(const struct document *d, const node *mapping, const char *key);

/* Set @err to a message with the node's place. Always returns -1. */
int node_error(const struct document *d, const node *n, struct error *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * node_quantity - the number a scalar holds, within [@min, @max], all in base units.
 * @what names it in messages. Returns 0, or -1 with @err filled.
 */
int node_quantity(const struct document *d, const node *n, const char *what, enum quantity kind,
	double min, double max, double *value, struct error *err);

/*
 * node_check_keys - refuse a mapping with a key that is not in @names (NULL-terminated), or a node
 * that is no mapping. @what names the mapping in messages. Returns 0, or -1 with @err filled.
 */
int node_check_keys(const struct document *d, const node *n, const char *what,
	const char *const *names, struct error *err);

#endif
