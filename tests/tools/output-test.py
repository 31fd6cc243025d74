#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/output-test.py BIN

Where the output of BIN/panthor-perf-fake goes: on a terminal, long tables to a pager; and what is said if it cannot be
written. Prints "ok NAME" or "not ok NAME - why".
"""

import fcntl
import os
import pty
import re
import resource
import signal
import struct
import subprocess
import sys
import termios

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from program import check, environment, equal, main, write  # noqa: E402

# A pager that cuts the recording when the program sleeps because the pipe is full, and ends.
WAITS_UNTIL_FULL = """
import array, fcntl, os, termios, time

def fields(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
        return stat.read().rpartition(") ")[2].split()

program = int(fields(os.getppid())[1])
unread = array.array("i", [0])
while unread[0] < 65536 or fields(program)[0] != "S":
    time.sleep(0.01)
    fcntl.ioctl(0, termios.FIONREAD, unread)
os.truncate("long.rec", 0)
"""

# A program may end before a signal comes.
TRIES = 200

# Commands with long tables.
TABLES = (("report", "a.rec"), ("report", "-s", "-e", "MaliGPUActiveCy", "a.rec"), ("list", "--gpu", "G610"), ("diff", "a.rec", "b.rec"))


def on_terminal(program, args, keys=(), limit=None, columns=None, lines=24, **variables):
    """The exit status, and what a terminal has in the end; a key follows each text that is waited for."""
    # That of list has no shortened lines.
    columns = columns or (120 if args[0] == "list" else 100)
    pid, master = pty.fork()
    if not pid:
        if limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("4H", lines, columns, 0, 0))
        env = dict(environment(), TERM="xterm", NO_COLOR="1") | variables
        os.execve(program.program, [program.program, *args], {name: value for name, value in env.items() if value is not None})
    seen = b""
    keys = list(keys)
    try:
        while more := os.read(master, 65536):
            seen += more
            if keys and keys[0][0] in seen:
                os.write(master, keys.pop(0)[1])
    except OSError:
        pass
    _pid, status = os.waitpid(pid, 0)
    os.close(master)
    return os.waitstatus_to_exitcode(status), seen.decode().replace("\r\n", "\n")


def page():
    """What a pager has got, or None if there was none."""
    try:
        with open("page", encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None
    finally:
        if os.path.exists("page"):
            os.unlink("page")


def test_pager(program):
    """All that a pipe gets, to $PAGER, if and only if the standard output is a terminal."""
    for args in TABLES:
        name = " ".join(args[:2])
        piped = program.output(*args)
        status, seen = on_terminal(program, args, PAGER="cat >page; echo end of it")
        equal((status, seen), (0, "end of it\n"), f"{name}: the terminal is the pager's")
        if "-s" not in args:
            equal(page(), piped, f"{name}: the pager has it all")
        else:
            equal((page() or "").splitlines()[-1:], piped.splitlines()[-1:], f"{name}: the pager has it all")
        for pager in ("", "cat"):
            equal(on_terminal(program, args, PAGER=pager)[1].splitlines()[-1:], piped.splitlines()[-1:],
                  f"{name}: no pager if it is '{pager}'")
        run = subprocess.run([program.program, *args], env=environment() | {"PAGER": "cat >page"}, stdout=subprocess.PIPE,
                             stdin=subprocess.DEVNULL, check=False)
        equal((run.stdout.decode(), page()), (piped, None), f"{name}: no pager for a pipe")
        for kind in ("dumb", "", None):
            equal((on_terminal(program, args, PAGER="cat >page", TERM=kind)[1].splitlines()[-1:], page()), (piped.splitlines()[-1:], None),
                  f"{name}: no pager if TERM is {kind!r}")
    for args in (("report", "a.rec", "-o", "file"), ("diff", "a.rec", "b.rec", "-o", "file"), ("report", "--csv", "a.rec"),
                 ("report", "--json", "a.rec")):
        status, _seen = on_terminal(program, args, PAGER="cat >page")
        equal((status, page()), (0, None), f"{' '.join(args)}: no pager")


def test_pager_ends(program):
    """It may end at once, be missing, or catch what is typed."""
    status, seen = on_terminal(program, ("list", "--gpu", "G610"), PAGER="head -n 1")
    check(status == 0 and seen.startswith("G610 (table G710)") and seen.count("\n") == 1, "a pager that ends before", (status, seen))
    write("text", "")
    for pager in ("./none", "./text"):
        for args in (("report", "a.rec"), ("list", "--gpu", "G610")):
            status, seen = on_terminal(program, args, PAGER=pager)
            message = f"panthor-perf: the pager '{pager}' (PAGER) cannot be run: the output follows without one\n"
            check(status == 0 and seen.count(message) == 1 and seen.endswith(program.output(*args)),
                  f"{args[0]}: {pager}, which cannot be run: a message and the output", (status, seen))
    status, seen = on_terminal(program, ("report", "a.rec"), [(b"ready", b"\x03")],
                               PAGER="trap 'echo caught; exit 0' INT; cat >page; echo ready; while :; do sleep 0.1; done")
    check(status == 0 and "caught" in seen, "Ctrl-C is a key of the pager", (status, seen))
    check(page(), "Ctrl-C: the pager has the output")
    # If the program went on, it would not find the samples that it has not read.
    program.output("record", "-q", "-n", "4000", "-I", "0.5", "--compact", "-e", "MaliGPUActiveCy", "-o", "long.rec", settings="features=14")
    write("pager.py", WAITS_UNTIL_FULL)
    status, seen = on_terminal(program, ("report", "-s", "long.rec"), PAGER=f"exec {sys.executable} pager.py")
    equal((status, seen), (0, ""), "the program ends with its pager")


def verdict_of(text):
    """The lines of the verdict and of the limits: those between the header and the table."""
    return text.split("\n\n")[1].splitlines()


def test_width(program):
    """The words of the verdict are not broken by the terminal, with a pager or without."""
    whole = verdict_of(program.output("report", "a.rec"))
    check(max(map(len, whole)) > 70, "a pipe has long lines", whole)
    for pager in ("cat >page", ""):
        seen = on_terminal(program, ("report", "a.rec"), columns=60, PAGER=pager)[1]
        lines = verdict_of(page() or seen)
        check(max(map(len, lines)) <= 60 and " ".join(" ".join(lines).split()) == " ".join(" ".join(whole).split()),
              f"a terminal of 60 columns, PAGER={pager}", lines)


def test_tables(program):
    """No line of a table is longer than a terminal of 80 columns. Files and wide terminals have what they had."""
    program.output("record", "-q", "-n", "4", "-I", "1", "-o", "c.rec", settings="clocks=7,cycles=2000000,shader_cycles=2000000")
    write("load", "cshw:4 1000000\nshader:4 1234567\n")
    for args in (("report", "c.rec"), ("report", "-i", "c.rec"), ("report", "-s", "c.rec"), ("list", "--gpu", "G610"),
                 ("diff", "c.rec", "c.rec"), ("stat", "-a", "--clocks"), ("stat", "-a", "-r", "2"), ("stat", "-n", "2", "-I", "1")):
        status, seen = on_terminal(program, args, columns=80, PAGER="", FAKE_LOAD=os.path.abspath("load"),
                                   FAKE_SETTINGS="clocks=7,cycles=2000000,shader_cycles=2000000")
        # The flags of a sample are what they are.
        long = [line for line in seen.splitlines() if len(line.rstrip()) > 80 and "STRETCHED" not in line]
        check(status == 0 and not long and seen.count("\n") > 5, f"{' '.join(args)}: at most 80 columns", long or seen)
    seen = on_terminal(program, ("report", "c.rec"), columns=80, PAGER="")[1]
    check(re.search("^counter +total +min/sample +max/sample unit$", seen, re.M), "report on 80 columns: no rates", seen[-300:])
    check("per second" in program.output("report", "c.rec"), "report to a pipe: rates")
    seen = on_terminal(program, ("diff", "c.rec", "c.rec"), columns=80, PAGER="")[1]
    check(re.search("^counter +A +B +change % +unit$", seen, re.M), "diff on 80 columns: no ratios", seen[-300:])


def test_order(program):
    """The verdict of stat is above the table, or below it if the terminal has too few lines."""
    for more, last in (((), "Not GPU bound"), (("-r", "2"), "All runs")):
        for lines, below in ((200, False), (24, True)):
            seen = on_terminal(program, ("stat", *more), lines=lines, FAKE_LOAD=os.path.abspath("load"),
                               FAKE_SETTINGS="length_ns=1000000,clocks=1,cycles=2000000")[1]
            check((seen.find(last) > seen.find("gpu_active  ")) == below and last in seen and seen.count("Not GPU bound") == 1,
                  f"stat {' '.join(more)} on {lines} lines: the verdict is {'below' if below else 'above'}", seen)
        seen = program.output("stat", *more, load=os.path.abspath("load"), settings="length_ns=1000000,clocks=1,cycles=2000000")
        check(-1 < seen.find(last) < seen.find("gpu_active  "), f"stat {' '.join(more)} to a pipe: the verdict is above", seen)


def test_dash(program):
    """Where a file is named, "-" is the standard output."""
    for args in (("report", "a.rec"), ("diff", "a.rec", "b.rec"), ("export", "--html", "a.rec"), ("export", "--perfetto", "a.rec")):
        if "--html" in args and not program.has_pages():
            continue
        name = " ".join(args[:2])
        program.output(*args, "-o", "file")
        with open("file", "rb") as file:
            want = file.read()
        run = subprocess.run([program.program, *args, "-o", "-"], env=environment(), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                             check=False)
        check(run.returncode == 0 and run.stdout == want and len(want) > 1000, f"{name} -o -: the standard output",
              (run.returncode, len(run.stdout), len(want)))
        check(not os.path.exists("-"), f"{name} -o -: no file of that name")
    run = subprocess.run([program.program, "stat", "-n", "1", "-I", "1", "-o", "-", "--raw", "-"], env=environment(),
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
    check(run.returncode == 2 and run.stderr.endswith(b"-o and --raw are the same file: -\n"), "stat -o - --raw -",
          (run.returncode, run.stderr))
    status, _out, err = program.run("stat", "-o", "-", "--", "sh", "-c", "readlink /proc/$$/fd/[0-2] /proc/$$/fd/[3-9] >&2; true")
    check(status == 0 and err.count("pipe:") == 2, "stat -o -: the command gets no copy of it", (status, err))


def test_note(program):
    """What is to be read besides the list stands below it, and is not hidden by the pager."""
    for pager, want in (("cat >page; echo end of it", "end of it\n"), ("", program.output("list", "--gpu", "G610", "core_util"))):
        equal(on_terminal(program, ("list", "--gpu", "G610", "core_util", "toaster"), PAGER=pager),
              (0, f"{want}panthor-perf: note: no counter of G610 matches 'toaster'\n"), f"list: a note below the list, PAGER={pager}")
    page()


def test_default_pager(program):
    """less, or more, or none."""
    os.mkdir("bin")
    for pager in ("cat", "more", "less"):
        write(f"bin/{pager}", f'#!/bin/sh\necho "{pager}$*, $LESS"\n')
        os.chmod(f"bin/{pager}", 0o755)
        folder = os.path.abspath("bin")
        equal(on_terminal(program, ("report", "a.rec"), PAGER=None, LESS=None, PATH=folder), (0, f"{pager}{'-R' * (pager == 'less')}, FRX\n"),
              f"without $PAGER: {pager}")
    equal(on_terminal(program, ("report", "a.rec"), PAGER=None, LESS="i", PATH=folder), (0, "less-R, i\n"), "options of less are kept, and it shows colours")


def test_progress(program):
    """A message stands in a line of its own, and not behind the progress."""
    status, seen = on_terminal(program, ("record", "-I", "2", "-n", "100000", "-o", "full.rec"), limit=3000000)
    before = re.search(r"\d+ samples  .*?([^\n]*)panthor-perf: writing full.rec: recording ends", seen, re.S)
    check(status == 1 and before and before[1].endswith("\r\x1b[K"), "record, a full disk: the progress is gone", (status, seen[-300:]))


def test_full(program):
    """A message with the reason, once, whatever is left to be written in the end."""
    os.symlink("/dev/full", "full.gp")
    commands = (*TABLES, ("report", "--json", "a.rec"), ("report", "-s", "--csv", "a.rec"), ("list", "--json", "--gpu", "G610"),
                ("list", "--gpus"), ("list", "--gpu", "G610", "--names"), ("list", "--gpu", "G610", "--describe", "gpu_active"), ("info",),
                ("info", "--json"), ("stat",), ("stat", "--csv", "-n", "30", "-I", "1"), ("stat", "--json"), ("diff", "--json", "a.rec", "b.rec"),
                ("diff", "--csv", "a.rec", "b.rec"), ("selftest", "--json"), ("--help",), ("--version",), ("help", "stat"), ("stat", "--help"))
    for args in commands:
        with open("/dev/full", "w", encoding="utf-8") as full:
            run = subprocess.run([program.program, *args], env=environment(), stdin=subprocess.DEVNULL, stdout=full,
                                 stderr=subprocess.PIPE, check=False)
        err = run.stderr.decode()
        check(run.returncode == 1 and err.count("panthor-perf: writing the standard output: No space left on device\n") == 1,
              f"{' '.join(args)} >/dev/full: the reason", (run.returncode, err))
    for args in (("report", "a.rec", "-o", "/dev/full"), ("report", "-s", "--csv", "a.rec", "-o", "/dev/full"),
                 ("diff", "a.rec", "b.rec", "-o", "/dev/full"), ("stat", "-o", "/dev/full"), ("plot", "a.rec", "-o", "full.gp"),
                 ("export", "--perfetto", "a.rec", "-o", "/dev/full"), ("stat", "--csv", "-n", "30", "-I", "1", "-o", "/dev/full")):
        status, _out, err = program.run(*args)
        check(status == 1 and err.count(f"panthor-perf: writing {args[-1]}: No space left on device\n") == 1,
              f"{' '.join(args)}: the reason", (status, err))


def test_whole(program):
    """What cannot be written as a whole is not there, and a file that was there is what it was."""
    os.mkdir("plain")
    os.mkdir("whole")
    write("plain/gnuplot", "#!/bin/sh\ncat >/dev/null\nhead -c 900000 /dev/zero\necho '</svg>'\n")
    os.chmod("plain/gnuplot", 0o755)
    path = f"{os.path.abspath('plain')}:{os.environ['PATH']}"
    for args, limit in ((("export", "--html", "a.rec", "-o", "whole/a.html"), 100000),
                        (("export", "--perfetto", "a.rec", "-o", "whole/a.pftrace"), 1000),
                        (("plot", "a.rec", "-o", "whole/a.gp"), 1000), (("plot", "a.rec", "-o", "whole/a.svg"), 500000)):
        if "--html" in args and not program.has_pages():
            continue
        target = os.path.basename(args[-1])
        for before in (None, "before"):
            if before:
                write(args[-1], before)
            status, _out, err = program.run(*args, limit=limit, path=path)
            check(status == 1 and f"panthor-perf: writing {args[-1]}: File too large\n" in err, f"{target}, a full disk: the reason",
                  (status, err))
            equal(os.listdir("whole"), [target] if before else [], f"{target}, a full disk: what is there")
            if before:
                with open(args[-1], encoding="utf-8") as file:
                    equal(file.read(), before, f"{target}, a full disk: the file is what it was")
        inode = os.stat(args[-1]).st_ino
        os.link(args[-1], "whole/other")
        program.output(*args, path=path)
        check(os.path.getsize("whole/other") > limit and os.stat(args[-1]).st_ino == inode, f"{target}: another name of the file stays one")
        os.unlink("whole/other")
        program.output(*args, path=path)
        equal(os.listdir("whole"), [target], f"{target}: nothing else is there")
        os.unlink(args[-1])


def test_interrupt(program):
    """A file that a signal keeps from being whole is not there."""
    os.mkdir("cut")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        for _ in range(TRIES):
            run = subprocess.Popen([program.program, "export", "--perfetto", "a.rec", "-o", "cut/a"], env=environment(),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            while run.poll() is None and not os.listdir("cut"):
                pass
            run.send_signal(number)
            run.communicate()
            if run.returncode:
                break
            os.unlink("cut/a")
        equal((run.returncode, os.listdir("cut")), (-number, []), f"export, {number.name}: nothing is left")


def test_all(program):
    for name in ("a.rec", "b.rec"):
        program.output("record", "-q", "-n", "40", "-I", "1", "-o", name)
    test_pager(program)
    test_pager_ends(program)
    test_width(program)
    test_tables(program)
    test_order(program)
    test_note(program)
    test_dash(program)
    test_default_pager(program)
    test_progress(program)
    test_full(program)
    test_whole(program)
    test_interrupt(program)


if __name__ == "__main__":
    sys.exit(main(__doc__, sys.argv, test_all))
