# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Sweeps: their points, their folder and its table, and what stops and continues them."""

import csv
import json
import os
import platform
import re
import signal
import time
import unittest

import h5py
import program

SWEEP = "sweep kmc --measure-every 0.5"
SHORT = SWEEP + " --size 16;32,16 --phi 0:1:2 --until-time 1"
ENDLESS = SWEEP + " --size 32 --phi 0,1,2 --until-time 1e9 --jobs 2 --quiet"


class Folder(program.InEmptyFolder):
    def points(self, name):
        return self.path(f"kmc_sweep/points/{name}")

    def roughness(self, name):
        with h5py.File(self.path(name)) as file:
            return file["observables/roughness/value"][()].tolist()

    def reached(self, point):
        with h5py.File(self.points(point)) as file:
            return file["checkpoint/time"][0]

    def refused(self, words, message):
        """The call is refused in one line, which has this text."""
        self.assertRegex(self.call(words, status=2)[1], rf"\A[^\n]*{re.escape(message)}[^\n]*\n\Z")

    def started(self, words, *outputs, **options):
        """A call that runs, after it has written these outputs of points."""
        process = self.start(words, **options)
        while process.poll() is None and not all(os.path.exists(self.points(name)) for name in outputs):
            time.sleep(0.002)
        self.assertIsNone(process.poll())
        return process


class Points(Folder):
    def test_they_are_single_runs_in_one_table(self):
        out, err = self.call(SHORT)
        self.assertEqual(self.names(), ["kmc_sweep"])
        self.assertIn("4 of 4 points finished", out)
        self.assertIn("point_seed: each point has its own seed, derived from --seed 1", out)
        self.assertIn("4 points: size (2) x phi (2)", err)
        header, *rows = csv.reader(self.read("kmc_sweep/table.csv").splitlines())
        self.assertEqual(header[:8], "size phi point finished time point_seed height_mean height_mean_error".split())
        names = ["size=16_phi=0", "size=16_phi=1", "size=32,16_phi=0", "size=32,16_phi=1"]
        sizes = [("16", "0"), ("16", "1"), ("32,16", "0"), ("32,16", "1")]
        self.assertEqual([row[:5] for row in rows], [[*size, name, "1", "1"] for size, name in zip(sizes, names)])
        seeds = [row[5] for row in rows]
        self.assertEqual(len(set(seeds)), 4)
        self.call(f"kmc --size 32,16 --phi 1 --until-time 1 --measure-every 0.5 --output single.h5 --seed {seeds[-1]}")
        self.assertEqual(self.roughness("single.h5"), self.roughness("kmc_sweep/points/size=32,16_phi=1.h5"))

    @unittest.skipUnless(platform.system() == "Linux", "the dynamic loader is known of Linux")
    def test_a_sweep_started_through_the_loader_starts_points_likewise(self):
        with open(program.PROGRAM, "rb") as file:
            loader = re.search(rb"\0(/[^\0]*ld-[^\0]*)\0", file.read(1 << 16))
        if not loader:
            self.skipTest("a static program")
        self.assertIn("4 of 4 points finished", self.call(SHORT, launcher=[os.fsdecode(loader[1])])[0])

    def test_zipped_ones_keep_their_seeds_if_others_are_added(self):
        call = SWEEP + " --size 16;32 --model epitaxy --zip diffusion,bond-energy --until-time"
        begun = self.call(call + " 0.2 --diffusion 100,1000 --bond-energy 3,2")[1]
        self.assertIn("4 points: size (2) x diffusion with bond-energy (2)", begun)
        more = self.call(call + " 0.2 --diffusion 100,500,1000 --bond-energy 3,2,2")[1]
        self.assertIn("6 points: size (2) x diffusion with bond-energy (3)", more)
        self.assertIn("4 done before", more)
        self.call(call + " 0.4 --diffusion 100,500,1000 --bond-energy 3,2,2")  # each point goes on with its seed
        three = call + " 0.2 --diffusion 100,500,1000 --bond-energy "
        self.refused(three + "2,2,3", "use these values, zipped as before, and any")
        self.refused(three + "3,2,2 --same-seed", "a sweep with same-seed = false")
        self.refused(three + "3,2", "diffusion has 3 values and bond-energy has 2")

    def test_absorbed_ones_are_finished(self):
        out, _ = self.call("sweep kmc --model hopping --coverage 0,1 --size 16 --until-events-per-site 1 --measure-every 1")
        self.assertIn("2 of 2 points finished", out)

    def test_those_of_an_input_file_are_the_same_and_in_a_folder_of_its_name(self):
        self.write("surfaces.ini", "size = 16;32,16\nphi = 0:1:2\nuntil-time = 1\nmeasure-every = 0.5\n")
        summary = json.loads(self.call("sweep kmc --config surfaces.ini --phi 1,2 --json")[0])
        self.assertEqual((summary["folder"], summary["points"], summary["finished"]), ("surfaces", 4, 4))
        self.assertTrue(os.path.exists(self.path("surfaces/points/size=32,16_phi=2.h5")))

    def test_only_missing_ones_are_run_again(self):
        self.call(SHORT)
        before = os.stat(self.points("size=16_phi=0.h5")).st_mtime_ns
        os.remove(self.points("size=16_phi=1.h5"))
        self.assertIn("3 done before", self.call(SHORT)[1])
        self.assertEqual(os.stat(self.points("size=16_phi=0.h5")).st_mtime_ns, before)
        self.assertTrue(os.path.exists(self.points("size=16_phi=1.h5")))
        self.call("sweep --table kmc_sweep")

    def test_those_of_an_array_job_are_the_same_sweep(self):
        self.call(SHORT)
        whole = self.read("kmc_sweep/table.csv")
        os.rename(self.path("kmc_sweep"), self.path("whole"))
        self.call(SHORT + " --index 1 --of 3")
        self.assertFalse(os.path.exists(self.points("size=16_phi=0.h5")))
        self.assertTrue(os.path.exists(self.points("size=16_phi=1.h5")))
        for index in (0, 2):
            self.call(SHORT + f" --index {index} --of 3")
        self.assertEqual(self.read("kmc_sweep/table.csv"), whole)

    def test_one_that_fails_does_not_end_the_others(self):
        self.call(SHORT)
        self.write("kmc_sweep/points/size=16_phi=0.h5", "no output of a run")
        for name in ("size=16_phi=0.json", "size=16_phi=1.json", "size=16_phi=1.h5"):
            os.remove(self.points(name))
        out, err = self.call(SHORT + " --progress never --jobs 1", status=1)
        self.assertRegex(err, r"\A.*failed: size = 16, phi = 0: .*\n\Z")
        self.assertTrue(os.path.exists(self.points("size=16_phi=1.h5")))
        self.assertIn("3 of 4 points finished", out)


class Stops(Folder):
    def test_a_stopped_sweep_is_continued(self):
        call = SWEEP + " --size 128 --phi 0,1,2 --jobs 2 --checkpoint-every 0.05 --same-seed --until-time "
        process = self.started(call + "1e9", "phi=0.h5", "phi=1.h5")
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate()
        self.assertEqual(process.returncode, 128 + signal.SIGTERM, err)
        self.assertIn("the same call continues it", err)
        self.assertNotIn("failed", err)
        self.assertFalse(os.path.exists(self.points("phi=2.h5")), "two at a time")
        self.assertEqual([name for name in os.listdir(self.points("")) if ".lock" in name], [], "no run is left")
        end = int(max(self.reached("phi=0.h5"), self.reached("phi=1.h5"))) + 2
        self.call(call + str(end))
        self.call(f"kmc --size 128 --phi 1 --until-time {end} --measure-every 0.5 --output whole.h5")
        self.assertEqual(self.roughness("kmc_sweep/points/phi=1.h5"), self.roughness("whole.h5"))

    def test_the_wall_limit_ends_it_with_checkpoints(self):
        begun = time.monotonic()
        self.call("info")
        self.call(ENDLESS + f" --wall-limit {3 + 10 * (time.monotonic() - begun)}", status=3)
        self.assertGreater(self.reached("phi=0.h5"), 0)
        table = self.read("kmc_sweep/table.csv")
        self.assertIn("0,phi=0,0,", table)
        self.assertIn("2,phi=2,0,,", table, "a point that has not begun")

    def test_killing_it_ends_its_runs(self):
        process = self.started(ENDLESS + " --checkpoint-every 0.05", "phi=0.h5", "phi=1.h5")
        process.kill()
        process.communicate()
        for _ in range(3000):
            if not any(".lock" in name for name in os.listdir(self.points(""))):
                return
            time.sleep(0.01)
        self.fail("a run is left")

    @unittest.skipUnless(os.path.exists("/proc/self/environ"), "no /proc")
    def test_runs_ignore_the_launcher_of_the_sweep(self):
        launcher = {"PMI_RANK": "0", "OMPI_COMM_WORLD_SIZE": "4", "SLURM_STEP_NUM_TASKS": "1"}
        process = self.started(ENDLESS + " --checkpoint-every 0.05", "phi=0.h5", environment={**launcher, "TESSERA_KEPT": "yes"})
        number = self.read("kmc_sweep/points/.phi=0.h5.lock").split()[1]  # "process 123 on host"
        names = [variable.split("=")[0] for variable in program.read(f"/proc/{number}/environ").split("\0")]
        process.terminate()
        process.communicate()
        self.assertIn("TESSERA_KEPT", names)
        self.assertEqual(set(launcher) & set(names), set())


class Inputs(Folder):
    def test_a_sweep_may_be_extended_and_refuses_another_in_its_folder(self):
        call = SWEEP + " --size 16 --until-time 1 --phi "
        self.call(call + "0,2")
        self.assertIn("2 done before", self.call(call + "0,1,2")[1])
        self.refused(call + "0,3", "has a sweep with phi = 0,1,2; use these values")
        self.refused(call + "0,1,2 --seed 2", "has a sweep with seed = 1; use the same value")
        self.refused(call + "0,1,2 --seed 1,2", "seed = 1")
        self.refused("sweep kpz --p 0.5,1 --steps 1 --folder kmc_sweep", "has a sweep of kmc")
        self.write("file", "")
        self.refused(call + "0,1 --folder .", "is not empty and not a sweep")
        self.refused(call + "0,1 --folder file", "is a file")

    def test_it_is_not_extended_after_a_file_has_changed(self):
        start = ("0 " * 15 + "0\n") * 16
        rates, lattice, rest = program.read(os.path.join(program.SOURCE, "inputs/models/zgb.ini")).partition("[Lattice]")
        self.write("start.txt", start)
        self.write("rates.ini", rates)
        self.write("model.ini", "include = rates.ini\n" + lattice + rest)
        common = "sweep kmc --size 16 --until-time 0.1 --progress never "
        started = common + "--model sos --start start.txt --phi "
        several = common + "--model sos --folder several --replicas 2 --starts start.txt,start.txt --phi "
        modelled = common + "--processes model.ini --folder models --set "
        for words in (started + "0,1", started + "0,1,2", several + "0,1", modelled + "y=0.4,0.5", modelled + "y=0.4,0.5,0.6"):
            self.call(words)
        self.write("start.txt", "1" + start[1:])
        self.write("rates.ini", rates + "\n[Parameter other]\nvalue = 1\n")
        self.refused(started + "0,1,2,3", "start.txt has changed since this sweep")
        self.refused(several + "0,1,2", "start.txt has changed since this sweep")
        self.refused(modelled + "y=0.4,0.5,0.6,0.7", "use the same value")
        self.write("start.txt", start)
        self.call(started + "0,1,2,3")

    def test_a_dry_run_prints_an_input_file_and_writes_nothing(self):
        out, _ = self.call(SHORT + " --dry-run")
        self.assertEqual(self.names(), [])
        for text in ("# 4 points: size (2) x phi (2)", "\nphi = 0,1\n", "\nsize = 16;32,16\n", "# cost: about "):
            self.assertIn(text, out)
        self.write("dry.ini", out)
        self.call("sweep kmc --config dry.ini --quiet")
        self.assertEqual(self.read("dry/sweep.ini"), out[out.index("# tessera sweep") : out.index("# memory")])

    def test_bad_input_writes_nothing(self):
        times = ",".join(["1", *(str(1000 * time) for time in range(2, 60))])
        for words, message in (
            ("sweep", "no method given"),
            ("sweep kmcc", "did you mean 'kmc'?"),
            ("sweep kmc --until-time 1", "no option has several values"),
            ("sweep kmc --phi 1,2", "no stopping time given"),
            (SHORT + " --output a.h5", "--output a.h5: is not available in a sweep"),
            (SHORT + " --index 2 --of 2", "--index 2: must lie in [0, 1]"),
            (SWEEP + " --until-time 1 --size 16;1", "'1': must be at least 2"),
            (SWEEP + " --until-time 1 --seed 1,2 --coupling 1", "--coupling 1: has no effect"),
            (SWEEP + " --until-time 1 --model sos,ising --phi 1,2", "(at the point model = ising"),
            (SWEEP + " --until-time 1 --seed 1:4:4 --replicas 3", "use seeds that are 3 apart, --seed 1:10:4"),
            (f"sweep kpz --steps 60000 --measure-times log;{times}", "the file names of a point contain its values"),
            ([*SHORT.split(), "--folder", "a\n"], "must be one line without leading or trailing"),
            ([*SHORT.split(), "--folder", " a"], "must be one line without leading or trailing"),
            ([*SHORT.split(), "--folder", "a #b"], "must be one line without leading or trailing"),
            ("sweep --table nowhere", "is not the folder of a sweep"),
        ):
            with self.subTest(message):
                self.refused(words, message)
                self.assertEqual(self.names(), [])

    def test_without_python_it_names_what_is_missing(self):
        for variable, place in (("PATH", "/nowhere"), ("TESSERA_PYTHON", "/nowhere/python3")):
            _, err = self.call(SHORT, status=2, environment={variable: place})
            wanted = "requires Python 3.9 or newer, but python3" if variable == "PATH" else place
            self.assertRegex(err, rf"\A.*{wanted} cannot be started.*\n\Z")
            self.assertEqual(self.names(), [])


if __name__ == "__main__":
    unittest.main()
