# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Runs Tessera, and reads its output files.

    import tessera_io

    with tessera_io.run("kmc", phi=1, size=256, until_time=100, measure_every=5) as run:
        roughness = run.observables["roughness"]
        print(roughness.time[-1], roughness.mean[-1], roughness.error[-1], roughness.unit)
        surface = run.fields["height"].snapshot(-1)

    with tessera_io.open("kmc.h5") as run:
        print(run.observables)

    table = tessera_io.sweep("kmc", phi=[0, 1, 2], until_time=100)
    print(table["phi"], table["roughness"])

Everything that is read from a file is a numpy array. The layout of the file is in docs/output.md.
"""

from importlib import import_module

from .errors import ProgramError, TesseraFileError
from .start import run, sweep
from .version import __version__

# Imported on first use: a sweep needs neither h5py nor NumPy.
_MODULES = {
    "TesseraFile": ("file", "TesseraFile"),
    "clusters": ("domains", "clusters"),
    "correlation_length": ("functions", "correlation_length"),
    "autocorrelation_time": ("series", "autocorrelation_time"),
    "average": ("series", "average"),
    "blocking": ("series", "blocking"),
    "effective_exponents": ("power_law", "effective_exponents"),
    "collapse": ("scaling", "collapse"),
    "covariance": ("reweighting", "covariance"),
    "histogram": ("distributions", "histogram"),
    "reweight": ("reweighting", "reweight"),
    "fit": ("power_law", "fit"),
    "fit_points": ("power_law", "fit_points"),
    "fit_scan": ("power_law", "fit_scan"),
    "jackknife": ("series", "jackknife"),
    "local_orientation": ("particles", "local_orientation"),
    "open": ("file", "TesseraFile"),
    "roughness_exponent": ("functions", "roughness_exponent"),
    "steps": ("mechanism", "steps"),
    "with_error": ("text", "with_error"),
}
__all__ = ["ProgramError", "TesseraFileError", "__version__", "run", "sweep", *_MODULES]


def __getattr__(name):
    if name not in _MODULES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    module, member = _MODULES[name]
    return getattr(import_module("." + module, __name__), member)
