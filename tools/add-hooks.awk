# SPDX-License-Identifier: GPL-3.0-or-later
# add-hooks.awk - put hooks into the assembly that gcc makes of the allocator.
#
# Before each instruction that reads or writes memory off the stack, a call that tells the address;
# at the start of each basic block, a call that tells how many instructions it has. The hooks keep
# all registers and the flags, so the code between them is exactly the code that gcc would have
# built without. Expects x86-64 in AT&T syntax, built with -mno-red-zone and -mgeneral-regs-only.

function fail(why)
{
	print FILENAME ":" NR ": " why ": " $0 > "/dev/stderr"
	failed = 1
	exit 1
}

# The size of what an instruction moves, from its suffix or a register it names.
function size_of(name, operands)
{
	if (name ~ /^mov[sz]b./)
		return 1
	if (name ~ /^mov[sz]w./)
		return 2
	if (name == "movslq")
		return 4
	if (name ~ /^set/)
		return 1
	if (name ~ /^(call|jmp)/)
		return 8
	if (name ~ /^cmov/)
		return operands ~ /%(r[a-ds][xpi]|r[89]|r1[0-5])$/ ? 8 : 4
	if (name ~ /q$/)
		return 8
	if (name ~ /l$/)
		return 4
	if (name ~ /w$/)
		return 2
	if (name ~ /b$/)
		return 1
	fail("no size known")
}

function hook(kind, operand)
{
	out = out "\tpushq\t%rdi\n\tleaq\t" operand ", %rdi\n\tcall\talloc_hook_" kind "\n\tpopq\t%rdi\n"
}

# Calls for the memory that the instruction on this line touches.
function add_access_hooks(name, operands,    operand, at_end, size)
{
	if (name ~ /^(lea|nop|prefetch)/ || !match(operands, /[-+.$A-Za-z0-9_@]*\([^)]*\)/))
		return
	operand = substr(operands, RSTART, RLENGTH)
	at_end = RSTART + RLENGTH - 1 == length(operands)
	# the stack and what is at fixed addresses are no memory of the simulated machine
	if (operand ~ /%rsp|%rip/)
		return
	if (operands ~ /%[xyz]mm|%st/ || name ~ /^(rep|cmps|stos|movs$|scas|lods)/)
		fail("not an instruction that hooks are known for")
	size = size_of(name, operands)
	if (name ~ /^(lock|xchg)/)
		hook("atomic" size, operand)
	else if (name ~ /^(call|jmp|push)/ || name ~ /^(cmp|test|bt|mul|imul|div|idiv)[bwlq]?$/ || !at_end)
		hook("read" size, operand)
	else {
		if (name !~ /^(mov|set|pop)/)
			hook("read" size, operand)
		hook("write" size, operand)
	}
}

# The block that ends here is known in full: write it, told its length.
function end_block()
{
	if (instructions > 0)
		printf "\tcall\talloc_hook_block\n\t{disp32} nopl\t%d(%%rax)\n%s", instructions, out
	else
		printf "%s", out
	out = ""
	instructions = 0
}

/^\t\.(text|section|data|bss)/ {
	end_block()
	in_text = $1 == ".text" || $2 ~ /^\.text/
	print
	next
}

# Labels that code can jump to begin a block; those of debug information do not.
in_text && /^(\.L[0-9]+|[A-Za-z_][A-Za-z0-9_.]*):/ {
	end_block()
	print
	next
}

in_text && /^\t[a-z]/ {
	name = $1
	operands = $0
	sub(/^\t[a-z0-9]+[ \t]*/, "", operands)
	if (name == "lock" || name == "rep") {
		name = name $2
		sub(/^[a-z0-9]+[ \t]*/, "", operands)
	}
	add_access_hooks(name, operands)
	instructions++
	out = out $0 "\n"
	# a call ends a block too: what comes after it must not be charged before, or a lock that it
	# takes would be held for less
	if (name ~ /^(j|ret|call)/)
		end_block()
	next
}

{
	out = out $0 "\n"
}

END {
	if (!failed)
		end_block()
}
