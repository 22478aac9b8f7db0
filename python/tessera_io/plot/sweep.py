# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The pictures of a sweep: results of its points against an option that varies, and snapshots and functions of the points."""

import os
from dataclasses import replace

import numpy as np
from matplotlib.ticker import MaxNLocator

from .. import spectra
from ..errors import NoSuchName, TesseraFileError
from ..power_law import fit_points, form_of
from . import caption, labels, panels, pictures, style
from .against_time import curves_of
from .curves import LOG_X, LOG_Y, SCALE_OF, compared, draw_fit, named_with_fit, put_compared_label, put_legend_of_fits
from .swept import read_table

MOST_SERIES = 12
MOST_TICKS = 6  # values of a logarithmic axis, each of which has a tick
BOLTZMANN = 8.617333262e-5  # eV/K


def draw(axes, sweeps, name, along, scale="auto", fits=(), differences=("",), inverse=False, compare=None):
    """A quantity of one or several sweeps against an option, a line for each choice of the other options.

    scale        linear, log (both axes), semilog (values), semilogx (option), arrhenius (values against the inverse), or auto:
                 logarithmic values of the option if they are spread widely
    fits         (first, last, form) of each fit to every line
    differences  what the sweeps differ in
    inverse      whether to draw against 1 / option
    compare      "ratio" or "difference" to the first sweep
    Returns the laws, (folder, choice of the other options, Fit).
    """
    x = np.concatenate([swept.inputs[along] for swept in sweeps])
    value = np.concatenate([swept.quantities[name].value for swept in sweeps])
    ticks = list(dict.fromkeys(x)) if x.dtype.kind != "f" else None
    if ticks and (fits or inverse):
        raise TesseraFileError(f"--{'fit' if fits else 'against'}: the values of {along} are not numbers; use another option by --against")
    lines = [(swept, words, one) for swept, words in zip(sweeps, differences) for one in swept.series(name, along, ticks)]
    if compare:
        first = {one.choice: (one.x, one.value, one.error) for swept, _, one in lines if swept is sweeps[0]}
        lines = [(swept, words, against_first(compare, swept, name, one, first)) for swept, words, one in lines if swept is not sweeps[0]]
    laws = []
    for number, ((swept, difference, one), colour) in enumerate(zip(lines, style.colours(len(lines)))):
        mark = style.MARKERS[number % len(style.MARKERS)]
        words = ", ".join(filter(None, (difference, one.words)))
        for first, last, form in fits:
            laws.append((swept.folder, one.choice, fit_of(swept, name, along, one, first, last, form)))
            fitted = draw_fit(axes, laws[-1][-1], colour if len(lines) > 1 else style.COLOURS[1], inverse=inverse)
            words = named_with_fit(words, fitted, laws[-1][-1])
        bars = one.error if (one.error > 0).any() else None
        at = 1 / one.x if inverse else one.x
        shown = np.where(one.value > 0, one.value, np.nan) if scale in LOG_Y else one.value  # with gaps
        axes.errorbar(at, shown, yerr=bars, color=colour, marker=mark, elinewidth=1, label=words or None)
        axes.plot(at[one.doubtful], one.value[one.doubtful], mark, color=colour, markerfacecolor="white", zorder=3)
    if ticks:
        axes.set_xticks(range(len(ticks)), ticks)
    elif scale in LOG_X or (scale == "auto" and (x > 0).all() and len(set(x)) > 2 and x.max() > 20 * x.min()):
        axes.set_xscale("log")
        if len(set(x)) <= MOST_TICKS:
            style.put_ticks(axes.xaxis, sorted(x[x > 0]))
    elif inverse:
        axes.ticklabel_format(axis="x", scilimits=(-2, 3))
        axes.xaxis.set_major_locator(MaxNLocator(5))
    elif (x == np.rint(x)).all():
        axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    if scale in LOG_Y:
        axes.set_yscale("log")
        labels.note_nothing_positive(axes, value if ticks or scale not in LOG_X else value[x > 0])
        # Bars that reach 0 would be infinitely long.
        axes.set_ylim(bottom=max(axes.get_ylim()[0], min(value[value > 0], default=1) / 10))
    axes.set_xlabel(labels.of_axis(along, sweeps[0].description, inverse))
    axes.set_ylabel(labels.label(sweeps[0].quantities[name]))
    if compare:
        put_compared_label(axes, compare, sweeps[0].quantities[name])
    if fits and len(lines) > 1:
        put_legend_of_fits(axes, [law for *_, law in laws])
    elif 1 < len(lines) <= MOST_SERIES or fits:
        axes.legend(frameon=True, framealpha=0.8, edgecolor="none")
    return laws


def against_first(compare, swept, name, one, first):
    """The ratio or difference of a series to that of the first sweep with the same other options."""
    x, value, error = compared(compare, (one.x, one.value, one.error), first.get(one.choice, (np.array([np.nan]),) * 3))
    if not np.isfinite(value).any():
        raise TesseraFileError(f"--{compare}: {swept.folder} and the first sweep have no common point of {name} with {one.choice or 'a value'}")
    return replace(one, x=x, value=value, error=np.nan_to_num(error), doubtful=np.isin(x, one.x[one.doubtful]))


def fit_of(swept, name, along, series, first, last, form):
    """The fit to a series from x = first to last; of the roughness against the size, W^2 ~ L^(2 alpha), its value is alpha, and of
    values against a temperature in K an activation energy in eV."""
    try:
        law = fit_points(series.x, series.value, series.error, name, form, first, last, swept.replicas_of_errors)
    except ValueError as error:
        raise TesseraFileError(f"--fit: {swept.folder}: {error}") from error
    if (name, along, form) == ("roughness", "size", "power"):
        return replace(law, symbol="alpha", value=law.slope / 2, error=law.error / 2)
    if form == "arrhenius" and swept.description.unit(along) == "K":
        return replace(law, value=law.value * BOLTZMANN, error=law.error * BOLTZMANN, unit="eV")
    return law


def pictures_of(options, files):
    """Draws the sweep in the folder options.file, beside others, and yields the paths."""
    style.use(options.width)
    sweeps = [read_table(folder) for folder in (options.file, *(options.beside or []))]
    for swept in sweeps:
        if not swept.points:
            raise TesseraFileError(f"{swept.folder}: has nothing to draw yet")
    snapshots = any(value is not None for value in (options.row, options.time, options.replica))
    if not (options.names or options.against or snapshots) and any(name.startswith("peak_T_") for name in sweeps[0].quantities):
        yield from pictures_of_spectra(sweeps, options, files)
        return
    quantities = [name for name in options.names if name in sweeps[0].quantities]
    of_points = [name for name in options.names if name not in quantities]
    if of_points or snapshots:
        yield from pictures_of_points(sweeps, of_points, options, files)
    if (snapshots or of_points) and not quantities:
        return
    if all(len(swept.points) < 2 for swept in sweeps):
        raise TesseraFileError(f"{options.file}: has one finished point, which is no curve")
    inverse = options.scale == "arrhenius" or (options.against or "").startswith("1/")
    along = sweeps[0].abscissa((options.against or "").removeprefix("1/"))
    chosen = quantities or chosen_of(sweeps, along)
    if not chosen:
        raise TesseraFileError(f"{options.file}: has nothing to draw yet")
    for swept in sweeps[1:]:
        swept.abscissa(along)
        missing = [name for name in chosen if name not in swept.quantities]
        if missing:
            raise NoSuchName(f"{swept.folder}: has no '{missing[0]}'; it has {', '.join(swept.quantities)}")
    varied = [name for swept in sweeps for name in swept.inputs]
    differences = [""]
    if len(sweeps) > 1:
        folders = [os.path.basename(os.path.normpath(swept.folder)) for swept in sweeps]
        differences = caption.differences([swept.runs[0] for swept in sweeps], varied, folders) if all(swept.runs for swept in sweeps) else folders

    def form_at(name, form):
        by_scale = {"arrhenius": "arrhenius", "semilog": "exponential", "semilogx": "logarithm"}.get("arrhenius" if inverse else options.scale)
        return form or by_scale or (form_of(name, sweeps[0].runs) if along == "size" else "power")

    for part, shown in panels.parts(chosen, options.width):
        fits = {name: [(first, last, form_at(name, form)) for of, first, last, form in options.fit if of == name] for name in shown}
        lines = sum(1 for swept in sweeps for _ in swept.series(shown[0], along))
        fig, axes = panels.panels(len(shown), options.width, height=1 if any(fits.values()) and lines > 1 else panels.HEIGHT)
        before = len(options.laws)
        for panel, name in zip(axes, shown):
            scale = SCALE_OF[fits[name][0][-1]] if fits[name] and options.scale == "auto" else options.scale
            options.laws += draw(panel, sweeps, name, along, scale, fits[name], differences, inverse, options.compare)
        if options.caption:
            caption.write(fig, sentences_of(sweeps, differences, varied, shown, options, along, options.laws[before:]))
        yield from style.save(fig, options.output + part, options.format, options.dpi)


def chosen_of(sweeps, along):
    """The quantities to draw by default: those that vary, rates of turnover first."""
    first, several = sweeps[0], [swept.quantities for swept in sweeps]
    values = {name: np.concatenate([of[name].value for of in several if name in of]) for name in first.quantities if not first.description.is_counter(name)}
    varying = [name for name, value in values.items() if np.isfinite(value).any() and np.ptp(value[np.isfinite(value)]) > 0]
    varying = [name for name in varying if not np.array_equal(first.inputs.get(name), first.quantities[name].value)]
    return sorted(varying or [name for name, value in values.items() if np.isfinite(value).any()], key=lambda name: not name.startswith("turnover_"))


def pictures_of_spectra(sweeps, options, files):
    """The spectra of the points, whose temperature changes with time, in one panel for each turnover."""
    points = [(swept, point) for swept in sweeps for point in swept.points]
    if len(points) > MOST_SERIES:
        options.notes.append(f"{options.file}: {MOST_SERIES} of {len(points)} points are drawn, which fit into a picture")
        points = [points[i * (len(points) - 1) // (MOST_SERIES - 1)] for i in range(MOST_SERIES)]
    runs = [files.enter_context(swept.open(point)) for swept, point in points]
    for part, shown in panels.parts(next(filter(None, map(spectra.names, runs)), []), options.width):
        fig = curves_of(runs, [(name, [name]) for name in shown], options)
        yield from style.save(fig, options.output + part, options.format, options.dpi)


def pictures_of_points(sweeps, names, options, files):
    """Functions and snapshots of the points, side by side."""
    points = [(swept, point) for swept in sweeps for point in swept.points]
    if len(points) > MOST_SERIES:
        raise TesseraFileError(
            f"{options.file}: has {len(points)} points, and at most {MOST_SERIES} fit into a picture; draw single files, --beside others"
        )
    runs = [files.enter_context(swept.open(point)) for swept, point in points]
    for name in names:
        if name not in [*runs[0].functions, *runs[0].fields, *runs[0].particles] and name not in spectra.names(runs[0]):
            known = [*sweeps[0].quantities, *runs[0].functions, *runs[0].fields, *runs[0].particles]
            raise NoSuchName(f"{options.file}: has no '{name}'; it has {', '.join(known)}")
    yield from pictures.draw_beside(runs, options, names)


def sentences_of(sweeps, differences, varied, names, options, along, laws):
    """The caption: parameters of the points, and the meaning of error bars."""
    runs = sum((swept.runs for swept in sweeps), [])
    shown = [swept.quantities[name] for swept in sweeps for name in names]
    sentences, data = [], sweeps[0].description
    if runs:
        several = len(sweeps) > 1 and all(swept.runs for swept in sweeps)
        sentences += caption.of_groups([swept.runs for swept in sweeps], differences, varied) if several else [caption.of_several(runs, varied)]
    if sweeps[0].together.get(along):
        sentences.append(f"{labels.option(along, data)} varies together with {', '.join(labels.option(one, data) for one in sweeps[0].together[along])}")
    replicas = {run.replicas for run in runs}
    over = "the replicas" if len(replicas) != 1 else f"{runs[0].replicas} replicas" if replicas != {1} else "the samples of a system"
    if all(swept.averaged for swept in sweeps):
        over = "time" if replicas == {1} else "time and replicas"
        if "average-from" not in varied and len({run.input.get("average-from") for run in runs}) == 1:
            starts = [run.start for run in runs if run.start is not None]  # a run with few measurements has no averages
            ends = [labels.number(f"{end:.6g}") for end in (min(starts), max(starts))]
            when = f"time {ends[0]} on" if ends[0] == ends[1] else f"times {ends[0]} to {ends[1]} on"
            sentences.append(f"means from {when}" + (", chosen automatically" if runs[0].input["average-from"] == "auto" else ""))
    else:
        sentences.append("values at the ends of the runs")
    if any((one.error > 0).any() for one in shown):
        sentences.append(f"bars: standard errors of means over {over}")
    else:
        sentences.append("no error bars: " + ("the runs are too short" if all(swept.averaged for swept in sweeps) else "a single system"))
    sentences += caption.of_comparison(options.compare, differences[0])
    lines = sum(1 for swept in sweeps for _ in swept.series(names[0], along))
    if lines > MOST_SERIES:
        sentences.append(f"{lines} lines, from dark to light in the order of the table")
    if any(one.doubtful.any() for one in shown):
        sentences.append("open symbols: not stationary, replicas that differ, or a window too short")
    return sentences + caption.of_fits([law for *_, law in laws]) + caption.of_known_bias(runs, names)
