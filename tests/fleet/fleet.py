#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/fleet/fleet.py --bin=FOLDER --folder=FOLDER --truth=FILE --out=FILE

Runs Debian's prometheus-node-exporter and prometheus, of the folder --bin, on free ports of the loopback device. The
exporter reads *.prom of --folder, where a guest's panthor-perf prometheus writes; Prometheus scrapes it each second and
has the alerts of integrations/prometheus. After SIGTERM it compares what Prometheus has with the log of the GPU, --truth,
and writes "ok NAME" or "not ok NAME - why" to --out.

The guest runs the program twice, and the GPU works only while it counts: the last values of both runs together are all
that the GPU has counted."""

import argparse
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ALERTS = os.path.join(TOP, "integrations/prometheus/panthor-alerts.yml")
RUNS = 2
SCRAPES = 10
# Series by name and a label, with block type and word in the GPU's log. The work has no tiler and no shader.
SERIES = {
    ("panthor_gpu_active_cycles_total", None): ("CSHW", 4),
    ("panthor_external_bytes_total", "read"): ("MEMSYS", 32),
    ("panthor_external_bytes_total", "write"): ("MEMSYS", 47),
}
BEAT = 16
CONFIG = """\
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: [{alerts}]
scrape_configs:
  - job_name: gpus
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


class Prometheus:
    """Both programs, and queries."""

    def __init__(self, folder, bin_folder, work):
        self.exporter, self.port, self.bin = free_port(), free_port(), bin_folder
        self.config = os.path.join(work, "prometheus.yml")
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(CONFIG.format(alerts=json.dumps(ALERTS), port=self.exporter))
        self.log = open(os.path.join(work, "log"), "w+", encoding="utf-8")  # pylint: disable=consider-using-with
        self.programs = [self.start("prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile",
                                    f"--collector.textfile.directory={folder}",
                                    f"--web.listen-address=127.0.0.1:{self.exporter}"),
                         self.start("prometheus", f"--config.file={self.config}",
                                    f"--storage.tsdb.path={os.path.join(work, 'data')}",
                                    f"--web.listen-address=127.0.0.1:{self.port}")]

    def start(self, program, *arguments):
        return subprocess.Popen([os.path.join(self.bin, program), *arguments], stdout=self.log,
                                stderr=subprocess.STDOUT)

    def check_config(self):
        """What promtool says of the configuration and the alerts, None if it has no objection."""
        run = subprocess.run([os.path.join(self.bin, "promtool"), "check", "config", self.config],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return run.stdout.decode() if run.returncode else None

    def get(self, path, **arguments):
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(arguments)}"
        with urllib.request.urlopen(url, timeout=20) as answer:
            return json.load(answer)["data"]

    def query(self, text):
        return self.get("query", query=text)["result"]

    def wait(self, seconds=60):
        """Wait until it answers."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                return self.query("1")
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)

    def stop(self):
        for program in self.programs:
            program.terminate()
        for program in self.programs:
            try:
                program.wait(20)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()


def counted(path):
    """What the GPU has counted, by block type and word."""
    wanted, sums = set(SERIES.values()), {}
    with open(path, encoding="utf-8") as log:
        for line in log:
            match = re.match(r" *block (\w+) \d+ en=\S+ (.*)", line)
            if not match:
                continue
            words = match[2].split()
            for kind, word in wanted:
                if kind == match[1]:
                    sums[kind, word] = sums.get((kind, word), 0) + int(words[word - 4])
    return sums


def runs_of(values):
    """The values of each run of the program: a total falls where it starts again."""
    runs = [[]]
    for value in values:
        if runs[-1] and value < runs[-1][-1]:
            runs.append([])
        runs[-1].append(value)
    return runs


def judge(server, truth, result):
    sums = counted(truth)
    for (name, label), key in SERIES.items():
        title = name if label is None else f"{name} {label}"
        found = [series for series in server.query(f"{name}[1h]") if label is None or label in series["metric"].values()]
        values = [float(value) for series in found for _time, value in series["values"]]
        runs = runs_of(values)
        want = sums.get(key, 0) * (BEAT if key[0] == "MEMSYS" else 1)
        got = sum(run[-1] for run in runs if run)
        result(len(found) == 1 and len(runs) == RUNS and want > 0 and got == want,
               f"{title}: {len(values)} scrapes of {len(runs)} runs, {want:.0f} as the GPU's log",
               f"{len(found)} series, {got:.0f}")
        result(len(values) >= SCRAPES and len(set(values)) > RUNS, f"{title}: at least {SCRAPES} scrapes, that differ",
               len(set(values)))
    # The query of a dashboard. It sees all counts only if a 0 was scraped before the first, and it estimates beyond the
    # first and the last scrape.
    growth = [float(series["value"][1]) for series in server.query("sum(increase(panthor_gpu_active_cycles_total[1h]))")]
    want = sums.get(("CSHW", 4), 0)
    result(len(growth) == 1 and 0.99 * want <= growth[0] < 1.5 * want, f"increase() of {want} cycles", growth)
    # Before the first file, there is no folder.
    times = [time for series in server.query("panthor_gpu_info[1h]") for time, _value in series["values"]]
    errors = [time for series in server.query("node_textfile_scrape_error[1h]") for time, value in series["values"]
              if value != "0" and times and time > min(times)]
    result(times and not errors, "the exporter reads each file", errors)
    missing = server.query("max_over_time(panthor_inexact_samples_total[1h]) > 0 or "
                           "max_over_time(panthor_lost_samples_total[1h]) > 0")
    result(not missing, "nothing inexact, nothing lost", missing)
    rules = [rule for group in server.get("rules")["groups"] for rule in group["rules"]]
    wrong = [rule["name"] for rule in rules if rule["health"] != "ok"]
    result(len(rules) == 3 and not wrong, f"{len(rules)} alerts are evaluated", wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of Debian's programs")
    parser.add_argument("--folder", required=True, help="folder of the files")
    parser.add_argument("--truth", required=True, help="log of the GPU")
    parser.add_argument("--out", required=True, help="file for the results")
    args = parser.parse_args()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    with tempfile.TemporaryDirectory() as work, open(args.out, "w", encoding="utf-8") as out:
        def result(good, name, why):
            print(f"ok {name}" if good else f"not ok {name} - {why}", file=out, flush=True)

        server = Prometheus(args.folder, args.bin, work)
        try:
            server.wait()
            complaint = server.check_config()
            result(complaint is None, "promtool: configuration and alerts", complaint)
            signal.sigwait({signal.SIGTERM})
            judge(server, args.truth, result)
        except OSError as error:
            server.log.seek(0)
            result(False, "Prometheus runs", f"{error}: {server.log.read()[-500:]}")
        finally:
            server.stop()


if __name__ == "__main__":
    main()
