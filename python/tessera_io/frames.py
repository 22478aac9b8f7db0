# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Observables and fields as objects of pandas and xarray, if these are installed."""

import numpy as np


def common_rows(observables):
    """(longest, rows): the observable with the most rows, and for each observable the numbers of its rows among those of `longest`.

    Observables that are measured only from some time on, such as autocorrelations, have fewer rows.
    """
    longest = max(observables, key=len)
    time = longest.time
    rows = []
    for observable in observables:
        if len(observable) == len(longest):
            rows.append(np.arange(len(longest)))
        else:
            rows.append(np.array([np.abs(time - t).argmin() for t in observable.time], int))
    return longest, rows


def spread(values, rows, count):
    """[count, ...]: the values at the given rows, NaN elsewhere."""
    spread_out = np.full((count, *values.shape[1:]), np.nan)
    spread_out[rows] = values
    return spread_out


def columns(observables, replica=None):
    """(time, step, {name: ([rows], unit)}): means and, as NAME_error, their errors where there are any; or the values of a replica."""
    longest, rows = common_rows(observables)
    table = {}
    for one, where in zip(observables, rows):
        parts = {}
        if replica is None:
            parts = {"": one.mean, "_error": one.error} if np.isfinite(one.error).any() else {"": one.mean}
        elif one.replicas > 1:
            parts = {"": one.value[:, replica]}
        for part, values in parts.items():
            table[one.name + part] = spread(values, where, len(longest)), one.unit
    time = longest.times[:, replica] if replica is not None and longest.replicas > 1 else longest.time
    return time, longest.step, table


def chosen(run, names):
    """The observables of these names, or all of them."""
    return [run.observables[name] for name in names or run.observables]


def to_dataframe(run, *names):
    """Observables as a pandas.DataFrame: all, or those of these names.

    A row is a time of measurement, the index. Columns: `step`, the mean over the replicas under the observable's
    name, and its standard error as NAME_error; NaN where it was not measured. `.attrs["units"]` has the units.
    """
    import pandas

    observables = chosen(run, names)
    if not observables:
        return pandas.DataFrame()
    time, step, table = columns(observables)
    frame = pandas.DataFrame({name: values for name, (values, _) in table.items()}, index=pandas.Index(time, name="time"))
    frame.insert(0, "step", step)
    frame.attrs["units"] = {"time": observables[0].time_unit, **{name: unit for name, (_, unit) in table.items()}}
    return frame


def to_xarray(run, *names):
    """Observables as an xarray.Dataset, with the values of each replica: all, or those of these names.

    Dimensions `row` and, of R > 1 replicas, `replica`; coordinates `time` (the mean over the replicas if theirs
    differ) and `step`. NAME_error is the standard error of the mean. Units are attributes.
    """
    import xarray

    observables = chosen(run, names)
    attributes = {"method": run.method, "tessera_version": run.version, "input": str(run.provenance.get("input", ""))}
    if not observables:
        return xarray.Dataset(attrs=attributes)
    longest, rows = common_rows(observables)
    variables = {}
    for observable, where in zip(observables, rows):
        unit = {"units": observable.unit}
        dimensions = ("row", "replica") if observable.replicas > 1 else ("row",)
        variables[observable.name] = (dimensions, spread(observable.value, where, len(longest)), unit)
        variables[observable.name + "_error"] = ("row", spread(observable.error, where, len(longest)), unit)
    coordinates = {"time": ("row", longest.time, {"units": longest.time_unit}), "step": ("row", longest.step)}
    return xarray.Dataset(variables, coordinates, attributes)


def field_to_xarray(field):
    """All rows as an xarray.DataArray with the dimensions row, replica (if there are several), y, x."""
    import xarray

    dimensions = ["row", "replica"] if field.replicas > 1 else ["row"]
    dimensions += {1: ["ring"], 2: ["y", "x"], 3: ["z", "y", "x"]}[len(field.shape)]
    coordinates = {"time": ("row", field.time, {"units": field.time_unit}), "step": ("row", field.step)}
    return xarray.DataArray(field.values(), coordinates, dimensions, field.name, {"units": field.unit})
