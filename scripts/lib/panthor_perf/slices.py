# SPDX-License-Identifier: GPL-2.0 or MIT
"""The parts of a source file that a series for mainline does not have yet.

A part that is a whole is found by its name: a file, a function, a structure, a member, an initialiser, or a statement
that uses such a name. Parts of functions without a name are between "#ifdef PANTHOR_PERF_WITH_FEATURE" and "#endif",
the seams, which unifdef resolves. What is left of a name in a file is an error: such a place needs a seam."""

import re
import subprocess

SEAM = "PANTHOR_PERF_WITH_"
CONTROL = re.compile(r"\t+(?:if|for|while|switch|return|do|else|list_for_each\w*|scoped_guard|case|default|goto)\b")


class Problem(Exception):
    """A file is not what the transformation expects."""


class Names:
    """What goes: names of all files, members of structures, and places in single files."""

    def __init__(self, name, names, members=(), places=()):
        self.name = name
        self.names = set(names)
        self.members = {tuple(member.split(".")) for member in members}
        self.places = set(places)
        self.pattern = re.compile(r"\b(?:" + "|".join(sorted(map(re.escape, self.names), key=len, reverse=True)) +
                                  r")\b") if self.names else None

    def used_in(self, text):
        """The first of the names that text has, or None."""
        found = self.pattern.search(text) if self.pattern else None
        return found and found[0]

    def places_of(self, text):
        """Whether a statement is the assignment to one of the places, or an initialiser among them."""
        found = re.match(r"\t+(\.?[\w>.-]+(?:\[\w+\])?)(?:\+\+;| [|+&-]?= )", text)
        return found and (found[1] in self.places or re.match(r"\.?[^.]*", found[1])[0] in self.places)


def unifdef(text, present, absent):
    """Resolve the seams."""
    if SEAM not in text:
        return text
    run = subprocess.run(["unifdef", "-k", *(f"-D{SEAM}{name}" for name in present),
                          *(f"-U{SEAM}{name}" for name in absent)], input=text, stdout=subprocess.PIPE,
                         check=False, encoding="utf-8")
    if run.returncode > 1 or SEAM in run.stdout:
        raise Problem(f"a seam of an unknown feature: {re.findall(SEAM + '[A-Z_]+', run.stdout)[:1]}")
    return run.stdout


def comment_start(lines, first):
    """The first line of the comment directly above a line, or the line itself."""
    above = first - 1
    if above < 0 or not lines[above].rstrip().endswith("*/"):
        return first
    while above >= 0 and "/*" not in lines[above]:
        above -= 1
    # A comment behind code belongs to that.
    return above if re.match(r"\s*/\*", lines[above]) else first


def cut(lines, first, last):
    """Remove lines first to last, and one of two blank lines that meet."""
    del lines[first:last + 1]
    before = lines[first - 1] if first else ""
    after = lines[first] if first < len(lines) else ""
    if not after.strip() and (not before.strip() or before.rstrip().endswith("{")):
        if first < len(lines):
            del lines[first]
    elif not before.strip() and re.match(r"\t*\}", after) and first:
        del lines[first - 1]
        return first - 1
    return first


def item_end(lines, first):
    """The last line of the definition, declaration or macro that begins at column 0."""
    last = first
    if re.search(r"\{.*\}$", lines[first]):
        return last
    if lines[first].startswith("#"):
        while lines[last].rstrip().endswith("\\"):
            last += 1
        return last
    while last < len(lines):
        if last > first and re.match(r"[}\])].*;?$", lines[last]) or lines[last].rstrip().endswith(";"):
            if not lines[last].startswith("\t") or lines[last].rstrip().endswith(";") and not has_body(lines, first):
                return last
        last += 1
    raise Problem(f"'{lines[first]}' has no end")


def has_body(lines, first):
    """Whether braces follow before the first semicolon."""
    for line in lines[first:]:
        if line.startswith("{") or line.rstrip().endswith("{"):
            return True
        if line.rstrip().endswith(";"):
            return False
    return False


def heading_of(lines, first):
    """The part of an item that has its name: up to its body or its arguments."""
    text = lines[first]
    if first + 1 < len(lines) and not re.search(r"[;{(=]", text):
        text += " " + lines[first + 1]
    return re.split(r"[(={]", text.replace("__printf(", ""), maxsplit=1)[0] if not text.startswith("#") else text


def cut_items(lines, gone):
    """Remove definitions and declarations at column 0 by their names, and DOC comments by their titles."""
    at = 0
    while at < len(lines):
        line = lines[at]
        title = re.match(r" \* DOC: (.*)", line)
        if title and f"DOC: {title[1]}" in gone.names:
            last = at
            while "*/" not in lines[last]:
                last += 1
            at = cut(lines, at - 1, last)
            continue
        if re.match(r"[a-zA-Z]|#define ", line) and not re.match(r"\w+:$", line):
            heading = heading_of(lines, at)
            name = re.match(r"#define (\w+)", heading) or \
                re.match(r"(?:static_assert|DEFINE_\w+|DECLARE_\w+)$", heading.strip()) or \
                re.search(r"(\w+)(?:\[[^\]]*\])*;?\s*$", heading)
            whole = "\n".join(lines[at:item_end(lines, at) + 1]) if name else ""
            hit = name and (name[0] if name.lastindex is None else name[1]) in gone.names
            if name and name.lastindex is None:
                hit = gone.used_in(whole)
            if heading.startswith("#define") and not hit:
                hit = gone.used_in(whole)
            if hit:
                first = comment_start(lines, at)
                at = cut(lines, first, item_end(lines, at))
                continue
        at += 1


def cut_bullets(lines, gone):
    """Remove the items of lists in comments that refer to a name."""
    at = 0
    while at < len(lines):
        if lines[at].startswith(" * - "):
            last = at
            while re.match(r" \*   ", lines[last + 1]):
                last += 1
            text = " ".join(lines[at:last + 1])
            refers = {tuple(found) for found in re.findall(r"&(\w+)\.(\w+)", text)}
            if gone.used_in(text) or refers & gone.members:
                del lines[at:last + 1]
                continue
        at += 1


def cut_members(lines, gone):
    """Remove members of structures."""
    at, inside = 0, None
    while at < len(lines):
        line = lines[at]
        found = re.match(r"struct (\w+) \{", line)
        inside = found[1] if found else None if line.startswith("}") else inside
        member = inside and re.match(r"\t[\w\s*]*?\(?\*?(\w+)(?:\)\[\w+\]|\)\(.*|\[[^;]*\])?(?: __\w+\(\w+\))?;$", line)
        if inside and re.match(r"\tDECLARE_BITMAP\(", line):
            member = None
        if member and ((inside, member[1]) in gone.members or gone.used_in(line)):
            at = cut(lines, comment_start(lines, at), at)
            continue
        at += 1


def statement_end(lines, first):
    """The last line of the statement, control head or initialiser that begins in a line."""
    depth, last = 0, first
    while last < len(lines):
        code = re.sub(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/', '""', lines[last])
        depth += sum(code.count(c) for c in "([") - sum(code.count(c) for c in ")]")
        code = code.rstrip()
        if depth <= 0 and (code.endswith((";", "{", "}", ",", ":")) or CONTROL.match(lines[first])):
            return last
        last += 1
    raise Problem(f"'{lines[first].strip()}' has no end")


def cut_statements(lines, gone, name):
    """Remove statements, initialisers and case labels that use a name."""
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.startswith("\t") or re.match(r"\t+ ?(/?\*|//)", line):
            at += 1
            continue
        last = statement_end(lines, at)
        text = "\n".join(lines[at:last + 1])
        used = gone.used_in(re.sub(r"/\*.*?\*/", "", text, flags=re.S))
        if not used and not gone.places_of(text):
            at = last + 1
            continue
        label = re.match(r"\t+case \w+:$", text)
        if CONTROL.match(text) and not label:
            # The body of the head is looked at first.
            raise Problem(f"{name}:{at + 1}: '{used}' is part of '{text.strip()}': it needs a seam")
        first = comment_start(lines, at)
        above = first - 1
        head = lines[above] if above >= 0 else ""
        if label and not re.match(r"\t+(case|default)\b", lines[last + 1]) and not re.match(r"\t+case\b", head):
            raise Problem(f"{name}:{at + 1}: {text.strip()} has statements of its own: it needs a seam")
        if re.match(r"\t+(if|else|for|list_for_each\w*) ?\(?", head) and head.rstrip().endswith(")") or \
                re.match(r"\t+else$", head):
            if re.match(r"\t+else\b", lines[last + 1] if last + 1 < len(lines) else "") or "else" in head:
                raise Problem(f"{name}:{at + 1}: '{used}' is in a branch of an if: it needs a seam")
            first = comment_start(lines, above)
        at = cut(lines, first, last)


def cut_heads(lines, gone):
    """Remove an if of one line that uses a name, with its only statement, which uses none."""
    at = 0
    while at + 1 < len(lines):
        line = lines[at]
        if re.match(r"\t+if \(.*\)$", line) and gone.used_in(line):
            last = statement_end(lines, at + 1)
            if lines[last].rstrip().endswith(";") and \
                    not re.match(r"\t+else\b", lines[last + 1] if last + 1 < len(lines) else ""):
                at = cut(lines, comment_start(lines, at), last)
                continue
        at += 1


def cut_includes(lines, files):
    """Remove the includes of headers that are not there yet, or that are not needed yet."""
    at = 0
    while at < len(lines):
        found = re.match(r'#include (?:"(?:tests/)?(\w+\.h)"|<(.*)>)', lines[at])
        at = cut(lines, at, at) if found and (found[1] or found[2]) in files else at + 1


def slice_of(name, text, gone, headers, present, absent):
    """A file of a series: without what the others have in gone, and without the headers."""
    lines = unifdef(text, present, absent).split("\n")
    cut_includes(lines, headers)
    cut_items(lines, gone)
    cut_bullets(lines, gone)
    cut_members(lines, gone)
    cut_heads(lines, gone)
    cut_statements(lines, gone, name)
    text = "\n".join(lines)
    left = gone.used_in(text)
    if left:
        line = text[:text.index(left)].count("\n")
        raise Problem(f"{name}:{line + 1}: {left} is left in '{text.splitlines()[line].strip()}'")
    return text


def seams_of(text):
    """Seams of a file: pairs of a first line and its number of lines. Raises Problem for a forbidden form."""
    seams, start = [], None
    depth = []
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"#\s*if", line):
            if SEAM in line:
                if not re.match(rf"#ifn?def {SEAM}[A-Z_]+$", line):
                    raise Problem(f"line {number}: '{line}' is not of the form #ifdef {SEAM}FEATURE")
                if start:
                    raise Problem(f"line {number}: a seam in the seam of line {start}")
                start = number
            depth.append(SEAM in line)
        elif re.match(r"#\s*(else|elif)", line) and depth and depth[-1]:
            raise Problem(f"line {number}: a seam has no #else")
        elif re.match(r"#\s*endif", line) and depth and depth.pop():
            seams.append((start, number - start - 1))
            start = None
    return seams
