# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The parts of a sweep: values, grid, shares, records, table, progress."""

import json
import os
import unittest

import program

from tessera_io.sweeps import BadInput
from tessera_io.sweeps.folder import Folder
from tessera_io.sweeps.grid import Grid, Point, check_points, read_grid, with_settings
from tessera_io.sweeps.progress import describe
from tessera_io.sweeps.runs import share_machine
from tessera_io.sweeps.table import Row, Table, inputs_of_points
from tessera_io.text import with_error
from tessera_io.sweeps.values import settings_of, settings_of_run, values_of


def option(argument, commas=False, varies=True, course=False, value="1"):
    return {"argument": argument, "commas": commas, "varies": varies, "course": course, "value": value}


FOLDER = Folder("folder")
OPTIONS = {
    "phi": option("X"),
    "particles": option("N"),
    "size": option("NX[,NY]", commas=True, value="64"),
    "start": option("lattice|FILE", value="lattice"),
    "seed": option("N"),
    "replicas": option("R"),
    "until-time": option("TIME", course=True),
    "threads": option("N", varies=False, value="0"),
    "zip": option("A,B", varies=False, value=""),
    "same-seed": option("", varies=False, value="false"),
}


def given(**values):
    return {name: {"value": value, "where": f"--{name} {value}", "typed": True} for name, value in values.items()}


def read(**values):
    """The grid of these words."""
    same = values.pop("same_seed", "false")
    return read_grid("kmc", {**OPTIONS, "same-seed": option("", varies=False, value=same)}, given(**values))


def answer(rewrite=lambda value: value, **more):
    """In place of the program."""

    def ask(fields):
        points, values = [], {}
        words = iter(fields)
        for key in words:
            if key:
                value = next(words)
                values[key] = value if key == "output" else rewrite(value)
                next(words)
            else:
                rest = {"without_effect": {}, "course": {}, "backend": "openmp", "sequential": False, "host_memory": 1, "device_memory": 1}
                points.append({"values": values, **rest, **more})
                values = {}
        return {"points": points, "machine": {"cores": 2, "devices": 0}}

    return ask


class Values(unittest.TestCase):
    def test_are_lists_and_ranges_with_both_ends(self):
        self.assertEqual(values_of("0,1.5, 2"), ["0", "1.5", "2"])
        self.assertEqual(values_of("0.3:0.7:9"), "0.3 0.35 0.4 0.45 0.5 0.55 0.6 0.65 0.7".split())
        self.assertEqual(values_of("1:0:3,5"), ["1", "0.5", "0", "5"])
        self.assertEqual(values_of("1:2:4"), ["1", "1.33333333333", "1.66666666667", "2"])
        self.assertEqual(values_of("64:1024:5:log"), ["64", "128", "256", "512", "1024"])
        self.assertEqual(values_of("1,2\n3:5:3"), ["1", "2", "3", "4", "5"], "an option that is given twice")
        self.assertEqual(values_of("a:b,lattice", is_file=True), ["a:b", "lattice"], "names of files may have colons")

    def test_that_are_whole_keep_all_digits(self):
        self.assertEqual(values_of("1234567890121:1234567890129:3")[1], "1234567890125")
        self.assertEqual(values_of("0:18446744073709551614:3")[1], "9223372036854775807")
        self.assertEqual(values_of("1:1152921504606846976:61:log"), [str(2**i) for i in range(61)])
        self.assertNotEqual(float(values_of("1234567890121:1234567890122:3")[1]) % 1, 0, "no seed, rather than another one")

    def test_with_commas_are_separated_by_semicolons(self):
        self.assertEqual(values_of("64,128", commas=True), ["64,128"])
        self.assertEqual(values_of("64;64,128;32:128:3:log", commas=True), ["64", "64,128", "32", "64", "128"])
        self.assertEqual(values_of("1;2"), ["1", "2"])

    def test_of_functions_may_have_commas_and_colons_in_parentheses(self):
        table = "table(0: 300, 20: f(1, 2))"
        self.assertEqual(settings_of(f"T={table},p=1,2"), ({"T": [table], "p": ["1", "2"]}, []))
        self.assertEqual(settings_of(f"T={table};T=300 + 5*time"), ({"T": [table, "300 + 5*time"]}, []))
        self.assertEqual(settings_of_run(f"T={table},p=2"), {"T": table, "p": "2"})

    def test_that_are_invalid_are_refused(self):
        wrong = "1:2 1:2:3:4 1:2:1 1:2:2.5 a:b:3 0:1:3:log 1,,2 1, 1:inf:3 1:2:100001 1:2:1e999999999 1:1e-999999999:3:log 1:1_0:3 1:2:1e300".split()
        for text in wrong:
            with self.assertRaises(ValueError, msg=text):
                values_of(text)


class Settings(unittest.TestCase):
    def test_are_axes_in_any_order_of_fixed_values_lists_and_ranges(self):
        grid = {"T": ["450", "550", "650"], "p": ["2"]}
        for text in ("T=450:650:3,p=2", "p=2,T=450:650:3", "p=2,T=450,550,650", "p=2\nT=450:650:3", "T=450;T=550;T=650\np=2", "p = 2; T = 450:650:3"):
            self.assertEqual(settings_of(text), (grid, []), text)
        self.assertEqual(settings_of("y=0.4:0.5:2;k=1e3:1e4:2:log"), ({"y": ["0.4", "0.5"], "k": ["1e3", "1e4"]}, []), "a grid")

    def test_that_are_listed_are_points(self):
        self.assertEqual(settings_of("T=450,p=2;p=1,T=500"), ({"T": ["450", "500"], "p": ["2", "1"]}, [["T", "p"]]))
        listed = settings_of("T=450,p=2;T=500:600:2,p=2\nk=1,2")
        self.assertEqual(listed, ({"T": ["450", "500", "600"], "p": ["2"], "k": ["1", "2"]}, []), "p does not vary")

    def test_that_are_invalid_are_refused(self):
        for text in ("T", "=1", "T=", "T=1,T=2", "T=1\nT=2", "T=1,p=2;T=3", "T=1:2", ""):
            with self.assertRaises(ValueError, msg=text):
                settings_of(text)

    def test_are_options_like_any_other(self):
        def grid_of(before="", more=None, **words):
            words = given(**words)
            words["set"] |= {"before": before} if before else {}
            options, words = with_settings({"set": option("NAME=VALUE", commas=True, value=""), **OPTIONS}, words)
            grid = read_grid("kmc", options, words)
            return grid, check_points(grid, options, words, more or answer(), FOLDER)[0], options

        grid, points, options = grid_of(set="size=1:2:2,p=2,T=450,500", size="16;32")
        names = ["T=450_set-size=1_size=16", "T=450_set-size=1_size=32", "T=450_set-size=2_size=16"]
        self.assertEqual([point.name for point in points][:3], names)
        self.assertEqual(points[0].arguments[2:], ["--set", "p=2,T=450,size=1", "--size", "16"])
        lines = grid.input(options)
        self.assertIn("set = T=450,500\nset = p=2\nset = size=1,2\n", lines)
        again = with_settings({"set": option("NAME=VALUE"), **OPTIONS}, given(set="T=450,500\np=2\nsize=1,2", size="16;32"))
        self.assertEqual(read_grid("kmc", *again), grid)
        zipped, points, options = grid_of(set="p_CO=1,2;p_CO=3", seed="1,2,3", zip="p_CO,seed")
        self.assertEqual((zipped.zip(), points[2].name), ("p_CO,seed", "p_CO=3_seed=3"))
        listed, points, options = grid_of(set="T=450,p=2;T=500,p=1", seed="1,2", zip="seed,T")
        self.assertEqual((listed.zip(), len(points)), ("T,p,seed", 2))
        over, points, options = grid_of("T=1,p=2;T=2,p=1\nq=1:3:3", set="p=7", seed="1,2")
        self.assertEqual((over.fixed, over.zipped, list(over.axes)), ({"set p": "7"}, [], ["set T", "set q", "seed"]))
        with self.assertRaisesRegex(BadInput, "^--set T=1,1.0: the value 1.0 is given twice$"):
            grid_of(set="T=1,1.0", more=answer(lambda value: f"T={float(value[2:])}"))
        with self.assertRaisesRegex(BadInput, "^--set T: must be NAME=VALUES"):
            grid_of(set="T")

    def test_of_model_files_are_named_by_their_files(self):
        options = {**OPTIONS, "processes": option("FILE", commas=True, value="")}
        words = given(processes="./a.ini\nmodels/b.ini")
        grid = read_grid("kmc", options, words)
        points, _ = check_points(grid, options, words, answer(lambda path: f"\\n[Meta]\\nmodel_name = {path[-5]}"), FOLDER)
        self.assertEqual([point.name for point in points], ["processes=a.ini", "processes=models-b.ini"])
        self.assertEqual(points[1].title, "processes = models/b.ini")
        self.assertEqual(points[0].arguments[-1], "\\n\\h a.ini\\n[Meta]\\nmodel_name = a")
        self.assertEqual(list(inputs_of_points(grid).values()), [{"processes": "a.ini"}, {"processes": "models/b.ini"}])
        text = dict(line.split(" = ", 1) for line in grid.input(options).splitlines()[1:])["processes"]
        again, words = read_grid("kmc", options, given(processes=text)), given(processes=text)
        check_points(again, options, words, answer(), FOLDER)
        self.assertEqual(again, grid)


class Grids(unittest.TestCase):
    def refusal(self, ask=None, **values):
        with self.assertRaises(BadInput) as caught:
            grid = read_grid("kmc", OPTIONS, given(**values))
            check_points(grid, OPTIONS, given(**values), ask or answer(), FOLDER)
        return str(caught.exception)

    def test_are_all_combinations_in_the_order_of_the_options(self):
        words = given(**{"size": "64;32,16", "phi": "0,0.50", "until-time": "7", "threads": "1"})
        grid = read_grid("kmc", OPTIONS, words)
        points, machine = check_points(grid, OPTIONS, words, answer(lambda value: value.replace("0.50", "0.5")), FOLDER)
        self.assertEqual((len(grid), machine["cores"]), (4, 2))
        self.assertEqual([point.name for point in points[:2]], ["phi=0_size=64", "phi=0_size=32,16"])
        self.assertEqual((points[3].name, points[2].title), ("phi=0.5_size=32,16", "phi = 0.5, size = 64"))
        self.assertEqual(points[3].arguments, ["--seed", points[3].seed, "--until-time", "7", "--phi", "0.5", "--size", "32,16"])

    def test_are_refused_without_any(self):
        self.assertIn("no option has several values", self.refusal(phi="1", size="64,128"))
        same = answer(lambda value: str(float(value)))
        self.assertEqual(self.refusal(same, phi="1,1.0"), "--phi 1,1.0: the value 1.0 is given twice")
        self.assertIn("100000 points", self.refusal(phi="0:1:1000", particles="1:1000:1000"))
        self.assertIn("same file name", self.refusal(start="a/b,a-b"))

    def test_omit_options_without_effect_unless_they_vary(self):
        idle = answer(without_effect={"particles": "has no effect"})
        self.assertEqual(self.refusal(idle, phi="1,2", particles="5"), "--particles 5: has no effect")
        self.assertIn("has no effect (at the point particles = 5", self.refusal(idle, particles="5,6"))

    def test_have_no_replicas_in_common(self):
        message = self.refusal(seed="1:4:4", replicas="3")
        self.assertTrue(message.startswith("--seed 1:4:4: replica r has the seed") and message.endswith("--seed 1:10:4"), message)
        self.assertIn("--seed 5,1", self.refusal(seed="5,1", replicas="1;5", zip="seed,replicas"))
        for seeds in ("1:10:4", "7,1,4"):
            words = given(seed=seeds, replicas="3")
            check_points(read_grid("kmc", OPTIONS, words), OPTIONS, words, answer(), FOLDER)


    def test_zip_options_and_combine_them_with_others(self):
        words = given(phi="0,1,1", start="a,b,c", size="64;32", zip="start,phi")
        grid = read_grid("kmc", OPTIONS, words)
        points, _ = check_points(grid, OPTIONS, words, answer(), FOLDER)
        names = [f"phi={phi}_size={size}_start={start}" for phi, start in (("0", "a"), ("1", "b"), ("1", "c")) for size in (64, 32)]
        self.assertEqual(([point.name for point in points], len(grid)), (names, 6))
        self.assertIn("zip = phi,start\n", grid.input(OPTIONS))
        self.assertEqual(read(phi="0,1", start="a,b", zip="phi;start").zip(), "phi,start", "a list from Python")
        self.assertEqual(len(read(phi="0,1", start="a,b", size="64;32", particles="1,2", zip="phi,start;size,particles")), 4)
        for more, message in (
            ({"zip": "phi"}, "--zip phi: phi has 3 values; zip two or more options with equal numbers of values"),
            ({"zip": "phi,size"}, "--zip phi,size: phi has 3 values and size has 2 values; zip"),
            ({"zip": "phi,seed"}, "--zip phi,seed: 'seed' does not have several values; those that have are phi, size, start"),
            ({"zip": "phi,start;start,phi"}, "--zip phi,start;start,phi: phi is named twice"),
            ({"zip": "phi,start", "start": "a,b,b"}, "--phi 0,1,1: the value 1 with b is given twice"),
        ):
            self.assertTrue(self.refusal(**{"phi": "0,1,1", "start": "a,b,c", "size": "64;32", **more}).startswith(message), message)

    def test_give_each_point_a_seed_independent_of_other_points(self):
        def seeds(**values):
            same = values.pop("same_seed", "false")
            grid, words = read(same_seed=same, **values), given(**values)
            return {point.name: point.seed for point in check_points(grid, OPTIONS, words, answer(), FOLDER)[0]}

        few, many = seeds(phi="0,1", size="16;32", replicas="9"), seeds(phi="0,0.5,1,2", size="16;32;64", replicas="9")
        self.assertEqual(len(set(many.values())), 12)
        self.assertEqual(few, {name: many[name] for name in few})
        self.assertFalse(set(few.values()) & set(seeds(phi="0,1", size="16;32", replicas="9", seed="2").values()))
        self.assertEqual(few["phi=0_size=16"], "7729094720774776", "as in every version")
        self.assertEqual(max(float(seed) == int(seed) < 2**53 for seed in many.values()), True)
        self.assertEqual(set(seeds(phi="0,1", seed="7", same_seed="true").values()), {"7"})
        self.assertEqual(list(seeds(seed="3,5").values()), ["3", "5"])
        self.assertEqual(list(seeds(seed="3,5", phi="1,2", zip="seed,phi").values()), ["3", "5"])
        self.assertEqual(list(seeds(seed="3,5", phi="1,2", same_seed="true").values()), ["3", "5"] * 2)
        both = seeds(seed="3,5", phi="1,2")
        self.assertEqual(len(set(both.values()) - {"3", "5"}), 4)


def point_on(backend, memory=1):
    return Point("", "", "1", [], "", backend, False, memory, memory)


class Shares(unittest.TestCase):
    def test_are_a_core_a_run_or_more_if_there_are_few_runs(self):
        machine = {"cores": 8, "devices": 0, "memory": 1000}

        def share(points, jobs=0, threads=0, **changed):
            return share_machine({**machine, **changed}, [point_on("openmp", 20)] * points, jobs, threads)

        self.assertEqual((share(20).jobs, share(20).threads), (8, 1))
        self.assertEqual((share(3).jobs, share(3).threads), (3, 2))
        self.assertEqual(share(20, threads=4).jobs, 2)
        self.assertEqual(share(20, jobs=2).threads, 4)
        self.assertEqual(share(20, jobs=16, threads=1).jobs, 16, "as asked for")
        self.assertEqual(share(20, memory=65).jobs, 3, "that have room for 20 bytes each")
        self.assertEqual(share(20, memory=5).jobs, 1)

    def test_are_a_device_a_run(self):
        machine, points = {"cores": 64, "devices": 4}, [point_on("cuda")] * 9
        self.assertEqual(share_machine(machine, points).jobs, 4)
        self.assertEqual(share_machine(machine, points).devices, [0, 1, 2, 3])
        self.assertEqual(share_machine(machine, points, devices=[2, 3]).jobs, 2)
        self.assertEqual(share_machine(machine, points, jobs=8, devices=[2, 3]).jobs, 8)
        with self.assertRaises(BadInput):
            share_machine(machine, points, devices=[4])


SUMMARY = {"finished": True, "time": 5, "wall_seconds": 1, "observables": {"roughness": 0.5, "roughness_error": None}, "units": {"roughness": "layers^2"}}


class Records(program.InEmptyFolder):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("points"))
        self.sweep = Folder(self.folder)
        self.point = point_on("openmp")
        self.point.name, self.point.course = "a", "until-time = 5\n"
        self.file = self.sweep.file("points/a.json")

    def damage(self, before, after):
        text = program.read(self.file)
        self.assertIn(before, text)
        program.write(self.file, text.replace(before, after, 1))

    def test_that_are_damaged_are_missing(self):
        self.assertIsNone(self.sweep.record("a"))
        for before, after in (("0.5", "0.7"), ("}", ""), ("true", "1"), ('"time"', '"tame"'), ("layers", "pears"), ("until-time = 5", "until-time = 6")):
            self.assertTrue(self.sweep.write_record(self.point, json.dumps(SUMMARY)))
            self.assertEqual(self.sweep.record("a")["summary"]["time"], "5")
            self.damage(before, after)
            self.assertIsNone(self.sweep.record("a"), f"{before} -> {after}")

    def test_that_are_nested_too_deeply_or_no_regular_files_are_missing(self):
        program.write(self.file, "[" * 100_000)
        self.assertIsNone(self.sweep.record("a"))
        for make in (os.mkfifo, lambda path: os.symlink("/dev/zero", path)):
            os.remove(self.file)
            make(self.file)
            self.assertIsNone(self.sweep.record("a"))
        os.mkfifo(self.sweep.file("sweep.ini"))
        with self.assertRaisesRegex(BadInput, "is not the folder of a sweep"):
            self.sweep.method()

    def test_are_finished_if_they_have_an_output(self):
        self.assertTrue(self.sweep.write_record(self.point, json.dumps(SUMMARY)))
        self.assertFalse(self.sweep.is_finished(self.point), "there is no output")
        open(self.sweep.output("a"), "w", encoding="utf-8").close()
        self.assertTrue(self.sweep.is_finished(self.point))
        self.damage('"checksum": ', '"sum": ')
        self.assertFalse(self.sweep.is_finished(self.point))

    def test_are_not_made_of_invalid_summaries(self):
        others = [json.dumps({**SUMMARY, **other}) for other in ({"observables": [1]}, {"time": "late"}, {"finished": "yes"})]
        for text in ("", "{}", "Kokkos::OpenMP\n" + json.dumps(SUMMARY), *others):
            self.assertFalse(self.sweep.write_record(self.point, text), text)
        self.assertFalse(os.path.exists(self.file))

    def test_are_refused_if_their_names_are_too_long_for_files(self):
        self.sweep.check_names([self.point])
        self.point.name = "measure-times=" + "1,2,3," * 40
        with self.assertRaisesRegex(BadInput, "have 254 characters"):
            self.sweep.check_names([self.point])


class Tables(unittest.TestCase):
    def test_have_errors_of_the_last_digits(self):
        for value, error, text in (
            ("6.9451", "0.0294", "6.945(29)"),
            ("6.9451", "0.0394", "6.95(4)"),
            ("-2.225", "0.5432", "-2.2(5)"),
            ("40.2", "1.84", "40.2(18)"),
            ("1234567", "4321", "1.235(4)e6"),
            ("0.5", None, "0.5"),
            ("-9e-7", "3e-6", "-1(3)e-6"),
            ("0.5", "0", "0.5"),
            (None, None, "-"),
        ):
            self.assertEqual(with_error(value, error), text)

    def test_have_a_line_for_each_point(self):
        summary = {"finished": True, "time": "5", "observables": {"roughness": "0.5", "roughness_error": "0.25"}}
        summary |= {"units": {"roughness": "layers^2"}, "averages": {"observables": {"energy": "2", "energy_error": None, "energy_tau": "3", "energy_tau_error": "0.5"}}}
        rows = [Row("a", ("0", "64,32"), {"summary": summary}, "7"), Row("b", ("1", "64"), None, "8")]
        table = Table(Grid("kmc", {}, {"phi": ["0", "1"], "size": ["64,32", "64"]}), rows)
        self.assertEqual(
            table.csv(),
            "phi,size,point,finished,time,point_seed,roughness,roughness_error,roughness_unit,average_energy,average_energy_error,average_energy_unit,"
            "average_energy_stationarity,average_energy_tau,average_energy_tau_error\n"
            '0,"64,32",a,1,5,7,0.5,0.25,layers^2,2,,,,3,0.5\n'
            "1,64,b,0,,8,,,layers^2,,,,,,\n",
        )

    def test_have_the_known_bias_with_an_explanation(self):
        bias = {"growth_percent": "-0.9", "growth_percent_error": "0.1", "growth_from_time": "64", "source": "docs/kpz_exact.md"}
        biases = [{**bias, "steady_percent": "-1.1", "steady_percent_error": "0.1"}, {**bias, "steady_percent": None, "steady_percent_error": None}]
        summary = {"observables": {"roughness": "2", "velocity": "1"}, "units": {}, "finished": True, "time": "5", "seed": "1"}
        sizes = {"32": {"roughness": biases[0]}, "256": {"roughness": biases[1]}, "q": {}}  # the last one is exact
        rows = [Row(size, (size,), {"summary": {**summary, "known_bias": known}}, "7") for size, known in sizes.items()]
        rows.append(Row("1024", ("1024",), None, "7"))
        table = Table(Grid("kpz", {}, {"size": [*sizes, "1024"]}), rows)
        lines = table.csv().splitlines()
        self.assertEqual(lines[0].split(",")[-4:], [f"known_bias_roughness_{name}_percent{error}" for name in ("growth", "steady") for error in ("", "_error")])
        self.assertEqual([line.split(",")[-4:] for line in lines[1:3]], [["-0.9", "0.1", "-1.1", "0.1"], ["-0.9", "0.1", "", ""]])
        self.assertEqual([line.split(",")[-4:] for line in lines[3:]], [[""] * 4, [""] * 4])
        text = table.text(100)
        self.assertRegex(text, r"roughness +bias_growth +bias_steady +velocity")
        self.assertRegex(text, r"\n  32 +2 +-0\.90\(10\) +-1\.10\(10\) +1 .*\n  256 +2 +-0\.90\(10\) +- +1 .*\n  q +2 +- +- +1 ")
        self.assertIn(
            "  bias_growth, bias_steady: of roughness, its known deviation from the exact process in growth from time 64 on and in the steady state; "
            "-: unknown (docs/kpz_exact.md)\n",
            text,
        )
        self.assertNotIn("bias", Table(Grid("kpz", {}, {"size": ["q"]}), rows[2:3]).text(100))
        both = Row("32", ("32",), {"summary": {**summary, "known_bias": {"roughness": biases[0], "velocity": biases[1]}}}, "7")
        text = Table(Grid("kpz", {}, {"size": ["32"]}), [both]).text(200)
        self.assertRegex(text, r"roughness +bias_growth +bias_steady +velocity +bias_growth_velocity +bias_steady_velocity")
        self.assertIn("  bias_growth_velocity, bias_steady_velocity: of velocity, its known", text)

    def test_mark_averages_that_are_not_stationary_and_explain_the_marks(self):
        results = {"pressure": "replicas differ", "contact_value": "replicas differ", "psi6": "too short", "samples": "stationary"}
        summary = {"finished": True, "time": "5", "observables": {"pressure": "7"}, "units": {}}
        summary["averages"] = {"observables": {name: "0.5" for name in results}}
        summary["stationarity"] = {name: {"result": result} for name, result in results.items()}
        table = Table(Grid("disks", {}, {"seed": ["1"]}), [Row("a", ("1",), {"summary": summary})])
        self.assertEqual([column.cells["_stationarity"] for column in table.averages], [[result] for result in results.values()])
        self.assertEqual([column.cells["_stationarity"] for column in table.observables], [[None]])
        text = table.text(120)
        self.assertRegex(text, r"\n  1 +0.5# +0.5# +0.5\? +0.5 +7\n  # .*\n  \? .*\n$")
        self.assertNotIn("?", table.text(len("  seed  pressure  contact_value")))

    def test_show_averages_before_last_rows_and_turnovers_first_by_the_names_of_the_file(self):
        names = ("coverage_CO", "turnover_CO2", "events")
        summary = {"finished": True, "time": "5", "observables": dict.fromkeys(names, "0.25"), "units": {}}
        summary["averages"] = {"observables": {"coverage_CO": "0.5", "turnover_CO2_rate": "7"}}
        table = Table(Grid("kmc", {}, {"set T": ["1"]}), [Row("a", ("1",), {"summary": summary}, "12345")])
        lines = table.text(200).splitlines()
        self.assertEqual(lines[0].split(), "T average_turnover_CO2_rate average_coverage_CO turnover_CO2 coverage_CO events point_seed".split())
        self.assertEqual(lines[2].split(), "1 7 0.5 0.25 0.25 0.25 12345".split())
        cells = dict(zip(*(line.split(",") for line in table.csv().splitlines())))
        for name, cell in zip(lines[0].split(), lines[2].split()):
            self.assertEqual(cells[name], cell)
        narrow = table.text(60).splitlines()
        self.assertEqual(narrow[0].split(), ["T", "average_turnover_CO2_rate", "average_coverage_CO"])
        self.assertEqual(" ".join(narrow[3:5]).split(), "--columns shows others: turnover_CO2, coverage_CO, events, point_seed".split())
        self.assertLessEqual(max(map(len, narrow[:5])), 60)
        chosen = table.text(10, ["events", "turnover_CO2"]).splitlines()
        self.assertEqual(chosen[0].split(), ["T", "events", "turnover_CO2"])
        with self.assertRaisesRegex(BadInput, "^--columns: the table has no column 'rate'; it has average_turnover_CO2_rate, "):
            table.text(80, ["rate"])

    def test_progress_is_one_line_for_all(self):
        self.assertEqual(describe(12, 2, 4, 1, 20), "2 of 12 points done, 4 running, 1 failed, 22 s left")
        self.assertEqual(describe(1, 0, 1, 0, 0), "0 of 1 point done, 1 running")


if __name__ == "__main__":
    unittest.main()
