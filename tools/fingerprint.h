/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fingerprint.h - a name for everything that decides a result.
 */
#ifndef ZONESIM_FINGERPRINT_H
#define ZONESIM_FINGERPRINT_H

struct point;

#define FINGERPRINT_SIZE 33 /* 128 bits in hexadecimal, and the NUL */

/*
 * fingerprint_of_point - the same for two points if and only if the same zonesim must give the same
 * result for both: its version and the code of allocator and simulator, every figure of the
 * machine, every instruction cost, the patches in effect, parameters and seed count, but not how or
 * in what order a scenario wrote them.
 */
void fingerprint_of_point(const struct point *point, char text[FINGERPRINT_SIZE]);

#endif
