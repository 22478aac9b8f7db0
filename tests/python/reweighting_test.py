# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Averages at other couplings against exact ones, and the covariance of averages."""

import itertools
import math
import unittest

import numpy as np
import program
import tessera_io

NAMES = ("energy", "specific_heat", "susceptibility", "binder_cumulant")


def ising():
    """(energy in J, order parameter) of each state of 4 x 4 sites."""
    states = np.array(list(itertools.product((-1, 1), repeat=16)), dtype=np.int8).reshape(-1, 4, 4)
    energy = -sum((states * np.roll(states, 1, axis)).sum(axis=(1, 2), dtype=int) for axis in (1, 2))
    return energy, states.mean(axis=(1, 2))


def potts():
    """The same of 3 x 3 sites."""
    states = np.array(list(itertools.product(range(3), repeat=9)), dtype=np.int8).reshape(-1, 3, 3)
    energy = -sum((states == np.roll(states, 1, axis)).sum(axis=(1, 2)) for axis in (1, 2))
    return energy, (3 * max_part(states) - 1) / 2


def max_part(states):
    return np.max([(states == one).mean(axis=(1, 2)) for one in range(3)], axis=0)


def onsager(coupling, size):
    """Energy per site of the periodic Ising lattice in J, from Kaufman's partition function."""

    def free(k):
        def gamma(number):
            if number == 0:
                return 2 * k + math.log(math.tanh(k))
            return math.acosh(math.cosh(2 * k) / math.tanh(2 * k) - math.cos(number * math.pi / size))

        logs = []
        for odd, hyperbolic in ((1, math.cosh), (1, math.sinh), (0, math.cosh), (0, math.sinh)):
            factors = [2 * hyperbolic(size * gamma(2 * r + odd) / 2) for r in range(size)]
            logs.append((sum(math.log(abs(one)) for one in factors), math.prod(math.copysign(1, one) for one in factors)))
        largest = max(log for log, _ in logs)
        return largest + math.log(sum(sign * math.exp(log - largest) for log, sign in logs)) + size**2 / 2 * math.log(2 * math.sinh(2 * k))

    return -(free(coupling + 1e-4) - free(coupling - 1e-4)) / 2e-4 / size**2


class Reweighting(program.InFolder):
    """The seeds are fixed."""

    @classmethod
    def prepare(cls):
        for size, coupling, more in (
            (4, 0.3, "--method bkl --replicas 16 --until-time 2000 --measure-every 1"),
            (4, 0.5, "--method bkl --replicas 16 --until-time 2000 --measure-every 1"),
            (16, 0.38, "--replicas 16 --until-time 500 --measure-every 1"),
            (16, 0.42, "--replicas 16 --until-time 500 --measure-every 1"),
        ):
            words = f"kmc --model ising --size {size} --coupling {coupling} --magnetisation 0 {more} --quiet --output {size}_{coupling}.h5"
            program.run(words.split(), cls.folder)
        potts = "kmc --model potts --size 3 --coupling 0.5 --order 0 --method bkl --replicas 16 --until-time 2000 --measure-every 1"
        program.run(f"{potts} --quiet --output potts.h5".split(), cls.folder)

    def test_of_one_and_of_several_runs_equals_the_exact_averages(self):
        for (energy, order), sites, runs, couplings in (
            (ising(), 16, ("4_0.3",), (0.25, 0.3, 0.35)),
            (ising(), 16, ("4_0.3", "4_0.5"), (0.25, 0.35, 0.4, 0.55)),
            (potts(), 9, ("potts",), (0.4, 0.5, 0.6)),
        ):
            found = tessera_io.reweight([self.path(f"{run}.h5") for run in runs], couplings, NAMES, start=20)
            for place, k in enumerate(couplings):
                weight = np.exp(-k * (energy - energy.min()))
                weight /= weight.sum()
                e, e2, m, m2, m4 = ((weight * one).sum() for one in (energy / sites, (energy / sites) ** 2, abs(order), order**2, order**4))
                exact = e, k**2 * sites * (e2 - e**2), k * sites * (m2 - m**2), 1 - m4 / 3 / m2**2
                for name, value in zip(NAMES, exact):
                    self.assertLess(abs(found.value[name][place] - value), 5 * found.error[name][place], (runs, k, name))
                    self.assertLess(found.error[name][place], 0.02)

    def test_equals_the_exact_energy_of_onsager_and_kaufman(self):
        self.assertAlmostEqual(onsager(0.4406868, 256), -math.sqrt(2) - 0.00245, 4)
        runs, couplings = [self.path("16_0.38.h5"), self.path("16_0.42.h5")], np.array([0.37, 0.4, 0.43])
        found = tessera_io.reweight(runs, couplings, start=50)
        for k, value, error in zip(couplings, found.value["energy"], found.error["energy"]):
            self.assertLess(abs(value - onsager(k, 16)), 5 * error, k)
            self.assertLess(error, 0.01)
        with tessera_io.open(runs[0]) as run:
            same = tessera_io.reweight(run, 0.38, start=50)
            self.assertAlmostEqual(same.value["energy"][0], run.observables["energy"].value[run.observables["energy"].time > 50].mean(), 12)

    def test_couplings_out_of_reach_have_no_value(self):
        found = tessera_io.reweight(self.path("16_0.38.h5"), [0.38, 0.8], start=50)
        self.assertGreater(found.rows[0], 5000)
        self.assertTrue(np.isnan(found.value["energy"][1]) and np.isnan(found.error["energy"][1]))

    def test_other_models_and_sizes_are_refused(self):
        with self.assertRaisesRegex(ValueError, "of the model and size of the others"):
            tessera_io.reweight([self.path("16_0.38.h5"), self.path("4_0.3.h5")], 0.4)


class Covariance(unittest.TestCase):
    def test_is_that_of_the_means_over_many_runs(self):
        """Correlated series x and x + y; the scatter of 400 runs is known to 7 %."""
        random = np.random.default_rng(3)
        for replicas in (1, 4):
            means, claimed = [], []
            for _ in range(400):
                x, y = random.normal(size=(2, 400, replicas))
                for row in range(1, 400):
                    x[row] += 0.8 * x[row - 1]
                    y[row] += 0.5 * y[row - 1]
                means.append([x.mean(), (x + y).mean()])
                claimed.append(tessera_io.covariance([x, x + y]))
            true, claimed = np.cov(np.transpose(means)), np.mean(claimed, axis=0)
            np.testing.assert_allclose(claimed, true, rtol=0.35)
            self.assertGreater(claimed[0, 1], 0)
        with self.assertRaisesRegex(ValueError, "needs more rows"):
            tessera_io.covariance([np.zeros(3)] * 3)


if __name__ == "__main__":
    unittest.main()
