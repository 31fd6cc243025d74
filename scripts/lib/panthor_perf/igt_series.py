# SPDX-License-Identifier: GPL-2.0 or MIT
"""The tests of tests/igt in the form of IGT's own tree: without what needs the virtual GPU, with
the shared parts in a library of IGT's, with its names, and with the documentation of each subtest."""

import os
import re
import subprocess

from panthor_perf.patches import Problem

# What leads to the host of the virtual GPU. A function that uses one of them needs it, and so does
# its caller.
VIRTUAL = {"perf_ask", "perf_vgpu", "perf_vgpu_name", "perf_require_vgpu"}
# Headers that become lib/igt_panthor_perf.[ch], in the order in which they need each other.
HEADERS = (
    "panthor_perf.h",
    "panthor_perf_sync.h",
    "panthor_perf_sysfs.h",
    "panthor_perf_job.h",
    "panthor_perf_truth.h",
)
# Statements for the virtual GPU in functions that work without it, too.
SEAMS = {"perf_suspend_devices": re.compile(r"^.*\bwake\b.*\n", re.M)}
LIBRARY = "igt_panthor_perf"
PREFIX = "panthor_"
DIRECTIVE = re.compile(r"#define (\w+)")
FUNCTION = re.compile(r"^(?:static )?(?:inline )?[\w ]+[ *\n]+(\w+)\(", re.M)
OBJECT = re.compile(
    r"^(?:static )?(?:const )?(?:[\w*]+ )*?(?:struct (\w+) \{|.*?(\w+)\[[^]]*\] = \{|enum (\w+) \{)",
    re.M,
)
WORD = re.compile(r"[A-Za-z_]\w*")
# The headers of names of the C library, which the tests got through those of tests/igt.
NEEDS = {
    "limits.h": r"PATH_MAX|U?INT_MAX",
    "poll.h": r"poll|POLLIN",
    "signal.h": r"kill|SIG[A-Z]+",
    "sys/eventfd.h": r"eventfd|EFD_\w+",
    "sys/stat.h": r"f?stat",
    "sys/sysmacros.h": r"major|minor",
    "sys/wait.h": r"waitpid|W[A-Z]+",
}
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')

# As clang-format calls the kernel's style.
STYLE = (
    "{BasedOnStyle: LLVM, IndentWidth: 8, TabWidth: 8, UseTab: Always, ColumnLimit: 100, ContinuationIndentWidth: 8, "
    "BreakBeforeBraces: Linux, AlignEscapedNewlines: Left, SortIncludes: Never, IndentCaseLabels: false, "
    "AllowShortFunctionsOnASingleLine: None, AllowShortIfStatementsOnASingleLine: Never, "
    "AllowShortLoopsOnASingleLine: false, AllowShortBlocksOnASingleLine: Never, PenaltyBreakString: 1000, "
    "BreakStringLiterals: false, PenaltyBreakBeforeFirstCallParameter: 100000, "
    "PenaltyReturnTypeOnItsOwnLine: 20, PenaltyBreakAssignment: 30, Cpp11BracedListStyle: false, "
    "ForEachMacros: [igt_subtest, igt_subtest_f, igt_fixture, igt_fork, panthor_perf_for_each_block]}"
)


def code_of(text):
    """A piece without comments and strings."""
    return STRING.sub('""', COMMENT.sub(" ", text))


def pieces_of(text):
    """The pieces of a file: what blank lines outside of braces divide."""
    pieces, lines, depth = [], [], 0
    for line in [*text.splitlines(), ""]:
        if line or depth:
            lines.append(line)
            code = code_of(line)
            depth += code.count("{") - code.count("}")
        elif lines:
            pieces.append("\n".join(lines))
            lines = []
    return pieces


class Piece:
    """A function, a structure, an array, or a group of macros, with the comment before it."""

    def __init__(self, text):
        self.text = text
        code = code_of(text).strip()
        self.macros = DIRECTIVE.findall(code)
        self.kind, self.names = "other", set()
        if code.startswith("#include"):
            self.kind = "include"
        elif code.startswith("#"):
            self.kind, self.names = (
                ("macros", set(self.macros)) if self.macros else ("other", set())
            )
        elif code.endswith("};"):
            self.kind = "object"
            found = OBJECT.search(code)
            if found:
                self.names = {name for name in found.groups() if name}
        elif code.endswith("}"):
            found = FUNCTION.search(code)
            if found:
                self.kind, self.names = "function", {found[1]}
        self.uses = set(WORD.findall(code)) - (self.names if self.kind != "macros" else set())

    @property
    def name(self):
        """The name, of a piece that has one."""
        return next(iter(self.names))

    def without_unused(self, used):
        """A group of macros without those that are not used."""
        lines = self.text.split("\n")
        kept, skipping = [], False
        for line in lines:
            found = DIRECTIVE.match(line)
            if found:
                skipping = found[1] not in used
            if not skipping:
                kept.append(line)
            if skipping and not line.endswith("\\"):
                skipping = False
        return "\n".join(kept)


def parse(text):
    """The pieces of a file, without its first comments."""
    return [Piece(piece) for piece in pieces_of(text)]


def virtual_of(pieces, virtual):
    """The names of functions and objects that need the virtual GPU: those given, and all that use
    them."""
    virtual = set(virtual)
    while True:
        more = (
            {
                name
                for piece in pieces
                if piece.kind in ("function", "object") and piece.uses & virtual
                for name in piece.names
            }
            - virtual
            - {"igt_main"}
        )
        if not more:
            return virtual
        virtual |= more


def reachable(pieces, roots):
    """The names that the roots use, directly or not."""
    users = {name: piece for piece in pieces for name in piece.names}
    reached, todo = set(), list(roots)
    while todo:
        name = todo.pop()
        if name in reached:
            continue
        reached.add(name)
        if name in users:
            todo += users[name].uses
    return reached


def main_without(text, virtual):
    """igt_main() without the subtests that need the virtual GPU. Returns it and the number of those
    that are left."""
    head, _, rest = text.partition("\n{\n")
    body = rest[: rest.rindex("}")]
    groups = [group for group in re.split(r"\n\n", body.strip("\n"))]
    kept = [
        group
        for group in groups
        if "igt_subtest" not in group or not set(WORD.findall(code_of(group))) & virtual
    ]
    count = sum("igt_subtest" in group for group in kept)
    return f"{head}\n{{\n" + "\n\n".join(kept) + "\n}", count


class Library:
    """What the headers of tests/igt are in IGT: lib/igt_panthor_perf.[ch]."""

    def __init__(self, folder):
        self.pieces = []
        for header in HEADERS:
            with open(os.path.join(folder, header), encoding="utf-8") as file:
                self.pieces += [piece for piece in parse(file.read()) if piece.names]
        for piece in self.pieces:
            for name in piece.names & set(SEAMS):
                piece.text, count = SEAMS[name].subn("", piece.text)
                piece.text = piece.text.replace("{\n\n", "{\n")
                if not count:
                    raise Problem(f"{name}() has no line for the virtual GPU")
        self.pieces = [Piece(piece.text) for piece in self.pieces]
        self.virtual = virtual_of(self.pieces, VIRTUAL)
        self.names = {name for piece in self.pieces for name in piece.names} - self.virtual
        self.used = set()

    def need(self, names):
        """A test uses these names."""
        self.used |= reachable(
            [piece for piece in self.pieces if not piece.names & self.virtual], names & self.names
        )

    def _kept(self, *kinds):
        for piece in self.pieces:
            if piece.kind in kinds and piece.names & self.used and not piece.names & self.virtual:
                yield piece.without_unused(self.used) if piece.kind == "macros" else piece.text

    def header(self):
        """lib/igt_panthor_perf.h."""
        functions = [
            re.sub(r"^static inline ", "", COMMENT.sub("", text).strip())
            for text in self._kept("function")
        ]
        prototypes = [
            re.sub(r"\s+", " ", text[: text.index("\n{")]).replace("* ", "*") + ";"
            for text in functions
        ]
        return (
            "/* SPDX-License-Identifier: MIT */\n/* Copyright (c) 2026 The panthor-perf developers */\n\n"
            "#ifndef IGT_PANTHOR_PERF_H\n#define IGT_PANTHOR_PERF_H\n\n"
            "#include <limits.h>\n#include <stdbool.h>\n#include <stdint.h>\n#include <time.h>\n\n"
            '#include "panthor_drm.h"\n\n'
            + "\n\n".join([*self._kept("macros"), *self._kept("object"), "\n".join(prototypes)])
            + "\n\n#endif\n"
        )

    def source(self):
        """lib/igt_panthor_perf.c."""
        body = (
            "\n\n".join(
                re.sub(r"^static inline ", "", text, flags=re.M) for text in self._kept("function")
            )
            + "\n"
        )
        return (
            "// SPDX-License-Identifier: MIT\n// Copyright (c) 2026 The panthor-perf developers\n\n"
            + includes_of(body, [])
            + "/**\n * SECTION:igt_panthor_perf\n * @short_description: Performance counters of panthor\n"
            " * @title: Panthor performance counters\n * @include: igt_panthor_perf.h\n *\n"
            " * What the tests of panthor's performance counters share: a session with its buffer\n"
            " * objects, the reader of its ring, the way through a sample, samples with operations on\n"
            " * syncobjs, jobs of a few instructions, and the power of the GPU.\n */\n\n" + body
        )


class Test:
    """A test program in IGT."""

    def __init__(self, folder, name, library):
        with open(os.path.join(folder, name + ".c"), encoding="utf-8") as file:
            text = file.read()
        found = re.search(r"^/\*\*\n \* TEST: .*?\n \*/\n", text, re.M | re.S)
        if not found:
            raise Problem(f"{name}.c has no comment with TEST:")
        self.name = name
        self._document = found[0]
        self._start = text[: found.start()]
        pieces = parse(text[found.end() :])
        virtual = virtual_of(pieces, library.virtual)
        main = next((piece for piece in pieces if piece.names == {"igt_main"}), None)
        if not main:
            raise Problem(f"{name}.c has no igt_main()")
        main.text, self.count = main_without(main.text, virtual)
        pieces[pieces.index(main)] = main = Piece(main.text)
        left = set(WORD.findall(code_of(main.text)))
        reached = reachable([piece for piece in pieces if not piece.names & virtual], left) | {
            "igt_main"
        }
        if self.count and reached & (virtual - library.virtual):
            raise Problem(f"{name}.c: {' '.join(sorted(reached & virtual))} is left in it")
        library.need(reached if self.count else set())
        parts, includes = [], []
        for piece in pieces:
            if piece.kind == "include":
                includes += [line for line in piece.text.splitlines() if "<" in line]
            elif piece.kind == "macros":
                if piece.names & reached:
                    parts.append(piece.without_unused(reached))
            elif not piece.names or piece.names & reached:
                parts.append(piece.text)
        self._parts = parts
        self._includes = includes

    def source(self, subtests):
        """tests/panthor/NAME.c; subtests are names and descriptions, for the documentation."""
        document = self._document
        if subtests:
            entries = "".join(
                f" *\n * SUBTEST: {name}\n" + wrapped(f"Description: {text}")
                for name, text in subtests
            )
            document = document.replace("\n */\n", f"\n{entries} */\n")
        body = "\n\n".join(self._parts) + "\n"
        return f"{self._start}{document}\n{includes_of(body, self._includes)}{body}"


def includes_of(body, given):
    """The includes of a source file: those that are given, and those that its names need."""
    words = set(WORD.findall(code_of(body)))
    lines = {
        *given,
        *[
            f"#include <{header}>"
            for header, names in NEEDS.items()
            if any(re.fullmatch(names, word) for word in words)
        ],
    }
    own = [
        "igt.h",
        *(["igt_syncobj.h"] if any(word.startswith("syncobj_") for word in words) else []),
        f"{LIBRARY}.h",
    ]
    first = "".join(f"{line}\n" for line in sorted(lines))
    return (f"{first}\n" if first else "") + "".join(f'#include "{name}"\n' for name in own) + "\n"


def aligned(text):
    """A file with the values of macros in one column of a group."""
    simple = re.compile(r"(#define \w+(?:\([^)]*\))?)\t+([^\t\\\n]+)$")
    lines, group = text.split("\n"), []
    for number, line in enumerate([*lines, ""]):
        found = simple.match(line)
        if found:
            group.append((number, found))
            continue
        column = max((len(found[1]) for _, found in group), default=0) // 8 + 1
        for place, found in group:
            lines[place] = found[1] + "\t" * (column - len(found[1]) // 8) + found[2]
            if len(lines[place].expandtabs(8)) > 100:
                lines[place] = f"{found[1]} \\\n\t{found[2]}"
        group = []
    return "\n".join(lines)


def wrapped(text):
    """A line of a comment, or several."""
    lines, line = [], " *"
    for word in text.split():
        if len(line) + len(word) + 1 > 92:
            lines.append(line)
            line = " *  "
        line += f" {word}"
    return "\n".join([*lines, line]) + "\n"


def renamed(text, names):
    """A file with the library's names: perf_ becomes panthor_perf_, and so do macros that have no
    such prefix."""

    def new(match):
        word = match[0]
        if word not in names:
            return word
        if word.isupper() or re.fullmatch(r"[A-Z0-9_]+", word):
            return (
                PREFIX.upper() + word
                if word.startswith("PERF_")
                else f"{PREFIX.upper()}PERF_{word}"
            )
        return PREFIX + word

    return aligned(WORD.sub(new, text))


def ranges_of(old, new):
    """The lines of statements that renaming has made too long, or whose further lines stand
    elsewhere now."""
    before, after = old.splitlines(), new.splitlines()
    ranges, start, depth, changed = [], 0, 0, False
    for number, (one, two) in enumerate(zip(before, after)):
        code = code_of(two)
        if not depth:
            start, changed = number, False
        changed |= one != two
        depth += code.count("(") - code.count(")")
        depth = max(depth, 0)
        if (
            not depth
            and changed
            and not code.startswith(("#", " *"))
            and (number > start or len(two.expandtabs(8)) > 100)
        ):
            ranges.append((start + 1, number + 1))
    return ranges


def formatted(old, new, name):
    """A renamed file with its statements wrapped again."""
    ranges = ranges_of(old, new)
    if not ranges:
        return new
    run = subprocess.run(
        [
            "clang-format",
            f"--style={STYLE}",
            f"--assume-filename={name}",
            *[f"--lines={first}:{last}" for first, last in ranges],
        ],
        input=new.encode(),
        stdout=subprocess.PIPE,
        check=False,
    )
    if run.returncode:
        raise Problem("clang-format failed")
    return run.stdout.decode()
