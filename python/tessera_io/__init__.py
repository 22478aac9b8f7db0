# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Reads the output files of Tessera.

    import tessera_io

    with tessera_io.open("crystal_growth.h5") as run:
        roughness = run.observables["roughness"]
        print(roughness.time[-1], roughness.mean[-1], roughness.error[-1], roughness.unit)
        surface = run.fields["height"].snapshot(-1)

Everything that is read is a numpy array. The layout of the file is in docs/output.md.
"""

from .errors import TesseraFileError
from .file import TesseraFile
from .file import open_file as open
from .orientation import local_orientation

__all__ = ["TesseraFile", "TesseraFileError", "local_orientation", "open"]
