# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Figures of observables against time, of one run or several."""

import numpy as np

from ..errors import TesseraFileError
from ..mechanism import left_out
from ..power_law import fit, form_of
from ..spectra import temperature
from . import autocorrelations, caption, labels, style
from .autocorrelations import draw_autocorrelations, grouped
from .curves import SCALE_OF, compared, draw_average, draw_fit, draw_observable, draw_points, named_with_fit, put_compared_label, put_legend_of_fits, spread_logarithmically
from .panels import HEIGHT, panels, parts, save, shown_caption


def draw_curves(runs, options):
    """Observables against time, in one colour for each run."""
    run, constant = runs[0], []
    if options.names:
        names = [name for name in options.names if name in run.observables]
    else:
        # The mean height does nothing but grow.
        names = run.description.in_order(n for n in run.observables if not run.description.is_counter(n) and n != "height_mean")
        omitted = {*parameters_of(run), *left_out(run)}
        names = [name for name in names if name not in omitted and np.isfinite(run.observables[name].mean).any()]
        if abscissa(runs, options):
            names += [name + "_rate" for name in run.observables if name.startswith("turnover_")]
    single = [name for name in names if max(np.isfinite(one.observables[name].mean).sum() for one in runs) == 1]
    if single:
        one = run.observables[single[0]]
        time = f"{one.time[-1]:g} {one.time_unit}".rstrip()
        options.notes.append(f"{run.path}: has one measurement, at time {time}, which is no curve; measure more often")
        names = [name for name in names if name not in single]
    if not options.names:
        varying = [name for name in names if np.nanmin(run.observables[name].value) < np.nanmax(run.observables[name].value)]
        names, constant = varying or names, [name for name in names if varying and name not in varying]
    groups = grouped(names)
    for part, shown in parts(groups, options.width):
        fig = curves_of(runs, shown, options, constant)
        alone = names[0] if len(names) == 1 else groups[0][0]
        yield from save(fig, alone if len(groups) == 1 else "observables" + part, options)


def parameters_of(run):
    """The names of the parameters that change with time."""
    return list(run.hdf5.get("parameters", ()))


def abscissa(runs, options):
    """The parameter that observables are drawn against, None: the time. By default T if it only rises or only falls."""
    name = options.against or "T"
    if name == "time" or options.fit or options.compare:
        return None
    for run in runs:
        if options.against and name not in parameters_of(run):
            raise TesseraFileError(f"{run.path}: has no parameter '{name}' that changes with time; it has {', '.join(parameters_of(run)) or 'none'}")
        if not options.against and temperature(run) is None:
            return None
    return name


def curves_of(runs, groups, options, constant=()):
    """The figure of observables of the runs, a panel for each group of names; its caption names constant ones."""
    run, before = runs[0], len(options.laws)
    of_waiting = [kind for kind, _ in groups if kind in autocorrelations.WORDS]
    if of_waiting and options.compare:
        raise TesseraFileError(f"--{options.compare}: is not available for autocorrelations")
    fitted = [len(runs) > 1 and not options.compare and any(of in names for of, *_ in options.fit) for _, names in groups]  # their legends are long
    above = any(fitted) or any(kind in of_waiting and autocorrelations.is_above(len(names), len(runs)) for kind, names in groups)
    fig, axes = panels(len(groups), options.width, height=1 if above else HEIGHT)
    names_of_runs = caption.differences(runs) if len(runs) > 1 else [None]
    omitted, against = "", abscissa(runs, options)
    x_label = against and labels.of_axis(against, run.description)
    for panel, (kind, names) in zip(axes, groups):
        if kind in of_waiting:
            curves, some = draw_autocorrelations(panel, runs, names, options.scale, names_of_runs, options.normalised)
            omitted = omitted or some
            for curve in curves:
                draw_fits(panel, curve.run, curve.name, curve.colour if len(curves) > 1 else style.COLOURS[1], options, curve.s, curve.unit)
            autocorrelations.put_legend(panel, len(runs))
            continue
        (name,) = names
        # A fit is a line on the axes of its form, and runs have common axes.
        forms = [form or form_of(name, runs) for of, _, _, form in options.fit if of == name]
        scale = SCALE_OF[forms[0]] if options.scale == "auto" and forms else options.scale
        if scale == "auto" and not against and any(spread_logarithmically(one.observables[name].time) for one in runs):
            panel.set_xscale("log")
        for number, (one, colour) in enumerate(zip(runs, style.colours(len(runs)))):
            observable = one.observables[name]
            if options.compare:
                draw_compared(panel, runs, number, name, options, names_of_runs[number], colour)
                continue
            label = draw_fits(panel, one, name, colour if len(runs) > 1 else style.COLOURS[1], options, label=names_of_runs[number])
            if against:
                draw_observable(panel, observable.against(one.observables[against]), x_label, colour, "linear" if scale == "auto" else scale, label)
                panel.set_ylabel(labels.of_spectrum(observable))
                continue
            draw_observable(panel, observable, None, colour, scale, label)
            for change in one.changes:
                panel.axvline(change.time, color="0.5", linestyle=":", linewidth=1, zorder=0)
            if name in one.averages and len(runs) == 1:
                draw_average(panel, one.averages[name], observable.time[-1])
        if len(runs) > 1 and forms and not options.compare:
            put_legend_of_fits(panel, [law for *_, law in options.laws[-len(runs) * len(forms) :]])
    names = [name for _, of_panel in groups for name in of_panel]
    sentences = [*(autocorrelations.WORDS[kind] for kind in of_waiting), omitted, caption.of_errors(runs, names)]
    if len(runs) > 1 and groups[0][0] not in of_waiting:
        if not fitted[0]:
            axes[0].legend(frameon=True, framealpha=0.8, edgecolor="none")
    sentences += caption.of_comparison(options.compare, names_of_runs[0])
    sentences += caption.of_fits([law for *_, law in options.laws[before:]])
    if constant:
        told_constant = ", ".join(f"{run.observables[name].title} = {run.observables[name].mean[-1]:.6g}" for name in constant)
        sentences.append(f"not drawn, constant: {told_constant}")
    if len(runs) == 1 and set(names) & set(run.averages):
        start = labels.number(f"{next(iter(run.averages.values())).start:g}")
        chosen = ", chosen automatically" if run.input.get("average-from") == "auto" else ""
        sentences.append(f"orange line: mean from time {start} on{chosen}")
    if len(runs) == 1:
        sentences.append(caption.of_changes(run) if len(of_waiting) < len(groups) else "")
    sentences += caption.of_stationarity(runs, names, names_of_runs) + caption.of_known_bias(runs, names)
    caption.write(fig, shown_caption(options, *caption.of_runs(runs, names_of_runs), "; ".join(filter(None, sentences))))
    return fig


def draw_compared(panel, runs, number, name, options, label, colour):
    """The ratio or difference of an observable of a run to that of the first one."""
    points = [(one.observables[name].time, one.observables[name].mean, one.observables[name].error) for one in (runs[number], runs[0])]
    observable = runs[0].observables[name]
    if number:
        x, value, error = compared(options.compare, *points)
        if not np.isfinite(value).any():
            raise TesseraFileError(f"--{options.compare}: {runs[number].path} and {runs[0].path} have no common time with a value of {name}")
        draw_points(panel, x, value, error, options.scale, colour, label)
    else:
        panel.set_xlabel(labels.with_unit("time", observable.time_unit))
        put_compared_label(panel, options.compare, observable)


def draw_fits(panel, run, name, colour, options, time=1, value=1, label=None):
    """Draws the requested fits to an observable, with their results in the legend; `time` and `value` are the units of the panel.
    Returns the label of the observable, with the result of the fit added if there is one."""
    for of, first, last, form in options.fit:
        if of != name:
            continue
        try:
            law = fit(run, name, first, last, form)
        except ValueError as error:
            raise TesseraFileError(f"--fit: {error}") from error
        options.laws.append((run.path, "", law))
        line = draw_fit(panel, law, colour, time, value)
        label = named_with_fit(label, line, law)
        if not label:
            panel.legend()
    return label
