# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Comma-separated values: a line of names with units; numbers in full precision, empty fields for missing numbers."""

import csv
from functools import partial

import numpy as np

from .. import frames
from ..choice import RING, particles_of, rows_of
from ..errors import check_index
from ..mechanism import left_out, steps


def write_csv(run, names, rows, time, replica, everything=False, species=()):
    """STEM_observables.csv, STEM_averages.csv, STEM_TABLE.csv of each table, STEM_NAME.csv of g(r), g6(r) and S(q), and
    STEM_steps.csv of a model file.

    Lattices and particles, a line for each cell or particle, if they are named; of a model file for each site, or each with these
    species. Not `everything`: without coverages where molecules are counted, and without events of processes where those of steps are.
    """
    omitted = set() if everything else left_out(run)
    observables = [name for name in run.observables if name in names or not (names or name in omitted)]
    if observables:
        yield "_observables.csv", partial(_write, _observables(run, observables, replica))
    if run.averages and not names and replica is None:
        yield "_averages.csv", partial(_write, _averages(run, omitted))
    if not names and replica is None and (found := steps(run)):
        yield "_steps.csv", partial(_write, _steps(found))
    for name in run.functions:
        if not names or name in names:
            yield f"_{name}.csv", partial(_write, _function(run.functions[name], replica))
    for name in run.history:
        if not names or name in names:
            yield f"_{name}.csv", partial(_write, _table(run.history[name], replica))
    for name in run.fields:
        field = run.fields[name]
        if name in names or (not names and (len(field.shape) == 1 or species)):
            replicas = range(field.replicas) if replica is None else [replica]
            field.snapshot(0, replicas[0])  # the replica must exist
            yield f"_{name}.csv", partial(_write, _field(field, rows_of(field, rows, time), replicas, field.numbers(species or field.names)))
    for name in particles_of(run, replica):
        if name in names:
            particles = run.particles[name]
            yield f"_{name}.csv", partial(_write, _particles(particles, rows_of(particles, rows, time)))


def _write(lines, path):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)


def _header(name, unit):
    return f"{name} ({unit})" if unit else name


def _cell(value):
    """A number with all its digits; empty for NaN."""
    if isinstance(value, (float, np.floating)):
        return "" if np.isnan(value) else repr(float(value))
    return value


def _columns(table):
    """Lines of {name: ([rows], unit)}."""
    yield [_header(name, unit) for name, (_, unit) in table.items()]
    for line in zip(*(values for values, _ in table.values())):
        yield [_cell(value) for value in line]


def _observables(run, names, replica):
    observables = [run.observables[name] for name in names]
    check_index(f"{run.path}: no replica {replica} of the observables", replica or 0, run.replicas)
    time, step, table = frames.columns(observables, replica if run.replicas > 1 else None)
    return _columns({"time": (time, observables[0].time_unit), "step": (step, ""), **table})


def _averages(run, omitted):
    yield ["name", "unit", "mean", "error", "from", "stationarity", "autocorrelation_time", "autocorrelation_time_error", "required"]
    for average in run.averages.values():
        if average.name in omitted:
            continue
        judged = run.stationarity[average.name] if average.name in run.stationarity else None
        result = [judged.result, *map(_cell, (judged.autocorrelation_time, judged.autocorrelation_time_error)), judged.required] if judged else [""] * 4
        yield [average.name, average.unit, _cell(average.mean), _cell(average.error), _cell(average.start), *result]


def _steps(found):
    """Lines of steps; events are means over the replicas."""
    types = list(dict.fromkeys(kind for one in found for kind in one.of_types))
    rates = ["per_site", *(f"per_{kind}" for kind in types)]
    yield ["step", "reverse", "forward_events", "reverse_events", "net_events", *(_header(f"rate_{name}{error}", found[0].unit) for name in rates for error in ("", "_error"))]
    for one in found:
        numbers = [one.rate, one.error, *(number for kind in types for number in one.of_types.get(kind, (np.nan, np.nan)))]
        yield [one.name, one.reverse, *(_cell(values.mean()) for values in (one.forward, one.backward, one.net)), *map(_cell, numbers)]


def _function(function, replica):
    """Lines of arguments, mean and error, or of the values of a replica."""
    one = function if replica is None else function.of_replica(replica)
    table = {name: (values, one.units[name]) for name, values in one.arguments.items()}
    table[one.name] = (one.mean, one.unit)
    if np.isfinite(one.error).any():
        table[one.name + "_error"] = (one.error, one.unit)
    return _columns(table)


def _table(table, replica):
    shown = np.ones(len(next(iter(table.values()))), bool)
    if replica is not None and "replica" in table:
        shown = table["replica"] == replica
    order = sorted(table, key=lambda name: (name != table.abscissa, name != "replica"))
    return _columns({name: (table[name][shown], table.units[name]) for name in order})


def _field(field, rows, replicas, of):
    head = [_header("time", field.time_unit), "replica"]
    if len(field.shape) == 1:
        yield [*head, "r (sigma)", _header(field.name, field.unit)]
    elif field.sites:
        yield [*head, *"xyz"[: len(field.shape)], "site", "species"]
        places, sites = field.places()[..., : len(field.shape)].reshape(-1, len(field.shape)), np.repeat(list(field.sites), np.prod(field.shape))
    else:
        yield [*head, *"xyz"[: len(field.shape)], _header(field.name, field.unit)]
    for row in rows:
        for replica in replicas:
            time = _cell(field.times[row, replica] if field.times.ndim > 1 else field.times[row])
            values = field.snapshot(row, replica)
            if field.sites:
                on_sites = field.on_sites(row, replica).ravel()
                for n in np.flatnonzero(np.isin(on_sites, of)):
                    yield [time, replica, *map(_cell, places[n]), sites[n], field.names[on_sites[n]]]
            elif values.ndim == 1:
                for ring, value in enumerate(values):
                    yield [time, replica, round((ring + 0.5) * RING, 6), _cell(value)]
            else:
                places = field.places().reshape(-1, 3) if field.lattice else [place[::-1] for place in np.ndindex(values.shape)]
                for place, value in zip(places, values.ravel()):
                    yield [time, replica, *map(_cell, place), _cell(value)]


def _particles(particles, rows):
    yield [_header("time", particles.time_unit), "particle", _header("x", particles.unit), _header("y", particles.unit)]
    for row in rows:
        for particle, (x, y) in enumerate(particles.position(row)):
            yield [_cell(particles.time[row]), particle, _cell(x), _cell(y)]
