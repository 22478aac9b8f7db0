# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Restarts that change parameters of the model: what is recorded, and that the process is that of the new parameters."""

import math

import numpy as np
import program
import tessera_io

HOT = "kmc --model ising --coupling 0.2 --magnetisation 0 --size 32 --measure-every 0.25"


class Changes(program.InFolder):
    def tessera(self, words):
        program.run([*words.split(), "--quiet"], self.folder)

    def refused(self, words):
        """The line with which the program refuses the words."""
        _, err = self.call(words, status=2)
        self.assertEqual(err.count("\n"), 1, err)
        return err

    def test_are_recorded_and_continue_without_the_option(self):
        self.tessera(f"{HOT} --until-time 1 --output recorded.h5")
        self.tessera("kmc --restart recorded.h5 --change --coupling 0.5 --until-time 2")
        self.tessera("kmc --restart recorded.h5 --change --coupling 0.5 --until-time 3")  # nothing differs
        self.tessera("kmc --restart recorded.h5 --until-time 4")
        self.tessera("kmc --restart recorded.h5 --change --coupling 0.6 --until-time 5")
        with tessera_io.open(self.path("recorded.h5")) as run:
            self.assertEqual(run.changes, [(1, "coupling", "0.5", "0.2"), (4, "coupling", "0.6", "0.5")])
            self.assertEqual(run.input["coupling"], "0.2")
            np.testing.assert_allclose(run.observables["energy"].time, np.arange(21) / 4)
            self.assertIn("coupling = 0.6", run.hdf5["checkpoint/input"][()].decode())

    def test_do_not_depend_on_restarts_and_methods(self):
        for name, method in (("whole", "tile"), ("parts", "tile"), ("others", "waiting-time")):
            self.tessera(f"{HOT} --replicas 2 --until-time 1 --method {method} --output {name}.h5")
        self.tessera("kmc --restart whole.h5 --change --coupling 0.5 --until-time 3")
        self.tessera("kmc --restart parts.h5 --change --coupling 0.5 --until-time 2 --tile 16 --threads 1")
        self.tessera("kmc --restart parts.h5 --until-time 3")
        self.tessera("kmc --restart others.h5 --change --coupling 0.5 --until-time 3")
        with tessera_io.open(self.path("whole.h5")) as whole:
            self.assertEqual(len(whole.observables["energy"].time), 13)
            for name in ("parts.h5", "others.h5"):
                with tessera_io.open(self.path(name)) as other:
                    for entry in ("state", "waiting_time", "stream", "time"):
                        np.testing.assert_array_equal(whole.hdf5["checkpoint"][entry][()], other.hdf5["checkpoint"][entry][()], entry)

    def test_after_a_change_the_process_is_that_of_the_new_parameters(self):
        # The same states by --start, with other random numbers; z beyond 5 is less likely than once in a million runs.
        new = HOT.replace("0.2 --magnetisation 0", "0.7") + " --replicas 128 --start states.npy --seed 1001 --until-time 1 --overwrite --output started.h5"
        for method in ("tile", "bkl"):
            self.tessera(f"{HOT} --replicas 128 --until-time 1 --method {method} --overwrite --output before.h5")
            with tessera_io.open(self.path("before.h5")) as run:
                np.save(self.path("states.npy"), run.fields["spin"].snapshots(-1))
            self.tessera("kmc --restart before.h5 --change --coupling 0.7 --until-time 2 --overwrite --output changed.h5")
            self.tessera(new)
            with tessera_io.open(self.path("changed.h5")) as changed, tessera_io.open(self.path("started.h5")) as started:
                for name in ("energy", "magnetisation_2"):
                    ours, theirs = changed.observables[name], started.observables[name]
                    for row in range(1, 5):
                        z = (ours.mean[4 + row] - theirs.mean[row]) / math.hypot(ours.error[4 + row], theirs.error[row])
                        self.assertLess(abs(z), 5, (method, name, row))

    def test_domains_grow_after_a_quench(self):
        self.tessera("kmc --model ising --coupling 0.2 --magnetisation 0 --size 256 --replicas 2 --until-time 2 --measure-every 0.5 --output quench.h5")
        self.tessera("kmc --restart quench.h5 --change --coupling 0.6 --until-time 42")
        with tessera_io.open(self.path("quench.h5")) as run:
            energy = run.observables["energy"]
            time, walls = energy.time - run.changes[0].time, energy.mean + 1.9090862  # of Onsager
            slopes = []
            for first in (2, 8):
                rows = (time >= first) & (time <= 5 * first)
                slopes.append(tessera_io.fit_points(time[rows], walls[rows]).slope)
        # They approach -1/2; 16 replicas had -0.36 and -0.41, with a scatter of 0.01 of two.
        self.assertTrue(-0.5 < slopes[1] < slopes[0] < -0.3, slopes)

    def test_of_the_octahedron_model(self):
        for name in ("whole", "parts"):
            self.tessera(f"kpz --size 64 --steps 20 --measure-every 5 --output kpz_{name}.h5")
        self.tessera("kpz --restart kpz_whole.h5 --change --q 1 --steps 60")
        self.tessera("kpz --restart kpz_parts.h5 --change --q 1 --steps 35")
        self.tessera("kpz --restart kpz_parts.h5 --steps 60")
        with tessera_io.open(self.path("kpz_whole.h5")) as whole, tessera_io.open(self.path("kpz_parts.h5")) as parts:
            heights = whole.observables["height_mean"]
            np.testing.assert_array_equal(heights.value, parts.observables["height_mean"].value)
            before, after = heights.value[4] - heights.value[0], heights.value[-1] - heights.value[4]
            self.assertGreater(before, 5)
            self.assertLess(abs(after), 1)  # p = q: no direction
            self.assertEqual(whole.changes, [(20, "q", "1", "0")])

    def test_are_refused_without_meaning(self):
        self.tessera(f"{HOT} --until-time 1 --output ended.h5")
        self.tessera("disks --particles 64 --sweeps 4 --output disks.h5")
        self.tessera(f"{HOT} --replicas 2 --until-events-per-site 1 --output apart.h5")
        for words, line in (
            ("kmc --restart ended.h5 --coupling 0.5 --until-time 2", "coupling = 0.2, which a restart changes only with --change"),
            ("kmc --restart ended.h5 --change --coupling 0.5", "is complete at time 1; use a later stopping time"),
            ("kmc --restart ended.h5 --change --size 64 --until-time 2", "size = 32,32, which a restart cannot change"),
            ("kmc --restart ended.h5 --change --magnetisation 1 --until-time 2", "magnetisation = 0, which a restart cannot change"),
            ("kmc --restart ended.h5 --change --seed 2 --until-time 2", "seed = 1, which a restart cannot change"),
            ("kmc --restart ended.h5 --change --coupling 50 --until-time 2", "--coupling 50: must lie in [-20, 20]"),
            ("disks --restart disks.h5 --change --packing-fraction 0.5 --sweeps 8", "a restart of disks cannot change its parameters"),
            ("kmc --restart apart.h5 --change --coupling 0.5 --until-events-per-site 2", "the replicas in apart.h5 are at different times"),
            ("kmc --change --until-time 1", "--change: requires --restart"),
            ("sweep kmc --change --coupling 0.1,0.2 --until-time 1", "--change true: is not available in a sweep"),
        ):
            self.assertIn(line, self.refused(words))
        with tessera_io.open(self.path("ended.h5")) as run:
            self.assertEqual((run.restarts, run.changes), ([], []))

    def test_averages_begin_after_them(self):
        self.tessera(f"{HOT} --until-time 10 --average-from 1 --output averaged.h5")
        change = "kmc --restart averaged.h5 --change --coupling 0.3 --until-time 20"
        for words in (change, change + " --average-from auto"):
            self.assertIn("parameters changed at time 10; use this time or a later one, or inf", self.refused(words))
        self.tessera(change + " --average-from 11")
        self.assertIn("parameters changed at time 10", self.refused("kmc --restart averaged.h5 --until-time 30 --average-from 9"))
        with tessera_io.open(self.path("averaged.h5")) as run:
            self.assertEqual(run.averages["energy"].start, 11)


if __name__ == "__main__":
    program.unittest.main()
