// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * fuzz_machine.c - a machine file of any content is refused with a message, or each of its figures
 * is within the bounds that the table of figures sets.
 */
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../models/error.h"
#include "../../models/figures.h"
#include "fuzz.h"

static void look_at(const struct machine *m)
{
	for (size_t i = 0; i < nr_machine_figures; i++) {
		const struct figure_info *info = &machine_figures[i];
		double value = figure_value(m, info);

		if (info->between_sockets && m->sockets == 1)
			must_hold(value == 0, "%s is %g of one socket", info->key, value);
		else
			must_hold(value >= info->min && value <= info->max, "%s is %g", info->key,
				value);
	}
	for (size_t i = 0; i < m->nr_figures; i++) {
		const struct figure *f = &m->figures[i];
		double value = figure_value(m, f->info);

		must_hold(f->low <= value && value <= f->high, "%s: %g is not in [%g, %g]", f->key,
			value, f->low, f->high);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("machine", 0);
	struct machine machine;
	struct error err = {""};
	char path[32];

	must_hold(fd >= 0 && write(fd, data, size) == (ssize_t)size, "no file");
	(void)snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	if (machine_load(&machine, path, &err)) {
		must_explain(&err);
	} else {
		look_at(&machine);
		machine_free(&machine);
	}
	(void)close(fd);
	return 0;
}
