/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hook_stubs.S - between instrumented code, which expects every register and the flags as they
 * were, and C.
 *
 * alloc_hook_read8 and the like are called with the address in %rdi, alloc_hook_branch with
 * the number of the block that begins. While code is not charged they return at once. The functions in C that they call keep
 * the registers themselves (HOOK in hooks.h), and when they need the rest of the simulator they come
 * back here for functions that keep them too.
 */

	.text

	/* lahf and seto, not pushfq: restoring all flags takes the host tens of cycles */
	.macro	SAVE_FLAGS
	pushq	%rax
	lahf
	seto	%al
	pushq	%rax
	.endm

	.macro	RESTORE_FLAGS
	popq	%rax
	addb	$127, %al
	sahf
	popq	%rax
	.endm

	/* jrcxz looks at no flags and changes none */
	.macro	BEGIN_HOOK
	pushq	%rcx
	movq	charged_cpu(%rip), %rcx
	jrcxz	1f
	SAVE_FLAGS
	.endm

	.macro	END_HOOK
	RESTORE_FLAGS
1:	popq	%rcx
	ret
	.endm

	.macro	FUNCTION name
	.globl	\name
	.type	\name, @function
\name:
	.endm

	.macro	END name
	.size	\name, . - \name
	.endm

	/* kind: as in enum access; both in one argument, as HOOK_ACCESS in hooks.h */
	.macro	ACCESS name, size, kind
	FUNCTION alloc_hook_\name\size
	BEGIN_HOOK
	pushq	%rsi
	movl	$(\size | \kind << 8), %esi
	call	hook_\name
	popq	%rsi
	END_HOOK
	END	alloc_hook_\name\size
	.endm

	.macro	ACCESSES name, kind
	ACCESS	\name, 1, \kind
	ACCESS	\name, 2, \kind
	ACCESS	\name, 4, \kind
	ACCESS	\name, 8, \kind
	.endm

	ACCESSES read, 0
	ACCESSES write, 1
	ACCESSES atomic, 2

	FUNCTION alloc_hook_branch
	BEGIN_HOOK
	call	hook_branch
	END_HOOK
	END	alloc_hook_branch

	/* an ordinary function of one or two arguments, called with all registers kept */
	.macro	KEEPING name, target
	FUNCTION \name
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	pushq	%rbp
	movq	%rsp, %rbp
	andq	$-16, %rsp
	call	\target
	movq	%rbp, %rsp
	popq	%rbp
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%rax
	ret
	END	\name
	.endm

	KEEPING	hook_access_keeping, hook_access_slow
	KEEPING	hook_mispredicted_keeping, hook_mispredicted

	.section .note.GNU-stack,"",@progbits
