# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""S(k) of kmc and kpz, and the longest waves of each measurement."""

import os

import numpy as np
import program
import tessera_io

GAS = "kmc --model hopping --coverage 0.25 --attraction 0 --size 16,32 --until-time 60 --measure-every 1 --structure-factor --quiet".split()
SPINS = "kmc --model ising --coupling 0 --magnetisation 0 --size 32 --until-time 3 --measure-every 1 --replicas 50 --structure-factor --quiet".split()


def each_over_error(function, exact):
    """Deviations of S(k) from exact values over their errors."""
    return (function.mean - exact) / function.error


class StructureFactor(program.InFolder):
    @classmethod
    def prepare(cls):
        program.run([*GAS, "--average-from", 0, "--replicas", 40, "--output", "gas.h5"], cls.folder)
        program.run([*GAS, "--average-from", 10, "--output", "one.h5"], cls.folder)
        for size, output in ((8, "long.h5"), (64, "slow.h5")):
            words = f"kmc --model hopping --coverage 0.25 --attraction 0 --size {size} --until-time 600 --measure-every 1 --structure-factor"
            program.run([*words.split(), "--average-from", 10, "--output", output, "--quiet"], cls.folder)
        program.run([*SPINS, "--output", "spins.h5"], cls.folder)

    def test_of_a_gas_without_attraction_is_exact(self):
        # theta (1 - theta) N / (N - 1), at all times; 40 replicas: |t| < 7 is exceeded with a probability of 2e-8.
        with tessera_io.open(self.path("gas.h5")) as run:
            for axis, n in (("x", 16), ("y", 32)):
                s = run.functions[f"structure_factor_{axis}"]
                np.testing.assert_allclose(s.arguments["k"], 2 * np.pi * np.arange(1, n // 2 + 1) / n)
                self.assertEqual((s.value.shape, s.samples, s.start), ((40, n // 2), 60, 0))
                self.assertLess(np.abs(each_over_error(s, 0.25 * 0.75 * 512 / 511)).max(), 7)
                self.assertLess(s.error.max(), 0.02)

    def test_of_free_spins_is_one_and_of_the_last_measurement_without_average_from(self):
        with tessera_io.open(self.path("spins.h5")) as run:
            s = run.functions["structure_factor_x"]
            self.assertEqual((s.samples, s.start), (1, 3))
            self.assertLess(np.abs(each_over_error(s, 1)).max(), 7)
            waves = [run.slow_modes[f"magnetisation_kx_{part}"].value[-1] for part in ("re", "im")]
            np.testing.assert_allclose(s.value[:, 0], waves[0] ** 2 + waves[1] ** 2, rtol=1e-9)

    def test_errors_are_those_of_averages_at_each_wave_number(self):
        with tessera_io.open(self.path("long.h5")) as run:
            s = run.functions["structure_factor_y"]
            self.assertEqual((s.replicas, s.start, s.samples, s.judgement.words), (1, 10, 590, ""))
            for k, error in enumerate(s.error):
                self.assertAlmostEqual(error / tessera_io.average(s.rows[:, :, k]).error, 1, 6)
            self.assertLess(np.abs(each_over_error(s, 0.25 * 0.75 * 64 / 63)).max(), 7)
        with tessera_io.open(self.path("gas.h5")) as run:
            s = run.functions["structure_factor_x"]
            scatter = s.value.std(axis=0, ddof=1) / np.sqrt(40)  # with Student's factor of 39 degrees of freedom
            np.testing.assert_allclose(s.error, scatter * (1 + 1 / 78), rtol=0.01)

    def test_a_window_that_is_too_short_has_no_error_and_its_length_is_that_of_the_program(self):
        with tessera_io.open(self.path("one.h5")) as run:
            s, judged = run.functions["structure_factor_y"], run.stationarity["bonds"]
            self.assertEqual((s.start, s.samples), (10, 50))
            self.assertTrue(np.isnan(s.error).all())
            self.assertTrue(np.isnan(tessera_io.correlation_length(run)[1]))
            self.assertEqual((s.judgement.longer, s.judgement.slow), (judged.longer, judged.slow))
            self.assertRegex(s.judgement.words, "the window is too short, at least [0-9.]+ times as many measurements")
        with tessera_io.open(self.path("slow.h5")) as run:
            judgement, judged = run.functions["structure_factor_y"].judgement, run.stationarity["bonds"]
            self.assertEqual((judgement.slow, judged.slow), ("S(k_min) of coverage", "S(k_min) of coverage"))
            self.assertAlmostEqual(judgement.longer, judged.longer, 4)

    def test_a_restarted_run_equals_the_uninterrupted_one(self):
        words = list(GAS)
        words[words.index("--until-time") + 1] = "45"
        program.run([*words, "--average-from", 10, "--output", "part.h5"], self.folder)
        program.run(["kmc", "--restart", "part.h5", "--until-time", 60, "--quiet"], self.folder)
        with tessera_io.open(self.path("one.h5")) as whole, tessera_io.open(self.path("part.h5")) as part:
            self.assertEqual(sorted(part.functions), ["structure_factor_x", "structure_factor_y"])
            for name, function in whole.functions.items():
                np.testing.assert_array_equal(part.functions[name].rows, function.rows)
            for name, mode in whole.slow_modes.items():
                np.testing.assert_array_equal(part.slow_modes[name].value, mode.value)

    def test_waves_are_shown_on_request_alone(self):
        with tessera_io.open(self.path("gas.h5")) as run:
            self.assertEqual(sorted(run.slow_modes), [f"coverage_k{axis}_{part}" for axis in "xy" for part in ("im", "re")])
            self.assertEqual(run.slow_modes["coverage_kx_re"].value.shape, (61, 40))
            self.assertFalse(set(run.slow_modes) & set(run.observables))
            self.assertEqual(list(run.fields), ["occupation"])
        rows = program.run([*GAS, "--output", "rows.h5", "--json"], self.folder)
        self.assertNotIn("_kx_re", rows)
        self.assertNotIn("structure_factor_x", rows)

    def test_roughness_exponent_of_edwards_wilkinson_surfaces_is_zero(self):
        words = "kpz --size 32 --p 0.5 --q 0.5 --steps 4000 --measure-every 20 --average-from 1000 --replicas 8 --structure-factor --quiet"
        program.run([*words.split(), "--output", "flat.h5"], self.folder)
        with tessera_io.open(self.path("flat.h5")) as run:
            alpha, error = tessera_io.roughness_exponent(run, last=np.pi)
            self.assertLess(error, 0.01)
            self.assertLess(abs(alpha), 0.1)  # S(k) of the model is not exactly 1 / q^2 at large k
            self.assertRaises(ValueError, tessera_io.roughness_exponent, run, 0.2)

    def test_correlation_length_of_the_ising_model(self):
        # Against the one from S(0) and S(k_min); both are small at K = 0.3, where S(k) is a Lorentzian.
        words = "kmc --model ising --coupling 0.3 --magnetisation 0 --size 32 --until-time 160 --measure-every 4 --average-from 20"
        program.run([*words.split(), "--replicas", 32, "--structure-factor", "--quiet", "--output", "spins3.h5"], self.folder)
        with tessera_io.open(self.path("spins3.h5")) as run:
            xi, error = tessera_io.correlation_length(run)
            s_0 = 1024 * run.averages["magnetisation_2"].mean
            s_1 = (run.functions["structure_factor_x"].mean[0] + run.functions["structure_factor_y"].mean[0]) / 2
            by_zero = np.sqrt(s_0 / s_1 - 1) / (2 * np.sin(np.pi / 32))
            self.assertLess(error, 0.2)
            self.assertLess(abs(xi - by_zero), 6 * error)

    def test_curves_and_tables(self):
        program.python(["-m", "tessera_io.plot", "gas.h5", "structure_factor_y", "--format", "png"], self.folder)
        self.assertTrue(os.path.getsize(self.path("gas_structure_factor_y.png")) > 1000)
        out, _ = program.python(["-m", "tessera_io.export", "gas.h5", "--to", "csv", "structure_factor_x"], self.folder)
        table = np.genfromtxt(self.path(out.split()[0]), delimiter=",", names=True)
        self.assertEqual(table.dtype.names, ("k", "structure_factor_x", "structure_factor_x_error"))


if __name__ == "__main__":
    program.unittest.main()
