/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hook_stubs.S - what instrumented code calls: keeps every register and the flags, and passes on to
 * C.
 *
 * alloc_hook_read8 and the like are called with the address in %rdi. The call of alloc_hook_block is
 * followed by a no-op whose displacement is the number of instructions in the block.
 */

	.text

	/* %rdi has been kept by the caller, and is the first argument */
	.macro	SAVE
	pushq	%rax
	lahf
	seto	%al
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	pushq	%rbp
	movq	%rsp, %rbp
	andq	$-16, %rsp
	.endm

	.macro	RESTORE
	movq	%rbp, %rsp
	popq	%rbp
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%rax
	addb	$127, %al
	sahf
	popq	%rax
	.endm

	.macro	ACCESS name, size, kind
	.globl	alloc_hook_\name\size
	.type	alloc_hook_\name\size, @function
alloc_hook_\name\size:
	SAVE
	movl	$\size, %esi
	movl	$\kind, %edx
	call	hook_access
	RESTORE
	ret
	.size	alloc_hook_\name\size, . - alloc_hook_\name\size
	.endm

	.macro	ACCESSES name, kind
	ACCESS	\name, 1, \kind
	ACCESS	\name, 2, \kind
	ACCESS	\name, 4, \kind
	ACCESS	\name, 8, \kind
	.endm

	/* as in enum access */
	ACCESSES read, 0
	ACCESSES write, 1
	ACCESSES atomic, 2

	.globl	alloc_hook_block
	.type	alloc_hook_block, @function
alloc_hook_block:
	pushq	%rdi
	SAVE
	movq	88(%rbp), %rdi
	movl	3(%rdi), %esi
	call	hook_block
	RESTORE
	popq	%rdi
	ret
	.size	alloc_hook_block, . - alloc_hook_block

	.section .note.GNU-stack,"",@progbits
