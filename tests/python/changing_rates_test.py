# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Rates that change with time, against the exact coverages of independent sites, and in all methods and restarts."""

import unittest

import h5py
import numpy as np
import program
from starts_test import SQUARE, process

METHODS = ("tile", "waiting-time", "bkl")
RUN = "kmc --processes m.ini --size 128 --quiet "
# CO on all sites that desorbs at a rate which depends on a temperature T.
DESORPTION = (
    SQUARE
    + "[Parameter T]\nvalue = 300 + 5*time\nadjustable = True\n\n[Initial]\nCO@a = 1\n\n"
    + process("off", "1e13*exp(-1.2*beta*eV)", "CO@a", "empty@a\ntof_count = {'CO': 1}\n{more}")
    + process("on", 0, "empty@a", "CO@a")
)
REPULSION = DESORPTION.replace("{more}", "otf_rate = base_rate*exp(500/T*nr_CO_n)\nbystanders = ['CO']@a.(1,0,0)|n + ['CO']@a.(-1,0,0)|n\n")
DESORPTION = DESORPTION.replace("{more}", "")
# Sites that become occupied at the rate `on`, and empty at the rate `off`.
EXCHANGE = (
    SQUARE
    + "".join(f"[Parameter {name}]\nvalue = 1\nadjustable = True\n\n" for name in ("on", "off"))
    + process("on", "on", "empty@a", "CO@a")
    + process("off", "off", "CO@a", "empty@a")
)


class ChangingRates(program.InEmptyFolder):
    def values(self, dataset, file="a.h5"):
        with h5py.File(self.path(file)) as opened:
            return opened[dataset][()]

    def observed(self, name, what="value", file="a.h5"):
        return self.values(f"observables/{name}/{what}", file)

    def expect_equal(self, a, b, *datasets):
        for dataset in datasets:
            np.testing.assert_array_equal(self.values(dataset, a), self.values(dataset, b), dataset)

    def test_desorption_is_exact(self):
        """Sites are independent: the part that is occupied is exp(-integral of the rate)."""
        self.write("m.ini", DESORPTION)
        for method in ("tile", "bkl"):
            self.call(RUN + f"--until-time 45 --measure-every 2.5 --output a.h5 --overwrite --method {method}")
            time, coverage = self.observed("coverage_CO", "time"), self.observed("coverage_CO")
            self.assertEqual(len(time), 19)
            at = (np.arange(18_000) + 0.5) * 2.5e-3
            rate = 1e13 * np.exp(-1.2 * 1.602176565e-19 / (1.3806488e-23 * (300 + 5 * at)))
            expected = np.exp(-np.cumsum(rate.reshape(18, -1).sum(axis=1)) * 2.5e-3)
            errors = 6 * np.sqrt(expected * (1 - expected) / 16384) + 1e-6
            self.assertLess(np.max(np.abs(coverage[1:].ravel() - expected) / errors), 1)
            self.assertEqual(self.values("parameters/T/value").ravel().tolist(), (300 + 5 * time).tolist())
            self.assertGreater(np.minimum(expected, 1 - expected).max(), 0.2, "most of the molecules desorb between the first and the last row")

    def expect_coverages(self, on, off):
        """The coverages of 64 x 64 independent sites, from 0, with rates on(t) and off(t): the largest and the mean square
        deviation in standard errors."""
        time, coverage, expected, squares = self.observed("coverage_CO", "time"), self.observed("coverage_CO").ravel(), 0.0, 0.0
        steps = 20_000
        for row in range(1, len(time)):
            h = (time[row] - time[row - 1]) / steps
            at = time[row - 1] + (np.arange(steps) + 0.5) * h
            gain, loss = np.broadcast_to(on(at), steps), np.broadcast_to(off(at), steps)
            total = gain + loss
            limit = np.divide(gain, total, out=np.zeros(steps), where=total > 0)
            # In each step, exact for constant rates, expected -> limit + (expected - limit) exp(-total h).
            left = np.exp(-h * np.append(np.cumsum(total[::-1])[::-1], 0))  # from each step on, and at the end
            expected = expected * left[0] + np.sum(limit * (left[1:] - left[:-1]))
            deviation = (coverage[row] - expected) / np.sqrt(max(expected * (1 - expected), 1e-9) / 64**2)
            self.assertLess(abs(deviation), 6, time[row])
            squares += deviation**2 / (len(time) - 1)
        self.assertLess(squares, 2.2)

    def run_exchange(self, settings, until, method, more=()):
        rates = [word for setting in settings for word in ("--set", setting)]
        words = f"kmc --processes m.ini --size 64 --until-time {until} --measure-every 0.25 --quiet --overwrite --output a.h5 --method {method}"
        self.call([*words.split(), *rates, *more])

    def test_coverages_are_exact(self):
        self.write("m.ini", EXCHANGE)
        for on, on_at, off, off_at, until in (
            ("5*(1 + sin(2*time))", lambda t: 5 * (1 + np.sin(2 * t)), "5", lambda t: 5.0, 10),
            ("100", lambda t: 100.0, "100*exp(0.05*time)", lambda t: 100 * np.exp(0.05 * t), 5),
            ("1", lambda t: 1.0, "table(2: 0, 3: 5, 5: 5, 6: 0)", lambda t: np.interp(t, (2, 3, 5, 6), (0, 5, 5, 0)), 10),
            ("40*exp(-((time - 3.1)/0.01)**2)", lambda t: 40 * np.exp(-(((t - 3.1) / 0.01) ** 2)), "0", lambda t: 0.0, 4),
        ):
            for method in METHODS:
                with self.subTest(f"{on}, {off}, {method}"):
                    self.run_exchange((f"on={on}", f"off={off}"), until, method)
                    self.expect_coverages(on_at, off_at)

    def test_coverages_are_exact_if_processes_are_scaled(self):
        """A factor of the rates is one of their bounds, too: the accepted part of the events is the same."""
        self.write("m.ini", EXCHANGE + process("other", 1e-9, "CO@a", "O@a"))
        for method in METHODS:
            self.run_exchange(("on=50*(1 + sin(2*time))", "off=50"), 10, method, ("--scale-processes", "on=0.1,other=7"))
            self.expect_coverages(lambda t: 5 * (1 + np.sin(2 * t)), lambda t: 5.0)

    def test_processes_that_are_far_faster_are_in_equilibrium(self):
        """As CO on the cus sites of RuO2: the exchange takes 2e-7 s, and the ratio of its rates changes by 5 % in a second."""
        self.write("m.ini", EXCHANGE)
        words = "kmc --processes m.ini --set on=5e6 --set off=5e6*exp(0.05*time) --size 16 --until-time 2e-3 --measure-every 2e-6 --quiet --overwrite"
        for method in METHODS:
            self.call(f"{words} --output a.h5 --method {method}")
            coverage = self.observed("coverage_CO").ravel()
            self.assertEqual(len(coverage), 1001)
            self.assertLess(abs(coverage[1:].mean() - 0.5), 6 * 0.5 / np.sqrt(256 * 1000))

    def test_rows_by_events_follow_the_rate_as_it_rises_and_falls(self):
        self.write("m.ini", DESORPTION)
        run = RUN + "--measure-every-events 0.02 "
        self.call(run + "--until-time 40 --output whole.h5")
        events, times = self.observed("events", file="whole.h5").ravel(), self.observed("events", "time", "whole.h5")
        enough = 0.02 * 128 * 128
        self.assertTrue(20 < len(times) < 55)
        self.assertLess(np.diff(events).max(), 8 * enough)
        self.assertGreater(np.diff(events)[1:][times[2:] < 30].min(), enough / 4)
        self.call(run + "--until-time 19.3 --output part.h5")
        for until in (22.71, 40):
            self.call(f"kmc --restart part.h5 --quiet --until-time {until}")
        in_parts = self.observed("events", "time", "part.h5")
        self.assertLessEqual(set(times), set(in_parts))
        self.assertEqual(len(in_parts), len(times) + 2, "the ends of the parts")

    def test_those_of_a_restart_begin_with_it(self):
        """The rates of a restart with --change need not exist before it."""
        self.write("m.ini", EXCHANGE)
        for method in METHODS:
            self.run_exchange((), 2, method)
            self.call("kmc --restart a.h5 --change --set on=0 --set off=time-2 --until-time 3 --quiet")
            self.call("kmc --restart a.h5 --until-time 4 --quiet")
            self.expect_coverages(lambda t: np.where(t < 2, 1.0, 0.0), lambda t: np.where(t < 2, 1.0, t - 2))
        self.run_exchange((), 2, "tile")
        _, err = self.call("kmc --restart a.h5 --change --set on=time-2.5 --until-time 4", status=2)
        self.assertIn("rate_constant of on: is -0.5 at time = 2; it must be finite and not negative", err)

    def test_the_trajectory_is_the_same_in_all_methods_and_restarts(self):
        self.write("m.ini", REPULSION)
        run = RUN + "--measure-every 4 "
        self.call(run + "--until-time 36 --output whole.h5")
        self.call(run + "--until-time 36 --method waiting-time --output sequential.h5")
        self.call(run + "--until-time 20 --output part.h5")
        for until in (28, 36):
            self.call(f"kmc --restart part.h5 --quiet --until-time {until}")
        coverage = self.observed("coverage_CO", file="whole.h5").ravel()
        self.assertTrue(coverage[5] > 0.1 > coverage[-1])
        series = ("observables/coverage_CO", "observables/events", "observables/turnover_CO", "parameters/T")
        datasets = [f"{name}/{what}" for name in series for what in ("value", "time", "step")]
        self.expect_equal("whole.h5", "sequential.h5", *datasets, "fields/state/value")
        self.expect_equal("whole.h5", "part.h5", "parameters/T/value", "parameters/T/time", "observables/events/value")
        # Other windows are another trajectory, and a restart keeps them.
        self.call(run + "--until-time 36 --rate-window 0.05 --output fine.h5")
        self.assertNotEqual(self.observed("events", file="fine.h5").tolist(), self.observed("events", file="whole.h5").tolist())
        for words, message in (
            (["--rate-window", "0.05"], "--rate-window 0.05: the run in part.h5 has rate-window = 0.1, which a restart cannot change"),
            (["--set", "T=300 + 6*time"], "--set T=300 + 6*time: the run in part.h5 has no set, which a restart changes only with"),
        ):
            self.assertIn(message, self.call(["kmc", "--restart", "part.h5", *words], status=2)[1])

    def test_a_run_is_continued_within_a_pulse(self):
        pulse = process("on", "40*exp(-((time - 3.1)/0.01)**2)", "empty@a", "CO@a")
        self.write("m.ini", SQUARE + pulse + process("off", "1 + sin(3*time)", "CO@a", "empty@a"))
        run = RUN + "--measure-every 0.001 --replicas 2 "
        self.call(run + "--until-time 3.2 --output whole.h5")
        self.call(run + "--until-time 3.103 --output part.h5")
        for until in (3.109, 3.2):
            self.call(f"kmc --restart part.h5 --until-time {until} --quiet")
        # The fields of each part end with its last states, so that only those of the checkpoints are equal.
        checkpoint = [f"checkpoint/{name}" for name in ("state", "waiting_time", "stream")]
        self.expect_equal("whole.h5", "part.h5", "observables/events/value", "observables/coverage_CO/value", *checkpoint)

    def test_a_parameter_that_is_constant_again_has_rows(self):
        self.write("m.ini", DESORPTION)
        self.call(RUN + "--until-time 4 --measure-every 1 --output a.h5")
        self.call("kmc --restart a.h5 --change --set T=320 --until-time 8 --quiet")
        self.call("kmc --restart a.h5 --until-time 10 --quiet")
        rows = self.values("parameters/T/value").ravel()
        self.assertEqual(len(rows), len(self.observed("events")))
        self.assertEqual((rows[3], rows[-1]), (315, 320))

    def test_tables_may_be_in_files(self):
        self.write("m.ini", DESORPTION)
        self.write("ramp.csv", "# measured\ntime (min), T (degC)\n0, 26.85\n0.5, 176.85 # end\n")

        def dry(value, status=0):
            return self.call([*RUN.split(), "--until-time", "9", "--dry-run", "--set", "T=" + value], status=status)

        self.assertIn("\nset = T=table(0: 300, 30: 450)\n", dry("table(ramp.csv)")[0])
        self.assertIn("table(none): ", dry("10 + table(none)", 2)[1])
        for text, message in (
            ("0 300\n1 x\n", "table(bad.txt) line 2: 'x': must be a number"),
            ("0 300\n\n1\n", "table(bad.txt) line 3: must have two columns, time and value"),
            ("3 300\n2 4\n", "table(bad.txt) line 2: the times must not decrease"),
            ("t (fortnight) T (K)\n", "line 1: the unit of the times is (fortnight); must be s"),
            ("# nothing\n", "table(bad.txt): has no rows"),
        ):
            self.write("bad.txt", text)
            self.assertIn(message, dry("table(bad.txt)", 2)[1])
        # In a model file, with many points, which take a time in proportion to their number.
        self.write("long.txt", "".join(f"{i} {300 + i % 100}\n" for i in range(20_000)))
        self.write("m.ini", DESORPTION.replace("300 + 5*time", "table(long.txt)"))
        self.call(RUN + "--until-time 50 --output a.h5 --measure-every 50")
        self.assertEqual(self.values("parameters/T/value").ravel().tolist(), [300, 350])

    def test_a_dry_run_reports_them(self):
        self.write("m.ini", REPULSION)
        out, _ = self.call([*RUN.split(), "--set", "T=table(0: 300, 30: 450)", *"--until-time 40 --dry-run".split()])
        self.assertIn("\nset = T=table(0: 300, 30: 450)\n", out)
        self.assertIn("\n# parameter T = 300 at time 0, table(0: 300, 30: 450), adjustable\n", out)
        self.assertRegex(out, "\n# rates change with time: [0-9]+ windows to time 40\n")


if __name__ == "__main__":
    unittest.main()
