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

Everything that is read is a numpy array. The layout of the file is in docs/output.md.
"""

from .errors import ProgramError, TesseraFileError
from .file import TesseraFile
from .file import open_file as open
from .orientation import local_orientation
from .start import run
from .version import __version__

__all__ = ["ProgramError", "TesseraFile", "TesseraFileError", "__version__", "local_orientation", "open", "run"]
