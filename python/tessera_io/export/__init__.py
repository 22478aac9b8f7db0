# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Output files in formats of other programs: `python3 -m tessera_io.export FILE --to extxyz|lammps|vtkhdf|csv|gsd`."""

import os

from ..choice import check_names
from ..errors import TesseraFileError, reading
from ..sweeps.folder import whole_file
from .hoomd import read_gsd, write_gsd
from .paraview import write_vtkhdf
from .points import write_extxyz, write_frames, write_lammps
from .tables import write_csv

FORMATS = {"extxyz": write_extxyz, "lammps": write_lammps, "vtkhdf": write_vtkhdf, "csv": write_csv, "gsd": write_gsd}


def export(run, to, stem=None, names=(), rows=None, time=None, replica=None, overwrite=False, columns="short", species=()):
    """Writes an open file in another format, and yields the paths: STEM with a suffix that depends on the format.

    to     extxyz, lammps, vtkhdf, csv or gsd
    stem   beginning of the file names; None: the path of the file without its ending
    names  observables, fields, particles or tables; empty: what the format is made for
    rows, time  snapshots, by their rows or the one nearest to a time; all if both are None
    replica     one system; all if it is None
    columns     of csv: "short", or "all" also of coverages where molecules are counted, and of events of each process of a step
    species     of extxyz and csv: only the sites of a model from a file with these species; empty: all

    Raises TesseraFileError if a file exists, unless `overwrite`. Files are written completely or not at all.
    """
    check_names(run, names)
    stem = os.path.splitext(run.path)[0] if stem is None else os.fspath(stem)
    written = False
    more = {"csv": {"everything": columns == "all", "species": species}, "extxyz": {"species": species}}.get(to, {})
    if species and not more:
        raise TesseraFileError(f"{to}: always has all sites; species can be chosen of extxyz and csv")
    if species:
        run.fields["state"].numbers(species)  # all of them must exist
    with reading(run.path, f"what {to} stores", passed=(ImportError, IndexError)):
        for suffix, write in FORMATS[to](run, names, rows, time, replica, **more):
            path = stem + suffix
            if os.path.exists(path) and os.path.samefile(path, run.path):
                raise TesseraFileError(f"{path}: is the file to export; use another --output")
            _write_whole(path, write, overwrite)
            written = True
            yield path
    if not written:
        raise TesseraFileError(f"{run.path}: has nothing that can be written as {to}")


def convert_gsd(path, stem=None, row=None, overwrite=False):
    """Writes the disks of a GSD file, also of other programs, as STEM.xyz, and returns its path; a row, or all."""
    target = (os.path.splitext(path)[0] if stem is None else os.fspath(stem)) + ".xyz"
    with reading(path, "the file", passed=(ImportError, IndexError)):
        _write_whole(target, lambda temporary: write_frames(temporary, read_gsd(path, row)), overwrite)
    return target


def _write_whole(path, write, overwrite):
    """Calls write(TEMPORARY), and renames the file when it is complete."""
    if os.path.exists(path) and not overwrite:
        raise TesseraFileError(f"{path}: already exists; use --overwrite to replace it")
    with whole_file(path) as temporary:
        write(temporary)
