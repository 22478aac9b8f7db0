# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Averages over time of the program and of tessera_io.average, which are implemented independently."""

import math
import unittest

import numpy as np
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


class OfArrays(unittest.TestCase):
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


class OfRuns(program.InFolder):
    def test_those_of_the_program_equal_those_of_its_rows(self):
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
                time, rows, functions, slow = self.of_file(run)
                for name, series in {**{name: (one, None) for name, one in rows.items()}, **functions}.items():
                    start = run.averages[name].start
                    found = tessera_io.average(series[0], start, time=time, function=series[1], slow=slow)
                    self.check(run.averages[name], run.stationarity[name], found, f"{words}: {name}")
                    seen.add(found.stationarity.result)
                if run.input["average-from"] == "auto":
                    drifts = any(tessera_io.average(one, time[-1] / 4, time=time).stationarity.result == "drifting" for one in rows.values())
                    self.assertAlmostEqual(start, time[-1] / (2 if drifts else 4), delta=2 * (time[1] - time[0]), msg=words)
                self.assertGreater(len(run.averages), 4)
        self.assertEqual(seen, {"stationary", "too short", "replicas differ", "drifting"})

    def check(self, of_file, judged, found, where):
        """An average of the program with its tests equals that of its rows."""
        expected = found.stationarity
        self.assertEqual(judged.result, expected.result, where)
        scale = max(abs(found.mean), found.error if found.error > 0 else 0)
        np.testing.assert_allclose(of_file.mean, found.mean, rtol=1e-9, atol=1e-9 * scale, err_msg=where)
        np.testing.assert_allclose(of_file.error, found.error, rtol=1e-5, err_msg=where)
        np.testing.assert_equal(of_file.autocorrelation_time, judged.autocorrelation_time)
        for name in ("deviation", "autocorrelation_time", "samples", "freedom", "replica_ratio"):
            np.testing.assert_allclose(getattr(judged, name), getattr(expected, name), rtol=1e-4, atol=1e-6, err_msg=f"{where}: {name}")

    def of_file(self, run):
        """(times, {name: rows}, {name: (rows of several, function of their means)}, {slow mode: rows}) of a file."""
        if run.method == "disks":
            samples = run.history["samples"]
            rows = {name: samples[name].reshape(-1, run.replicas) for name in ("pressure", "psi6_re", "psi6_im", "disk_variance_4")}
            slow = {name: rows.pop(name) for name in ("psi6_re", "psi6_im")}
            rows["psi6_2"] = slow["psi6_re"] ** 2 + slow["psi6_im"] ** 2
            rows |= {"psi6": rows["psi6_2"] ** 0.5, "psi6_4": rows["psi6_2"] ** 2}
            functions = {
                "binder_cumulant": ([rows["psi6_2"], rows["psi6_4"]], binder),
                "susceptibility": ([rows["psi6"], rows["psi6_2"]], lambda m: 64 * (m[1] - m[0] ** 2)),
            }
            return samples["sweep"][samples["replica"] == 0], rows, functions, slow
        names = [name for name in run.averages if name in run.observables and name not in ("skewness", "kurtosis")]
        time = run.observables[names[0]].time
        rows = {name: run.observables[name].value.reshape(len(time), -1) for name in names}
        functions = {"skewness": ([rows["roughness"], rows["moment_3"]], lambda m: m[1] / m[0] ** 1.5)} if "roughness" in rows else {}
        if "energy" in rows:
            k = float(run.input["coupling"])
            functions["binder_cumulant"] = [rows["magnetisation_2"], rows["magnetisation_4"]], binder
            functions["specific_heat"] = [rows["energy"], rows["energy_2"]], lambda m: k * k * 256 * (m[1] - m[0] ** 2)
        return time, rows, functions, {name: rows[name] for name in ("magnetisation", "roughness") if name in rows}


if __name__ == "__main__":
    unittest.main()
