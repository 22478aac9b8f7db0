# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Runs of kmc and of disks that start from a file, by --start and --starts."""

import os
import re
import unittest

import h5py
import numpy as np
import program

SQUARE = """[Meta]
model_name = test
model_dimension = 2

[SpeciesList]
default_species = empty

[Species empty]

[Species CO]

[Species O]

[Lattice]
cell_size = 3.5 0.0 0.0 0.0 3.5 0.0 0.0 0.0 10.0

[Layer sc]
site a = (0.5, 0.5, 0.5)

"""
TWO_SITES = SQUARE.replace("site a = (0.5, 0.5, 0.5)", "site a = (0.5, 0.5, 0.5)\nsite b = (0, 0, 0)")


def process(name, rate, condition, action):
    return f"[Process {name}]\nrate_constant = {rate}\nconditions = {condition}\nactions = {action}\n\n"


UP = process("up", 1, "empty@a", "CO@a")


def model_file(name):
    return program.read(os.path.join(program.SOURCE, "inputs", "models", name + ".ini"))


class Starts(program.InEmptyFolder):
    method = "kmc"

    def run_to(self, output, words):
        self.call(f"{self.method} --quiet --overwrite --output {output} {words}")

    def refused(self, words, *messages):
        """The run is refused in one line that has these texts, and writes nothing."""
        _, err = self.call(f"{self.method} --output refused.h5 {words}", status=2)
        self.assertEqual(err.count("\n"), 1, err)
        for message in messages:
            self.assertIn(message, err)
        self.assertNotIn("refused.h5", self.names())

    def array(self, file, dataset):
        with h5py.File(self.path(file)) as opened:
            return opened[dataset][()]

    def state(self, file):
        return self.array(file, "checkpoint/state").ravel()

    def values(self, file, name):
        return self.array(file, f"observables/{name}/value")

    def expect_equal(self, a, b, *entries):
        for entry in entries:
            np.testing.assert_array_equal(self.array(a, "checkpoint/" + entry), self.array(b, "checkpoint/" + entry), entry)


class States(Starts):
    SMALL = "--size 16 --until-time 1"

    def matrix(self, name, nx, ny, state):
        self.write(name, "".join(" ".join(str(state(x, y)) for x in range(nx)) + "\n" for y in range(ny)))

    def test_the_default_states_give_the_same_run(self):
        self.matrix("flat.txt", 16, 16, lambda x, y: (x + y) % 2)
        for method in ("tile", "waiting-time", "bkl"):
            words = f"{self.SMALL} --model octahedron --method {method} --replicas 2"
            self.run_to("own.h5", words)
            self.run_to("file.h5", words + " --start flat.txt")
            self.expect_equal("own.h5", "file.h5", "state", "time", "generator" if method == "bkl" else "stream")

    def test_the_last_states_of_a_run_are_read_once(self):
        self.run_to("first.h5", self.SMALL + " --model hopping --coverage 0.25 --replicas 2")
        self.run_to("second.h5", "--size 16 --until-time 0.001 --model hopping --replicas 2 --start first.h5")
        self.assertEqual(self.state("second.h5").sum(), 128)
        # Some particles have moved in so short a time, most have not.
        self.assertLess((self.state("first.h5") != self.state("second.h5")).sum(), 20)
        os.remove(self.path("first.h5"))
        self.call("kmc --restart second.h5 --until-time 2 --quiet")
        self.assertEqual(self.state("second.h5").sum(), 128)

    def test_obstacles_give_the_same_run_in_all_methods(self):
        self.matrix("walls.txt", 16, 16, lambda x, y: 8 if y % 8 == 7 and x % 5 != 3 else (x + y) % 2)
        gas = "--size 16 --until-time 5 --model hopping --start walls.txt --adsorption 0.1 --desorption 1"
        self.run_to("tiles.h5", gas + " --tile 8 --halo 3")
        self.run_to("sequential.h5", gas + " --method waiting-time")
        self.expect_equal("tiles.h5", "sequential.h5", "state", "time")
        walls = self.state("tiles.h5").reshape(16, 16) == 8
        y, x = np.indices((16, 16))
        np.testing.assert_array_equal(walls, (y % 8 == 7) & (x % 5 != 3))

    def test_a_file_has_one_lattice_for_all_replicas_or_one_for_each(self):
        self.run_to("two.h5", self.SMALL + " --replicas 2")
        self.run_to("one.h5", "--size 16 --until-time 1e-9 --start two.h5")
        one = self.state("one.h5")
        np.testing.assert_array_equal(one, self.state("two.h5")[:256])
        self.run_to("three.h5", "--size 16 --until-time 1e-9 --replicas 3 --start one.h5")
        np.testing.assert_array_equal(self.state("three.h5"), np.tile(one, 3))
        self.refused(self.SMALL + " --replicas 3 --start two.h5", "has lattices for 2 replicas")

    def test_a_damaged_checkpoint_is_refused(self):
        self.run_to("first.h5", self.SMALL)
        with open(self.path("first.h5"), "rb") as file:
            whole = file.read()
        wanted = self.state("first.h5").tobytes()
        self.assertEqual(whole.count(wanted), 1)
        begin = whole.index(wanted)
        for at in (begin, begin + 301, begin + len(wanted) - 1):
            with open(self.path("first.h5"), "wb") as file:
                file.write(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            self.refused(self.SMALL + " --start first.h5", "'state' does not match its checksum")
        with open(self.path("first.h5"), "wb") as file:
            file.write(whole)
        self.run_to("second.h5", self.SMALL + " --start first.h5")

    def test_a_stiff_model_reaches_exact_times(self):
        """Rates from exp(-80) to exp(80): after the quench nothing happens for a long time."""
        for method in ("tile", "waiting-time", "bkl"):
            words = f"--size 16 --model ising --coupling 20 --magnetisation 0 --seed 2 --method {method} --measure-every 2.5e11"
            self.run_to("at_once.h5", words + " --until-time 1e12")
            self.run_to("in_parts.h5", words + " --until-time 6e11")
            self.call("kmc --restart in_parts.h5 --until-time 1e12 --quiet")
            self.expect_equal("in_parts.h5", "at_once.h5", "state")
            self.assertEqual(self.array("at_once.h5", "observables/energy/time").tolist(), [0, 2.5e11, 5e11, 7.5e11, 1e12])
            self.assertLessEqual(self.values("at_once.h5", "energy")[-1], -1.75)  # ordered, or two stripes
            self.assertGreater(self.array("at_once.h5", "checkpoint/origin")[0], 0)

    def test_another_size_or_model_is_refused_with_a_remedy(self):
        self.matrix("wide.txt", 32, 16, lambda x, y: 0)
        self.matrix("three.txt", 16, 16, lambda x, y: 3 if (x, y) == (5, 7) else 0)
        for words, message in (
            ("--start wide.txt", "has 32 x 16 sites; use --size 32,16"),
            ("--model hopping --start three.txt", "row 7, column 5: 3 is not a state of this model"),
            ("--model octahedron --start three.txt", "are not possible in this model"),
            ("--start none.npy", "none.npy: no such file"),
        ):
            self.refused(f"{self.SMALL} {words}", message)


class Names(Starts):
    """States are those of the same names."""

    def first(self, model, words):
        self.write("model.ini", model)
        self.run_to("first.h5", "--processes model.ini " + words)

    def expect_kept(self, names, model, words):
        """second.h5 begins with the values at the end of first.h5."""
        self.write("model.ini", model)
        self.run_to("second.h5", "--processes model.ini --start first.h5 --until-time 1e-20 " + words)
        for name in names.split():
            last = self.values("first.h5", name)[-1]
            self.assertEqual(self.values("second.h5", name)[0], last, name)
            self.assertNotEqual(last, 0, name)

    def test_a_model_with_more_species_and_sites_in_another_order_keeps_them(self):
        original = model_file("co_oxidation_ruo2")
        self.first(original, "--size 20 --until-time 3e-9")
        with_x = original.replace("[Species empty]", "[Species X]\n\n[Species empty]", 1)
        with_x = with_x.replace("[Process ", process("X_ads", 1e-9, "empty@cus", "X@cus") + "[Process ", 1)
        exchanged = re.sub(r"^(site .*\n(?:(?!site ).*\n)*)(site .*\n)", r"\2\1", original, count=1, flags=re.MULTILINE)
        self.assertNotEqual(exchanged, original)
        names = "coverage_CO_bridge coverage_O_bridge coverage_CO_cus coverage_O_cus coverage_empty_cus"
        for model in (original, with_x, exchanged):
            self.expect_kept(names, model, "--size 20")
            self.assertEqual(len(self.values("second.h5", "coverage_CO_bridge")), 2)
        os.remove(self.path("first.h5"))
        self.call("kmc --restart second.h5 --until-time 1e-19 --quiet")

    def test_states_with_bits_for_each_site_are_kept(self):
        original = model_file("oxygen_pd100")
        self.first(original, "--size 24 --until-time 1e-6")
        empty, oxygen, end = original.index("[Species empty]"), original.index("[Species O]"), original.index("[", original.index("[Species O]") + 1)
        other = original[:empty] + "[Species C]\n\n" + original[oxygen:end] + original[empty:oxygen] + original[end:]
        for method in ("tile", "waiting-time"):
            self.expect_kept("coverage_O energy", other, "--size 24 --method " + method)

    def test_species_that_no_process_produces_are_allowed(self):
        self.first(SQUARE + UP, "--size 16 --until-time 0.5")
        self.expect_kept("coverage_CO", SQUARE + process("down", 1, "CO@a", "empty@a"), "--size 16")
        self.assertIn(b"start-species = CO@a,empty@a\n", self.array("second.h5", "provenance/input"))

    def test_what_has_no_counterpart_is_refused_with_its_number_of_cells(self):
        self.first(TWO_SITES + UP + process("b_on", 1, "empty@b", "O@b"), "--size 16 --until-time 50")
        words = "--until-time 1 --start first.h5 --processes model.ini --size 16"
        for model, message in (
            (
                TWO_SITES.replace("[Species O]", "[Species N]"),
                "--start first.h5: 256 of 256 cells hold O@b: must be a species for site b of each cell; valid are empty",
            ),
            (SQUARE, "--start first.h5: 256 of 256 cells hold O@b: this model has no site b"),
            (TWO_SITES.replace("0.0 3.5 0.0", "0.0 4.2 0.0"), "its unit cell has sides of ratio 1 at 90 degrees, that of this model 1.2 at 90 degrees"),
        ):
            self.write("model.ini", model + UP)
            self.refused(words, message)
        third = TWO_SITES.replace("site b", "site c = (0.2, 0, 0)\nsite b") + UP
        self.expect_kept("coverage_CO_a coverage_O_b", third, "--size 16")
        self.assertEqual(self.values("second.h5", "coverage_empty_c")[0], 1)

    def test_models_with_other_states_refuse_them(self):
        kinds = {"hopping": "gas", "kawasaki": "gas", "sos": "heights", "epitaxy": "heights", "potts": "potts", "ising": "ising"}
        for model in kinds:
            self.run_to(model + ".h5", "--size 32 --until-time 0.1 --model " + model)
            for other in kinds:
                words = f"--size 32 --until-time 0.1 --model {other} --start {model}.h5"
                if kinds[model] == kinds[other]:
                    self.run_to("other.h5", words)
                else:
                    self.refused(words, f"is an output of --model {model}, which has no states of this model")
        self.write("model.ini", model_file("zgb"))
        words = "--size 32 --until-time 0.1 --processes model.ini"
        self.refused(words + " --start hopping.h5", "is an output of --model hopping, which has no names of species")
        self.run_to("zgb.h5", words)
        for other in ("sos", "potts"):
            self.refused(f"--size 32 --until-time 1 --start zgb.h5 --model {other}", "is an output of a model file, which has no states of this model")

    def test_a_text_may_name_the_sites(self):
        self.write("s.txt", "CO@b/empty@a O/empty CO@b/empty@a empty@a/empty@b\n" * 4)
        self.first(TWO_SITES + process("on", 1e-9, "empty@a", "CO@a"), "--size 4 --start s.txt --until-time 1e-9")
        self.assertEqual(self.values("first.h5", "coverage_CO_b")[0], 0.5)
        self.assertEqual(self.values("first.h5", "coverage_O_a")[0], 0.25)
        for text, message in (("CO@b/O@b\n", "'CO@b/O@b': has a site twice"), ("CO@b/O@c\n", "this model has no site c")):
            self.write("s.txt", text)
            self.refused("--processes model.ini --size 4 --until-time 1 --start s.txt", message)

    def test_several_kinds_are_for_replicas_in_turn(self):
        four = "--size 32 --replicas 4 --until-time 1e-9 --starts "
        self.run_to("first.h5", "--model ising " + four + "random,ordered")
        spins = self.values("first.h5", "magnetisation")[0]
        self.assertEqual(spins[[1, 3]].tolist(), [1, 1])
        self.assertLess(np.abs(spins[[0, 2]]).max(), 0.19)  # six standard deviations
        self.assertNotEqual(spins[0], spins[2])
        for model in ("hopping", "kawasaki"):
            self.run_to("gas.h5", f"--coverage 0.25 --model {model} {four}ordered,random")
            bonds = self.values("gas.h5", "bonds")[0]
            self.assertEqual(bonds[0], 0.25 * 2 - 1 / 32)
            self.assertLess(abs(bonds[1] - 2 / 16), 0.07)
            self.assertEqual(bonds[2], bonds[0])
        # Two lattices of the file for the replicas 0 and 2, the other file for the replicas 1 and 3.
        self.run_to("two.h5", "--model ising --size 32 --replicas 2 --magnetisation 0 --until-time 1e-9")
        self.run_to("one.h5", "--model ising --size 32 --magnetisation -1 --until-time 1e-9")
        self.run_to("second.h5", "--model ising " + four + "two.h5,one.h5")
        (two, last), one = self.state("two.h5").reshape(2, -1), self.state("one.h5")
        np.testing.assert_array_equal(self.state("second.h5").reshape(4, -1), [two, one, last, one])
        os.remove(self.path("two.h5"))
        self.call("kmc --restart second.h5 --until-time 2e-9 --quiet")
        for words, message in (
            ("--model ising --start one.h5 --starts ordered,random", "--start and --starts cannot be combined"),
            ("--model ising --starts ordered,random", "--starts ordered,random: requires at least as many --replicas"),
            ("--model ising --starts ordered --replicas 2", "--starts ordered: must be several, separated by commas"),
            ("--model ising --starts ordered,random --replicas 2 --magnetisation 0", "has no effect: --starts gives the states"),
            ("--model ising --starts one.h5,none.h5 --replicas 2", "--starts: none.h5: no such file"),
            ("--model sos --starts ordered,random --replicas 2", "ordered: this model has no such state"),
        ):
            self.refused("--size 32 --until-time 1 " + words, message)


class Space(Starts):
    """Lattices in three dimensions."""

    SMALL = "--size 8,6,4 --until-time 1 "

    def test_own_states_give_the_same_run_by_all_methods(self):
        for words in (
            "--model ising --coupling 0.1 --magnetisation 0.4 --size 32,34,32",
            "--model potts --states 20 --coupling 0.4 --order 0.1 --size 32,32,34 --lattice bcc",
            "--model hopping --attraction 0.3 --coverage 0.3 --size 32,32,32 --lattice fcc",
        ):
            own = words + " --replicas 2 --until-time 0.1 --seed 4 "
            read = re.sub("--(magnetisation|order|coverage) [0-9.]+", "--start begin.npy", own)
            for method in ("tile", "waiting-time", "bkl"):
                self.run_to("own.h5", own + "--field-every 0.1 --method " + method)
                with h5py.File(self.path("own.h5")) as file:
                    (field,) = file["fields"].values()
                    np.save(self.path("begin.npy"), field["value"][0])
                self.run_to("file.h5", read + "--method " + method)
                entries = ["order", "generator"] if method == "bkl" else ["waiting_time"]
                self.expect_equal("own.h5", "file.h5", "state", "time", "events", "tick", *entries)
                self.assertGreater(self.array("own.h5", "checkpoint/events").min(), 100)
            self.run_to("tiles.h5", read + "--method tile")
            self.run_to("events.h5", read + "--method waiting-time")
            self.expect_equal("tiles.h5", "events.h5", "state", "waiting_time", "time", "events")

    def test_runs_of_a_model_file_continue_and_begin_from_fields_and_files(self):
        model = f"--processes {program.SOURCE}/inputs/models/alloy_bcc.ini --set vacancies=2 --size 8,6,10 --replicas 2 --track B,vacancy "
        for method in ("waiting-time", "bkl"):
            words = model + f"--method {method} --measure-every 1e-6 "
            self.run_to("whole.h5", words + "--until-time 2e-5")
            self.run_to("parts.h5", words + "--until-time 7.3e-6")
            self.call("kmc --restart parts.h5 --until-time 2e-5 --quiet")
            entries = ["order", "generator"] if method == "bkl" else ["waiting_time"]
            self.expect_equal("whole.h5", "parts.h5", "state", "time", "events", "counted_events", "tracked_B", "tracked_sums_B", *entries)
            for name in ("energy", "squared_displacement_vacancy", "events_jump_of_A"):
                np.testing.assert_array_equal(self.values("whole.h5", name)[-1], self.values("parts.h5", name)[-1])
            self.assertGreater(self.array("whole.h5", "checkpoint/events").min(), 1000)
            with h5py.File(self.path("whole.h5")) as file:
                np.save(self.path("begin.npy"), file["fields/state/value"][-1])
            for start in ("begin.npy", "whole.h5"):
                self.run_to("again.h5", words + "--until-time 1e-12 --start " + start)
                self.expect_equal("whole.h5", "again.h5", "state")
            os.remove(self.path("parts.h5"))

    def test_the_last_states_of_a_run_are_read_once(self):
        for model, lattice in (("ising", "fcc"), ("potts --states 9", "bcc"), ("hopping", "sc")):
            words = f"--size 8,6,4 --lattice {lattice} --model {model} "
            self.run_to("two.h5", words + "--replicas 2 --until-time 2")
            self.run_to("second.h5", words + "--replicas 2 --until-time 1e-9 --start two.h5")
            self.expect_equal("two.h5", "second.h5", "state")
            os.remove(self.path("two.h5"))
            self.call("kmc --restart second.h5 --until-time 1 --quiet")
            self.run_to("whole.h5", words + "--replicas 2 --until-time 1 --start second.h5 --method bkl")
            self.run_to("three.h5", words + "--replicas 3 --until-time 1e-9 --starts ordered,random")
            self.run_to("six.h5", words + "--replicas 6 --until-time 1e-9 --starts three.h5,random")
            three, six = self.array("three.h5", "checkpoint/state"), self.array("six.h5", "checkpoint/state")
            np.testing.assert_array_equal(six[[0, 2, 4]], three)

    def test_phases_are_those_of_the_model(self):
        words = "--size 16,16,16 --replicas 4 --until-time 1e-9 --starts ordered,random "
        self.run_to("ising.h5", words + "--model ising")
        spins = self.values("ising.h5", "magnetisation")[0]
        self.assertEqual(spins[[0, 2]].tolist(), [1, 1])
        self.assertLess(np.abs(spins[[1, 3]]).max(), 6 / 64)
        self.assertNotEqual(spins[1], spins[3])
        self.run_to("gas.h5", words + "--model hopping --coverage 0.25")
        gas = self.array("gas.h5", "checkpoint/state")
        np.testing.assert_array_equal(gas[0].mean(axis=(1, 2)), [1] * 4 + [0] * 12)
        self.assertEqual(gas.mean(axis=(1, 2, 3)).tolist(), [0.25] * 4)
        self.assertLess(abs(self.values("gas.h5", "bonds")[0][1] - 3 / 16), 0.03)

    def test_other_shapes_states_and_lattices_are_refused(self):
        spins = np.ones((8, 6, 4), "int8")
        for name, array in (("flat", spins[0]), ("box", spins), ("turned", spins.T), ("zero", 0 * spins), ("five", spins[None, None])):
            np.save(self.path(name + ".npy"), array)
        spins[3, 2, 1] = 3
        np.save(self.path("three.npy"), spins)
        np.save(self.path("two.npy"), np.ones((2, 4, 6, 8), "int8"))
        self.write("text.txt", "1 1\n1 1\n")
        self.run_to("plane.h5", "--model ising --size 8,6 --until-time 1")
        self.run_to("gas.h5", self.SMALL + "--model hopping")
        self.run_to("bcc.h5", "--size 8,6,4 --lattice bcc --model ising --until-time 1")
        for words, message in (
            ("flat.npy", "--start flat.npy: has the shape (6,4); it must be (nz, ny, nx) or (replicas, nz, ny, nx)"),
            ("five.npy", "five.npy: has the shape (1,1,8,6,4); it must be (nz, ny, nx)"),
            ("box.npy", "box.npy: has 4 x 6 x 8 sites, and not as many as the box along each axis"),
            ("turned.npy", "turned.npy: is in Fortran order"),
            ("zero.npy --size 4,6,8", "zero.npy: plane 0, row 0, column 0: 0 is not a state of this model"),
            ("three.npy --size 4,6,8", "three.npy: plane 3, row 2, column 1: 3 is not a state of this model"),
            ("two.npy --replicas 3", "two.npy: has lattices for 2 replicas"),
            ("text.txt", "text.txt: must be an output file of tessera kmc or an .npy file: a text has two axes"),
            ("plane.h5", "plane.h5: /checkpoint/state is not an array of lattices with 3 axes"),
            ("gas.h5", "gas.h5: is an output of --model hopping --lattice sc, which has other states or another lattice"),
            ("bcc.h5 --size 8,6,8", "bcc.h5: is an output of --model ising --lattice bcc, which has other states or another lattice"),
            ("none.npy", "none.npy: no such file"),
        ):
            size = "" if "--size" in words else "--size 8,6,4 "
            self.refused(f"--until-time 1 --model ising {size}--start {words}", message)
        self.refused("--size 8,6 --until-time 1 --model ising --start bcc.h5", "is not an array of lattices with 2 axes")


class Disks(Starts):
    method = "disks"
    SYSTEM = "--seed 5 --field-every 10 --particles 300 --packing-fraction 0.7 "

    def disks(self, file, row, group="disks"):
        """The disks of a row in an order of their own; each snapshot has another one."""
        return sorted(self.array(file, f"particles/{group}/position/value")[row][:, :2].tolist())

    def write_xyz(self, name, disks, source, diameter):
        """Writes a snapshot as extended XYZ, in another unit of length."""
        edges = self.array(source, "particles/disks/box/edges/value")[0] * diameter
        head = f'{len(disks)}\nLattice="{edges[0, 0]!r} 0 0 0 {edges[1, 1]!r} 0 0 0 1" Properties=pos:R:3:radius:R:1\n'
        self.write(name, re.sub(r"np\.float64\((.*?)\)", r"\1", head) + "".join(f"{diameter * x!r} {diameter * y!r} 0 {diameter / 2}\n" for x, y in disks))

    def test_a_snapshot_is_read_to_the_last_bit(self):
        self.run_to("first.h5", self.SYSTEM + "--sweeps 200")
        last = self.disks("first.h5", 20)
        self.run_to("last.h5", self.SYSTEM + "--sweeps 10 --start first.h5")
        self.assertEqual(self.disks("last.h5", 0), last)
        self.assertNotEqual(self.disks("last.h5", 1), last)
        for row, number in ((3, 3), (-2, 19)):
            self.run_to("row.h5", self.SYSTEM + f"--sweeps 10 --start first.h5 --start-row {row}")
            self.assertEqual(self.disks("row.h5", 0), self.disks("first.h5", number))
        for diameter in (1.0, 4.0):
            self.write_xyz("first.xyz", last, "first.h5", diameter)
            self.run_to("xyz.h5", self.SYSTEM + "--sweeps 10 --start first.xyz")
            self.assertEqual(self.disks("xyz.h5", 0), last)
        os.remove(self.path("first.h5"))
        self.call("disks --restart last.h5 --sweeps 20 --quiet")

    def test_a_file_has_one_configuration_for_all_replicas_or_one_for_each(self):
        self.run_to("two.h5", self.SYSTEM + "--sweeps 50 --replicas 2")
        self.run_to("both.h5", self.SYSTEM + "--sweeps 1 --replicas 2 --start two.h5")
        self.assertEqual(self.disks("both.h5", 0, "disks_1"), self.disks("two.h5", 5, "disks_1"))
        self.assertNotEqual(self.disks("both.h5", 0, "disks_0"), self.disks("both.h5", 0, "disks_1"))
        self.run_to("one.h5", self.SYSTEM + "--sweeps 1 --start two.h5")
        self.assertEqual(self.disks("one.h5", 0), self.disks("two.h5", 5, "disks_0"))
        self.run_to("three.h5", self.SYSTEM + "--sweeps 1 --replicas 3 --start one.h5 --start-row 0")
        for replica in range(3):
            self.assertEqual(self.disks("three.h5", 0, f"disks_{replica}"), self.disks("one.h5", 0))
        self.refused(self.SYSTEM + "--replicas 3 --start two.h5", "--start two.h5: has disks for 2 replicas; it must have disks for one replica")

    def test_it_is_the_same_in_the_sequential_method(self):
        self.run_to("first.h5", self.SYSTEM + "--method sequential --sweeps 20")
        self.run_to("second.h5", self.SYSTEM + "--method sequential --sweeps 10 --start first.h5")
        self.assertEqual(self.disks("second.h5", 0), self.disks("first.h5", 2))

    def test_another_box_or_number_is_refused_with_a_remedy(self):
        self.run_to("first.h5", self.SYSTEM + "--sweeps 20")
        disks = self.disks("first.h5", 2)
        disks[7] = [disks[5][0] + 0.5, disks[5][1]]
        self.write_xyz("overlap.xyz", disks, "first.h5", 1)
        self.call("kmc --size 8 --until-time 1 --output kmc.h5 --quiet")
        overlap = "overlap: they are 0.5 diameters apart, in lines 8 and 10\n"
        for words, *messages in (
            ("--particles 300 --packing-fraction 0.69 --start first.h5", "; use --particles 300 --packing-fraction 0.7\n"),
            ("--particles 301 --packing-fraction 0.7 --start first.h5", "has 300 disks in a box of 18.3"),
            (self.SYSTEM + "--start first.h5 --aspect 1.5", "; use --particles 300 --packing-fraction 0.7 --aspect 1\n"),
            (self.SYSTEM + "--start first.h5 --start-row 3", "--start first.h5: has 3 snapshots, and no row 3"),
            (self.SYSTEM + "--start-row 3", "--start-row 3: has no effect; it requires --start FILE"),
            (self.SYSTEM + "--start overlap.xyz", "--start overlap.xyz: disks 6 at (", "and 8 at (", overlap),
            (self.SYSTEM + "--start kmc.h5", "--start kmc.h5: has no /particles; use an output file of tessera disks"),
        ):
            self.refused(words, *messages)


if __name__ == "__main__":
    unittest.main()
