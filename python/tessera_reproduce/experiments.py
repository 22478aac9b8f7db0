# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The list of all reproductions: figures and tables of papers.

Each has a name, that of the command, and a title of a line; cost(scale) is a line with the cost of a scale, and
make(program, scale) runs the program and returns a Report.
"""

from . import (
    disks_pressure,
    disks_speed,
    kmc_speedup,
    kmc_step_size,
    kpz_autocorrelations,
    kpz_exact,
    kpz_exact_autocorrelations,
    kpz_exponents,
    kpz_speed,
)

SCALES = ("quick", "gpu", "paper")


def experiments():
    """All reproductions, by name."""
    listed = [
        kmc_step_size.StepSize(),
        kmc_speedup.Speedup(),
        *kpz_autocorrelations.figures(),
        kpz_exponents.EffectiveExponents(),
        kpz_speed.Speed(),
        kpz_exact.ExactProcess(),
        kpz_exact_autocorrelations.ExactAutocorrelations(),
        disks_pressure.Shuffling(),
        disks_pressure.EquationOfState(),
        *disks_speed.figures(),
    ]
    return {experiment.name: experiment for experiment in listed}
