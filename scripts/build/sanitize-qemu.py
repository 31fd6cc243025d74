#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Link a QEMU whose virtual GPU is watched by AddressSanitizer and UndefinedBehaviorSanitizer.

    sanitize-qemu.py BUILD TARGET FOLDER

Compiles the files of the model again, as BUILD has compiled them but with the sanitizers, and links TARGET with these
objects and with all other objects of BUILD, which does not change. Results are in FOLDER. The sanitizers see each
access of the model, and what the C library's functions do for the rest of QEMU.
"""

import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

FLAGS = ["-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-g1"]
MODEL = re.compile(r"(^|[/_])hw_misc_vmali_\w+\.c\.o$")


def die(text):
    sys.exit(f"sanitize-qemu.py: error: {text}")


def run(words, folder):
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        die(f"{' '.join(words[:1] + words[-3:])}: {done.stdout.decode(errors='replace')[-3000:]}")
    return done.stdout


def with_output(words, old, new):
    """The words of a command that writes another file."""
    words = words[:]
    at = words.index("-o")
    if words[at + 1] != old:
        die(f"no command for {old}")
    words[at + 1] = new
    # The list of included files goes there, too.
    if "-MF" in words:
        words[words.index("-MF") + 1] = f"{new}.d"
    return words


def main():
    if len(sys.argv) != 4:
        die("usage: sanitize-qemu.py BUILD TARGET FOLDER")
    build, target, folder = sys.argv[1:]
    folder = os.path.realpath(folder)
    commands = {entry["output"]: shlex.split(entry["command"])
                for entry in json.loads(run(["ninja", "-t", "compdb", "-x"], build))}
    if target not in commands:
        die(f"{build} has no command for {target}")
    link = commands[target]
    objects = [word for word in link if MODEL.search(word)]
    if not objects:
        die(f"{target} has no object of the model")
    places = {name: os.path.join(folder, os.path.basename(name)) for name in objects}
    if len(set(places.values())) != len(objects):
        die(f"two objects of {target} have one name")

    jobs = int(os.environ.get("JOBS") or len(os.sched_getaffinity(0)))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done in [pool.submit(run, with_output(commands[name], name, place) + FLAGS, build)
                     for name, place in places.items()]:
            done.result()
    words = with_output(link, target, os.path.join(folder, target))
    run([places.get(word, word) for word in words] + FLAGS, build)


main()
