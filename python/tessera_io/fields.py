# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import re

import numpy as np

from . import frames
from .described import describe
from .errors import NoSuchName, TesseraFileError, check_index, check_rows, reading
from .lattices import LATTICES, clusters_of, neighbours
from .text import text_of, unit_of

CENTRE = (0.5, 0.5, 0)  # of a cell


class Field:
    """A lattice, or a function such as g(r), recorded at several times; rows are read from the file on demand.

    name, unit  texts; empty for a plain number. time_unit: likewise. title: in plots
    replicas    the number of systems
    shape       (ny, nx), in three dimensions (nz, ny, nx), or (n,)
    times       [rows], or [rows, R] if the times of the replicas differ
    step        [rows]: work done so far, of all replicas together
    sites       of a model from a file the sites of a unit cell, {name: [species]}; else empty. colours: {species: colour}
    names       [species]: those of all sites, each once
    cell        [2, 2]: the sides of the unit cell of an oblique lattice, in units of the first; else the unit matrix
    sides       [3, 3]: the sides of the unit cell, as the model file has them; else the unit matrix
    positions   [sites, 3]: those of the sites of a unit cell, in units of its sides
    lattice     in three dimensions "sc", "bcc" or "fcc", of a model from a file None, as in two
    box         [3]: in three dimensions the numbers of cubic or unit cells along x, y and z; else None
    axes        names of the axes in plots
    """

    axes = "xy"

    def __init__(self, group, path):
        self.name = group.name.rsplit("/", 1)[-1]
        self._value = group["value"]
        self._path = path
        self.unit = unit_of(self._value)
        self.replicas = int(self._value.attrs.get("replicas", 1))
        self.shape = self._value.shape[2 if self.replicas > 1 else 1 :]
        self.time_unit = unit_of(group["time"])
        self.times = group["time"][()]
        self.step = group["step"][()]
        check_rows(self._value, self.times, self.step)
        if len(self.shape) not in (1, 2, 3) or (self.replicas > 1 and self._value.shape[1] != self.replicas):
            raise ValueError(f"it has the shape {self._value.shape} for {self.replicas} replicas")
        data = describe(group.file)
        self.title, sites = data.title(self.name), data.get("sites", [])
        self._bases = [one.get("base", len(one["species"])) for one in sites]
        self.sides = np.array(data.get("cell", np.eye(3)), float)
        self.positions = [one.get("position", CENTRE) for one in sites] or [CENTRE]
        plane = self.sides[:2, :2]
        self.cell = plane / np.hypot(*plane[0]) if plane[0] @ plane[1] != 0 else np.eye(2)
        self.sites, self.colours = {}, {}
        if self.name == "state":
            self.sites, self.colours = {one["name"]: one["species"] for one in sites}, data.get("colours", {})
        self.names = list(dict.fromkeys(name for species in self.sites.values() for name in species))
        self.lattice = self.box = None
        if len(self.shape) == 3:
            if not self.sites:
                given = re.search("^lattice = (\\w+)", text_of(group.file["provenance/input"][()]), re.MULTILINE)
                self.lattice = given[1] if given else "sc"
            self._grid = LATTICES[self.lattice or "sc"]
            self.box = np.array(self._grid.steps(self.shape)[::-1]) // self._grid.length

    @property
    def time(self):
        """[rows]: the time; the mean over the replicas if their times differ."""
        return self.times if self.times.ndim == 1 else self.times.mean(axis=1)

    def snapshot(self, row=-1, replica=0):
        """[ny, nx] or [nz, ny, nx]: a recorded lattice. Rows count from 0, or from the end as -1, -2, ..."""
        check_index(f"{self._path}: no replica {replica} of {self.name}", replica, self.replicas)
        check_index(f"{self._path}: no row {row} of {self.name}", row, len(self), from_end=True)
        row %= len(self)
        with reading(self._path, f"row {row} of {self.name}"):
            return self._value[row, replica] if self.replicas > 1 else self._value[row]

    def snapshots(self, row=-1):
        """[R, ny, nx]: the lattices of all replicas."""
        return np.stack([self.snapshot(row, replica) for replica in range(self.replicas)])

    def species(self, site, row=-1, replica=0):
        """[ny, nx] or [nz, ny, nx]: the species on this site of each unit cell, as numbers in the list sites[site]."""
        weight = 1
        for name, base in zip(self.sites, self._bases):
            if name == site:
                return self.snapshot(row, replica) // weight % base
            weight *= base
        raise KeyError(f"{self._path}: no site '{site}' in a unit cell; valid values are {', '.join(self.sites) or 'none'}")

    def on_sites(self, row=-1, replica=0):
        """[sites, ny, nx] or [sites, nz, ny, nx]: the species on all sites, as numbers in the list names."""
        return np.stack([np.array(self.numbers(its))[self.species(site, row, replica)] for site, its in self.sites.items()])

    def numbers(self, names):
        """The numbers of these species in the list names."""
        for name in names:
            if name not in self.names:
                raise NoSuchName(f"{self._path}: {self.name} has no species '{name}'; it has {', '.join(self.names) or 'none'}")
        return [self.names.index(name) for name in names]

    def places(self):
        """[sites, ny, nx, 3] or [sites, nz, ny, nx, 3]: where all sites lie, in the units of `sides`; of a lattice in three dimensions,
        whose array has one site, in units of a cubic cell."""
        if self.lattice:
            return np.stack(self._grid.places(*np.indices(self.shape))[::-1], axis=-1)[None] / self._grid.length
        x, y, z = (*np.indices(self.shape)[::-1], 0)[:3]
        return np.stack([np.stack(np.broadcast_arrays(x + a, y + b, z + c), axis=-1) @ self.sides for a, b, c in self.positions])

    def slice(self, axis="z", plane=None):
        """Of three axes a plane of sites across one of them as a field of two, with each site about its place in the cubic cells; of a
        model from a file a plane of unit cells.

        plane  counted from 0 in steps of a cubic cell on sc, half of one on bcc and fcc, a unit cell of a file; None: the middle one
        """
        return Slice(self, axis, plane)

    def clusters(self, row=-1, replica=0, of=None):
        """([nz, ny, nx], of a model from a file [sites, nz, ny, nx], and [n]): numbers of the clusters that sites belong to, from 1 on,
        and how many sites each has. Needs SciPy.

        Neighbouring sites in the same state, or with the same species, across the borders of the box too, are a cluster. Neighbours of
        a file are the sites at the smallest distance between two sites, within 1 %.
        of  the states, or names of species, others have the number 0; None: of an occupation 1, else all
        """
        if self.box is None:
            raise TesseraFileError(f"{self._path}: {self.name} has no three axes")
        of = [1] if of is None and self.name == "occupation" else of
        if self.sites:
            there = self.numbers(self.names if of is None else of)
            numbers = clusters_of(self.on_sites(row, replica), there, neighbours(self.sides, self.positions))
        else:
            numbers = self._grid.clusters(self.snapshot(row, replica), of)
        return numbers, np.bincount(numbers.ravel())[1:]

    def values(self):
        """[rows, ny, nx], or [rows, R, ny, nx] of R > 1 replicas: all rows, read at once."""
        with reading(self._path, self.name):
            return self._value[()]

    to_xarray = frames.field_to_xarray

    def row_at(self, time):
        """The row whose time is nearest to this."""
        return int(np.abs(self.time - time).argmin())

    def __len__(self):
        return self._value.shape[0]

    def __repr__(self):
        size = " x ".join(str(n) for n in self.shape)
        return f"<field {self.name}: {len(self)} rows, {self.replicas} replicas of {size}>"


class Slice(Field):
    """A plane of sites of a field of three axes; see Field.slice().

    shape      (rows, columns) in cubic cells; a snapshot has several pixels for each on bcc and fcc. Of a file in unit cells
    place      of the plane, in these cells. across: the name of the axis
    cell       as of a field of two axes, by the lengths and the angle of the two sides in the plane
    """

    def __init__(self, field, axis, plane):
        if axis not in ("x", "y", "z") or field.box is None:
            known = "" if field.box is None else ", but across x, y and z"
            raise TesseraFileError(f"{field._path}: {field.name} has no plane across '{axis}'{known}")
        self.__dict__.update(field.__dict__)
        self._across, self.across = "zyx".index(axis), axis
        planes = self._grid.steps(field.shape)[self._across]
        self._plane = planes // 2 if plane is None else plane
        check_index(f"{self._path}: no plane {plane} across {axis}", self._plane, planes)
        self.place = self._plane / self._grid.length
        self.axes = "xyz".replace(axis, "")
        self.shape = tuple(np.delete(self.box[::-1], self._across).tolist())
        first, second = np.delete(self.sides, 2 - self._across, axis=0)
        along, squared = first @ second / (first @ first), second @ second / (first @ first)
        self.cell = np.array([[1, 0], [along, np.sqrt(squared - along**2)]]) if abs(along) > 1e-9 else np.eye(2)

    def snapshot(self, row=-1, replica=0):
        """[rows, columns]: an image of the plane."""
        return self._grid.plane(super().snapshot(row, replica), self._across, self._plane)
