/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fingerprint.h - a name for everything that decides a result.
 */
#ifndef ZONESIM_FINGERPRINT_H
#define ZONESIM_FINGERPRINT_H

struct machine;
struct point;

#define FINGERPRINT_SIZE 33 /* 128 bits in hexadecimal, and the NUL */

/*
 * fingerprint_of_point - the same for two points if and only if the same zonesim must give the same
 * result for both: its version and the code of allocator and simulator, every figure of the
 * machine, every instruction cost, the patches in effect, parameters and seed count, but not how or
 * in what order a scenario wrote them.
 */
void fingerprint_of_point(const struct point *point, char text[FINGERPRINT_SIZE]);

#define DIGEST_SIZE 17 /* 64 bits in hexadecimal, and the NUL */

/*
 * What parts of a result's origin are called: all figures of a machine; all coefficients; and
 * the model as a whole, which is zonesim's version, its sources and the coefficients. Points
 * of different models do not compare.
 */
void digest_of_machine(const struct machine *machine, char text[DIGEST_SIZE]);
void digest_of_coefficients(const struct point *point, char text[DIGEST_SIZE]);
void digest_of_model(const struct point *point, char text[DIGEST_SIZE]);

/* A name for the code that decides results: allocator, simulator and their compiler. */
const char *fingerprint_sources(void);

#endif
