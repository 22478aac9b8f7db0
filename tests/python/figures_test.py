# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Figures at the width of a column and of a page: nothing clipped, no labels over each other, few rows of panels."""

import csv
import json
import re
import unittest
import warnings
from types import SimpleNamespace

import drawing
import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import tessera_io
from drawing import texts_of
from tessera_io.described import Description
from tessera_io.plot import caption, labels, style, sweep
from tessera_io.plot.swept import read_table
from tessera_io.plot.style import tidy


def labels_of(axis):
    """Boxes of the tick labels of an axis within its range."""
    low, high = sorted(axis.get_view_interval())
    ticks = [tick for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()] if low <= tick.get_loc() <= high]
    ticks.sort(key=lambda tick: tick.get_loc())
    shown = [label for tick in ticks for label in (tick.label1, tick.label2) if label.get_visible() and label.get_text()]
    return [label.get_window_extent() for label in shown]


class Figures(drawing.Drawn):
    runs = (
        "kpz --size 64 --replicas 3 --steps 40 --waiting-times 2,10 --thread-cell 2,2 --output kpz.h5",
        "kpz --size 64 --replicas 2 --steps 40 --q 0.5 --thread-cell 1,1 --output other.h5",
        "kmc --size 64 --until-time 8 --measure-every 2 --output sos.h5",
        "kmc --model ising --size 16 --until-time 4 --measure-every 1 --replicas 2 --output ising.h5",
        "disks --particles 256 --packing-fraction 0.6 --sweeps 40 --sample-every 5 --q-max 12 --output disks.h5",
        "sweep kpz --size 64 --q 0;0.2;0.4 --steps 20 --replicas 2 --folder swept",
        "sweep kpz --size 16;32;64 --steps 20 --replicas 2 --p 0.5,1 --folder sizes",
        "sweep kpz --size 16;32;64 --steps 20 --replicas 2 --p 0.5,1 --q 0.3 --folder others",
        "sweep kmc --model ising --size 8;16 --coupling 0.3,0.4 --until-time 1 --folder spins",
        "sweep disks --particles 64 --packing-fraction 0.5,0.6,0.7 --sweeps 40 --sample-every 2 --r-max 3 --folder eos",
    )

    def test_nothing_is_clipped_and_no_labels_collide(self):
        beside = ["kpz.h5", "--beside", "other.h5"]
        for width, commands in (("8.6cm", (["kpz.h5"], ["ising.h5"], ["disks.h5"], ["swept"], beside)), ("17.8cm", (["sos.h5"], beside, ["eos", "disks"]))):
            for words in commands:
                for name, fig in self.figures(*words, "--width", width, drawn=True).items():
                    edge = fig.bbox
                    for text, box in texts_of(fig):
                        inside = box.x0 >= -1 and box.y0 >= -1 and box.x1 <= edge.x1 + 1 and box.y1 <= edge.y1 + 1
                        hidden = box.width == 0 or text.startswith("$\\mathdefault") or not inside and self.is_tick(fig, text)
                        self.assertTrue(inside or hidden, f"{name} at {width}: '{text}' is clipped")
                    for axes in fig.axes:
                        for axis, along in ((axes.xaxis, "x"), (axes.yaxis, "y")):
                            boxes = labels_of(axis)
                            for one, next_one in zip(boxes, boxes[1:]):
                                gap = getattr(next_one, along + "0") - getattr(one, along + "1")
                                self.assertGreater(gap, 0, f"{name} at {width}: labels of {along} collide")

    @staticmethod
    def is_tick(fig, text):
        """Whether a text is the label of a tick that lies outside of its axis, which is not drawn."""
        for axes in fig.axes:
            for axis in (axes.xaxis, axes.yaxis):
                low, high = sorted(axis.get_view_interval())
                for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
                    if tick.label1.get_text() == text and not low <= tick.get_loc() <= high:
                        return True
        return False

    def test_bars_that_reach_below_zero_do_not_widen_logarithmic_axes(self):
        from tessera_io.plot.curves import draw_observable

        time, mean = np.array([64.0, 96, 128, 256, 512]), np.array([1, 0.1, 0.01, 0.001, -0.001])
        one = SimpleNamespace(time=time, mean=mean, error=np.full(5, 0.005), name="value", title="value", unit="", time_unit="")
        fig, axes = plt.subplots()
        draw_observable(axes, one, scale="log")
        low, high = axes.get_xlim()
        self.assertTrue(32 < low < 64 and 256 < high < 512, (low, high))
        low, high = axes.get_ylim()
        self.assertTrue(0.0003 < low < 0.001 and 1 < high < 3, (low, high))
        plt.close(fig)

    def test_a_structure_factor_is_drawn_in_the_plane_of_wave_vectors(self):
        made = self.figures("disks.h5", "S")
        self.assertEqual(sorted(made), ["disks_S", "disks_S_plane"])
        (image,) = made["disks_S_plane"].axes[0].images
        plane = image.get_array().filled(np.nan)
        np.testing.assert_array_equal(plane, plane[::-1, ::-1])  # S(-q) = S(q)
        with tessera_io.open(self.path("disks.h5")) as run:
            S = run.functions["S"]
            left, right, bottom, top = image.get_extent()
            ny, nx = plane.shape
            for i in range(0, len(S), 17):
                x, y = S.arguments["q_x"][i], S.arguments["q_y"][i]
                there = plane[int((y - bottom) / (top - bottom) * ny), int((x - left) / (right - left) * nx)]
                self.assertEqual(there, S.mean[i], (x, y))

    def test_captions_are_broken_at_the_width_of_the_figure(self):
        sentence = "octahedron model, DTrDB, TC=2,2, $p$ = 1, $q$ = 0, 256 × 256, seed 1, 4 replicas; " + ", ".join(["a few long words of a caption"] * 4)
        style.use(3.4)
        lines = caption.wrapped([sentence, ""], 3.4)
        self.assertEqual(" ".join(lines), sentence)
        fig = plt.figure(figsize=(3.4, 2))
        widths = [fig.text(0, 0, line, fontsize=caption.type_size()).get_window_extent().width for line in lines]
        plt.close(fig)
        self.assertLess(max(widths), fig.bbox.width)
        self.assertGreater(min(widths[:-1]), 0.7 * fig.bbox.width)
        self.assertFalse([line for line in lines if re.search(r"(×|seed|4|=)$", line)], lines)
        energy = r"$E_\mathrm{N}$ = 4 $k_\mathrm{B}$ $T$,"
        self.assertEqual(caption.words_of(f"molecular-beam epitaxy, {energy} 64 × 64"), ["molecular-beam epitaxy,", energy, "64 × 64"])

    def test_the_legend_of_fits_of_several_runs_is_above_the_panel(self):
        words = ["kpz.h5", "roughness", "--fit", "roughness:2:20", "--beside", "other.h5", "--width", "8.6cm"]
        (fig,) = self.figures(*words, drawn=True).values()
        (axes,) = fig.axes
        legend, panel = axes.get_legend().get_window_extent(), axes.get_window_extent()
        self.assertGreaterEqual(legend.y0, panel.y1 - 1)
        self.assertLessEqual(legend.x1, fig.bbox.x1)
        self.assertLessEqual(legend.y1, fig.bbox.y1)
        self.assertGreater(panel.height, 0.4 * fig.bbox.height)

    def test_numbers_are_typeset(self):
        data = Description(parameters={"diffusion": {"symbol": "D"}})
        for value, told in (("1e+05", "$10^{5}$"), ("2.5e-06", r"$2.5 \times 10^{-6}$"), ("0.44", "0.44"), ("2,2", "2,2")):
            self.assertEqual(labels.parameter("diffusion", value, data), f"$D$ = {told}")

    def test_no_figure_has_more_than_three_rows_of_panels(self):
        made = self.figures("kpz.h5", "--width", "8.6cm")
        observables = [fig for name, fig in made.items() if "observables" in name]
        self.assertEqual([len(fig.axes) for fig in observables], [3, 3, 1])
        self.assertIn("kpz_observables_3", made)
        self.assertEqual(len(self.figures("kpz.h5")["kpz_observables"].axes), 7)
        self.assertEqual(list(self.figures("swept", "--width", "8.6cm")), ["plot", "plot_2"])

    def test_autocorrelations_are_in_the_order_of_s(self):
        names = ["slope_autocorrelation_2", "height_autocorrelation_100", "own", "height_autocorrelation_20", "roughness"]
        ordered = ["roughness", "own", "height_autocorrelation_20", "height_autocorrelation_100", "slope_autocorrelation_2"]
        with tessera_io.open(self.path("kpz.h5")) as run:
            self.assertEqual(run.description.in_order(names), ordered)

    def test_captions(self):
        text = "\n".join(t for t, _ in texts_of(self.figures("kpz.h5", "roughness")["kpz_roughness"]))
        self.assertIn("DTrDB, TC=2,2", text)
        self.assertIn("64 × 64", text)
        self.assertIn("standard errors over 3 replicas", text)
        text = "\n".join(t for t, _ in texts_of(self.figures("swept")["plot"]))
        self.assertIn("DTrDB, TC=2,2, $p$ = 1, 64 × 64, 2 replicas", text)
        self.assertIn("standard errors of means over 2 replicas", text)
        self.assertNotIn("octahedron", "".join(t for t, _ in texts_of(self.figures("swept", "--no-caption")["plot"])))

    def test_a_sweep_is_drawn_against_any_option_and_beside_others_with_fits(self):
        words = ["sizes", "roughness", "--beside", "others", "--fit", "roughness:16:64"]
        ((_, fig),) = self.figures(*words).items()
        (axes,) = fig.axes
        legend = [text.get_text() for text in axes.get_legend().get_texts()]
        self.assertEqual(len(legend), 4)
        for text, differs in zip(legend, ("$q$ = 0, $p$ = 0.5", "$q$ = 0, $p$ = 1", "$q$ = 0.3, $p$ = 0.5", "$q$ = 0.3, $p$ = 1")):
            self.assertRegex(text, "^" + re.escape(differs) + r": \$\\alpha\$ = -?[0-9.]+\([0-9]+\), \$\\chi\^2\$/dof = [0-9.e+]+( \(no power law\))?$")
        self.assertEqual(axes.get_legend().get_title().get_text(), "fits from 16 to 64")
        self.assertEqual((axes.get_xscale(), axes.get_yscale(), axes.get_xlabel()), ("log", "log", "size"))
        text = "\n".join(t for t, _ in texts_of(fig))
        self.assertIn("DTrDB, TC=1,1 or 2,2, 2 replicas", text)  # 1,1 of the smallest one
        self.assertRegex(text, r"dashed: power laws fitted from 16 to 64, \$\\chi\^2\$/dof = [0-9.e+]+, [0-9.e+]+, [0-9.e+]+, [0-9.e+]+")
        self.assertEqual(self.figures("sizes", "roughness", "--against", "p")["plot"].axes[0].get_xlabel(), "$p$")
        self.check_refusals(
            (["sizes", "--against", "q"], "'q' does not vary; the options that vary are size, p"),
            (["sizes", "--fit", "roughness:16:32"], "--fit: .*sizes: roughness: has 2 points from 16 to 32; a fit needs at least 3"),
            (["sizes", "disks_0"], "has no 'disks_0'; it has .*roughness.*height"),
            (["sizes", "--beside", self.path("kpz.h5")], "--beside: .*kpz.h5 is not the folder of a sweep"),
            (["kpz.h5", "--against", "p"], "kpz.h5: has no parameter 'p' that changes with time; it has none"),
            (["sizes", "--movie"], "--movie: is not available for a sweep"),
        )

    def test_exponents_of_a_sweep_are_those_of_its_table(self):
        self.warned = "default"
        told, _ = self.plot("sizes", "--fit", "roughness:16:64", "--json", "--output", self.path("fitted"))
        first, second = json.loads(told[0])["fits"]
        self.assertEqual((first["line"], second["line"], first["first"], first["last"]), ("p = 0.5", "p = 1", 16, 64))
        with open(self.path("sizes/table.csv"), encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["p"] == "0.5"]
        columns = [[float(row[name]) for row in rows] for name in ("size", "roughness", "roughness_error")]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            law = tessera_io.fit_points(*columns, replicas=2)
        self.assertEqual((first["symbol"], first["value"], first["error"]), ("alpha", law.value / 2, law.error / 2))

    def test_functions_and_snapshots_of_the_points_of_a_sweep(self):
        made = self.figures("eos", "g", "disks", "pressure")
        self.assertEqual(sorted(made), ["plot", "plot_disks", "plot_g"])
        fractions = ["$\\eta$ = 0.5", "$\\eta$ = 0.6", "$\\eta$ = 0.7"]
        self.assertEqual([text.get_text() for text in made["plot_g"].axes[0].get_legend().get_texts()], fractions)
        titles = [axes.get_title("left") for axes in made["plot_disks"].axes]
        self.assertEqual([title for title in titles if title], fractions)
        self.assertEqual(list(self.figures("eos", "--row", "-1")), ["plot_beside"])
        self.assertEqual(made["plot"].axes[0].get_xlabel(), "$\\eta$")

    def test_doubtful_points_are_open_symbols_above_the_line(self):
        swept = read_table(self.path("sizes"))
        swept.quantities["roughness"].doubtful[:] = True
        fig, axes = plt.subplots()
        sweep.draw(axes, [swept], "roughness", "size")
        white = [line for line in axes.lines if line.get_markerfacecolor() == "white"]
        filled = [line for line in axes.lines if line.get_marker() == white[0].get_marker() and line is not white[0]]
        self.assertGreater(white[0].get_zorder(), max(line.get_zorder() for line in filled))
        plt.close(fig)

    def test_snapshots_of_many_points_have_readable_titles_and_fit_on_a_page(self):
        (fig,) = self.figures("spins", "spin", "--width", "8.6cm", drawn=True).values()
        *panels, bar = fig.axes
        titles = [axes._left_title for axes in panels]
        self.assertEqual([title.get_text() for title in titles], [f"{side} × {side}, $K$ = {k}" for side in (8, 16) for k in (0.3, 0.4)])
        self.assertGreater(min(title.get_fontsize() for title in titles), 5)
        self.assertLess(fig.get_size_inches()[1], 9)
        self.assertGreater(min(axes.get_position().height * fig.get_size_inches()[1] for axes in panels), 0.75)
        self.assertLess(bar.get_tightbbox().x1, fig.bbox.x1)

    def test_snapshots_have_what_differs_as_titles(self):
        text = [t for t, _ in texts_of(self.figures("kpz.h5", "--beside", "other.h5")["kpz_beside"])]
        self.assertIn("$q$ = 0, thread cell = 2,2", text)
        self.assertIn("$q$ = 0.5, thread cell = 1,1", text)
        text = [t for t, _ in texts_of(self.figures("kpz.h5", "--beside", "disks.h5")["kpz_beside"])]
        self.assertTrue({"octahedron model", "hard disks"} <= set(text))

    def test_counts_of_processes_are_drawn_on_request_and_turnover_rates_always(self):
        names = ["coverage_CO", "events_reaction", "events_reaction_rate", "hops", "turnover_CO2", "turnover_CO2_rate"]
        with tessera_io.open(self.path("kpz.h5")) as run:
            self.assertEqual([n for n in names if not run.description.is_counter(n)], ["coverage_CO", "turnover_CO2_rate"])

    def test_a_logarithmic_axis_has_labels(self):
        for low, high in ((0.5, 4), (1.1, 1.9), (0.02, 0.4), (120, 900), (1, 1e6), (3, 90)):
            fig, axes = plt.subplots(figsize=(3.4, 2.2))
            axes.set_xscale("log")
            axes.set_xlim(low, high)
            tidy(fig)
            fig.canvas.draw()
            self.assertGreaterEqual(len(labels_of(axes.xaxis)), 2, (low, high))
            plt.close(fig)

    def test_chosen_ticks_of_a_logarithmic_axis_are_kept(self):
        fig, axes = plt.subplots(figsize=(3.4, 2.2))
        axes.set_xscale("log", base=2)
        axes.plot([64, 256], [1, 2])
        axes.set_xticks([64, 128, 256], [64, 128, 256])
        tidy(fig)
        fig.canvas.draw()
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()], ["64", "128", "256"])
        plt.close(fig)

    def test_one_row_is_a_point(self):
        from tessera_io.plot.curves import draw_observable

        one = SimpleNamespace(time=np.array([5.0]), mean=np.array([2.0]), error=np.array([0.1]), name="pressure", title="pressure", unit="", time_unit="")
        fig, axes = plt.subplots()
        self.assertEqual(draw_observable(axes, one).get_marker(), "o")
        plt.close(fig)


    def test_units_of_own_models(self):
        for text, set_ in (("1/k_d", r"1/$k_{d}$"), ("mu^-1", r"$\mu^{-1}$"), ("k_on", r"$k_{\mathrm{on}}$"), ("layers^2", "layers$^2$"), ("MCS", "MCS")):
            self.assertEqual(labels.unit(text), set_)


if __name__ == "__main__":
    unittest.main()
