/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hook_stubs.S - between instrumented code, which expects every register as it was, and C.
 *
 * alloc_hook_read8 and the like are called with the address in %rdi, alloc_hook_branch with the
 * number of the block that begins; alloc_hook_read8_flags and so on keep the flags, too. While code
 * is not charged they return at once. The functions in C that they call keep the registers
 * themselves (HOOK in hooks.h), and when they need the rest of the simulator they come back here
 * for functions that keep them too.
 */

	.text

	/*
	 * jrcxz looks at no flags and changes none. Where they are needed later on, lahf and seto keep
	 * them, not pushfq: restoring all flags takes the host tens of cycles.
	 */
	.macro	BEGIN_HOOK name, flags
	FUNCTION alloc_hook_\name\flags
	pushq	%rcx
	movq	charged_cpu(%rip), %rcx
	jrcxz	1f
	.ifnb	\flags
	pushq	%rax
	lahf
	seto	%al
	pushq	%rax
	.endif
	.endm

	.macro	END_HOOK name, flags
	.ifnb	\flags
	popq	%rax
	addb	$127, %al
	sahf
	popq	%rax
	.endif
1:	popq	%rcx
	ret
	END	alloc_hook_\name\flags
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
	.macro	ACCESS name, size, kind, flags
	BEGIN_HOOK \name\size, \flags
	pushq	%rsi
	movl	$(\size | \kind << 8), %esi
	call	hook_\name
	popq	%rsi
	END_HOOK \name\size, \flags
	.endm

	.macro	ACCESSES name, kind, flags
	ACCESS	\name, 1, \kind, \flags
	ACCESS	\name, 2, \kind, \flags
	ACCESS	\name, 4, \kind, \flags
	ACCESS	\name, 8, \kind, \flags
	.endm

	.macro	BRANCH flags
	BEGIN_HOOK branch, \flags
	call	hook_branch
	END_HOOK branch, \flags
	.endm

	.macro	HOOKS flags
	ACCESSES read, 0, \flags
	ACCESSES write, 1, \flags
	ACCESSES atomic, 2, \flags
	BRANCH	\flags
	.endm

	HOOKS
	HOOKS	_flags

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
