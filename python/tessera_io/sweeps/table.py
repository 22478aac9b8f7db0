# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The results of the points of a sweep, in the order of the grid."""

import contextlib
import csv
import io
import math
import os
import textwrap
from dataclasses import dataclass

from ..errors import TesseraFileError
from ..text import number, with_error
from ..window import RESULTS, required
from . import BadInput
from .folder import whole_file, write_whole

# Marks of the printed table for results of the tests of averages.
MARKS = {"drifting": "!", "replicas differ": "#", "too short": "?", "no stationary part found": "%"}


PARTS = ("", "_error", "_unit", "_stationarity", "_tau", "_tau_error")  # of a quantity, after its name

FIRST = ("peak_", "turnover_", "molecules_")  # beginnings of the names of the first columns of the printed table

# Numbers of a known deviation from the exact process.
BIAS = ("growth_percent", "growth_percent_error", "steady_percent", "steady_percent_error")


@dataclass
class Row:
    name: str  # name of the point
    inputs: tuple
    record: dict  # None for a point that has not run yet
    seed: str = ""

    @property
    def finished(self):
        return bool(self.record and self.record["summary"]["finished"])

    def result(self, name):
        """Result of the stationarity test of an average over time; None if there is no average."""
        return self.record and self.record["summary"].get("stationarity", {}).get(name, {}).get("result")

    @property
    def time(self):
        return self.record["summary"]["time"] if self.record else None

    @property
    def lacks(self):
        """(factor, mode): by how many times the run is too short, at least, and the slowest mode; (0, "") if it is not."""
        judged = self.record["summary"].get("stationarity", {}).values() if self.record else ()
        return max(((number(one.get("longer")), one.get("slow", "")) for one in judged if one.get("longer")), default=(0, ""))


@dataclass
class Column:
    """A quantity: {part of PARTS: [points]}, texts, or None."""

    name: str
    heading: str  # its name in the table
    unit: str
    cells: dict

    def parts(self):
        """The columns beside its values: observables have no stationarity, and those of disks no autocorrelation times."""
        return PARTS[: 6 if any(tau is not None for tau in self.cells["_tau"]) else 4 if any(self.cells["_stationarity"]) else 3]


class Table:
    def __init__(self, grid, rows):
        self.method, self.inputs, self.rows = grid.method, list(map(grid.label, grid.axes)), rows
        derived = "derived from --seed" + ("" if "seed" in grid.axes else f" {grid.seed}") + " and its values"
        self.seeds = "" if grid.same_seed or grid.has_seeds() else f"  point_seed: each point has its own seed, {derived}\n"
        self.observables = self._columns("", lambda summary: summary.get("observables", {}), lambda row, name: None)
        self.averages = self._columns("average_", lambda summary: summary.get("averages", {}).get("observables", {}), Row.result)
        known = [row.record["summary"].get("known_bias", {}) if row.record else {} for row in rows]
        self.known_bias = {name: [of_row.get(name, {}) for of_row in known] for name in dict.fromkeys(name for of_row in known for name in of_row)}

    @property
    def finished(self):
        return sum(row.finished for row in self.rows)

    def _columns(self, before, quantities, result):
        """One column for each quantity of any row, in the order of their first occurrence."""
        columns = {}
        for number, row in enumerate(self.rows):
            summary, name = row.record["summary"] if row.record else {}, ""
            for key, value in quantities(summary).items():
                part = key.removeprefix(name)
                if not name or part not in ("_error", "_tau", "_tau_error"):
                    name, part = key, ""
                    unit = summary["units"].get(name, "")
                    column = columns.setdefault(name, Column(name, before + name, unit, {one: [unit if one == "_unit" else None] * len(self.rows) for one in PARTS}))
                    column.cells["_stationarity"][number] = result(row, name)
                columns[name].cells[part][number] = value
        return list(columns.values())

    def csv(self):
        """One line of names, then one line per point."""
        columns = [*self.observables, *self.averages]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        names = [column.heading + part for column in columns for part in column.parts()]
        names += [f"known_bias_{name}_{number}" for name in self.known_bias for number in BIAS]
        writer.writerow([*self.inputs, "point", "finished", "time", "point_seed", *names])
        for number, row in enumerate(self.rows):
            cells = [column.cells[part][number] for column in columns for part in column.parts()]
            cells += [biases[number].get(part) for biases in self.known_bias.values() for part in BIAS]
            writer.writerow([*row.inputs, row.name, int(row.finished), row.time, row.seed, *cells])
        return text.getvalue()

    def text(self, width, chosen=None):
        """The columns of these names, or as many as fit into the width: averages over time, then the last rows, each with turnovers
        first; values with the error of their last digits: "6.945(29)". Raises BadInput for an unknown name."""
        shown = [([name, "", *(row.inputs[i] for row in self.rows)], ()) for i, name in enumerate(self.inputs)]
        others, marked = {}, set()
        for columns in (self.averages, self.observables):
            for column in sorted(columns, key=lambda column: [not column.name.startswith(start) for start in FIRST]):
                marks = ["*" if row.record and not row.finished else "" for row in self.rows]
                marks = [mark + MARKS.get(result, "") for mark, result in zip(marks, column.cells["_stationarity"])]
                cells = [with_error(*cell) + mark for *cell, mark in zip(column.cells[""], column.cells["_error"], marks)]
                others[column.heading] = ([column.heading, column.unit, *cells], column.cells["_stationarity"])
                biases = self.known_bias.get(column.name, [])
                for part in BIAS[::2] if biases else ():
                    heading = f"bias_{part.partition('_')[0]}{_of_bias(column.name)}"
                    cells = [with_error(bias.get(part), bias.get(part + "_error")) for bias in biases]
                    others.setdefault(heading, ([heading, "%", *cells], ()))
        if self.seeds:
            others["point_seed"] = (["point_seed", "", *(row.seed for row in self.rows)], ())
        for name in chosen or ():
            if name not in others:
                raise BadInput(f"--columns: the table has no column '{name}'; it has {', '.join(others)}")
        shown += [others.pop(name) for name in dict.fromkeys(chosen or others)]
        lines, hidden = [""] * (len(self.rows) + 2), list(others)
        for number, (column, results) in enumerate(shown):
            widest = max(map(len, column))
            if not chosen and number > len(self.inputs) and len(lines[0]) + widest + 2 > width:
                hidden = [one[0] for one, _ in shown[number:]]
                break
            lines = [line + "  " + cell.ljust(widest) for line, cell in zip(lines, column)]
            marked.update(results)
        text = "".join(line.rstrip() + "\n" for line in lines)
        if hidden:
            more = f"--columns shows others: {', '.join(hidden)}"
            indents = {"initial_indent": "  ", "subsequent_indent": "    "}
            text += textwrap.fill(more, max(width, 40), **indents, max_lines=3, placeholder=" ...", break_on_hyphens=False) + "\n"
        if any(row.record and not row.finished for row in self.rows):
            text += "  * unfinished\n"
        for name, biases in self.known_bias.items():
            bias = next(filter(None, biases))
            of = _of_bias(name)
            text += f"  bias_growth{of}, bias_steady{of}: of {name}, its known deviation from the exact process in growth from time {bias['growth_from_time']} on "
            text += f"and in the steady state; -: unknown ({bias['source']})\n"
        lacks = required(*max((row.lacks for row in self.rows), default=(0, "")))
        words = {**RESULTS, "too short": f"{RESULTS['too short']}, averages of up to 8 replicas have no errors" + f"; {lacks}" * bool(lacks)}
        return text + "".join(f"  {mark} {words[result]}\n" for result, mark in MARKS.items() if result in marked) + self.seeds


def _of_bias(name):
    """What follows in the headings of the bias of a quantity: nothing for the roughness."""
    return "" if name == "roughness" else f"_{name}"


def inputs_of_points(grid):
    """The values of the options that vary, by name, as the table has them: of each point by its name."""
    return {grid.name(values): grid.inputs(values) for values in grid.points()}


def add_peaks(summary, path):
    """Adds the peaks of the spectra to the observables of a finished run of kmc with turnovers, if its temperature changes with time."""
    if not (summary["finished"] and any(name.startswith("turnover_") for name in summary["observables"])):
        return
    with contextlib.suppress(ImportError, OSError, KeyError, TesseraFileError):  # the other columns do not need the file
        from ..file import TesseraFile
        from ..spectra import peaks

        with TesseraFile(path) as run:
            for name, (value, error, unit) in peaks(run).items():
                known = {key: None if math.isnan(one) else one for key, one in ((name, value), (name + "_error", error))}
                summary["observables"], summary["units"][name] = {**summary["observables"], **known}, unit


def make_table(folder, grid):
    """The table of the present results."""
    rows = []
    for values in grid.points():
        name = grid.name(values)
        record = folder.record(name)
        if record:
            add_peaks(record["summary"], folder.output(name))
        rows.append(Row(name, tuple(grid.inputs(values).values()), record, record["summary"]["seed"] if record else grid.point_seed(values)))
    return Table(grid, rows)


def write_table(folder, grid):
    """Writes the table of the results so far. Returns it, and the reason for a missing table.h5, or None."""
    with folder.files():
        table = make_table(folder, grid)
        write_whole(folder.file("table.csv"), table.csv())
        try:
            write_hdf5(table, folder.file("table.h5"))
        except ImportError as error:
            # A file of another table must not remain.
            with contextlib.suppress(FileNotFoundError):
                os.remove(folder.file("table.h5"))
            return table, str(error)
    return table, None


def write_hdf5(table, path):
    """/inputs/OPTION, numbers where all are; /point, /finished, /time, /point_seed, and /observables/NAME/{value,error},
    /averages/NAME/{value,error,tau,tau_error}, with the attribute `unit`, and stationarity, /known_bias/NAME/growth_percent, ...: each [points].
    Root attributes `method`, `inputs`; the groups of quantities have `order`. Raises ImportError without h5py."""
    import h5py
    import numpy as np

    def encoded(values):
        return [value.encode("utf-8", "surrogateescape") for value in values]

    def texts(parent, name, values):
        values = encoded(values)
        parent.create_dataset(name, data=values, dtype=h5py.string_dtype("utf-8", max(1, *map(len, values))))

    def numbers(parent, name, values, unit=""):
        dataset = parent.create_dataset(name, data=values, dtype="f8")
        if unit:
            dataset.attrs["unit"] = np.bytes_(unit.encode())

    with whole_file(path) as temporary, h5py.File(temporary, "w") as file:
        file.attrs["method"] = np.bytes_(table.method.encode())
        file.attrs["inputs"] = np.array(encoded(table.inputs))
        inputs = file.create_group("inputs")
        for i, name in enumerate(table.inputs):
            values = [row.inputs[i] for row in table.rows]
            if all(map(_is_double, values)):
                numbers(inputs, name, list(map(float, values)))
            else:
                texts(inputs, name, values)
        texts(file, "point", [row.name for row in table.rows])
        file.create_dataset("finished", data=[row.finished for row in table.rows], dtype="i4")
        numbers(file, "time", [number(row.time) for row in table.rows])
        file.create_dataset("point_seed", data=[int(row.seed) for row in table.rows], dtype="u8")
        for name, columns in (("observables", table.observables), ("averages", table.averages)):
            group = file.create_group(name)
            if columns:
                group.attrs["order"] = np.array(encoded(column.name for column in columns))
            for column in columns:
                one = group.create_group(column.name)
                for part in column.parts():
                    if part == "_stationarity":
                        texts(one, part[1:], [result or "" for result in column.cells[part]])
                    elif part != "_unit":
                        unit = column.unit if part in ("", "_error") else ""
                        numbers(one, part[1:] or "value", list(map(number, column.cells[part])), unit)
        for name, biases in table.known_bias.items():
            for part in BIAS:
                numbers(file, f"known_bias/{name}/{part}", [number(bias.get(part)) for bias in biases])


def _is_double(text):
    """Whether a text is a number that a double represents exactly enough: not every large seed is."""
    try:
        value = float(text)
    except ValueError:
        return False
    return not text.isdigit() or int(value) == int(text)
