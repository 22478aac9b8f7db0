# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""python3 -m tessera_io.export FILE --to FORMAT [NAME...]: an output file in a format of other programs."""

import sys

import tessera_io

from ..choice import Parser, number
from . import FORMATS, export


def arguments(words):
    parser = Parser(
        prog="python3 -m tessera_io.export",
        description="Exports an output file of Tessera to formats of other programs. extxyz: snapshots for "
        "OVITO and ASE; vtkhdf: snapshots for ParaView; csv: observables, averages, tables and g(r); gsd: disks for "
        "HOOMD-blue, where its library is installed.",
    )
    parser.add_argument("file", help="output file of a run")
    names = "observables, fields, particles or tables [all that the format supports]"
    parser.add_argument("names", nargs="*", metavar="NAME", help=names)
    parser.add_argument("--to", required=True, choices=FORMATS, help="the format")
    when = parser.add_mutually_exclusive_group()
    when.add_argument("--row", type=int, help="one snapshot, counted from 0, or from the end as -1, -2 [all]")
    when.add_argument("--time", type=number, metavar="TIME", help="the snapshot nearest to this time [all]")
    parser.add_argument("--replica", type=int, help="one system [all; of observables the means with their errors]")
    parser.add_argument("--output", metavar="STEM", help="first part of the names of the files [FILE without its ending]")
    parser.add_argument("--overwrite", action="store_true", help="replace files that exist")
    return parser.parse_intermixed_args(words)


def main(words=None):
    try:
        options = arguments(words)
        rows = None if options.row is None else [options.row]
        with tessera_io.open(options.file) as run:
            for path in export(
                run, options.to, options.output, options.names, rows, options.time, options.replica, options.overwrite
            ):
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
