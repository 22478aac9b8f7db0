# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""VTKHDF: a separate file of the data that ParaView reads."""

import h5py

from ..errors import TesseraFileError

# Groups to which the group VTKHDF refers.
SHOWN = ("fields", "particles", "provenance")


def write_vtkhdf(run, names, rows, time, replica):
    """STEM.vtkhdf: the file without the checkpoint, observables and tables."""
    if names or rows is not None or time is not None or replica is not None:
        raise TesseraFileError("vtkhdf: always has all snapshots of all replicas; names, rows and replicas cannot be chosen")
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
