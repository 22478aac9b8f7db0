# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""VTK's own reader, which is ParaView's, shows what the program wrote."""

import os
import sys

import h5py
import numpy as np
import program
import tessera_io
from tessera_io.export import export
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkVersion
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline
from vtkmodules.vtkIOHDF import vtkHDFReader

if (vtkVersion.GetVTKMajorVersion(), vtkVersion.GetVTKMinorVersion()) < (9, 3):
    print("skipped: VTK before 9.3 knows no time in VTKHDF")
    sys.exit(77)


class Shown:
    """What the reader gives, asked in the order in which ParaView asks."""

    def __init__(self, path):
        self.reader = vtkHDFReader()
        assert self.reader.CanReadFile(path)
        self.reader.SetFileName(path)
        self.reader.UpdateInformation()
        information = self.reader.GetOutputInformation(0)
        steps = Pipeline.TIME_STEPS()
        self.times = [information.Get(steps, i) for i in range(information.Length(steps))]

    def at(self, time):
        self.reader.UpdateTimeStep(time)
        assert self.reader.GetErrorCode() == 0
        return self.reader.GetOutputDataObject(0)


def arrays(data):
    return {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}


def exported(path):
    """The file by itself, without the one that it was made from."""
    with tessera_io.open(path) as run:
        (alone,) = export(run, "vtkhdf", path + "_alone")
    os.rename(path, path + ".gone")
    os.rename(alone, path)
    return path


class Case(program.InFolder):
    def run_program(self, words, name, *more):
        program.run([*words.split(), "--quiet", "--threads", "1", "--output", name, *more], self.folder)
        return self.path(name)


class Lattices(Case):
    def check(self, path, field):
        """Every array at every time, cell by cell, is that of the file; returns the times."""
        shown = Shown(path)
        with h5py.File(path) as stored:
            value, times = stored[f"fields/{field}/value"][()], stored[f"fields/{field}/time"][()]
            replicas = int(stored[f"fields/{field}/value"].attrs["replicas"])
        axes = value.ndim - (2 if replicas > 1 else 1)
        value = value.reshape(len(value), replicas, *value.shape[-axes:])
        times = times.reshape(len(times), -1).min(axis=1)
        nz, ny, nx = value.shape[-3:] if axes == 3 else (0, *value.shape[-2:])
        np.testing.assert_array_equal(np.unique(shown.times), times)
        for row, time in enumerate(times):
            image = shown.at(time)
            self.assertEqual(image.GetClassName(), "vtkImageData")
            self.assertEqual(image.GetBounds(), (0, nx, 0, ny, 0, nz), "x to the right, y upwards, in the x-y plane")
            found = arrays(image.GetCellData())
            names = [f"{field}_{r}" for r in range(replicas)] if replicas > 1 else [field]
            self.assertEqual(sorted(found), sorted(names))
            # The cell whose middle is (x + 1/2, y + 1/2) has the value [y, x], of three axes likewise.
            corners = np.array([image.GetCell(c).GetBounds() for c in range(image.GetNumberOfCells())])
            places = tuple(corners[:, 2 * axis].astype(int) for axis in reversed(range(axes)))
            for replica, name in enumerate(names):
                np.testing.assert_array_equal(found[name], value[(row, replica, *places)])
        return list(times)

    def test_heights_of_a_crystal(self):
        path = self.run_program("kmc --size 32,16 --until-time 8 --field-every 2", "sos.h5")
        self.assertEqual(self.check(path, "height"), [0, 2, 4, 6, 8])

    def test_replicas(self):
        path = self.run_program("kmc --size 32,16 --until-time 8 --field-every 4 --replicas 3", "replicas.h5")
        self.assertEqual(self.check(path, "height"), [0, 4, 8])

    def test_replicas_at_different_times(self):
        words = "kmc --size 16,32 --until-events-per-site 3 --replicas 2"
        self.assertEqual(len(self.check(self.run_program(words, "events.vtkhdf"), "height")), 1)

    def test_what_is_exported(self):
        path = self.run_program("kmc --size 32,16 --until-time 4 --field-every 2 --replicas 2", "exported.h5")
        self.assertEqual(self.check(exported(path), "height"), [0, 2, 4])

    def test_spins(self):
        path = self.run_program("kmc --model ising --size 16,32 --until-time 2 --field-every 1 --magnetisation 0", "spins.h5")
        self.assertEqual(self.check(path, "spin"), [0, 1, 2])

    def test_spins_in_space_and_a_restart(self):
        words = "kmc --model ising --size 8,6,4 --until-time 2 --field-every 1 --magnetisation 0"
        self.assertEqual(self.check(self.run_program(words, "space.h5"), "spin"), [0, 1, 2])
        path = self.run_program(words + " --replicas 2", "space_replicas.h5")
        self.assertEqual(self.check(path, "spin"), [0, 1, 2])
        program.run(f"kmc --restart {path} --until-time 3 --quiet --threads 1".split(), self.folder)
        self.assertEqual(self.check(exported(path), "spin"), [0, 1, 2, 3])

    def test_the_last_surface_alone(self):
        self.assertEqual(self.check(self.run_program("kpz --size 64,32 --steps 20", "kpz.h5"), "height"), [20])
        words = "kpz --size 64,32 --steps 20 --replicas 2"
        self.assertEqual(self.check(self.run_program(words, "kpz_replicas.h5"), "height"), [20])

    def test_a_restart_extends_them(self):
        path = self.run_program("kmc --size 32,16 --until-time 2 --replicas 2", "restarted.h5")
        self.assertEqual(self.check(path, "height"), [2])
        program.run(f"kmc --restart {path} --until-time 4 --quiet --threads 1".split(), self.folder)
        self.assertEqual(self.check(path, "height"), [2, 4])


class Sites(Case):
    """Models from files, and bcc and fcc lattices, are exported as points on their sites."""

    def check(self, path, name="state"):
        with tessera_io.open(path) as run:
            shown = Shown(*export(run, "vtkhdf", overwrite=True))
        with tessera_io.open(path) as run:
            field = run.fields[name]
            self.assertEqual(list(np.unique(shown.times)), list(field.time))
            for row, time in enumerate(field.time):
                points = shown.at(time)
                self.assertEqual(points.GetClassName(), "vtkPolyData")
                places = field.places().reshape(-1, 3)
                np.testing.assert_allclose(vtk_to_numpy(points.GetPoints().GetData()), places, rtol=1e-6)
                self.assertEqual((points.GetNumberOfVerts(), points.GetNumberOfCells()), (len(places), len(places)))
                found = arrays(points.GetPointData())
                names = list(dict.fromkeys(one for names in field.sites.values() for one in names))
                for replica in range(field.replicas):
                    number = f"_{replica}" if field.replicas > 1 else ""
                    if not names:
                        np.testing.assert_array_equal(found.pop(name + number), field.snapshot(row, replica).ravel())
                        continue
                    array = found.pop(f"species{number} ({', '.join(f'{i} {name}' for i, name in enumerate(names))})")
                    there = [np.array(its)[field.species(site, row, replica)].ravel() for site, its in field.sites.items()]
                    np.testing.assert_array_equal(np.array(names)[array], np.ravel(there))
                self.assertEqual(found, {})
            return list(field.time)

    def model(self, name):
        return os.path.join(program.SOURCE, "inputs/models", name + ".ini")

    def test_cubic_cells_of_several_sites(self):
        for lattice in ("bcc", "fcc"):
            words = f"kmc --model potts --states 50 --order 0 --lattice {lattice} --size 8,6,4 --until-time 1 --field-every 0.5"
            self.assertEqual(self.check(self.run_program(words, f"{lattice}.h5")), [0, 0.5, 1])
            words = f"kmc --model hopping --coverage 0.5 --lattice {lattice} --size 8,6,4 --until-time 1 --replicas 2"
            self.assertEqual(self.check(self.run_program(words, f"{lattice}_replicas.h5"), "occupation"), [1])

    def test_a_honeycomb(self):
        words = f"kmc --processes {self.model('honeycomb_dimers')} --size 8,16 --until-time 1 --field-every 0.5"
        self.assertEqual(self.check(self.run_program(words, "honeycomb.h5")), [0, 0.5, 1])

    def test_several_sites_and_replicas_and_a_restart(self):
        words = f"kmc --processes {self.model('co_oxidation_ruo2')} --size 8,16 --until-time 1e-6 --replicas 2"
        path = self.run_program(words, "ruo2.h5")
        self.assertEqual(self.check(path), [1e-6])
        program.run(f"kmc --restart {path} --until-time 2e-6 --quiet --threads 1".split(), self.folder)
        self.assertEqual(self.check(path), [1e-6, 2e-6])


class Disks(Case):
    def check(self, path, replicas):
        shown = Shown(path)
        with h5py.File(path) as stored:
            groups = list(stored["particles"])
            value = [stored[f"particles/{g}/position/value"][()] for g in groups]
            times = stored[f"particles/{groups[0]}/position/time"][()]
        self.assertEqual(len(groups), replicas)
        np.testing.assert_array_equal(np.unique(shown.times), times)
        for row, time in enumerate(times):
            points = shown.at(time)
            self.assertEqual(points.GetClassName(), "vtkPolyData")
            count = sum(len(v[row]) for v in value)
            np.testing.assert_array_equal(vtk_to_numpy(points.GetPoints().GetData()), np.concatenate([v[row] for v in value]))
            self.assertEqual((points.GetNumberOfVerts(), points.GetNumberOfCells()), (count, count))
            vertices = points.GetVerts()
            np.testing.assert_array_equal(vtk_to_numpy(vertices.GetConnectivityArray())[:count], np.arange(count))
            np.testing.assert_array_equal(vtk_to_numpy(vertices.GetOffsetsArray()), np.arange(count + 1))
            found = arrays(points.GetPointData())
            np.testing.assert_array_equal(found.pop("diameter"), np.ones(count))
            if replicas > 1:
                np.testing.assert_array_equal(found.pop("replica"), np.repeat(np.arange(replicas), count // replicas))
            self.assertEqual(found, {})
        return list(times)

    def test_disks_at_their_times(self):
        path = self.run_program("disks --particles 64 --aspect 2 --sweeps 30 --field-every 10", "disks.h5")
        self.assertEqual(self.check(path, 1), [0, 10, 20, 30])

    def test_replicas(self):
        words = "disks --particles 64 --sweeps 30 --field-every 15 --replicas 11"
        self.assertEqual(self.check(self.run_program(words, "replicas.h5"), 11), [0, 15, 30])

    def test_a_restart_extends_them(self):
        path = self.run_program("disks --particles 64 --sweeps 10 --replicas 2", "restarted.h5")
        self.assertEqual(self.check(path, 2), [10])
        program.run(f"disks --restart {path} --sweeps 20 --quiet --threads 1".split(), self.folder)
        self.assertEqual(self.check(path, 2), [10, 20])

    def test_what_is_exported(self):
        path = self.run_program("disks --particles 64 --sweeps 20 --field-every 10 --replicas 2", "exported.h5")
        self.assertEqual(self.check(exported(path), 2), [0, 10, 20])
