# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import contextlib
import io
import math
import os
import re
import subprocess
import sys
import unittest
from unittest import mock

import formulas  # noqa: F401
import numpy as np
import tessera_io
from program import PROGRAM, InFolder, printed, read, run, write

from tessera_io.plot import __main__ as plot
from tessera_io.plot import sweep
from tessera_io.described import Description
from tessera_io.plot.swept import Quantity, Swept, read_table
from tessera_io.start import _values

GRID = "--size 16 --phi 0:1:3 --seed 1,3,5,7 --replicas 2 --until-time 1 --quiet"


def swept(inputs, name, value):
    """A sweep with one quantity."""
    count = len(value)
    quantity = Quantity(name, "", np.array(value), np.zeros(count), np.zeros(count, dtype=bool), name)
    return Swept("folder", ["point"] * count, False, inputs, {name: quantity})


class Sweep(InFolder):
    @classmethod
    def prepare(cls):
        run(["sweep", "kmc", *GRID.split()], cls.folder, plots=True)
        cls.swept = os.path.join(cls.folder, "kmc_sweep")

    def test_ends_with_its_plot(self):
        self.assertGreater(os.path.getsize(os.path.join(self.swept, "plot.png")), 1000)

    def test_table_has_a_row_for_every_point(self):
        swept = read_table(self.swept)
        inputs = swept.inputs
        self.assertEqual(inputs["phi"].tolist(), [0] * 4 + [0.5] * 4 + [1] * 4)
        self.assertEqual(inputs["seed"].tolist(), [1, 3, 5, 7] * 3)
        self.assertEqual(list(swept.quantities)[:4], ["height_mean", "roughness", "moment_3", "moment_4"])
        roughness = swept.quantities["roughness"]
        self.assertEqual((roughness.unit, len(roughness.value)), ("layers^2", 12))
        self.assertTrue((roughness.error > 0).all())

    def test_table_agrees_with_the_outputs_of_the_points(self):
        roughness = read_table(self.swept).quantities["roughness"].value
        with tessera_io.open(os.path.join(self.swept, "points/phi=1_seed=7.h5")) as last:
            self.assertEqual(roughness[-1], last.observables["roughness"].mean[-1])

    def test_the_abscissa_is_the_option_with_most_values_except_seeds(self):
        self.assertEqual(read_table(self.swept).abscissa(), "phi")

    def test_draws_the_requested_quantities(self):
        stem = os.path.join(self.folder, "picture")
        words = [self.swept, "roughness", "--output", stem, "--format", "png,svg", "--width", "8cm", "--dpi", "254", "--scale", "log"]
        self.assertEqual(printed(plot.main, words), (0, f"{stem}.png\n{stem}.svg\n", ""))
        with open(stem + ".png", "rb") as picture:
            self.assertAlmostEqual(int.from_bytes(picture.read(20)[16:], "big"), 800, delta=1)  # pixels in a row
        text = read(stem + ".svg")
        self.assertRegex(text, '<svg [^>]*width="226.77')
        self.assertRegex(text, r"font: 8px|font-size: ?8px")  # the type of narrow figures
        self.assertIn("10^{", text)  # a label of a logarithmic axis
        self.assertNotIn("skewness", text)  # which is not named

    def test_scales_are_the_requested_ones(self):
        spread, near = [1.0, 10.0, 100.0], [0.0, 1.0, 2.0]
        for scale, x, value, on_axes in (
            ("auto", near, [1, 1, 1], (False, False, 0)),
            ("auto", spread, [1, 1, 1], (True, False, 0)),
            ("linear", spread, [1, 1, 1], (False, False, 0)),
            ("log", near, [1, 1, 1], (True, True, 0)),
            ("log", near, [-1, -1, -1], (True, True, 1)),
            ("log", near, [1, -1, -1], (True, True, 1)),  # the one that is positive has no place on the axis of phi
        ):
            drawn = mock.Mock(**{"get_ylim.return_value": (0, 1)})
            sweep.draw(drawn, [swept({"phi": np.array(x)}, "energy", value)], "energy", "phi", scale)
            self.assertEqual((drawn.set_xscale.called, drawn.set_yscale.called, drawn.text.call_count), on_axes)

    def test_the_folder_is_drawn_as_files_are(self):
        other = os.path.join(self.folder, "other")
        for more, names in (([], other + ".png\n"), (["--quiet"], "")):
            self.assertEqual(printed(plot.main, [self.swept, "roughness", "--output", other, *more]), (0, names, ""))

    def test_options_are_typeset_as_in_other_pictures(self):
        drawn, inputs = mock.Mock(), {"packing-fraction": np.array([0.5, 0.7]), "size": np.array(["64", "64"])}
        of_disks = swept(inputs, "pressure", [1, 1])
        of_disks.description = Description(parameters={"packing-fraction": {"symbol": "eta"}})
        sweep.draw(drawn, [of_disks], "pressure", "packing-fraction")
        drawn.set_xlabel.assert_called_with(r"$\eta$")
        self.assertEqual(drawn.errorbar.call_args.kwargs["label"], "64 × 64")

    def test_unknown_names_and_folders_are_refused_in_a_line(self):
        for words in ([self.swept, "pressure"], ["nowhere"], [self.swept, "--movie"], [self.swept, "--against", "q"]):
            status, _, err = printed(plot.main, words)
            self.assertEqual((status, err.count("\n")), (2, 1))


SMALL = {"size": 16, "until_time": 1, "threads": 1}
WORDS = "kmc --size 16 --until-time 1 --threads 1 --phi"


class Sweeps(InFolder):
    def setUp(self):
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)

    def sweep(self, words, **environment):
        """(exit status, standard output, standard error) of `tessera sweep WORDS`."""
        process = self.start("sweep " + words, environment=environment)
        out, err = process.communicate(timeout=300)
        return process.returncode, out, err

    def stand_in(self, text):
        """A program that does something else beside, or instead."""
        write("stand-in", f"#!/bin/sh\n{text}\n")
        os.chmod("stand-in", 0o700)
        return os.path.abspath("stand-in")

    def from_python(self, **options):
        with contextlib.redirect_stderr(io.StringIO()), mock.patch.dict(os.environ, {"TESSERA_PLOT": "true"}):
            return tessera_io.sweep("kmc", **SMALL, **options)

    def test_from_python_return_the_table(self):
        table = self.from_python(phi=np.linspace(0, 1, 3), measure_every=0.5, folder="from_python")
        self.assertEqual(table["phi"], [0, 0.5, 1])
        self.assertEqual((table["point"][1], table["finished"]), ("phi=0.5", [1, 1, 1]))
        self.assertTrue(all(map(math.isnan, table["roughness_error"])), "one replica")
        self.assertEqual(self.from_python(seed=range(1, 3), folder="lists")["seed"], [1, 2])
        self.assertEqual([_values(size) for size in ([64, (32, 16)], (32, 16), np.array([16, 32]))], ["64;32,16", "32,16", "16;32"])
        self.assertEqual([_values(one) for one in ({"T": range(1, 3), "p": 2}, ["T=1,p=2", "T=2,p=1"])], ["T=1,2,p=2", "T=1,p=2;T=2,p=1"])
        with self.assertRaisesRegex(tessera_io.ProgramError, "--phi much;more: 'much': must be a number") as caught:
            self.from_python(phi=["much", "more"])
        self.assertEqual(caught.exception.status, 2)

    def test_from_python_pass_on_the_rows_of_each_point(self):
        rows = []
        options = {"set": {"E": [1, 2], "coverage": 0.25}, "replicas": 2, "seed": [1, 3], "measure_every": 0.5, "folder": "rows"}
        options["processes"] = os.path.join(os.environ["TESSERA_SOURCE"], "inputs/models/hopping.ini")
        table = self.from_python(**options, on_row=lambda point, row: rows.append((point, row)))
        for i, name in enumerate(table["point"]):
            point = {"seed": table["seed"][i], "E": table["E"][i]}
            with tessera_io.open(f"rows/points/{name}.h5") as run:
                events = run.observables["events"]
                found = [row for of_point, row in rows if of_point == point]
                self.assertEqual([row.time for row in found], list(events.time))
                np.testing.assert_array_equal([row.of_replicas["events"] for row in found], events.value)
        self.assertEqual(len(rows), 4 * 3)
        self.from_python(**options, on_row=lambda point, row: self.fail("all points are finished"))

    def test_from_python_end_on_request_of_a_function_of_rows(self):
        options = {"phi": [0, 1], "measure_every": 0.5, "jobs": 2, "folder": "ended"}
        far = {**options, "until_time": 1e6}
        with mock.patch.dict(SMALL, far):
            table = self.from_python(on_row=lambda point, row: row.time >= 1)
        self.assertEqual(table["finished"], [0, 0])
        with mock.patch.dict(SMALL, {**options, "until_time": math.ceil(np.nanmax(table["time"])) + 1}):
            self.assertEqual(self.from_python()["finished"], [1, 1])

    def test_exclude_others_from_their_folder(self):
        first = self.start("sweep kmc --size 32 --until-time 1e9 --phi 0,1 --threads 1 --folder one --progress always")
        while "done" not in first.stderr.readline(40):
            self.assertIsNone(first.poll())
        for words in ("", " --index 1 --of 2"):
            status, _, err = self.sweep(f"kmc --size 32 --until-time 1e9 --phi 0,1,2 --folder one{words}")
            self.assertEqual((status, err.count("\n")), (2, 1), err)
            self.assertIn("--folder one: another sweep uses it", err)
        self.assertEqual(self.sweep("--table one")[0], 0)
        first.terminate()
        first.communicate()
        self.assertEqual(first.returncode, 143)
        self.assertIn("\nphi = 0,1\n", read("one/sweep.ini"))

    def test_fail_if_a_run_leaves_no_summary(self):
        program = self.stand_in(f'case "$*" in *phi\\ 1*) echo Kokkos::OpenMP ;; esac; exec "{PROGRAM}" "$@"')
        python = [sys.executable, "-m", "tessera_io.sweeps"]
        environment = {**os.environ, "TESSERA_PROGRAM": program, "TESSERA_PLOT": "true"}
        done = subprocess.run([*python, *f"{WORDS} 0,1 --folder noisy".split()], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("tessera: failed: phi = 1: the summary of the run, its standard output, cannot be read\n", done.stderr)
        self.assertIn("1 of 2 points finished", done.stdout)

    def test_need_no_package(self):
        self.assertEqual(self.sweep(f"{WORDS} 0,1 --folder bare")[0], 0)
        self.assertTrue(os.path.exists("bare/table.h5"))
        python = self.stand_in(f'exec "{sys.executable}" -S "$@"')
        status, out, err = self.sweep(f"{WORDS} 0,1,2 --folder bare --progress never", TESSERA_PYTHON=python)
        self.assertEqual((status, err.count("\n")), (0, 1), err)
        self.assertIn("3 of 3 points finished; table in bare/table.csv\n", out)
        self.assertIn("table.h5 and plot.png were not written: No module named 'h5py'", err)
        self.assertFalse(os.path.exists("bare/table.h5"), "it was of another table")

    def test_print_a_table_of_the_width_of_the_terminal_or_of_chosen_columns(self):
        _, out, _ = self.sweep(f"{WORDS} 0,1 --folder columns", COLUMNS="60")
        self.assertEqual(out.splitlines()[0].split()[:3], ["phi", "height_mean", "roughness"])
        self.assertLessEqual(len(out.splitlines()[0]), 60)
        self.assertIn("\n  --columns shows others: ", out)
        for words in (f"{WORDS} 0,1 --folder columns", "--table columns"):
            _, out, _ = self.sweep(f"{words} --columns events,roughness,point_seed", COLUMNS="20")
            self.assertEqual(out.splitlines()[0].split(), ["phi", "events", "roughness", "point_seed"])
        status, out, err = self.sweep("--table columns --columns pressure")
        self.assertIn("tessera: warning: --columns: the table has no column 'pressure'; it has height_mean, ", err)
        self.assertEqual((status, out.splitlines()[0].split()[1]), (0, "height_mean"))

    def test_explain_a_missing_plot(self):
        status, out, err = self.sweep(f"{WORDS} 0,1 --folder plain --progress never", TESSERA_PLOT="no-such-program")
        self.assertEqual((status, err.count("\n")), (0, 1), err)
        self.assertIn("plot.png was not written: no-such-program", err)
        self.assertIn("table in plain/table.csv and table.h5\n", out)

    def test_import_no_module_of_the_working_folder(self):
        for name in ("random.py", "json.py", "tessera_io.py"):
            write(name, "raise SystemExit('the wrong module')\n")
            self.addCleanup(os.remove, name)
        self.assertEqual(self.sweep(f"{WORDS} 0,1 --folder others")[0], 0)

    def test_as_dry_runs_include_the_start_of_the_program(self):
        program = self.stand_in(f'case "$*" in *--dry-run*) sleep 0.2 ;; esac; exec "{PROGRAM}" "$@"')
        python = [sys.executable, "-m", "tessera_io.sweeps"]
        words = f"{WORDS} 0:1:20 --jobs 1 --dry-run".split()
        out = subprocess.run([*python, *words], env={**os.environ, "TESSERA_PROGRAM": program}, capture_output=True, text=True, check=True).stdout
        self.assertGreater(float(re.search(r"# cost: about ([0-9.]+) s here", out)[1]), 4)
        self.assertEqual([name for name in os.listdir() if name.startswith(".")], [])


if __name__ == "__main__":
    unittest.main()
