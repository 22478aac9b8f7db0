# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""tessera_io.run starts the program."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import textwrap
import time
import unittest
import warnings
from unittest import mock

import h5py
import numpy as np
import program
import tessera_io
from tessera_io.start import REFUSED, SWITCHES

# In a line of progress: the run has begun.
RUNNING = b"time"


class Run(program.InFolder):
    def setUp(self):
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        self.shown = io.StringIO()

    def run_program(self, *words, **options):
        with contextlib.redirect_stderr(self.shown):
            return tessera_io.run(*words, threads=1, overwrite=True, **options)

    def test_returns_the_file_of_the_same_run_on_the_command_line(self):
        words = "kmc --size 32,16 --replicas 2 --until-time 4 --measure-every 1 --record-steps --output by_hand.h5 --quiet"
        program.run(words.split(), self.folder)
        options = {"size": (32, 16), "replicas": np.int64(2), "until_time": 4.0, "measure_every": 1}
        with self.run_program("kmc", **options, record_steps=True, phi=None) as run:
            self.assertEqual((run.method, os.path.basename(run.path)), ("kmc", "kmc.h5"))
            with tessera_io.open(self.path("by_hand.h5")) as other:
                self.assertEqual(list(run.observables), list(other.observables))
                for name in run.observables:
                    np.testing.assert_array_equal(run.observables[name].value, other.observables[name].value)
                self.assertEqual(list(run.history), list(other.history))
        with self.run_program("kmc", **options, record_steps=False) as run:
            self.assertEqual(list(run.history), [])

    def test_options_that_are_true_or_false(self):
        with self.run_program("disks", particles=64, sweeps=4, shuffle_particles=False, equilibrate=0) as run:
            self.assertEqual(run.input["shuffle-particles"], "false")

    def test_a_restart_continues_the_run(self):
        with self.run_program("kpz", size=32, steps=4, output="first.h5"):
            pass
        with contextlib.redirect_stderr(self.shown), tessera_io.run("kpz", restart="first.h5", steps=8) as run:
            self.assertEqual((os.path.basename(run.path), run.observables["roughness"].time[-1]), ("first.h5", 8))

    def test_rows_equal_those_of_the_file_and_arrive_during_the_run(self):
        rows, there = [], []

        def keep(row):
            rows.append(row)
            there.append(os.path.exists("followed.h5"))

        for replicas in (3, 1):
            rows.clear()
            options = {"particles": 64, "sweeps": 40, "sample_every": 2, "measure_every": 20, "replicas": replicas}
            with self.run_program("disks", **options, on_row=keep, output="followed.h5") as run:
                self.assertEqual(set(rows[0]), set(run.observables))
                self.assertTrue(np.isfinite(rows[-1]["pressure"]) and np.isfinite(rows[-1].error["fit_bias"]))
                for name, observable in run.observables.items():
                    np.testing.assert_array_equal([row[name] for row in rows], observable.mean, name)
                    np.testing.assert_array_equal([row.error[name] for row in rows], observable.error, name)
                    np.testing.assert_array_equal([row.of_replicas[name] for row in rows], observable.value.reshape(len(rows), -1), name)
                    np.testing.assert_array_equal([row.time for row in rows], observable.time)
                    np.testing.assert_array_equal([row.step for row in rows], observable.step)
        self.assertEqual(there[0], False, "the file is written at the end")

    def test_a_function_of_rows_can_end_the_run(self):
        options = {"size": 64, "steps": "1e9", "measure_every": 1, "output": "ended.h5"}
        with self.run_program("kpz", **options, on_row=lambda row: row.time >= 5) as run:
            reached = run.observables["roughness"].time[-1]
            self.assertIn("checkpoint", run.hdf5)
        self.assertTrue(5 <= reached < 1e6, reached)
        with contextlib.redirect_stderr(self.shown), tessera_io.run("kpz", restart="ended.h5", steps=reached + 10, threads=1) as run:
            self.assertEqual(run.observables["roughness"].time[-1], reached + 10)

        def fail(row):
            raise ZeroDivisionError("of the function")

        os.remove("ended.h5")
        with self.assertRaisesRegex(ZeroDivisionError, "of the function"):
            self.run_program("kpz", **options, on_row=fail)
        with tessera_io.open("ended.h5") as run:  # with a checkpoint, too
            self.assertIn("checkpoint", run.hdf5)

    def test_an_error_is_an_exception_with_the_message_of_the_program(self):
        for options, message in (
            ({"phi": "much", "until_time": 1}, "--phi much: must be a number"),
            ({"temperature": 1}, "--temperature"),
            ({"config": "none.ini"}, "none.ini"),
        ):
            with self.assertRaisesRegex(tessera_io.ProgramError, message) as caught:
                self.run_program("kmc", **options)
            self.assertEqual(caught.exception.status, 2)
            self.assertEqual(len(str(caught.exception).splitlines()), 1)
        with self.assertRaisesRegex(tessera_io.ProgramError, "tessera: "):
            self.run_program("md")
        with self.assertRaisesRegex(TypeError, "quiet"):
            self.run_program("kmc", quiet=True)

    def test_the_program_is_found_by_argument_variable_or_path(self):
        options = {"size": 16, "until_time": 1}
        bare = {name: value for name, value in os.environ.items() if name != "TESSERA_PROGRAM"}
        os.makedirs(self.path("bin"), exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.symlink(program.PROGRAM, self.path("bin/tessera"))
        with mock.patch.dict(os.environ, {**bare, "PATH": self.path("bin")}, clear=True):
            self.run_program("kmc", **options).close()
        with mock.patch.dict(os.environ, {**bare, "PATH": self.path("none")}, clear=True):
            with self.assertRaisesRegex(tessera_io.ProgramError, "not in PATH; set TESSERA_PROGRAM"):
                self.run_program("kmc", **options)
            self.run_program("kmc", program=program.PROGRAM, **options).close()
        with self.assertRaisesRegex(tessera_io.ProgramError, "none/tessera: cannot be started"):
            self.run_program("kmc", program=self.path("none/tessera"), **options)

    def test_progress_is_shown_by_default(self):
        self.stand_in("printf '\\r 50.0 %%  time 1' >&2; printf 'tessera: phi is not used\\n' >&2; exec \"$REAL\" \"$@\"")
        for progress, words in ((True, "--progress always"), (False, "--progress never")):
            with self.run_program("kmc", size=16, until_time=1, program=self.path("stand-in"), progress=progress) as run:
                self.assertIn(words, run.provenance["command_line"])
            self.assertIn("\r 50.0 %  time 1", self.shown.getvalue())
            self.assertIn("tessera: phi is not used", self.shown.getvalue())

    def stand_in(self, text):
        """A program that does something else beside, or instead."""
        program.write(self.path("stand-in"), f"#!/bin/sh\nREAL='{program.PROGRAM}'\n{text}\n")
        os.chmod(self.path("stand-in"), 0o700)

    def test_a_crash_is_reported(self):
        self.stand_in("kill -SEGV $$")
        with self.assertRaisesRegex(tessera_io.ProgramError, f"exit status {-signal.SIGSEGV}"):
            self.run_program("kmc", program=self.path("stand-in"))

    def test_a_program_without_results_is_reported(self):
        options = {"program": self.path("stand-in"), "progress": False}
        for said in ("", "hello", "[]", "{}", '{"output": 3}'):
            self.stand_in(f"echo '{said}'")
            with self.assertRaisesRegex(tessera_io.ProgramError, "stand-in: printed no JSON object with output at its end"):
                self.run_program("kmc", **options)
        self.stand_in("""echo '{"row": {'; exec sleep 100""")
        with self.assertRaisesRegex(tessera_io.ProgramError, "a row of the program is no JSON"):
            self.run_program("kmc", on_row=print, **options)
        self.stand_in("echo '[1]'")
        with mock.patch.object(sys, "executable", self.path("stand-in")):
            with self.assertRaisesRegex(tessera_io.ProgramError, "printed no JSON object with folder and table"):
                tessera_io.sweep("kmc", program=program.PROGRAM, phi=[1, 2])

    @unittest.skipUnless(sys.platform == "linux", "elsewhere a process does not learn that its parent has ended")
    def wait_until_running(self, process):
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        shown = b""
        while RUNNING not in shown:
            some = os.read(process.stderr.fileno(), 4096)
            self.assertTrue(some, shown)
            shown += some

    def test_the_program_ends_with_a_checkpoint_when_python_is_killed(self):
        script = """
            import tessera_io
            tessera_io.run("kpz", size=256, steps="1e9", output="orphan.h5", threads=1)
        """
        command = [sys.executable, "-c", textwrap.dedent(script)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        self.wait_until_running(process)
        process.kill()
        process.wait()
        end = time.monotonic() + 100
        while not os.path.exists(self.path("orphan.h5")) and time.monotonic() < end:
            time.sleep(0.02)
        with h5py.File(self.path("orphan.h5")) as file:
            steps = int(file["checkpoint/intervals"][()].max()) + 1
        # The lock is free when the program has ended.
        while True:
            try:
                with contextlib.redirect_stderr(self.shown), tessera_io.run("kpz", restart="orphan.h5", steps=steps, threads=1) as run:
                    self.assertEqual(run.observables["roughness"].time[-1], steps)
                break
            except tessera_io.ProgramError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def test_output_of_libraries_is_ignored(self):
        with mock.patch.dict(os.environ, KOKKOS_PRINT_CONFIGURATION="1"):
            self.run_program("kmc", size=16, until_time=1).close()
        self.assertIn("Kokkos Version", self.shown.getvalue())
        self.stand_in("echo tessera: --phi x: must be a number >&2; echo tool: end >&2; exit 2")
        with self.assertRaisesRegex(tessera_io.ProgramError, "^tessera: --phi x: must be a number$"):
            self.run_program("kmc", program=self.path("stand-in"))

    def test_the_wall_limit_gives_a_warning_and_the_file(self):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            with self.run_program("kpz", size=256, steps="1e9", wall_limit=3, output="limited.h5") as run:
                self.assertIn("checkpoint", run.hdf5)
        self.assertRegex(str(told[0].message), "limited.h5: not finished")
        self.assertEqual(told[0].filename, __file__)

    def test_an_interrupt_leaves_a_file_that_can_be_continued(self):
        script = """
            import tessera_io
            try:
                tessera_io.run("kpz", size=256, steps="1e9", output="interrupted.h5", overwrite=True, threads=1)
            except KeyboardInterrupt:
                print("interrupted")
        """
        command = [sys.executable, "-c", textwrap.dedent(script)]
        # Of a terminal both get the signal, of a notebook Python alone.
        for whole_group in (False, True):
            pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
            process = subprocess.Popen(command, **pipes, cwd=self.folder, start_new_session=True)
            self.wait_until_running(process)
            (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
            out, _ = process.communicate(timeout=300)
            self.assertEqual((process.returncode, out), (0, b"interrupted\n"))
            with h5py.File("interrupted.h5") as file:
                steps = int(file["checkpoint/intervals"][()].max()) + 1
            with contextlib.redirect_stderr(self.shown), tessera_io.run("kpz", restart="interrupted.h5", steps=steps, threads=1) as run:
                self.assertEqual((len(run.restarts), run.observables["roughness"].time[-1]), (1, steps))
            os.remove(self.path("interrupted.h5"))

    def test_switches_are_the_options_without_an_argument(self):
        found = set()
        for words in (*([method, "--help", "all"] for method in ("kmc", "kpz", "disks")), ["sweep", "--help"]):
            for line in program.run(words, self.folder).splitlines():
                words = line.split()
                if line.startswith("  --") and line[2 + len(words[0]) :].startswith("  "):
                    found.add(words[0].lstrip("-"))
        self.assertEqual(found - REFUSED, SWITCHES)

    def test_the_version_is_that_of_the_program(self):
        self.assertIn(f"project(tessera VERSION {tessera_io.__version__} ", program.read(os.path.join(program.SOURCE, "CMakeLists.txt")))

