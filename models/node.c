// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * node.c - what the nodes of a document hold.
 */
#include <stdio.h>
#include <string.h>

#include "document.h"
#include "error.h"

/* libyaml's lookups take the document as writable, but only read it. */
static yaml_document_t *tree(const struct document *d)
{
	return (yaml_document_t *)&d->yaml;
}

node *document_root(const struct document *d)
{
	return yaml_document_get_root_node(tree(d));
}

const char *node_text(const node *n)
{
	return n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
}

size_t node_count(const node *n)
{
	if (n->type == YAML_SEQUENCE_NODE)
		return (size_t)(n->data.sequence.items.top - n->data.sequence.items.start);
	if (n->type == YAML_MAPPING_NODE)
		return (size_t)(n->data.mapping.pairs.top - n->data.mapping.pairs.start);
	return 0;
}

node *node_item(const struct document *d, const node *list, size_t i)
{
	return yaml_document_get_node(tree(d), list->data.sequence.items.start[i]);
}

node *node_key(const struct document *d, const node *mapping, size_t i)
{
	return yaml_document_get_node(tree(d), mapping->data.mapping.pairs.start[i].key);
}

node *node_value(const struct document *d, const node *mapping, size_t i)
{
	return yaml_document_get_node(tree(d), mapping->data.mapping.pairs.start[i].value);
}

node *node_find(const struct document *d, const node *mapping, const char *key)
{
	if (mapping->type != YAML_MAPPING_NODE)
		return NULL;
	for (size_t i = 0; i < node_count(mapping); i++) {
		if (strcmp(node_text(node_key(d, mapping, i)), key) == 0)
			return node_value(d, mapping, i);
	}
	return NULL;
}

int node_quantity(const struct document *d, const node *n, const char *what, enum quantity kind,
	double min, double max, double *value, struct error *err)
{
	const char *text = node_text(n);
	char why[256], low[48], high[48];

	if (!text)
		return node_error(d, n, err, "%s: expected %s, not a %s", what,
			quantity_describe(kind),
			n->type == YAML_SEQUENCE_NODE ? "list" : "mapping");
	if (!*text)
		return node_error(
			d, n, err, "%s has no value: expected %s", what, quantity_describe(kind));
	if (quantity_parse(text, kind, value, why, sizeof(why)) < 0)
		return node_error(d, n, err, "%s: %s", what, why);
	/* Units are decimal fractions: allow for what they lose in binary. */
	if (*value < min * (1 - 1e-12) || *value > max * (1 + 1e-12))
		return node_error(d, n, err, "%s: %.40s is out of bounds: %s to %s", what, text,
			quantity_print(low, sizeof(low), kind, min),
			quantity_print(high, sizeof(high), kind, max));
	return 0;
}

int node_check_keys(const struct document *d, const node *n, const char *what,
	const char *const *names, struct error *err)
{
	if (n->type != YAML_MAPPING_NODE)
		return node_error(d, n, err, "%s: expected a mapping of keys to values", what);
	for (size_t i = 0; i < node_count(n); i++) {
		const node *key = node_key(d, n, i);
		const char *text = node_text(key), *near;
		size_t j = 0;

		while (names[j] && strcmp(names[j], text) != 0)
			j++;
		if (names[j])
			continue;
		near = nearest_name(text, names);
		if (near)
			return node_error(d, key, err,
				"unknown key '%.64s' in %s: did you mean '%s'?", text, what, near);
		return node_error(d, key, err, "unknown key '%.64s' in %s", text, what);
	}
	return 0;
}
