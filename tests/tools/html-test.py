#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/html-test.py BIN [SCREENSHOTS]

Exports recordings of BIN/panthor-perf-fake as HTML pages. The data in a page is compared with what follows from the
bytes of the recording; texts of a recording must stay texts. Then Chromium opens the pages, without sanitizers in BIN:
pointer and keyboard, values, console and network are checked, and SCREENSHOTS (build/html-screenshots) gets pictures.
Prints "ok NAME", "not ok NAME - why", or "skip NAME - why" where there is no browser. It is run by the python3 of the
system, which has Debian's selenium.
"""

import base64
import importlib.util
import json
import math
import os
import re
import shutil
import struct
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, HERE)
from program import Program, Result, write  # noqa: E402
from recordings import COMPACT, ERROR, OVERFLOW, SAMPLE, STRETCHED, TYPES, Recording  # noqa: E402

spec = importlib.util.spec_from_file_location("recordings_test", os.path.join(HERE, "recordings-test.py"))
base = importlib.util.module_from_spec(spec)
spec.loader.exec_module(base)

TYPE_CODES = {"u8": "B", "u16": "H", "u32": "I", "f32": "f", "f64": "d"}
CLOCK_GHZ = 0.8
LENGTH_NS = 999983
RUN_GAP_NS = 25000000
MERGED_OFFSET = struct.calcsize("<2QIIQ4QQ")
HOSTILE = ["</script><script>window.hacked = 1</script>", "<!--<script>", "<img src=x onerror=hacked=2>", "\"' & \\ ]]>",
           "\u00e9t\u00e9 \u2028 \u00b5s"]
MESSAGE_MISSING = "built without uPlot"


def check(good, name, why=""):
    base.check(good, f"html: {name}", why)


def equal(got, want, name):
    base.equal(got, want, f"html: {name}")


class Page:
    """A page, read as a browser does."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.blocks = re.findall(r"<script([^>]*)>(.*?)</script", self.text, re.S)
        self.data = json.loads(self.blocks[0][1])
        self.count = self.data["samples"]["count"]
        self.counters = {c["about"]["name"]: c for c in self.data["counters"]}

    def array(self, array):
        if "value" in array:
            return [array["value"]] * self.count
        code = TYPE_CODES[array["type"]]
        return list(struct.unpack(f"<{self.count}{code}", base64.b64decode(array["data"], validate=True)))

    def values(self, name, instance=None):
        counter = self.counters[name]
        return self.array(counter["values"] if instance is None else counter["instances"][instance])

    def times(self):
        """Start and end of each sample, in ns since the start of the recording."""
        found, at = [], self.data["begin_ns"]
        samples = self.data["samples"]
        for gap, length in zip(self.array(samples["gap"]), self.array(samples["length"])):
            found.append((at + gap, at + gap + length))
            at += gap + length
        return found


def shaped(source, path):
    """A recording with the samples of another one, whose counters follow curves: an idle part, noise, a pause between
    two runs, and samples with flags."""
    rec = Recording(source)
    data = bytearray(rec.data)
    names = rec.names()
    count = len(rec.samples)
    end, gap = rec.samples[0]["start"], True
    for number, (at, body) in enumerate((at, body) for kind, at, body in rec.records if kind == SAMPLE):
        part = number / count
        wave = math.sin(number * math.pi / 8)
        noise = (number * 7919 % 101) / 101
        cycles = 0 if 0.4 < part < 0.5 else int(CLOCK_GHZ * LENGTH_NS * (0.55 + 0.35 * math.sin(part * 9) + 0.08 * noise))
        shares = {"MaliGPUActiveCy": 1, "MaliFragQueuedCy": 0.7 + 0.2 * wave, "MaliVertQueuedCy": 0.3 - 0.2 * wave,
                  "MaliCompQueuedCy": 0.1 * (part > 0.6), "MaliTilerActiveCy": 0.25 + 0.1 * noise, "MaliAnyActiveCy": 0.9,
                  "MaliCoreActiveCy": 0.8 + 0.1 * noise, "MaliFragWarp": 0.01, "MaliExtBusRdBt": 0.12 + 0.05 * noise,
                  "MaliExtBusWrBt": 0.05 + 0.03 * wave}
        counts = {names[name][:2]: int(cycles * share) for name, share in shares.items()}
        flags = ERROR if 0.2 < part < 0.22 else OVERFLOW if 0.3 < part < 0.305 else STRETCHED if 0.6 < part < 0.62 else 0
        length = LENGTH_NS + LENGTH_NS * 2 * bool(flags & STRETCHED)
        start = end + RUN_GAP_NS * (gap and part >= 0.75)
        gap = gap and part < 0.75
        end = start + length
        struct.pack_into("<2Q", data, at + 16, start, end)
        struct.pack_into("<I", data, at + 36, flags)
        struct.pack_into("<2I", data, at + 16 + MERGED_OFFSET, 2 * bool(flags & STRETCHED), 0)
        place = at + 16 + rec.header
        seen = {}
        while place < at + 8 + len(body):
            block = TYPES[data[place]]
            instance = seen[block] = seen.get(block, -1) + 1
            counters = sorted(rec.asked[data[place]]) if rec.flags & COMPACT else range(rec.counters)
            for i, index in enumerate(counters):
                value = counts.get((block, index), 0)
                struct.pack_into("<Q", data, place + rec.block_header + 8 * i,
                                 int(value * (1 - 0.1 * instance)) if block == "shader" else value)
            place += rec.block_header + 8 * len(counters)
    with open(path, "wb") as file:
        file.write(data)


def check_structure(page, name):
    equal([kind for kind, _text in page.blocks], [' type="application/json" id="data"', "", ""],
          f"{name}: a data block and two scripts")
    outside = page.text.replace(page.blocks[0][1], "")
    licence = re.search(r"<!-- Written by.*?-->", outside, re.S)
    check(licence and "Copyright (c) 2022 Leon Sorokin" in licence[0] and "without restriction" in licence[0],
          f"{name}: the licence of uPlot")
    addresses = re.findall(r"(?:https?|wss?|ftp):[^\s'\"]*", outside.replace(licence[0] if licence else "", ""))
    equal(addresses, ["https://github.com/leeoniya/uPlot"], f"{name}: no address but that of the licence notice")
    check(not re.search(r"<(link|img|iframe|object|embed|base|form|meta http-equiv=\"refresh)|@import|url\(|<[^>]* (src|href|on\w+)=",
                        re.sub(r"<script>.*?</script>", "", outside, flags=re.S)), f"{name}: nothing is loaded")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page.text)[1]
    check("default-src 'none'" in policy and "unsafe" not in policy and len(re.findall("'sha256-", policy)) == 4 and
          not re.search("https?:|\\*", policy), f"{name}: the policy forbids all but the scripts and styles", policy)
    check(not re.search("[<>&]", page.blocks[0][1]), f"{name}: characters of HTML are escaped in the data")


def check_data(page, rec, name):
    equal(page.times(), [(s["start"] - rec.samples[0]["start"], s["end"] - rec.samples[0]["start"]) for s in rec.samples],
          f"{name}: times")
    for field in ("flags", "events", "merged"):
        equal(page.array(page.data["samples"][field]), [s[field] for s in rec.samples], f"{name}: {field}")
    wrong, compared = [], 0
    for counter, (block, index, shift) in rec.names().items():
        if counter not in page.counters:
            if any(rec.value(i, block, index) for i in range(page.count)):
                wrong.append(counter)
            continue
        about = page.counters[counter]["about"]
        places = [None] + list(range(len(page.counters[counter]["instances"])))
        for place in places:
            want = [rec.value(i, block, index, place) << shift for i in range(page.count)]
            # Numbers of browsers have 53 bits.
            if page.values(counter, place) != [float(v) if v > 2 ** 53 else v for v in want]:
                wrong.append((counter, place))
            compared += 1
        if not about["amount"] or about["derived"] or (about["block"], about["index"]) != (block, index):
            wrong.append(about)
    check(compared and not wrong, f"{name}: values of counters, {compared} arrays", wrong[:4])


def check_derived(page, rec, name):
    count = range(page.count)
    beats = [rec.value(i, "memsys", 32) for i in count]
    spans = [s["end"] - s["start"] for s in rec.samples]
    cases = {"ext_rd_bw": [b * base.BUS_BYTES * 1e9 / span for b, span in zip(beats, spans)],
             "ext_rd_bytes": [b * base.BUS_BYTES for b in beats],
             "core_util": [100 * rec.value(i, "shader", 26) / (rec.value(i, "shader", 53) or 1) for i in count]}
    for counter, want in cases.items():
        got = page.values(counter)
        check(all(math.isclose(g, w, rel_tol=1e-6) for g, w in zip(got, want)), f"{name}: {counter}", got[:4])
    amounts = {counter: page.counters[counter]["about"]["amount"] for counter in ("ext_rd_bw", "ext_rd_bytes", "core_util",
                                                                                 "gpu_active", "gpu_freq")}
    equal(amounts, {"ext_rd_bw": False, "ext_rd_bytes": True, "core_util": False, "gpu_active": True, "gpu_freq": False},
          f"{name}: which derived counters are amounts")


def test_pages(program):
    program.output("export", "--html", "curves.rec", "-i", "-o", "curves.html")
    page, rec = Page("curves.html"), Recording("curves.rec")
    check_structure(page, "curves")
    check_data(page, rec, "curves")
    check_derived(page, rec, "curves")
    equal(sorted(n for n, c in page.counters.items() if c["about"]["shown"]),
          sorted(["comp_queue_util", "core_util", "ext_rd_bw", "ext_wr_bw", "frag_queue_util", "geom_queue_util",
                  "tiler_util"]), "curves: what is shown at first")
    quality = page.data["quality"]
    equal([quality[k] for k in ("errors", "overflows", "stretched")],
          [sum(1 for s in rec.samples if s["flags"] & flag) for flag in (ERROR, OVERFLOW, STRETCHED)], "curves: quality")

    # limit-test judges the words.
    report = json.loads(program.output("report", "--json", "curves.rec"))
    equal(page.data["verdict"], (report["verdict"] or {"text": ""})["text"], "curves: the verdict")
    equal(len(page.data["limits"]), sum(limit["likely"] for limit in report["limits"]), "curves: a sentence a limit")

    program.output("export", "--html", "curves.rec", "-o", "default.html")
    rows = base.table_of(program, "curves.rec")
    check(not any(c["instances"] for c in Page("default.html").data["counters"]), "no instances without -i")
    want = {row["name"] for row in rows if float(row["max"] or 0) or float(row["min"] or 0)}
    equal(set(Page("default.html").counters), want, "the counters that report shows, and no others")
    program.output("export", "--html", "-e", "cshw:4,tiler:6,alu_util", "--from", "#10", "--to", "#19", "curves.rec", "-o",
                   "some.html")
    some = Page("some.html")
    equal(list(some.counters), ["MaliGPUActiveCy", "MaliGeomTrianglePrim", "alu_util"], "export -e: these alone, with zeroes")
    equal((some.count, some.data["recording"]["first_sample"]), (10, 10), "export --from, --to: a part")
    equal(some.values("MaliGPUActiveCy"), [rec.value(i, "cshw", 4) for i in range(10, 20)], "a part: values")
    equal(some.times()[0][0], rec.samples[10]["start"] - rec.samples[0]["start"], "a part: time")

    program.expect("export --html and --perfetto", 2, "give only one of", "export", "--html", "--perfetto", "curves.rec")
    program.expect("export --html to a full device", 1, "writing /dev/full: No space left", "export", "--html", "curves.rec",
                   "-o", "/dev/full")
    program.expect("export --html to a folder that is missing", 1, "writing missing/x.html", "export", "--html",
                   "curves.rec", "-o", "missing/x.html")
    program.output("export", "--html", "curves.rec")
    check(os.path.exists("panthor-perf.html"), "the default name")


def test_hostile(program):
    """Names of marks, the command line and the file name are texts, whatever is in them."""
    write("layer", 'exec 3>"$PANTHOR_PERF_MARK" 4<"$PANTHOR_PERF_MARK_ACK"\nid=2\n'
               'while read -r name; do echo "$id $name" >&3; read -r got <&4; id=$((id + 2)); done <names\n')
    with open("names", "wb") as file:
        file.write("\n".join(HOSTILE).encode() + b"\n\xff\xc3\x28 \xed\xa0\x80\n")
    os.makedirs("<b>", exist_ok=True)
    status, _out, err = program.run("record", "-q", "--mark", "mark", "--mark-ack", "ack", "-o", "<b>/<script>.rec", "--", "sh",
                                    "layer", HOSTILE[0], load="load")
    equal((status, err), (0, ""), "hostile: record")
    program.output("export", "--html", "-i", "<b>/<script>.rec", "-o", "hostile.html")
    with open("hostile.html", "rb") as file:
        text = file.read().decode("utf-8", "replace")
    with open("hostile.html", "w", encoding="utf-8") as file:
        file.write(text)
    page = Page("hostile.html")
    check_structure(page, "hostile")
    check_data(page, Recording("<b>/<script>.rec"), "hostile")
    marks = page.data["marks"]
    equal([(m["sample"], m["id"], m["name"]) for m in marks[:-1]],
          [(i, str(2 * i + 2), name) for i, name in enumerate(HOSTILE)], "hostile: marks")
    check("?" in marks[-1]["name"], "hostile: bytes that are no UTF-8", marks[-1])
    equal((page.data["recording"]["file"], HOSTILE[0] in page.data["recording"]["command"]), ("<script>.rec", True),
          "hostile: file and command line")


def test_size(program):
    """20,000 samples of the default counters: the page is small, and is written with little memory."""
    program.output("record", "-q", "-I", "0.1", "-n", "20000", "-e", "MaliGPUActiveCy,MaliExtBusRdBt,core_util,tiler_util",
                   "--compact", "-o", "random.rec", settings="features=14")
    shaped("random.rec", "long.rec")
    program.output("export", "--html", "long.rec", "-o", "long.html")
    page = Page("long.html")
    size = os.path.getsize("long.html")
    equal(page.count, 20000, "20,000 samples: all are there")
    most = 120000 + page.count * 4 / 3 * (8 * len(page.counters) + 12)
    check(size < most, f"20,000 samples: {size // 1024} kB for {len(page.counters)} counters", f"more than {most}")


class Browser:
    """Chromium without a window, and without a network."""

    def __init__(self, folder, pictures):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        from selenium.webdriver.common.action_chains import ActionChains
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
                         "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND", "--no-first-run",
                         f"--user-data-dir={folder}/chromium"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        os.environ.update(HOME=folder, XDG_CONFIG_HOME=folder, XDG_CACHE_HOME=folder)
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.driver.set_page_load_timeout(300)
        self.driver.set_script_timeout(300)
        self.chain = lambda: ActionChains(self.driver, duration=50)
        self.pictures = pictures

    def open(self, path, width=1400, height=900, scheme="light"):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.driver.get("file://" + os.path.abspath(path))
        self.settle()

    def settle(self):
        """Until two frames have been drawn."""
        self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(() => arguments[0]()))")

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        return self.driver.find_elements("css selector", selector)

    def click(self, selector, number=0):
        self.js("arguments[0].scrollIntoView({block: 'nearest'})", self.find(selector)[number])
        self.find(selector)[number].click()
        self.settle()

    def move(self, chart, x):
        """The pointer to x pixels from the left of a chart. Selenium counts from the centre."""
        over = self.find(".u-over")[chart]
        self.js("arguments[0].scrollIntoView({block: 'nearest'})", over)
        self.chain().move_to_element_with_offset(over, round(x - self.width(chart) / 2), 0).perform()
        self.settle()

    def drag(self, chart, start, end):
        over = self.find(".u-over")[chart]
        self.chain().move_to_element_with_offset(over, round(start - self.width(chart) / 2), 0).click_and_hold() \
            .move_by_offset(round(end - start), 0).release().perform()
        self.settle()

    def wheel(self, chart, x, turn):
        from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
        origin = ScrollOrigin.from_element(self.find(".u-over")[chart], round(x - self.width(chart) / 2), 0)
        self.chain().scroll_from_origin(origin, 0, turn).perform()
        self.settle()

    def width(self, chart):
        return self.js("return document.querySelectorAll('.u-over')[arguments[0]].clientWidth", chart)

    def ticks(self):
        """Of each chart: the places of the labels on the time axis, and their texts."""
        return self.js("return [...document.querySelectorAll('.chart')].map((e) => "
                       "[e.chart.plot.axes[0]._splits, e.chart.plot.axes[0]._values])")

    def range(self):
        """The part that all charts show."""
        ranges = self.js("return [...document.querySelectorAll('.chart')].map((e) => "
                         "[e.chart.plot.scales.x.min, e.chart.plot.scales.x.max])")
        shown = self.js("const d = document.getElementById('charts').dataset; return [+d.from, +d.to]")
        return shown if all(r == shown for r in ranges) else ranges

    def lines(self):
        return self.js("return [...document.querySelectorAll('.chart')].map((e) => "
                       "[e.chart.unit, e.chart.plot.series.slice(1).map((s) => s.label)])")

    def tip(self):
        tip = self.find("#tip")[0]
        rows = self.js("return [...document.querySelectorAll('#tip .row')].map((r) => [r.children[1].textContent, "
                       "r.children[2].textContent])")
        return (tip.text if tip.is_displayed() else ""), dict(rows)

    def errors(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Those to the network, but for those of the browser's own pages, such as that of a new tab."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated"):
                url = message["params"].get("request", message["params"])["url"]
                if not message["params"].get("documentURL", "").startswith("chrome"):
                    found.append(url)
        return [url for url in found if not url.startswith(("file:", "chrome:", "about:", "data:"))]

    def picture(self, name):
        self.driver.save_screenshot(os.path.join(self.pictures, name + ".png"))


def number_of(text):
    """The number of "1.5 GB/s"."""
    number, _blank, unit = text.partition("\u00a0")
    return float(number) * {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}.get(unit[:1], 1)


def near(got, want, name, tolerance):
    check(all(abs(g - w) <= tolerance for g, w in zip(got, want)), name, f"got {got}, want {want}")


def browse_curves(browser):
    page = Page("curves.html")
    times = page.times()
    whole = [times[0][0] / 1e9, times[-1][1] / 1e9]
    browser.open("curves.html")
    lines = browser.lines()
    equal(lines, [["%", ["frag_queue_util", "geom_queue_util", "comp_queue_util", "tiler_util", "core_util"]],
                  ["B/s", ["ext_rd_bw", "ext_wr_bw"]]], "browser: a chart for each unit")
    near(browser.range(), whole, "browser: all is shown at first", 1e-9)

    # Pixels of the first chart are times.
    width = browser.width(0)
    pixel = (whole[1] - whole[0]) / width
    number = page.count // 8
    middle = sum(times[number]) / 2e9
    browser.move(0, (middle - whole[0]) / pixel)
    text, rows = browser.tip()
    shown = re.search(r"sample (\d+)", text)
    shown = int(shown[1]) if shown else -1
    check(abs(shown - number) <= 1, "browser: the sample under the pointer", text)
    check(rows and all(math.isclose(number_of(rows[name]), page.values(name)[shown], rel_tol=1e-4, abs_tol=1e-9)
                       for name in lines[0][1]), "browser: values under the pointer", rows)
    legend = browser.js("return [...document.querySelectorAll('.legend output')].map((o) => o.textContent)")
    check(len(legend) == 7 and math.isclose(number_of(legend[5]), page.values("ext_rd_bw")[shown], rel_tol=1e-4),
          "browser: values of the other charts", legend)
    browser.picture("curves-light")

    browser.drag(0, width * 0.25, width * 0.5)
    want = [whole[0] + 0.25 * (whole[1] - whole[0]), whole[0] + 0.5 * (whole[1] - whole[0])]
    near(browser.range(), want, "browser: drag to zoom", 2 * pixel)
    browser.move(1, width * 0.5)
    middle = sum(browser.range()) / 2
    text, rows = browser.tip()
    shown = int(re.search(r"sample (\d+)", text)[1])
    check(times[shown][0] / 1e9 - 2 * pixel / 4 <= middle <= times[shown][1] / 1e9 + 2 * pixel / 4,
          "browser: the sample under the pointer, zoomed", text)
    browser.picture("zoomed")
    before = browser.range()
    rounded, steps = [], set()
    for _ in range(14):
        for places, labels in browser.ticks():
            steps.add(f"{places[1] - places[0]:.3g}")
            rounded += [f"{label} at {place:.9f}" for place, label in zip(places, labels)
                        if abs(float(label.removesuffix(" s")) - place) > 1e-9]
        browser.wheel(0, width * 0.4, -60)
    check(not rounded, "browser: no label of the time axis is rounded", "; ".join(rounded[:3]))
    check(len(steps) >= 4, "browser: with several steps between them", " ".join(sorted(steps)))
    browser.click("#all")
    browser.drag(0, width * 0.25, width * 0.5)
    before = browser.range()
    browser.wheel(0, width * 0.25, -100)
    span = before[1] - before[0]
    near(browser.range(), [before[0] + span / 12, before[0] + span / 12 + span / 1.5],
         "browser: the wheel zooms at the pointer", pixel)
    browser.click("#out")
    near([browser.range()[1] - browser.range()[0]], [span], "browser: zoom out", 1e-6)
    before = browser.range()
    browser.click("#later")
    near(browser.range(), [before[0] + span / 4, before[1] + span / 4], "browser: move", 1e-6)
    browser.click("#all")
    near(browser.range(), whole, "browser: back to all", 1e-9)
    browser.click("#in")
    browser.js("document.activeElement.blur()")
    browser.chain().send_keys("0").perform()
    browser.settle()
    near(browser.range(), whole, "browser: back to all by a key", 1e-9)
    browser.drag(1, width * 0.6, width * 0.9)
    over = browser.find(".u-over")[0]
    browser.chain().double_click(over).perform()
    browser.settle()
    near(browser.range(), whole, "browser: back to all by a double click", 1e-9)

    # A pause between two runs is no idle time.
    pause = next(i for i in range(1, page.count) if times[i][0] > times[i - 1][1])
    browser.move(0, ((times[pause - 1][1] + times[pause][0]) / 2e9 - whole[0]) / pixel)
    check("did not run" in browser.tip()[0], "browser: a pause has no values", browser.tip())
    flat = browser.js("""const plot = document.querySelector('.chart').chart.plot, at = plot.data[0].indexOf(arguments[0]);
                      return [plot.data[1][at], plot.data[1].filter((v) => v === null).length]""", times[pause - 1][1] / 1e9)
    equal(flat, [None, 1], "browser: a gap where counters did not run, 0 where they were idle")
    error = next(i for i, flags in enumerate(page.array(page.data["samples"]["flags"])) if flags & ERROR)
    browser.move(0, (sum(times[error + 1]) / 2e9 - whole[0]) / pixel)
    check("ERROR" in browser.tip()[0], "browser: a sample with ERROR", browser.tip())
    check("with ERROR" in browser.find("#key")[0].text and "merged" in browser.find("#key")[0].text, "browser: the key")


def browse_verdict(browser):
    """The verdict and the limits are those of the whole recording, and the page says so where it shows a part."""
    browser.open("busy.html")
    page = Page("busy.html")
    shown = lambda: browser.find("#verdict")[0].text
    check(shown().startswith("Not GPU bound: idle for 20.0 % of the time."), "browser: the verdict of all", shown())
    equal(shown(), page.data["verdict"], "browser: the verdict of all, alone")
    check("Memory: reads from external memory stall" in browser.find("#limits")[0].text, "browser: the limits below it", browser.find("#limits")[0].text)
    width = browser.width(0)
    for name, zoom in (("a part", lambda: browser.drag(0, width * 0.25, width * 0.5)), ("a smaller part", lambda: browser.click("#in")),
                       ("the next part", lambda: browser.click("#later"))):
        zoom()
        equal(shown(), f"Whole recording: {page.data['verdict']}", f"browser: the verdict beside {name}")
    browser.picture("verdict-of-all")
    browser.click("#all")
    equal(shown(), page.data["verdict"], "browser: the verdict of all again")
    browser.open("curves.html")
    browser.click("#in")
    equal(shown(), "", "browser: no verdict, no words about it")


def browse_list(browser):
    before = dict(browser.lines())
    browser.click("input[name=gpu_active]")
    equal(dict(browser.lines()), dict(before, **{"cycles/s": ["gpu_active"]}), "browser: a counter of another unit")
    page = Page("curves.html")
    start, end = page.times()[3]
    unit = [u for u, _l in browser.lines()].index("cycles/s")
    value = browser.js("return document.querySelectorAll('.chart')[arguments[0]].chart.plot.data[1][3]", unit)
    check(math.isclose(value, page.values("gpu_active")[3] * 1e9 / (end - start), rel_tol=1e-6), "browser: amounts per second", value)
    browser.click("input[name=gpu_active]")
    equal(dict(browser.lines()), before, "browser: it is removed again")
    browser.find("#search")[0].send_keys("core_util")
    browser.settle()
    equal(len([e for e in browser.find("li") if e.is_displayed()]), 1, "browser: search")
    browser.click("li:not([hidden]) .blocks > button")
    browser.click("li:not([hidden]) .blocks div button")
    check({"core_util", "core_util[0]", "core_util[1]", "core_util[2]"} <= set(browser.lines()[0][1]), "browser: instances of a counter",
          browser.lines())
    browser.find("#search")[0].clear()
    browser.find("#search")[0].send_keys(" ")
    browser.settle()
    check(len([e for e in browser.find("li") if e.is_displayed()]) > 5, "browser: all counters again")
    browser.picture("instances")
    browser.click("#none")
    equal((browser.lines(), "Select counters" in browser.find("#charts")[0].text), ([], True), "browser: clear")


def browse_hostile(browser):
    browser.open("hostile.html")
    state = browser.js("return [window.hacked, document.getElementById('title').textContent, document.querySelectorAll('img').length,"
                       " document.scripts.length]")
    equal(state, [None, "Mali-G610: <script>.rec", 0, 3], "browser: hostile texts are texts")
    check(HOSTILE[0] in browser.find("#facts")[0].text, "browser: a hostile command line is shown", browser.find("#facts")[0].text)
    browser.move(0, browser.width(0) * 0.5 / (len(HOSTILE) + 2))
    check(f"mark: {HOSTILE[0]}" in browser.tip()[0], "browser: the name of a mark", browser.tip())
    browser.picture("hostile")
    equal(browser.errors(), [], "browser: no message on the console")
    equal(browser.requests(), [], "browser: no request to the network")
    # If a text had become an element after all, the policy would stop it.
    browser.js("const s = document.createElement('script'); s.textContent = 'window.hacked = 3'; document.body.append(s);"
               "const i = document.createElement('img'); i.src = 'http://panthor-perf.invalid/x.png'; document.body.append(i)")
    fetched = browser.driver.execute_async_script("fetch('http://panthor-perf.invalid/').then(() => arguments[0]('fetched'),"
                                                  "(error) => arguments[0](String(error)))")
    browser.settle()
    messages = " ".join(browser.errors())
    check(browser.js("return window.hacked") is None and "fetched" not in fetched.split() and
          messages.count("Content Security Policy") >= 3, "browser: the policy stops scripts, pictures and requests", messages)


def browse_marks(browser):
    browser.open("frames.html", 1280, 800)
    page = Page("frames.html")
    equal(browser.find("#key")[0].text, f"{len(page.data['marks'])} marks", "browser: the key of marks")
    browser.picture("marks")
    browser.open("frames.html", 1280, 800, "dark")
    browser.picture("marks-dark")
    browser.open("curves.html", 1400, 900, "dark")
    browser.move(0, browser.width(0) * 0.7)
    browser.picture("curves-dark")
    for scheme in ("light", "dark"):
        browser.open("curves.html", 700, 1000, scheme)
        browser.picture(f"narrow-{scheme}")
    wide = browser.js("return [document.documentElement.scrollWidth, window.innerWidth]")
    check(wide[0] <= wide[1], "browser: a narrow window needs no sideways scrolling", wide)


def browse_long(browser):
    begin = time.monotonic()
    browser.open("long.html")
    took = time.monotonic() - begin
    inside = browser.js("const t = performance.getEntriesByType('navigation')[0]; return t.loadEventEnd - t.startTime")
    check(browser.js("return document.querySelector('.chart').chart.plot.data[0].length") >= 20000,
          "browser: 20,000 samples", f"{took} s")
    print(f"# 20,000 samples: loaded in {inside:.0f} ms", file=sys.stderr)
    browser.picture("long")


def missing():
    """Why there is no browser."""
    for program, package in (("chromium", "chromium"), ("chromedriver", "chromium-driver")):
        if not shutil.which(program):
            return f"there is no {program} (package {package})"
    if importlib.util.find_spec("selenium") is None:
        return "there is no selenium (package python3-selenium)"
    return ""


def browse(folder, pictures):
    from selenium.common.exceptions import WebDriverException
    try:
        browser = Browser(folder, pictures)
    except WebDriverException as error:
        print(f"skip html: in a browser - chromium does not start: {error.msg.splitlines()[0]}")
        return
    try:
        browse_curves(browser)
        browse_list(browser)
        equal(browser.errors(), [], "browser: no message on the console, curves")
        browse_verdict(browser)
        browse_marks(browser)
        browse_long(browser)
        browse_hostile(browser)
    finally:
        browser.driver.quit()


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1] == "--help":
        print(__doc__)
        return 2
    program = Program(os.path.abspath(sys.argv[1]))
    pictures = os.path.abspath(sys.argv[2] if len(sys.argv) == 3 else os.path.join(HERE, "../../build/html-screenshots"))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write("gpu.panthor", "")
        write("load", base.LOAD)
        program.run("record", "-q", "-n", "3", "-e", "MaliGPUActiveCy", "-o", "three.rec")
        if MESSAGE_MISSING in program.run("export", "--html", "three.rec")[2]:
            print("skip html: all - this program was built without uPlot")
            return 0
        program.run("record", "-q", "-I", "1", "-n", "400", "-o", "random.rec")
        shaped("random.rec", "curves.rec")
        program.run("record", "-q", "-I", "1", "-n", "40", "-o", "random.rec")
        base.record_marks(program, "marked.rec", "load", ids=range(2, 100, 2))
        shaped("marked.rec", "frames.rec")
        program.output("export", "--html", "frames.rec", "-o", "frames.html")
        # Busy for 1000000 of 1250000 cycles; reads stall for 620000 of these.
        write("busy", "cshw:4 1000000\nmemsys:33 620000\n")
        program.output("record", "-q", "-I", "1", "-n", "40", "-o", "busy.rec", load="busy",
                       settings="length_ns=1000000,clocks=1,cycles=1250000")
        program.output("export", "--html", "busy.rec", "-o", "busy.html")
        test_pages(program)
        test_hostile(program)
        test_size(program)
        with open(program.program, "rb") as binary:
            sanitized = b"__asan_init" in binary.read() or b"__tsan_init" in binary.read()
        if not sanitized and missing():
            print(f"skip html: in a browser - {missing()}")
        elif not sanitized:
            os.makedirs(pictures, exist_ok=True)
            browse(folder, pictures)
    return Result.failed


if __name__ == "__main__":
    sys.exit(main())
