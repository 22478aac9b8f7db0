# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""python3 -m tessera_io.export FILE --to FORMAT [NAME...]: an output file in a format of other programs."""

import os
import sys

import tessera_io

from ..choice import Parser, number
from . import FORMATS, convert_gsd, export
from .hoomd import is_gsd


def arguments(words):
    parser = Parser(
        prog="python3 -m tessera_io.export",
        description="Exports an output file of Tessera to formats of other programs. extxyz: snapshots for "
        "OVITO and ASE; lammps: disks as a dump of LAMMPS; vtkhdf: snapshots for ParaView; csv: observables, averages, "
        "tables, g(r), g6(r) and S(q); gsd: disks for HOOMD-blue, where its library is installed. Also converts a GSD "
        "file to extxyz, which tessera disks --start reads.",
    )
    parser.add_argument("file", help="output file of a run, folder of a sweep, or GSD file")
    names = "observables, functions, fields, particles or tables [all that the format supports]"
    parser.add_argument("names", nargs="*", metavar="NAME", help=names)
    parser.add_argument("--to", required=True, choices=FORMATS, help="the format")
    when = parser.add_mutually_exclusive_group()
    when.add_argument("--row", type=int, help="one snapshot, counted from 0, or from the end as -1, -2 [all]")
    when.add_argument("--time", type=number, metavar="TIME", help="the snapshot nearest to this time [all]")
    parser.add_argument("--replica", type=int, help="one system [all; of observables the means with their errors]")
    columns = "of csv: without coverages where molecules are counted, and events of the processes of a step, or all [short]"
    parser.add_argument("--columns", choices=("short", "all"), default="short", help=columns)
    species = "of extxyz and csv: only the sites of a model file with these species [all]"
    parser.add_argument("--species", type=lambda text: text.split(","), default=[], metavar="NAME[,NAME...]", help=species)
    stem = "first part of the names of the files; of a sweep followed by the name of the point [FILE without its ending]"
    parser.add_argument("--output", metavar="STEM", help=stem)
    parser.add_argument("--overwrite", action="store_true", help="replace files that exist")
    options = parser.parse_intermixed_args(words)
    options.of_gsd = is_gsd(options.file)
    if options.columns == "all" and options.to != "csv":
        parser.error(f"--columns: is for --to csv, not {options.to}")
    if options.of_gsd and (options.to != "extxyz" or options.names or options.species or options.time is not None or options.replica is not None):
        parser.error(f"{options.file}: a GSD file is converted --to extxyz, all of it or a --row")
    return options


def paths(options):
    """Writes the files, and yields their paths."""
    if options.of_gsd:
        yield convert_gsd(options.file, options.output, options.row, options.overwrite)
        return
    rows = None if options.row is None else [options.row]
    for file, stem in outputs_of(options.file, options.output):
        with tessera_io.open(file) as run:
            yield from export(run, options.to, stem, options.names, rows, options.time, options.replica, options.overwrite, options.columns, options.species)


def outputs_of(path, stem):
    """(output file, beginning of the names of the exported files) of a run, or of each point of a sweep."""
    if not os.path.exists(os.path.join(path, "sweep.ini")):
        return [(path, stem)]
    points = sorted(name for name in os.listdir(os.path.join(path, "points")) if name.endswith(".h5"))
    if not points:
        raise tessera_io.TesseraFileError(f"{path}: no point of this sweep has an output file yet")
    return [(os.path.join(path, "points", name), stem and f"{stem}_{name[:-3]}") for name in points]


def main(words=None):
    try:
        for path in paths(arguments(words)):
            print(path)
    except (tessera_io.TesseraFileError, OSError, IndexError) as error:
        print(f"tessera_io.export: {error}", file=sys.stderr)
        return 2
    except ImportError as error:
        print(f"tessera_io.export: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
