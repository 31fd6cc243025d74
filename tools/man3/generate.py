#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tools/man3/generate.py VERSION FOLDER HEADER...
#
# Makes the manual pages of section 3 from the kernel-doc comments of the public headers: an overview with an example,
# libpanthor-perf(3), a page for each line of the file "groups", and for each function a link to its page. Of the
# header of the driver's interface, panthor_perf_drm.h, only the enumerations are taken.
# The names of the files are written to FOLDER/list. Something that is on no page, or has no
# description, is an error.

import fnmatch
import os
import re
import sys

LINE = 78
INTERFACE = "panthor_perf_drm.h"
EXAMPLE = "minimal.c"


def fail(text):
    sys.exit(f"generate: {text}")


def escape(text):
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")


def inline(text):
    """The marks of kernel-doc as fonts."""
    out = []
    pattern = (r"%(-?\w+)|&(?:struct |enum )?([\w.]+)|(?<!\w)@(\w+)|\b(panthor_perf_\w+)\(\)"
               r"|\*\*(.+?)\*\*")
    pos = 0
    for match in re.finditer(pattern, text):
        out.append(escape(text[pos:match.start()]))
        constant, struct, argument, function, bold = match.groups()
        if constant:
            out.append(f"\\fB{escape(constant)}\\fP")
        elif struct:
            dot = "." if struct.endswith(".") else ""
            kind = "struct " if match.group(0).startswith("&struct ") else (
                "enum " if match.group(0).startswith("&enum ") else "")
            out.append(f"\\fB{kind}{escape(struct.rstrip('.'))}\\fP{dot}")
        elif argument:
            out.append(f"\\fI{escape(argument)}\\fP")
        elif function:
            out.append(f"\\fB{escape(function)}\\fP()")
        else:
            out.append(f"\\fB{escape(bold)}\\fP")
        pos = match.end()
    out.append(escape(text[pos:]))
    return "".join(out)


def guard(line):
    """A line of text that must not be taken for a request."""
    return "\\&" + line if line[:1] in (".", "'") else line


def wrapped(text):
    """Text as lines of the source, each sentence on its own, as roff likes it."""
    lines = []
    for sentence in re.split(r"(?<=[.!?:;])\s+(?=[A-Z&@%])", " ".join(text.split())):
        line = ""
        for word in inline(sentence).split():
            if line and len(line) + 1 + len(word) > LINE:
                lines.append(guard(line))
                line = ""
            line = f"{line} {word}" if line else word
        if line:
            lines.append(guard(line))
    return lines


def literal(lines):
    return [".PP", ".RS 4", ".nf"] + [guard(escape(l).rstrip()) or "\\&" for l in lines] + [
        ".fi", ".RE"]


def table(lines):
    """A simple table of two columns: an item for each row."""
    width = len(lines[0].split()[0]) + 2
    out = []
    for line in lines[1:]:
        if line.startswith("==="):
            continue
        head, text = line[:width].strip(), line[width:].strip()
        if head:
            out += [".TP 16", f"\\fB{escape(head)}\\fP"]
        out += wrapped(text)
    return out


def body(lines):
    """Paragraphs, literal blocks, lists and tables of a comment."""
    out = []
    i = 0
    while i < len(lines):
        line = lines[i]
        if not line.strip():
            i += 1
            continue
        if line.startswith("==="):
            start = i
            while i < len(lines) and lines[i].strip():
                i += 1
            out += table(lines[start:i])
            continue
        if line.startswith("- "):
            item = [line[2:]]
            i += 1
            while i < len(lines) and lines[i].startswith("  "):
                item.append(lines[i].strip())
                i += 1
            out += [".IP \\(bu 2"] + wrapped(" ".join(item))
            continue
        start = i
        while i < len(lines) and lines[i].strip() and not lines[i].startswith(("===", "- ")):
            i += 1
        text = " ".join(lines[start:i]).strip()
        code = text.endswith("::")
        out += [".PP"] + wrapped(text[:-1] if code else text)
        if code:
            block = []
            while i < len(lines) and (not lines[i].strip() or lines[i][:1] in "\t "):
                block.append(lines[i].expandtabs(8))
                i += 1
            while block and not block[-1].strip():
                block.pop()
            while block and not block[0].strip():
                block.pop(0)
            indent = min(len(l) - len(l.lstrip()) for l in block if l.strip())
            out += literal([l[indent:] for l in block])
    return out


class Item:
    """A comment, what it is about, and the declaration behind it."""

    def __init__(self, header, comment, declaration):
        lines = [re.sub(r"^ \* ?", "", l) for l in comment.split("\n")]
        self.header = header
        self.declaration = declaration
        self.arguments = []
        self.returns = []
        head = lines.pop(0)
        self.is_doc = head.startswith("DOC: ")
        if self.is_doc:
            self.name, self.title = head[5:], ""
        else:
            match = re.match(r"(?:(struct|enum|define|typedef) )?(\w+)(?:\(\))? - (.*)", head)
            if not match:
                fail(f"{header}: cannot read '{head}'")
            self.kind, self.name, self.title = match.groups()
            self.kind = self.kind or "function"
        self.text = []
        into = None
        for line in lines:
            argument = re.match(r"@(\w+): ?(.*)", line)
            if not self.is_doc and argument:
                into = [argument.group(2)]
                self.arguments.append((argument.group(1), into))
            elif line.startswith("Return: "):
                into = self.returns
                into.append(line[8:])
            elif into is not None and line.strip():
                into.append(line.strip())
            elif into is self.returns and self.returns:
                into.append("")
            else:
                into = None
                self.text.append(line)
        while self.text and not self.text[0].strip():
            self.text.pop(0)

    def members(self):
        """The fields of a structure, the values of an enumeration: their comments are inside."""
        found = []
        for match in re.finditer(r"/\*\*\s*\n?(.*?)\*/", self.declaration, re.S):
            text = " ".join(re.sub(r"^\s*\*", "", l).strip()
                            for l in match.group(1).split("\n")).strip()
            part = re.match(r"@(\w+): (.*)", text)
            if not part:
                fail(f"{self.header}: {self.name}: cannot read '{text}'")
            found.append(part.groups())
        return found

    def synopsis(self):
        code = re.sub(r"/\*.*?\*/", "", self.declaration, flags=re.S)
        if self.kind == "function":
            code = " ".join(code.split("{")[0].replace("static inline ", "").split()).rstrip(";")
            first, rest = code.split("(", 1)
            arguments = re.split(r",\s*(?![^(]*\))", rest[:-1])
            text = f"\\fB{escape(first)}(\\fP"
            shown = []
            for argument in arguments:
                part = re.match(r"^(.*?)(\w+)((?:\[\])?)$", argument)
                if argument == "void" or not part or "(*" in argument:
                    shown.append(f"\\fB{escape(argument)}\\fP")
                else:
                    shown.append(f"\\fB{escape(part.group(1))}\\fP\\fI{part.group(2)}\\fP"
                                 f"{part.group(3)}")
            return [".HP 4", text + ", ".join(shown) + "\\fB);\\fP"]
        if self.kind == "define":
            return [".HP 4", f"\\fB{escape(' '.join(code.rstrip(chr(92)).split()))}\\fP"]
        if self.kind == "struct" and "{" in code:
            lines = [line.expandtabs(8) for line in code.rstrip().split("\n") if line.strip()]
            return [".PP", ".nf"] + [f"\\fB{guard(escape(line))}\\fP" for line in lines] + [".fi"]
        return [".HP 4", f"\\fB{self.kind} {escape(self.name)}\\fP"]


def read(path):
    header = os.path.basename(path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    items = []
    for match in re.finditer(r"^/\*\* *(.*?) *\*/\n*", text, re.M | re.S):
        comment = match.group(1).strip("\n")
        comment = re.sub(r"^\n? \* ", "", comment, count=1)
        rest = text[match.end():]
        if rest.startswith("#define"):
            declaration = rest.split("\n", 1)[0]
        elif re.match(r"(struct|enum) \w+ \{", rest):
            declaration = rest[:rest.index("\n};") + 3]
        else:
            end = re.search(r";|\n\{", rest)
            declaration = rest[:end.end()] if end else ""
        items.append(Item(header, comment, declaration))
    return items


def header_of(name, title, version, section="3"):
    # The date of a page is that of its version: pages of one version are the same everywhere.
    return [f'.TH {escape(name)} {section} "" "libpanthor\\-perf {version}" '
            '"Mali counters"',
            ".SH NAME", f"{escape(name)} \\- {escape(title)}"]


def see_also(pages, this):
    names = sorted(p for p in ["libpanthor-perf"] + pages if p != this)
    out = [".SH SEE ALSO"]
    out += [f".BR {escape(name)} (3)," for name in names] + [".BR panthor\\-perf (1)"]
    return out


def page(name, title, items, docs, pages, version):
    out = header_of(name, title, version)
    # whatis finds the functions by the page that they are on.
    functions = [i for i in items if i.kind == "function"]
    others = [i for i in items if i.kind != "function"]
    out += [".SH SYNOPSIS", ".nf"]
    for header in sorted({i.header for i in items}):
        out.append(f"\\fB#include <{escape('panthor_perf.h' if header == INTERFACE else header)}>\\fP")
    # Declarations are not to be hyphenated or stretched.
    out += [".fi", ".nh", ".ad l", ".PD 0", ".PP"]
    for item in others + functions:
        out += item.synopsis()
    out += [".PD", ".ad", ".hy", ".PP", "Link with \\fI\\-lpanthor\\-perf\\fP; \\fBpkg\\-config\\fP knows it as "
            "\\fIlibpanthor\\-perf\\fP.", ".SH DESCRIPTION"]
    for doc in docs:
        out += body(doc.text)
    for item in functions + others:
        out.append(f".SS {escape(item.name)}{'()' if item.kind == 'function' else ''}")
        out += wrapped(item.title + ("" if item.title[-1] in ".?" else "."))
        for argument, text in item.arguments:
            out += [".TP", f"\\fI{argument}\\fP"] + wrapped(" ".join(text))
        if item.kind in ("struct", "enum"):
            for member, text in item.members():
                out += [".TP", f"\\fB{escape(member)}\\fP"] + wrapped(text)
        out += body(item.text)
        if item.returns:
            out += [".PP", "Return value:"] + wrapped(" ".join(item.returns))
    return out + see_also(pages, name)


def main():
    if len(sys.argv) < 4 or sys.argv[1] == "--help":
        with open(__file__, encoding="utf-8") as file:
            sys.exit("".join(l[2:] if l[1:2] == " " else l[1:] for l in file.readlines()[3:11]))
    version, folder = sys.argv[1:3]
    items, docs = [], {}
    for path in sys.argv[3:]:
        for item in read(path):
            if item.header == INTERFACE and (item.is_doc or item.kind != "enum"):
                continue
            if item.is_doc:
                docs[item.name] = item
            else:
                items.append(item)

    groups = []
    with open(os.path.join(os.path.dirname(__file__), "groups"), encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                groups.append([part.strip() for part in line.split("|")])
    pages = [group[0] for group in groups]
    extra = {"panthor_perf_table": "Counter tables", "panthor_perf_selection": "Selections"}

    written = {}
    for name, title, patterns in groups:
        mine = []
        for item in list(items):
            if any(fnmatch.fnmatchcase(item.name, p) for p in patterns.split()):
                mine.append(item)
                items.remove(item)
        if not mine:
            fail(f"nothing is on the page {name}")
        about = [docs[extra[name]]] if extra.get(name) in docs else []
        written[name + ".3"] = page(name, title, mine, about, pages, version)
        for item in mine:
            if item.name != name:
                written[item.name + ".3"] = [f".so man3/{name}.3"]
    if items:
        fail("on no page: " + " ".join(i.name for i in items))

    text = header_of("libpanthor-perf", "performance counters of Mali CSF GPUs", version)
    text += [".SH DESCRIPTION"] + body(docs["Overview"].text)
    with open(os.path.join(os.path.dirname(__file__), "..", "examples", EXAMPLE), encoding="utf-8") as file:
        example = file.read().split("\n\n", 1)[1].rstrip()
    text += [".SH EXAMPLE"] + literal(example.expandtabs(8).split("\n"))
    text += [".SH FILES", ".TP", ".I /usr/share/doc/libpanthor\\-perf\\-dev/examples",
             "this example and others, where Debian's packages put them"]
    text += [".SH PAGES"]
    for name, title, _ in groups:
        text += [".TP", f".BR {escape(name)} (3)", escape(title)]
    text += see_also(pages, "libpanthor-perf")
    written["libpanthor-perf.3"] = text

    os.makedirs(folder, exist_ok=True)
    for old in os.listdir(folder):
        os.unlink(os.path.join(folder, old))
    for name, lines in written.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    with open(os.path.join(folder, "list"), "w", encoding="utf-8") as file:
        file.write("\n".join(sorted(written)) + "\n")


main()
