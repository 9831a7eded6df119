/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz.h - what the fuzzed programs have in common. Each is one function that must take any bytes;
 * libFuzzer calls it with bytes it thinks up, replay.c with those that are kept.
 */
#ifndef ZONESIM_TESTS_FUZZ_H
#define ZONESIM_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold whatever the input is. */
#define must_hold(condition, ...)                                                                  \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			(void)fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);      \
			(void)fprintf(stderr, __VA_ARGS__);                                        \
			(void)fputc('\n', stderr);                                                 \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* @err is one message: some text and the end of its line, with nothing that a terminal obeys. */
#define must_explain(err)                                                                          \
	must_hold(fuzz_is_message((err)->text), "it fails with the message '%s'", (err)->text)

static inline int fuzz_is_message(const char *text)
{
	const char *at = text;

	for (; *at; at++)
		if (((unsigned char)*at < ' ' && *at != '\n' && *at != '\t') || *at == 0x7f)
			return 0;
	return at > text + 1 && at[-1] == '\n';
}

#endif
