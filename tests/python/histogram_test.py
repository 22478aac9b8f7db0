# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Distributions of observables against exact ones, and their pictures."""

import unittest

import drawing
import numpy as np
import tessera_io
from reweighting_test import ising, potts


def words_of(fig):
    return " ".join(text.replace("\n", " ") for text, _ in drawing.texts_of(fig))


SPINS = "kmc --model ising --size 4 --coupling 0.35 --magnetisation 0 --method bkl --measure-every 1"


class Histograms(drawing.Drawn):
    """The seeds are fixed."""

    runs = (
        f"{SPINS} --replicas 4 --until-time 4000 --average-from 40 --output spins.h5",
        f"{SPINS} --seed 5 --until-time 900 --average-from 40 --output whole.h5",
        f"{SPINS} --seed 5 --until-time 500 --average-from 40 --output part.h5",
        "kmc --restart part.h5 --until-time 900",
        "kmc --model potts --size 3 --coupling 0.5 --method bkl --until-time 4000 --measure-every 1 --output potts.h5",
        "kpz --size 32 --steps 4000 --measure-every 10 --replicas 2 --average-from 500 --output surface.h5",
        "kmc --model ising --size 32 --coupling 0.44 --until-time 60 --measure-every 1 --replicas 2 --output short.h5",
        "disks --particles 64 --packing-fraction 0.5 --sweeps 3000 --sample-every 10 --measure-every 1000 --output disks.h5",
    )

    def check(self, found, weight, values):
        """Each value of the states is in the middle of a bin, whose probability is that of the states; ten times the rarest."""
        expected = np.zeros(found.mean.shape)
        inside = np.ones(len(weight), bool)
        for edges, value in zip(found.edges.values(), values):
            inside &= (value > edges[0]) & (value < edges[-1])
        places = tuple(np.searchsorted(edges, value[inside]) - 1 for edges, value in zip(found.edges.values(), values))
        for place, middles, value in zip(places, found.arguments.values(), values):
            np.testing.assert_allclose(middles[place], value[inside], atol=1e-12)
        np.add.at(expected, places, weight[inside])
        self.assertAlmostEqual(found.probability.sum(), 1, 12)
        self.assertGreater(expected.sum(), 0.999)
        often = expected > 0.003
        deviation = np.abs(found.probability - expected)[often] / (found.error * found.area)[often]
        self.assertLess(deviation.max(), 6)
        self.assertGreater((deviation < 2).mean(), 0.85)
        self.assertLess((found.error * found.area)[often].max(), 0.02)
        return often.sum()

    def test_of_spins_are_the_exact_ones_level_by_level(self):
        energy, order = ising()
        weight = np.exp(-0.35 * (energy - energy.min()))
        weight, values = weight / weight.sum(), {"energy": energy / 16, "magnetisation": order}
        with tessera_io.open(self.path("spins.h5")) as run:
            for names, fewest in ((["energy"], 8), (["magnetisation"], 14), (["energy", "magnetisation"], 25)):
                found = tessera_io.histogram(run, *names)
                self.assertEqual((found.start, found.samples, found.replicas), (40, 3960, 4))
                self.assertGreater(self.check(found, weight, [values[name] for name in names]), fewest)
                np.testing.assert_allclose(found.value.mean(axis=0), found.mean)
            self.assertEqual((found.name, found.unit), ("P(energy, magnetisation)", "1/J"))
            self.assertTrue(np.isnan(found.error[found.mean == 0]).all())
            few = tessera_io.histogram(run, "magnetisation", bins=9)  # two levels each
            self.assertEqual(len(few.mean), 9)
            np.testing.assert_allclose(few.probability[:8], tessera_io.histogram(run, "magnetisation").probability[:16].reshape(8, 2).sum(axis=1))

    def test_of_potts_spins_have_the_levels_of_the_order_parameter(self):
        energy, order = potts()
        weight = np.exp(-0.5 * (energy - energy.min()))
        with tessera_io.open(self.path("potts.h5")) as run:
            found = tessera_io.histogram(run, "order")
            self.assertEqual(found.start, 2000)  # without --average-from: half of the run
            self.check(found, weight / weight.sum(), [order])

    def test_of_a_restarted_run_equal_those_of_the_whole_one(self):
        with tessera_io.open(self.path("whole.h5")) as whole, tessera_io.open(self.path("part.h5")) as part:
            for names in (["energy"], ["energy", "magnetisation"]):
                one, other = tessera_io.histogram(whole, *names), tessera_io.histogram(part, *names)
                np.testing.assert_array_equal(one.mean, other.mean)
                np.testing.assert_array_equal(one.error, other.error)
                self.assertEqual(one.samples, 860)

    def test_of_real_numbers_have_equal_bins(self):
        with tessera_io.open(self.path("surface.h5")) as run:
            found, rows = tessera_io.histogram(run, "roughness", bins=20), run.observables["roughness"]
            late = rows.value[rows.time > 500]
            count, edges = np.histogram(late, 20)
            np.testing.assert_allclose(found.edges["roughness"], edges)
            np.testing.assert_allclose(found.probability, count / late.size)
            self.assertEqual(found.unit, "1/layers^2")
            self.assertTrue((found.error[found.mean > 0] > 0).all())

    def test_of_disks_are_over_all_samples(self):
        with tessera_io.open(self.path("disks.h5")) as run:
            found, samples = tessera_io.histogram(run, "psi6", start=500), run.history["samples"]
            self.assertEqual(found.samples, 250)
            psi6 = np.hypot(samples["psi6_re"], samples["psi6_im"])[samples["sweep"] > 500]
            np.testing.assert_allclose((found.probability * found.arguments["psi6"]).sum(), psi6.mean(), atol=found.area[0])

    def test_errors_are_those_of_averages(self):
        """Of the indicator of each bin."""
        with tessera_io.open(self.path("spins.h5")) as run:
            found, rows = tessera_io.histogram(run, "energy"), run.observables["energy"]
            late = rows.value[rows.time > 40]
            for bin_, (low, high) in enumerate(zip(found.edges["energy"], found.edges["energy"][1:])):
                expected = tessera_io.average(1.0 * ((late > low) & (late < high)))
                self.assertAlmostEqual(found.probability[bin_], expected.mean, 12)
                if found.mean[bin_] > 0:
                    self.assertAlmostEqual(found.error[bin_] * found.area[bin_] / expected.error, 1, 6)

    def test_a_window_that_is_too_short_has_no_errors(self):
        with tessera_io.open(self.path("short.h5")) as run:
            found = tessera_io.histogram(run, "energy")
            self.assertTrue(np.isnan(found.error).all() and found.mean.any())
            self.assertRegex(found.judgement.words, "the window is too short, .*at least [0-9.]+ times")

    def test_what_cannot_be_done_is_refused(self):
        with tessera_io.open(self.path("surface.h5")) as run:
            self.assertRaisesRegex(tessera_io.TesseraFileError, "has no value in", tessera_io.histogram, run, "velocity", start=-1)
            self.assertRaisesRegex(tessera_io.TesseraFileError, "not measured at the same times", tessera_io.histogram, run, "roughness", "kurtosis")
            self.assertRaisesRegex(ValueError, "one or two", tessera_io.histogram, run)
        self.check_refusals(
            (("spins.h5", "--histogram", "energy,magnetisation,events"), "must be one or two observables"),
            (("spins.h5", "--histogram", "colour"), "has no observable 'colour'"),
            (("spins.h5", "--histogram", "energy", "--movie"), "--histogram: is not available for a movie"),
            (("spins.h5", "--histogram", "energy", "--ratio", "--beside", "whole.h5"), "--histogram: is not available for --ratio"),
        )

    def test_pictures_show_the_densities(self):
        made = self.figures("spins.h5", "--histogram", "energy", "--histogram", "energy,magnetisation", drawn=True)
        self.assertEqual(sorted(made), ["spins_histogram_energy", "spins_histogram_energy_magnetisation"])
        with tessera_io.open(self.path("spins.h5")) as run:
            one, both = tessera_io.histogram(run, "energy"), tessera_io.histogram(run, "energy", "magnetisation")
        (axes,) = made["spins_histogram_energy"].axes
        np.testing.assert_array_equal(axes.lines[0].get_ydata(), one.mean)
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("energy $E$ ($J$)", "probability density (1/$J$)"))
        self.assertIn("3960 measurements of each replica after time 40 / ", words_of(made["spins_histogram_energy"]))
        (mesh,) = made["spins_histogram_energy_magnetisation"].axes[0].collections
        np.testing.assert_array_equal(np.reshape(mesh.get_array().filled(0), both.mean.T.shape), both.mean.T)

    def test_pictures_of_several_runs_and_on_logarithmic_axes(self):
        (fig,) = self.figures("spins.h5", "--histogram", "magnetisation", "--beside", "whole.h5", "--scale", "semilog", drawn=True).values()
        (axes,) = fig.axes
        self.assertEqual((axes.get_yscale(), axes.get_xscale()), ("log", "linear"))
        self.assertEqual(len(axes.get_legend().get_texts()), 2)
        (fig,) = self.figures("short.h5", "--histogram", "energy", drawn=True).values()
        self.assertIn("the window is too short", words_of(fig))


if __name__ == "__main__":
    unittest.main()
