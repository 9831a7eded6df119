/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suggest.c - what to say of a name that there is not. */
#include "suggest.h"

#include <stdio.h>

#include "../models/error.h"

struct suggestion suggest(const char *name, const char *const *names, const char *otherwise)
{
	struct suggestion s = {""};
	const char *near = nearest_name(name, names);

	if (near)
		snprintf(s.text, sizeof(s.text), ": did you mean '%s'?", near);
	else if (otherwise)
		snprintf(s.text, sizeof(s.text), ": %s", otherwise);
	return s;
}
