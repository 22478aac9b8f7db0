# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Exponents of observables: tessera_io.fit, effective_exponents and plot --fit; marks of averages that are not stationary."""

import csv
import json
import unittest
import warnings
from types import SimpleNamespace

import drawing
import numpy as np
import program
import tessera_io
from tessera_io.observables import standard_error
from tessera_io.plot import caption
from tessera_io.text import with_error


def recorded(time, value, error=None, method="kpz", name="roughness"):
    """A run with one observable: `value` [rows], or [rows, R]."""
    one = SimpleNamespace(time=np.asarray(time, float), value=value, name=name)
    one.replicas = value.shape[1] if value.ndim > 1 else 1
    one.times = one.time[:, None] + np.zeros_like(value) if value.ndim > 1 else one.time
    one.mean = value.mean(axis=1) if value.ndim > 1 else value
    one.error = standard_error(value) if value.ndim > 1 else np.full(len(value), np.nan) if error is None else error
    return SimpleNamespace(path="x.h5", observables={name: one}, averages={}, history={}, input={}, method=method, replicas=one.replicas)


# Below the critical temperature each lattice keeps the sign of its magnetisation.
TRAPPED = "kmc --model ising --size 16 --coupling 0.6 --magnetisation 0 --replicas 6 --until-time 400 --measure-every 1 --average-from 200"


class Exponents(unittest.TestCase):
    time = 2.0 ** np.arange(12)

    def test_a_power_law_has_its_exponents(self):
        for name, slope, symbol, exponent in (
            ("roughness", 0.5, "beta", 0.25),
            ("height_autocorrelation_10", -1.5, "lambda/z", 1.5),
            ("step_density", 0.3, "exponent", 0.3),
        ):
            law = tessera_io.fit(recorded(self.time, 3 * self.time**slope, name=name), name, 1, 4096)
            self.assertEqual((law.symbol, law.degrees), (symbol, 10))
            self.assertAlmostEqual(law.value, exponent, 12)
            self.assertAlmostEqual(law.amplitude, 3, 10)
            np.testing.assert_allclose(law(self.time), 3 * self.time**slope)

    def test_the_range_includes_its_ends(self):
        value = np.where((self.time >= 4) & (self.time <= 64), self.time, 1)
        law = tessera_io.fit(recorded(self.time, value), "roughness", 4, 64)
        self.assertEqual((law.first, law.last, law.degrees), (4, 64, 3))
        self.assertAlmostEqual(law.slope, 1, 12)

    def test_the_jackknife_error_is_the_scatter_of_the_exponent_over_ensembles(self):
        # Each replica has one factor t^deviation: rows are correlated as those of one surface. Relative uncertainty of a scatter from 400: 4 %.
        random = np.random.default_rng(5)
        laws = []
        for _ in range(400):
            deviation = 0.04 * random.normal(size=16)
            laws.append(tessera_io.fit(recorded(self.time, self.time[:, None] ** (0.5 + deviation)), "roughness", 1, 4096))
        scatter = np.std([law.value for law in laws], ddof=1)
        self.assertLess(abs(np.mean([law.error for law in laws]) / scatter - 1), 0.25)
        self.assertIn("jackknife over 16 replicas", laws[0].error_from)

    def test_independent_points_have_the_error_of_least_squares(self):
        random, x = np.random.default_rng(6), np.array([16.0, 32, 64, 128, 256])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the few of 400 with a large chi^2
            laws = [tessera_io.fit_points(x, x**0.8 * (1 + 0.01 * random.normal(size=5)), 0.01 * x**0.8) for _ in range(400)]
        slopes = np.array([law.slope for law in laws])
        self.assertLess(abs(laws[0].error / slopes.std(ddof=1) - 1), 0.25)
        self.assertLess(abs(np.mean([law.chi2 for law in laws]) - 3), 0.7)

    def test_a_fit_that_is_no_power_law_gives_a_warning(self):
        curved = (self.time[:, None] + 30) * (1 + 0.01 * np.random.default_rng(7).normal(size=(16, 12)).T)
        with self.assertWarnsRegex(UserWarning, "roughness: no power law from 1 to 2048: p ="):
            tessera_io.fit(recorded(self.time, curved), "roughness", 1, 4096)
        straight = self.time[:, None] * (1 + 0.01 * np.random.default_rng(7).normal(size=(16, 12)).T)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tessera_io.fit(recorded(self.time, straight), "roughness", 1, 4096)

    def test_impossible_fits_are_errors_with_a_reason(self):
        some = np.where(self.time < 5, self.time, 0)  # those that can be drawn: 1, 2 and 4
        for value, last, message in (
            (self.time, 2, "has 2 measurements from 1 to 2; a fit needs at least 3"),
            (-self.time, 64, "has 0 measurements with positive values from 1 to 64; a fit needs at least 3"),
            (some[::-1], 2048, "is not positive from 1 to 2048"),
            (np.where(self.time == 2, 0, self.time), 4, "has 2 measurements with positive values from 1 to 4"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                tessera_io.fit(recorded(self.time, value), "roughness", 1, last)


class OfFiles(drawing.Drawn):
    warned = "default"  # fits of which the warnings are wanted

    runs = ("kpz --size 64 --replicas 4 --steps 64 --measure-times 1,2,4,8,16,32,64 --waiting-times 2 --output kpz.h5",)

    def test_effective_exponents_are_those_of_the_program(self):
        for name, table in (("roughness", "beta_eff"), ("height_autocorrelation_2", "lambda_eff_height_2")):
            with tessera_io.open(self.path("kpz.h5")) as run:
                time, value, error = tessera_io.effective_exponents(run, name, 2)
                of_program = {column: values[-len(time) :] for column, values in run.history[table].items()}
            self.assertGreater(len(time), 2)
            np.testing.assert_allclose(time, np.sqrt(of_program["time_before"] * of_program["time"]))
            np.testing.assert_allclose(value, of_program["value"], rtol=1e-9)
            np.testing.assert_allclose(error, of_program["error"], rtol=1e-9)
            np.testing.assert_array_equal(tessera_io.effective_exponents(self.path("kpz.h5"), name, 2)[1], value)

    def test_plot_draws_and_prints_the_fit(self):
        law = tessera_io.fit(self.path("kpz.h5"), "roughness", 2, 32)
        out, _ = self.plot("kpz.h5", "--fit", "roughness:2:32", "--format", "svg")
        self.assertIn(f"roughness: beta = {with_error(law.value, law.error)}, from 2 to 32", "\n".join(out))
        text = " ".join(self.svg("kpz.h5", "--fit", "roughness:2:32").split())
        self.assertIn(f"= {with_error(law.value, law.error)}", text)
        self.assertEqual(text.count(f"$p$ = {law.p:.2g}"), 2)  # legend and caption
        self.assertIn("2 to 32", text)
        self.assertEqual(caption.of_fits([law]), [f"dashed: power law fitted from 2 to 32, $p$ = {law.p:.2g}"])
        self.assertNotIn("no power law", text)
        text = " ".join(self.svg("kpz.h5", "--fit", "roughness:1:64:exponential").split())
        self.assertIn("(no exponential)", text)
        self.assertIn("below 0.01 the values follow no exponential", text)
        out, _ = self.plot("kpz.h5", "--fit", "roughness:2:32", "--json", "--format", "svg")
        said = json.loads(out[0])
        self.assertEqual(said["pictures"], [self.path("kpz_roughness.svg")])
        (fit,) = said["fits"]
        self.assertEqual((fit["name"], fit["symbol"], fit["value"], fit["error"]), ("roughness", "beta", law.value, law.error))

    def test_a_scan_of_the_range_is_a_picture(self):
        out, _ = self.plot("kpz.h5", "--fit", "roughness:scan", "--format", "svg")
        self.assertEqual(out, ["kpz_roughness.svg", "kpz_scan_roughness.svg"])
        begin, value, error = tessera_io.fit_scan(self.path("kpz.h5"), "roughness")
        np.testing.assert_array_equal(begin, [1, 2, 4, 8])
        law = tessera_io.fit(self.path("kpz.h5"), "roughness", 4, 64)
        self.assertEqual((value[2], error[2]), (law.value, law.error))
        self.check_refusals(
            (("kpz.h5", "--fit", "roughness:scan", "--beside", "kpz.h5"), "NAME:scan is available for one run"),
            (("kpz.h5", "--fit", "height:scan"), "has no observable 'height'"),
        )

    def test_impossible_fits_are_refused_in_a_line(self):
        self.check_refusals(
            (("kpz.h5", "--fit", "roughness:2"), "--fit"),
            (("kpz.h5", "--fit", "roughness:8:2"), "--fit"),
            (("kpz.h5", "--fit", "roughness:2:8:line"), "forms are power, logarithm, exponential, arrhenius, offset"),
            (("kpz.h5", "--fit", "roughness:scan:line"), "NAME:scan"),
            (("kpz.h5", "--fit", "height:1:2"), "has no observable 'height'"),
            (("kpz.h5", "--fit", "rough:1:2"), "has no observable 'rough'"),
            (("kpz.h5", "--fit", "roughness:100:200"), "has 0 measurements from 100 to 200"),
        )

    def test_a_caption_says_that_an_average_is_not_stationary(self):
        words = "kmc --model sos --size 32 --phi 1 --replicas 8 --until-time 100 --measure-every 0.5 --average-from 1 --quiet --output rising.h5"
        program.run(words.split(), self.folder)
        with tessera_io.open(self.path("rising.h5")) as run:
            self.assertEqual(run.stationarity["roughness"].result, "drifting")
        self.assertIn("not stationary", " ".join(self.svg("rising.h5", "roughness").split()))
        program.run(words.replace("--until-time 100", "--until-time 100 --overwrite").replace("average-from 1", "average-from inf").split(), self.folder)
        self.assertNotIn("not stationary", " ".join(self.svg("rising.h5", "roughness").split()))

    def test_a_caption_says_that_replicas_differ(self):
        program.run(f"{TRAPPED} --quiet --output trapped.h5".split(), self.folder)
        self.assertIn("means of the replicas scatter more than", " ".join(self.svg("trapped.h5", "magnetisation").split()))


class OfSweeps(drawing.Drawn):
    def test_the_table_marks_averages_that_are_not_stationary(self):
        words = "sweep kmc --phi 1 --size 32;64 --replicas 8 --until-time 100 --measure-every 0.5 --average-from 1 --folder rising"
        out = program.run(words.split(), self.folder)
        self.assertIn("! not stationary, the first quarter and the second half of the window differ", out)
        with tessera_io.open(self.path("rising/points/size=32.h5")) as run:
            drifting = {name for name, one in run.stationarity.items() if one.result == "drifting"}
        header, _, first, *_ = out.splitlines()
        self.assertEqual([name for name, value in zip(header.split()[1:], first.split()[1:]) if value.endswith("!")], [
            name for name in header.split()[1:] if name.removeprefix("average_") in drifting
        ])
        self.check_marks("rising", "roughness", "drifting", "open symbols: not stationary")

    def test_the_table_marks_averages_whose_replicas_differ(self):
        out = program.run(f"sweep {TRAPPED} --folder trapped".replace("--coupling 0.6", "--coupling 0.6;0.65").split(), self.folder)
        self.assertIn("  # the means of the replicas scatter more than", out)
        header, _, first, *_ = out.splitlines()
        self.assertTrue(dict(zip(header.split(), first.split()))["average_magnetisation"].endswith("#"), out)
        self.check_marks("trapped", "magnetisation", "replicas differ", "replicas that differ")

    def check_marks(self, folder, name, result, words):
        """Both rows of the table of a sweep have this result, and the caption of its figure these words."""
        with open(self.path(f"{folder}/table.csv"), encoding="utf-8", newline="") as table:
            self.assertEqual([row[f"average_{name}_stationarity"] for row in csv.DictReader(table)], [result] * 2)
        self.assertIn(words, " ".join(self.svg(folder, name, "--output", self.path(f"marked_{folder}")).split()))


if __name__ == "__main__":
    unittest.main()
