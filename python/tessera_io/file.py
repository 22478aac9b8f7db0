# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The output file of a run as a Python object."""

import functools
import json
import math
import os
import re
from collections import namedtuple
from collections.abc import Mapping

import h5py
import numpy as np

from . import frames
from .described import describe
from .errors import NoSuchName, TesseraFileError, check_rows, reading
from .fields import Field
from .functions import Waves, function_of
from .observables import Average, Observable
from .particles import Particles
from .text import text_of, unit_of
from .window import Stationarity

FORMAT = 3
CHANGE = re.compile("^(.*?) = (.*) # (.*)$", re.MULTILINE)  # an option, its value, and the one before
Change = namedtuple("Change", "time option value before")


def of_file(function):
    """The function of a run, which is an open file or its path."""

    @functools.wraps(function)
    def opened(run, *arguments, **options):
        if not isinstance(run, (str, os.PathLike)):
            return function(run, *arguments, **options)
        with TesseraFile(run) as one:
            return function(one, *arguments, **options)

    return opened


class TesseraFile:
    """An open output file.

    Use it in a `with` statement, or call close(). Raises FileNotFoundError if there is no such file, and TesseraFileError if
    it is no HDF5 file, is truncated or damaged, is not Tessera's, or has another format version. Damage elsewhere in the file
    raises TesseraFileError when that part is read.

    observables  measured quantities, diagnostics, and parameters that change with time, by name: Observable
    slow_modes   real and imaginary parts of the longest waves, by name: Observable
    averages     means of observables over time, by name: Average; empty without --average-from
    stationarity results of the stationarity test of averages, or of samples of disks, by name: Stationarity
    functions    functions averaged over samples, g(r), g6(r) and S(q) of disks, or measurements, S(k), by name: AveragedFunction
    fields       lattices, by name: Field
    particles    trajectories of particles (H5MD), by name: Particles
    history      tables, by name: Table, a dictionary of columns
    provenance   a dictionary of texts: version, git_revision, command_line, backend, device, ...
    restarts     provenance of each restart; changes: parameters that restarts have changed: time, option, value, before
    input        the full input of the run, a dictionary of texts
    description  what the program tells of the model and of quantities: a described.Description, a dictionary
    known_bias   known deviations of observables from the exact process, of a kpz run: {observable: dictionary of numbers}
    method       kmc, kpz or disks; version, format_version: of the Tessera that wrote the file
    """

    def __init__(self, path):
        self.path = os.fspath(path)
        if not os.path.exists(self.path):
            raise FileNotFoundError(f"{self.path}: no such file")
        if os.path.isdir(self.path):
            raise TesseraFileError(f"{self.path}: is a folder, not a file")
        self._h5 = open_hdf5(self.path)
        try:
            with reading(self.path, "the file"):
                self._read_head()
        except BaseException:
            self._h5.close()
            raise

    def _read_head(self):
        for name in ("tessera_version", "format_version", "method"):
            if name not in self._h5.attrs:
                raise TesseraFileError(f"{self.path}: is an HDF5 file that Tessera did not write (it has no attribute {name})")
        self.version = text_of(self._h5.attrs["tessera_version"])
        self.format_version = int(self._h5.attrs["format_version"])
        self.method = text_of(self._h5.attrs["method"])
        if self.format_version != FORMAT:
            raise TesseraFileError(
                f"{self.path}: was written by Tessera {self.version} in format {self.format_version}; this package reads format {FORMAT} alone"
            )
        members = (
            ("observables", ["parameters", "diagnostics", "observables"], "observable", Observable),
            ("slow_modes", ["slow_modes"], "slow mode", Observable),
            ("averages", ["averages/observables"], "average", Average),
            ("stationarity", ["stationarity"], "stationarity", Stationarity.read),
            ("functions", ["averages/functions"], "function", function_of),
            ("fields", ["fields"], "field", Field),
            ("particles", ["particles"], "group of particles", Particles),
            ("history", ["history"], "history table", Table),
        )
        for name, groups, kind, make in members:
            kind_of = {"observables": Measured, "functions": Functions}.get(name, Named)
            setattr(self, name, kind_of(self._h5, groups, kind, make, self.path))
        self.observables.sites = self.sites
        self.functions.fields = self.fields
        for name in [one for one in self.fields if one.startswith("structure_factor")]:
            self.functions.take(self.fields, name)

    def close(self):
        """Closes the file. Arrays read before remain valid."""
        self._h5.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<{self.method} run {self.path}, Tessera {self.version}>"

    @functools.cached_property
    def provenance(self):
        with reading(self.path, "its provenance"):
            group = self._h5.get("provenance", {})
            return {name: _scalar(item[()]) for name, item in group.items() if isinstance(item, h5py.Dataset)}

    @property
    def restarts(self):
        """The provenance of each restart of the run, in order: dictionaries."""
        with reading(self.path, "the provenance of its restarts"):
            group = self._h5.get("provenance/restarts", {})
            return [{key: _scalar(item[()]) for key, item in group[n].items()} for n in sorted(group, key=int)]

    @property
    def changes(self):
        """The changes of parameters by restarts, in order: Change."""
        with reading(self.path, "the changes by its restarts"):
            return [Change(one["changed_at"], *words) for one in self.restarts for words in CHANGE.findall(one.get("changes", ""))]

    @functools.cached_property
    def input(self):
        pairs = {}
        for line in str(self.provenance.get("input", "")).splitlines():
            key, equals, value = re.split(r"(?:^|[ \t])#", line)[0].partition("=")
            if equals:
                pairs[key.strip()] = value.strip()
        return pairs

    @functools.cached_property
    def description(self):
        with reading(self.path, "the description of its model"):
            return describe(self._h5)

    @property
    def known_bias(self):
        """As in the program's JSON, {} if there are none."""
        return json.loads(self.provenance.get("known_bias", "{}"))

    def sites(self):
        """The number of sites, or unit cells, of a lattice."""
        sides = [int(side) for side in self.input["size"].split(",")]
        of_cell = {"bcc": 2, "fcc": 4}.get(self.input.get("lattice"), 1) if len(sides) == 3 else 1
        return math.prod(sides * 2 if len(sides) == 1 else sides) * of_cell

    @property
    def replicas(self):
        """The number of systems of the run."""
        with reading(self.path, "its input"):
            return int(self.input.get("replicas", 1))

    to_dataframe = frames.to_dataframe
    to_xarray = frames.to_xarray

    @property
    def hdf5(self):
        """The h5py.File, for contents without a member of this class."""
        return self._h5


def open_hdf5(path):
    """An HDF5 file, for reading. Raises TesseraFileError if it is none, or damaged."""
    if os.path.getsize(path) == 0:
        raise TesseraFileError(f"{path}: is empty")
    try:
        if not h5py.is_hdf5(path):
            raise TesseraFileError(f"{path}: is not an HDF5 file")
        return h5py.File(path, "r")
    except PermissionError:
        raise
    except Exception as error:
        reason = str(error)
        if "truncated" in reason or "eof" in reason.lower():
            raise TesseraFileError(f"{path}: is truncated; copy the complete file again") from error
        raise TesseraFileError(f"{path}: cannot be opened: {reason}") from error


class Named(Mapping):
    """The members of one or several groups of the file, the last one's first, by name, each constructed on access."""

    def __init__(self, h5, groups, kind, make, path):
        self._group = {name: h5[group] for group in reversed(groups) if group in h5 for name in h5[group].keys()}
        self._kind, self._make, self._path = kind, make, path

    def __getitem__(self, name):
        if name not in self._group:
            names = ", ".join(self) or "none"
            raise NoSuchName(f"{self._path}: has no {self._kind} '{name}'; it has {names}")
        with reading(self._path, f"{self._kind} '{name}'"):
            return self._make(self._group[name][name], self._path)

    def take(self, other, name):
        """Moves a member of another one to this one."""
        self._group[name] = other._group.pop(name)

    def __iter__(self):
        return iter(self._group)

    def __len__(self):
        return len(self._group)

    def __repr__(self):
        return f"<{self._kind}s: {', '.join(self)}>"


class Measured(Named):
    """Observables by name. COUNTER_rate, which is not listed, is the rate per site of an event or turnover counter."""

    def __getitem__(self, name):
        counter = re.fullmatch("((?:events|turnover)_.+)_rate", name)
        if counter and name not in self._group and counter[1] in self._group:
            return super().__getitem__(counter[1]).rate(self.sites())
        return super().__getitem__(name)


class Functions(Named):
    """Functions by name. S(k) of fields of three axes, structure_factor_x or of potts structure_factor_fraction_0_x, is computed on access and not listed."""

    fields = {}

    @functools.cached_property
    def waves(self):
        return [Waves(field) for field in self.fields.values() if field.lattice]

    def __getitem__(self, name):
        if name not in self._group and name.startswith("structure_factor"):
            for one in self.waves:
                if one.has(name):
                    with reading(self._path, f"function '{name}'"):
                        return one.structure_factor(name)
        return super().__getitem__(name)


class Table(dict):
    """A table of the history of a run: columns by name, [rows], in the file's order.

    name   of the table
    units  the columns' units by name, texts; empty for a plain number. titles: of the table and the columns, in plots
    """

    def __init__(self, group, _path):
        super().__init__((name, column[()]) for name, column in group.items())
        check_rows(*self.values())
        self.name = group.name.rsplit("/", 1)[-1]
        self.units = {name: unit_of(column) for name, column in group.items()}
        self.titles = {name: describe(group.file).title(name) for name in (self.name, *self)}

    @property
    def abscissa(self):
        """The name of the column with the time."""
        return next((name for name in ("time", "sweep") if name in self), next(iter(self), None))

    @property
    def times(self):
        """[rows]: the column with the time; of exponents from two times the geometric mean of these."""
        return np.sqrt(self["time_before"] * self["time"]) if "time_before" in self else self[self.abscissa]


def _scalar(value):
    return text_of(value) if isinstance(value, (bytes, str)) else value.item()
