# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Runs whose temperature changes with time: rates of desorption, drawn against the temperature."""

import csv
import math
import shutil
import unittest

import drawing
import h5py
import numpy as np
import program
import tessera_io

DESORPTION = """
[SpeciesList]
default_species = CO
[Species empty]
[Species CO]
[Parameter T]
value = 300
adjustable = True
[Lattice]
cell_size = 1 1 1
[Layer square]
site a = (0.5, 0.5, 0.5)
[Process desorption]
rate_constant = 1e13*exp(-1.2*eV*beta)
conditions = CO@a
actions = empty@a
tof_count = {'CO': 1}
"""


class Ramps(drawing.Drawn):
    @classmethod
    def prepare(cls):
        program.write(cls.path("m.ini"), DESORPTION)
        common = "--until-time 25 --measure-every 0.5 --replicas 3 --quiet"
        program.run([*f"kmc --processes m.ini --size 32 {common} --output fixed.h5".split(), "--set", "T=400"], cls.folder)
        for name, temperature in (("up", lambda t: 300 + 5 * t), ("down", lambda t: 450 - 5 * t), ("there", lambda t: 400 + 10 * t - 0.4 * t**2)):
            shutil.copy(cls.path("fixed.h5"), cls.path(name + ".h5"))
            with h5py.File(cls.path(name + ".h5"), "r+") as file:
                group, other = file.create_group("parameters/T"), file["observables/events"]
                group["time"], group["step"], group["value"] = other["time"][()], other["step"][()], temperature(other["time"][()])

    def test_the_rate_of_a_turnover_is_the_mean_between_measurements(self):
        with tessera_io.open(self.path("up.h5")) as run:
            coverage, rate = run.observables["coverage_CO"], run.observables["turnover_CO_rate"]
            self.assertEqual((rate.name, rate.unit, rate.value.shape, len(rate)), ("turnover_CO_rate", "1/s", (50, 3), 50))
            np.testing.assert_allclose(rate.value, -np.diff(coverage.value, axis=0) / 0.5, atol=1e-12)
            np.testing.assert_allclose(rate.time, np.arange(50) / 2 + 0.25)
            np.testing.assert_allclose(np.nan_to_num(rate.error), rate.value.std(axis=1, ddof=1) / np.sqrt(3), atol=1e-12)
            self.assertNotIn("turnover_CO_rate", list(run.observables))
            self.assertIn("events_desorption_rate", run.observables)
            for none in ("turnover_O_rate", "coverage_CO_rate", "events_rate"):
                self.assertNotIn(none, run.observables)

    def test_a_spectrum_is_drawn_against_the_temperature(self):
        (axes,) = self.figures("up.h5", "turnover_CO_rate")["up_turnover_CO_rate"].axes
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("$T$ (K)", "desorption rate of CO (1/s)"))
        line = axes.lines[0]
        with tessera_io.open(self.path("up.h5")) as run:
            np.testing.assert_allclose(line.get_xdata(), 301.25 + 2.5 * np.arange(50))
            np.testing.assert_allclose(line.get_ydata(), run.observables["turnover_CO_rate"].mean)
        # Without a name it is drawn beside the coverages, but the temperature is not.
        axes = self.figures("down.h5")["down_observables"].axes
        self.assertEqual([one.get_ylabel() for one in axes], ["coverage of CO", "empty sites", "desorption rate of CO (1/s)"])
        self.assertEqual({one.get_xlabel() for one in axes}, {"$T$ (K)"})
        # Two heating rates in one panel.
        (axes,) = self.figures("up.h5", "coverage_CO", "--beside", "down.h5")["up_coverage_CO"].axes
        self.assertEqual({line.get_xdata()[0] for line in axes.lines}, {300, 450})

    def test_a_temperature_that_returns_is_an_axis_only_on_request(self):
        for words, label in (
            (["there.h5"], "time (s)"),
            (["there.h5", "--against", "T"], "$T$ (K)"),
            (["fixed.h5"], "time (s)"),
            (["up.h5", "--against", "time"], "time (s)"),
        ):
            (axes,) = next(iter(self.figures(words[0], "coverage_CO", *words[1:]).values())).axes
            self.assertEqual(axes.get_xlabel(), label, words)
        self.check_refusals(
            (["up.h5", "--against", "p"], "up.h5: has no parameter 'p' that changes with time; it has T$"),
            (["fixed.h5", "--against", "T"], "fixed.h5: has no parameter 'T' that changes with time; it has none$"),
            (["up.h5", "--against", "T", "--fit", "coverage_CO:1:2"], "--against: is not available for a run with --fit"),
            (["up.h5", "turnover_O_rate"], "up.h5: has no 'turnover_O_rate'; it has "),
        )


class Units(drawing.Drawn):
    """A model file whose times are not in seconds."""

    UNITS = {"lam": ("1/lam", "lam"), "none": ("", "")}  # of times and of rates

    @classmethod
    def prepare(cls):
        common = "--size 16 --measure-every 0.1 --average-from 1 --field-every 2 --record-steps --replicas 2 --set T=430 --until-time 4 --quiet"
        for name, (unit, _) in cls.UNITS.items():
            program.write(cls.path(name + ".ini"), f"[Meta]\ntime_unit = {unit or 'none'}\n" + DESORPTION)
            program.run([*f"kmc --processes {name}.ini {common} --output {name}.h5".split()], cls.folder)

    def test_all_units_of_the_file_are_those_of_the_model(self):
        for name, (unit, rate) in self.UNITS.items():
            found = {}

            def add(path, item, found=found):
                for key in ("unit", "time_unit"):
                    if key in item.attrs and not path.startswith("provenance"):
                        found.setdefault(item.attrs[key].decode(), path)

            with h5py.File(self.path(name + ".h5")) as file:
                file.visititems(add)
                for place in ("checkpoint", "diagnostics", "history/steps", "observables", "averages"):
                    self.assertIn(place, file)
            found.pop("s", None) if "wall" in found.get("s", "") else None
            self.assertEqual(set(found) - {""}, {unit, rate} - {""}, found)
            with tessera_io.open(self.path(name + ".h5")) as run:
                self.assertEqual((run.observables["turnover_CO_rate"].unit, run.averages["turnover_CO_rate"].unit), (rate, rate))

    def test_axes_and_titles_have_them(self):
        for name, x, y, title in (("lam", "time (1/lam)", "TOF of CO (lam)", "time 4 / lam"), ("none", "time", "TOF of CO", "time 4")):
            (axes,) = self.figures(name + ".h5", "turnover_CO_rate")[name + "_turnover_CO_rate"].axes
            self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), (x, y))
            texts = [text.get_text() for text in self.figures(name + ".h5", "state")[name + "_state"].findobj(drawing.matplotlib.text.Text)]
            self.assertIn(title, texts)


def redhead(heating, nu=1e13, kelvin=1.2 / 8.6173324e-5):
    """(temperature, height) of the peak of first-order desorption: d(coverage)/dT = -nu/heating exp(-kelvin/T) coverage."""
    t = np.arange(300, 600, 0.01)
    rate = nu * np.exp(-kelvin / t)
    spectrum = rate * np.exp(-np.cumsum(rate) * 0.01 / heating)
    return t[spectrum.argmax()], spectrum.max()


class HeatingRates(drawing.Drawn):
    @classmethod
    def prepare(cls):
        with open(cls.path("m.ini"), "w", encoding="utf-8") as file:
            file.write(DESORPTION.replace("[Parameter T]\nvalue = 300", "[Parameter h]\nvalue = 1\nadjustable = True\n[Parameter T]\nvalue = 350 + h*time"))
        common = "--processes m.ini --until-time 15 --measure-every 0.1 --quiet --size 64"
        program.run([*f"sweep kmc {common} --set h=2,9,12 --replicas 16 --folder several".split()], cls.folder)
        program.run([*f"sweep kmc {common} --set h=9,12 --folder single".split()], cls.folder)

    def rows(self, folder):
        with open(self.path(folder + "/table.csv"), encoding="utf-8") as file:
            return [{key: float(value or "nan") for key, value in row.items() if key != "point" and not key.endswith("unit")} for row in csv.DictReader(file)]

    def test_the_table_has_the_peaks_with_errors(self):
        none, *rows = self.rows("several")
        self.assertTrue(math.isnan(none["peak_T_CO"]) and math.isnan(none["peak_rate_CO"]))  # 380 K is below the peak
        for row in rows:
            temperature, height = redhead(row["h"])
            # 15 degrees of freedom: 8 standard errors are exceeded with probability 1e-6, beside what the polynomial lacks.
            self.assertLess(abs(row["peak_T_CO"] - temperature), 8 * row["peak_T_CO_error"] + 0.1)
            self.assertLess(abs(row["peak_rate_CO"] - height), 8 * row["peak_rate_CO_error"] + 1e-3 * height)
            # 16 x 4096 molecules leave within 40 K.
            self.assertTrue(0.03 < row["peak_T_CO_error"] < 0.6 and 0.001 < row["peak_rate_CO_error"] / height < 0.02, row)
        for row in self.rows("single"):
            self.assertLess(abs(row["peak_T_CO"] - redhead(row["h"])[0]), 8)
            self.assertTrue(math.isnan(row["peak_T_CO_error"]))

    def test_the_plot_of_the_sweep_is_the_spectra(self):
        (axes,) = self.figures("several")["plot"].axes
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("$T$ (K)", "desorption rate of CO (1/s)"))
        self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["$h$ = 2", "$h$ = 9", "$h$ = 12"])
        (axes,) = self.figures("several", "peak_T_CO")["plot"].axes
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("$h$", "peak temperature of CO (K)"))


if __name__ == "__main__":
    unittest.main()
