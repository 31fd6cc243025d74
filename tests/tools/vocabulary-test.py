#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/vocabulary-test.py BIN [--table]

The same letter is the same option in all commands of BIN/panthor-perf-fake, and the same option has the same letter.
With --table, print which command has which option.
"""

import re
import subprocess
import sys

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


def main():
    program = f"{sys.argv[1]}/panthor-perf-fake"
    text = help_of(program)
    commands = re.findall(r"^  ([a-z]+) +\S", text[text.index("Commands:"):], re.M)
    check(len(commands) == 11 and "stat" in commands, "commands", commands)
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
    if "--table" in sys.argv:
        for name, spelt in sorted(names.items()):
            letter = next(iter(spelt))
            print(f"{'-' + letter if letter else '':3} --{name:15} " +
                  " ".join(command if command in spelt[letter] else "." * len(command) for command in commands))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
