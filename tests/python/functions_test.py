# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""g(r), g6(r) and S(q) of disks, averaged over samples, as tessera_io reads them."""

import numpy as np
import program
import tessera_io


class Functions(program.InFolder):
    words = "disks --particles 100 --packing-fraction 0.6 --sample-every 2 --r-max 5 --g6 true --q-max 10 --quiet".split()

    @classmethod
    def prepare(cls):
        program.run([*cls.words, "--sweeps", 200, "--output", "one.h5"], cls.folder)
        program.run([*cls.words, "--sweeps", 40, "--replicas", 3, "--output", "three.h5"], cls.folder)

    def test_mean_and_error_are_over_the_replicas(self):
        with tessera_io.open(self.path("three.h5")) as run:
            self.assertEqual(list(run.functions), ["S", "g", "g6"])
            for name, function in run.functions.items():
                self.assertEqual((function.replicas, function.value.shape), (3, (3, len(function))), name)
                shown = np.isfinite(function.mean)
                self.assertGreater(shown.sum(), 50)
                np.testing.assert_allclose(function.value.mean(axis=0)[shown], function.mean[shown], rtol=1e-12)
                shown &= np.isfinite(function.error)
                error = function.value.std(axis=0, ddof=1) / np.sqrt(3) * np.sqrt(2)  # that of three is uncertain
                self.assertEqual(function.samples, 20 - function.start / 2)
                np.testing.assert_allclose(error[shown], function.error[shown], rtol=1e-9)
            r, g = run.functions["g"].arguments["r"], run.functions["g"].mean
            np.testing.assert_allclose(r, np.arange(0.01, 5, 0.02))
            self.assertTrue((g[r < 1] == 0).all() and 0.95 < g[r > 4].mean() < 1.05)

    def test_a_restarted_run_equals_the_uninterrupted_one(self):
        program.run([*self.words, "--sweeps", 77, "--output", "part.h5"], self.folder)
        program.run(["disks", "--restart", "part.h5", "--sweeps", 200, "--quiet"], self.folder)
        with tessera_io.open(self.path("one.h5")) as whole, tessera_io.open(self.path("part.h5")) as part:
            for name, function in whole.functions.items():
                np.testing.assert_array_equal(part.functions[name].mean, function.mean)
                np.testing.assert_array_equal(part.functions[name].error, function.error)
                self.assertTrue((function.error > 0).any(), name)

    def test_radial_average(self):
        with tessera_io.open(self.path("three.h5")) as run:
            s = run.functions["S"]
            q, mean, error = s.radial(0.5)
            length = np.hypot(s.arguments["q_x"], s.arguments["q_y"])
            self.assertTrue(0 < length.min() and 9.5 < length.max() <= 10)
            ring = (length > 6.25) & (length < 6.75)
            (at,) = np.flatnonzero((q > 6.25) & (q < 6.75))
            self.assertAlmostEqual(q[at], length[ring].mean())
            self.assertAlmostEqual(mean[at], s.mean[ring].mean())
            self.assertAlmostEqual(error[at], s.value[:, ring].mean(axis=1).std(ddof=1) / np.sqrt(3) * np.sqrt(2))

    def test_csv_has_means_and_errors_or_the_values_of_a_replica(self):
        words = ["-m", "tessera_io.export", "three.h5", "--to", "csv", "g", "S", "--overwrite"]
        out, _ = program.python(words, self.folder)
        self.assertEqual(out.split(), ["three_S.csv", "three_g.csv"])
        with tessera_io.open(self.path("three.h5")) as run:
            s, g = run.functions["S"], run.functions["g"]
            table = np.genfromtxt(self.path("three_S.csv"), delimiter=",", skip_header=1)
            np.testing.assert_array_equal(table.T, [s.arguments["q_x"], s.arguments["q_y"], s.mean, s.error])
            program.python([*words, "--replica", "1"], self.folder)
            with open(self.path("three_g.csv"), encoding="utf-8") as file:
                self.assertEqual(file.readline(), "r (sigma),g\n")
                np.testing.assert_array_equal(np.loadtxt(file, delimiter=",").T, [g.arguments["r"], g.value[1]])
