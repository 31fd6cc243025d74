#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/writers-test.py BIN

Files that BIN/panthor-perf-fake must not destroy: what a command reads, by whatever name it is to be written; the
recording that is there, when another one does not come to its first sample; and a recording that is cut while it is read.
Prints "ok NAME" or "not ok NAME - why".
"""

import glob
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from program import check, environment, equal, main, write  # noqa: E402
from recordings import Recording  # noqa: E402

TOP = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../..")
TABLE = "table.counters"


def read(path):
    with open(path, "rb") as file:
        return file.read()


def bodies(*paths):
    return [read(path) for path in paths]


def make_names():
    """One recording by four names, and another one; a table by two names and in a folder."""
    os.makedirs("folder/within", exist_ok=True)
    os.symlink("a.rec", "link.svg")
    os.link("a.rec", "hard.gp")
    os.symlink("../a.rec", "folder/up.rec")
    os.symlink("../" + TABLE, "folder/linked.counters")
    os.link(TABLE, "hard.counters")


def test_inputs(program):
    """Every command that writes a file, with what it reads as that file."""
    make_names()
    commands = (
        ("report -o", ("report", "a.rec", "-o")),
        ("report --csv -o", ("report", "--csv", "a.rec", "-o")),
        ("report -j -o", ("report", "-j", "link.svg", "-o")),
        ("export --html", ("export", "--html", "a.rec", "-o")),
        ("export --perfetto", ("export", "--perfetto", "a.rec", "-o")),
        ("plot", ("plot", "a.rec", "-o")),
        ("diff, first", ("diff", "a.rec", "b.rec", "-o")),
        ("diff, second", ("diff", "b.rec", "a.rec", "-o")),
        ("diff of a range", ("diff", "b.rec", "a.rec@0s-1s", "-o")),
    )
    before = bodies("a.rec", "b.rec", TABLE)
    for name, args in commands:
        for output in ("a.rec", "./a.rec", "link.svg", "hard.gp", "folder/up.rec"):
            if name == "plot" and output.endswith(".rec"):
                continue
            program.expect(f"{name} {output}: refused", 2, f"^panthor-perf: {output} is not written: this command reads it",
                           *args, output)
    tables = (
        ("report -o, a table", ("report", "a.rec", "--counters", TABLE, "-o")),
        ("report -o, a folder of tables", ("report", "a.rec", "--counters", "folder", "-o")),
        ("export --html, a table", ("export", "--html", "a.rec", "--counters", TABLE, "-o")),
        ("export --perfetto, a table", ("export", "--perfetto", "a.rec", "--counters", TABLE, "-o")),
        ("record, a table", ("record", "-n", "2", "--counters", TABLE, "-o")),
        ("stat -o, a table", ("stat", "-n", "1", "--counters", TABLE, "-o")),
        ("stat --raw, a table", ("stat", "-n", "1", "--counters", TABLE, "--raw")),
    )
    for name, args in tables:
        for output in (TABLE, "hard.counters"):
            program.expect(f"{name} as {output}: refused", 2, f"{output} is not written: this command reads it", *args, output)
    equal(bodies("a.rec", "b.rec", TABLE), before, "inputs are what they were")


def no_more_than(name, before):
    """No file of another name is left over."""
    equal(sorted(glob.glob("*")), before, f"{name}: no other file")


def test_no_first_sample(program):
    """A recording that does not begin leaves the other one as it is."""
    old = read("old.rec")
    files = sorted(glob.glob("*"))
    cases = (
        ("no such command", 127, ("--", "./no-such-command"), {}),
        ("no such counter", 2, ("-e", "NoSuchCounter"), {}),
        ("START fails", 1, ("-n", "3"), {"settings": "fail_at=11,fail_errno=110"}),
    )
    for name, status, args, more in cases:
        got, _out, err = program.run("record", "-q", "-o", "old.rec", *args, **more)
        check(got == status and err, f"record, {name}: status {status} with a message", f"status {got}: {err}")
        check(read("old.rec") == old, f"record, {name}: the old recording is whole", f"{len(read('old.rec'))} bytes")
        no_more_than(f"record, {name}", files)
    got, _out, _err = program.run("record", "-q", "-o", "folder/none.rec", "--", "./no-such-command")
    check(got == 127 and not os.path.exists("folder/none.rec"), "record: without a sample there is no file", f"status {got}")


FULL = """mount -t tmpfs -o size=$(($(wc -c <old.rec) + 12288)) none full && cp old.rec full && cd full &&
if [ "$0" = hard ]; then ln old.rec other.rec; fi && "$@"
status=$?
cmp old.rec ../old.rec && ls && exit $status"""


def test_full_disk(program):
    """There is room for the head of a recording."""
    if os.system("unshare -m true 2>/dev/null"):
        return
    os.mkdir("full")
    for name, want in (("simple", "old.rec\n"), ("hard", "old.rec\nother.rec\n")):
        run = subprocess.run(["unshare", "-m", "sh", "-c", FULL, name, program.program, "record", "-q", "-I", "2", "-n", "2000",
                              "-o", "old.rec"], env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, check=False)
        check(run.returncode == 1 and b"writing old.rec" in run.stderr, f"record, a full disk, {name}: a message",
              f"status {run.returncode}: {run.stderr}")
        equal(run.stdout.decode(), want, f"record, a full disk, {name}: the old recording is whole, and no other file")
    # What a link to nothing leads to is made, and goes again; the link stays.
    run = subprocess.run(["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=64k none full && cd full && ln -s target link && exec \"$@\"; ",
                          "sh", "sh", "-c", "\"$@\"; status=$?; ls; exit $status", "sh", program.program, "record", "-q", "-n", "100",
                          "-I", "1", "-o", "link"], env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    check(run.returncode == 1 and b"writing link" in run.stderr, "record, a full disk, a link to nothing: a message", run.stderr)
    equal(run.stdout.decode(), "link\n", "record, a full disk, a link to nothing: it stays, and no other file")
    os.rmdir("full")


def test_last_samples(program):
    """What could not be written in the end is reported, once, and what is in the file can be read."""
    for args, limit, left in ((("record", "-n", "100", "-I", "1", "-o"), 200000, True),
                              (("record", "-z", "-n", "200", "-I", "1", "--slots", "8", "-o"), 140000, None),
                              (("stat", "-n", "100", "-I", "1", "--raw"), 200000, True)):
        name = " ".join(args[:2])
        status, _out, err = program.run(*args, "few.rec", limit=limit)
        check(status == 1 and err.count("panthor-perf: writing few.rec") == 1, f"{name}, no room for the last samples: a message",
              f"status {status}: {err}")
        check("00 samples, 0 with ERROR" not in err or args[0] == "stat", f"{name}, no room: nothing is said to be there", err)
        # A frame that is written after a second, on a busy host, is a file.
        check(os.path.exists("few.rec") or not left, f"{name}, no room: a file of what there was room for")
        if os.path.exists("few.rec"):
            told = re.search(r"the file has (\d+) samples?, at least (\d+) more (?:is|are) lost: File too large$", err, re.M)
            check(told, f"{name}, no room: samples that are there, and that are lost", err)
            if told and "-z" not in args:
                there = len(Recording("few.rec").samples)
                # All others, unless a busy host needs a second to take them; a raw file gets each at once.
                most = 1 if args[0] == "stat" else 100 - there
                check(int(told[1]) == there and 0 < int(told[2]) <= most, f"{name}, no room: their numbers", (told[0], there))
            program.expect(f"{name}, no room: it can be read", 0, "^samples +0 to ", "report", "few.rec")
            os.unlink("few.rec")
    for option in ("-q", "-z"):
        status, _out, err = program.run("record", option, "-o", "taken.rec", "--", "sh", "-c", "mkdir taken.rec; sleep 0.1")
        kept = re.search(r"writing taken.rec; the recording is in (taken.rec.\w{6}): File exists\n$", err)
        check(status == 1 and kept, f"record {option}, a folder of this name: a message", f"status {status}: {err}")
        program.expect(f"record {option}, a folder of this name: the recording is there", 0, "^samples +0 to ", "report",
                       kept[1] if kept else "taken.rec")
        os.rmdir("taken.rec")
        os.unlink(kept[1])
    for name in ("/proc/self/cwd/old.rec", "/dev/fd/5"):
        old = read("old.rec")
        run = subprocess.run(["sh", "-c", 'exec 5<>old.rec; exec "$@"', "sh", program.program, "record", "-o", name, "--", "/nonexistent"],
                             env=environment(), stderr=subprocess.DEVNULL, check=False)
        equal((run.returncode, read("old.rec") == old), (127, True), f"record -o {name}: the old recording is whole")
        run = subprocess.run(["sh", "-c", 'exec 5<>old.rec; exec "$@"', "sh", program.program, "record", "-q", "-n", "3", "-o", name],
                             env=environment(), stderr=subprocess.PIPE, check=False)
        equal((run.returncode, read("old.rec") != old), (0, True), f"record -o {name}: it is replaced")
        program.expect(f"record -o {name}: by one that can be read", 0, "^samples +0 to ", "report", "old.rec")
    run = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", program.program, "record", "-q", "-n", "3", "-o", "-"],
                         env=environment(), stderr=subprocess.PIPE, check=False)
    check(run.returncode == 1 and b"No space left" in run.stderr, "record to a closed standard output", run.stderr)
    program.expect("record -o ''", 2, "the name of the output is empty", "record", "-n", "3", "-o", "")
    status, _out, err = program.run("stat", "-n", "1", "-o", "same", "--raw", "./same")
    check(status == 2 and "are the same file" in err and not os.path.exists("same"), "stat, two names of a new file",
          f"status {status}: {err}")


def start(program, *args):
    """Another GPU than that of other processes."""
    write("other.panthor", "")
    env = dict(environment(), FAKE_NODES=os.path.abspath("other.panthor"))
    return subprocess.Popen([program.program, *args], env=env, stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def wait_for(what, seconds=20):
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.02)
    return what()


def test_two_recorders(program):
    """The second one of a file says so, and the first one goes on."""
    old = read("old.rec")
    first = start(program, "record", "-q", "-I", "5", "-o", "old.rec")
    check(wait_for(lambda: read("old.rec") != old), "record: the file has its name with its first samples")
    program.expect("record: a second recorder of a file", 1, "old.rec is not written: another process records into it",
                   "record", "-q", "-n", "2", "-o", "old.rec")
    for args in (("stat", "-n", "1", "--raw"), ("stat", "-n", "1", "-o"), ("report", "a.rec", "-o"),
                 *([("export", "--html", "a.rec", "-o")] if program.has_pages() else [])):
        program.expect(f"{args[0]} {args[-1]}: a file that another process records into", 1,
                       "old.rec is not written: another process records into it", *args, "old.rec")
    status, _out, err = program.run("report", "old.rec")
    check(status == 0 and "not finished" in err, "record: the file can be read meanwhile", f"status {status}: {err}")
    first.send_signal(signal.SIGINT)
    _out, err = first.communicate()
    equal((first.returncode, err), (0, b""), "record: the first recorder ends as it should")
    status, _out, err = program.run("report", "old.rec")
    equal((status, err), (0, ""), "record: its recording is whole")


def test_short_recorders(program):
    """Of two that end before their first second, each one keeps its recording."""
    for name in ("old.rec", "new.rec"):
        slow = start(program, "record", "-q", "-n", "1", "-o", name, "--", "sh", "-c", "until [ -e go ]; do sleep 0.05; done")
        wait_for(lambda: [path for path in glob.glob(name + ".*") if os.path.getsize(path)])
        equal(program.run("record", "-q", "-I", "20", "-n", "3", "-o", name)[0], 0, f"record, two short ones of {name}: the first to end")
        write("go", "")
        _out, err = slow.communicate()
        kept = re.search(rb"writing .*; the recording is in (\S+): File exists", err)
        check(slow.returncode == 1 and kept, f"record, two short ones of {name}: a message of the second",
              f"status {slow.returncode}: {err}")
        for path, count in ((name, 3), (kept[1].decode() if kept else "", 1)):
            out = program.run("report", path)[1]
            check(re.search(f"^quality +{count} sample", out, re.M), f"record, two short ones of {name}: both are there, {count}", out[:300])
        if kept:
            os.unlink(kept[1])
        os.unlink("go")


def test_meanwhile(program):
    """What others put in place of a file while it is recorded stays, and so does the recording."""
    replaced = "rm -f k.rec k2.rec; echo precious >k.rec"
    written = "echo precious >k.rec"
    for what, links, script in (("another file", False, replaced), ("other content", False, written), ("one of two names", True, written)):
        for args in (("record", "-q", "-n", "1", "-o"), ("stat", "-n", "1", "-o", os.devnull, "--raw")):
            write("k.rec", "old\n")
            if links:
                os.link("k.rec", "k2.rec")
            status, _out, err = program.run(*args, "k.rec", "--", "sh", "-c", script)
            kept = re.search(r"writing k.rec; the recording is in (\S+): File exists\n", err)
            check(status == 1 and kept, f"{args[0]}, {what} meanwhile: a message", f"status {status}: {err}")
            equal(read("k.rec"), b"precious\n", f"{args[0]}, {what} meanwhile: it stays")
            program.expect(f"{args[0]}, {what} meanwhile: the recording is there", 0, "^samples +0 to ", "report",
                           kept[1] if kept else "k.rec")
            for name in ("k.rec", "k2.rec", kept[1] if kept else ""):
                if os.path.exists(name):
                    os.unlink(name)
    write("other.panthor", "")
    status, _out, err = program.run("record", "-q", "-n", "1", "-o", "k.rec", "--", "sh", "-c",
                                    f"FAKE_NODES=$PWD/other.panthor {os.path.abspath(program.program)} record -q -I 1 --duration 4 -o k.rec & "
                                    "while ! [ -e k.rec ]; do sleep 0.1; done")
    kept = re.search(r"writing k.rec; the recording is in (\S+): Operation already in progress\n", err)
    check(status == 1 and kept, "record, another recorder meanwhile: a message", f"status {status}: {err}")
    os.system("sleep 4")
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run([program.program, "record", "-q", "-n", "3", "-o", f"/dev/fd/{file.fileno()}"], env=environment(),
                       pass_fds=[file.fileno()], check=True)
        equal(os.fstat(file.fileno()).st_size, os.path.getsize(file.name), "record to a descriptor: its file has the recording")
        check(file.read(8) == b"PTPRFRAW", "record to a descriptor: it can be read there")
    os.symlink("same", "link")
    status, _out, err = program.run("stat", "-n", "1", "-o", "link", "--raw", "same")
    check(status == 2 and os.path.islink("link") and not os.path.exists("same"), "stat, a link to a new file stays", f"status {status}: {err}")
    out = subprocess.run(["sh", "-c", "trap '' XFSZ; exec \"$@\"", "sh", program.program, "run", "--", "grep", "SigIgn", "/proc/self/status"],
                         env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False).stdout
    check(b"SigIgn" not in out or int(out.split()[-1], 16) >> (signal.SIGXFSZ - 1) & 1, "a signal that is ignored stays ignored", out)


def test_names(program):
    """What the new file has of the old one."""
    os.symlink("old.rec", "to-old")
    os.chmod("old.rec", 0o640)
    equal(program.run("record", "-q", "-n", "2", "-o", "to-old")[0], 0, "record to a link")
    check(os.path.islink("to-old") and stat.S_IMODE(os.stat("old.rec").st_mode) == 0o640,
          "record to a link: the link and the mode stay", f"{oct(os.stat('old.rec').st_mode)}")
    os.symlink("folder/new.rec", "to-new")
    equal(program.run("record", "-q", "-n", "2", "-o", "to-new")[0], 0, "record to a link to nothing")
    equal(program.run("report", "folder/new.rec")[0], 0, "record to a link to nothing: the file is there")
    shutil.copy("old.rec", "hard.rec")
    os.link("hard.rec", "hard-2.rec")
    before = read("hard.rec")
    equal(program.run("record", "-q", "-n", "3", "-o", "hard-2.rec")[0], 0, "record to one of two names")
    check(os.path.samefile("hard.rec", "hard-2.rec") and read("hard.rec") != before,
          "record to one of two names: both have the new recording", "they differ, or it is the old one")
    equal(program.run("report", "hard.rec")[0], 0, "record to one of two names: it can be read")
    program.expect("stat: -o and --raw of one name", 2, "-o and --raw are the same file", "stat", "-n", "1", "-o", "same",
                   "--raw", "./same")
    write("both", "what was there")
    program.expect("stat: -o and --raw of one file", 2, "-o and --raw are the same file", "stat", "-n", "1", "-o", "both",
                   "--raw", "./both")
    equal(open("both").read(), "what was there", "stat: -o and --raw of one file: it is what it was")
    program.run("stat", "-n", "1", "-o", "both", "--raw", "raw", settings="fail_at=10,fail_errno=1")
    equal(open("both").read(), "what was there", "stat: without a session, -o is what it was")
    os.mkfifo("marks")
    program.expect("record: -o is the FIFO of --mark", 2, "-o is a FIFO of the marks", "record", "--mark", "marks", "-o", "marks")
    write("folder/notes.txt", "what no command reads")
    program.expect("report: -o in the folder of tables", 0, "", "report", "old.rec", "--counters", "folder", "-o",
                   "folder/notes.txt")
    mask = os.umask(0o027)
    program.run("record", "-q", "-n", "2", "-o", "masked.rec")
    os.umask(mask)
    equal(oct(stat.S_IMODE(os.stat("masked.rec").st_mode)), "0o640", "record: the mode of a new file is that of umask")
    equal(program.run("record", "-q", "-n", "2", "-o", "/dev/null")[0], 0, "record to a device")
    with open("piped.rec", "wb") as file:
        run = subprocess.run([program.program, "record", "-o", "-", "--", "echo", "text"], env=environment(),
                             stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.PIPE, check=False)
    status, _out, err = program.run("report", "piped.rec")
    check((run.returncode, status, err) == (0, 0, "") and b"text\n" in run.stderr,
          "record to the standard output: the recording alone", f"{run.returncode}, {run.stderr}, {status}, {err}")
    check(not os.path.exists("-"), "record to the standard output: no file of this name")


def test_cut(program):
    """A recording that is cut while it is read."""
    program.run("record", "-q", "-n", "400", "-I", "0.5", "-o", "long.rec")
    whole = read("long.rec")
    for name, args in (("report -s --csv", ("report", "-s", "--csv", "-i")), ("export --perfetto", ("export", "--perfetto", "-o", "/dev/stdout")),):
        with open("long.rec", "wb") as file:
            file.write(whole)
        run = subprocess.Popen([program.program, *args, "long.rec"], env=environment(), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # It waits for the reader of the pipe.
        run.stdout.read(1)
        os.truncate("long.rec", 8192)
        _out, err = run.communicate()
        check(run.returncode == 1 and b"long.rec: the file was cut" in err, f"{name} of a file that is cut",
              f"status {run.returncode}: {err[-200:]}")


def test_sources():
    """No other part of the program creates files."""
    found = []
    for path in glob.glob(os.path.join(TOP, "tools/panthor-perf/**/*.c"), recursive=True):
        if re.search(r'\bf(re)?open\([^;]*"[wa]|\bO_CREAT\b|\bcreat\(|mkostemp', open(path, encoding="utf-8").read()):
            found.append(os.path.basename(path))
    equal(sorted(found), ["new_file.c", "output.c"], "files are created where inputs are known")


def test_all(program):
    shutil.copy(os.path.join(TOP, "tools/counters/G710.counters"), TABLE)
    program.run("record", "-q", "-n", "30", "-o", "a.rec")
    program.run("record", "-q", "-n", "30", "-o", "b.rec")
    program.run("record", "-q", "-n", "3", "-o", "old.rec")
    test_inputs(program)
    test_no_first_sample(program)
    test_full_disk(program)
    test_last_samples(program)
    test_two_recorders(program)
    test_short_recorders(program)
    test_meanwhile(program)
    test_names(program)
    test_cut(program)
    test_sources()


if __name__ == "__main__":
    sys.exit(main(__doc__, sys.argv, test_all))
