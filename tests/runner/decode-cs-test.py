#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Tests of scripts/decode-cs.py: words and texts are written by hand, from the encodings that Mesa publishes."""

import importlib.util
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = f"{TOP}/scripts/decode-cs.py"
MODEL = f"{TOP}/tests/vmali/vmali_cs_exec.c"

sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("decode_cs", SCRIPT)
decode_cs = importlib.util.module_from_spec(spec)
spec.loader.exec_module(decode_cs)

# Architecture, word, text
CASES = (
    (10, 0x0000000000000000, "NOP"),
    (10, 0x015c000100180000, "MOVE48 r92:r93, 0x100180000"),
    (10, 0x020c0000600df00d, "MOVE32 r12, 0x600df00d"),
    (10, 0x0300000000ff0000, "WAIT 0xff"),
    (10, 0x0300000100010000, "WAIT 0x1, progress"),
    (11, 0x0300000200000000, "WAIT 0x0, indirect"),
    # The indirect form is younger.
    (10, 0x0300000200000000, "WAIT 0x0, unknown bits 0x200000000"),
    (10, 0x0400000000008001, "RUN_COMPUTE increment 1, axis z"),
    (10, 0x0400e40100004003, "RUN_COMPUTE increment 3, axis y, progress, spd 1, tsd 2, fau 3"),
    (12, 0x0402010000050001, "RUN_COMPUTE increment 1, axis x, srt 1, endpoint-limit 5, stage 2"),
    (10, 0x0500000000000000, "RUN_TILING flags 0x0, draw-id-register r0"),
    (11, 0x060028260000000a, "RUN_IDVS flags 0xa, malloc, draw-id, selects 0x4, draw-id-register r40"),
    (12, 0x0600000000000000, "UNKNOWN 0x0600000000000000"),
    (12, 0x0c00000100000008, "RUN_IDVS2 flags 0x8, progress, draw-id-register r0"),
    (11, 0x0c00000000000000, "UNKNOWN 0x0c00000000000000"),
    (10, 0x0700000100000021, "RUN_FRAGMENT tile-enable-map, order 2, progress"),
    (10, 0x0800180000000000, "RUN_FULLSCREEN flags 0x0, descriptor r24:r25"),
    (10, 0x0900000000000000, "FINISH_TILING"),
    (10, 0x0b03141600040001, "FINISH_FRAGMENT first r20:r21, last r22:r23, increment, wait 0x4, signal 3"),
    (10, 0x100c0efffffffff0, "ADD_IMMEDIATE32 r12, r14, -16, unknown bits 0xff00000000"),
    (10, 0x100c0e00fffffff0, "ADD_IMMEDIATE32 r12, r14, -16"),
    (10, 0x110c0e0000000010, "ADD_IMMEDIATE64 r12:r13, r14:r15, 16"),
    (13, 0x110c0e0100000004, "ADD_IMMEDIATE64 r12:r13, r14:r15, 4, operation shift-left"),
    (10, 0x120a0b0c00000000, "UMIN32 r10, r11, r12"),
    (13, 0x120a0b0c02000000, "ALU32 r10, r11, r12, operation subtract"),
    (10, 0x130a0b0c00000001, "UNKNOWN 0x130a0b0c00000001"),
    (11, 0x130a0b0c00000018, "LOGIC_OP32 r10, r11, r12, truth-table 0x8, index"),
    (10, 0x140c0a0000050010, "LOAD_MULTIPLE {r12 r14}, [r10:r11 + 16]"),
    (10, 0x150c0a000001fff8, "STORE_MULTIPLE {r12}, [r10:r11 - 8]"),
    (10, 0x150c0a0080010000, "STORE_MULTIPLE {r12 r27}, [r10:r11]"),
    (10, 0x16005e003000fffe, "BRANCH -2 if r94 != 0"),
    (10, 0x1600000060000003, "BRANCH +3 always"),
    (10, 0x16000a0010000000, "BRANCH +0 if r10 > 0"),
    (10, 0x1700000000000021, "SET_SB_ENTRY endpoint 1, other 2"),
    (10, 0x1800400000000003, "PROGRESS_WAIT queue 3, r64:r65"),
    (10, 0x1900484a00000002, "SET_EXCEPTION_HANDLER type 2, r72:r73, length r74"),
    (11, 0x1b00420800000000, "SET_STATE stream-mask, r66"),
    (11, 0x1c00000900000007, "SET_STATE_IMM32 wait-mask, 0x7"),
    (11, 0x1c00000600000007, "SET_STATE_IMM32 unknown-6, 0x7"),
    (11, 0x1e12000100080000, "SHARED_SB_INC 0x8, entry 2, progress, deferred"),
    (11, 0x1f02000000000000, "SHARED_SB_DEC entry 2"),
    (10, 0x20005c5e00000000, "CALL r92:r93, length r94"),
    (10, 0x21005c5e00000000, "JUMP r92:r93, length r94"),
    (10, 0x2200000000000006, "REQ_RESOURCE fragment+tiler"),
    (10, 0x2200000000000000, "REQ_RESOURCE none"),
    (10, 0x2200000000000010, "REQ_RESOURCE none, unknown bits 0x10"),
    (12, 0x2200000000000010, "REQ_RESOURCE ray-tracing"),
    (10, 0x24015e0000020233,
     "FLUSH_CACHE2 l2 clean+invalidate, lsc clean+invalidate, other invalidate, flush-id r94, wait 0x2, signal 1"),
    (10, 0x33005c5e00ff0001,
     "SYNC_ADD64 object r92:r93, data r94:r95, scope system, propagate, wait 0xff, signal 0"),
    (10, 0x25005c5e00000004, "SYNC_ADD32 object r92:r93, data r94, scope csg, signal 0"),
    (11, 0x34125c5e00000000, "SYNC_SET64 object r92:r93, data r94:r95, scope system, signal 2, deferred"),
    (10, 0x26005c5e00000002, "SYNC_SET32 object r92:r93, data r94, scope unknown-1, signal 0"),
    (10, 0x27005c5e10000000, "SYNC_WAIT32 until [r92:r93] > r94"),
    (10, 0x35005c5e00000001, "SYNC_WAIT64 until [r92:r93] <= r94:r95, reject-errors"),
    (11, 0x35005c5e50000000, "SYNC_WAIT64 until [r92:r93] >= r94:r95"),
    (10, 0x28034a0100010008, "STORE_STATE [r74:r75 + 8], cycle-count, wait 0x1, signal 3"),
    (11, 0x28004a0300000000, "STORE_STATE [r74:r75], error-status, signal 0"),
    (10, 0x2900000000000007, "PROT_REGION 7"),
    (10, 0x2a004c0000000000, "PROGRESS_STORE r76:r77"),
    (10, 0x2b4e000000000000, "PROGRESS_LOAD r78:r79"),
    (10, 0x2c00010100000040, "RUN_COMPUTE_INDIRECT work-groups 64, progress, srt 1"),
    (10, 0x2f00000000000000, "ERROR_BARRIER"),
    (10, 0x3000480000000000, "HEAP_SET r72:r73"),
    (10, 0x3101000100040000, "HEAP_OPERATION vertex-tiling-completed, wait 0x4, signal 1"),
    (10, 0xff00000000000001, "UNKNOWN 0xff00000000000001"),
)

TRACE = """\
1234@1764452000.123456:vmali_csg_request csg 0 req 0x00000011 ack 0x00000000
1234@1764452000.123457:vmali_csg_request csg 0 req 0x00000011 ack 0x00000001
1234@1764452000.123458:vmali_doorbell page 0 req 0x00000001 ack 0x00000000
1234@1764452000.123459:vmali_cs_insn csg 0 cs 1 0x100000010: 0x20005c5e00000000
vmali_cs_insn csg 1 cs 2 0x100100000: 0x1200000000000000
1234@1764452000.123460:vmali_cs_trap csg 0 cs 1 type 0x5a info 0x100000003 fault
vmali_csg_request csg 1 req 0x00000002 ack 0x00000001
"""
TEXTS = (
    "group 0: start",
    "group 0 stream 1 0x000100000010: CALL r92:r93, length r94",
    "group 1 stream 2 0x000100100000: ALU32 r0, r0, r0, operation min",
    "group 0 stream 1 fault 0x5a (address range), information 0x100000003",
    "group 1: suspend",
)

failed = False


def result(good, text, why=""):
    global failed
    failed |= not good
    print(f"{'ok' if good else 'not ok'} {text}{'' if good else f' - {why}'}")


def run(*words):
    done = subprocess.run([SCRIPT, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout.decode()


def test_cases():
    for arch, word, text in CASES:
        got = decode_cs.decode(word, arch)
        result(got == text, f"{text.split()[0]} {word:#018x} of architecture {arch}", f"'{got}', not '{text}'")


def test_nothing_is_dropped():
    """The texts of two instructions differ if their words do, for one bit in each place."""
    lost = []
    for code, rows in decode_cs.TABLE.items():
        for arch in {row[0] for row in rows} | {row[1] for row in rows}:
            plain = decode_cs.decode(code << 56, arch)
            lost += [f"bit {bit} of opcode {code} in architecture {arch}" for bit in range(56)
                     if code not in (20, 21) and decode_cs.decode(code << 56 | 1 << bit, arch) == plain]
    result(not lost, "no bit of an instruction is dropped", ", ".join(lost[:5]))


def test_model():
    """What the virtual GPU executes has a text, for the same architectures."""
    with open(MODEL, encoding="utf-8") as file:
        rows = re.findall(r"^    \[(\d+)\] = \{ \w+([^}]*)\}", file.read(), re.M)
    missing = []
    for code, rest in rows:
        first = re.search(r"first_arch = (\d+)", rest)
        last = re.search(r"last_arch = (\d+)", rest)
        for arch in range(int(first.group(1)) if first else 10, (int(last.group(1)) if last else 14) + 1):
            if decode_cs.decode(int(code) << 56, arch).startswith("UNKNOWN"):
                missing.append(f"opcode {code} in architecture {arch}")
    result(len(rows) > 40 and not missing, "each instruction of the virtual GPU has a text",
           f"{len(rows)} rows; {', '.join(missing[:5])}")


def test_trace():
    with tempfile.TemporaryDirectory() as folder:
        trace, truth = os.path.join(folder, "qemu.log"), os.path.join(folder, "truth.log")
        with open(trace, "w", encoding="utf-8") as file:
            file.write(TRACE)
        status, out = run(trace)
        result(status == 2 and "--arch is needed" in out, "without a truth log, the architecture is requested", out)
        with open(truth, "w", encoding="utf-8") as file:
            file.write("vmali-truth 1\ngpu id=0xd8300000 shader_present=0x1\n")
        status, out = run(trace)
        result(status == 0 and tuple(out.splitlines()) == TEXTS, "the text of a trace", out)
        status, out = run("--arch", "10", "--group", "1", trace)
        result(status == 0 and out.splitlines() ==
               ["group 1 stream 2 0x000100100000: UMIN32 r0, r0, r0", "group 1: suspend"],
               "the text of one group, of another architecture", out)
        with open(trace, "w", encoding="utf-8") as file:
            file.write("nothing\n")
        status, out = run(trace)
        result(status == 1 and "has no such lines" in out, "a file that is no trace is an error", out)
        status, out = run("--arch", "10", os.path.join(folder, "absent"))
        result(status == 1 and "No such file" in out, "a file that is absent is an error", out)
    status, out = run("--word", "0x20005c5e00000000")
    result((status, out) == (0, "CALL r92:r93, length r94\n"), "the text of a word", out)
    for words in ((), ("--word", "xyz"), ("--word", "1", "file"), ("--arch", "9", "file")):
        status, out = run(*words)
        result(status == 2 and "error: " in out, f"wrong arguments: '{' '.join(words)}'", out)


test_cases()
test_nothing_is_dropped()
test_model()
test_trace()
sys.exit(1 if failed else 0)
