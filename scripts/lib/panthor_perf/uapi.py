# SPDX-License-Identifier: GPL-2.0 or MIT
"""The uAPI header of each series for mainline, from that of ABI 1.

What a series does not use yet is a pad of the same size at the same place. Enumerators keep their values, and those that
are not used are absent."""

import os
import re
import subprocess

from .slices import Names, Problem, comment_start, cut, cut_items

# Texts that name what a later series adds: the feature, the text with it, and the text without.
TEXTS = (
    ("PERIODS", "up a session on them. The session counts from START to STOP. Every SAMPLE (or\n"
                " * every period) publishes one sample, which holds the counts since the previous\n"
                " * sample. STOP publishes a final sample.\n",
     "up a session on them. The session counts from START to STOP. Every SAMPLE\n"
     " * publishes one sample, which holds the counts since the previous sample. STOP\n"
     " * publishes a final sample.\n"),
    ("STATES", "exact whatever else it has, but for the counts of\n"
               " *   shader cores and neural accelerators in a sample with CORE_OFF_LOST.\n", "exact whatever else it has.\n"),
    ("NEURAL", " *   shader cores and neural accelerators in a sample", " *   shader cores in a sample"),
    ("PERIODS", " * itself may have lost count. STRETCHED and FINAL do not concern the counts.\n",
     " * itself may have lost count. FINAL does not concern the counts.\n"),
    ("COMPACT", " * By default a sample has every available block, with all its counters. With\n"
                " * %DRM_PANTHOR_PERF_SETUP_COMPACT it has the blocks of the types of which SETUP requested a\n"
                " * counter, and of these blocks the requested counters, without gaps: see \"Smaller samples\".\n",
     " * A sample has every available block, with all its counters.\n"),
    ("PERIODS", "/** @user_data: Value of the SAMPLE or STOP call, or of START for samples of periods. */",
     "/** @user_data: Value of the SAMPLE or STOP call. */"),
    ("STATES", "Rank among the blocks of this type that are present, without holes. Of the shader\n"
               "\t * blocks, those that are AVAILABLE are, in order, the bits that are set in\n"
               "\t * &drm_panthor_gpu_info.shader_present. Of a CSG block",
     "Rank among the blocks of this type that are present, without holes. Of a CSG\n\t * block"),
    ("NEURAL", " Of a NEURAL\n\t * block, the @idx of its core's SHADER block: this type alone has holes, since a core may\n"
               "\t * have no accelerator.\n", "\n"),
    ("NEURAL", "A shader core, or its neural accelerator, lost\n\t * power and its last counts.",
     "A shader core lost power and its last\n\t * counts."),
    ("COMPACT", "the ring object may have up to 1 MiB more than @sample_slots times the sample_size of PERF_INFO,\n"
                " * also with COMPACT, and a control", "the ring object may have up to 1 MiB more than @sample_slots "
                "times the sample_size of PERF_INFO,\n * and a control"),
    ("COMPACT", "Gets one count for each published sample, or\n\t * with WAKEUP one for each wake-up, and one more",
     "Gets one count for each published sample,\n\t * and one more"),
    ("SYNCS", " * sample follows, which includes all counts up to the call or, with\n"
              " * %DRM_PANTHOR_PERF_SAMPLE_SYNCS, up to the signal of its fences.\n",
     " * sample follows, which includes all counts up to the call.\n"),
    ("PERIODS", " *\n * The firmware gets at most one request in each min_period_ns, whatever the number of sessions.\n", ""),
    ("PERIODS", " * For a started manual session. Returns", " * For a started session. Returns"),
    ("SYNCS", "[in] A combination of &enum drm_panthor_perf_sample_flags.", "[in] MBZ: none are defined."),
    ("STATES", "A combination of &enum drm_panthor_perf_feat_flags.", "0: none are defined."),
    ("SUSPEND", "[in] Those of &enum drm_panthor_perf_setup_flags that the driver offers.",
     "[in] MBZ: none are defined."),
)

INPUTS = ("drm_panthor_perf_setup", "drm_panthor_perf_start", "drm_panthor_perf_sample")


def names_of(features, absent, never):
    """Names that a series does not have, of the table FEATURES, as the uAPI's."""
    names = [name for feature in absent for name in features[feature].get("uapi", ())] + list(never.get("uapi", ()))
    pads = [pad for feature in absent for pad in features[feature].get("pads", ())] + list(never.get("pads", ()))
    return names, pads


def cut_enumerators(text, names):
    """Without enumerators. Those behind them keep their values, and an enum without any goes."""
    def without(match):
        lines, value, gap = match[2].split("\n"), -1, False
        at = 0
        while at < len(lines):
            found = re.match(r"\t(\w+)(?: = ([^,]+))?,$", lines[at])
            if not found:
                at += 1
                continue
            value = (eval(found[2], {"__builtins__": {}}) if found[2] else value + 1)  # pylint: disable=eval-used
            if found[1] in names:
                at = cut(lines, comment_start(lines, at), at)
                gap = True
                continue
            if gap and not found[2]:
                lines[at] = f"\t{found[1]} = {value},"
            gap = False
            at += 1
        body = "\n".join(lines)
        if not re.search(r"^\tDRM_", body, flags=re.M):
            return ""
        return match[1] + body + match[3]

    return re.sub(r"(/\*\*\n \* enum \w+(?:(?!\*/).)*?\*/\nenum \w+ \{\n)(.*?)(^\};\n\n)", without, text, flags=re.M | re.S)


def pad_of(text, struct, member, pad):
    """With a pad in the place of a member."""
    found = re.search(rf"(^struct {struct} \{{\n.*?)(\t/\*\*(?:(?!\*/).)*\*/\n\t[^\n]*\b{member};\n)(.*?^\}};)", text,
                      flags=re.M | re.S)
    if not found:
        raise Problem(f"struct {struct} has no member {member}")
    # The comment of the member is the last one before it.
    start = found[2].rindex("\t/**")
    kind = "MBZ" if struct in INPUTS else "0"
    name = re.match(r"\w+ (\w+)", pad)[1]
    new = found[2][:start] + f"\t/** @{name}: {kind}. */\n\t{pad};\n"
    return text[:found.start(2)] + new + text[found.start(3):]


def header_of(text, features, absent, never):
    """panthor_perf_drm.h without what the features in absent add."""
    names, pads = names_of(features, absent, never)
    for feature, old, new in TEXTS:
        if feature in absent:
            text = text.replace(old, new)
    text = cut_enumerators(text, set(names))
    for struct, member, pad in pads:
        text = pad_of(text, struct, member, pad)
    lines = text.split("\n")
    cut_items(lines, Names("uapi", names))
    text = "\n".join(lines)
    text = re.sub(r"\n\t/\* Bit[^\n]*reserved\. \*/\n", "", text)
    for name in names:
        found = re.search(rf"[^\n]*\b{name}\b[^\n]*", text)
        if found:
            raise Problem(f"uAPI: {name} is left in '{found[0].strip()}'")
    return text


def layout_check(header, derived, features, absent, never, folder):
    """Compile a comparison of both headers' structures. Returns the compiler's output, empty if they agree."""
    _names, pads = names_of(features, absent, never)
    pads = {(struct, member): re.match(r"\w+ (\w+)", pad)[1] for struct, member, pad in pads}
    gone = {name for name in _names if name.startswith("drm_")}
    os.makedirs(folder, exist_ok=True)
    structs = re.findall(r"^struct (\w+) \{\n(.*?)^\};", header, flags=re.M | re.S)
    prints, members = "", {}
    for struct, body in structs:
        members[struct] = re.findall(r"^\t[\w ]+ (\w+)(?:\[\d+\])?;$", body, flags=re.M)
        prints += f'\tprintf("{struct} - %zu\\n", sizeof(struct {struct}));\n'
        for member in members[struct]:
            prints += f'\tprintf("{struct} {member} %zu\\n", offsetof(struct {struct}, {member}));\n'
    stub = ("#include <linux/types.h>\nstruct drm_panthor_obj_array { __u32 stride; __u32 count; __u64 array; };\n"
            "#define DRM_IOWR(a, b) 0\n")
    body = re.sub(r'#include "[^"]*"\n', "", header)
    with open(os.path.join(folder, "values.c"), "w", encoding="utf-8") as file:
        file.write(f"#include <stddef.h>\n#include <stdio.h>\n{stub}{body}\nint main(void)\n{{\n{prints}\treturn 0;\n}}\n")
    values = os.path.join(folder, "values")
    run = subprocess.run(["cc", "-o", values, values + ".c"], check=False, stderr=subprocess.PIPE, encoding="utf-8")
    if run.returncode:
        return run.stderr
    asserts = ""
    for line in subprocess.run([values], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout.splitlines():
        struct, member, value = line.split()
        if struct in gone:
            continue
        what = f"sizeof(struct {struct})" if member == "-" else \
            f"offsetof(struct {struct}, {pads.get((struct, member), member)})"
        asserts += f'_Static_assert({what} == {value}, "{struct}.{member}");\n'
    body = re.sub(r'#include "[^"]*"\n', "", derived)
    with open(os.path.join(folder, "layout.c"), "w", encoding="utf-8") as file:
        file.write(f"#include <stddef.h>\n{stub}{body}\n{asserts}")
    return subprocess.run(["cc", "-fsyntax-only", os.path.join(folder, "layout.c")], check=False, stderr=subprocess.PIPE,
                          encoding="utf-8").stderr
