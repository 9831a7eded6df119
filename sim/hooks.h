/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hooks.h - what the code of alloc/ tells while it runs, by way of hook_stubs.S.
 *
 * Code that is hooked uses no floating point, so that keeping the general registers is enough.
 */
#ifndef ZONESIM_HOOKS_H
#define ZONESIM_HOOKS_H

#include <stdint.h>

#include "memory.h"

/* A function that keeps every register. It calls only others of the kind. */
#define HOOK __attribute__((no_caller_saved_registers))

/* What is done to an address: the size in bytes, and enum access above it. */
#define HOOK_SIZE(what) ((what)&255u)
#define HOOK_ACCESS(what) ((enum access)((what) >> 8))

/* Bytes at @address, on no stack, are about to be read or written. */
HOOK void hook_read(uintptr_t address, unsigned int what);
HOOK void hook_write(uintptr_t address, unsigned int what);
HOOK void hook_atomic(uintptr_t address, unsigned int what);

/* A basic block begins that a conditional branch may have led to. */
HOOK void hook_branch(uint32_t block);

/* What those two leave to others, and its ways there that keep the registers. */
void hook_access_slow(uintptr_t address, unsigned int what);
void hook_mispredicted(void);
HOOK void hook_access_keeping(uintptr_t address, unsigned int what);
HOOK void hook_mispredicted_keeping(void);

#endif
