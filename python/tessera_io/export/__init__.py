# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Output files in formats of other programs: `python3 -m tessera_io.export FILE --to extxyz|vtkhdf|csv|gsd`."""

import os
import tempfile

from ..choice import check_names
from ..errors import TesseraFileError
from .hoomd import write_gsd
from .paraview import write_vtkhdf
from .points import write_extxyz
from .tables import write_csv

FORMATS = {"extxyz": write_extxyz, "vtkhdf": write_vtkhdf, "csv": write_csv, "gsd": write_gsd}


def export(run, to, stem=None, names=(), rows=None, time=None, replica=None, overwrite=False):
    """Writes an open file in another format, and yields the paths: STEM with a suffix that depends on the format.

    to     extxyz, vtkhdf, csv or gsd
    stem   the file's own path without its ending, if it is None
    names  observables, fields, particles or tables; empty: what the format is made for
    rows, time  snapshots, by their rows or the one nearest to a time; all if both are None
    replica     one system; all if it is None

    A file that exists is left, and TesseraFileError raised, unless `overwrite`. A file is complete or absent.
    """
    check_names(run, names)
    stem = os.path.splitext(run.path)[0] if stem is None else os.fspath(stem)
    written = False
    for suffix, write in FORMATS[to](run, names, rows, time, replica):
        path = stem + suffix
        if os.path.exists(path) and not overwrite:
            raise TesseraFileError(f"{path}: already exists; use --overwrite to replace it")
        if os.path.exists(path) and os.path.samefile(path, run.path):
            raise TesseraFileError(f"{path}: is the file to export; use another --output")
        _write_whole(path, write)
        written = True
        yield path
    if not written:
        raise TesseraFileError(f"{run.path}: has nothing that can be written as {to}")


def _write_whole(path, write):
    """Calls write(TEMPORARY), and renames the file when it is complete."""
    folder, name = os.path.split(path)
    with tempfile.TemporaryDirectory(prefix=".export-", dir=folder or ".") as temporary:
        write(os.path.join(temporary, name))
        os.replace(os.path.join(temporary, name), path)
