# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""tessera_perf: one short run of two methods, its JSON, its table; and options that are wrong."""

import json
import os
import re
import subprocess
import sys
import unittest

import program

PROGRAM = os.environ["TESSERA_PERF"]
# On a host, L = 65536 takes longer than the run: it is left out, and the run goes on.
FILTER = r"phi:1/n:64/iter|(sequential|DTrDB/[A-Za-z]*)/L:1024/iter|DTrDB/(Serial|OpenMP)/L:65536/iter"


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)


def case_of(name):
    return name.split("/iterations:")[0]


class OneRun(program.InFolder):
    @classmethod
    def prepare(cls):
        path = cls.path("all.json")
        script = os.path.join(os.environ["TESSERA_SOURCE"], "perf", "summary.py")
        words = ["--limit=30", "--benchmark_min_time=0.05s", "--relax=1", f"--benchmark_filter={FILTER}"]
        cls.result = run(*words, f"--benchmark_out={path}")
        cls.summary = subprocess.run([sys.executable, script, "--read", path], capture_output=True, text=True, check=False)
        document = json.loads(program.read(path))
        cls.context = document["context"]
        cls.runs, cls.left_out = {}, {}
        for each in document["benchmarks"]:
            if each.get("error_occurred"):
                cls.left_out.setdefault(case_of(each["name"]), each["error_message"])
            elif each["run_type"] == "iteration":
                cls.runs.setdefault(case_of(each["name"]), []).append(each)

    def test_has_methods_references_and_the_repetitions_of_each_method(self):
        self.assertEqual(self.result.returncode, 0, self.result.stderr)
        self.assertEqual({name.split("/")[0] for name in self.runs}, {"kmc", "kpz"})
        for reference in ("kmc/bkl/phi:1/n:64", "kmc/waiting-time/phi:1/n:64", "kpz/sequential/L:1024"):
            self.assertIn(reference, list(self.runs))
        for name, runs in self.runs.items():
            self.assertEqual(len(runs), 7 if name.startswith("kpz") else 5, name)

    def test_rates_are_of_the_items_and_the_time(self):
        for name, runs in self.runs.items():
            counter, scale = ("attempts_per_ns", 1e-9) if name.startswith("kpz") else ("events_per_second", 1)
            for each in runs:
                self.assertGreater(each[counter], 0)
                self.assertAlmostEqual(each["items_per_second"] * scale / each[counter], 1, 3)

    def test_repetitions_have_the_requested_length(self):
        for name, runs in self.runs.items():
            if name.startswith("kmc"):
                self.assertGreaterEqual(min(each["real_time"] for each in runs), 50, name)  # ms

    def test_cases_beyond_the_limit_are_omitted_with_a_message(self):
        self.assertEqual({name.split("/")[-1] for name in self.left_out}, {"L:65536"})
        for name, message in self.left_out.items():
            self.assertRegex(message, "^left out: the Monte Carlo steps would take")
            self.assertIn(f"- {name}: {message}", self.summary.stdout)

    def test_context_has_machine_and_build_but_not_the_host(self):
        for key in ("tessera", "date_utc", "processor", "kokkos", "kokkos_configuration", "compiler", "settings"):
            self.assertTrue(self.context[key], key)
            self.assertIn(f"- {key}: {self.context[key]}\n", self.summary.stdout)
        self.assertNotIn("host_name", self.context)

    def test_summary_has_all_cases(self):
        self.assertEqual(self.summary.returncode, 0, self.summary.stderr)
        cases = [line.split()[1] for line in self.summary.stdout.splitlines() if line.startswith(("| kmc/", "| kpz/"))]
        self.assertEqual(cases, list(self.runs))


class Options(program.InEmptyFolder):
    def test_wrong_options_give_one_line_and_status_2(self):
        for word, message in (
            ("--method=kmc,ising", "must be a list of kmc, kpz, disks, program"),
            ("--limit=soon", "must be a number"),
            ("--benchmark_min_time=0", "must be a number, at least 0.001"),
            ("--thread-cell=2", "must be two whole numbers"),
            ("--preset=a100", "the only valid preset is h200"),
            ("--speed", "unknown option of tessera_perf"),
        ):
            result = run(word)
            self.assertEqual(result.returncode, 2, word)
            self.assertIn(message, result.stderr)

    def test_other_models_and_the_rejection_free_method_continue_relaxed_states(self):
        cases = "kmc/(bkl/epitaxy/n:1024|bkl/phi:[0-3]/n:64|tile/repair/[A-Za-z]*/hopping/E:1/n:64/replicas:256)/iter"
        words = ["--limit=100", "--relax=1", "--settle=1", "--benchmark_min_time=0.02s", "--benchmark_repetitions=1"]
        result = run(f"--benchmark_filter={cases}", *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("ERROR", result.stdout)
        for name in ("kmc/bkl/epitaxy/n:1024", "kmc/bkl/phi:2/n:64", "hopping/E:1/n:64/replicas:256"):
            self.assertIn(name, result.stdout)

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

    def test_nothing_measured_is_a_failure(self):
        for expression in ("no_such_case", "("):
            self.assertEqual(run(f"--benchmark_filter={expression}").returncode, 1)

    def test_cases_beyond_the_budget_are_omitted(self):
        path = self.write("program", '#!/bin/sh\nsleep 1\nfor output; do :; done\necho done > "$output"\n')
        os.chmod(path, 0o700)
        result = run("--method=program", f"--program={path}", "--budget=1.9", "--benchmark_repetitions=1")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout, r"(?m)^program/kpz/\w+/L:2048/.* ms ")
        for late in (r"disks/\w+/N:10000000", r"kmc/\w+/n:16384"):
            self.assertRegex(result.stdout, rf"(?m)^program/{late}/.*left out: the run has used up its --budget")

    def test_a_failed_case_is_a_failure(self):
        result = run("--program=/no/such/program", "--benchmark_filter=program/kpz/.*L:2048/", "--benchmark_repetitions=1")
        self.assertEqual(result.returncode, 1)
        self.assertIn("failed: /no/such/program", result.stdout)

    def test_one_command_measures_and_compares(self):
        script = os.path.join(os.environ["TESSERA_SOURCE"], "perf", "summary.py")
        words = ["--benchmark_filter=kpz/.*/L:1024/iter", "--benchmark_min_time=0.01", "--benchmark_repetitions=1"]
        result = subprocess.run([sys.executable, script, "--program", PROGRAM, "--", *words], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"\| kpz/sequential/L:1024 .* attempts/ns \|")


if __name__ == "__main__":
    unittest.main()
