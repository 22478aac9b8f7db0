# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""VTKHDF: a separate file of the data that ParaView reads."""

import h5py
import numpy as np

from ..errors import TesseraFileError

# Groups to which the group VTKHDF refers.
SHOWN = ("fields", "particles", "provenance")


def write_vtkhdf(run, names, rows, time, replica):
    """STEM.vtkhdf: the file without the checkpoint, observables and tables; of a model file, and on bcc and fcc, points on the sites."""
    if names or rows is not None or time is not None or replica is not None:
        raise TesseraFileError("vtkhdf: always has all snapshots of all replicas; names, rows and replicas cannot be chosen")
    for field in run.fields.values():
        if field.sites or field.lattice in ("bcc", "fcc"):
            yield ".vtkhdf", lambda path, field=field: _write_sites(field, path)
            return
    if "VTKHDF" not in run.hdf5:
        return

    def write(path):
        with h5py.File(path, "w", libver=("v110", "v110")) as shown:
            shown.attrs.update(run.hdf5.attrs)
            for name in SHOWN:
                if name in run.hdf5:
                    run.hdf5.copy(name, shown)
            _copy(run.hdf5["VTKHDF"], shown.create_group("VTKHDF"))

    yield ".vtkhdf", write


def _write_sites(field, path):
    """Points on the sites, with values or the numbers of their species, which the name of the array lists; each replica has an array."""
    places = field.places().reshape(-1, 3)
    count, rows = len(places), np.arange(len(field))
    steps = rows if len(rows) > 1 else rows[[0, 0]]  # VTK ignores the time of a single one
    names = field.names
    listed = " (" + ", ".join(f"{number} {name}" for number, name in enumerate(names)) + ")" if names else ""
    with h5py.File(path, "w", libver=("v110", "v110")) as file:
        root = file.create_group("VTKHDF")
        root.attrs["Version"] = [2, 0]
        root.attrs.create("Type", b"PolyData", dtype="S8")
        root["NumberOfPoints"], root["Points"] = [count], places
        for kind, cells in (("Vertices", count), ("Lines", 0), ("Polygons", 0), ("Strips", 0)):
            root[f"{kind}/NumberOfCells"] = root[f"{kind}/NumberOfConnectivityIds"] = [cells]
            root[f"{kind}/Offsets"], root[f"{kind}/Connectivity"] = np.arange(cells + 1), np.arange(cells)
        root["Steps/Values"] = (field.times if field.times.ndim == 1 else field.times.min(axis=1))[steps]
        root["Steps"].attrs["NSteps"] = len(steps)
        root["Steps/NumberOfParts"] = np.ones_like(steps)
        for name in ("PointOffsets", "PartOffsets"):
            root[f"Steps/{name}"] = np.zeros_like(steps)
        for name in ("CellOffsets", "ConnectivityIdOffsets"):
            root[f"Steps/{name}"] = np.zeros((len(steps), 4), int)
        for replica in range(field.replicas):
            array = ("species" if names else field.name) + (f"_{replica}" if field.replicas > 1 else "") + listed
            data = root.create_dataset(f"PointData/{array}", len(rows) * count, np.uint8 if names else field.snapshot(0).dtype, compression=1)
            root[f"Steps/PointDataOffsets/{array}"] = count * steps
            for row in rows:
                data[row * count : (row + 1) * count] = (field.on_sites if names else field.snapshot)(row, replica).ravel()


def _copy(group, to):
    """Copies members and attributes. HDF5 takes minutes to open its own copy of a virtual dataset."""
    for name, value in group.attrs.items():
        to.attrs.create(name, value, dtype=group.attrs.get_id(name).dtype)
    for name, item in group.items():
        if isinstance(item, h5py.Group):
            _copy(item, to.create_group(name))
        elif item.is_virtual:
            of = item.id
            h5py.h5d.create(to.id, name.encode(), of.get_type(), of.get_space(), of.get_create_plist())
        elif name not in to:
            group.copy(name, to)
