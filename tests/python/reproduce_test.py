# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The reproduction of figures, at sizes that take a moment."""

import contextlib
import functools
import io
import json
import math
import os
import re
import signal
import subprocess
import sys
import threading
import time
import unittest
from unittest import mock

import h5py
import matplotlib
import numpy as np
import program
import tessera_io
from tessera_reproduce import disks_pressure, disks_speed, kmc_speedup, kmc_step_size
from tessera_reproduce import kpz_autocorrelations, kpz_exact, kpz_exact_autocorrelations, kpz_exponents, kpz_speed
from tessera_reproduce.__main__ import main
from tessera_reproduce.experiments import experiments
from tessera_reproduce.kpz_schemes import Scheme
from tessera_reproduce.numbers import Comparison, counted, mean_of, with_error
from tessera_reproduce.program import Program, ReproduceError, Stopped

matplotlib.use("Agg")


class Numbers(unittest.TestCase):
    def test_errors_are_those_of_the_last_digits(self):
        for value, error, text in (
            (0.345123, 0.00234, "0.3451(23)"),
            (9.1700780, 0.000045, "9.170078(45)"),
            (-0.5, 0.0996, "-0.50(10)"),
            (1234.0, 56.0, "1234(56)"),
            (1.234e9, 5.6e7, "1.234(56)e9"),
            (0.25, 0.0, "0.25"),
            (0.25, math.nan, "0.25"),
            (math.nan, 0.1, "-"),
        ):
            self.assertEqual(with_error(value, error), text)

    def test_counts_have_the_right_number(self):
        for number, text in ((0, "1 minute"), (1.4, "1 minute"), (1.6, "2 minutes"), (20, "20 minutes")):
            self.assertEqual(counted(number, "minute"), text)

    def test_mean_and_its_standard_error(self):
        self.assertEqual(mean_of([1, 2, 3]), (2, 1 / math.sqrt(3)))
        self.assertTrue(math.isnan(mean_of([1])[1]))
        self.assertTrue(math.isnan(mean_of([0.1, 0.1, 0.1])[1]))  # whose sum is rounded

    def test_z_is_in_errors_of_the_difference(self):
        self.assertAlmostEqual(Comparison("x", 1.5, 0.3, 1.0, 0.4).z, 1.0)
        self.assertTrue(math.isnan(Comparison("x", 1.5, 0.3, 1.0, math.nan).z))
        self.assertTrue(math.isnan(Comparison("x", 1.5, 0.0, 1.0, 0.0).z))


@contextlib.contextmanager
def repeated_signals(number, every):
    """Sends this process a signal now and then; between runs it does nothing."""
    over = threading.Event()

    def send():
        while not over.wait(every):
            os.kill(os.getpid(), number)

    before = signal.signal(number, lambda *_: None)
    sender = threading.Thread(target=send)
    sender.start()
    try:
        yield
    finally:
        over.set()
        sender.join()
        signal.signal(number, before)


class Runs(program.InFolder):
    """Program: runs are made once, continued where they were stopped, and made anew if anything has changed."""

    def program(self, folder="runs", **options):
        os.makedirs(self.path(folder), exist_ok=True)
        self.log = io.StringIO()
        return Program(program.PROGRAM, self.path(folder), log=self.log, **options)

    def test_finished_runs_are_used_again(self):
        options = {"size": 32, "until-time": 2, "seed": 5}
        first = self.program().run("one", "kmc", options)
        written = os.path.getmtime(first.path)
        again = self.program().run("one", "kmc", options)
        self.assertIn("finished before", self.log.getvalue())
        self.assertEqual((os.path.getmtime(again.path), again.summary), (written, first.summary))
        other = self.program().run("one", "kmc", {**options, "seed": 6})
        self.assertNotEqual(other.summary["observables"], first.summary["observables"])
        os.remove(other.path)
        self.assertTrue(os.path.exists(self.program().run("one", "kmc", {**options, "seed": 6}).path))

    def test_continued_runs(self):
        made = self.program("continued")
        first = made.run("first", "kmc", {"size": 32}, goal={"until-time": 2})
        second = made.run("second", "kmc", {}, after=first, goal={"until-time": 4})
        whole = made.run("whole", "kmc", {"size": 32}, goal={"until-time": 4})
        self.assertEqual(second.summary["observables"]["events"], whole.summary["observables"]["events"])
        made.remove(first)
        self.program("continued").run("first", "kmc", {"size": 32}, goal={"until-time": 2})
        self.assertIn("finished before", self.log.getvalue())
        self.assertFalse(os.path.exists(first.path))

    def test_a_stopped_run_goes_on(self):
        options = {"size": 64, "until-time": 2000, "measure-every": 10}
        made = self.program("stopped")
        with repeated_signals(signal.SIGTERM, 0.3), self.assertRaises(Stopped) as stopped:
            for seed in range(1, 1000):
                last = {**options, "seed": seed}
                with contextlib.suppress(FileNotFoundError):
                    os.remove(self.path("stopped/long.h5"))
                made.run("long", "kmc", last)
        self.assertEqual(stopped.exception.number, signal.SIGTERM)
        checkpoint = os.path.exists(self.path("stopped/long.h5"))
        if checkpoint:
            with tessera_io.open(self.path("stopped/long.h5")) as run:
                self.assertLess(run.observables["roughness"].time[-1], 2000)
        continued = self.program("stopped").run("long", "kmc", last)
        # A signal that comes before the program heeds it leaves nothing to go on from.
        self.assertEqual("going on from its checkpoint" in self.log.getvalue(), checkpoint)
        whole = self.program("stopped").run("whole", "kmc", last)
        for name in ("height_mean", "roughness", "events"):
            self.assertEqual(continued.summary["observables"][name], whole.summary["observables"][name])
        with continued.open() as one, whole.open() as other:
            np.testing.assert_array_equal(one.observables["roughness"].value, other.observables["roughness"].value)

    def test_mistakes_are_told(self):
        with self.assertRaisesRegex(ReproduceError, "exit status 2"):
            self.program().run("bad", "kmc", {"size": "many"})
        with self.assertRaisesRegex(ReproduceError, "--backend abacus: is not available in this build"):
            self.program(backend="abacus")
        with self.assertRaisesRegex(ReproduceError, "no program"):
            Program("/no/such/tessera", self.folder)


class ErrorZone(unittest.TestCase):
    def test_bounds_hold_what_is_known(self):
        generator = np.random.default_rng(3)
        jumps = np.sort(generator.random(40) * 50)

        def end(time):  # the next jump but one
            return jumps[np.searchsorted(jumps, time) + 1]

        histories = []
        for _ in range(5):
            time = generator.random(200) * 40
            step = generator.random(200) * 6
            right = (time + step <= end(time)).astype(int)
            histories.append({"time": time, "step": step, "accepted": right})
        zone = kmc_step_size.Zone(histories)
        self.assertEqual(zone.contradictions(), 0)
        grid = np.linspace(1, 35, 300)
        true = end(grid) - grid
        self.assertTrue((zone.lower_at(grid) <= true + 1e-12).all())
        self.assertTrue((zone.upper_at(grid) >= true - 1e-12).all())
        self.assertLess(np.median(zone.upper_at(grid) - zone.lower_at(grid)), 1.0)
        histories[0]["accepted"] = 1 - histories[0]["accepted"]
        self.assertGreater(kmc_step_size.Zone(histories).contradictions(), 0)


class ExactProcess(unittest.TestCase):
    def test_jackknife_of_a_mean_is_its_standard_error(self):
        one, other = np.random.default_rng(1).random((2, 50))
        np.testing.assert_allclose(kpz_exact.jackknife(lambda a, b: a - 2 * b, one, other), mean_of(one - 2 * other))

    def test_curves_of_other_times_are_compared_by_power_laws(self):
        exact, times = 2.0 ** np.arange(6), np.array([1.0, 2.5, 20.0])
        found = kpz_exact.deviation((times, 0.98 * times**0.4, 0.001 * times**0.4), (exact, exact**0.4, 0 * exact))
        np.testing.assert_allclose(found, [times, 3 * [-2], 3 * [0.1]])

    def test_schemes_need_room(self):
        for scheme, smallest in (
            (Scheme("dtr", "db", "1,1"), 16), (Scheme("db", "db", "1,1"), 8), (Scheme("cdb", "dt", "1,3"), 32),
            (Scheme("dt", "dt", "4,4"), 128), (Scheme("dtr", "db", "1,1", 256), 512), (Scheme("sequential"), 4),
        ):  # fmt: skip
            self.assertEqual((scheme.fits(smallest // 2), scheme.fits(smallest)), (scheme.sequential, True), scheme.label)


def small_autocorrelations():
    """Runs of a moment for figures 3, 4 and 5."""
    scale = functools.partial(kpz_autocorrelations.Scale, 128, 2, 20, (4,), sequential=(64, 2), per_decade=3)
    return mock.patch.object(kpz_autocorrelations, "Scale", lambda *_, **__: scale())


def small_exact_process():
    steady = kpz_exact.Steady(32, 4, 20, 100, 2)
    scale = kpz_exact.Scale(kpz_exact.Growth(64, 2, 2, 2, 64), (steady,), (32,))
    return mock.patch.dict(kpz_exact.SCALES, quick=scale)


def small_pressures():
    """Few disks and few sweeps for tables 1 and 2."""
    systems = (disks_pressure.N72, disks_pressure.System(64, 0.1, (disks_pressure.dilute(0.1),)))
    scale = disks_pressure.Scale(systems, 2, equilibrate=10, sweeps=100, sample_every=5)
    both = contextlib.ExitStack()
    for figure in (disks_pressure.Shuffling, disks_pressure.EquationOfState):
        both.enter_context(mock.patch.dict(figure.scales, quick=scale))
    return both


def small_speeds():
    few = {"serial": 1e4, "openmp": 1e4, "cuda": 1e4}
    return mock.patch.object(disks_speed, "Scale", lambda *_: disks_speed_scale((16, 32), 2, few))


disks_speed_scale = disks_speed.Scale


class Figures(program.InFolder):
    """Every name works, from the runs to the files."""

    small = {
        "kmc-figure-2": lambda: mock.patch.multiple(
            kmc_step_size, DURATION={"quick": 300.0}, PROBED=40.0, SHOWN=30.0, PROBES=((1.5, 0.7), (1.4, 0.8))
        ),
        "kmc-figure-3": lambda: mock.patch.multiple(
            kmc_speedup, SCALES={"quick": kmc_speedup.Scale((32,), 2, 1, segments=2, least_events=100)}, PHI=(0, 3)
        ),
        "kpz-figure-3": small_autocorrelations,
        "kpz-figure-4": small_autocorrelations,
        "kpz-figure-5": small_autocorrelations,
        "kpz-figure-6": lambda: mock.patch.dict(kpz_exponents.SCALES, quick=kpz_exponents.Scale(128, 2, 10, (64, 2, 10))),
        "kpz-figure-7": lambda: mock.patch.dict(kpz_speed.SCALES, quick=kpz_speed.Scale(128, 2, 2, (64, 2))),
        "kpz-exact": small_exact_process,
        "kpz-exact-autocorrelations": lambda: mock.patch.dict(
            kpz_exact_autocorrelations.SCALES, quick=kpz_exact_autocorrelations.Scale(64, 2, 4, (2, 4))
        ),
        "disks-table-1": small_pressures,
        "disks-table-2": small_pressures,
        "disks-figure-4": small_speeds,
        "disks-table-4": small_speeds,
    }

    def test_each_of_them(self):
        self.assertEqual(set(self.small), set(experiments()))
        for name, patch in self.small.items():
            with self.subTest(name), patch():
                folder = self.path(name)
                out, err = io.StringIO(), io.StringIO()
                with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                    status = main([name, "--output", folder, "--tessera", program.PROGRAM])
                self.assertEqual(status, 0, err.getvalue())
                self.assertIn("cost: ", err.getvalue())
                self.check_files(name, folder, out.getvalue())

    def check_files(self, name, folder, out):
        for extension in ("h5", "md", "png", "svg"):
            path = os.path.join(folder, f"{name}.{extension}")
            self.assertIn(path, out)
            self.assertGreater(os.path.getsize(path), 100)
        with h5py.File(os.path.join(folder, name + ".h5")) as file:
            self.assertEqual(file.attrs["reproduction"], name)
            for run in file["runs"].values():
                record = os.path.join(folder, "runs", os.path.splitext(run.attrs["file"])[0] + ".run.json")
                with open(record, encoding="utf-8") as summary:
                    self.assertEqual(json.load(summary)["summary"]["rate"], run.attrs["rate"])
            for series in file["figure"].values():
                self.assertEqual(len({len(column) for column in series.values()}), 1)
            for row, value in enumerate(file["comparisons/value"]):
                quantity = file["comparisons/quantity"][row].decode()
                self.assertIn(quantity, out)
                self.assertTrue(np.isfinite(value), quantity)

    def test_cost_and_names(self):
        for name in experiments():
            for scale in ("quick", "paper"):
                err = io.StringIO()
                with contextlib.redirect_stderr(err):
                    self.assertEqual(main([name, "--cost", "--scale", scale]), 0)
                self.assertRegex(err.getvalue(), "cost: .*(second|minute| h |day)")
                self.assertNotRegex(err.getvalue(), r"\b[01] (minute|day|year)s")
        with self.assertRaises(SystemExit) as left, contextlib.redirect_stderr(io.StringIO()):
            main(["kmc-figure-9"])
        self.assertEqual(left.exception.code, 2)

    def test_interrupted_command_goes_on(self):
        words = [sys.executable, "-m", "tessera_reproduce", "kmc-figure-2", "--output", "stopped", "--tessera", program.PROGRAM]
        process = subprocess.Popen(words, cwd=self.folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        for line in process.stderr:
            if re.search("probe_0.6: tessera", line):
                break
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("the same command continues from here", err)
        self.assertTrue(os.path.exists(self.path("stopped/runs/adaptive.run.json")))
        self.assertFalse(os.path.exists(self.path("stopped/kmc-figure-2.h5")))
