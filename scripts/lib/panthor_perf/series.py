# SPDX-License-Identifier: GPL-2.0 or MIT
"""The patches for mainline: which file is in which patch, and how files differ from those of the checkout."""

import re
import textwrap

from .features import FEATURES, NEVER
from .slices import Problem

PERF = "drivers/gpu/drm/panthor"
UAPI = "include/uapi/drm/panthor_drm.h"
HEADER = "include/uapi/drm/panthor_perf_drm.h"
BOOK = "Documentation/gpu/panthor-perf.rst"
PMU_BOOK = "Documentation/gpu/panthor-perf-pmu.rst"
# Where a kernel has the page of a PMU outside of the CPU.
PMU_PAGE = "Documentation/admin-guide/perf/panthor-pmu.rst"
PMU_ABI = "Documentation/ABI/testing/sysfs-bus-event_source-devices-panthor"

# The first series: kind, subject, text, and the names of the files below PERF, without panthor_perf_. Those of KUnit are
# in tests/. "*" are panthor's own files with the hooks.
FIRST = (
    ("code", "drm/panthor: Define the interface of the performance counters", """\
The blocks of a Mali GPU with a command stream frontend count cycles, jobs,
cache lines, tiles and threads. Firmware writes these counters into a ring of
samples when the driver asks for it.

Define an interface with which user space samples the counters into ring
buffers that it provides. A query describes the layout of a sample, since it
depends on the GPU, on its firmware, and on the kernel. Sessions are set up,
started, sampled, stopped and torn down by an ioctl each.

The driver does not have these ioctls yet. Pads have room for what later series
add: periods, the GPU's clocks, ordered samples.
""", ("uapi",)),
    ("code", "drm/panthor: perf: Add the firmware's samples and its protocol", """\
A sample of the firmware has a block of counters for each block of the GPU. The
registers of the GPU and the firmware's interface tell which blocks there are,
and how large they are. Work their places out, and refuse what does not fit
together: a wrong place would mean wrong counters.

The global interface of the firmware has requests to enable counters and to
take a sample, a ring of samples in the address space of the MCU, and events
for a half full and a full ring. Put them into functions of their own, which
need no other state of the driver.
""", ("layout.c", "layout.h", "fw.c", "fw.h", "hw.c", "hw.h", "kconfig")),
    ("code", "drm/panthor: perf: Add up counters, and share a ring with user space", """\
The counters of the firmware have 32 bits and start at 0 in each sample. Add
them to 64-bit totals.

User space provides a ring of samples and a page with two indices. Write a
sample, publish it, and signal an eventfd. The kernel keeps its own insert
index, and believes no extract index that is impossible.
""", ("counts.c", "counts.h", "ring.c", "ring.h", "select.c", "select.h")),
    ("code", "drm/panthor: perf: Add the sampler", """\
There is one set of counters and one ring, and there may be many clients. The
sampler owns the counters: it enables them for the first client, asks for a
sample when any client needs one, reads all samples of the ring, and tells the
clients. It disables the counters before the GPU loses its power or is reset,
and enables them again. If firmware does not answer, the counters are dead
until the GPU was off; the sampler never resets the GPU.
""", ("sampler.c", "sampler.h")),
    ("code", "drm/panthor: perf: Add sessions", """\
A session has a selection of counters and a ring. It publishes the difference
of the totals since its last sample, so that sessions do not affect each
other's counts.
""", ("session.c", "session.h")),
    ("code", "drm/panthor: Add performance counters", """\
Connect the counters with the driver: the query and the ioctls, and the hooks
into probe, unplug, suspend, resume, reset and the interrupt handler.

Counters show the work of the whole GPU. The sysctl dev.panthor.perf_paranoid
says who may count: by default a process needs CAP_PERFMON.
""", ("../panthor_perf.c", "../panthor_perf.h", "device.h", "ioctl.c", "ioctl.h", "*", "version")),
    ("tests", "drm/panthor: perf: Add KUnit suites", """\
A fake firmware has the ring and the interface of a real one in memory, in two
copies, so that a missing synchronisation is found. On it run the suites of the
layout, of the protocol, of sessions, and of the ring: what a hostile program
may write into the indices included.
""", ("tests/fake_fw.c", "tests/fake_fw.h", "tests/fixture.c", "tests/fixture.h", "tests/fw_test.c",
      "tests/layout_test.c", "tests/ring_test.c", "tests/session_test.c", "tests/session_test.h")),
    ("docs", "Documentation: gpu: panthor: Describe the performance counters", """\
Tell users how to take samples and what they mean, and developers how the parts
of the driver work together.
""", ("book",)),
)

# The others: features, title, and what it is about. Each has a patch with the code of a feature, one with the suites, and
# one with the documentation.
FOLLOWING = (
    (("CLOCKS",), "Clocks in samples", """\
Firmware stamps its samples with the GPU's timestamp. Convert a stamp to
CLOCK_MONOTONIC_RAW by its distance from a recent reading of both clocks, with
a bound of the error. Count the cycles of the GPU's clocks, whose rates change.
"""),
    (("STATES",), "States of blocks", """\
Report which blocks had power in a sample, which are withheld from clients of
the GPU, and whether a core lost its power before firmware had its counts.
"""),
    (("NEURAL",), "Neural accelerators", """\
From architecture 14 on, a shader core may have a neural accelerator with
counters of its own. GPU_FEATURES and NEURAL_PRESENT tell which cores do.
"""),
    (("PERIODS",), "Periods", """\
A session with a period gets a sample at each multiple of it, without a call. A
period that cannot be published is merged into the next sample: no count is
lost. Periods of all sessions end on one grid, so that equal periods share a
firmware sample.
"""),
    (("SUSPEND", "PMU"), "Suspend with sessions, and a PMU for perf events", """\
A session may allow that the GPU is suspended while it counts: a suspended GPU
counts nothing. A PMU, which never powers the GPU, has the same counters for
perf: an event is the sum of a counter over the blocks of a type.
"""),
    (("SYNCS",), "Ordered samples", """\
A sample may wait for fences, and have others signalled when it is in the ring.
With a sample between two jobs, a client knows the counts of each exactly,
without a round trip to the CPU.
"""),
    (("COMPACT",), "Smaller samples, and fewer wake-ups", """\
A session may have samples with the counters that it requested alone, and be
signalled when a number of samples is unread.
"""),
    (("CLOCK_MODE",), "Clock modes", """\
The counts of two runs are comparable only at the same rate of the core clock.
A session may hold the clock at a rate from START to its final sample.
"""),
    (("DEBUG",), "Tracepoints, and a file for debugging", """\
Tracepoints follow a sample through the driver. A file in debugfs has the data
for a report of a fault.
"""),
)

# Largest numbers of added lines in the first series, by kind.
LIMITS = {"driver": 4000, "uAPI": 500, "KUnit": 1800, "fake": 350, "docs": 250}
MAX_PATCHES = 10
MAX_PATCH = 1200


# The end of this file is the text of the cover letter.
COVER = "Documentation/gpu/panthor-perf-series.rst"
COVER_SUBJECT = "drm/panthor: Performance counters"
COVER_BEGIN = "\nSummary\n=======\n"


def once(text, old, new):
    """text with old, which is there once, replaced by new."""
    if text.count(old) != 1:
        raise Problem(f"'{old.splitlines()[0]}' is there {text.count(old)} times, not once")
    return text.replace(old, new)


def one_match(pattern, text, what):
    """The only match of a pattern."""
    found = list(re.finditer(pattern, text, re.M | re.S))
    if len(found) != 1:
        raise Problem(f"{what}: {len(found)} matches, not one")
    return found[0]


def enumerator(comment, name):
    """A kernel-doc comment of an enumerator, and the enumerator."""
    lines = comment.splitlines()
    if len(lines) == 1 and len(lines[0]) < 70:
        return f"\n\t/** @{name}: {lines[0]} */\n\t{name},\n"
    text = "\n".join(f"\t * {line}".rstrip() for line in [f"@{name}: {lines[0]}", *lines[1:]])
    return f"\n\t/**\n{text}\n\t */\n\t{name},\n"


def uapi_of(panthor, perf):
    """panthor_drm.h with the interface of panthor_perf_drm.h, and the next numbers."""
    body = perf[perf.index("/**\n * DOC: Performance counters"):perf.index("#if defined(__cplusplus)\n}\n")]
    queries = ""
    for name, what in (("PERF_INFO", "performance counter information"), ("PERF_CLOCKS", "rates of the GPU's clocks")):
        if f"DRM_PANTHOR_DEV_QUERY_{name} -" not in body:
            continue
        query = one_match(rf"/\*\*\n \* define DRM_PANTHOR_DEV_QUERY_{name} - [^\n]*\n \*\n(.*?) \*/\n#define [^\n]*\n\n",
                          body, f"the definition of the query {name}")
        rest = re.sub(r"^ \* ?", "", query[1], flags=re.M).strip("\n")
        text = f"Query {what}.\n\n" + "\n\n".join(textwrap.fill(part, 86) for part in rest.split("\n\n"))
        queries += enumerator(text, f"DRM_PANTHOR_DEV_QUERY_{name}")
        body = body.replace(query[0], "")
    ids = one_match(r"(#define DRM_PANTHOR_PERF_[A-Z]+\t+0x5\w\n)+\n", body, "the numbers of the ioctls")
    names = re.findall(r"DRM_PANTHOR_(PERF_[A-Z]+)", ids[0])
    body = body.replace(ids[0], "")
    body = body.replace(one_match(r"/\*\n \* Reserved: ioctls.*?\*/\n\n", body, "the reserved numbers")[0], "")
    body = body.replace(one_match(r"(#define DRM_IOCTL_PANTHOR_PERF_[A-Z]+ \\\n[^\n]*\n)+\n", body, "the ioctls")[0], "")
    what = {name: one_match(rf"\* struct drm_panthor_{name.lower()} - ([^\n]*)\n", body, name)[1] for name in names}

    new = "".join(enumerator(f"Performance counters: {what[name]}.", f"DRM_PANTHOR_{name}") for name in names)
    for enum, text in (("drm_panthor_ioctl_id", new),
                       ("drm_panthor_dev_query_type", queries)):
        found = one_match(rf"enum {enum} \{{.*?\n(?=\}};)", panthor, enum)
        panthor = panthor[:found.end()] + text + panthor[found.end():]
    calls = "".join(f"\tDRM_IOCTL_PANTHOR_{name} =\n\t\tDRM_IOCTL_PANTHOR(WR, {name}, {name.lower()}),\n"
                    for name in names)
    found = one_match(r"\n/\*\*\n \* DRM_IOCTL_PANTHOR\(\) - .*?\nenum \{.*?\n(?=\};)", panthor, "the list of ioctls")
    return panthor[:found.start()] + "\n" + body.rstrip("\n") + "\n" + found[0] + calls + panthor[found.end():]


def without_experiments(text):
    """A source file without the parts that the experiments with firmware need."""
    text = re.sub(r"^#include \"panthor_perf_rawdump\.h\"\n", "", text, flags=re.M)
    text = re.sub(r"^\tpanthor_perf_rawdump_debugfs_init\(.*\n", "", text, flags=re.M)
    text = re.sub(r"^ \* - rawdump: .*\n", "", text, flags=re.M)
    return re.sub(r"^#if IS_ENABLED\(CONFIG_DRM_PANTHOR_PERF_RAWDUMP\)\n.*?^#endif\n\n?", "", text, flags=re.M | re.S)


def without_older(text):
    """A source file without the older interface, and without what older kernels need."""
    # The semantic patch leaves blank lines behind the statement.
    text = re.sub(r"^\tif \(args->type == DRM_PANTHOR_DEV_QUERY_PERF_CONTROL\)\n.*\n(?:[ \t]*\n)*", "", text, flags=re.M)
    text = re.sub(r"^.*(?:panthor_perf_control|PERF_CONTROL,|QUERY_PERF_CONTROL).*\n", "", text, flags=re.M)
    text = re.sub(r"^#if IS_ENABLED\(CONFIG_DRM_PANTHOR_PERF_CONTROL\)\n.*?^#endif\n\n?", "", text, flags=re.M | re.S)
    text = re.sub(r"^#if [^\n]*PANTHOR_PERF_PMU_STAYS\)\n.*?^#endif\n\n?", "", text, flags=re.M | re.S)
    text = re.sub(r"^#ifdef PANTHOR_PERF_FENCES_PIN_MODULE\n\n.*?^#endif\n\n", "", text, flags=re.M | re.S)
    text = re.sub(r"^#ifdef PANTHOR_PERF_FENCES_PIN_MODULE\n.*?^#endif\n", "", text, flags=re.M | re.S)
    text = re.sub(r"^#ifdef PANTHOR_PERF_REGISTER_MAP\n.*?^#else\n\n(.*?)^#endif\n\n", r"\1", text, flags=re.M | re.S)
    return re.sub(r"^#ifdef PANTHOR_PERF_PMU_STAYS\n.*?^(?:#else\n\n?(.*?))?^#endif\n\n?", lambda found: found[1] or "",
                  text, flags=re.M | re.S)


def without_suites(text):
    """A source file without what it has for suites of tests/kunit, which are in no series."""
    text = text.replace("#include <kunit/visibility.h>\n", "").replace("VISIBLE_IF_KUNIT ", "static ")
    return re.sub(r"^#if IS_ENABLED\(CONFIG_KUNIT\)\n.*?^#endif\n\n?", "", text, flags=re.M | re.S)


def hooks_of(text, absent):
    """A file of panthor with hooks, without those of what a series does not have."""
    text = re.sub(r"\n\n[ \t]+\n", "\n\n", without_older(text))
    if "DEBUG" in absent:
        text = re.sub(r"^.*panthor_perf_debugfs.*\n", "", text, flags=re.M)
    if "CLOCK_MODE" in absent:
        text = re.sub(r"^[ \t]*case DRM_PANTHOR_DEV_QUERY_PERF_CLOCKS:\n(?:[ \t]+.*\n|\n)*?(?=[ \t]*case )", "", text,
                      flags=re.M)
        text = re.sub(r"^.*drm_panthor_perf_clocks.*\n", "", text, flags=re.M)
    return text


def with_version(text):
    """panthor_drv.c with the next minor version."""
    found = one_match(r"^( \* - 1\.(\d+) - .*?)(?=^ \*/\n)(.*?\n\t\.minor = )(\d+),", text, "the version of the interface")
    minor = int(found[4]) + 1
    return (text[:found.start()] + found[1] + f" * - 1.{minor} - adds DEV_QUERY_PERF_INFO query and\n *         "
            "DRM_IOCTL_PANTHOR_PERF_* ioctls\n" + found[3] + f"{minor}," + text[found.end():])


def source_of(name, text):
    """A file of the driver."""
    text = text.replace("#include <drm/panthor_perf_drm.h>", "#include <drm/panthor_drm.h>")
    text = without_suites(without_older(without_experiments(text)))
    for word in ("RAWDUMP", "PERF_CONTROL", "PMU_STAYS", "PIN_MODULE", "REGISTER_MAP", "kcompat", "LINUX_VERSION_CODE",
                 "panthor_perf_drm.h"):
        if word.lower() in text.lower():
            raise Problem(f"{name}: '{word}' is left in it")
    return text


def config_of(text, tests):
    """The options of Kconfig.perf for mainline."""
    parts = re.split(r"^(?=config )", text, flags=re.M)
    wanted = ["DRM_PANTHOR_PERF\n", "DRM_PANTHOR_PERF_KUNIT_TEST\n"][:1 + tests]
    kept = [part.rstrip("\n") + "\n" for part in parts if any(part.startswith(f"config {name}") for name in wanted)]
    if len(kept) != len(wanted):
        raise Problem("Kconfig.perf: an option is missing")
    return "\n" + "\n".join(kept)


def makefile_of(text, objects, tests):
    """panthor's Makefile with the objects of the component."""
    added = ""
    # It needs another subsystem.
    pmu = [name for name in objects if name.endswith("perf_pmu.o")]
    # The suites have a fake in its place. Without them there is no such option.
    hardware = [name for name in objects if name.endswith("perf_hw.o")] if tests else []
    objects = [name for name in objects if name not in pmu + hardware]
    if objects:
        added += "\npanthor-$(CONFIG_DRM_PANTHOR_PERF) += \\\n" + " \\\n".join(f"\t{name}" for name in sorted(objects)) + "\n"
    if hardware:
        added += ("\n# In the kernel of the KUnit suites, their fake firmware stands in for the hardware.\n"
                  "ifneq ($(CONFIG_DRM_PANTHOR_PERF_KUNIT_TEST),y)\n"
                  f"panthor-$(CONFIG_DRM_PANTHOR_PERF) += {hardware[0]}\nendif\n")
    if pmu:
        added += f"\npanthor-perf-$(CONFIG_PERF_EVENTS) += {pmu[0]}\npanthor-$(CONFIG_DRM_PANTHOR_PERF) += $(panthor-perf-y)\n"
    if tests:
        added += ("\n# The suites are part of the module and use its internal functions.\n"
                  "panthor-$(CONFIG_DRM_PANTHOR_PERF_KUNIT_TEST) += \\\n" +
                  " \\\n".join(f"\t{name}" for name in sorted(tests)) + "\n")
    found = one_match(r"^obj-\$\(CONFIG_DRM_PANTHOR\) \+= panthor\.o\n", text, "the module in panthor's Makefile")
    text = text[:found.start()].rstrip("\n") + "\n" + added + "\n" + text[found.start():]
    if "panthor_perf_trace.o" in objects:
        text = text.rstrip("\n") + "\nCFLAGS_panthor_perf_trace.o := -I$(src)\n"
    if tests:
        text = text.rstrip("\n") + ("\n\n# The suites include headers of the driver.\n"
                                    "ccflags-$(CONFIG_DRM_PANTHOR_PERF_KUNIT_TEST) += -I$(src)\n")
    return text


def sections_of(text):
    """Triples of a heading, its level and the lines from it to the next heading. The lines before the first heading that
    is not the title's have None and 0."""
    lines = text.splitlines(keepends=True)
    heads = [at for at, (line, under) in enumerate(zip(lines, lines[1:]))
             if re.match(r"([-=~])\1{3,}\n$", under) and re.match(r"\w", line) and len(under) >= len(line) and
             (not at or lines[at - 1] != under)]
    marks = "=-~"
    yield None, 0, "".join(lines[:heads[0]])
    for first, last in zip(heads, [*heads[1:], len(lines)]):
        yield lines[first].rstrip("\n"), marks.index(lines[first + 1][0]) + 1, "".join(lines[first:last])


KINDS = "EVENT|SAMPLE|SETUP|BLOCK_TYPE|BLOCK_STATE|CLOCK_MODE|CLOCK|DEV_QUERY"


def words_of(tables):
    """What texts call the flags, events and queries of features, with and without their prefixes, and members. A member
    of one word, as "states", may be an English word."""
    names = [name for table in tables for name in table.get("uapi", ()) if name.isupper()]
    short = [re.sub(rf"DRM_PANTHOR_(?:PERF_)?(?:(?:{KINDS})_)?", "", name) for name in names]
    members = [member for table in tables for _struct, member, _pad in table.get("pads", ()) if "_" in member]
    return {*names, *short, *members}


# What the page says of ABI 1, and what mainline has: panthor_perf_kcompat.h keeps the error of ABI 1.
BOOK_TEXTS = (
    ("                                    or the state of the session does not allow the call.\n",
     "                                    or the state of the session does not allow the call.\n"
     "-E2BIG       SETUP, SAMPLE          Bytes of an array that the driver does not know are not 0.\n"),
    ("Bytes that are not 0 beyond those that the driver knows are ``-EINVAL``.",
     "Bytes that are not 0 beyond those that the driver knows are ``-E2BIG``."),
)


def book_of(text, absent):
    """The documentation, for a kernel that has the component without some features: without their sections."""
    tables = [NEVER, *(FEATURES[feature] for feature in absent)]
    gone = {heading for table in tables for heading in table.get("docs", ())}
    # For readers of this repository.
    text = one_match(r"\A\.\. SPDX[^\n]*\n", text, "the licence of the book")[0] + text[text.index("\n\n=") + 1:]
    book, below = "", None
    for heading, level, section in sections_of(text):
        if below and level > below:
            continue
        below = level if heading in gone else None
        book += "" if below else section
    book = book.replace(HEADER, UAPI).rstrip("\n") + "\n"
    for old, new in BOOK_TEXTS:
        book = book.replace(old, new)
    if "SYNCS" in absent:
        book = book.replace("-E2BIG       SETUP, SAMPLE ", "-E2BIG       SETUP         ")
    left = re.search(rf"\b({'|'.join(sorted(words_of(tables)))})\b[^\n]*|panthor-perf-[^\n]*", book)
    if left:
        raise Problem(f"{BOOK}: the series does not have '{left[0]}'")
    return book


def faults_of(book, read):
    """What Sphinx does not warn of: sections without text, and comments that sources do not have. read() returns a source,
    or nothing."""
    sections = list(sections_of(book))
    faults = []
    for (heading, level, text), following in zip(sections, [*(part[1] for part in sections[1:]), 0]):
        if heading and following <= level and not text.split("\n", 2)[2].strip():
            faults.append(f"'{heading}' is empty")
    for source, title in re.findall(r"^\.\. kernel-doc:: (\S+)\n(?:   :doc: (.*)\n)?", book, flags=re.M):
        if (f" * DOC: {title}\n" if title else "/**\n") not in (read(source) or ""):
            faults.append(f"{source} has no comment{title and f' DOC: {title}'}")
    return faults


def pmu_book_of(text):
    """The documentation of the PMU, for a kernel that has neither our tables nor older kernels' ways."""
    text = text[:text.index("\nEvents and metrics of a product\n===")] + "\n"
    text, found = re.subn(r"The indices of the counters of a product are in\s+``tools/counters``\.\s", "", text)
    if found != 1:
        raise Problem(f"{PMU_BOOK}: the place of the counters' indices is there {found} times, not once")
    text = re.sub(r" Before Linux 6\.15, .*?\n\n", "\n\n", text, flags=re.S).rstrip("\n") + "\n"
    text = re.sub(r"From Linux 6\.15 on, the parent (.*?)\. On older kernels it is\n.*?\n(?=\n|$)", r"The parent \1.\n", text,
                  flags=re.S)
    for word in ("tools/", "make ", "Before Linux", "older kernels"):
        if word in text:
            raise Problem(f"{PMU_BOOK}: it has '{word}'")
    return text


def cover_of(template, subject, text):
    """git's cover letter with a text, or with that of the documentation."""
    if COVER_BEGIN in text:
        text = text[text.index(COVER_BEGIN):]
    text = text.strip("\n").replace("``", "") + "\n"
    return once(once(template, "*** SUBJECT HERE ***", subject), "*** BLURB HERE ***\n", text)
