# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""python3 -m tessera_io.plot FILE [NAME...]: pictures of an output file."""

import argparse
import math
import os
import sys

import tessera_io

# Shown if they are asked for: counters of the program, and moments, of which skewness and kurtosis tell more.
COUNTERS = {
    "moment_3",
    "moment_4",
    "events",
    "samples",
    "psi6_time",
    "move_radius",
    "fit_reach",
    "next_degree",
    "accepted_steps",
    "rejected_steps",
    "repaired_tiles",
    "step_size",
    "height_mean",
}

METHODS = {"kmc": "kinetic Monte Carlo", "kpz": "octahedron model", "disks": "hard disks"}


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as the program does."""

    def error(self, message):
        self.exit(2, f"tessera_io.plot: {message} (--help: the options)\n")


def formats_of(text):
    """The formats of a list with commas."""
    from .style import formats

    chosen = [word.strip().lower() for word in text.split(",")]
    for word in chosen:
        if word not in formats():
            raise argparse.ArgumentTypeError(f"'{word}' is no format that Matplotlib writes; it may be {', '.join(formats())}")
    return chosen


def number(text):
    value = float(text)
    if not math.isfinite(value):
        raise ValueError
    return value


def resolution(text):
    if not 10 <= int(text) <= 2400:
        raise argparse.ArgumentTypeError(f"{text} dots per inch; it may be 10 to 2400")
    return int(text)


def arguments(words):
    parser = Parser(
        prog="python3 -m tessera_io.plot",
        description="Draws what an output file of Tessera holds: observables against time with error bars, the last "
        "snapshot of each lattice, disks coloured by their local orientation. Writes STEM_NAME.png and .svg.",
    )
    parser.add_argument("file", help="output file of a run")
    parser.add_argument("names", nargs="*", metavar="NAME", help="observables, fields or particles [all but counters and moments]")
    when = parser.add_mutually_exclusive_group()
    when.add_argument("--row", type=int, default=-1, help="snapshot to draw, counted from 0, or from the end as -1, -2 [-1]")
    when.add_argument("--time", type=number, metavar="TIME", help="draw the snapshot nearest to this time")
    parser.add_argument("--replica", type=int, default=0, help="system to draw a snapshot of [0]")
    parser.add_argument("--scale", choices=("auto", "linear", "log"), default="auto", help="of the axes of observables [auto]")
    parser.add_argument("--beside", nargs="+", metavar="FILE", help="snapshots of these files to the right")
    parser.add_argument("--format", type=formats_of, default="png,svg", help="formats, as Matplotlib knows them [png,svg]")
    parser.add_argument("--dpi", type=resolution, metavar="N", default=150, help="dots per inch of PNG [150]")
    parser.add_argument("--output", metavar="STEM", help="begin of the names of the pictures [FILE without its ending]")
    return parser.parse_args(words)


def draw_beside(options):
    """One picture with a snapshot of each file; the paths."""
    from . import draw_field, draw_particles, figure, save, use

    use()
    files = [options.file, *options.beside]
    fig, axes = figure(1, len(files), size=(4.4, 3.7), squeeze=False)
    fig.get_layout_engine().set(wspace=0.08)
    for panel, file in zip(axes[0], files):
        with tessera_io.open(file) as run:
            lattices = [run.fields[name] for name in run.fields if len(run.fields[name].shape) == 2]
            particles = [run.particles[name] for name in particles_of(run, options.replica)]
            if lattices:
                draw_field(panel, lattices[0], options.row, options.replica)
            elif particles:
                draw_particles(panel, particles[0], options.row)
            else:
                raise tessera_io.TesseraFileError(f"{file}: has no snapshot")
            panel.set_title(METHODS.get(run.method, run.method), loc="left")
    stem = options.output or os.path.splitext(options.file)[0] + "_beside"
    return save(fig, stem, options.format, options.dpi)


def particles_of(run, replica):
    """The names of the groups of particles that belong to a replica."""
    names = list(run.particles)
    if run.replicas == 1 or not names:
        return names
    if not 0 <= replica < run.replicas:
        raise IndexError(f"{run.path}: replica {replica} of the particles; there are {run.replicas}, from 0 on")
    return [name for name in names if name.rpartition("_")[2].lstrip("0") == str(replica).lstrip("0")]


def draw(run, options):
    """Makes the pictures and yields the paths."""
    from . import draw_average, draw_field, draw_observable, draw_pair_distribution, draw_particles, figure, save, use
    from .style import moment

    use()
    stem = options.output or os.path.splitext(options.file)[0]
    known = [*run.observables, *run.fields, *run.particles]
    for name in options.names:
        if name not in known:
            raise tessera_io.TesseraFileError(f"{run.path}: has no '{name}'; it has {', '.join(known)}")

    curves = [n for n in options.names if n in run.observables]
    if not options.names:
        curves = [n for n in run.observables if n not in COUNTERS and sum(map(math.isfinite, run.observables[n].mean)) > 1]
    if curves:
        columns = min(2 if len(curves) < 5 else 3, len(curves))
        rows = math.ceil(len(curves) / columns)
        fig, axes = figure(rows, columns, size=(4.6, 3.1), squeeze=False)
        for panel in axes.flat[len(curves) :]:
            panel.remove()
        for panel, name in zip(axes.flat, curves):
            draw_observable(panel, run.observables[name], scale=options.scale)
            if name in run.averages:
                draw_average(panel, run.averages[name], run.observables[name].time[-1])
        yield from save(fig, f"{stem}_{curves[0] if len(curves) == 1 else 'observables'}", options.format, options.dpi)

    for name in run.fields:
        if options.names and name not in options.names:
            continue
        field = run.fields[name]
        row = options.row if options.time is None else field.row_at(options.time)
        fig, axes = figure(size=(5.0, 4.6) if len(field.shape) == 2 else (5.2, 3.8))
        if len(field.shape) == 2:
            draw_field(axes, field, row, options.replica)
        else:
            draw_pair_distribution(axes, field, row)
        axes.set_title(moment(field.time[row], field.time_unit), loc="right")
        yield from save(fig, f"{stem}_{name}", options.format, options.dpi)

    for name in options.names or particles_of(run, options.replica):
        if name not in run.particles:
            continue
        particles = run.particles[name]
        row = options.row if options.time is None else int(abs(particles.time - options.time).argmin())
        fig, axes = figure(size=(5.6, 4.8))
        draw_particles(axes, particles, row)
        axes.set_title(f"{particles.count} disks, {moment(particles.time[row], particles.time_unit)}", loc="left")
        yield from save(fig, f"{stem}_{name}", options.format, options.dpi)


def main(words=None):
    try:
        options = arguments(words)
        if options.beside:
            print(*draw_beside(options), sep="\n")
            return 0
        with tessera_io.open(options.file) as run:
            drawn = False
            for path in draw(run, options):
                print(path)
                drawn = True
            if not drawn:
                print(f"{options.file}: has nothing to draw", file=sys.stderr)
    except (tessera_io.TesseraFileError, OSError, IndexError) as error:
        print(f"tessera_io.plot: {error}", file=sys.stderr)
        return 2
    except ImportError as error:
        print(f"tessera_io.plot: {error}; matplotlib is needed (Debian: python3-matplotlib)", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
