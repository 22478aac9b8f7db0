# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""tessera_io reads what the program wrote."""

import json
import os

import h5py
import numpy as np
import program
import tessera_io
from tessera_io.described import describe


class ThreeDimensions(program.InFolder):
    words = "kmc --model ising --coupling 0.05 --magnetisation 0.2 --lattice fcc --size 6,8,10 --replicas 2"
    runs = (f"{words} --until-time 2 --output space.h5", f"{words} --until-time 4 --measure-every 1 --field-every 2 --output whole.h5")

    def test_fields_have_three_axes_and_the_averages_of_the_observables(self):
        with tessera_io.open(self.path("whole.h5")) as run:
            field = run.fields["spin"]
            self.assertEqual((field.shape, field.replicas, len(field)), ((20, 16, 6), 2, 3))
            for row, measured in ((0, 0), (1, 2), (-1, -1)):
                for replica in (0, 1):
                    spins = field.snapshot(row, replica)
                    self.assertEqual(set(np.unique(spins)), {-1, 1})
                    self.assertAlmostEqual(spins.mean(), run.observables["magnetisation"].value[measured, replica], 12)

    def test_restart_gives_the_run_without_a_stop(self):
        program.run(["kmc", "--restart", "space.h5", "--until-time", "4"], self.folder)
        with tessera_io.open(self.path("space.h5")) as run, tessera_io.open(self.path("whole.h5")) as whole:
            np.testing.assert_array_equal(run.fields["spin"].snapshots(), whole.fields["spin"].snapshots())
            for name in ("energy", "events"):
                np.testing.assert_array_equal(run.observables[name].value[-1], whole.observables[name].value[-1])


class OneSystem(program.InFolder):
    @classmethod
    def prepare(cls):
        words = "kmc --size 32,16 --phi 1 --seed 3 --until-time 10 --measure-every 2.5 --field-every 5 --record-steps --json"
        cls.summary = json.loads(program.run([*words.split(), "--output", "run#1.h5"], cls.folder))
        cls.run_ = tessera_io.open(cls.path("run#1.h5"))
        cls.addClassCleanup(cls.run_.close)

    def test_observables_end_with_what_the_program_printed(self):
        self.assertEqual(set(self.run_.observables), set(self.summary["observables"]))
        for name, value in self.summary["observables"].items():
            observable = self.run_.observables[name]
            np.testing.assert_array_equal(observable.time, [0, 2.5, 5, 7.5, 10])
            self.assertEqual(observable.mean[-1], value, name)
            self.assertTrue(np.isnan(observable.error).all(), name)
            self.assertEqual((observable.replicas, len(observable)), (1, 5))
        self.assertEqual(self.run_.observables["roughness"].unit, "layers^2")
        self.assertEqual(self.run_.observables["skewness"].unit, "")
        self.assertEqual({self.run_.observables[name].time_unit for name in self.run_.observables}, {"1/k_2"})

    def test_field_is_the_surface_of_the_observables(self):
        field = self.run_.fields["height"]
        self.assertEqual((field.shape, field.replicas, len(field)), ((16, 32), 1, 3))
        self.assertEqual((field.unit, field.time_unit), ("layers", "1/k_2"))
        np.testing.assert_array_equal(field.time, [0, 5, 10])
        for row, measured in ((0, 0), (1, 2), (-1, -1)):
            surface = field.snapshot(row)
            self.assertAlmostEqual(surface.mean(), self.run_.observables["height_mean"].mean[measured], 12)
            self.assertAlmostEqual(surface.var(), self.run_.observables["roughness"].mean[measured], 12)
        self.assertEqual(field.row_at(6), 1)
        for row, replica in ((3, 0), (-4, 0), (0, 1), (0, -1)):
            with self.assertRaises(IndexError):
                field.snapshot(row, replica)

    def test_history_counts_the_events(self):
        steps = self.run_.history["steps"]
        accepted = steps["accepted"] == 1
        self.assertEqual(steps["events"][accepted].sum(), self.summary["observables"]["events"])
        self.assertEqual(accepted.sum(), self.summary["observables"]["accepted_steps"])

    def test_provenance_and_input(self):
        self.assertEqual(self.run_.method, "kmc")
        self.assertEqual(self.run_.provenance["backend"], self.summary["backend"])
        self.assertEqual(self.run_.provenance["version"], self.run_.version)
        self.assertIn("--size 32,16", self.run_.provenance["command_line"])
        self.assertEqual(float(self.run_.input["until-time"]), 10)
        self.assertEqual(self.run_.input["size"], "32,16")
        self.assertEqual(self.run_.input["output"], "run#1.h5")
        self.assertEqual((self.run_.replicas, self.run_.restarts), (1, []))

    def test_unknown_names_are_refused_with_the_valid_ones(self):
        with self.assertRaisesRegex(tessera_io.TesseraFileError, "no observable 'rough'; it has .*roughness"):
            self.run_.observables["rough"]
        with self.assertRaisesRegex(KeyError, "no group of particles 'disks'; it has none"):
            self.run_.particles["disks"]


class Descriptions(program.InFolder):
    TEXT = """species CO: #ff0000
site a: empty, CO
base 2
position 0.5 0.5 0
site b: empty, CO, O
base 4
position 0 0 0
cell 2 0 0 1 1.5 0 0 0 1
parameter k = 1
process up: empty@a + empty@b.(1,0) -> CO@a + empty@b.(1,0), rate 0.5, step both, reverse of down, 1 for turnover_CO
process down: CO@a -> empty@a, rate 1, reverse of up
"""

    def test_of_the_text_of_earlier_files(self):
        with h5py.File(self.path("earlier.h5"), "w") as file:
            file["provenance/model"] = self.TEXT
            found = describe(file)
            self.assertEqual((found["colours"], found["cell"]), ({"CO": "#ff0000"}, [[2, 0, 0], [1, 1.5, 0], [0, 0, 1]]))
            self.assertEqual(found["sites"][1], {"name": "b", "species": ["empty", "CO", "O"], "base": 4, "position": [0, 0, 0]})
            up = {"name": "up", "step": "both", "reverse": "down", "sites": ["a", "b"]}
            self.assertEqual(found["processes"], [up, {"name": "down", "step": "down", "reverse": "up", "sites": ["a"]}])
            self.assertEqual((found.title("step_fraction"), found.is_counter("events")), ("step fraction", False))
            file["provenance/restarts/1/model"] = '{"title": "new"}'  # of a restart by this version
            self.assertEqual(describe(file), {"title": "new"})

    def test_of_a_file_name_what_it_has(self):
        program.run("kmc --model epitaxy --size 16 --until-time 0.01 --output new.h5 --quiet".split(), self.folder)
        with tessera_io.open(self.path("new.h5")) as run:
            data = run.description
            self.assertEqual((data["method"], data["title"]), ("kinetic Monte Carlo", "molecular-beam epitaxy"))
            self.assertEqual((data.symbol("flux"), data.unit("flux"), data.unit("phi")), ("F", "layers/s", ""))
            self.assertIn("phi", data["without_effect"])
            self.assertEqual(run.observables["roughness"].title, "roughness $W^2$")
            self.assertTrue(data.is_counter("hops") and not data.is_counter("island_density"))


class Replicas(program.InFolder):
    runs = (
        "kmc --size 16 --replicas 3 --until-events-per-site 5 --measure-every 4 --output three.h5",
        "kmc --restart three.h5 --until-events-per-site 8",
        "kmc --size 16 --seed 2 --until-events-per-site 5 --output second.h5",
    )

    def test_mean_and_error_equal_those_of_the_file(self):
        with tessera_io.open(self.path("three.h5")) as run:
            self.assertEqual(run.replicas, 3)
            for name, observable in run.observables.items():
                group = run.hdf5["observables" if name in run.hdf5["observables"] else "diagnostics"][name]
                if name in ("skewness", "kurtosis"):
                    np.testing.assert_array_equal(observable.mean, group["value"][()])
                    np.testing.assert_array_equal(observable.error, group["error"][()])
                    continue
                self.assertEqual(observable.value.shape, (len(observable), 3))
                np.testing.assert_allclose(observable.mean, group["mean"][()], rtol=1e-12)
                np.testing.assert_allclose(observable.error, group["error"][()], rtol=1e-9, atol=1e-12)

    def test_times_of_replicas_that_differ(self):
        with tessera_io.open(self.path("three.h5")) as run:
            roughness = run.observables["roughness"]
            self.assertEqual(roughness.times.shape, roughness.value.shape)
            self.assertGreater(np.ptp(roughness.times[-1]), 0)
            np.testing.assert_allclose(roughness.time, roughness.times.mean(axis=1))

    def test_skewness_and_kurtosis_are_of_all_replicas_together(self):
        with tessera_io.open(self.path("three.h5")) as run:
            roughness = run.observables["roughness"]
            moments = np.array([run.observables[name].value for name in ("roughness", "moment_3", "moment_4")])[:, 1:]
            left_out = [moments[:, :, np.arange(3) != r].mean(axis=2) for r in range(3)]
            for name, of in (("skewness", lambda m: m[1] / m[0] ** 1.5), ("kurtosis", lambda m: m[2] / m[0] ** 2 - 3)):
                observable = run.observables[name]
                self.assertTrue(np.isnan(observable.mean[0]))  # of flat surfaces
                np.testing.assert_allclose(observable.mean[1:], of(moments.mean(axis=2)), rtol=1e-12)
                others = np.array([of(m) for m in left_out])
                error = np.sqrt(2 / 3 * ((others - others.mean(axis=0)) ** 2).sum(axis=0))
                np.testing.assert_allclose(observable.error[1:], error, rtol=1e-9)
                np.testing.assert_allclose(observable.time, roughness.time)

    def test_snapshots_equal_those_of_single_runs(self):
        with tessera_io.open(self.path("three.h5")) as run, tessera_io.open(self.path("second.h5")) as second:
            field = run.fields["height"]
            row = int(np.flatnonzero(field.step == 3 * 5 * 16 * 16)[0])
            np.testing.assert_array_equal(field.snapshot(row, 1), second.fields["height"].snapshot())
            self.assertEqual(field.snapshots(row).shape, (3, 16, 16))

    def test_restarts_are_listed(self):
        with tessera_io.open(self.path("three.h5")) as run:
            self.assertEqual(len(run.restarts), 1)
            self.assertIn("--restart", run.restarts[0]["command_line"])


class Octahedra(program.InFolder):
    def test_heights_agree_with_the_observables(self):
        words = "kpz --size 64,32 --replicas 2 --steps 5 --measure-times 0,1,5 --waiting-times 1 --output kpz.h5 --quiet"
        program.run(words.split(), self.folder)
        with tessera_io.open(self.path("kpz.h5")) as run:
            self.assertEqual(run.method, "kpz")
            heights = run.fields["height"].snapshots()
            self.assertEqual(heights.shape, (2, 32, 64))
            roughness = run.observables["roughness"]
            np.testing.assert_allclose(heights.var(axis=(1, 2)), roughness.value[-1], rtol=1e-12)
            self.assertIn("slope_autocorrelation_1", run.observables)
            self.assertEqual(set(run.history["beta_eff"]), {"time_before", "time", "value", "error", "propagated_error"})


class Averages(program.InFolder):
    def test_are_those_of_the_summary(self):
        words = "kmc --model ising --coupling 0.2 --size 16 --replicas 2 --until-time 140 --measure-every 1 --average-from 10 --json"
        summary = json.loads(program.run([*words.split(), "--output", "ising.h5"], self.folder))["averages"]
        with tessera_io.open(self.path("ising.h5")) as run:
            powers = {"magnetisation_abs", "magnetisation_2", "magnetisation_4", "energy_2"}
            functions = {"binder_cumulant", "susceptibility", "specific_heat"}
            self.assertEqual(set(run.averages), {"energy", "magnetisation"} | powers | functions)
            self.assertEqual(set(run.stationarity), set(run.averages))
            for name, average in run.averages.items():
                expected = (summary["observables"][name], summary["observables"][name + "_error"])
                np.testing.assert_equal((average.mean, average.error), np.array(expected, float))  # null: NaN
                if name in functions:
                    continue
                observable = run.observables[name]
                np.testing.assert_allclose(average.value, observable.value[observable.time > 10].mean(axis=0))
                self.assertEqual((average.unit, average.start), (observable.unit, 10))
            with self.assertRaisesRegex(tessera_io.TesseraFileError, "no average 'events'; it has binder_cumulant, energy"):
                run.averages["events"]

    def test_there_are_none_without_the_option(self):
        program.run("kmc --size 16 --until-time 1 --quiet --output none.h5".split(), self.folder)
        with tessera_io.open(self.path("none.h5")) as run:
            self.assertEqual(len(run.averages), 0)


class Units(program.InFolder):
    """What the documents say of units is in the file, in every dataset."""

    def check(self, words, time, units):
        program.run([*words.split(), "--quiet", "--output", "units.h5", "--overwrite"], self.folder)
        with tessera_io.open(self.path("units.h5")) as run:
            quantities = [*run.observables.values(), *run.fields.values()]
            for quantity in quantities:
                self.assertEqual(quantity.time_unit, time, quantity.name)
                self.assertEqual(quantity.unit, units.get(quantity.name, ""), quantity.name)
            self.assertLessEqual(set(units), {quantity.name for quantity in quantities})
            tables = run.hdf5.get("history", {})
            for column in (column for table in tables.values() for name, column in table.items() if name.startswith("time")):
                self.assertEqual(column.attrs["unit"].decode(), time)
            for group in run.particles.values():
                self.assertEqual((group.unit, group.time_unit), ("sigma", time))

    def test_crystal_growth(self):
        units = {"height_mean": "layers", "roughness": "layers^2", "height": "layers", "step_size": "1/k_2"}
        units |= {"moment_3": "layers^3", "moment_4": "layers^4"}
        self.check("kmc --size 16 --until-time 2 --record-steps", "1/k_2", units)
        self.check("kmc --size 16 --until-events-per-site 2 --replicas 2 --measure-every 1", "1/k_2", units)
        del units["step_size"]
        self.check("kmc --size 16 --until-time 2 --method bkl", "1/k_2", units)

    def test_ising(self):
        self.check("kmc --model ising --size 16 --until-time 2 --record-steps", "1/k_0", {"energy": "J", "energy_2": "J^2", "step_size": "1/k_0"})

    def test_potts(self):
        self.check("kmc --model potts --size 16 --until-time 2 --record-steps", "1/k_0", {"energy": "J", "energy_2": "J^2", "step_size": "1/k_0"})

    def test_kpz(self):
        units = {"height_mean": "layers", "roughness": "layers^2", "velocity": "layers/MCS", "height": "layers"}
        units |= {"moment_3": "layers^3", "moment_4": "layers^4"}
        self.check("kpz --size 32 --steps 20 --replicas 2", "MCS", units)

    def test_disks(self):
        units = {"pressure": "k_B T / sigma^2", "move_radius": "sigma"}
        units |= {"fit_r_max": "sigma", "fit_bias": "k_B T / sigma^2"}
        self.check("disks --particles 16 --sweeps 20 --sample-every 5 --field-every 10 --replicas 2", "sweeps", units)


class Disks(program.InFolder):
    words = "disks --particles 64 --packing-fraction 0.5 --sweeps 60 --sample-every 5 --field-every 20 --seed 4"
    runs = (f"{words} --output one.h5", f"{words} --replicas 2 --output two.h5")

    def test_positions_do_not_overlap_in_their_box(self):
        with tessera_io.open(self.path("one.h5")) as run:
            disks = run.particles["disks"]
            self.assertEqual((disks.count, len(disks), disks.unit, disks.time_unit), (64, 4, "sigma", "sweeps"))
            np.testing.assert_array_equal(disks.time, [0, 20, 40, 60])
            for row in range(len(disks)):
                position, box = disks.position(row), disks.box(row)
                stored = run.hdf5["particles/disks/position/value"][row][:, :2]
                np.testing.assert_allclose(position, stored - box * np.floor(stored / box), atol=1e-12)
                self.assertAlmostEqual(64 * np.pi / 4 / box.prod(), 0.5, 6)
                self.assertTrue(((position >= 0) & (position < box)).all())
                bond = position[:, None] - position[None]
                bond -= box * np.rint(bond / box)
                distance = np.sqrt((bond**2).sum(-1)) + 2 * np.eye(64)
                self.assertGreater(distance.min(), 1 - 1e-6)
            with self.assertRaisesRegex(IndexError, "row 4 of disks; valid values are 0 to 3"):
                disks.position(4)

    def test_replicas_have_their_own_groups(self):
        with tessera_io.open(self.path("one.h5")) as one, tessera_io.open(self.path("two.h5")) as two:
            self.assertEqual(set(two.particles), {"disks_0", "disks_1"})
            np.testing.assert_array_equal(two.particles["disks_0"].position(), one.particles["disks"].position())
            pressure = two.observables["pressure"]
            values = pressure.value[-1]
            self.assertAlmostEqual(pressure.error[-1], abs(values[0] - values[1]) / 2, 12)

    def test_error_of_one_replica_is_that_of_the_program(self):
        with tessera_io.open(self.path("one.h5")) as run:
            np.testing.assert_array_equal(run.observables["fit_bias"].error, run.hdf5["observables/fit_bias/error"][()])


class OtherFiles(program.InFolder):
    runs = ("kmc --size 64 --until-time 1 --output good.h5",)

    def refused(self, name, message):
        with self.assertRaisesRegex(tessera_io.TesseraFileError, f"{name}: .*{message}"):
            tessera_io.open(self.path(name))

    def test_no_file(self):
        with self.assertRaisesRegex(FileNotFoundError, "nothing.h5"):
            tessera_io.open(self.path("nothing.h5"))

    def test_folder_empty_file_and_text(self):
        os.mkdir(self.path("folder"))
        self.refused("folder", "is a folder")
        with open(self.path("empty.h5"), "wb"):
            self.refused("empty.h5", "is empty")
        program.write(self.path("text.h5"), "size = 64\n")
        self.refused("text.h5", "not an HDF5 file")

    def test_truncated_file(self):
        with open(self.path("good.h5"), "rb") as good:
            content = good.read()
        for part in (0.3, 0.9):
            with open(self.path("half.h5"), "wb") as half:
                half.write(content[: int(part * len(content))])
            self.refused("half.h5", "is truncated")

    def test_foreign_files_and_other_formats(self):
        with h5py.File(self.path("foreign.h5"), "w") as foreign:
            foreign["data"] = [1, 2, 3]
        self.refused("foreign.h5", "that Tessera did not write")
        for number in (2, 4):
            with h5py.File(self.path("other.h5"), "w") as other:
                other.attrs.update({"tessera_version": "9.0", "format_version": number, "method": "kmc"})
            self.refused("other.h5", f"format {number}; this package reads format 3 alone")
