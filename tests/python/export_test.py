# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""python3 -m tessera_io.export: what is written is what the file has."""

import csv
import os
import re
import shutil
import sys
import unittest
from unittest import mock

import h5py
import numpy as np
import program
import tessera_io
from tessera_io.export.__main__ import main


class Files(program.InFolder):
    runs = (
        "kmc --size 32,16 --replicas 2 --until-time 4 --measure-every 1 --field-every 2 --record-steps --output sos.h5",
        "kmc --model ising --size 16 --until-time 4 --measure-every 0.1 --average-from 0.5 --field-every 2 --output ising.h5",
        "disks --particles 64 --aspect 2 --sweeps 20 --sample-every 5 --measure-every 10 --field-every 10 --replicas 2 "
        "--output two.h5",
        "disks --particles 64 --sweeps 20 --field-every 10 --output one.h5",
        "kpz --size 32 --steps 8 --replicas 2 --waiting-times 2 --output kpz.h5",
    )

    def export(self, *words, status=0):
        """(paths, standard error)"""
        ended, out, err = program.printed(main, [self.path(words[0]), *map(str, words[1:])])
        self.assertEqual(ended, status, err)
        return [os.path.relpath(path, self.folder) for path in out.splitlines()], err

    def frames(self, path):
        """[(attributes, columns)] of an extended XYZ."""
        frames = []
        with open(self.path(path), encoding="utf-8") as file:
            while count := file.readline():
                pairs = re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', file.readline())
                head = {key: quoted or plain for key, quoted, plain in pairs}
                lines = [file.readline().split() for _ in range(int(count))]
                self.assertEqual({line[0] for line in lines}, {"X"})
                frames.append((head, np.array([line[1:] for line in lines], float)))
        return frames


class Export(Files):
    def test_command(self):
        out, _ = program.python(["-m", "tessera_io.export", "one.h5", "--to", "csv", "pressure"], self.folder)
        self.assertEqual(out, "one_observables.csv\n")

    def test_extxyz_of_disks(self):
        paths, _ = self.export("two.h5", "--to", "extxyz")
        self.assertEqual(paths, ["two_disks_0.xyz", "two_disks_1.xyz"])
        with tessera_io.open(self.path("two.h5")) as run:
            for path, particles in zip(paths, run.particles.values()):
                frames = self.frames(path)
                self.assertEqual(len(frames), 3)
                for row, (head, columns) in enumerate(frames):
                    self.assertEqual(head["Properties"], "species:S:1:pos:R:3:radius:R:1")
                    self.assertEqual((float(head["time"]), head["time_unit"], head["pbc"]), (10 * row, "sweeps", "T T F"))
                    lattice = np.array(head["Lattice"].split(), float).reshape(3, 3)
                    np.testing.assert_array_equal(lattice.diagonal()[:2], particles.box(row))
                    np.testing.assert_array_equal(columns[:, :2], particles.position(row))
                    self.assertEqual(set(columns[:, 2]) | set(columns[:, 3]), {0, 0.5})

    def test_dump_of_lammps(self):
        paths, _ = self.export("two.h5", "--to", "lammps", "--row", "-1")
        self.assertEqual(paths, ["two_disks_0.lammpstrj", "two_disks_1.lammpstrj"])
        with tessera_io.open(self.path("two.h5")) as run:
            for path, particles in zip(paths, run.particles.values()):
                lines = program.read(self.path(path)).splitlines()
                self.assertEqual(lines[:5], ["ITEM: TIMESTEP", "20", "ITEM: NUMBER OF ATOMS", "64", "ITEM: BOX BOUNDS pp pp pp"])
                bounds = np.array([line.split() for line in lines[5:8]], float)
                np.testing.assert_array_equal(bounds[:, 1] - bounds[:, 0], [*particles.box(), 1])
                self.assertEqual(lines[8], "ITEM: ATOMS id type x y z radius")
                atoms = np.array([line.split() for line in lines[9:]], float)
                np.testing.assert_array_equal(atoms[:, 0], range(1, 65))
                np.testing.assert_array_equal(atoms[:, 2:4], particles.position())
                self.assertEqual([set(column) for column in atoms[:, [1, 4, 5]].T], [{1}, {0}, {0.5}])
        _, err = self.export("sos.h5", "--to", "lammps", "height", status=2)
        self.assertRegex(err, "stores only particles, and height are not particles")

    def test_a_folder_of_a_sweep_exports_all_points(self):
        words = "sweep disks --particles 16 --packing-fraction 0.3;0.4 --sweeps 4 --folder some --quiet"
        program.run(words.split(), self.folder)
        names = [f"packing-fraction={eta}" for eta in ("0.3", "0.4")]
        paths, _ = self.export("some", "--to", "extxyz")
        self.assertEqual(paths, [f"some/points/{name}_disks.xyz" for name in names])
        paths, _ = self.export("some", "--to", "lammps", "--output", self.path("all"))
        self.assertEqual(paths, [f"all_{name}_disks.lammpstrj" for name in names])

    def test_extxyz_of_lattices(self):
        paths, _ = self.export("sos.h5", "--to", "extxyz", "--replica", "1", "--time", "2.2")
        self.assertEqual(paths, ["sos_height_1.xyz"])
        ((head, columns),) = self.frames(paths[0])
        self.assertEqual(head["Properties"], "species:S:1:pos:R:3:height:I:1")
        with tessera_io.open(self.path("sos.h5")) as run:
            lattice = run.fields["height"].snapshot(1, 1)
            self.assertEqual(float(head["time"]), run.fields["height"].time[1])
        x, y = (columns[:, :2] - 0.5).astype(int).T
        np.testing.assert_array_equal(lattice[y, x], columns[:, 2])
        np.testing.assert_array_equal(columns[:, 2], columns[:, 3])
        self.assertEqual(len(set(zip(x, y))), lattice.size)
        paths, _ = self.export("ising.h5", "--to", "extxyz", "--row", "-1")
        ((_, columns),) = self.frames(paths[0])
        self.assertEqual((paths, set(columns[:, 2]), set(columns[:, 3])), (["ising_spin.xyz"], {0}, {-1, 1}))

    def table(self, path):
        with open(self.path(path), encoding="utf-8", newline="") as file:
            head, *lines = csv.reader(file)
        return dict(zip(head, zip(*lines)))

    def numbers(self, column):
        return np.array([float(cell) if cell else np.nan for cell in column])

    def test_csv_of_observables_is_the_same_to_the_last_bit(self):
        for file in ("sos.h5", "kpz.h5", "one.h5"):
            paths, _ = self.export(file, "--to", "csv", "--overwrite")
            table = self.table(paths[0])
            with tessera_io.open(self.path(file)) as run:
                for name, observable in run.observables.items():
                    unit = f" ({observable.unit})" if observable.unit else ""
                    column = self.numbers(table[name + unit])
                    np.testing.assert_array_equal(column[len(column) - len(observable) :], observable.mean)
                    if np.isfinite(observable.error).any():
                        column = self.numbers(table[f"{name}_error{unit}"])
                        np.testing.assert_array_equal(column[len(column) - len(observable) :], observable.error)
                    else:
                        self.assertNotIn(f"{name}_error{unit}", table)
                longest = max(run.observables.values(), key=len)
                np.testing.assert_array_equal(self.numbers(table[f"time ({longest.time_unit})"]), longest.time)

    def test_csv_of_a_replica(self):
        (path,), _ = self.export("sos.h5", "--to", "csv", "roughness", "--replica", "1", "--output", self.path("second"))
        with tessera_io.open(self.path("sos.h5")) as run:
            roughness = run.observables["roughness"]
            self.assertEqual(list(self.table(path)), ["time (1/k_2)", "step", "roughness (layers^2)"])
            np.testing.assert_array_equal(self.numbers(self.table(path)["roughness (layers^2)"]), roughness.value[:, 1])

    def test_csv_of_tables_averages_and_fields(self):
        paths, _ = self.export("sos.h5", "steps", "--to", "csv", "--overwrite")
        self.assertEqual(paths, ["sos_steps.csv"])
        with tessera_io.open(self.path("sos.h5")) as run:
            table = self.table(paths[0])
            self.assertEqual(list(table)[:2], ["time (1/k_2)", "replica"])
            for name, column in run.history["steps"].items():
                unit = run.history["steps"].units[name]
                np.testing.assert_array_equal(self.numbers(table[f"{name} ({unit})" if unit else name]), column)
        paths, _ = self.export("ising.h5", "--to", "csv")
        self.assertEqual(paths, ["ising_observables.csv", "ising_averages.csv"])
        with tessera_io.open(self.path("ising.h5")) as run:
            table = self.table("ising_averages.csv")
            self.assertEqual(list(table["name"]), list(run.averages))
            np.testing.assert_array_equal(self.numbers(table["mean"]), [average.mean for average in run.averages.values()])
            np.testing.assert_array_equal(self.numbers(table["error"]), [average.error for average in run.averages.values()])
            judged = [run.stationarity[name] for name in run.averages]
            self.assertEqual(list(table["stationarity"]), [one.result for one in judged])
            for name in ("autocorrelation_time", "autocorrelation_time_error"):
                np.testing.assert_array_equal(self.numbers(table[name]), [getattr(one, name) for one in judged])
                np.testing.assert_array_equal(self.numbers(table[name]), [getattr(average, name) for average in run.averages.values()])
        paths, _ = self.export("two.h5", "--to", "csv", "pair_distribution", "disks_1", "--row", "-1")
        self.assertEqual(paths, ["two_pair_distribution.csv", "two_disks_1.csv"])
        with tessera_io.open(self.path("two.h5")) as run:
            table = self.table(paths[0])
            of_file = run.fields["pair_distribution"].snapshots().ravel()
            np.testing.assert_array_equal(self.numbers(table["pair_distribution"]), of_file)
            self.assertEqual(table["r (sigma)"][:3], ("0.01", "0.03", "0.05"))
            table = self.table(paths[1])
            position = np.stack([self.numbers(table["x (sigma)"]), self.numbers(table["y (sigma)"])], axis=1)
            np.testing.assert_array_equal(position, run.particles["disks_1"].position())
        paths, _ = self.export("ising.h5", "--to", "csv", "spin", "--row", "1", "--overwrite")
        table = self.table(paths[0])
        with tessera_io.open(self.path("ising.h5")) as run:
            x, y = (np.array(table[name], int) for name in ("x", "y"))
            np.testing.assert_array_equal(run.fields["spin"].snapshot(1)[y, x], self.numbers(table["spin"]))

    def test_vtkhdf_needs_no_other_file(self):
        for file in ("sos.h5", "two.h5"):
            (path,), _ = self.export(file, "--to", "vtkhdf")
            moved = shutil.move(self.path(path), self.path("moved"))
            with tessera_io.open(moved) as shown, tessera_io.open(self.path(file)) as run:
                self.assertNotIn("checkpoint", shown.hdf5)
                compared = []

                def compare(name, item):
                    if isinstance(item, h5py.Dataset):
                        other = shown.hdf5["VTKHDF"][name]
                        if item.is_virtual:  # what VTK reads of it is in vtk_test.py
                            self.assertEqual([m[1:3] for m in other.virtual_sources()], [m[1:3] for m in item.virtual_sources()])
                        else:
                            np.testing.assert_array_equal(other[()], item[()])
                        compared.append(name)
                    self.assertEqual(set(shown.hdf5["VTKHDF"][name].attrs), set(item.attrs))

                run.hdf5["VTKHDF"].visititems(compare)
                self.assertGreater(len(compared), 2)

    def test_gsd_without_its_library_is_refused(self):
        with mock.patch.dict(sys.modules, {"gsd": None, "gsd.hoomd": None}):
            _, err = self.export("one.h5", "--to", "gsd", status=1)
        self.assertRegex(err, "python3-gsd")
        self.assertEqual(len(err.splitlines()), 1)

    def test_nothing_is_overwritten_unasked_or_left_incomplete(self):
        self.export("one.h5", "--to", "extxyz", "--output", self.path("kept"))
        program.write(self.path("kept_disks.xyz"), "mine")
        _, err = self.export("one.h5", "--to", "extxyz", "--output", self.path("kept"), status=2)
        self.assertRegex(err, "kept_disks.xyz: already exists; use --overwrite")
        with mock.patch("numpy.savetxt", side_effect=OSError(28, "No space left on device")):
            self.export("one.h5", "--to", "extxyz", "--output", self.path("kept"), "--overwrite", status=2)
        self.assertEqual(program.read(self.path("kept_disks.xyz")), "mine")
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith(".export")], [])
        shutil.copy(self.path("one.h5"), self.path("shown.vtkhdf"))
        _, err = self.export("shown.vtkhdf", "--to", "vtkhdf", "--overwrite", status=2)
        self.assertRegex(err, "is the file to export")

    def test_bad_calls_are_refused_with_a_remedy(self):
        for words, message in (
            (("none.h5", "--to", "csv"), "none.h5: no such file"),
            (("one.h5",), "--to"),
            (("one.h5", "--to", "xls"), "'xls'.*extxyz.*vtkhdf.*csv.*gsd"),
            (("disks.gsd", "--to", "csv"), "disks.gsd: a GSD file is converted --to extxyz"),
            (("one.h5", "--to", "csv", "presure"), "no 'presure'; it has .*pressure"),
            (("two.h5", "--to", "extxyz", "--row", "3"), "row 3 of disks_0; valid values are 0 to 2"),
            (("two.h5", "--to", "extxyz", "--replica", "2"), "replica 2 .*valid values are 0 to 1"),
            (("two.h5", "--to", "csv", "--replica", "-1"), "replica -1 .*valid values are 0 to 1"),
            (("sos.h5", "--to", "extxyz", "--replica", "2"), "replica 2 of height; valid values are 0 to 1"),
            (("sos.h5", "--to", "extxyz", "roughness"), "nothing that can be written as extxyz"),
            (("sos.h5", "--to", "vtkhdf", "--row", "0"), "vtkhdf: always has all snapshots"),
            (("one.h5", "--to", "csv", "--output", self.path("nowhere/one")), "nowhere"),
        ):
            _, err = self.export(*words, status=2)
            self.assertRegex(err, message)
            self.assertEqual(len(err.splitlines()), 1)


class ModelFiles(Files):
    """Where the sites of a lattice lie, and what is on them, is the same in all formats."""

    MODELS = {"honeycomb_dimers": 1, "co_oxidation_ruo2": 1e-6, "zgb": 2}

    @classmethod
    def prepare(cls):
        for name, time in cls.MODELS.items():
            text = program.read(os.path.join(program.SOURCE, "inputs/models", name + ".ini"))
            if name == "zgb":  # with a cell of other lengths and its site elsewhere than in the middle, and one orientation
                text = text.replace("1.0 1.0 1.0\n", "2 3 5\n").replace("(0.5, 0.5, 0.5)", "(0.25, 0.5, 0.2)").replace("orientations = 4", "")
            program.write(cls.path(name + ".ini"), text)
            words = f"kmc --processes {name}.ini --size 8,16 --until-time {time} --field-every {time} --replicas 2 --quiet --output {name}.h5"
            program.run(words.split(), cls.folder)

    def atoms(self, path):
        """(sides of the box, [(type, position, site)]) of the last snapshot."""
        lines = program.read(self.path(path)).splitlines()
        lines = lines[-int(lines[0]) - 1 :]
        head = {key: quoted or plain for key, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', lines[0])}
        self.assertEqual((head["Properties"], head["pbc"]), ("type:S:1:pos:R:3:site:S:1", "T T F"))
        words = [line.split() for line in lines[1:]]
        return np.array(head["Lattice"].split(), float).reshape(3, 3), [(w[0], np.array(w[1:4], float), w[4]) for w in words]

    def test_a_honeycomb_has_three_neighbours_at_120_degrees(self):
        paths, _ = self.export("honeycomb_dimers.h5", "--to", "extxyz", "--overwrite")
        self.assertEqual(paths, ["honeycomb_dimers_state_0.xyz", "honeycomb_dimers_state_1.xyz"])
        box, atoms = self.atoms(paths[1])
        np.testing.assert_allclose(box, [[8, 0, 0], [8, 16 * 0.866, 0], [0, 0, 1]])
        places = np.array([place for _, place, _ in atoms])
        for one in places:
            away = (places - one) @ np.linalg.inv(box)
            away = (away - np.rint(away)) @ box
            length = np.linalg.norm(away, axis=1)
            near = away[(length > 0) & (length < 0.7)]
            np.testing.assert_allclose(np.linalg.norm(near, axis=1), [3**-0.5] * 3, rtol=0.01)
            np.testing.assert_allclose((near @ near.T)[np.triu_indices(3, 1)], [-1 / 6] * 3, rtol=0.01)

    def test_species_have_their_names_and_places(self):
        for name in self.MODELS:
            paths, _ = self.export(name + ".h5", "--to", "extxyz", "--overwrite")
            with tessera_io.open(self.path(name + ".h5")) as run:
                field = run.fields["state"]
                for replica, path in enumerate(paths):
                    box, atoms = self.atoms(path)
                    np.testing.assert_allclose(box, field.sides * [[8], [16], [1]], rtol=1e-15)
                    places = (field.positions[s] + np.array([x, y, 0]) for s in range(len(field.sites)) for y in range(16) for x in range(8))
                    np.testing.assert_allclose([place for _, place, _ in atoms], [place @ field.sides for place in places], rtol=1e-12)
                    kinds = [kind for kind, _, _ in atoms]
                    self.assertEqual([site for _, _, site in atoms], list(np.repeat(list(field.sites), 8 * 16)))
                    for site, names in field.sites.items():
                        for one in names:
                            coverage = f"coverage_{one}" + (f"_{site}" if len(field.sites) > 1 else "")
                            of_site = [kind for kind, (_, _, its) in zip(kinds, atoms) if its == site]
                            self.assertAlmostEqual(of_site.count(one) / 128, run.observables[coverage].value[-1, replica])
        cell, site = field.sides[0], field.positions[0]
        self.assertEqual((list(cell), list(site)), ([2, 0, 0], [0.25, 0.5, 0.2]))

    def test_csv_has_them_too(self):
        (path,), _ = self.export("honeycomb_dimers.h5", "state", "--to", "csv", "--row", "-1", "--replica", "1")
        with open(self.path(path), encoding="utf-8", newline="") as file:
            head, *lines = csv.reader(file)
        self.assertEqual(head, ["time (1/k_a)", "replica", "x", "y", "site", "species"])
        _, atoms = self.atoms(self.export("honeycomb_dimers.h5", "--to", "extxyz", "--overwrite")[0][1])
        np.testing.assert_allclose([[float(x), float(y)] for _, _, x, y, _, _ in lines], [place[:2] for _, place, _ in atoms], rtol=1e-12)
        self.assertEqual([(species, site) for *_, site, species in lines], [(kind, site) for kind, _, site in atoms])

    def test_vtkhdf_has_them_too(self):
        for name in self.MODELS:
            (path,), _ = self.export(name + ".h5", "--to", "vtkhdf", "--overwrite")
            paths, _ = self.export(name + ".h5", "--to", "extxyz", "--overwrite")
            with h5py.File(self.path(path)) as file:
                shown = file["VTKHDF"]
                self.assertEqual((shown.attrs["Type"], shown["Steps"].attrs["NSteps"]), (b"PolyData", 2))
                self.assertEqual(list(shown["Steps/PointOffsets"]), [0, 0])
                for replica, of_it in enumerate(paths):
                    _, atoms = self.atoms(of_it)
                    np.testing.assert_allclose(shown["Points"][()], [place for _, place, _ in atoms], rtol=1e-6)
                    (array,) = (one for one in shown["PointData"] if one.startswith(f"species_{replica} ("))
                    names = dict(one.split() for one in array.partition("(")[2].rstrip(")").split(", "))
                    first = shown["Steps/PointDataOffsets"][array][-1]
                    numbers = shown["PointData"][array][first : first + len(atoms)]
                    self.assertEqual([names[str(one)] for one in numbers], [kind for kind, _, _ in atoms])
        with h5py.File(self.path("zgb.h5")) as file:
            shown = file["VTKHDF"]
            np.testing.assert_array_equal(shown.attrs["Spacing"], [2, 3, 1])
        with h5py.File(self.path("honeycomb_dimers.h5")) as file:
            self.assertNotIn("VTKHDF", file)  # it would be an image of rectangles


if __name__ == "__main__":
    unittest.main()
