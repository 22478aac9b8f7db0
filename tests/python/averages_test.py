# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Averages over time of the program and of tessera_io.average, and their reference implementation."""

import math
import unittest

import numpy as np
import plain_rule
import program
import tessera_io


def correlated(rows, replicas, kept, random):
    """x' = kept x + noise of variance 1 - kept^2, whose integrated autocorrelation time is (1 + kept) / (1 - kept) / 2 rows."""
    x = np.empty((rows, replicas))
    x[0] = random.normal(size=replicas)
    for row in range(1, rows):
        x[row] = kept * x[row - 1] + math.sqrt(1 - kept**2) * random.normal(size=replicas)
    return x


def binder(means):
    return 1 - means[1] / (3 * means[0] ** 2)


class Averages(program.InFolder):
    def check(self, mean, error, judged, expected, where):
        """An average with its tests equals that of the reference."""
        self.assertEqual(judged.result, expected.result, where)
        scale = max(abs(expected.mean), expected.error if expected.error > 0 else 0)
        np.testing.assert_allclose(mean, expected.mean, rtol=1e-9, atol=1e-9 * scale, err_msg=where)
        np.testing.assert_allclose(error, expected.error, rtol=1e-5, err_msg=where)
        if not math.isnan(expected.z):
            np.testing.assert_allclose(-judged.deviation, expected.z, rtol=1e-4, atol=1e-6, err_msg=where)
            found = judged.autocorrelation_time, judged.samples, judged.freedom
            np.testing.assert_allclose(found, (expected.tau, expected.samples, expected.freedom), rtol=1e-4, err_msg=where)


class OfArrays(Averages):
    def test_equal_those_of_the_reference(self):
        random, seen = np.random.default_rng(1), set()
        for replicas in (1, 2, 3, 8, 9, 40):
            for rows in (30, 100, 250, 1000):
                for kept, apart, slope in ((0.0, 0, 0), (0.8, 0, 0), (0.98, 0, 0), (0.5, 1, 0), (0.5, 0, 3)):
                    x = correlated(rows, replicas, kept, random) + apart * random.normal(size=replicas) + slope * np.arange(rows)[:, None] / rows
                    time, slow = np.arange(rows) * 0.5, correlated(rows, replicas, 0.9, random)
                    functions = {"binder": (binder, ["x2", "x4"])}
                    where = f"{replicas} replicas, {rows} rows, {kept}, {apart}, {slope}"
                    series = {"x": x, "x2": x**2, "x4": x**4}
                    for start, starts in ((None, (0,)), ("auto", (1 / 4, 1 / 2))):
                        expected = plain_rule.average(time, {"x": x}, {}, {"slow": ([slow], 1)}, starts)["x"]
                        found = tessera_io.average(x, start, time=time, slow={"slow": slow})
                        self.check(found.mean, found.error, found.stationarity, expected, where)
                        seen.add(expected.result)
                    expected = plain_rule.average(time, series, functions, {}, (0,))["binder"]
                    found = tessera_io.average([x**2, x**4], time=time, function=binder)
                    self.check(found.mean, found.error, found.stationarity, expected, where)
        self.assertEqual(seen, {"stationary", "too short", "replicas differ", "drifting"})

    def test_of_many_rows_are_those_of_bins(self):
        x = correlated(30000, 2, 0.9, np.random.default_rng(2))
        expected, found = plain_rule.average(np.arange(30000.0), {"x": x}, starts=(1 / 4, 1 / 2))["x"], tessera_io.average(x, "auto", time=np.arange(30000.0))
        self.assertEqual(found.stationarity.result, expected.result)
        for one, other in ((found.error, expected.error), (found.autocorrelation_time, expected.tau)):
            self.assertLess(abs(one / other - 1), 0.02)

    def test_say_how_much_longer_a_window_must_be(self):
        random = np.random.default_rng(3)
        for times, least, most in ((10, 2, 12), (30, 1, 4)):
            lacks = [tessera_io.average(correlated(20 * times, 1, 39 / 41, random)).stationarity for _ in range(20)]
            self.assertTrue(all(one.result != "stationary" for one in lacks if one.longer > 0))
            self.assertTrue(least < np.nanmedian([one.longer for one in lacks]) < most, [one.longer for one in lacks])
        x = [correlated(400, 1, kept, random) for kept in (0, 39 / 41)]
        found = tessera_io.average(x[0], slow={"mode": x[1]})
        self.assertRegex(str(found), r"no error, too short \(mode: at least [0-9.]+ times longer\)")
        few = tessera_io.average(random.normal(size=40))
        self.assertIn("no error, too short (at least 4 times as many measurements)", str(few))

    def test_of_constants_have_no_error(self):
        for replicas in (1, 3, 40):
            found = tessera_io.average(np.full((200, replicas), 0.1))
            self.assertAlmostEqual(found.mean, 0.1)
            self.assertEqual(found.stationarity.result, "stationary")
            self.assertTrue(math.isnan(found.error))

    def test_errors_hold(self):
        """Of 200 windows of 60 autocorrelation times the ratio is known to 6 %. The seeds are fixed."""
        random = np.random.default_rng(20)
        for replicas in (1, 4):
            found = [tessera_io.average(correlated(600, replicas, 9 / 11, random)) for _ in range(200)]
            ratio = math.sqrt(np.nanmean([one.error**2 for one in found]) / np.mean([one.mean**2 for one in found]))
            self.assertTrue(0.85 < ratio < 1.25, ratio)
            self.assertLess(np.mean([abs(one.mean) > 2 * one.error for one in found]), 0.1)
            self.assertGreater(np.mean([one.stationarity.result == "stationary" for one in found]), 0.85)

    def test_autocorrelation_times_and_the_blocking_curve(self):
        x = correlated(40000, 1, 0.8, np.random.default_rng(21))[:, 0]
        tau, error = tessera_io.autocorrelation_time(x)
        self.assertLess(abs(tau - 4.5), 4 * error)
        self.assertAlmostEqual(error, tau / 2)  # of 8 frequencies
        self.assertAlmostEqual(tessera_io.autocorrelation_time(x, time=3 * np.arange(40000))[0], 3 * tau)
        length, errors, uncertain = tessera_io.blocking(x)
        self.assertEqual(list(length[:4]), [1, 2, 4, 8])
        self.assertAlmostEqual(errors[0], x.std(ddof=1) / 200)
        right = tessera_io.average(x).error
        self.assertLess(errors[0], 0.5 * right)
        at = list(length).index(256)
        self.assertLess(abs(errors[at] - right), 4 * uncertain[at] + 0.3 * right)

    def test_a_jackknife_is_that_of_leaving_out_one_sample(self):
        x = np.random.default_rng(22).normal(size=50) + 3
        value, error = tessera_io.jackknife(lambda m: m[0], x)
        self.assertAlmostEqual(value, x.mean())
        self.assertAlmostEqual(error, x.std(ddof=1) / math.sqrt(50))
        value, error = tessera_io.jackknife(lambda m: m[1] - m[0] ** 2, x, x**2)
        self.assertAlmostEqual(value, x.var())

    def test_invalid_series_are_errors_with_a_reason(self):
        for values, words, message in (
            (np.zeros((2, 3, 4)), {}, r"must be \[rows\] or \[rows, replicas\]"),
            (np.zeros(7), {"replicas": 2}, "no rows of 2 replicas"),
            (np.zeros(7), {"start": "soon"}, "must be a number, 'auto' or None"),
            (np.zeros(7), {"time": np.zeros(8)}, "different shapes"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                tessera_io.average(values, **words)


ISING = "kmc --model ising --size 16 --coupling {} --until-time {} --measure-every 1 --quiet --overwrite --output run.h5 --average-from {}"
DISKS = "disks --particles 64 --packing-fraction 0.5 --sweeps 3000 --sample-every 10 --quiet --overwrite --output run.h5"
GROWTH = "kpz --size 32 --steps {} --measure-every 2 --quiet --overwrite --output run.h5 --average-from auto"


class OfRuns(Averages):
    def test_equal_those_of_the_reference(self):
        seen = set()
        for words in (
            ISING.format(0.2, 400, 20),
            ISING.format(0.35, 300, "auto"),
            ISING.format(0.35, 600, "auto") + " --replicas 3",
            ISING.format(0.6, 400, 200) + " --magnetisation 0 --replicas 6",
            ISING.format(0.35, 100, 20) + " --replicas 16",
            GROWTH.format(300),
            GROWTH.format(2000) + " --replicas 2",
            DISKS,
            DISKS + " --replicas 3",
        ):
            program.run(words.split(), self.folder)
            with tessera_io.open(self.path("run.h5")) as run:
                for name, expected in self.of_reference(run, "auto" in words or run.method == "disks").items():
                    its = run.averages[name]
                    self.check(its.mean, its.error, run.stationarity[name], expected, f"{words}: {name}")
                    np.testing.assert_equal(its.autocorrelation_time, run.stationarity[name].autocorrelation_time)
                    seen.add(expected.result)
                self.assertGreater(len(run.averages), 4)
        self.assertEqual(seen, {"stationary", "too short", "replicas differ", "drifting"})

    def of_reference(self, run, automatic):
        """Averages of the rows in the file."""
        if run.method == "disks":
            samples = run.history["samples"]
            rows = {name: samples[name].reshape(-1, run.replicas) for name in ("pressure", "psi6_re", "psi6_im", "disk_variance_4")}
            rows["psi6_2"] = rows["psi6_re"] ** 2 + rows["psi6_im"] ** 2
            rows |= {"psi6": rows["psi6_2"] ** 0.5, "psi6_4": rows["psi6_2"] ** 2}
            time = samples["sweep"][samples["replica"] == 0]
            modes = {"psi6": ([rows.pop("psi6_re"), rows.pop("psi6_im")], 1)}
            functions = {"binder_cumulant": (binder, ["psi6_2", "psi6_4"]), "susceptibility": (lambda m: 64 * (m[1] - m[0] ** 2), ["psi6", "psi6_2"])}
        else:
            names = [name for name in run.averages if name in run.observables and name not in ("skewness", "kurtosis")]
            time = run.observables[names[0]].time
            rows = {name: run.observables[name].value.reshape(len(time), -1) for name in names}
            modes = {name: ([rows[name]], 1) for name in ("magnetisation", "roughness") if name in rows}
            functions = {"skewness": (lambda m: m[1] / m[0] ** 1.5, ["roughness", "moment_3"])}
            if "energy" in rows:
                k = float(run.input["coupling"])
                functions = {"binder_cumulant": (binder, ["magnetisation_2", "magnetisation_4"]), "specific_heat": (lambda m: k * k * 256 * (m[1] - m[0] ** 2), ["energy", "energy_2"])}
        used = time > (0 if automatic else float(run.input["average-from"]))
        rows = {name: one[used] for name, one in rows.items()}
        modes = {name: ([one[used] for one in group], slower) for name, (group, slower) in modes.items()}
        return plain_rule.average(time[used], rows, functions, modes, (1 / 4, 1 / 2) if automatic else (0,))


if __name__ == "__main__":
    unittest.main()
