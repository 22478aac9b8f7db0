# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Degrees of rate control of a cycle of three states on independent sites, which are known exactly."""

import os
import unittest

import numpy as np
import program
import tessera_io
from tessera_io.errors import ProgramError, TesseraFileError
from tessera_io.rate_control import rate_control

RATES = {"adsorption": 1, "desorption": 0.5, "conversion": 2, "back": 1.5, "release": 1.2}
TERMS = ("empty", "A"), ("A", "empty"), ("A", "B"), ("B", "A"), ("B", "empty")
STEPS = ("adsorption", "desorption"), ("conversion", "back"), ("release", "")
MODEL = """
[SpeciesList]
default_species = empty
[Species empty]
[Species A]
[Species B]
[Lattice]
cell_size = 1 1 1
[Layer square]
site a = (0.5, 0.5, 0.5)
""" + "".join(
    f"[Process {name}]\nrate_constant = {rate}\nconditions = {before}@a\nactions = {after}@a\n" + "tof_count = {'P': 1, 'A': -1}\n" * (name == "release")
    for (name, rate), (before, after) in zip(RATES.items(), TERMS)
)
OPTIONS = {"size": 32, "until_time": 60, "measure_every": 0.5, "average_from": 10, "replicas": 16, "threads": 1}


def exact(step):
    """d ln r / d ln k of the rate r of release of a site."""

    def rate(factor):
        k = {name: rate * (factor if name in step else 1) for name, rate in RATES.items()}
        flow = np.zeros((3, 3))  # d(probabilities of empty, A, B)/dt = flow @ probabilities
        for name, ends in zip(RATES, TERMS):
            before, after = (("empty", "A", "B").index(end) for end in ends)
            flow[after, before] += k[name]
            flow[before, before] -= k[name]
        return k["release"] * np.linalg.lstsq(np.vstack([flow, np.ones(3)]), [0, 0, 0, 1], rcond=None)[0][2]

    return np.log(rate(1.001) / rate(0.999)) / np.log(1.001 / 0.999)


class RateControl(program.InFolder):
    @classmethod
    def prepare(cls):
        program.write(cls.path("cycle.ini"), MODEL)
        cls.options = {**OPTIONS, "processes": cls.path("cycle.ini"), "program": program.PROGRAM, "progress": False}
        cls.found = rate_control("P", folder=cls.path("cycle"), **cls.options)

    def test_degrees_are_the_exact_ones(self):
        *found, total = self.found
        self.assertEqual([one[:2] for one in found], list(STEPS))
        for one in found:
            # 15 degrees of freedom: 8 standard errors are exceeded with probability 1e-6. The difference quotient lacks less than 1e-3.
            self.assertLess(abs(one.value - exact(one[:2])), 8 * one.error + 1e-3, one)
            self.assertTrue(0.001 < one.error < 0.05, one)
        self.assertAlmostEqual(sum(map(exact, STEPS)), 1, places=5)
        self.assertEqual((total.step, total.reverse), ("sum", ""))
        self.assertLess(abs(total.value - 1), 8 * total.error)
        self.assertAlmostEqual(total.value, sum(one.value for one in found))

    def test_the_runs_have_the_same_random_numbers(self):
        points = self.path("cycle/points")
        runs = [name for name in sorted(os.listdir(points)) if name.endswith(".h5")]
        self.assertEqual(len(runs), 6)
        for name in runs:
            with tessera_io.open(os.path.join(points, name)) as run:
                self.assertEqual(run.input["seed"], "1")

    def test_a_command_prints_the_table(self):
        with open(self.path("kmc.h5"), "w", encoding="utf-8"):  # the output of another run
            pass
        words = f"--processes cycle.ini --folder cycle --turnover P {' '.join(f'--{key.replace(chr(95), chr(45))} {value}' for key, value in OPTIONS.items())}"
        out, _ = program.python(["-m", "tessera_io.rate_control", *words.split()], self.folder)
        self.assertRegex(out, r"^  adsorption, desorption  0\.\d+\(\d+\)\n  conversion, back        0\.\d+\(\d+\)\n  release                 0\.\d+\(\d+\)\n  sum ")

    def test_steps_are_chosen(self):
        found = rate_control("P", folder=self.path("some"), steps="rel*,back", **self.options)
        self.assertEqual([one.step for one in found], ["release", "conversion", "sum"])
        by_step = {one.step: one for one in self.found}
        for one in found[:2]:
            self.assertEqual(one, by_step[one.step])

    def test_what_is_missing_is_refused(self):
        for changes, message in (
            ({"steps": "hop"}, "the model has no process 'hop'; its processes are adsorption, conversion, release"),
            ({"change": 1}, "change = 1: must lie between 0 and 1"),
            ({"processes": "none.ini"}, "none.ini"),
            ({"replicas": 1, "steps": "release"}, "has one replica; errors need --replicas 2 or more"),
            ({"average_from": None, "steps": "release"}, "has the rate of no turnover; --average-from and tof_count are needed"),
            ({"turnover": None, "steps": "release"}, "has the rates turnover_A_rate, turnover_P_rate; choose one by --turnover"),
        ):
            with self.assertRaisesRegex((ProgramError, TesseraFileError), message):
                options = {**self.options, "until_time": 30, **changes}
                rate_control(**{"turnover": "P", "folder": self.path("wrong" + "".join(changes)), **options})


if __name__ == "__main__":
    unittest.main()
