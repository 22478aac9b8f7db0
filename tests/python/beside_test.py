# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Figures of several runs and sweeps: ratios and differences, what has no panel, and what model files name."""

import unittest
from types import SimpleNamespace
from unittest import mock

import drawing
import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import program
import tessera_io
from drawing import texts_of
from tessera_io.described import Description
from tessera_io.plot import labels, sweep
from tessera_io.plot.curves import compared, draw_function
from tessera_io.plot.swept import Quantity, Swept, read_table, together


class Beside(drawing.Drawn):
    runs = (
        "kpz --size 16 --replicas 3 --steps 40 --output kpz.h5",
        "kpz --size 16 --replicas 2 --steps 20 --q 0.5 --output other.h5",
        "kpz --size 16 --steps 2 --measure-times 2 --output once.h5",
        "kmc --model hopping --size 16 --until-time 2 --measure-every 0.5 --output lattice_gas.h5",
        "kmc --model ising --coupling 5 --size 16 --until-time 2 --measure-every 1 --output frozen.h5",
        "sweep kpz --size 16;32 --steps 20 --replicas 2 --folder sizes",
        "sweep kpz --size 16;32 --steps 20 --replicas 2 --q 0.3 --folder others",
    )

    def test_names_of_model_files_are_typeset(self):
        with tessera_io.open(self.path("other.h5")) as run:
            data = run.description
        for name, words in (
            ("turnover_CO2_rate", "TOF of CO$_{2}$"),
            ("coverage_CO_bridge", "coverage of CO, bridge"),
            ("coverage_O2", "coverage of O$_{2}$"),
            ("coverage_empty_cus", "empty sites, cus"),
            ("events_O2_adsorption_rate", "rate of O$_{2}$ adsorption"),
            ("coverage", r"coverage $\theta$"),
        ):
            self.assertEqual(data.title(name), words)
        data = Description(parameters={"T": {"unit": "K"}, "p_O2": {"unit": "bar"}})
        self.assertEqual([labels.of_axis("T", data), labels.of_axis("T", data, True)], ["$T$ (K)", "1 / $T$ (1/K)"])
        self.assertEqual(labels.of_axis("p_O2", data), r"$p_{\mathrm{O_{2}}}$ (bar)")

    def test_ratios_and_differences_are_those_at_common_times(self):
        points = np.array([0.0, 1, 2, 4]), np.array([1.0, 2, 3, 5]), np.array([0.1, 0.2, 0.3, np.nan])
        reference = np.array([0.0, 2, 3, 4]), np.array([0.0, 4, 1, 2]), np.array([0.0, 0.4, 1, 0.5])
        x, value, error = compared("difference", points, reference)
        np.testing.assert_allclose([x, value], [[0, 2, 4], [1, -1, 3]])
        np.testing.assert_allclose(error, [0.1, 0.5, np.nan])
        x, value, error = compared("ratio", points, reference)
        np.testing.assert_allclose(value, [np.nan, 0.75, 2.5])
        np.testing.assert_allclose(error[1], 0.75 * np.hypot(0.1, 0.1))
        for kind in ("ratio", "difference"):
            (fig,) = self.figures("kpz.h5", "roughness", "--beside", "other.h5", "--" + kind).values()
            (axes,) = fig.axes
            line = max(axes.lines, key=lambda line: len(line.get_xdata()))
            with tessera_io.open(self.path("kpz.h5")) as run, tessera_io.open(self.path("other.h5")) as other:
                one, two = (of.observables["roughness"] for of in (run, other))
            times, first, second = np.intersect1d(one.time, two.time, return_indices=True)
            one, two = one.mean[first][times > 0], two.mean[second][times > 0]
            np.testing.assert_allclose(line.get_ydata()[-len(one) :], two / one if kind == "ratio" else two - one)
            self.assertIn(f"{kind} of roughness", axes.get_ylabel())
            self.assertRegex("\n".join(t for t, _ in texts_of(fig)), f"{kind}s (to|from) ")
            (fig,) = self.figures("sizes", "roughness", "--beside", "others", "--" + kind).values()
            swept = [read_table(self.path(folder)) for folder in ("sizes", "others")]
            one, two = (of.quantities["roughness"].value for of in swept)
            np.testing.assert_allclose(fig.axes[0].containers[-1][0].get_ydata(), two / one if kind == "ratio" else two - one)

    def test_values_that_are_not_positive_are_gaps_on_a_logarithmic_axis(self):
        r, g6 = np.array([1.0, 1.1, 1.2, 1.3]), np.array([1, 0.1, -0.01, 0.2])
        function = SimpleNamespace(name="g6", title="$g_6(r)$", unit="", units={"r": "sigma"}, curve=("r", r, g6, np.full(4, np.nan)))
        fig, axes = plt.subplots()
        line = draw_function(axes, function)
        np.testing.assert_array_equal(line.get_ydata(), [1, 0.1, np.nan, 0.2])
        plt.close(fig)

    def test_a_quantity_that_is_constant_has_no_panel_and_rates_of_turnover_are_first(self):
        inputs = {"T": np.array([1.0, 2, 3]), "y": np.array([0.5] * 3)}
        columns = {"coverage_O": [0.1, 0.2, 0.3], "coverage_CO": [0.5] * 3, "T": [1, 2, 3], "events": [1, 2, 3], "turnover_CO2_rate": [1, 2, 4]}
        quantities = {name: Quantity(name, "", np.array(values, float), np.zeros(3), np.zeros(3, dtype=bool), name) for name, values in columns.items()}
        swept = Swept("folder", ["a", "b", "c"], True, inputs, quantities)
        swept.description = Description(titles={"events": "events"}, counters=["events"])
        self.assertEqual(sweep.chosen_of([swept], "T"), ["turnover_CO2_rate", "coverage_O"])
        fig, axes = plt.subplots()
        ((_, _, law),) = sweep.draw(axes, [swept], "turnover_CO2_rate", "T", "arrhenius", [(1, 3, "arrhenius")], inverse=True)
        np.testing.assert_allclose(axes.containers[0][0].get_xdata(), 1 / inputs["T"])
        quantities["coverage_O"].value[1], quantities["coverage_O"].error[:] = 0, 0.1 + 1e-12
        _, other = plt.subplots()
        sweep.draw(other, [swept], "coverage_O", "T", "arrhenius", inverse=True)
        np.testing.assert_array_equal(np.isnan(other.containers[0][0].get_ydata()), [False, True, False])
        self.assertGreaterEqual(other.get_ylim()[0], 0.01)  # the bar of 0.1 ends at 0
        plt.close(other.figure)
        self.assertEqual((axes.get_xscale(), axes.get_yscale(), axes.get_xlabel(), law.form), ("linear", "log", "1 / $T$", "arrhenius"))
        plt.close(fig)
        fig = self.figures("lattice_gas.h5")["lattice_gas_bonds"]
        self.assertEqual([axes.get_ylabel() for axes in fig.axes], ["bonds per site"])
        self.assertIn("frozen_observables", self.figures("frozen.h5"), "where nothing varies, all are drawn")
        self.assertIn("not drawn, constant: coverage", "\n".join(t for t, _ in texts_of(fig)).replace("constant:\n", "constant: "))

    def test_options_that_vary_together_are_one_line(self):
        x, both = np.array([1.0, 2, 3, 1, 2, 3]), np.array([5.0, 6, 6, 5, 6, 6])
        table = {"D": x, "E": both, "size": np.repeat([16.0, 32], 3)}
        with mock.patch.object(Swept, "runs", []):
            swept = Swept("folder", ["point"] * 6, False, table, {}, together(table))
            swept.quantities["energy"] = Quantity("energy", "", x, 0 * x, np.zeros(6, dtype=bool), "energy")
            self.assertEqual([(one.choice, list(one.x)) for one in swept.series("energy", "D")], [("size = 16", [1, 2, 3]), ("size = 32", [1, 2, 3])])
            self.assertEqual(swept.together, {"D": ["E"], "E": [], "size": []})
            self.assertEqual(len(list(swept.series("energy", "size"))), 3)

    def test_one_measurement_gives_a_message_and_no_figure(self):
        for words, made in ((["once.h5", "roughness"], []), (["once.h5"], ["once_height"])):
            drawn, _, err = program.printed(self.figures, *words)
            self.assertEqual(list(drawn), made)
            self.assertRegex(err, r"^tessera_io.plot: .*once.h5: has one measurement, at time 2 MCS, which is no curve.*\n$")


if __name__ == "__main__":
    unittest.main()
