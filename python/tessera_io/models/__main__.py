# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""python3 -m tessera_io.models FOLDER: the model of Zacros' input files as a model file of Tessera."""

import os
import pathlib
import sys

from ..choice import Parser
from . import ModelError, convert_zacros


def arguments(words):
    parser = Parser(
        prog="python3 -m tessera_io.models",
        description="Converts the model of Zacros in a folder with simulation_input.dat, lattice_input.dat, "
        "energetics_input.dat and mechanism_input.dat to a file for tessera kmc --processes.",
    )
    parser.add_argument("folder", metavar="FOLDER", help="folder of the four input files")
    parser.add_argument("--output", metavar="FILE", default="model.ini", help="the model file [model.ini]")
    parser.add_argument("--overwrite", action="store_true", help="replace a file that exists")
    return parser.parse_args(words)


def main(words=None):
    try:
        options = arguments(words)
        text, notes = convert_zacros(options.folder)
        if os.path.exists(options.output) and not options.overwrite:
            raise ModelError(f"{options.output}: exists; --overwrite replaces it")
        pathlib.Path(options.output).write_text(text, "utf-8")
    except (ModelError, OSError) as error:
        print(f"tessera_io.models: {error}", file=sys.stderr)
        return 2
    for note in notes:
        print(f"tessera_io.models: {note}", file=sys.stderr)
    print(options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
