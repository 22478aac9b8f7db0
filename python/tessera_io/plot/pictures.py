# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The pictures of a file, and of several side by side."""

import math
from dataclasses import replace

import matplotlib
import numpy as np

from ..choice import check_names, particles_of, rows_of
from ..errors import TesseraFileError
from ..power_law import fit
from . import autocorrelations, caption, labels, style
from .autocorrelations import draw_autocorrelations, draw_exponents, grouped
from .curves import columns_of, draw_average, draw_column, draw_function, draw_observable, draw_pair_distribution, draw_power_law
from .panels import HEIGHT, panels, parts, save, told
from .sheet import row_of, sheet
from .snapshots import common_scale, draw_field, draw_particles, draw_wave_vectors, drawn_shape

def draw(run, options):
    """Makes the pictures of a file and yields the paths."""
    yield from draw_curves([run], options)
    for kind, tables in grouped(name for name in options.names if name in run.history):
        if kind in autocorrelations.WORDS:
            yield from draw_exponents(run, kind, tables, options)
        else:
            yield from draw_table(run, kind, options)
    averaged = [name for name in run.functions if np.isfinite(run.functions[name].mean).any()]
    for name in run.functions if options.names else averaged:
        if not options.names or name in options.names:
            yield from draw_averaged([run], name, options)
            if "q_x" in run.functions[name].arguments:
                yield from draw_plane(run, name, options)
    moments = options.row is not None or options.time is not None
    for name in run.fields:
        # g(r) of snapshots only if no averaged one has been drawn, or if snapshots are wanted.
        if name in options.names or not (options.names or (name == "pair_distribution" and "g" in averaged and not moments)):
            field = run.fields[name]
            if len(field.shape) == 2:
                yield from draw_lattices(run, field, options)
            else:
                yield from draw_functions(run, field, options)
    for name in particles_of(run, options.replica or 0) if not options.names else options.names:
        if name in run.particles:
            yield from draw_disks(run, run.particles[name], options)


def draw_curves(runs, options):
    """Observables against time, in one colour for each run."""
    run = runs[0]
    if options.names:
        names = [name for name in options.names if name in run.observables]
    else:
        # The mean height does nothing but grow.
        rows = {n: sum(map(math.isfinite, run.observables[n].mean)) for n in run.observables if not labels.is_counter(n) and n != "height_mean"}
        names = labels.in_order(n for n in rows if rows[n] and max(rows.values()) > 1)
    groups = grouped(names)
    for part, shown in parts(groups, options.width):
        fig = curves_of(runs, shown, options)
        alone = names[0] if len(names) == 1 else groups[0][0]
        yield from save(fig, alone if len(groups) == 1 else "observables" + part, options)


def curves_of(runs, groups, options):
    """The figure of observables of the runs, a panel for each group of names."""
    run = runs[0]
    of_waiting = [kind for kind, _ in groups if kind in autocorrelations.WORDS]
    above = any(kind in of_waiting and autocorrelations.is_above(len(names), len(runs)) for kind, names in groups)
    fig, axes = panels(len(groups), options.width, height=1 if above else HEIGHT)
    names_of_runs = caption.differences(runs) if len(runs) > 1 else [None]
    omitted = ""
    for panel, (kind, names) in zip(axes, groups):
        if kind in of_waiting:
            curves, some = draw_autocorrelations(panel, runs, names, options.scale, names_of_runs, options.normalised)
            omitted = omitted or some
            for curve in curves:
                draw_fits(panel, curve.run, curve.name, curve.colour if len(curves) > 1 else style.COLOURS[1], options, curve.s, curve.unit)
            autocorrelations.put_legend(panel, len(runs))
            continue
        (name,) = names
        for number, (one, colour) in enumerate(zip(runs, style.colours(len(runs)))):
            running = one.method == "disks" and name in labels.RUNNING_MEANS
            observable = one.observables[name]
            # A power law is a line on logarithmic axes.
            straight = options.scale == "auto" and name in [of for of, *_ in options.fit]
            draw_observable(panel, observable, None, colour, "log" if straight else options.scale, names_of_runs[number], running)
            draw_fits(panel, one, name, colour if len(runs) > 1 else style.COLOURS[1], options)
            for change in one.changes:
                panel.axvline(change.time, color="0.5", linestyle=":", linewidth=1, zorder=0)
            if name in one.averages and len(runs) == 1:
                draw_average(panel, one.averages[name], observable.time[-1])
    names = [name for _, of_panel in groups for name in of_panel]
    sentences = [caption.of_several(runs), *autocorrelations.sentences(of_waiting, omitted), caption.of_errors(runs, names)]
    if len(runs) > 1 and groups[0][0] not in of_waiting:
        axes[0].legend(frameon=True, framealpha=0.8, edgecolor="none")
    if options.fit:
        sentences.append("dashed: power laws fitted over the range of the line")
    if len(runs) == 1 and set(names) & set(run.averages):
        start = labels.number(f"{next(iter(run.averages.values())).start:g}")
        sentences.append(f"line of another colour: mean from time {start} on")
    if len(runs) == 1:
        sentences.append(caption.of_changes(run) if len(of_waiting) < len(groups) else "")
    sentences += caption.of_stationarity(runs, names, names_of_runs)
    caption.write(fig, told(options, sentences[0], "; ".join(filter(None, sentences[1:]))))
    return fig


def draw_fits(panel, run, name, colour, options, time=1, value=1):
    """Lines of the requested power laws of an observable, with the exponents in the legend; `time` and `value` are the
    units of the panel."""
    for of, first, last in options.fit:
        if of != name:
            continue
        try:
            law = fit(run, name, first, last)
        except ValueError as error:
            raise TesseraFileError(f"--fit: {error}") from error
        options.laws.append((run.path, "", law))
        amplitude = law.amplitude * time**law.slope / value
        draw_power_law(panel, replace(law, amplitude=amplitude, first=law.first / time, last=law.last / time), colour)
        panel.legend()


def draw_table(run, name, options):
    table = run.history[name]
    for part, columns in parts(columns_of(table), options.width):
        fig, axes = panels(len(columns), options.width)
        for panel, column in zip(axes, columns):
            draw_column(panel, table, column, options.scale)
        bars = "bars: standard errors over the replicas" if "error" in table else ""
        replicas = "a colour for each replica" if run.replicas > 1 and "replica" in table else ""
        mean = autocorrelations.MEAN if "time_before" in table else ""
        caption.write(fig, told(options, caption.of_run(run), "; ".join(filter(None, (bars, replicas, mean)))))
        yield from save(fig, f"history_{name}{part}", options)


def chosen_rows(recorded, options):
    return rows_of(recorded, [-1] if options.row is None else None if options.row == "all" else options.row, options.time)


def lattice_sheet(run, field, rows, options, panels_shown=None):
    """sheet() for so many rows of a lattice, in as many panels or in one; and what draw_field() is to have as `bar` first."""
    spins = field.name == "spin"
    sentences = told(options, caption.of_run(run), caption.of_snapshot(run, field, options.replica or 0, rows))
    fig, axes, place = sheet(panels_shown or rows, drawn_shape(field), sentences, options.width, not spins, spins)
    return fig, axes, True if spins else place


def draw_lattices(run, field, options):
    """Snapshots of a lattice, with a common colour scale."""
    rows, replica = chosen_rows(field, options), options.replica or 0
    fig, axes, bar = lattice_sheet(run, field, len(rows), options)
    scale = common_scale(field, rows, replica) if len(rows) > 1 else None
    for number, (panel, row) in enumerate(zip(axes, rows)):
        draw_field(panel, field, row, replica, scale, bar if number == 0 else False)
        beside = axes[0] if panel.get_position().y0 == axes[0].get_position().y0 else panel
        put_title(panel, labels.moment(field.time[row], field.time_unit), "right", legend=beside.get_legend())
    yield from save(fig, field.name, options)


def put_title(panel, text, loc, room=None, legend=None):
    """A title, above the legend of the panel, or one that reaches into it, in smaller type if it is wider than the room in inches."""
    title = panel.set_title(text, loc=loc, pad=1.9 * matplotlib.rcParams["font.size"] if panel.get_legend() or legend else None)
    if room:
        needed = title.get_window_extent().width / panel.figure.dpi
        title.set_fontsize(title.get_fontsize() * min(1, room / needed))


def draw_averaged(runs, name, options):
    """A function averaged over samples, of each run in a colour of its own."""
    fig, (axes,) = panels(1, options.width, 5.2, 0.73)
    names_of_runs = caption.differences(runs) if len(runs) > 1 else [None]
    for run, label, colour in zip(runs, names_of_runs, style.colours(len(runs))):
        draw_function(axes, run.functions[name], options.scale, colour, label, options.replica)
    if len(runs) > 1:
        axes.legend()
    over = "blocks of samples" if all(run.replicas == 1 for run in runs) else "the replicas"
    known = options.replica is None and any(np.isfinite(run.functions[name].error).any() for run in runs)
    mean = "mean over all samples" if options.replica is None else f"mean over all samples of replica {options.replica}"
    sentences = [mean, f"band: standard error over {over}" if known else "", *caption.of_stationarity(runs, [name], names_of_runs)]
    caption.write(fig, told(options, caption.of_several(runs), "; ".join(filter(None, sentences))))
    yield from save(fig, name, options)


def draw_plane(run, name, options):
    """A function of wave vectors in their plane."""
    one = "" if options.replica is None else f"replica {options.replica}"
    doubts = caption.of_stationarity([run], [name])
    sentences = told(options, caption.of_run(run), "; ".join([one or "mean over all samples", *doubts]))
    fig, (axes,), bar = sheet(1, (1000, 1000), sentences, options.width)  # space for labels such as -20
    draw_wave_vectors(axes, run.functions[name], options.replica, bar)
    yield from save(fig, f"{name}_plane", options)


def draw_functions(run, field, options):
    """g(r), of several rows in one panel."""
    rows = chosen_rows(field, options)
    fig, (axes,) = panels(1, options.width, 5.2, 0.73)
    for row, colour in zip(rows, style.colours(len(rows))):
        time = labels.moment(field.time[row], field.time_unit)
        draw_pair_distribution(axes, field, row, options.replica, colour, time)
    if len(rows) > 1:
        axes.legend()
    else:
        axes.set_title(time, loc="right")
    band = "" if field.replicas == 1 or options.replica is not None else f"band: standard error over {field.replicas} replicas"
    caption.write(fig, told(options, caption.of_run(run), band))
    yield from save(fig, field.name, options)


def disks_sheet(run, particles, rows, options):
    """sheet() for these rows of particles."""
    box = particles.box(0)
    sentences = told(options, caption.of_run(run), caption.of_snapshot(run, particles, options.replica or 0, 1))
    return sheet(rows, (box[1], box[0]), sentences, options.width)


def draw_disks(run, particles, options):
    rows = chosen_rows(particles, options)
    fig, axes, place = disks_sheet(run, particles, len(rows), options)
    for number, (panel, row) in enumerate(zip(axes, rows)):
        draw_particles(panel, particles, row, bar=place if number == 0 else False)
        put_title(panel, labels.moment(particles.time[row], particles.time_unit), "right")
    yield from save(fig, particles.name, options)


def draw_beside(runs, options, names):
    """Pictures of several files: observables and functions that are named, each in one panel, or a snapshot of each file."""
    for run in runs:
        check_names(run, names)
    of_time = [name for name in names if name in runs[0].observables]
    if of_time:
        yield from draw_curves(runs, options)
    for name in names:
        if name in runs[0].functions:
            yield from draw_averaged(runs, name, options)
        elif name not in of_time:
            yield from draw_snapshots(runs, name, options)
    if not names:
        yield from draw_snapshots(runs, None, options)


def draw_snapshots(runs, name, options):
    """A snapshot of each file: of a lattice or particles with this name, or of the first ones."""
    shown = [_snapshot_of(run, name, options) for run in runs]
    shapes, bars = [shape for _, shape, _ in shown], [bar for *_, bar in shown]
    several = len({run.method for run in runs}) > 1
    sentences = told(options, *(map(caption.of_run, runs) if several else [caption.of_several(runs)]))
    fig, axes, places = row_of(shapes, bars, sentences, options.width, not all(bars))
    starts = [panel.get_position().x0 for panel in axes]
    ends = iter([end if end > start else 1 for start, end in zip(starts, [*starts[1:], 1])])
    titles = [caption.METHODS.get(run.method, run.method) for run in runs] if several else caption.differences(runs)
    for panel, title, place, (draw_it, *_) in zip(axes, titles, places, shown):
        draw_it(panel, place or True)
        put_title(panel, title, "left", (next(ends) - panel.get_position().x0) * fig.get_size_inches()[0] - 0.1)
    yield from save(fig, name or ("" if options.output_is_given else "beside"), options)


def _snapshot_of(run, wanted, options):
    """(what draws a snapshot into axes, its height and width, whether it has a colour bar)."""
    lattices = [run.fields[name] for name in run.fields if len(run.fields[name].shape) == 2 and wanted in (None, name)]
    particles = [run.particles[name] for name in particles_of(run, None if wanted else options.replica or 0) if wanted in (None, name)]
    if lattices:
        (field, *_), replica = lattices, options.replica or 0
        row = chosen_rows(field, options)[0]
        return lambda axes, bar: draw_field(axes, field, row, replica, None, bar), drawn_shape(field), field.name != "spin"
    if particles:
        row = chosen_rows(particles[0], options)[0]
        return lambda axes, bar: draw_particles(axes, particles[0], row, bar=bar), particles[0].box(row)[::-1], True
    if wanted:
        raise TesseraFileError(f"{run.path}: {wanted} is neither an observable or function nor a snapshot; draw it of one file")
    raise TesseraFileError(f"{run.path}: has no snapshot")
