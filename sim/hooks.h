/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hooks.h - what the code of alloc/ tells while it runs. All registers are kept by hook_stubs.S,
 * but code that is hooked uses no floating point.
 */
#ifndef ZONESIM_HOOKS_H
#define ZONESIM_HOOKS_H

#include <stdint.h>

#include "memory.h"

/* @size bytes at @address, on no stack, are about to be read or written. */
void hook_access(uintptr_t address, unsigned int size, enum access access);

/* A basic block of so many machine instructions begins; @pc tells it from others. */
void hook_block(uintptr_t pc, uint32_t instructions);

#endif
