# SPDX-License-Identifier: GPL-2.0 or MIT
"""piglit's quick set on zink, a part of it: every test must have the result that it has without the layer. Used by run.py.

The part is that of FOLDERS, which have what a layer could break: queries, barriers, compute, copies, mapped buffers,
transform feedback. Of a folder with many tests it has every n-th one of piglit's own list, and every n-th of all others.
Shader tests of a folder run in one process.
"""

import bz2
import glob
import json
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import real

# The parts of the quick set that draw; glslparser only compiles. The shader tests without a process for each.
PROFILES = ("quick_gl", "quick_shader.no_isolation")
MOST_OF_FOLDER = 4
EVERY_OTHER = 300
FOLDERS = re.compile(
    "fast_color_clear|"
    "spec@(?:amd_pinned_memory|arb_(?:base_instance|buffer_storage|clear_buffer_object|clear_texture|compute_shader|"
    "compute_variable_group_size|copy_buffer|draw_indirect|gl_spirv@execution@xfb|indirect_parameters|map_buffer_\\w+|"
    "multi_draw_indirect|occlusion_query2?|pipeline_statistics_query|pixel_buffer_object|"
    "query_buffer_object|shader_atomic_\\w+|shader_image_load_store|shader_storage_buffer_object|sync|transform_feedback\\w*)|"
    "ext_(?:framebuffer_blit|transform_feedback)|nv_conditional_render)(?:@|$)")
# Each takes longer than all others together.
SLOW = re.compile("samples?=|variable-indexing|framebuffer_multisample|-formats|max-?size|max-ssbo-size|local-id-explosion|"
                  "variable_group_size@local-size")
# Their result differs from run to run without the layer: tests of times compare these with the clock. In that of cube
# maps zink 25.0 hangs at times: a thread waits for a job of a queue whose threads have none. The linker tests have a part
# without a result.
NOISY = re.compile("timer_query|timestamp-get|cubemap npot pbo|variable_group_size@linker")
# On a busy machine, the slowest takes more than a minute.
TIMEOUT_S = 180
SUITE_TIMEOUT_S = 1500
# Results that are no verdict: a process that was ended, or that did not start.
UNFINISHED = ("incomplete", "notrun", "timeout")
OUTPUT = "%p.csv"

PROGRAMS = {"piglit": real.Program(["piglit"], "text", env=real.ZINK, alone=False)}


def names_of(profile):
    """All tests of a profile, in piglit's order."""
    listed = subprocess.run(["piglit", "print-cmd", "--format", "{name}", profile], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, text=True, check=True).stdout
    return sorted(set(line.strip() for line in listed.splitlines() if line.strip()))


def chosen(names):
    """The tests that are run."""
    folders, others = {}, []
    for name in names:
        if SLOW.search(name) or NOISY.search(name):
            continue
        if found := FOLDERS.match(name):
            folders.setdefault(found[0], []).append(name)
        else:
            others.append(name)
    wanted = others[::EVERY_OTHER]
    for tests in folders.values():
        wanted += tests[::-(-len(tests) // MOST_OF_FOLDER)]
    return sorted(wanted)


def run_profile(judge, profile, names, mode):
    """Run tests of a profile in a mode, and return piglit's exit status, and {test: (result, what it wrote)}."""
    folder = judge.path("piglit", mode, profile)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    listed = os.path.join(folder, "tests")
    with open(listed, "w", encoding="utf-8") as file:
        file.writelines(f"{name}\n" for name in names)
    env = judge.environment("piglit", mode)
    if "PANTHOR_PERF_LAYER_OUTPUT" in env:
        env["PANTHOR_PERF_LAYER_OUTPUT"] = os.path.join(folder, OUTPUT)
    results = os.path.join(folder, "results")
    screen = real.Screen(os.path.join(folder, "screen"))
    env["DISPLAY"] = screen.display
    command = ["piglit", "run", "--overwrite", "--platform", "glx", "--process-isolation", "false", "--jobs", "1",
               "--timeout", str(TIMEOUT_S), "--log-level", "quiet", "--test-list", listed, profile, results]
    with open(os.path.join(folder, "out"), "wb") as out:
        try:
            status = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False,
                                    timeout=SUITE_TIMEOUT_S).returncode
        except subprocess.TimeoutExpired:
            return "it does not end", {}
        finally:
            screen.close()
    found = {}
    for path in glob.glob(f"{results}/results.json*"):
        with (bz2.open if path.endswith(".bz2") else open)(path, "rt", encoding="utf-8") as file:
            for name, test in json.load(file)["tests"].items():
                text = f"{test['out']}\n{test['err']}"
                found[name] = test["result"], text
                found |= {f"{name} {part}": (result, "") for part, result in test["subtests"].items() if part != "__type__"}
    return status, found


def rows_of(judge, mode):
    """How many rows all processes have written, and how many are not exact; the last one may be unfinished."""
    rows = inexact = 0
    for path in glob.glob(judge.path("piglit", mode, "*/*.csv")):
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()[1:]
        rows += len(lines)
        inexact += sum(not re.search(r",(exact|overlapped)(,\d+)*$", line) for line in lines[:-1])
        inexact += sum(not re.search(r",(exact|overlapped|unfinished)(,\d+)*$", line) for line in lines[-1:])
    return rows, inexact


def summary(results):
    """Piglit's own words and how many tests have them."""
    found = {}
    for result, _text in results.values():
        found[result] = found.get(result, 0) + 1
    return ", ".join(f"{found[word]} {word}" for word in sorted(found))


def judge_mode(judge, mode, status, results, expected, wrong):
    """What a mode is like; wrong(text) has the messages that no run may write."""
    name = f"piglit {mode}"
    judge.result(status == 0 and bool(results), f"{name}: it ends", f"exit status {status}")
    said = [(test, found[0]) for test, (_result, text) in results.items() if (found := wrong(text))]
    judge.result(not said, f"{name}: messages", f"{len(said)}: {said[:3]}")
    if mode == "without":
        passed = sum(result == "pass" for result, _text in results.values())
        unfinished = [test for test, (result, _text) in results.items() if result in UNFINISHED]
        judge.result(passed > len(results) // 2 and not unfinished, f"{name}: most tests pass", f"{passed}, {unfinished[:3]}")
        return
    before, now = ({test: result for test, (result, _text) in found.items()} for found in (expected, results))
    differ = [f"{test}: {before.get(test)}, then {now.get(test)}"
              for test in sorted({*before, *now}) if before.get(test) != now.get(test)]
    judge.result(not differ, f"{name}: {len(results)} tests have their results", f"{len(differ)} differ: {differ[:5]}")


def judge_all(judge, modes, profiles, messages):
    """Run all, and print a summary for each mode."""
    tests = {profile: chosen(names_of(profile)) for profile in PROFILES}
    jobs = {}
    with ThreadPoolExecutor(2) as pool:
        for mode in ("without", *modes):
            jobs[mode] = [pool.submit(run_profile, judge, profile, names, mode) for profile, names in tests.items()]
        expected = {}
        for mode, runs in jobs.items():
            done = [run.result() for run in runs]
            status = next((status for status, _found in done if status), 0)
            results = {test: result for _status, found in done for test, result in found.items()}
            if mode == "without":
                expected = results
            judge_mode(judge, mode, status, results, expected, messages)
            if mode in profiles:
                rows, inexact = rows_of(judge, mode)
                judge.result(rows > 0 and not inexact, f"piglit {mode}: rows", f"{rows}, {inexact} not exact")
            print(f"piglit {mode}: {summary(results)}" + (f"; {rows} rows" if mode in profiles else ""), flush=True)
