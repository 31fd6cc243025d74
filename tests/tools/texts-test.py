#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/texts-test.py BIN

Names of files, arguments and marks that are no UTF-8 or control a terminal, in all that BIN/panthor-perf-fake writes: JSON,
HTML, pictures and traces are valid UTF-8, and what is for a terminal has no control characters. Prints "ok NAME" or
"not ok NAME - why".
"""

import fcntl
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import termios
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from perfetto import Import  # noqa: E402
from program import check, environment, equal, main  # noqa: E402
from recordings import METADATA, Recording, load_trace  # noqa: E402

# A title of the window, a colour, 8-bit controls, half a character, a character that is too long, markup.
HOSTILE = b"\xff<b>&'\x1b]0;owned\x07\x1b[31m\xc2\x9b31m\xe2\x82\xc0\xaf]]>\"</script>$`'"
NAME = b"bad\xff<&'\x1b[31m.rec"
SHOWN = "bad?<&'?[31m.rec"
MARK = HOSTILE.decode(errors="surrogateescape")


def run(program, *args, binary=b""):
    got = subprocess.run([program.program.encode(), *[a if isinstance(a, bytes) else a.encode() for a in args]],
                         env=environment(), input=binary, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return got.returncode, got.stdout, got.stderr


def is_utf8(data):
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return str(error)
    return ""


def is_clean(data):
    """For a terminal: UTF-8, and of controls only new lines and tabs."""
    wrong = is_utf8(data)
    found = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", data.decode(errors="replace"))
    return wrong or (f"{found[0]!r} at {found.start()}" if found else "")


def shows(name, result, wanted=SHOWN, status=0):
    code, out, err = result
    check(code == status and not is_clean(out) and not is_clean(err), f"{name}: clean", f"status {code}: {is_clean(out)}, {is_clean(err)}")
    if wanted:
        check(wanted.encode() in out + err, f"{name}: {wanted}", out[:200] + err[:200])


def record(program):
    with open(b"layer", "wb") as file:
        file.write(b'exec 3>"$PANTHOR_PERF_MARK" 4<"$PANTHOR_PERF_MARK_ACK"\n'
                   b"printf '%s\\n' \"5 $1\" >&3\nread -r got <&4\n")
    return run(program, "record", "--mark", "mark", "--mark-ack", "ack", "-o", NAME, "--", "sh", "layer", HOSTILE)


def test_terminal(program):
    shows("record", record(program))
    shows("report", run(program, "report", NAME))
    shows("report -s", run(program, "report", "-s", NAME), "")
    shows("report -m", run(program, "report", "-m", NAME), "@?<b>&'?]0;owned??[31m??31m")
    shows("a file that is not there", run(program, "report", b"no" + NAME), "no" + SHOWN, 1)
    shows("a file that is none", run(program, "report", b"layer\xff"), "layer?", 1)
    shows("a point that is not there", run(program, "report", "--from", b"@\x1b[31m", NAME), "'?[31m'", 2)
    shows("export", run(program, "export", "--html", NAME, "-o", b"/no/\x1b[31m"), "/no/?[31m", 1)
    shows("diff", run(program, "diff", NAME, NAME))
    shows("a GPU that is not there", run(program, "info", "-d", b"/dev/\x1b[31m\xff"), "/dev/?[31m?", 5)
    shows("a table that is not there", run(program, "list", "--gpu", "G710", b"--counters=\x1b[31m\xff"), "?[31m?", 1)


def test_arguments(program):
    """What argp and getopt say of an argument."""
    for args in ((b"report", b"--\x1b[31mX"), (b"stat", b"-I", b"\x1b[31m"), (b"\x1b[31m\xff",), (b"list", b"-B", b"\x1b[31m"),
                 (b"stat", b"--set", b"\xc2\x9b31m"), (b"record", b"--slots", b"\x1b[31m"), (b"plot", b"-o", b"\x1b[31m", NAME),
                 (b"top", b"--sort", b"\x1b[31m"), (b"diff", b"\x1b[31m"), (b"export", b"--\xff"), (b"run", b"--\x1b"),
                 (b"info", b"--color=\x1b[31m"), (b"selftest", b"\x1b[31m")):
        code, out, err = run(program, *args)
        check(code == 2 and err and not is_clean(out) and not is_clean(err), f"{args[0]!r}, a wrong argument: clean",
              f"status {code}: {err}")


def on_terminal(program, columns, *args):
    """The exit status, and what the program writes to a terminal."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
    args = [arg.encode() if isinstance(arg, str) else arg for arg in args]
    child = subprocess.Popen([program.program.encode(), *args], env=environment(), stdin=subprocess.DEVNULL, stdout=theirs,
                             stderr=subprocess.DEVNULL)
    os.close(theirs)
    seen = b""
    try:
        while more := os.read(ours, 65536):
            seen += more
    except OSError:
        pass
    os.close(ours)
    return child.wait(), seen.replace(b"\r\n", b"\n")


def test_rows(program):
    """The heading of samples fits into a terminal, unless -e names what does not."""
    with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../tools/counters/G710.counters"), encoding="utf-8") as table:
        summary = sum(line.startswith("derived ") and "  default" in line for line in table)
    for columns, count in ((100, 2), (150, 5)):
        code, seen = on_terminal(program, columns, "report", "-s", "--color=never", NAME)
        head = next((line for line in seen.decode("utf-8", "replace").splitlines() if line.endswith("mark")), "")
        names = head.split()[6:-3]
        check(code == 0 and len(head) <= columns and len(names) == count, f"report -s on {columns} columns: what fits", head)
        more = re.search(rb"(\d+) more counters do not fit", seen)
        equal(len(names) + int(more[1]) if more else 0, summary, f"report -s on {columns} columns: how many do not")
    wanted = ["cshw:4", "memsys:32", "shader:53", "tiler:4", "shader:26"]
    code, seen = on_terminal(program, 60, "report", "-s", "-e", ",".join(wanted), NAME)
    head = next((line for line in seen.decode("utf-8", "replace").splitlines() if "user data" in line), "")
    check(code == 0 and head.count("Mali") == len(wanted) and b"do not fit" not in seen, "report -s -e: all that was named", head)


def test_csv(program):
    """A terminal is not controlled by a mark, and a file has what was given."""
    code, out, _err = run(program, "report", "-m", "--csv", NAME)
    check(code == 0 and b"\x1b]0;owned" in out, "report -m --csv: the mark", out[:300])
    code, seen = on_terminal(program, 80, "report", "-m", "--csv", NAME)
    check(code == 0 and b"]0;owned" in seen and not is_clean(seen), "report -m --csv on a terminal: clean", seen[:300])


def test_json(program):
    body = Recording(NAME).of_kind(METADATA)[0]
    command = json.loads(body.decode())["command"]
    equal(command[-1][:8], "?<b>&'\x1b]", "metadata: the arguments")
    for name, args in (("report -j", ("report", "-j", NAME)), ("report -j -s", ("report", "-j", "-s", NAME)),
                       ("report -j -m", ("report", "-j", "-m", NAME)), ("diff --json", ("diff", "--json", NAME, NAME))):
        code, out, _err = run(program, *args)
        try:
            texts = json.dumps(json.loads(out.decode()))
            check(code == 0 and ("bad?" in texts or "owned" in texts), name, texts[:300])
            check(not is_clean(out), f"{name}: clean", is_clean(out))
        except (UnicodeDecodeError, ValueError) as error:
            check(False, name, str(error))


def test_metadata(program):
    """What a recording says of itself is no UTF-8."""
    with open(NAME, "rb") as file:
        data = file.read()
    body = Recording(NAME).of_kind(METADATA)[0]
    for byte in (b"\xc2", b"\x9b"):
        at = data.index(body) + body.index(b'"', body.index(b'"command"') + 9) + 1
        end = data.index(b'"', at)
        with open("wrong.rec", "wb") as file:
            file.write(data[:end - 1] + byte + data[end:])
        code, out, err = run(program, "report", "-j", "wrong.rec")
        try:
            check(code == 0 and json.loads(out.decode()) and not is_clean(out), f"report -j: metadata with {byte!r}", is_clean(out))
        except ValueError as error:
            check(False, f"report -j: metadata with {byte!r}", f"{error}: {err}")


def test_files(program):
    code, _out, err = run(program, "export", "--html", NAME, "-o", "page.html")
    if b"built without uPlot" in err:
        print("skip html: this program was built without uPlot")
    else:
        page = open("page.html", "rb").read()
        check(code == 0 and not is_utf8(page) and b"</script>$`" not in page and b"\xc2\x9b" not in page.split(b"owned")[0],
              "export --html: valid, and not left by a name", is_utf8(page))
    code, _out, err = run(program, "plot", NAME, "-o", "picture.svg", "-e", "MaliGPUActiveCy")
    try:
        texts = "".join(xml.etree.ElementTree.parse("picture.svg").getroot().itertext())
        check(code == 0 and SHOWN in texts, "plot: the title", texts[:200])
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        check(False, "plot: the picture is XML", f"{error}: {err}")
    shutil.copy(NAME, b"a]]>.rec")
    code, _out, err = run(program, "plot", b"a]]>.rec", "-o", "cdata.svg", "-e", "MaliGPUActiveCy")
    try:
        check(code == 0 and xml.etree.ElementTree.parse("cdata.svg"), "plot: a name that would end CDATA", err)
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        check(False, "plot: a name that would end CDATA", f"{error}: {err}")
    code, _out, _err = run(program, "export", "--perfetto", NAME, "-o", "trace")
    seen = Import([body for _field, body in load_trace("trace")], 58)
    names = [name for slices in seen.slices.values() for _time, kind, name in slices if kind == "TYPE_SLICE_BEGIN"]
    check(code == 0 and len(names) == 1 and names[0].startswith("?<b>&"), "export --perfetto: the mark", names)


def test_all(program):
    test_terminal(program)
    test_arguments(program)
    test_csv(program)
    test_rows(program)
    test_json(program)
    test_metadata(program)
    test_files(program)


if __name__ == "__main__":
    sys.exit(main(__doc__, sys.argv, test_all))
