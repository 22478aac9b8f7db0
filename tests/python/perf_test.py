# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""tessera_perf: one short run of two methods, its JSON, its table; and options that are wrong."""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["TESSERA_PERF"]
UNITS = {"kmc": ("events/s", "events_per_second"), "kpz": ("attempts/ns", "attempts_per_ns")}
# On a host, L = 65536 takes longer than the run: it is left out, and the run goes on.
FILTER = r"phi:1/n:64/iter|(sequential|DTrDB/[A-Za-z]*)/L:1024/iter|DTrDB/(Serial|OpenMP)/L:65536/iter"


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)


def case_of(name):
    return name.split("/iterations:")[0]


class OneRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        files = [os.path.join(folder.name, name) for name in ("all.json", "summary.json")]
        words = ["--budget=20", "--window=0.01", "--relax=1", f"--benchmark_filter={FILTER}", "--check-targets"]
        cls.result = run(*words, f"--benchmark_out={files[0]}", f"--summary={files[1]}")
        with open(files[0], encoding="utf-8") as file:
            document = json.load(file)
        with open(files[1], encoding="utf-8") as file:
            cls.summary = json.load(file)
        cls.context = document["context"]
        cls.runs, cls.medians = {}, {}
        for each in document["benchmarks"]:
            if each.get("error_occurred"):
                continue
            if each["run_type"] == "iteration":
                cls.runs.setdefault(case_of(each["name"]), []).append(each)
            elif each["aggregate_name"] == "median":
                cls.medians[case_of(each["run_name"])] = each

    def rate(self, case):
        """(median of the rates, unit)"""
        unit, counter = UNITS[case.split("/")[0]]
        return statistics.median(run[counter] for run in self.runs[case]), unit

    def test_has_methods_references_and_at_least_five_repetitions(self):
        self.assertEqual(self.result.returncode, 0, self.result.stderr)
        self.assertEqual({name.split("/")[0] for name in self.runs}, {"kmc", "kpz"})
        for reference in ("kmc/bkl/phi:1/n:64", "kmc/waiting-time/phi:1/n:64", "kpz/sequential/L:1024"):
            self.assertIn(reference, list(self.runs))
        for name, runs in self.runs.items():
            self.assertGreaterEqual(len(runs), 5, name)

    def test_what_does_not_fit_is_left_out_and_said(self):
        names = [case["name"] for case in self.summary["left_out"]]
        self.assertEqual({name.split("/")[-1] for name in names}, {"L:65536"})
        for name in names:
            self.assertRegex(self.result.stderr, f"{name} left out: the Monte Carlo steps would take")

    def test_context_says_machine_and_build_but_not_the_host(self):
        for key in ("tessera", "date_utc", "processor", "kokkos", "kokkos_configuration", "compiler", "settings"):
            self.assertTrue(self.context[key], key)
            self.assertEqual(self.context[key], self.summary["context"][key])
        self.assertNotIn("host_name", self.context)

    def test_summary_has_the_medians_and_the_spread(self):
        self.assertEqual([case["name"] for case in self.summary["results"]], list(self.runs))
        for case in self.summary["results"]:
            median, unit = self.rate(case["name"])
            self.assertEqual(case["unit"], unit)
            self.assertAlmostEqual(case["rate"] / median, 1, 5)
            rates = [run[UNITS[case["name"].split("/")[0]][1]] for run in self.runs[case["name"]]]
            self.assertAlmostEqual(case["least"] / min(rates), 1, 5)
            self.assertAlmostEqual(case["most"] / max(rates), 1, 5)
            self.assertEqual(case["repetitions"], len(rates))

    def test_speedups_are_over_the_same_case_on_serial_and_by_the_reference(self):
        compared = 0
        for case in self.summary["results"]:
            name = case["name"]
            serial = re.sub("/(Serial|OpenMP|Cuda)/", "/Serial/", name)
            reference = "kpz/sequential/L:1024" if name.startswith("kpz") else "kmc/bkl/phi:1/n:64"
            self.assertAlmostEqual(case["over_reference"] * self.rate(reference)[0] / case["rate"], 1, 4)
            counter = self.medians[name]["over_reference"]
            self.assertAlmostEqual(counter / case["over_reference"], 1, 4)
            if serial in self.runs and "/repair/" in name:
                self.assertAlmostEqual(case["over_serial"] * self.rate(serial)[0] / case["rate"], 1, 4)
                compared += 1
        if any("/Serial/" in name for name in self.runs):
            self.assertGreater(compared, 0)

    def test_targets_are_put_beside(self):
        targets = {target["target"]: target for target in self.summary["targets"]}
        target = targets["kpz/sequential/L:1024, one core"]
        self.assertEqual((target["figure"], target["unit"], target["at"]), (0.08, "attempts/ns", "least"))
        self.assertAlmostEqual(target["measured"] / self.rate("kpz/sequential/L:1024")[0], 1, 5)
        self.assertEqual(target["met"], target["measured"] >= 0.08)


class Options(unittest.TestCase):
    def test_wrong_ones_are_one_line_and_status_2(self):
        for word, message in (
            ("--method=kmc,ising", "must be a list of kmc, kpz, disks, program"),
            ("--budget=soon", "must be a number"),
            ("--thread-cell=2", "must be two whole numbers"),
            ("--preset=a100", "the only preset is h200"),
            ("--summary=table.txt", "must end with .md or .json"),
            ("--speed", "no option of tessera_perf"),
            ("--benchmark_filter=(", "is no regular expression"),
        ):
            result = run(word)
            self.assertEqual(result.returncode, 2, word)
            self.assertIn(message, result.stderr)

    def test_method_selects(self):
        for method in ("kmc", "kpz", "disks", "program"):
            names = run(f"--method={method}", "--benchmark_list_tests").stdout.split()
            self.assertGreater(len(names), 5)
            self.assertEqual({name.split("/")[0] for name in names}, {method})

    def test_cases_of_the_roofline_are_listed(self):
        sys.path.insert(0, os.path.join(os.environ["TESSERA_SOURCE"], "perf"))
        from roofline import CASES  # pylint: disable=import-outside-toplevel

        spaces = re.compile("/(Serial|OpenMP|Cuda)/")
        listed = {spaces.sub("/Cuda/", case_of(name)) for name in run("--benchmark_list_tests").stdout.split()}
        self.assertLessEqual(set(CASES), listed)

    def test_preset_has_fewer_cases_and_all_methods(self):
        everything = run("--benchmark_list_tests").stdout.split()
        preset = run("--preset=h200", "--benchmark_list_tests").stdout.split()
        self.assertEqual({name.split("/")[0] for name in preset}, {"kmc", "kpz", "disks", "program"})
        self.assertLess(set(map(case_of, preset)), set(map(case_of, everything)))

    def test_nothing_measured_is_a_failure_and_strict_one_of_a_target(self):
        self.assertEqual(run("--benchmark_filter=no_such_case").returncode, 1)
        words = ["--budget=3", "--window=0.01", "--repetitions=1", "--benchmark_filter=kpz/sequential/L:1024"]
        met = "missed by" not in run(*words, "--check-targets").stderr
        self.assertIn(run(*words, "--strict").returncode, (0, 1) if met else (1,))


if __name__ == "__main__":
    unittest.main()
