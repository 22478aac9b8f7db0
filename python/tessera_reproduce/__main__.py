# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""python3 -m tessera_reproduce NAME: a figure or table of a paper from runs of the program."""

import argparse
import os
import sys

os.environ["MPLBACKEND"] = "agg"  # files alone are drawn, and another backend need not be there
try:
    from . import page, report
    from .experiments import SCALES, experiments
    from .program import Program, ProgramError, Stopped
except ImportError as missing:
    sys.exit(f"tessera_reproduce: {missing}; it needs h5py and matplotlib (Debian: python3-h5py, python3-matplotlib)")


def arguments(words):
    known = experiments()
    names = "\n".join(f"  {name:<16} {experiment.title}" for name, experiment in known.items())
    parser = argparse.ArgumentParser(
        prog="reproduce",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Makes a figure or table of a paper from runs of the program: NAME.png, NAME.svg, NAME.pdf, NAME.h5 and NAME.md.",
        epilog=f"names:\n{names}\n\nFinished runs are used again, and stopped runs are continued.",
    )
    parser.add_argument("name", choices=known, metavar="NAME", help="what to make")
    scales = "quick: minutes on two cores; gpu: minutes on one GPU; paper: what the paper did [quick]"
    parser.add_argument("--scale", choices=SCALES, default="quick", help=scales)
    parser.add_argument("--backend", choices=("serial", "openmp", "cuda", "hip"), help="where to compute [the fastest; speeds: all]")
    parser.add_argument("--output", metavar="FOLDER", help="where the files go [results/reproduce/NAME-SCALE]")
    parser.add_argument("--tessera", metavar="PROGRAM", help="the program [TESSERA_PROGRAM, or tessera on the PATH]")
    parser.add_argument("--cost", action="store_true", help="print the cost, and run nothing")
    return parser.parse_args(words)


def main(words=None):
    options = arguments(words)
    experiment = experiments()[options.name]
    print(f"{experiment.name}, {options.scale}: {experiment.title}\ncost: {experiment.cost(options.scale)}", file=sys.stderr)
    if options.cost:
        return 0
    folder = options.output or os.path.join("results", "reproduce", f"{options.name}-{options.scale}")
    try:
        os.makedirs(os.path.join(folder, "runs"), exist_ok=True)
        program = Program(options.tessera, os.path.join(folder, "runs"), options.backend)
        page.use()
        outcome = experiment.make(program, options.scale)
        paths = report.write(outcome, experiment, options.scale, program, os.path.join(folder, options.name))
    except Stopped as stopped:
        print(f"reproduce: {stopped}; the same command continues from here", file=sys.stderr)
        return 128 + stopped.number
    except KeyboardInterrupt:
        print("reproduce: interrupted; the same command continues from here", file=sys.stderr)
        return 130
    except (ProgramError, OSError) as error:
        print(f"reproduce: {error}", file=sys.stderr)
        return 1
    print(report.table(outcome))
    for path in paths:
        print(path)
    if program.stopped:
        said = "the figure has what was finished before, and the same command continues from here"
        print(f"reproduce: {program.stopped}; {said}", file=sys.stderr)
        return 128 + program.stopped.number
    return 0


if __name__ == "__main__":
    sys.exit(main())
