#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Print the instructions of command streams as text.

FILE is what QEMU wrote with -trace 'vmali_cs*', for example build/run/shell/qemu.log of "make shell TRACE=1". Each
instruction that a stream has retired is a line:

    group 0 stream 1 0x000100000010: CALL r92:r93, length r94

Requests of groups, and exceptions of streams, are between them. Without FILE, WORD is such an instruction (--word).
The architecture of the GPU is that of the truth log in the folder of FILE, or of --arch.

Bits that no field of an instruction has are shown as "unknown bits". With several GPUs, their traces are in one another.
"""

import argparse
import os
import re
import sys

FIRST_ARCH, LAST_ARCH = 10, 14

BRANCHES = ("<= 0", "> 0", "== 0", "!= 0", "< 0", ">= 0", "always")
COMPARISONS = {0: "<=", 1: ">", 5: ">="}
CACHE = ("none", "clean", "invalidate", "clean+invalidate")
SCOPES = {0: "system", 2: "csg"}
STORED = ("timestamp", "cycle-count", "disjoint-count", "error-status")
STATES = {0: "endpoint-slot", 1: "other-slot", 2: "deferred-slot", 8: "stream-mask", 9: "wait-mask"}
HEAP_OPERATIONS = {0: "vertex-tiling-started", 1: "vertex-tiling-completed", 3: "fragment-completed"}
IMMEDIATE_OPERATIONS = ("add", "shift-left", "shift-right", "shift-right-signed", "extract", "extract-signed", "insert",
                        "min")
REGISTER_OPERATIONS = ("min", "add", "subtract", "shift-left", "shift-right", "shift-right-signed", "insert")
RESOURCES = ("compute", "fragment", "tiler", "idvs", "ray-tracing")
GROUP_STATES = ("terminate", "start", "suspend", "resume")
EXCEPTIONS = {0x40: "configuration", 0x48: "bus", 0x49: "invalid instruction", 0x4a: "call stack overflow",
              0x4b: "inherited", 0x50: "invalid address of instructions", 0x5a: "address range",
              0x68: "firmware"}


def bits(word, high, low):
    return word >> low & (1 << high - low + 1) - 1


def signed(value, width):
    return value - (1 << width) if value >> width - 1 else value


def name_of(names, value):
    known = names.get(value) if isinstance(names, dict) else names[value] if value < len(names) else None
    return known or f"unknown-{value}"


class Field:
    """Bits of an instruction, and how they are written. What it writes is nothing if they say nothing."""

    def __init__(self, high, low, write):
        self.mask = (1 << high + 1) - (1 << low)
        self._high, self._low, self._write = high, low, write

    def text(self, word):
        return self._write(bits(word, self._high, self._low))


def register(low, before=""):
    return Field(low + 7, low, lambda value: f"{before}r{value}")


def pair(low, before=""):
    return Field(low + 7, low, lambda value: f"{before}r{value}:r{value + 1}")


def unsigned(high, low, before=""):
    return Field(high, low, lambda value: f"{before}{value:#x}")


def number(high, low, before=""):
    return Field(high, low, lambda value: f"{before}{value}")


def immediate(high, low):
    return Field(high, low, lambda value: f"{signed(value, high - low + 1)}")


def choice(high, low, names, before=""):
    return Field(high, low, lambda value: f"{before}{name_of(names, value)}")


def flag(bit, name):
    return Field(bit, bit, lambda value: name if value else "")


def mask(high, low, before):
    """Scoreboard slots; nothing if there are none."""
    return Field(high, low, lambda value: f"{before}{value:#x}" if value else "")


def some(high, low, before):
    """A number that says something unless it is 0."""
    return Field(high, low, lambda value: f"{before}{value}" if value else "")


def flags(low, names):
    def write(value):
        return "+".join(name for bit, name in enumerate(names) if value >> bit & 1) or "none"
    return Field(low + len(names) - 1, low, write)


PROGRESS = flag(32, "progress")
WAITS = mask(31, 16, "wait ")
SIGNAL = number(51, 48, "signal ")
DEFER = flag(52, "deferred")
SELECTS = [some(41, 40, "srt "), some(43, 42, "spd "), some(45, 44, "tsd "), some(47, 46, "fau ")]


def memory(word):
    """Registers and address of LOAD_MULTIPLE and STORE_MULTIPLE."""
    first, chosen, base, offset = bits(word, 55, 48), bits(word, 31, 16), bits(word, 47, 40), signed(bits(word, 15, 0), 16)
    registers = " ".join(f"r{first + bit}" for bit in range(16) if chosen >> bit & 1) or "nothing"
    return [f"{{{registers}}}", address(base, offset)]


def address(base, offset):
    return f"[r{base}:r{base + 1} {'-' if offset < 0 else '+'} {abs(offset)}]" if offset else f"[r{base}:r{base + 1}]"


def state_address(word):
    return [address(bits(word, 47, 40), signed(bits(word, 15, 0), 16))]


def branch(condition_high):
    def write(word):
        condition = name_of(BRANCHES, bits(word, condition_high, 28))
        distance = f"{signed(bits(word, 15, 0), 16):+d}"
        return [f"{distance} always" if condition == "always" else f"{distance} if r{bits(word, 47, 40)} {condition}"]
    return write


def sync_wait(wide):
    """The condition under which the stream goes on."""
    def write(word):
        data = bits(word, 39, 32)
        reference = f"r{data}:r{data + 1}" if wide else f"r{data}"
        return [f"until [r{bits(word, 47, 40)}:r{bits(word, 47, 40) + 1}] "
                f"{name_of(COMPARISONS, bits(word, 31, 28))} {reference}"]
    return write


class Instruction:
    """One row of the table. WRITE gives the first operands, from the bits USED."""

    def __init__(self, name, *fields, write=None, used=0):
        self.name, self._fields, self._write = name, fields, write
        self._mask = 0xff << 56 | used
        for field in fields:
            self._mask |= field.mask

    def text(self, word):
        operands = self._write(word) if self._write else []
        operands += [text for field in self._fields if (text := field.text(word))]
        if rest := word & ~self._mask:
            operands.append(f"unknown bits {rest:#x}")
        return f"{self.name} {', '.join(operands)}".rstrip()


def field_bits(high, low):
    return (1 << high + 1) - (1 << low)


MEMORY_BITS = field_bits(55, 0)
STATE_BITS = field_bits(47, 40) | field_bits(15, 0)
# What each of the selects is for, the public sources do not say alike.
IDVS = [PROGRESS, flag(33, "malloc"), flag(34, "draw-id"), mask(39, 35, "selects "), register(40, "draw-id-register ")]


def sync_update(name, data):
    return [(10, 10, Instruction(name, pair(40, "object "), data(32, "data "), choice(2, 1, SCOPES, "scope "),
                                 flag(0, "propagate"), WAITS, SIGNAL)),
            (11, 14, Instruction(name, pair(40, "object "), data(32, "data "), choice(2, 1, SCOPES, "scope "),
                                 flag(0, "propagate"), WAITS, SIGNAL, DEFER))]


def wait_row(name, wide):
    data = field_bits(39, 32)
    return [(10, 14, Instruction(name, flag(0, "reject-errors"), write=sync_wait(wide),
                                 used=data | field_bits(47, 40) | field_bits(31, 28)))]


# Opcode: rows of first architecture, last one, and instruction
TABLE = {
    0: [(10, 14, Instruction("NOP"))],
    1: [(10, 14, Instruction("MOVE48", pair(48), unsigned(47, 0)))],
    2: [(10, 14, Instruction("MOVE32", register(48), unsigned(31, 0)))],
    3: [(10, 10, Instruction("WAIT", unsigned(31, 16), PROGRESS)),
        (11, 14, Instruction("WAIT", unsigned(31, 16), PROGRESS, flag(33, "indirect")))],
    4: [(10, 11, Instruction("RUN_COMPUTE", number(13, 0, "increment "), choice(15, 14, "xyz", "axis "), PROGRESS,
                             *SELECTS)),
        (12, 14, Instruction("RUN_COMPUTE", number(13, 0, "increment "), choice(15, 14, "xyz", "axis "), PROGRESS,
                             *SELECTS, some(23, 16, "endpoint-limit "), some(51, 48, "stage ")))],
    5: [(10, 10, Instruction("RUN_TILING", unsigned(31, 0, "flags "), *IDVS))],
    6: [(10, 11, Instruction("RUN_IDVS", unsigned(31, 0, "flags "), *IDVS))],
    7: [(10, 14, Instruction("RUN_FRAGMENT", flag(0, "tile-enable-map"), number(7, 4, "order "), PROGRESS))],
    8: [(10, 10, Instruction("RUN_FULLSCREEN", unsigned(31, 0, "flags "), pair(40, "descriptor "))),
        (11, 14, Instruction("RUN_FULLSCREEN", unsigned(31, 0, "flags "), pair(40, "descriptor "), flag(55, "bit 55")))],
    9: [(10, 14, Instruction("FINISH_TILING", PROGRESS))],
    11: [(10, 10, Instruction("FINISH_FRAGMENT", pair(40, "first "), pair(32, "last "), flag(0, "increment"), WAITS,
                              SIGNAL)),
         (11, 14, Instruction("FINISH_FRAGMENT", pair(40, "first "), pair(32, "last "), flag(0, "increment"), WAITS,
                              SIGNAL, DEFER))],
    12: [(12, 14, Instruction("RUN_IDVS2", unsigned(31, 0, "flags "), *IDVS))],
    16: [(10, 12, Instruction("ADD_IMMEDIATE32", register(48), register(40), immediate(31, 0))),
         (13, 14, Instruction("ADD_IMMEDIATE32", register(48), register(40), immediate(31, 0),
                              choice(39, 32, IMMEDIATE_OPERATIONS, "operation ")))],
    17: [(10, 12, Instruction("ADD_IMMEDIATE64", pair(48), pair(40), immediate(31, 0))),
         (13, 14, Instruction("ADD_IMMEDIATE64", pair(48), pair(40), immediate(31, 0),
                              choice(39, 32, IMMEDIATE_OPERATIONS, "operation ")))],
    18: [(10, 12, Instruction("UMIN32", register(48), register(40), register(32))),
         (13, 14, Instruction("ALU32", register(48), register(40), register(32),
                              choice(31, 24, REGISTER_OPERATIONS, "operation ")))],
    19: [(11, 14, Instruction("LOGIC_OP32", register(48), register(40), register(32), unsigned(3, 0, "truth-table "),
                              flag(4, "index")))],
    20: [(10, 14, Instruction("LOAD_MULTIPLE", write=memory, used=MEMORY_BITS))],
    21: [(10, 14, Instruction("STORE_MULTIPLE", write=memory, used=MEMORY_BITS))],
    22: [(10, 10, Instruction("BRANCH", write=branch(30), used=field_bits(47, 40) | field_bits(30, 28) |
                              field_bits(15, 0))),
         (11, 14, Instruction("BRANCH", write=branch(31), used=field_bits(47, 40) | field_bits(31, 28) |
                              field_bits(15, 0)))],
    23: [(10, 14, Instruction("SET_SB_ENTRY", number(3, 0, "endpoint "), number(7, 4, "other ")))],
    24: [(10, 14, Instruction("PROGRESS_WAIT", number(4, 0, "queue "), pair(40)))],
    25: [(10, 14, Instruction("SET_EXCEPTION_HANDLER", number(7, 0, "type "), pair(40), register(32, "length ")))],
    26: [(11, 14, Instruction("NEXT_SB_ENTRY", unsigned(55, 0)))],
    27: [(11, 14, Instruction("SET_STATE", choice(39, 32, STATES), register(40)))],
    28: [(11, 14, Instruction("SET_STATE_IMM32", choice(39, 32, STATES), unsigned(31, 0)))],
    30: [(11, 14, Instruction("SHARED_SB_INC", unsigned(31, 16), number(51, 48, "entry "), PROGRESS, DEFER))],
    31: [(11, 14, Instruction("SHARED_SB_DEC", number(51, 48, "entry "), PROGRESS))],
    32: [(10, 14, Instruction("CALL", pair(40), register(32, "length ")))],
    33: [(10, 14, Instruction("JUMP", pair(40), register(32, "length ")))],
    34: [(10, 11, Instruction("REQ_RESOURCE", flags(0, RESOURCES[:4]))),
         (12, 14, Instruction("REQ_RESOURCE", flags(0, RESOURCES)))],
    36: [(10, 14, Instruction("FLUSH_CACHE2", choice(3, 0, CACHE, "l2 "), choice(7, 4, CACHE, "lsc "),
                              choice(11, 8, CACHE, "other "), register(40, "flush-id "), WAITS, SIGNAL))],
    37: sync_update("SYNC_ADD32", register),
    38: sync_update("SYNC_SET32", register),
    39: wait_row("SYNC_WAIT32", False),
    40: [(10, 10, Instruction("STORE_STATE", choice(33, 32, STORED), WAITS, SIGNAL, write=state_address,
                              used=STATE_BITS)),
         (11, 14, Instruction("STORE_STATE", choice(39, 32, STORED), WAITS, SIGNAL, write=state_address,
                              used=STATE_BITS))],
    41: [(10, 14, Instruction("PROT_REGION", number(15, 0)))],
    42: [(10, 14, Instruction("PROGRESS_STORE", pair(40)))],
    43: [(10, 14, Instruction("PROGRESS_LOAD", pair(48)))],
    44: [(10, 14, Instruction("RUN_COMPUTE_INDIRECT", number(15, 0, "work-groups "), PROGRESS, *SELECTS))],
    47: [(10, 14, Instruction("ERROR_BARRIER"))],
    48: [(10, 14, Instruction("HEAP_SET", pair(40)))],
    49: [(10, 14, Instruction("HEAP_OPERATION", choice(33, 32, HEAP_OPERATIONS), WAITS, SIGNAL))],
    50: [(10, 14, Instruction("TRACE_POINT", unsigned(55, 0)))],
    51: sync_update("SYNC_ADD64", pair),
    52: sync_update("SYNC_SET64", pair),
    53: wait_row("SYNC_WAIT64", True),
    57: [(13, 14, Instruction("ALU64", unsigned(55, 0)))],
}


def decode(word, arch):
    """The text of an instruction."""
    for first, last, instruction in TABLE.get(word >> 56, ()):
        if first <= arch <= last:
            return instruction.text(word)
    return f"UNKNOWN {word:#018x}"


def group_request(match):
    csg, request, acknowledged = (int(value, 0) for value in match.groups())
    if not (request ^ acknowledged) & 7:
        return None
    return f"group {csg}: {name_of(GROUP_STATES, request & 7)}"


def exception(match):
    csg, stream, kind, info = (int(value, 0) for value in match.groups()[:4])
    return (f"group {csg} stream {stream} {match.group(5)} {kind:#04x} ({name_of(EXCEPTIONS, kind)}), information "
            f"{info:#x}")


INSTRUCTION_LINE = re.compile(r"vmali_cs_insn csg (\d+) cs (\d+) (0x[0-9a-f]+): (0x[0-9a-f]{16})$")
OTHER_LINES = (
    (re.compile(r"vmali_csg_request csg (\d+) req (0x[0-9a-f]+) ack (0x[0-9a-f]+)$"), group_request),
    (re.compile(r"vmali_cs_trap csg (\d+) cs (\d+) type (0x[0-9a-f]+) info (0x[0-9a-f]+) (fault|fatal)$"), exception),
)


def lines_of(trace, arch, group=None, stream=None):
    """The text of a trace."""
    for line in trace:
        line = line.rstrip("\n")
        if match := INSTRUCTION_LINE.search(line):
            csg, number_of_stream, place, word = (int(value, 0) for value in match.groups())
            if group in (None, csg) and stream in (None, number_of_stream):
                yield f"group {csg} stream {number_of_stream} {place:#014x}: {decode(word, arch)}"
            continue
        for pattern, write in OTHER_LINES:
            if (match := pattern.search(line)) and group in (None, int(match.group(1))) and (text := write(match)):
                yield text


def arch_of_truth(path):
    """The architecture of the GPU that has written a truth log, or None."""
    try:
        with open(path, encoding="utf-8", errors="replace") as log:
            for line in log:
                if match := re.match(r"gpu id=(0x[0-9a-f]+) ", line):
                    return int(match.group(1), 0) >> 28
    except OSError:
        pass
    return None


def instruction_word(text):
    if not re.fullmatch(r"(0x)?[0-9a-fA-F]{1,16}", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of 64 bits in hexadecimal digits")
    return int(text, 16)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", type=int, choices=range(FIRST_ARCH, LAST_ARCH + 1), help="architecture of the GPU")
    parser.add_argument("--group", type=int, help="of this group only")
    parser.add_argument("--stream", type=int, help="of streams with this number only")
    parser.add_argument("--word", action="append", type=instruction_word, help="an instruction instead of FILE")
    parser.add_argument("file", nargs="?", metavar="FILE")
    args = parser.parse_args()
    if bool(args.word) == bool(args.file):
        parser.error("a FILE or --word is wanted")
    if args.word:
        for word in args.word:
            print(decode(word, args.arch or FIRST_ARCH))
        return 0
    arch = args.arch or arch_of_truth(os.path.join(os.path.dirname(args.file), "truth.log"))
    if not arch:
        parser.error(f"no truth.log beside {args.file} says which GPU this is: --arch is needed")
    if not FIRST_ARCH <= arch <= LAST_ARCH:
        parser.error(f"architecture {arch} of truth.log is not known")
    count = 0
    try:
        with open(args.file, encoding="utf-8", errors="replace") as trace:
            for text in lines_of(trace, arch, args.group, args.stream):
                count += 1
                print(text)
    except BrokenPipeError:
        # The reader has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"decode-cs.py: error: {args.file}: {error.strerror}", file=sys.stderr)
        return 1
    if not count:
        print(f"decode-cs.py: error: {args.file} has no such lines: QEMU writes them with -trace 'vmali_cs*'",
              file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
