#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Check that the prose uses the words of the field: scripts/check/words lists the words to avoid.

usage: scripts/check/words.py [--names] [--list FILE] [PATH...]

The script checks each PATH (a file, or a folder with the files below it); without PATH it checks the paths of the
list. It checks the comments and strings of C files, and the whole text of other files, except code between backquotes.
With --names it also checks the identifiers of C files. For each occurrence it prints a line "FILE:LINE: WORD", then for
each file a line "ok FILE" or "not ok FILE". The exit status is 1 if there is an occurrence."""

import argparse
import fnmatch
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
LIST = os.path.join(TOP, "scripts/check/words")
KINDS = (".1", ".3", ".c", ".h", ".md", ".py", ".rst", ".sh")
COMMENT_OR_STRING = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"'


def blank(match, group=0):
    """As many blanks, with the line breaks of the group."""
    return re.sub(r"[^\n]", " ", match.group(group))


def prose_of(text, path):
    """The comments, strings or prose of a file. Each character keeps its offset."""
    if path.endswith((".c", ".h")):
        text = re.sub(rf"(?s)(.*?)({COMMENT_OR_STRING}|\Z)", lambda match: blank(match, 1) + match.group(2), text)
        return re.sub(r"(?m)^\s*(\*|//)(?=\s)", blank, text)
    return re.sub(r"(`+)[^`]+\1" if path.endswith((".md", ".rst")) else r"(?m)^\s*#(?=\s)", blank, text)


class Words:
    """The list of words."""

    def __init__(self, path):
        self.paths, self.words, self.names, self._allowed = [], [], [], []
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                kind, _, rest = line.strip().partition(" ")
                if kind == "path":
                    self.paths.append(rest)
                elif kind == "word":
                    self.words.append(re.compile(r"(?<![\w-])(?:" + rest.replace(" ", r"\s+") + r")(?![\w-])", re.I))
                elif kind == "name":
                    self.names.append(re.compile(rf"\b\w*?(?<![a-zA-Z])(?:{rest})(?![a-zA-Z])\w*"))
                elif kind == "allow":
                    pattern, _, regex = rest.partition(" ")
                    self._allowed.append((pattern, re.compile(regex)))
                elif kind and not kind.startswith("#"):
                    sys.exit(f"{path}:{number}: '{kind}' is none of path, word, name, allow")

    def found(self, path, names):
        """Line and text of each occurrence in a file."""
        shown = os.path.relpath(path, TOP)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        allowed = [regex for pattern, regex in self._allowed if fnmatch.fnmatch(shown, pattern)]
        regexes = [(regex, prose_of(text, path)) for regex in self.words]
        if names and path.endswith((".c", ".h")):
            code = re.sub(rf"(?s){COMMENT_OR_STRING}", blank, text)
            regexes += [(regex, code) for regex in self.names]
        for regex, part in regexes:
            for match in regex.finditer(part):
                first = text.rfind("\n", 0, match.start()) + 1
                last = text.find("\n", match.end())
                if not any(exception.search(text[first:last]) for exception in allowed):
                    yield text.count("\n", 0, match.start()) + 1, " ".join(match.group().split())


def main():
    parser = argparse.ArgumentParser(usage=argparse.SUPPRESS, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", action="store_true")
    parser.add_argument("--list", default=LIST)
    parser.add_argument("paths", nargs="*")
    args = parser.parse_args()
    words = Words(args.list)
    files, status = [], 0
    for path in args.paths or [os.path.join(TOP, path) for path in words.paths]:
        below = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
        files += [path] if os.path.isfile(path) else sorted(name for name in below if name.endswith(KINDS))
        status = status if below or os.path.isfile(path) else f"{path}: no such file or folder"
    for path in files:
        found = sorted(words.found(os.path.realpath(path), args.names))
        for line, word in found:
            print(f"{os.path.relpath(path)}:{line}: {word}")
        print(f"{'not ok' if found else 'ok'} {os.path.relpath(path)}")
        status = status or int(bool(found))
    sys.exit(status)


if __name__ == "__main__":
    main()
