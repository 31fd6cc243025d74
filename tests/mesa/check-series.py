#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Check the patches of scripts/mesa-series.py: that git am applies them, their form, and that
sources which they are not for are refused. Prints "ok NAME" or "not ok NAME - why"; "skip NAME" if
the archive has no such source of Mesa."""

import os
import re
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(TOP, "scripts", "lib"))
sys.dont_write_bytecode = True

from panthor_perf.settings import BUILD, text_of, write  # noqa: E402

SERIES = os.path.join(BUILD, "mesa-series")
OUT = os.path.join(BUILD, "mesa-series-check")
TABLE = os.path.join(TOP, "tools/counters/G710.counters")
# Categories of Mesa, in their order, and the blocks of our tables.
BLOCKS = ("cshw", "tiler", "memsys", "shader")
failed = 0


def result(name, why=""):
    """One line."""
    global failed  # pylint: disable=global-statement
    failed += bool(why)
    print(f"not ok {name} - {why}" if why else f"ok {name}", flush=True)


def series(*arguments):
    """Run the script; its status and its last line."""
    run = subprocess.run(
        [os.path.join(TOP, "scripts/mesa-series.py"), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return run.returncode, run.stdout.decode().strip()


def table_of(path):
    """The counters of our table, by block: index and text."""
    blocks, block = {}, None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if found := re.match(r"block\s+(\w+)", line):
                block = blocks.setdefault(found[1], [])
            elif line.startswith("derived"):
                block = None
            elif block is not None and (
                found := re.match(r'\s*(\d+)\s+\w+\s+\w+\s+"([^"]*)"', line)
            ):
                block.append((int(found[1]), found[2]))
    return blocks


def check_patches(patches):
    """The form of the patches."""
    names = sorted(os.listdir(patches))
    texts = {name: text_of(os.path.join(patches, name)) for name in names}
    messages = {name: text.split("\n---\n")[0] for name, text in texts.items()}
    long = [
        f"{name}: {line}"
        for name, message in messages.items()
        for line in message.splitlines()
        if len(line) > 75 and not line.startswith(("From ", "Subject:"))
    ]
    result("lines of the messages have at most 75 characters", long[0] if long else "")
    subjects = [
        re.search(r"^Subject: \[PATCH mesa \d/4\] (.*(?:\n .*)*)", message, re.M)
        for message in messages.values()
    ]
    wrong = [
        name
        for name, found in zip(names, subjects)
        if not found
        or not re.match(r"(?:drm-uapi|pan/perf|pps): [A-Z]", found[1])
        or len(found[1].replace("\n", "")) > 75
    ]
    result("subjects begin with a module of Mesa, and are short", " ".join(wrong))
    unsigned = [
        name for name in names[1:] if "\nSigned-off-by: A B <a@b.example>\n" not in texts[name]
    ]
    result("all patches are signed off", " ".join(unsigned))
    bad = [
        f"{name}: {line}"
        for name in names
        for line in texts[name].splitlines()
        if line.startswith("+")
        and not line.startswith("+++")
        and (
            line != line.rstrip()
            or "drm-uapi" not in name
            and ("\t" in line or len(line) > 81 and '"' not in line)
        )
    ]
    result(
        "lines have no tabs, no blanks at the end, and at most 80 characters without their strings",
        bad[0] if bad else "",
    )


def check_tables(tree):
    """Mesa's tables against ours."""
    ours = table_of(TABLE)
    for name, identifier in (("G310", "TVAx"), ("G610", "TVIx")):
        text = text_of(os.path.join(tree, "src/panfrost/perf", f"{name}.xml"))
        categories = re.findall(r"<category .*?</category>", text, re.S)
        theirs = [
            [
                (int(offset), title)
                for offset, title in re.findall(r'offset="(\d+)".*? name="([^"]*)"', category)
            ]
            for category in categories
        ]
        why = ""
        if f'<metrics id="{identifier}">' not in text:
            why = f"its id is not {identifier}"
        elif theirs != [ours[block] for block in BLOCKS]:
            why = "its counters are not those of tools/counters"
        elif max(offset for category in theirs for offset, _ in category) > 63:
            why = "a counter has no place"
        result(f"the table {name} has our counters", why)


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    status, said = series("--from", "A B <a@b.example>")
    if status == 3:
        print("skip the patches: no source of Mesa in the archive that they are for")
        return
    result("git am applies the patches to Mesa's source", said.splitlines()[-1] if status else "")
    if status:
        sys.exit(1)
    tree = os.path.join(SERIES, "mesa")
    check_patches(os.path.join(SERIES, "patches"))
    check_tables(tree)
    # The source with a change that the semantic patch does not fit.
    for name, old, new, why in (
        (
            "another name of dump",
            "panfrost_perf_dump",
            "panfrost_perf_get",
            "name the back-end after the semantic patch",
        ),
        ("no list of tables", "pan_hw_metrics = [", "tables = [", "has no list pan_hw_metrics"),
    ):
        changed = os.path.join(OUT, "mesa")
        shutil.rmtree(changed, ignore_errors=True)
        patched = os.path.join(SERIES, "mesa")
        for path in (
            subprocess.run(
                ["git", "-C", patched, "ls-tree", "-r", "--name-only", "HEAD~4"],
                stdout=subprocess.PIPE,
                check=True,
            )
            .stdout.decode()
            .split()
        ):
            text = subprocess.run(
                ["git", "-C", patched, "show", f"HEAD~4:{path}"], stdout=subprocess.PIPE, check=True
            ).stdout.decode()
            write(os.path.join(changed, path), text.replace(old, new))
        write(os.path.join(changed, "VERSION"), "0.0\n")
        shutil.move(SERIES, f"{SERIES}.kept")
        status, said = series("--source", changed)
        shutil.rmtree(SERIES, ignore_errors=True)
        shutil.move(f"{SERIES}.kept", SERIES)
        result(f"a Mesa with {name} is refused", "" if status == 1 and why in said else said[-200:])
    status, said = series("--source", "/")
    result(
        "a folder that is not Mesa's is refused",
        "" if status == 1 and "is no folder with Mesa's sources" in said else said[-200:],
    )
    status, said = series("--from", "A B")
    result(
        "an author without an address is refused",
        "" if status == 1 and "Name <address>" in said else said[-200:],
    )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
