#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/vocabulary-test.py BIN [--table]

The same letter is the same option in all commands of BIN/panthor-perf-fake, and the same option has the same letter. The
command lines of the documents have no other options. With --table, print which command has which option.
"""

import glob
import os
import re
import shlex
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../..")

# A command line in a manual page, a README or the documentation; a description may follow after two blanks.
LINE = re.compile(r"^\s*(?:\.Dl |\$ |# )?(?:sudo (?:-\S+ )*)?panthor-perf ([a-z]+)\b( \S.*|)$")

# Explanations have more blanks in front.
OPTION = re.compile(r"^  (?:-(\w), |    )--([a-z][a-z-]*)", re.M)
failed = False


def check(good, name, why=""):
    global failed
    print(f"ok {name}" if good else f"not ok {name} - {why}")
    failed |= not good


def help_of(program, *words):
    run = subprocess.run([program, *words, "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return run.stdout.decode()


def command_lines(path):
    """Return the command lines of a document, as (number of the line, command, words)."""
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            found = LINE.match(line.rstrip())
            if not found:
                continue
            try:
                words = shlex.split(found.group(2).split("  ")[0])
            except ValueError:
                continue
            for end in ("--", "|", ">", "<", "&"):
                words = words[:words.index(end)] if end in words else words
            yield number, found.group(1), words


def wrong_options(words, found):
    """Return those words that are options which a command has not."""
    letters = {letter for letter, _name in found if letter} | set("h?V")
    names = {name for _letter, name in found} | {"help", "usage", "version"}
    return [word for word in words
            if (word.startswith("--") and word[2:].split("=")[0] not in names) or
            (re.match(r"-[A-Za-z?]", word) and word[1] not in letters)]


def check_documents(options):
    """Check the command lines of all documents."""
    paths = [path for pattern in ("*.md", "tools/*.md", "tools/man/*.1", "Documentation/**/*.rst", "Documentation/**/*.md")
             for path in glob.glob(os.path.join(TOP, pattern), recursive=True)]
    count = 0
    for path in sorted(paths):
        wrong = []
        for number, command, words in command_lines(path):
            count += 1
            if command not in options:
                wrong.append(f"{number}: no command {command}")
            else:
                wrong += [f"{number}: {command} has no {word}" for word in wrong_options(words, options[command])]
        check(not wrong, f"command lines of {os.path.relpath(path, TOP)}", "; ".join(wrong))
    check(count > 50, "command lines of documents", count)


def main():
    program = f"{sys.argv[1]}/panthor-perf-fake"
    text = help_of(program)
    commands = re.findall(r"^  ([a-z]+) +\S", text[text.index("Commands:"):], re.M)
    check(len(commands) == 12 and "stat" in commands, "commands", commands)
    options = {command: OPTION.findall(help_of(program, command)) for command in commands}
    letters, names = {}, {}
    for command, found in options.items():
        check(("", "usage") in found and len(found) > 3, f"options of {command}", found)
        for letter, name in found:
            names.setdefault(name, {}).setdefault(letter, []).append(command)
            if letter:
                letters.setdefault(letter, {}).setdefault(name, []).append(command)
    for letter, meanings in sorted(letters.items()):
        check(len(meanings) == 1, f"-{letter}", meanings)
    for name, spelt in sorted(names.items()):
        check(len(spelt) == 1, f"--{name}", spelt)
    # What commands that are alike must have.
    for names_of, those in (("stat top record", "event interval samples set allow-suspend"),
                            ("stat record", "duration delay wakeup compact slots output"),
                            ("report export plot diff", "event per-instance from to counters"),
                            ("stat report diff", "csv separator json output per-instance"),
                            ("list info selftest", "json"),
                            ("list info stat top record selftest run", "device")):
        for command in names_of.split():
            missing = set(those.split()) - {name for _letter, name in options[command]}
            check(not missing, f"{command} has {those}", missing)
    check(wrong_options(["-s", "--marks", "-I5", "--per-instance", "-7"], [("I", "interval"), ("i", "per-instance")]) ==
          ["-s", "--marks"], "wrong options are found")
    check_documents(options)
    if "--table" in sys.argv:
        for name, spelt in sorted(names.items()):
            letter = next(iter(spelt))
            print(f"{'-' + letter if letter else '':3} --{name:15} " +
                  " ".join(command if command in spelt[letter] else "." * len(command) for command in commands))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
