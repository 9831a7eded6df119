# SPDX-License-Identifier: GPL-3.0-or-later
# add-hooks.awk - put hooks into the assembly that gcc makes of the allocator.
#
# Before each instruction that reads or writes memory off the stack, a call that tells the address.
# At the start of each basic block, its number of instructions is added to block_instructions; where
# a conditional branch may have led to it, a call comes first. All of this keeps the registers, and
# the flags where they are still needed, so the code between is exactly the code that gcc would have
# built without. Expects x86-64 in AT&T syntax, built with -mno-red-zone and -mgeneral-regs-only.
# With functions=1 they are also added to a counter of the function; see sim/functions.h.
# Usage: awk -v seed=NUMBER [-v functions=1] -f add-hooks.awk FILE FILE

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

# Whether the flags that a hook finds are needed is seen further on, and put where \001 stands.
function hook(kind, operand)
{
	open = open "\tpushq\t%rdi\n\tleaq\t" operand ", %rdi\n\tcall\talloc_hook_" kind "\001\n\tpopq\t%rdi\n"
}

# The flags as they were up to here are needed, or no one will ask for them any more.
function know_flags(needed)
{
	gsub(/\001/, needed ? "_flags" : "", open)
	out = out open
	open = ""
	if (!flags_known)
		entry_flags = needed
	flags_known = 1
}

# Of an instruction that reads flags, and of one that sets them all.
function look_at_flags(name)
{
	if (name ~ /^(j[^m]|set|cmov|adc|sbb|rc[lr])/)
		know_flags(1)
	else if (name ~ /^(add|sub|cmp|test|and|or|xor|neg|imul)[bwlq]$/)
		know_flags(0)
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

# Add the instructions of a block to @counter.
function count(counter)
{
	if (entry_flags) {
		print "\tpushq\t%rdi\n\tmovq\t" counter "(%rip), %rdi"
		print "\tleaq\t" instructions "(%rdi), %rdi"
		print "\tmovq\t%rdi, " counter "(%rip)\n\tpopq\t%rdi"
	} else
		print "\taddq\t$" instructions ", " counter "(%rip)"
}

# A label that is no local one begins a function, or a part of one that gcc has put elsewhere.
function enter_function(name)
{
	sub(/\..*/, "", name)
	if (!(name in counters)) {
		counters[name] = ".Lcount" ++nr_functions
		names[nr_functions] = name
	}
	counter_of_function = counters[name]
}

# A struct function_count for each.
function write_functions(    i)
{
	for (i = 1; i <= nr_functions; i++) {
		print "\t.section\t.rodata.str1.1,\"aMS\",@progbits,1"
		print ".Lname" i ":\n\t.string\t\"" names[i] "\""
		print "\t.section\talloc_functions,\"aw\"\n\t.align\t8"
		print "\t.quad\t.Lname" i "\n.Lcount" i ":\n\t.quad\t0"
	}
}

# What a block begins with.
function enter_block(    number)
{
	# of 32 bits, all of them different from block to block
	number = sprintf("%.0f", (seed + ++blocks * 2654435761) % 4294967296)
	if (led_to)
		print "\tpushq\t%rdi\n\tmovl\t$" number ", %edi\n\tcall\talloc_hook_branch" \
			(entry_flags ? "_flags" : "") "\n\tpopq\t%rdi"
	count("block_instructions")
	if (functions)
		count(counter_of_function)
	if (branches)
		print "\tmovl\t$" number ", block_branch(%rip)"
}

# The block that ends here is known in full: write it.
function end_block()
{
	know_flags(!returns)
	if (instructions > 0) {
		enter_block()
		led_to = branches
	}
	printf "%s", out
	out = ""
	instructions = branches = returns = flags_known = 0
}

# At first sight of the file, only what conditional branches lead to.
FNR == NR {
	if ($1 ~ /^j/ && $1 !~ /^jmp/)
		targets[$2] = 1
	next
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
	if ($1 !~ /^\.L/)
		enter_function(substr($1, 1, length($1) - 1))
	led_to = led_to || substr($1, 1, length($1) - 1) in targets
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
	look_at_flags(name)
	instructions++
	open = open $0 "\n"
	branches = name ~ /^j/ && name !~ /^jmp/
	returns = name ~ /^ret/
	# a call ends a block too: what comes after it must not be charged before, or a lock that it
	# takes would be held for less
	if (name ~ /^(j|ret|call)/)
		end_block()
	next
}

# Debug information is most of the file; kept until a block ends, it would take minutes.
!in_text {
	print
	next
}

{
	open = open $0 "\n"
}

END {
	if (!failed)
		end_block()
	if (!failed && functions)
		write_functions()
}
