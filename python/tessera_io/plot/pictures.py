# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The pictures of a file, and of several side by side."""

import numpy as np

from ..choice import check_names, particles_of, rows_of
from ..errors import TesseraFileError
from ..power_law import fit_scan, form_of, reported
from . import autocorrelations, caption, labels, style
from .against_time import draw_curves
from .autocorrelations import draw_exponents, grouped
from .curves import SYMBOLS, columns_of, draw_column, draw_function, draw_pair_distribution
from .distributions import SINGLE, draw_sizes, has_sizes
from .panels import finish, panels, parts, save, shown_caption
from .sheet import row_of, sheet
from .snapshots import WORDS, common_scale, draw_field, draw_particles, draw_wave_vectors, drawn_shape

def draw(run, options):
    """Makes the pictures of a file and yields the paths."""
    yield from draw_curves([run], options)
    for name, form in options.scans:
        yield from draw_scan(run, name, form, options)
    for kind, tables in grouped(name for name in options.names if name in run.history):
        if kind in autocorrelations.WORDS:
            yield from draw_exponents(run, kind, tables, options)
        elif has_sizes(run.history[kind]) and run.fields:
            yield from draw_distribution(run, kind, options)
        else:
            yield from draw_table(run, kind, options)
    averaged = [name for name in run.functions if np.isfinite(run.functions[name].mean).any()]
    wanted = [name for name in dict.fromkeys((*run.functions, *options.names)) if name in options.names and name in run.functions]
    for name in wanted if options.names else averaged:
        yield from draw_averaged([run], name, options)
        if "q_x" in run.functions[name].arguments:
            yield from draw_plane(run, name, options)
    moments = options.row is not None or options.time is not None
    for name in run.fields:
        # g(r) of snapshots only if no averaged one has been drawn, or if snapshots are wanted.
        if name in options.names or not (options.names or (name == "pair_distribution" and "g" in averaged and not moments)):
            field = drawn(run.fields[name], options)
            if len(field.shape) == 2:
                yield from draw_rows(run, field, options)
            else:
                yield from draw_functions(run, field, options)
    for name in particles_of(run, options.replica or 0) if not options.names else options.names:
        if name in run.particles:
            yield from draw_rows(run, run.particles[name], options)


def draw_scan(run, name, form, options):
    """The exponent of a fit against the begin of its range, with its error."""
    try:
        begin, value, error = fit_scan(run, name, form=form)
    except ValueError as problem:
        raise TesseraFileError(f"--fit: {problem}") from problem
    fig, (panel,) = panels(1, options.width)
    symbol, _ = reported(name, form or form_of(name, [run]))
    panel.plot(begin, value, marker="o", markersize=3)
    panel.fill_between(begin, value - error, value + error, alpha=0.3, linewidth=0)
    panel.set(xscale="log", xlabel=f"begin of the fit ({labels.unit(run.observables[name].time_unit)})")
    panel.set_ylabel(f"{SYMBOLS.get(symbol, symbol)} of {run.observables[name].title}")
    words = f"fits up to {labels.number(f'{run.observables[name].time[-1]:g}')}; band: standard error over the replicas"
    yield from finish(fig, f"scan_{name}", options, caption.of_run(run), words if run.replicas > 1 else "one replica: no errors")


def draw_table(run, name, options):
    table = run.history[name]
    for part, columns in parts(columns_of(table), options.width):
        fig, axes = panels(len(columns), options.width)
        for panel, column in zip(axes, columns):
            draw_column(panel, table, column, options.scale)
        bars = "bars: standard errors over the replicas" if "error" in table else ""
        replicas = "a colour for each replica" if run.replicas > 1 and "replica" in table else ""
        mean = autocorrelations.MEAN if "time_before" in table else ""
        yield from finish(fig, f"history_{name}{part}", options, caption.of_run(run), [bars, replicas, mean])


def drawn(field, options):
    """A field, of three axes a plane of it."""
    return field.slice(*(options.slice or "z")) if field.box is not None else field


def chosen_rows(recorded, options):
    return rows_of(recorded, [-1] if options.row is None else None if options.row == "all" else options.row, options.time)


def painter(run, recorded, replica, scale=None):
    """(function that draws a row of a lattice or of particles into axes, (height, width))."""
    if recorded.name in run.particles:
        return (lambda axes, row, bar: draw_particles(axes, recorded, row, bar=bar)), recorded.box(0)[::-1]
    return (lambda axes, row, bar: draw_field(axes, recorded, row, replica, scale, bar)), drawn_shape(recorded)


def stage(run, recorded, rows, options, count):
    """(figure, [axes], function that draws a row into axes, the first time with a colour bar): so many axes for these rows of a lattice,
    with a common colour scale, or of particles."""
    replica = options.replica or 0
    scale = common_scale(recorded, rows, replica) if len(rows) > 1 and recorded.name in run.fields else None
    draw_row, shape = painter(run, recorded, replica, scale)
    sentences = shown_caption(options, caption.of_run(run), caption.of_snapshot(run, recorded, replica, len(rows)))
    fig, axes, place = sheet(count, shape, sentences, options.width)
    return fig, axes, lambda panel, row, first: draw_row(panel, row, first and place)


def draw_rows(run, recorded, options):
    """Snapshots of a lattice or of particles."""
    rows = chosen_rows(recorded, options)
    fig, axes, draw_row = stage(run, recorded, rows, options, len(rows))
    for number, (panel, row) in enumerate(zip(axes, rows)):
        draw_row(panel, row, number == 0)
        put_title(panel, labels.moment(recorded.time[row], recorded.time_unit, recorded.time[rows]), "right")
    yield from save(fig, recorded.name, options)


def put_title(panel, text, loc, room=None):
    """Puts a title above the panel, in smaller type if it is wider than the room in inches."""
    title = panel.set_title(text, loc=loc)
    if room:
        needed = title.get_window_extent().width / panel.figure.dpi
        title.set_fontsize(title.get_fontsize() * min(1, room / needed))


def draw_averaged(runs, name, options):
    """A function averaged over samples, with one colour for each run."""
    fig, (axes,) = panels(1, options.width, 5.2, 0.73)
    names_of_runs = caption.differences(runs) if len(runs) > 1 else [None]
    for run, label, colour in list(zip(runs, names_of_runs, style.colours(len(runs))))[bool(options.compare) :]:
        draw_function(axes, run.functions[name], options.scale, colour, label, options.replica, options.compare, runs[0].functions[name])
    if len(runs) > 1:
        axes.legend()
    over = " over blocks of samples" if all(run.replicas == 1 for run in runs) else " over the replicas"
    judged = {one.judgement.words: "" for run in runs for one in [run.functions[name]] if getattr(one, "judgement", None)}
    known = options.replica is None and any(np.isfinite(run.functions[name].error).any() for run in runs)
    mean = _samples(runs, name) + ("" if options.replica is None else f" of replica {options.replica}")
    sentences = [mean, f"band: standard error{'' if judged else over}" if known else "", *caption.of_comparison(options.compare, names_of_runs[0])]
    sentences += [*caption.of_stationarity(runs, [name], names_of_runs), *judged]
    yield from finish(fig, name, options, *caption.of_runs(runs, names_of_runs), sentences)


def _samples(runs, name):
    """The samples over which a function is averaged."""
    functions = [run.functions[name] for run in runs]
    if "k" in functions[0].arguments:
        unit = labels.unit(functions[0].time_unit)
        times = " or ".join(dict.fromkeys(labels.number(f"{one.start:g}") for one in functions))
        over = "of the measurement at" if functions[0].samples == 1 else "mean over the measurements after"
        return f"{over} time {times}" + (f" {unit}" if unit else "")
    starts = sorted({run.functions[name].start for run in runs} - {None})
    return "mean over the samples" + (f" after sweep {' or '.join(labels.number(f'{start:g}') for start in starts)}" if starts else "")


def draw_plane(run, name, options):
    """A function of wave vectors in their plane."""
    one = "" if options.replica is None else f"replica {options.replica}"
    doubts = caption.of_stationarity([run], [name])
    sentences = shown_caption(options, caption.of_run(run), "; ".join([*filter(None, [one, _samples([run], name)]), *doubts]))
    fig, (axes,), bar = sheet(1, (1000, 1000), sentences, options.width)  # space for labels such as -20
    draw_wave_vectors(axes, run.functions[name], options.replica, bar)
    yield from save(fig, f"{name}_plane", options)


def draw_functions(run, field, options):
    """g(r), of several rows in one panel."""

    def draw_one(axes, row, colour, time):
        draw_pair_distribution(axes, field, row, options.replica, colour, time)

    band = "" if field.replicas == 1 or options.replica is not None else f"band: standard error over {field.replicas} replicas"
    yield from draw_moments(run, field, chosen_rows(field, options), draw_one, field.name, band, options)


def draw_distribution(run, name, options):
    """Sizes of clusters: the mean over the measurements of averages, or at chosen times in one panel, else at that of most clusters."""
    table, field = run.history[name], next(iter(run.fields.values()))
    start = min((average.start for average in run.averages.values()), default=np.inf)
    window = np.flatnonzero(field.time > start) if options.row is None and options.time is None else []
    field.snapshot(-1, options.replica or 0)  # the replica must exist

    def draw_one(axes, row, colour, time):
        draw_sizes(axes, table, field, window if len(window) else [row], options.replica, options.scale, colour, time)

    sentences = [] if options.replica is None or run.replicas == 1 else [f"replica {options.replica}"]
    if len(window):
        first, last = (labels.number(f"{time:.6g}") for time in field.time[window[[0, -1]]])
        sentences.append(f"mean over {len(window)} lattices from time {first} to {last}")
    if table["size"].max(initial=0) > SINGLE:
        sentences.append(f"sizes above {SINGLE} in logarithmic bins")
    if options.replica is None:
        sentences.append("no error bars: a single system" if run.replicas == 1 else f"bars: standard errors over {run.replicas} replicas")
    if len(window):
        sentences += caption.of_stationarity([run], [name.replace("_sizes", "_density")])
    rows = window[-1:] if len(window) else chosen_rows(field, options)
    if not len(window) and options.row is None and options.time is None:
        rows = [max(range(len(field)), key=lambda row: (table["clusters"][np.isin(table["time"], field.times[row])].sum(), row))]
    yield from draw_moments(run, field, rows, draw_one, f"history_{name}", sentences, options, not len(window))


def draw_moments(run, field, rows, draw_one, name, sentence, options, titled=True):
    """Calls draw_one(axes, row, colour, time) for the rows of a field, in one panel."""
    fig, (axes,) = panels(1, options.width, 5.2, 0.73)
    for row, colour in zip(rows, style.colours(len(rows))):
        time = labels.moment(field.time[row], field.time_unit)
        draw_one(axes, row, colour, time)
    if len(rows) > 1:
        axes.legend()
    elif titled:
        axes.set_title(time, loc="right")
    yield from finish(fig, name, options, caption.of_run(run), sentence)


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
    named = {of if of in WORDS else None for *_, of in shown}
    bars = [len(named) > 1 or named == {None} or place == len(shown) - 1 for place in range(len(shown))]  # of names one is enough
    several = len({run.method for run in runs}) > 1
    titles = [run.description.get("method", run.method) for run in runs] if several else caption.differences(runs)
    sentences = shown_caption(options, *(map(caption.of_run, runs) if several else caption.of_groups([[run] for run in runs], titles)))
    fig, axes, places = row_of([shape for _, shape, _ in shown], bars, sentences, options.width)
    spots = [panel.get_position() for panel in axes]
    ends = [after.x0 if after.y0 == spot.y0 else 1 for spot, after in zip(spots, spots[1:])] + [1]  # 1: the last one of a row
    for panel, title, place, (draw_it, *_), spot, end in zip(axes, titles, places, shown, spots, ends):
        draw_it(panel, place)
        put_title(panel, title, "left", (end - spot.x0) * fig.get_size_inches()[0] - 0.1)
    yield from save(fig, name or ("" if options.output_is_given else "beside"), options)


def _snapshot_of(run, wanted, options):
    """(function that draws a snapshot into axes, its height and width, name)."""
    shown = [drawn(run.fields[name], options) for name in run.fields if len(run.fields[name].shape) > 1 and wanted in (None, name)]
    shown += [run.particles[name] for name in particles_of(run, None if wanted else options.replica or 0) if wanted in (None, name)]
    if shown:
        draw_row, shape = painter(run, shown[0], options.replica or 0)
        row = chosen_rows(shown[0], options)[0]
        return lambda axes, bar: draw_row(axes, row, bar), shape, shown[0].name
    if wanted:
        raise TesseraFileError(f"{run.path}: {wanted} is neither an observable or function nor a snapshot; draw it of one file")
    raise TesseraFileError(f"{run.path}: has no snapshot")
