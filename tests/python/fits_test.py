# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Fits of other forms than power laws, and their weights."""

import unittest

import numpy as np
import tessera_io
from exponents_test import recorded
from tessera_io.observables import standard_error


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
            error = standard_error(values)
            law = tessera_io.fit_points(time, values.mean(axis=1), error, replicas=replicas)
            self.assertAlmostEqual(law.slope, by_scatter if weighted else equal, 10)
            self.assertLess(0.1, law.reduced_chi2)
            self.assertLess(law.reduced_chi2, 3)


if __name__ == "__main__":
    unittest.main()
