#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Check what scripts/igt-series.py makes for IGT's tree, without that tree: the packaged
libigt.so.0 and tests/igt/compat stand in for it.

Each program has to build without a warning, and its list of subtests, as libigt prints it, has to
be the one that its comment documents. checkpatch has nothing to say. The patches apply to a small
tree that has the lists of Meson in IGT's form, by git am, and a tree without such a list is
refused. Prints "ok NAME" or "not ok NAME - why"."""

import os
import re
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(TOP, "scripts", "lib"))
sys.dont_write_bytecode = True

from panthor_perf.settings import BUILD, die, read, settings_of, text_of, write  # noqa: E402

SERIES = os.path.join(BUILD, "igt-series")
FILES = os.path.join(SERIES, "files")
OUT = os.path.join(BUILD, "igt-series-check")
FLAGS = [
    "-O2",
    "-std=gnu11",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-clobbered",
    "-Wno-unused-parameter",
    "-D_GNU_SOURCE",
    '-DIGT_LOG_DOMAIN="panthor_perf"',
]
# As for tests/igt in scripts/check/static.sh.
IGNORED = "PREFER_KERNEL_TYPES,CAMELCASE,FUNCTION_WITHOUT_ARGS"
VIRTUAL = re.compile(r"vmali|virtual gpu|PANTHOR_PERF_HOST|PANTHOR_PERF_GPU\b|qom-|truth", re.I)
# A tree of IGT's form: what of it the patches change, in few words. Written by hand.
TREE = {
    "meson.build": "project('igt-gpu-tools', 'c',\n        version        : '2.5',\n        license        : 'MIT')\n",
    "lib/meson.build": "lib_sources = [\n\t'drmtest.c',\n\t'igt_panfrost.c',\n\t'igt_panthor.c',\n\t'igt_pipe_crc.c',\n"
    "\t'xe/xe_util.c',\n]\n",
    "tests/panthor/meson.build": "panthor_progs = [\n\t'panthor_gem',\n\t'panthor_group',\n\t'panthor_query',\n"
    "\t'panthor_vm',\n]\n\nforeach prog : panthor_progs\nendforeach\n",
    "include/drm-uapi/panthor_drm.h": "/* SPDX-License-Identifier: MIT */\n",
}
failed = 0


def result(name, why=""):
    """One line."""
    global failed  # pylint: disable=global-statement
    failed += bool(why)
    print(f"not ok {name} - {why}" if why else f"ok {name}", flush=True)


def run(*command, **more):
    """Run a command; its status and its output."""
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **more
    )
    return done.returncode, done.stdout.decode(errors="replace")


def documented(text):
    """The subtests of the comment with TEST:, in order; or what is wrong with it."""
    comments = [
        comment for comment in re.findall(r"/\*\*\n.*?\*/", text, re.S) if "TEST:" in comment
    ]
    if len(comments) != 1:
        return None, f"{len(comments)} comments with TEST:"
    fields = [re.sub(r"^ \* ?", "", line) for line in comments[0].splitlines()[1:-1]]
    head, *subtests = "\n".join(fields).split("\nSUBTEST: ")
    for field in ("TEST", "Category", "Mega feature", "Sub-category", "Functionality"):
        if not re.search(rf"^{field}: \S", head, re.M):
            return None, f"no field '{field}'"
    names = []
    for subtest in subtests:
        name, _, description = subtest.partition("\n")
        if not re.match(r"Description: \S", description):
            return None, f"no description of {name}"
        names.append(name)
    return names, ""


def check_programs(rootfs):
    """Build the programs with libigt, and compare their lists with their documents."""
    libraries = os.path.join(rootfs, "usr/lib/x86_64-linux-gnu")
    flags = [
        *FLAGS,
        f"-I{os.path.join(TOP, 'tests/igt/compat')}",
        f"-I{FILES}/lib",
        f"-I{FILES}/include/drm-uapi",
        *run("pkg-config", "--cflags", "libdrm")[1].split(),
    ]
    library = os.path.join(OUT, "igt_panthor_perf.o")
    status, said = run("cc", *flags, "-c", "-o", library, f"{FILES}/lib/igt_panthor_perf.c")
    result("lib/igt_panthor_perf.c builds", said.strip()[:300] if status else "")
    if status:
        return
    for name in sorted(os.listdir(f"{FILES}/tests/panthor")):
        source, program = f"{FILES}/tests/panthor/{name}", os.path.join(OUT, name[:-2])
        status, said = run(
            "cc",
            *flags,
            "-o",
            program,
            source,
            library,
            os.path.join(libraries, "libigt.so.0"),
            "-Wl,--unresolved-symbols=ignore-in-shared-libs",
        )
        if status:
            result(f"{name} builds", said.strip()[:300])
            continue
        done = subprocess.run(
            [
                os.path.join(libraries, "ld-linux-x86-64.so.2"),
                "--library-path",
                libraries,
                program,
                "--list-subtests",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        listed = done.stdout.decode().split()
        names, why = documented(text_of(source))
        if not why and done.returncode:
            why = f"libigt lists no subtests, exit status {done.returncode}"
        if not why and names != listed:
            why = f"documented or there, but not both: {' '.join(sorted(set(names) ^ set(listed))) or 'the order'}"
        result(f"{name}: libigt's {len(listed)} subtests are documented, and no others", why)


def check_style(kernel):
    """checkpatch, and no word of the virtual GPU."""
    for folder in ("lib", "tests/panthor"):
        for name in sorted(os.listdir(f"{FILES}/{folder}")):
            path = f"{FILES}/{folder}/{name}"
            _, said = run(
                "perl",
                os.path.join(kernel["KSRC"], "scripts/checkpatch.pl"),
                "--strict",
                "--terse",
                "--no-summary",
                "--ignore",
                IGNORED,
                "-f",
                path,
                cwd=kernel["KSRC"],
            )
            found = VIRTUAL.search(text_of(path))
            result(
                f"{name} is in the kernel's style, without words of the virtual GPU",
                said.strip().splitlines()[0].replace(f"{FILES}/", "")
                if said.strip()
                else f"'{found[0]}' is in it"
                if found
                else "",
            )


def check_patches():
    """The patches, on a tree of IGT's form."""
    tree = os.path.join(OUT, "tree")
    for name, text in TREE.items():
        write(os.path.join(tree, name), text)
    env = {key: value for key, value in os.environ.items() if key != "FROM"}
    status, said = run(
        os.path.join(TOP, "scripts/igt-series.py"),
        "--source",
        tree,
        "--from",
        "A B <a@b.example>",
        env=env,
    )
    result(
        "git am applies the patches to a tree of IGT's form",
        said.strip().splitlines()[-1] if status else "",
    )
    if status:
        return
    applied, wrong = os.path.join(SERIES, "igt"), []
    for folder, _, names in os.walk(FILES):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), FILES)
            if not os.path.exists(os.path.join(applied, path)) or read(
                os.path.join(applied, path)
            ) != read(os.path.join(FILES, path)):
                wrong.append(path)
    result("all new files are in it", " ".join(wrong))
    lists = text_of(os.path.join(applied, "tests/panthor/meson.build"))
    expected = sorted(
        [
            *re.findall(r"'(\w+)',", TREE["tests/panthor/meson.build"]),
            *[name[:-2] for name in os.listdir(f"{FILES}/tests/panthor")],
        ]
    )
    found = re.findall(r"'(\w+)',", lists)
    result(
        "Meson's list of programs has the old and the new ones, sorted",
        "" if found == expected else " ".join(found),
    )
    lists = text_of(os.path.join(applied, "lib/meson.build"))
    result(
        "Meson's list of the library has the new file behind panthor's",
        ""
        if "\t'igt_panthor.c',\n\t'igt_panthor_perf.c',\n\t'igt_pipe_crc.c',\n" in lists
        else "it has not",
    )
    patches = os.path.join(SERIES, "patches")
    names = sorted(os.listdir(patches))
    unsigned = [
        name
        for name in names[1:]
        if "\nSigned-off-by: A B <a@b.example>\n" not in text_of(os.path.join(patches, name))
    ]
    result("all patches are signed off", " ".join(unsigned))
    long = [
        f"{name}: {line}"
        for name in names
        for line in text_of(os.path.join(patches, name)).split("\n---\n")[0].splitlines()
        if len(line) > 75 and not line.startswith(("From ", "Subject:"))
    ]
    result("lines of the messages have at most 75 characters", long[0] if long else "")
    write(os.path.join(tree, "tests/panthor/meson.build"), "progs = []\n")
    status, said = run(os.path.join(TOP, "scripts/igt-series.py"), "--source", tree)
    result(
        "a tree without the list of programs is refused",
        ""
        if status == 1 and said.strip().endswith("meson.build has 0 lists panthor_progs, not one")
        else said.strip()[-200:],
    )
    status, said = run(os.path.join(TOP, "scripts/igt-series.py"), "--source", "/")
    result(
        "a folder that is not IGT's is refused",
        "" if status == 1 and "is no folder with IGT's sources" in said else said.strip()[-200:],
    )


def main():
    if not os.path.isdir(FILES):
        die("there are no files: scripts/igt-series.py --files makes them")
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(OUT)
    check_programs(settings_of("build-igt-rootfs.sh")["IGT_ROOTFS"])
    check_style(settings_of("fetch-kernel.sh"))
    check_patches()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
