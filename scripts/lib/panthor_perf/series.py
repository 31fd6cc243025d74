# SPDX-License-Identifier: GPL-2.0 or MIT
"""The patches for mainline: which file is in which patch, and how files differ from those of the checkout."""

import re

PERF = "drivers/gpu/drm/panthor"
UAPI = "include/uapi/drm/panthor_drm.h"
HEADER = "include/uapi/drm/panthor_perf_drm.h"
BOOK = "Documentation/gpu/panthor-perf.rst"
PMU_BOOK = "Documentation/gpu/panthor-perf-pmu.rst"
# Where a kernel has the page of a PMU outside of the CPU.
PMU_PAGE = "Documentation/admin-guide/perf/panthor-pmu.rst"
PMU_ABI = "Documentation/ABI/testing/sysfs-bus-event_source-devices-panthor"

# A patch: name, subject, text, and the names of its files below PERF, without panthor_perf_. Suites of KUnit are in
# tests/, and what has ".o" behind it there is compiled. "*" of the last driver patch are panthor's own files.
PATCHES = (
    ("uapi", "drm/panthor: Define the interface of the performance counters", """\
The blocks of a Mali GPU with a command stream frontend count cycles, jobs,
cache lines, tiles and threads. Firmware writes these counters into a ring of
samples when the driver asks for it.

Define an interface with which user space samples the counters into ring
buffers that it provides. A query describes the layout of a sample, since it
depends on the GPU, on its firmware, and on the kernel. Sessions are set up,
started, sampled, stopped and torn down by an ioctl each. The headers have the
rules of the ring, of runtime suspend, of errors, and of who may count.

The driver does not have these ioctls yet.
""", ()),
    ("layout", "drm/panthor: perf: Add the layout of the firmware's samples", """\
A sample of the firmware has a block of counters for each block of the GPU. The
registers of the GPU and the firmware's interface tell which blocks there are,
and how large they are. Work their places out, and refuse what does not fit
together: a wrong place would mean wrong counters.
""", ("layout.c", "layout.h", "tests/layout_test.c")),
    ("fw", "drm/panthor: perf: Add the firmware's counter protocol", """\
The global interface of the firmware has requests to enable counters and to
take a sample, a ring of samples in the address space of the MCU, and events
for a half full and a full ring. Put them into functions of their own, which
need no other state of the driver.

The tests come with a fake firmware, which has the ring and the interface of a
real one in memory. The suites of the following patches run on it.
""", ("fw.c", "fw.h", "hw.c", "hw.h", "tests/fake_fw.c", "tests/fake_fw.h", "tests/fw_test.c")),
    ("clock", "drm/panthor: perf: Convert times, and count clock cycles", """\
Firmware stamps its samples with the GPU's timestamp. Convert a stamp to
CLOCK_MONOTONIC_RAW by its distance from a recent reading of both clocks, with
a bound of the error. Count the cycles of the GPU's clocks, whose rates change,
and hold the rate of the core clock for sessions that want it.
""", ("clock.c", "clock.h", "clock_mode.c", "clock_mode.h", "tests/time_test.c", "tests/u128_test.h")),
    ("counts", "drm/panthor: perf: Add up counters and the states of blocks", """\
The counters of the firmware have 32 bits and start at 0 in each sample. Add
them to 64-bit totals, and record which blocks had power, and whether counts
were lost. Tracepoints follow a sample through the driver.
""", ("counts.c", "counts.h", "trace.c", "trace.h")),
    ("sampler", "drm/panthor: perf: Add the sampler", """\
There is one set of counters and one ring, and there may be many clients. The
sampler owns the counters: it enables them for the first client, asks for a
sample when any client needs one, reads all samples of the ring, and tells the
clients. It disables the counters before the GPU loses its power or is reset,
and enables them again. If firmware does not answer, the counters are dead
until the GPU was off; the sampler never resets the GPU.
""", ("sampler.c", "sampler.h", "device.h", "tests/fixture.c", "tests/fixture.h", "tests/sampler_test.c",
      "tests/sampler_test.h")),
    ("ring", "drm/panthor: perf: Add the ring that is shared with user space", """\
User space provides a ring of samples and a page with two indices. Write a
sample, publish it, and signal an eventfd. The kernel keeps its own insert
index, and believes no extract index that is impossible.
""", ("ring.c", "ring.h", "tests/ring_test.c")),
    ("session", "drm/panthor: perf: Add sessions", """\
A session has a selection of counters, a ring, and perhaps a period. It
publishes the difference of the totals since its last sample, so that sessions
do not affect each other's counts.
""", ("session.c", "session.h", "select.c", "select.h", "tests/session_test.c", "tests/session_test.h",
      "tests/job_test.h", "tests/ordered_test.c", "tests/ordered_test.h", "tests/periodic_test.c",
      "tests/periodic_test.h", "tests/select_test.c", "tests/select_test.h")),
    ("ioctl", "drm/panthor: Add performance counters", """\
Connect the counters with the driver: the query and the ioctls, the hooks into
probe, unplug, suspend, resume, reset and the interrupt handler, and the file in
debugfs.

Counters show the work of the whole GPU. The sysctl dev.panthor.perf_paranoid
says who may count: by default a process needs CAP_PERFMON.
""", ("../panthor_perf.c", "../panthor_perf.h", "ioctl.c", "ioctl.h", "syncs.c", "syncs.h", "debugfs.c", "debugfs.h",
      "*")),
    ("pmu", "drm/panthor: perf: Add a PMU for perf events", """\
Each GPU becomes a PMU that counts system-wide: perf stat shows its counters
beside those of the CPU. An event is the sum of a counter over the blocks of a
type, or over some of them. The worker stores the totals behind each sample of
the firmware, so that a group of events is read from one sample with interrupts
disabled.

The PMU is a client of the sampler as sessions are. It does not power the GPU.
""", ("events.c", "events.h", "pmu.c", "pmu.h", "../panthor_perf.c", "tests/events_test.c",
      "tests/events_test.h")),
    ("doc", "Documentation: gpu: panthor: Describe the performance counters", """\
Tell users how to take samples and what they mean, and developers how the parts
of the driver work together.
""", ()),
)


# The end of this file is the text of the cover letter.
COVER = "Documentation/gpu/panthor-perf-series.rst"
COVER_SUBJECT = "drm/panthor: Performance counters"
COVER_BEGIN = "\nSummary\n=======\n"


class Problem(Exception):
    """A file is not what the transformation expects."""


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
    body = perf[perf.index("/**\n * DOC: Overview"):perf.index("#if defined(__cplusplus)\n}\n")]
    queries = ""
    for name, what in (("PERF_INFO", "performance counter information"), ("PERF_CLOCKS", "rates of the GPU's clocks")):
        query = one_match(rf"/\*\*\n \* define DRM_PANTHOR_DEV_QUERY_{name} - [^\n]*\n \*\n(.*?) \*/\n#define [^\n]*\n\n",
                          body, f"the definition of the query {name}")
        text = f"Query {what}.\n\n" + re.sub(r"^ \* ?", "", query[1], flags=re.M).strip("\n")
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


def without_pmu(text):
    """A source file before there is the PMU."""
    return re.sub(r"^.*panthor_perf_pmu[_.](?:\w+\(|h\").*\n", "", text, flags=re.M)


def source_of(name, text):
    """A file of the driver."""
    text = text.replace("#include <drm/panthor_perf_drm.h>", "#include <drm/panthor_drm.h>")
    text = without_older(without_experiments(text))
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
    # The suites have a fake in its place.
    hardware = [name for name in objects if name.endswith("perf_hw.o")]
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


def book_of(text):
    """The documentation, for a kernel that has the component."""
    # Elsewhere in the book of uAPIs, with all of panthor_drm.h.
    text = once(text, f".. kernel-doc:: {HEADER}\n   :internal:\n",
                "See the part about panthor_drm.h in Documentation/gpu/driver-uapi.rst.\n")
    text = text.replace(HEADER, UAPI)
    text = text[:text.index("\nIntegration\n-----------\n")]
    if "panthor-perf-" in text.replace("panthor-perf-session", ""):
        raise Problem(f"{BOOK}: it refers to a document that the series does not have")
    return text


def pmu_book_of(text):
    """The documentation of the PMU, for a kernel that has neither our tables nor older kernels' ways."""
    text = text[:text.index("\nEvents and metrics of a product\n===")] + "\n"
    text = once(text, "The indices of the counters of a product are in ``tools/counters``. With a bit", "With a bit")
    text = re.sub(r" Before Linux 6\.15, .*?\n\n", "\n\n", text, flags=re.S).rstrip("\n") + "\n"
    text = re.sub(r"From Linux 6\.15 on, the parent (.*?)\. On older kernels it is\n.*?\n(?=\n|$)", r"The parent \1.\n", text,
                  flags=re.S)
    for word in ("tools/", "make ", "Before Linux", "older kernels"):
        if word in text:
            raise Problem(f"{PMU_BOOK}: it has '{word}'")
    return text


def cover_of(template, text):
    """git's cover letter with the text of the documentation."""
    text = text[text.index(COVER_BEGIN):].strip("\n") + "\n"
    text = text.replace("``", "")
    return once(once(template, "*** SUBJECT HERE ***", COVER_SUBJECT), "*** BLURB HERE ***\n", text)
