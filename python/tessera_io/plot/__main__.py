# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""python3 -m tessera_io.plot FILE [NAME...]: pictures of an output file, or of the table of a sweep."""

import argparse
import contextlib
import itertools
import json
import os
import re
import sys
import warnings

import tessera_io

from ..choice import Parser, check_names, number
from ..errors import reading
from ..power_law import FORMS
from .swept import TABLE

INCHES = {"cm": 1 / 2.54, "mm": 1 / 25.4, "in": 1.0, "pt": 1 / 72}


def formats_of(text):
    """The formats of a list with commas."""
    from .style import formats

    chosen = [word.strip().lower() for word in text.split(",")]
    for word in chosen:
        if word not in [*formats(), "gif", "mp4"]:
            raise argparse.ArgumentTypeError(f"'{word}' is not a format that Matplotlib writes; valid values are {', '.join(formats())}")
    return chosen


def resolution(text):
    if not 10 <= int(text) <= 2400:
        raise argparse.ArgumentTypeError(f"{text}: must lie in [10, 2400] dots per inch")
    return int(text)


def width_of(text):
    """Inches of "8.6cm"."""
    match = re.fullmatch(r"([0-9]*\.?[0-9]+)\s*(cm|mm|in|pt)", text.strip())
    inches = float(match[1]) * INCHES[match[2]] if match else 0
    if not 1 <= inches <= 40:
        raise argparse.ArgumentTypeError(f"'{text}': must be a width from 1in to 40in, such as 8.6cm, 86mm, 3.4in or 246pt")
    return inches


def fit_of(text):
    """("roughness", 10.0, 100.0, None) of "roughness:10:100", with the form of "roughness:10:100:logarithm"; without times of a scan."""
    name, *ends = text.split(":")
    if name and ends[:1] == ["scan"] and len(ends) < 3 and all(form in FORMS for form in ends[1:]):
        return name, None, None, (ends[1:] or [None])[0]
    form = ends.pop() if len(ends) == 3 else None
    try:
        first, last = map(number, ends)
    except ValueError:
        first = last = 0.0
    if not (name and 0 <= first < last) or form not in (None, *FORMS):
        forms = ", ".join(FORMS)
        raise argparse.ArgumentTypeError(f"'{text}': must be NAME:T1:T2[:FORM] with T1 < T2, as in roughness:10:100, or NAME:scan[:FORM]; forms are {forms}")
    return name, first, last, form


def histogram_of(text):
    names = text.split(",")
    if not all(names) or len(names) > 2:
        raise argparse.ArgumentTypeError(f"'{text}': must be one or two observables, as in energy or energy,magnetisation")
    return names


def slice_of(text):
    """("x", 5) of "x:5", ("x",) of "x"."""
    axis, *plane = text.split(":")
    if axis not in ("x", "y", "z") or len(plane) > 1 or not all(one.isdigit() for one in plane):
        raise argparse.ArgumentTypeError(f"'{text}': must be x, y or z, or with a plane counted from 0, as in z:16")
    return axis, *map(int, plane)


def rows_of_text(text):
    return "all" if text == "all" else [int(word) for word in text.split(",")]


def arguments(words):
    parser = Parser(
        prog="python3 -m tessera_io.plot",
        description="Draws the contents of an output file of Tessera: observables against time with error bars, the last "
        "snapshot of each lattice, disks coloured by their local orientation. Writes STEM_NAME.png and .svg.",
    )
    parser.add_argument("file", help="output file of a run, or folder of a sweep")
    names = "observables, fields, particles or tables of the history [all but tables, counters and moments]"
    parser.add_argument("names", nargs="*", metavar="NAME", help=names)
    when = parser.add_mutually_exclusive_group()
    rows = "snapshots to draw in one picture, counted from 0, or from the end as -1, -2 [-1]"
    when.add_argument("--row", type=rows_of_text, metavar="N[,N...]|all", help=rows)
    when.add_argument("--time", type=number, metavar="TIME", help="draw the snapshot nearest to this time")
    when.add_argument("--movie", action="store_true", help="all snapshots as a movie, GIF or with --format mp4")
    parser.add_argument("--fps", type=number, default=8, metavar="N", help="snapshots per second of a movie [8]")
    parser.add_argument("--replica", type=int, help="system to draw snapshots of [0; of g(r) the mean over all]")
    text = "plane across an axis to draw of three dimensions, counted from 0 in steps of a cubic cell on sc, half of one on bcc and fcc, of a "
    text += "unit cell of a model file [the middle one across z]"
    parser.add_argument("--slice", type=slice_of, metavar="x|y|z[:N]", help=text)
    scale = "scale of the axes of curves: log of both, semilog of the values, semilogx of the times or the option of a sweep, arrhenius of "
    scale += "the values against 1/T [auto]"
    parser.add_argument("--scale", choices=("auto", "linear", "log", "semilog", "semilogx", "arrhenius"), default="auto", help=scale)
    normalised = "divide autocorrelations C(t, s) by C(s, s), with jackknife errors over the replicas"
    parser.add_argument("--normalised", action="store_true", help=normalised)
    beside = "other files to draw: a snapshot of each to the right, or the named observables in the same panels; or other sweeps"
    parser.add_argument("--beside", nargs="+", metavar="FILE", help=beside)
    compare = parser.add_mutually_exclusive_group()
    for kind in ("ratio", "difference"):
        text = f"draw the {kind} of the observables of the files, or sweeps, --beside to those of the first one"
        compare.add_argument("--" + kind, dest="compare", action="store_const", const=kind, help=text)
    against = "option of a sweep to draw against, or 1/OPTION [the one with the most values]; of a run whose parameters change with time "
    against += "one of these, or time [T]"
    parser.add_argument("--against", "--x", metavar="OPTION", help=against)
    fit = "fit a power law, logarithm, exponential or arrhenius law (FORM) to an observable from time T1 to T2, or to a quantity of a sweep "
    fit += "from value to value of the option that it is drawn against; draw the line and print what it gives; may be repeated"
    parser.add_argument("--fit", type=fit_of, action="append", metavar="NAME:T1:T2|scan[:FORM]", help=fit)
    text = "distribution of an observable over the measurements after --average-from, or over the second half of the run; of two observables their "
    text += "joint one; may be repeated"
    parser.add_argument("--histogram", type=histogram_of, action="append", default=[], metavar="NAME[,NAME]", help=text)
    width = "width of the figure, such as 8.6cm or 3.4in for a journal's column"
    parser.add_argument("--width", type=width_of, metavar="LENGTH", help=width)
    parser.add_argument("--no-caption", dest="caption", action="store_false", help="no line with parameters below the picture")
    parser.add_argument("--format", type=formats_of, help="formats of Matplotlib [png,svg; of a movie gif, of a sweep png]")
    parser.add_argument("--dpi", type=resolution, metavar="N", default=150, help="dots per inch of PNG and movies [150]")
    stem = "first part of the names of the pictures [FILE without its ending; of a sweep FOLDER/plot]"
    parser.add_argument("--output", metavar="STEM", help=stem)
    parser.add_argument("--json", action="store_true", help="print names of the pictures and fits as a JSON object")
    parser.add_argument("--quiet", action="store_true", help="do not print the names of the pictures")
    options = parser.parse_intermixed_args(words)
    options.of_sweep = os.path.exists(os.path.join(options.file, TABLE))
    kind = "sweep" if options.of_sweep else "movie" if options.movie else ""
    unlike = [file for file in options.beside or [] if os.path.exists(os.path.join(file, TABLE)) != options.of_sweep]
    for wrong, message in (
        (options.of_sweep and options.movie, "movie: is not available for a sweep"),
        (options.against and not options.of_sweep and options.fit, "against: is not available for a run with --fit"),
        (options.against and not options.of_sweep and options.compare, f"against: is not available for a run with --{options.compare}"),
        (options.scale == "arrhenius" and not options.of_sweep, f"scale arrhenius: is for sweeps; {options.file} is not the folder of one"),
        (options.compare and not options.beside, f"{options.compare}: needs other files, --beside FILE"),
        (options.compare and options.fit, f"{options.compare}: is not available with --fit"),
        (options.normalised and kind, f"normalised: is not available for a {kind}"),
        (options.histogram and (kind or options.compare), f"histogram: is not available for {f'a {kind}' if kind else f'--{options.compare}'}"),
        (unlike, f"beside: {unlike and unlike[0]} is {'not ' if options.of_sweep else ''}the folder of a sweep, unlike {options.file}"),
        (options.movie and options.beside, "beside: is not available for a movie"),
        (options.movie and options.fit, "fit: is not available for a movie"),
        (not 0.1 <= options.fps <= 100, f"fps {options.fps:g}: must lie in [0.1, 100]"),
    ):
        if wrong:
            parser.error(f"--{message}")
    options.format = options.format or {"movie": ["gif"], "sweep": ["png"]}.get(kind, ["png", "svg"])
    options.scans = [(name, form) for name, first, _, form in options.fit or [] if first is None]
    if options.scans and (options.of_sweep or options.beside):
        parser.error("--fit: NAME:scan is available for one run")
    options.fit, options.laws, options.notes = [one for one in options.fit or [] if one[1] is not None], [], []
    options.names += [name for name, _ in options.scans if name not in options.names]
    options.names += [name for name, *_ in options.fit if name not in options.names]
    for word in options.format:
        if (word in ("gif", "mp4")) != options.movie:
            parser.error(f"--format: '{word}' is {'not' if options.movie else 'only'} a format of a movie")
    options.output_is_given = options.output is not None
    stem = os.path.join(options.file, "plot") if options.of_sweep else os.path.splitext(options.file)[0]
    options.output = options.output or stem
    return options


def paths(options, files):
    """Makes the pictures and yields their paths."""
    from . import autocorrelations, distributions, movie, pictures, style, sweep

    if options.of_sweep:
        yield from sweep.pictures_of(options, files)
        return
    run = files.enter_context(tessera_io.open(options.file))
    style.use(options.width)
    runs = [run, *(files.enter_context(tessera_io.open(file)) for file in options.beside or [])]
    for name, one in itertools.product([name for name, *_ in options.fit + options.scans], runs):
        _ = one.observables[name]  # raises NoSuchName: a fit is of an observable
    yield from distributions.draw_histograms(runs, options)
    if options.histogram and not options.names:
        return
    options.names = autocorrelations.with_all_times(options.names, run)
    if options.beside:
        yield from pictures.draw_beside(runs, options, options.names)
        return
    check_names(run, options.names)
    yield from movie.movies(run, options) if options.movie else pictures.draw(run, options)


def show_fits(pictures, options):
    """Prints the exponents, or pictures and exponents as a JSON object."""
    if options.json:
        laws = [{**vars(law), "reduced_chi2": law.reduced_chi2, "fails": bool(law.fails), "file": path, "line": line} for path, line, law in options.laws]
        laws = [{key: None if value != value else value for key, value in law.items()} for law in laws]
        print(json.dumps({"pictures": pictures, "fits": laws}))
        return
    several = len({path for path, *_ in options.laws}) > 1
    for path, line, law in options.laws:
        of = ", ".join([path] * several + [line] * bool(line))
        print(f"{of}: {law}" if of else law)


def main(words=None):
    words = sys.argv[1:] if words is None else words
    try:
        options = arguments(words)
        with contextlib.ExitStack() as files, warnings.catch_warnings():
            warnings.showwarning = lambda message, *_: print(f"tessera_io.plot: {message}", file=sys.stderr)
            drawn = []
            with reading(options.file, "what is to be drawn", passed=(ImportError, KeyError, IndexError)):
                for path in paths(options, files):
                    if not (options.quiet or options.json):
                        print(path)
                    drawn.append(path)
            show_fits(drawn, options)
            for note in options.notes or [f"{options.file}: has nothing to draw"] * (not drawn):
                print(f"tessera_io.plot: {note}", file=sys.stderr)
    except (tessera_io.TesseraFileError, OSError, KeyError, IndexError) as error:
        print(f"tessera_io.plot: {error}", file=sys.stderr)
        return 2
    except ImportError as error:
        needed = "; matplotlib is needed (Debian: python3-matplotlib)" if error.name else ""
        print(f"tessera_io.plot: {error}{needed}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "agg"  # files alone are drawn, and another backend need not be there
    sys.exit(main())
