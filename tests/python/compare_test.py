# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""perf/compare.py on made-up files, and on what tessera_perf has measured."""

import json
import math
import os
import random
import subprocess
import sys

import program

SOURCE = os.environ["TESSERA_SOURCE"]
SCRIPT = os.path.join(SOURCE, "perf", "compare.py")
RECORDED = os.path.join(SOURCE, "docs", "performance", "h200-2026-11-23.json")
# Events per second of two runs on two busy cores.
CASES = ("kmc/bkl/phi:0/n:64", "kmc/tile/repair/Serial/phi:1/n:64", "kmc/bkl/phi:1/n:64")
RATES = (
    ([2.823e6, 2.561e6, 2.504e6, 2.514e6, 2.483e6], [7.442e5, 7.206e5, 6.374e5, 7.87e5, 6.818e5], [1.88e6, 1.619e6, 1.762e6, 1.659e6, 1.728e6]),
    ([2.557e6, 2.821e6, 2.991e6, 2.83e6, 2.564e6], [7.988e5, 8.611e5, 8.265e5, 7.507e5, 1.049e6], [1.881e6, 1.768e6, 1.734e6, 1.625e6, 1.797e6]),
)

sys.path.insert(0, os.path.dirname(SCRIPT))
import compare  # noqa: E402


def document(cases, repetitions_in_name=5, **context):
    """What tessera_perf writes: {case: rates}."""
    runs = []
    for name, rates in cases.items():
        full = f"{name}/iterations:1/repeats:{repetitions_in_name}/manual_time"
        for rate in rates:
            runs.append({"name": full, "run_type": "iteration", "real_time": 10.0, "time_unit": "ms", "items_per_second": rate})
        if len(rates) > 1:
            runs.append({"name": full + "_mean", "run_type": "aggregate", "real_time": 10.0, "items_per_second": 1.0})
    return {"context": {"processor": "abacus", **context}, "benchmarks": runs}


class Comparison(program.InEmptyFolder):
    def write(self, name, text):
        return super().write(name, text if isinstance(text, str) else json.dumps(text))

    def compare(self, old, new, *words):
        """(exit status, standard output, standard error)"""
        paths = [content if isinstance(content, str) else self.write(f"{i}.json", content) for i, content in enumerate((old, new))]
        return program.printed(compare.main, [*paths, *words])

    def test_slower_faster_and_same(self):
        old = document({"a": [100, 101, 99, 100, 100], "b": [50, 51, 49, 50, 50], "c": [10, 10.1, 9.9, 10, 10]})
        new = document({"a": [80, 81, 79, 80, 80], "b": [60, 61, 59, 60, 60], "c": [10.05, 10, 9.9, 10.1, 10]})
        status, out, _ = self.compare(old, new)
        self.assertEqual(status, 1)
        lines = {line.split()[0]: line for line in out.splitlines()}
        self.assertRegex(lines["a"], r"-20\.0  slower$")
        self.assertRegex(lines["b"], r"\+20\.0  faster$")
        self.assertRegex(lines["c"], r"\+0\.1$")
        self.assertIn("1 slower, 1 faster, 1 same", out)
        self.assertEqual(self.compare(new, new)[0], 0)

    def test_a_change_within_the_noise_is_not_significant(self):
        noisy = {"a": [100, 130, 80, 110, 90]}
        self.assertEqual(self.compare(document(noisy), document({"a": [r * 0.9 for r in noisy["a"]]}))[0], 0)
        quiet = {"a": [100, 100.5, 99.5, 100.2, 99.8]}
        self.assertEqual(self.compare(document(quiet), document({"a": [r * 0.9 for r in quiet["a"]]}))[0], 1)

    def test_small_changes_do_not_count(self):
        quiet = {"a": [100, 100.01, 99.99, 100, 100]}
        slower = document({"a": [r * 0.98 for r in quiet["a"]]})
        self.assertEqual(self.compare(document(quiet), slower)[0], 0)
        self.assertEqual(self.compare(document(quiet), slower, "--at-least", "1")[0], 1)

    def test_false_alarms_are_as_rare_as_the_level(self):
        generator = random.Random(11)
        cases = {f"case{i}": [math.exp(generator.gauss(0, 0.1)) for _ in range(5)] for i in range(4000)}
        again = {name: [math.exp(generator.gauss(0, 0.1)) for _ in range(5)] for name in cases}
        for level, most in (("0.01", 65), ("0.001", 14)):
            _, out, _ = self.compare(document(cases), document(again), "--at-least", "0", "--level", level)
            alarms = sum(line.endswith(("slower", "faster")) for line in out.splitlines()[1:-1])
            self.assertLessEqual(alarms, most)
        self.assertGreater(alarms, 0)

    def test_one_repetition_gives_no_result(self):
        status, out, _ = self.compare(document({"a": [100]}), document({"a": [10]}))
        self.assertEqual((status, "1 one repetition" in out), (0, True))

    def test_equal_repetitions_have_no_noise(self):
        self.assertEqual(self.compare(document({"a": [100, 100]}), document({"a": [90, 90]}))[0], 1)

    def test_different_cases_and_machines_are_reported(self):
        old = document({"a": [1, 1], "gone": [1, 1]}, processor="abacus")
        new = document({"a": [1, 1], "fresh": [1, 1]}, repetitions_in_name=7, processor="slide rule")
        status, out, _ = self.compare(old, new)
        self.assertEqual(status, 0)
        for text in ("only in OLD: gone", "only in NEW: fresh", "processor differs: abacus and slide rule"):
            self.assertIn(text, out)

    def test_failed_cases_and_times_without_items(self):
        runs = document({"a": [1.0, 1.1]})
        runs["benchmarks"].append({"name": "b", "run_type": "iteration", "error_occurred": True, "real_time": 0.0})
        for time in (10.0, 10.1):
            runs["benchmarks"].append({"name": "c", "run_type": "iteration", "real_time": time, "time_unit": "ms"})
        _, cases = compare.read(self.write("some.json", runs))
        self.assertEqual(set(cases), {"a", "c"})
        self.assertAlmostEqual(cases["c"].rates[0], 100.0)

    def test_files_that_cannot_be_compared(self):
        good = document({"a": [1, 1]})
        for bad, message in (
            ("/no/such.json", "No such file"),
            (self.write("text.json", "speed: high"), "no JSON of google-benchmark"),
            (self.write("other.json", {"speed": 3}), "no JSON of google-benchmark"),
            (self.write("empty.json", document({})), "has no repetitions"),
            (self.write("alien.json", document({"z": [1, 1]})), "no case in common"),
        ):
            status, _, err = self.compare(good, bad)
            self.assertEqual(status, 2)
            self.assertIn(message, err)
            self.assertEqual(len(err.splitlines()), 1)

    def test_a_real_run_of_all_methods(self):
        context, cases = compare.read(RECORDED)
        self.assertEqual({name.split("/")[0] for name in cases}, {"kmc", "kpz", "disks", "program"})
        self.assertIn("processor", context)
        left_out = {run["name"].split("/iterations:")[0] for run in json.loads(program.read(RECORDED))["benchmarks"] if run.get("error_occurred")}
        self.assertEqual(left_out, {"kmc/tile/repair/Cuda/phi:3/n:1024"})
        self.assertFalse(left_out & set(cases))
        self.assertEqual(self.compare(RECORDED, RECORDED)[0], 0)

    def test_two_real_runs(self):
        paths = [self.write(f"run{i}.json", document(dict(zip(CASES, rates)))) for i, rates in enumerate(RATES)]
        done = subprocess.run([sys.executable, SCRIPT, *paths], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("3 same", done.stdout)
        slower = dict(zip(CASES, RATES[1]))
        slower["kmc/bkl/phi:1/n:64"] = [0.6 * rate for rate in slower["kmc/bkl/phi:1/n:64"]]
        status, out, _ = self.compare(paths[0], document(slower))
        self.assertEqual(status, 1)
        self.assertEqual([line.split()[0] for line in out.splitlines() if line.endswith("slower")], ["kmc/bkl/phi:1/n:64"])
