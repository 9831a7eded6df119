/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * suggest.h - what to say of a name that there is not.
 */
#ifndef ZONESIM_SUGGEST_H
#define ZONESIM_SUGGEST_H

/* The end of a message. */
struct suggestion {
	char text[200];
};

/*
 * suggest - ": did you mean 'NEAR'?" with the one of @names (NULL-terminated) that was probably
 * meant by @name; when none is near, ": " and @otherwise, or nothing where that is NULL.
 */
struct suggestion suggest(const char *name, const char *const *names, const char *otherwise);

#endif
