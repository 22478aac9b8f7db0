# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The reproduction of figures, at sizes that take a moment."""

import contextlib
import functools
import itertools
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
import unittest
from unittest import mock

import formulas  # noqa: F401
import h5py
import matplotlib
import numpy as np
import program
from tessera_io.plot.style import MARKERS
from tessera_reproduce import disks_pressure, disks_speed, disks_transition, kmc_speedup, kmc_step_size
from tessera_reproduce import kpz_autocorrelations, kpz_exact, kpz_exact_autocorrelations, kpz_exponents, kpz_speed, page, report
from tessera_reproduce.__main__ import main
from tessera_reproduce.experiments import experiments
from tessera_reproduce.kpz_schemes import Scheme
from tessera_reproduce.numbers import Comparison, cost_of, mean_of
from tessera_reproduce.program import Program, Stopped

matplotlib.use("Agg")


class Numbers(unittest.TestCase):
    def test_costs_are_reported(self):
        for work, text in ((0, "0 moves: 1 minute on a core"), (84, "8e+01 moves: 1 minute on a core"), (1.2e3, "1e+03 moves: 20 minutes on a core")):
            self.assertEqual(cost_of(work, "moves", (1, "a core")), text)
        self.assertEqual(cost_of(3e6, "moves", (30, "a GPU"), (1, "a core")), "3e+06 moves: 28 hours on a GPU, 35 days on a core")

    def test_mean_and_its_standard_error(self):
        self.assertEqual(mean_of([1, 2, 3]), (2, 1 / math.sqrt(3)))
        self.assertTrue(math.isnan(mean_of([1])[1]))
        self.assertTrue(math.isnan(mean_of([0.1, 0.1, 0.1])[1]))  # whose sum is rounded

    def test_z_is_in_errors_of_the_difference(self):
        self.assertAlmostEqual(Comparison("x", 1.5, 0.3, 1.0, 0.4).z, 1.0)
        self.assertTrue(math.isnan(Comparison("x", 1.5, 0.3, 1.0, math.nan).z))
        self.assertTrue(math.isnan(Comparison("x", 1.5, 0.0, 1.0, 0.0).z))


class ErrorZone(unittest.TestCase):
    def test_bounds_contain_the_known_values(self):
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


class StepSites(unittest.TestCase):
    def test_random_deposition_has_independent_heights(self):
        height = np.random.default_rng(1).poisson(3.0, (5, 100_000))
        found = (height[0] < height[1:].max(axis=0)).mean()
        self.assertAlmostEqual(kmc_speedup.deposited(3.0), found, delta=0.005)
        self.assertAlmostEqual(kmc_speedup.deposited(1e6), 0.8, delta=0.001)


class ExactProcess(unittest.TestCase):
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


class Transition(unittest.TestCase):
    def test_open_symbols_are_not_stationary(self):
        systems = [disks_pressure.System(side**2, eta) for side in (64, 256) for eta in (0.716, 0.698)]
        found = [(system, 9.1 + system.eta / 10, 0.01) for system in systems]
        fig = disks_transition.draw_transition(found, ["stationary", "drifting", "replicas differ", "stationary"])
        for panel in fig.axes:
            drawn = {}
            for line in panel.get_lines():
                for x in line.get_xdata():
                    if line.get_marker() in MARKERS:
                        drawn[float(x), line.get_marker()] = line.get_markerfacecolor() == "white"
            self.assertEqual(drawn, {(0.716, "o"): False, (0.698, "o"): True, (0.716, "s"): True, (0.698, "s"): False})
        labels = fig.axes[0].get_legend_handles_labels()[1]
        self.assertEqual(len(labels), len(disks_transition.TABLE_2) + 3, labels)
        matplotlib.pyplot.close(fig)

    def test_error_bars_in_the_coexistence_are_complete(self):
        found = [(disks_pressure.System(64**2, eta), value, 0.03) for eta, value in ((0.7, 9.19), (0.716, 9.12))]
        fig = disks_transition.draw_transition(found, ["stationary", "stationary"])
        low, high = fig.axes[1].get_ylim()
        self.assertTrue(low < 9.09 and 9.22 < high, (low, high))
        matplotlib.pyplot.close(fig)

    def test_notes_name_what_is_not_stationary(self):
        systems = [disks_pressure.System(count, eta) for count in (64, 256) for eta in (0.7, 0.71)] + [disks_pressure.System(256, 0.72)]
        table = disks_pressure.EquationOfState()
        results = ["stationary", "drifting", "drifting", "too short", "replicas differ"]
        of_order = ["too short", "too short", "stationary", "too short", "stationary"]
        told = "\n".join(table.notes(table.scales["gpu"], "gpu", systems, results, of_order))
        self.assertIn("not stationary (open symbols): N = 64, eta = 0.71; N = 256, eta = 0.7.", told)
        self.assertIn("by more than their errors permit (open symbols): N = 256, eta = 0.72.", told)
        self.assertIn("from runs that are too short (open symbols): N = 256, eta = 0.71.", told)
        self.assertIn("Too short for the direction of the order: N = 64, eta = 0.7, 0.71; N = 256, eta = 0.71.", told)

    def test_the_quick_scale_has_the_known_pressures(self):
        known = [system for system in disks_pressure.TRANSITION if system.known]
        self.assertEqual({system.particles for system in known}, {256**2})
        for system in known:
            self.assertIn(system.known, [paper.known for paper in disks_pressure.PAPER if paper.eta == system.eta])


class Pages(unittest.TestCase):
    def test_a_legend_of_several_panels_has_each_label_once(self):
        fig, axes = page.panels(1, 2)
        for panel, labels in zip(axes, (("a", "b"), ("b", "c"))):
            for label in labels:
                panel.plot([0, 1], label=label)
        legend = page.legend_above(fig, axes, 3)
        self.assertEqual([text.get_text() for text in legend.get_texts()], ["a", "b", "c"])
        matplotlib.pyplot.close(fig)

    def test_local_exponents_begin_at_later_times(self):
        time = np.array([10.5, 16.0, 40.0, 80.0])
        drawn = kpz_autocorrelations.shown_exponents(10, time, np.ones(4), np.array([0.01, 0.01, 0.01, 0.5]))
        np.testing.assert_allclose(drawn[0], [10 / 16, 10 / 40])


    def test_times_are_those_of_one_grid_with_all_waiting_times(self):
        options = kpz_autocorrelations.Scale(64, 2, 6000, (100, 1000)).options()
        times = np.array([float(time) for time in options["measure-times"].split(",")])
        self.assertTrue({100.0, 1000.0, 6000.0} <= set(times))
        self.assertGreater((times[1:] / times[:-1]).min(), 1.2)

    def test_lines_are_broken_where_values_are_within_their_errors(self):
        drawn = kpz_autocorrelations.shown_curves(10, np.array([10.0, 20.0, 40.0]), np.array([3.0, 0.1, 1.0]), np.array([0.1, 0.2, 0.1]))
        np.testing.assert_array_equal(drawn[:2], [[1, 2, 4], [3, math.nan, 1]])


class Ratios(unittest.TestCase):
    def test_errors_of_ratios(self):
        curves = {"a": np.array([[1, 2, 3], [2, 4, 8], [0.2, 0.4, 0.8]]), "b": np.array([[2, 3, 4], [2, 2, 2], [0.0, 0.2, 0.2]])}
        found = kpz_autocorrelations.over(curves, "b")
        self.assertEqual(list(found), ["a"])
        np.testing.assert_allclose(found["a"], [[2, 3], [2, 4], [0.2, 4 * math.hypot(0.1, 0.1)]])


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

    # One for each method, and these in all formats; TESSERA_LONG: all.
    stopped = small if "TESSERA_LONG" in os.environ else ("kmc-figure-3", "kpz-figure-7", "disks-table-1")

    def test_each_of_them_is_made(self):
        self.assertEqual(set(self.small), set(experiments()))
        for name in set(self.small).difference(self.stopped):
            with self.subTest(name), self.small[name](), mock.patch.object(report, "FORMATS", ("svg",)):
                self.make(name)

    def test_some_are_continued_after_a_stop_and_made_again(self):
        for name in self.stopped:
            with self.subTest(name), self.small[name]():
                with self.stopping_in_call(2):
                    self.assertEqual(self.reproduce(name)[0], 128 + signal.SIGTERM)
                out = self.make(name)
                with self.stopping_in_call(1):  # no run is made again
                    status, again, err = self.reproduce(name)
                self.assertEqual((status, again), (0, out), err)

    def make(self, name):
        status, out, err = self.reproduce(name)
        self.assertEqual(status, 0, err)
        self.assertIn("cost: ", err)
        self.check_files(name, self.path(name), out)
        return out

    def reproduce(self, name):
        return program.printed(main, [name, "--output", self.path(name), "--tessera", program.PROGRAM])

    @staticmethod
    def stopping_in_call(last):
        """Each program from this call on ends by a signal, after its output has been written."""
        number, unpatched = itertools.count(1), Program._call

        def call(*arguments):
            summary = unpatched(*arguments)
            if next(number) >= last:
                raise Stopped(signal.SIGTERM)
            return summary

        return mock.patch.object(Program, "_call", call)

    def check_files(self, name, folder, out):
        for extension in ("h5", "md", *report.FORMATS):
            path = os.path.join(folder, f"{name}.{extension}")
            self.assertIn(path, out)
            self.assertGreater(os.path.getsize(path), 100)
        points = float(re.search(r'width="([0-9.]+)pt"', program.read(os.path.join(folder, f"{name}.svg")))[1])
        self.assertIn(round(points / 72 * 2.54, 1), (8.6, 17.8), "a width of a journal's figures, in cm")
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

    def test_a_stopped_command_draws_what_is_finished(self):
        whole, unpatched = self.path("partial"), Program.run
        with small_pressures():
            for last, status_of_command in ((1, 128 + signal.SIGTERM), (2, 0)):
                begun = []

                def run(program, name, *arguments, begun=begun, last=last):
                    begun.append(name)
                    if len(begun) > last:
                        raise Stopped(signal.SIGTERM)
                    return unpatched(program, name, *arguments)

                with mock.patch.object(Program, "run", run):
                    status, _, err = program.printed(main, ["disks-table-2", "--output", whole, "--tessera", program.PROGRAM])
                self.assertEqual(status, status_of_command)
                self.assertEqual("the same command continues from here" in err, status > 0)
                with h5py.File(os.path.join(whole, "disks-table-2.h5")) as file:
                    self.assertEqual(len(file["figure/pressure/value"]), last)

    def test_cost_and_names(self):
        for name in experiments():
            for scale in ("quick", "gpu", "paper"):
                status, _, err = program.printed(main, [name, "--cost", "--scale", scale])
                self.assertEqual(status, 0)
                self.assertRegex(err, "cost: .*(second|minute|hour|day)")
                self.assertNotRegex(err, r"\b[01] (minute|hour|day|year)s")
        self.assertEqual(program.printed(main, ["kmc-figure-9"])[0], 2)

    def test_an_interrupted_command_continues(self):
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
