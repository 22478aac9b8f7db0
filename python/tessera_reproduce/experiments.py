# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The list of all reproductions."""

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
