# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Runs in which nothing can happen any more: poisoned, jammed, full and empty lattices."""

import json
import math
import os
import unittest

import h5py
import program
from starts_test import SQUARE, process

# Molecules of CO fill a lattice, and leave it at the rate `off`.
FILLING = (
    SQUARE + "[Parameter off]\nvalue = 0\nadjustable = True\n\n" + process("up", 1, "empty@a", "CO@a") + process("down", "off", "CO@a", "empty@a")
)
RISING = SQUARE + "[Initial]\nCO@a = 1\n\n" + process("off", "1e13*exp(-1.2*eV/(kboltzmann*(300 + 5*time)))", "CO@a", "empty@a")
METHODS = ("tile", "waiting-time", "bkl")
FULL = "kmc --size 16 --processes m.ini "


class Absorbed(program.InEmptyFolder):
    def summary(self, words):
        """The JSON of a call, whose messages are kept."""
        out, self.messages = self.call(words + " --json --progress never")
        return json.loads(out)

    def run_to(self, words, file="a.h5"):
        return self.summary(f"{words} --overwrite --output {file}")

    def restart(self, words=""):
        return self.summary("kmc --restart a.h5 " + words)

    def text(self, words):
        return self.call(words + " --overwrite")[0]

    def values(self, dataset, file="a.h5"):
        with h5py.File(self.path(file)) as opened:
            return opened[dataset][()].ravel().tolist()

    def rows(self, file="a.h5"):
        return self.values("observables/events/time", file)

    def test_a_run_to_an_event_ends_at_the_last_possible_event(self):
        self.write("m.ini", FILLING)
        ends = {}
        for method in METHODS:
            words = f"{FULL} --method {method} --until-events-per-site 4"
            summary = self.run_to(words + " --measure-every 0.5")
            self.assertEqual((summary["ended_by"], summary["finished"], summary["fraction"]), ("absorbed", True, 0.25))
            self.assertEqual(summary["observables"]["events"], 256)
            end = ends[method] = summary["time"]
            self.assertTrue(3 < end < 40, end)
            self.assertEqual((summary["absorbed_at"], summary["absorbed_replicas"]), (end, 1))
            times = self.rows()
            self.assertEqual(times, [0.5 * i for i in range(math.ceil(2 * end))] + [end])
            # Nothing is left to do, and nothing is written.
            self.assertEqual(self.restart()["ended_by"], "absorbed")
            self.assertIn("a.h5 has already ended", self.messages)
            self.assertEqual(self.rows(), times)
            dry = self.text(words + " --measure-every 0.5 --dry-run")
            self.assertIn(f"with {len(times)} measurements", dry)
            self.assertIn("no event is possible any more after time ", dry)
            self.assertIn("; 25 % of the run is done\n", self.text(words))
        self.assertEqual(ends["tile"], ends["waiting-time"])

    def test_a_lattice_without_any_event_has_one_row(self):
        for model in ("--model kawasaki --coverage 1", "--model hopping --coverage 0"):
            for method in METHODS:
                words = f"kmc --size 16 {model} --method {method} --measure-every 0.1"
                summary = self.run_to(words + " --until-events-per-site 1")
                self.assertEqual((summary["ended_by"], summary["time"], summary["fraction"]), ("absorbed", 0, 0))
                self.assertEqual(self.messages, "")
                self.assertEqual(self.rows(), [0])
                self.assertIn("with 1 measurement,", self.text(words + " --until-events-per-site 1 --dry-run"))
                summary = self.run_to(words + " --until-time 0.5")
                self.assertEqual((summary["ended_by"], summary["time"], summary["absorbed_at"]), ("stopping-time", 0.5, 0))
                self.assertEqual(len(self.rows()), 6)

    def test_a_lattice_that_is_empty_ends_while_the_temperature_rises(self):
        """Also while rates change for ever."""
        self.write("m.ini", RISING)
        ends = {}
        for method in METHODS:
            words = f"{FULL} --method {method}"
            summary = self.run_to(words + " --until-events-per-site 3")
            self.assertEqual((summary["ended_by"], summary["observables"]["events"]), ("absorbed", 256))
            end = ends[method] = summary["time"]
            self.assertTrue(20 < end < 40, end)
            self.assertEqual(summary["absorbed_at"], end)
            summary = self.run_to(words + " --until-time 60")
            self.assertEqual(summary["time"], 60)
            if method != "bkl":
                self.assertEqual(summary["absorbed_at"], end)
            self.assertEqual(self.restart("--until-time 70")["absorbed_at"], summary["absorbed_at"])
        self.assertEqual(ends["tile"], ends["waiting-time"])

    def test_example_models_end(self):
        for name, value in (("zgb.ini", "y=0.6"), ("island_growth.ini", "D=100")):
            file = os.path.join(program.SOURCE, "inputs", "models", name)
            words = f"kmc --processes {file} --set {value} --size 32 --until-events-per-site 1e6"
            summary = self.run_to(words)
            self.assertEqual(summary["ended_by"], "absorbed")
            self.assertLess(summary["time"], 1000)
            self.assertEqual(self.run_to(words + " --method waiting-time")["time"], summary["time"])

    def test_a_run_to_a_time_continues_and_averages_the_absorbed_state(self):
        self.write("m.ini", FILLING)
        summary = self.run_to(FULL + "--measure-every 1 --average-from 30 --until-time 100 --until-events-per-site 4")
        self.assertEqual((summary["ended_by"], summary["time"]), ("stopping-time", 100))
        self.assertLess(summary["absorbed_at"], 30)
        self.assertEqual((summary["averages"]["rows"], summary["averages"]["observables"]["coverage_CO"]), (70, 1))

    def test_a_run_to_an_event_does_not_average_the_absorbed_state(self):
        """The state in which it ended is not a measurement of what came before, here and in a call that only averages again."""
        self.write("m.ini", FILLING)
        summary = self.run_to(FULL + "--measure-every 0.0625 --average-from 0.5 --until-events-per-site 4")
        times = self.rows()
        self.assertEqual(summary["averages"]["rows"], sum(0.5 < time < times[-1] for time in times))
        self.assertEqual(self.restart()["averages"], summary["averages"])

    def test_replicas_end_one_by_one_and_their_statistics_are_finite(self):
        self.write("m.ini", FILLING)
        words = FULL + "--replicas 4 --measure-every 1 --until-events-per-site 4"
        summary = self.run_to(words)
        self.assertEqual(summary["absorbed_replicas"], 4)
        for name, value in summary["observables"].items():
            self.assertLess(abs(value or 0), 1e6, name)
        ends = self.values("checkpoint/time")
        self.assertEqual((summary["time"], summary["absorbed_at"]), (min(ends), max(ends)))
        self.assertEqual(self.values("checkpoint/absorbed_at"), ends)
        self.assertIn(" in 4 of 4 replicas; 25 % of the run is done\n", self.text(words))

    def test_a_restart_continues_to_a_later_time(self):
        self.write("m.ini", FILLING)
        for method in METHODS:
            words = f"{FULL} --method {method} --measure-every 1"
            end = self.run_to(words + " --until-events-per-site 4")["time"]
            later = self.restart("--until-time 60")
            self.assertEqual((later["ended_by"], later["time"], later["absorbed_at"]), ("stopping-time", 60, end))
            times = self.rows()
            self.assertEqual(len(times), 62, "0, 1, ..., 60 and the end of the first call")
            self.run_to(words + " --until-time 60", "whole.h5")
            self.assertEqual([time for time in times if time != end], self.rows("whole.h5"))

    def test_a_change_of_rates_continues_it(self):
        self.write("m.ini", FILLING)
        for method in METHODS:
            end = self.run_to(f"{FULL} --method {method} --until-events-per-site 4")["time"]
            changed = self.restart("--change --set off=1")
            self.assertEqual((changed["ended_by"], changed["observables"]["events"]), ("stopping-time", 1024))
            self.assertGreater(changed["time"], end)
            self.assertNotIn("absorbed_at", changed)
            self.assertEqual(self.values("provenance/restarts/1/changed_at"), [end])

    def test_a_change_without_possible_events_is_refused(self):
        self.write("m.ini", FILLING + "[Parameter other]\nvalue = 1\nadjustable = True\n")
        self.run_to(FULL + "--until-events-per-site 4")
        _, err = self.call("kmc --restart a.h5 --change --set other=2", status=2)
        self.assertIn("--change: the run in a.h5 has no possible event at time ", err)


if __name__ == "__main__":
    unittest.main()
