# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Output of a reproduction: NAME.h5, NAME.md, NAME.png, NAME.svg and NAME.pdf."""

import dataclasses
import datetime
import os
import pathlib

import h5py
import numpy as np
from tessera_io.plot import save
from tessera_io.sweeps.folder import whole_file

from .numbers import HEAD

FORMATS = ("png", "svg", "pdf")


@dataclasses.dataclass
class Report:
    """The outcome of an experiment.

    figure  of matplotlib
    series  what the figure shows: {name: {column: array, or (array, unit)}}
    rows    Comparisons
    notes   sentences for the reader
    """

    figure: object
    series: dict
    rows: list
    notes: list = dataclasses.field(default_factory=list)


def write(report, experiment, scale, program, stem):
    """Writes the files of a report and returns their paths."""
    paths = [f"{stem}.h5", f"{stem}.md"]
    _write_hdf5(report, experiment, scale, program, paths[0])
    text = table(report)
    pathlib.Path(paths[1]).write_text(f"# {experiment.name}, {scale}\n\n{experiment.title}\n\n{text}", "utf-8")
    return paths + save(report.figure, stem, FORMATS, dpi=300)


def table(report):
    """The comparisons and notes as Markdown."""
    lines = []
    if report.rows:
        cells = [HEAD, *(row.cells() for row in report.rows)]
        width = [max(len(row[c]) for row in cells) for c in range(len(HEAD))]
        padded = [[text.ljust(w) for text, w in zip(row, width)] for row in cells]
        padded.insert(1, ["-" * w for w in width])
        lines += ["| " + " | ".join(row) + " |" for row in padded] + [""]
    return "\n".join(lines + [f"- {note}" for note in report.notes]) + "\n"


def _write_hdf5(report, experiment, scale, program, path):
    with whole_file(path) as temporary, h5py.File(temporary, "w") as file:
        file.attrs["reproduction"] = experiment.name
        file.attrs["title"] = experiment.title
        file.attrs["scale"] = scale
        file.attrs["program"] = program.version
        file.attrs["date"] = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        for name, columns in report.series.items():
            group = file.create_group(f"figure/{name}")
            for column, data in columns.items():
                values, unit = data if isinstance(data, tuple) else (data, "")
                values = np.asarray(values)
                group[column] = values.astype(h5py.string_dtype()) if values.dtype.kind == "U" else values
                if unit:
                    group[column].attrs["unit"] = unit
        comparisons = file.create_group("comparisons")
        comparisons["quantity"] = [row.quantity for row in report.rows] or np.zeros(0, "S1")
        comparisons["source"] = [row.source for row in report.rows] or np.zeros(0, "S1")
        for column in ("value", "error", "known", "known_error", "z"):
            comparisons[column] = np.array([getattr(row, column) for row in report.rows], float)
        for run in program.runs:
            group = file.require_group(f"runs/{run.name}")
            group.attrs["file"] = os.path.basename(run.path)
            for key in ("backend", "device", "seed", "time", "wall_seconds", "rate", "rate_unit"):
                if key in run.summary:
                    group.attrs[key] = run.summary[key]
        file["notes"] = report.notes or np.zeros(0, "S1")
