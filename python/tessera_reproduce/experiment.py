# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""What every reproduction has, and the list of them."""

import abc

SCALES = ("quick", "paper")


class Experiment(abc.ABC):
    """A figure or table of a paper.

    name    of the command
    method  of the program
    title   one line
    """

    name = method = title = ""

    @abc.abstractmethod
    def cost(self, scale):
        """A line that says what the scale takes, for people to read before it starts."""

    @abc.abstractmethod
    def make(self, program, scale):
        """Runs the program and returns a Report."""


def experiments():
    """All that can be reproduced, by name."""
    from . import disks_pressure, disks_speed, kmc_speedup, kmc_step_size, kpz_autocorrelations, kpz_exponents, kpz_speed

    listed = [
        kmc_step_size.StepSize(),
        kmc_speedup.Speedup(),
        *kpz_autocorrelations.figures(),
        kpz_exponents.EffectiveExponents(),
        kpz_speed.Speed(),
        disks_pressure.Shuffling(),
        disks_pressure.EquationOfState(),
        *disks_speed.figures(),
    ]
    return {experiment.name: experiment for experiment in listed}
