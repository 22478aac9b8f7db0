# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""perf/summary.py and perf/targets.py on recorded runs and on made-up figures."""

import json
import os
import sys
import unittest

import program

SOURCE = os.environ["TESSERA_SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "perf"))
import summary  # pylint: disable=import-error,wrong-import-position
import targets  # pylint: disable=import-error,wrong-import-position

RECORDED = [os.path.join(SOURCE, "docs", "performance", name) for name in ("epyc-2026-11-21.json", "h200-2026-11-23.json")]


def run(*words):
    """(exit status, standard output, standard error)"""
    return program.printed(summary.main, list(words))


def document(cases, counter="attempts_per_ns", **context):
    """What tessera_perf writes: {case: rates}, or {case: message} of what was left out."""
    runs = []
    for case, rates in cases.items():
        of_all = {"name": f"{case}/iterations:1/manual_time", "run_type": "iteration", "real_time": 1.0, "time_unit": "ms"}
        if isinstance(rates, str):
            runs += 5 * [{**of_all, "error_occurred": True, "error_message": rates}]
        else:
            runs += [{**of_all, "bytes_per_site": 0.1, "items_per_second": 1e9 * rate, counter: rate} for rate in rates]
    return {"context": context, "benchmarks": runs}


class Summary(program.InEmptyFolder):
    def written(self, content):
        return self.write("run.json", json.dumps(content))

    def test_multiples_equal_the_recorded_ones(self):
        compared = 0
        for path in RECORDED:
            runs = json.loads(program.read(path))["benchmarks"]
            results = summary.load(path)[1]
            for recorded in (run for run in runs if run.get("aggregate_name") == "median"):
                result = results[recorded["run_name"].split("/iterations:")[0]]
                for name in ("over_serial", "over_reference"):
                    self.assertEqual(name in recorded, name in result, recorded["run_name"])
                    if name in recorded:
                        self.assertAlmostEqual(result[name] / recorded[name], 1, 4)
                        compared += 1
        self.assertGreater(compared, 40)

    def test_peers_of_a_case(self):
        for case, serial, reference in (
            ("kmc/tile/reject/Cuda/phi:0/n:64", "kmc/tile/reject/Serial/phi:0/n:64", "kmc/bkl/phi:0/n:64"),
            ("kmc/waiting-time/phi:0/n:64", "kmc/tile/repair/Serial/phi:0/n:64", "kmc/bkl/phi:0/n:64"),
            ("kpz/DBDB/OpenMP/L:64/pq", "kpz/DBDB/Serial/L:64/pq", "kpz/sequential/L:64/pq"),
            ("kpz/DTrDB/Cuda/L:64/measured", "kpz/DTrDB/Serial/L:64/measured", "kpz/sequential/L:64"),
            ("kpz/sequential/L:64", "kpz/DTrDB/Serial/L:64", "kpz/sequential/L:64"),
            ("disks/Cuda/N:32^2/replicas:256", "disks/Serial/N:32^2/replicas:256", "disks/sequential/N:32^2/replicas:256"),
        ):
            self.assertEqual((summary.on_serial(case), summary.reference(case)), (serial, reference))

    def test_table_has_medians_spread_and_omitted_cases(self):
        cases = {"kpz/sequential/L:1024": [0.1, 0.3, 0.2], "kpz/DTrDB/Serial/L:1024": [1.0], "kpz/DTrDB/Serial/L:65536": "left out: why"}
        status, out, _ = run("--read", self.written(document(cases, processor="abacus")))
        self.assertEqual(status, 0)
        rows = {line.split()[1]: line.split(" | ") for line in out.splitlines() if line.startswith("| kpz")}
        cells = [cell.strip(" |") for cell in rows["kpz/sequential/L:1024"][1:]]
        self.assertEqual(cells, ["0.2", "0.1", "0.3", "attempts/ns", "0.2", "1", "0.1"])
        self.assertEqual(rows["kpz/DTrDB/Serial/L:1024"][6].strip(), "5")
        self.assertIn("- processor: abacus\n", out)
        self.assertEqual(out.count("- kpz/DTrDB/Serial/L:65536: left out: why"), 1)

    def test_a_missed_target_of_this_machine_fails_a_strict_run(self):
        slow = self.written(document({"kpz/sequential/L:1024": [0.04]}))
        status, out, _ = run("--read", slow, "--check-targets")
        self.assertEqual((status, "missed by 50.0 %" in out), (0, True))
        self.assertEqual(run("--read", slow, "--strict")[0], 1)
        self.assertEqual(run("--read", self.written(document({"kpz/sequential/L:1024": [0.16]})), "--strict")[0], 0)
        for device, expected in (("NVIDIA H200", 1), ("NVIDIA A100", 0)):
            path = self.written(document({"kpz/DTrDB/Cuda/L:4096": [100]}, device=device))
            self.assertEqual(run("--read", path, "--strict")[0], expected)

    def test_a_target_whose_case_was_left_out_fails_a_strict_run(self):
        for case in ("kpz/DTrDB/Cuda/L:4096", "program/kmc/Cuda/n:16384"):
            content = document({case: "left out: why", "kpz/sequential/L:1024": [0.16]}, device="NVIDIA H200", openmp_threads="16")
            status, out, _ = run("--read", self.written(content), "--strict")
            self.assertEqual(status, 1)
            self.assertRegex(out, rf"\| {case} .* \| +- \| .* left out \|")

    def test_targets_of_an_h100_hold_on_it_and_on_an_h200(self):
        case = "kmc/tile/repair/Cuda/octahedron/n:4096"
        for device, expected in (("NVIDIA H100 80GB HBM3", 1), ("NVIDIA H200", 1), ("NVIDIA A100", 0)):
            content = document({case: [1e9]}, counter="events_per_second", device=device)
            for each in content["benchmarks"]:
                each["events_per_site_and_step"] = 0.1
            self.assertEqual(run("--read", self.written(content), "--strict")[0], expected, device)

    def test_targets_of_the_recorded_h200(self):
        context, results, _ = summary.load(RECORDED[1])
        checked = {v.what: v for v in targets.verdicts(context, results, {})}
        self.assertGreater(len(checked), 50)
        self.assertTrue(checked["kpz/DTrDB/Cuda/L:65536"].met)
        self.assertFalse(checked["Serial tile method over BKL, n = 1024, phi 0"].met)
        memory = checked["Cuda memory, the most of a lattice of 65536 sites or more"]
        self.assertTrue(memory.met and memory.at_most)
        self.assertAlmostEqual(checked["disks/Cuda/N:760^2, time that a sample every 200 sweeps adds"].target, 0.05)

    def test_files_without_figures_of_the_methods(self):
        for path, message in (
            ("/no/such.json", "No such file"),
            (self.written(document({"a": [1.0]}, counter="speed")), "is not from tessera_perf"),
        ):
            status, _, err = run("--read", path)
            self.assertEqual((status, len(err.splitlines())), (2, 1))
            self.assertIn(message, err)


if __name__ == "__main__":
    unittest.main()
