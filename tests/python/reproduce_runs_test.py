# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Runs of reproductions: stored, used again, continued, side by side, and stopped by signals."""

import contextlib
import io
import json
import os
import signal
import threading

import numpy as np
import program
import tessera_io
from tessera_reproduce.program import Program, ProgramError, Stopped


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
        first = made.run("first", "kmc", {"size": 32}, stopping_time={"until-time": 2})
        second = made.run("second", "kmc", {}, after=first, stopping_time={"until-time": 4})
        whole = made.run("whole", "kmc", {"size": 32}, stopping_time={"until-time": 4})
        self.assertEqual(second.summary["observables"]["events"], whole.summary["observables"]["events"])
        made.remove(first)
        self.program("continued").run("first", "kmc", {"size": 32}, stopping_time={"until-time": 2})
        self.assertIn("finished before", self.log.getvalue())
        self.assertFalse(os.path.exists(first.path))

    def test_a_stopped_run_continues(self):
        end = 20000  # takes several times as long as the signal is away
        options = {"size": 64, "until-time": end, "measure-every": 100}
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
                self.assertLess(run.observables["roughness"].time[-1], end)
        continued = self.program("stopped").run("long", "kmc", last)
        # A signal that comes before the program heeds it leaves nothing to go on from.
        self.assertEqual("going on from its checkpoint" in self.log.getvalue(), checkpoint)
        whole = self.program("stopped").run("whole", "kmc", last)
        for name in ("height_mean", "roughness", "events"):
            self.assertEqual(continued.summary["observables"][name], whole.summary["observables"][name])
        with continued.open() as one, whole.open() as other:
            np.testing.assert_array_equal(one.observables["roughness"].value, other.observables["roughness"].value)

    def test_runs_of_one_core_side_by_side(self):
        calls = [(f"side_{seed}", "kmc", {"size": 32, "until-time": 2, "seed": seed, "method": "bkl"}, "") for seed in (1, 2, 3)]
        made = self.program("together")
        runs = made.run_all(calls)
        self.assertEqual([run.name for run in made.runs], ["side_1", "side_2", "side_3"])
        for call, run in zip(calls, runs):
            alone = self.program("alone").run(*call)
            self.assertEqual(run.summary["observables"], alone.summary["observables"])

    def test_a_signal_stops_all_that_run_side_by_side(self):
        made = self.program("all")
        calls = [(f"long_{seed}", "kmc", {"size": 64, "until-time": 1e6, "seed": seed, "method": "bkl"}, "") for seed in (1, 2, 3)]
        with repeated_signals(signal.SIGTERM, 1.0), self.assertRaises(Stopped):
            made.run_all(calls)
        for name, *_ in calls:
            self.assertNotIn("summary", json.loads(program.read(self.path(f"all/{name}.run.json"))))

    def test_what_was_finished_before_a_signal(self):
        def found(item):
            if item == "third":
                raise Stopped(signal.SIGTERM)
            return len(item)

        made = self.program()
        self.assertEqual(made.of_each(("first", "second"), found), {"first": 5, "second": 6})
        self.assertIsNone(made.stopped)
        self.assertEqual(made.of_each(("first", "third", "second"), found), {"first": 5})
        self.assertEqual(made.stopped.number, signal.SIGTERM)
        with self.assertRaises(Stopped):
            made.of_each(("third",), found)

    def test_mistakes_are_reported(self):
        with self.assertRaisesRegex(ProgramError, "exit status 2"):
            self.program().run("bad", "kmc", {"size": "many"})
        with self.assertRaisesRegex(ProgramError, "--backend abacus: is not available in this build"):
            self.program(backend="abacus")
        with self.assertRaisesRegex(ProgramError, "no program"):
            Program("/no/such/tessera", self.folder)
