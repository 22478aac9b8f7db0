# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Fits of other forms than power laws, and their weights."""

import unittest
import warnings

import numpy as np
import tessera_io
from exponents_test import recorded
from tessera_io.observables import standard_error
from tessera_io.plot.curves import quality_of_fit


class Fits(unittest.TestCase):
    time = 2.0 ** np.arange(12)

    def test_the_other_forms(self):
        x = np.array([1.0, 2, 3, 5, 8, 13])
        for form, values, symbol, value in (
            ("logarithm", 2 + 3 * np.log(x), "slope", 3),
            ("logarithm", -5 + 3 * np.log(x), "slope", 3),
            ("exponential", 2 * np.exp(-0.3 * x), "rate", -0.3),
            ("arrhenius", 2 * np.exp(-7 / x), "E_a", 7),
        ):
            law = tessera_io.fit_points(x, values, 0.01 * np.abs(values), form=form)
            self.assertEqual((law.form, law.symbol), (form, symbol))
            self.assertAlmostEqual(law.value, value, 10)
            np.testing.assert_allclose(law(x), values, rtol=1e-9)
            self.assertIn("Arrhenius law" if form == "arrhenius" else form, str(law))
            with self.assertWarnsRegex(UserWarning, "no power law|no exponential"):
                tessera_io.fit_points(x, np.abs(values), 1e-4 * np.abs(values), form="power" if form != "logarithm" else "exponential")
        law = tessera_io.fit(recorded(x, 2 * np.exp(-0.3 * x)), "roughness", 1, 13, "exponential")
        self.assertAlmostEqual(law.value, -0.3, 10)

    def test_the_roughness_of_edwards_and_wilkinson_is_a_logarithm(self):
        for p, q, options, form in (
            ("0.5", "0.5", {}, "logarithm"),
            ("1", "0", {}, "power"),
            ("0.5", "0.5", {"model": "octahedron"}, "logarithm"),
            ("0.5", "0.5", {"model": "sos"}, "power"),
        ):
            run = recorded(self.time, 1 + 0.1 * np.log(self.time), method="kmc" if options else "kpz")
            run.input = {"p": p, "q": q, **options}
            self.assertEqual(tessera_io.fit(run, "roughness", 1, 4096).form, form)
        self.assertEqual(tessera_io.fit(run, "roughness", 1, 4096, "exponential").form, "exponential")

    def test_the_scatter_of_few_replicas_gives_no_weights(self):
        # Of two replicas estimates of one error differ by large factors: least squares with them as weights scatter more than without.
        random, time = np.random.default_rng(3), self.time
        for replicas, weighted in ((2, False), (4, False), (16, True)):
            values = time[:, None] ** 0.5 * (1 + 0.05 * random.normal(size=(12, replicas)))
            sigma = standard_error(values) / values.mean(axis=1)
            equal = np.polyfit(np.log(time), np.log(values.mean(axis=1)), 1)[0]
            by_scatter = np.polyfit(np.log(time), np.log(values.mean(axis=1)), 1, w=1 / sigma)[0]
            slope = tessera_io.fit(recorded(time, values), "roughness", 1, 4096).slope
            self.assertAlmostEqual(slope, by_scatter if weighted else equal, 10)
            self.assertNotAlmostEqual(by_scatter, equal, 5)
            law = tessera_io.fit(recorded(time, values), "roughness", 1, 4096)
            self.assertGreater(law.p, 0.01)
            error = standard_error(values)
            law = tessera_io.fit_points(time, values.mean(axis=1), error, replicas=replicas)
            self.assertAlmostEqual(law.slope, by_scatter if weighted else equal, 10)
            self.assertLess(0.1, law.reduced_chi2)
            self.assertLess(law.reduced_chi2, 3)

    def test_replicas_give_errors_and_tests_that_hold(self):
        """Random deposition, W^2 ~ t, measured often. Of 200 fits the ratio is known to 5 %, and 10 have p < .05, 19 or less in all
        but .3 %. The seeds are fixed."""
        time, random = np.unique(np.rint(np.geomspace(1, 400, 60))), np.random.default_rng(1)
        for replicas in (4, 8):
            laws = []
            for _ in range(200):
                height = random.poisson(np.diff(time, prepend=0)[:, None, None], (len(time), replicas, 64)).cumsum(axis=0)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of the few with p < .01
                    laws.append(tessera_io.fit(recorded(time, height.var(axis=2)), "roughness", 1, 400))
            self.assertLess(laws[0].degrees, 30, "rows of nearly equal times are not fitted")
            scatter = np.std([law.value for law in laws], ddof=1)
            ratio = np.sqrt(np.mean([law.error**2 for law in laws])) / scatter
            self.assertTrue(0.8 < ratio < 1.4, ratio)
            self.assertLessEqual(sum(law.p < 0.05 for law in laws), 19)
            self.assertGreater(sum(law.p < 0.5 for law in laws), 70)

    def test_one_replica_has_no_error(self):
        law = tessera_io.fit(recorded(self.time, self.time**0.5), "roughness", 1, 4096)
        self.assertTrue(np.isnan(law.error) and np.isnan(law.p) and not law.fails)
        self.assertRegex(str(law), r"^roughness: beta = 0.25, from 1 to 2048 \(no error: one replica")
        self.assertEqual(quality_of_fit(law), "one replica: no error")

    def test_a_power_law_with_a_constant(self):
        random, time = np.random.default_rng(4), 2.0 ** np.arange(0, 12, 0.5)
        for slope in (0.48, -0.7):
            values = (3 * time**slope + 1.5)[:, None] * (1 + 0.002 * random.normal(size=(24, 16)))
            run = recorded(time, values)
            law = tessera_io.fit(run, "roughness", 1, 4096, "offset")
            for found, right, error in ((law.slope, slope, 2 * law.error), (law.constant, 1.5, 0.05), (law.amplitude, 3, 0.05)):
                self.assertLess(abs(found - right), 5 * error)
            self.assertLess(law.error, 0.02)
            self.assertGreater(law.p, 0.01)
            np.testing.assert_allclose(law(time), 3 * time**slope + 1.5, rtol=0.01)
            with self.assertWarnsRegex(UserWarning, "no power law from 1 to 2896.31: p ="):
                plain = tessera_io.fit(run, "roughness", 1, 4096)
            begin, value, error = tessera_io.fit_scan(run, "roughness")
            self.assertEqual((begin[0], value[0], error[0]), (1, plain.value, plain.error))
            if slope > 0:  # later fits feel the constant less
                self.assertLess(abs(value[-4:].mean() - slope / 2), abs(value[0] - slope / 2) / 2)

    def test_curves_of_several_sizes_collapse(self):
        """W^2 = L^(2 alpha) f(t / L^z) with noise of replicas that is correlated in time. The seed is fixed."""
        random, time, found = np.random.default_rng(6), np.geomspace(4, 30 * 64**1.6, 60), []
        for _ in range(8):
            curves = []
            for size in (16, 32, 64):
                noise = random.normal(size=(len(time), 6))
                for row in range(1, len(time)):
                    noise[row] = 0.8 * noise[row - 1] + 0.6 * noise[row]
                form = size**0.8 * (1 - np.exp(-(time / size**1.6) / 2)) ** 0.5
                curves.append((size, time, form[:, None] * (1 + 0.02 * noise)))
            found.append(tessera_io.collapse(curves))
        for value, error, right in (("alpha", "alpha_error", 0.4), ("z", "z_error", 1.6)):
            values, errors = (np.array([getattr(one, key) for one in found]) for key in (value, error))
            self.assertLess(abs(values.mean() - right), 5 * errors.mean() / np.sqrt(8), value)
            self.assertTrue(0.4 < np.sqrt((errors**2).mean()) / values.std(ddof=1) < 3, (value, errors, values))
            self.assertLess(errors.max(), 0.06)
        with self.assertWarnsRegex(UserWarning, "do not collapse"):
            tessera_io.collapse([(size, time, 1 + time**0.5 * size) for size, time, _ in curves])
        single = tessera_io.collapse([(size, time, values[:, :1]) for size, time, values in curves])
        self.assertTrue(np.isnan(single.alpha_error))
        with self.assertRaisesRegex(ValueError, "at least two sizes"):
            tessera_io.collapse(curves[:1])
        with self.assertRaisesRegex(ValueError, "at least 15 measurements"):
            tessera_io.collapse(curves, first=1e4)


if __name__ == "__main__":
    unittest.main()
