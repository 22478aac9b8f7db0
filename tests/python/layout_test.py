# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Space in pictures: for long names, many snapshots, and what is at the end of its axis."""

import unittest
from types import SimpleNamespace

import drawing
import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import program
from tessera_io.plot import caption, labels, sheet
from tessera_io.plot.curves import draw_observable

# A model whose species and process have long names.
MODEL = """[SpeciesList]
default_species = empty_adsorption_site
[Species empty_adsorption_site]
[Species formaldehyde_adsorbed_on_bridge]
[Lattice]
cell_size = 1.0 1.0 1.0
[Layer square]
site unsaturated = (0.5, 0.5, 0.5)
[Process adsorption]
rate_constant = 1
conditions = empty_adsorption_site@unsaturated
actions = formaldehyde_adsorbed_on_bridge@unsaturated
[Process desorption]
rate_constant = 1
conditions = formaldehyde_adsorbed_on_bridge@unsaturated
actions = empty_adsorption_site@unsaturated
"""


class Pictures(drawing.Drawn):
    runs = (
        "kmc --processes long.ini --size 16 --until-time 4 --measure-every 1 --output long.h5",
        "kmc --model ising --size 16 --until-time 4 --measure-every 1 --field-every 1 --output ising.h5",
        "kmc --size 16 --until-time 4 --field-every 1 --output sos.h5",
        "kmc --model hopping --size 16 --until-time 1 --output gas.h5",
        "kmc --model potts --order 0 --size 16 --until-time 1 --output potts.h5",
        "kpz --size 16 --steps 4 --output kpz.h5",
        "disks --particles 64 --sweeps 4 --output disks.h5",
        f"kmc --processes {program.SOURCE}/inputs/models/honeycomb_dimers.ini --size 32,16 --until-time 1 --output honeycomb.h5",
        "kpz --size 16 --steps 12 --waiting-times 1,2,3,4,5,6,7,8,9 --replicas 2 --output times.h5",
        "sweep kpz --size 16 --seed 1,3 --p 0.3:1:8 --steps 4 --folder eight",
        "sweep kpz --size 16 --seed 1,3 --p 0.3:1:14 --steps 4 --folder many",
        "sweep kpz --size 16 --seed 1,3 --steps 4 --folder seeds",
        "sweep kpz --size 16;32;512 --steps 4 --folder sizes",
    )

    @classmethod
    def prepare(cls):
        program.write(cls.path("long.ini"), MODEL)
        super().prepare()

    def figures(self, *words):
        return super().figures(*words, saved=True)

    def test_labels_are_not_longer_than_axes(self):
        for width in ("8.6cm", "17.8cm"):
            (fig,) = (fig for name, fig in self.figures("long.h5", "--width", width).items() if "observables" in name)
            texts = [axes.yaxis.label.get_text().replace("\n", " ") for axes in fig.axes]
            self.assertIn("coverage of formaldehyde, adsorbed on bridge", texts)
            for axes in fig.axes:
                label = axes.yaxis.label.get_window_extent()
                self.assertLessEqual(label.height, 1.02 * axes.get_window_extent().height, axes.get_ylabel())
                self.assertGreaterEqual(label.x0, 0)
                self.assertGreater(axes.yaxis.label.get_fontsize(), 5)

    def test_layouts_fit_the_drawn_ticks(self):
        words = ("times.h5", "lambda_eff_height", "lambda_eff_slope", "roughness", "skewness", "kurtosis", "--width", "8.6cm")
        for name, fig in self.figures(*words).items():
            places = [axes.get_position().bounds for axes in fig.axes]
            fig.set_layout_engine("constrained")
            for _ in range(2):
                fig.get_layout_engine().execute(fig)
            for axes, place in zip(fig.axes, places):
                np.testing.assert_allclose(axes.get_position().bounds, place, atol=0.005, err_msg=name)

    def test_names_of_species_are_in_the_picture(self):
        for width in ("8.6cm", "17.8cm"):
            fig = self.figures("long.h5", "state", "--width", width)["long_state"]
            shown = [label for axes in fig.axes for label in axes.get_yticklabels() if "_" in label.get_text()]
            self.assertEqual([label.get_text().replace("\n", "") for label in shown], ["empty_adsorption_site", "formaldehyde_adsorbed_on_bridge"])
            for label in shown:
                self.assertLessEqual(label.get_window_extent().x1, fig.bbox.x1)
            self.assertEqual(len({label.get_fontsize() for label in shown}), 1)

    def test_snapshots_of_a_column_are_not_tiny(self):
        for words in (("ising.h5", "spin"), ("sos.h5", "height")):
            (fig,) = self.figures(*words, "--row", "0,1,2,3", "--width", "8.6cm").values()
            self.assertGreaterEqual(fig.axes[0].get_window_extent().width / fig.dpi, sheet.NARROWEST)

    def test_names_of_spins_are_in_the_picture_beside_panels_of_equal_height(self):
        (fig,) = self.figures("ising.h5", "spin", "--row", "0,1,2,3", "--width", "17.8cm").values()
        *panels, bar = fig.axes
        self.assertEqual(len({axes.get_position().y0 for axes in panels}), 1)
        self.assertEqual(len({axes.title.get_window_extent().y0 for axes in panels}), 1)
        self.assertEqual([label.get_text() for label in bar.get_yticklabels()], ["down", "up"])
        for label in bar.get_yticklabels():
            self.assertLessEqual(label.get_window_extent().x1, fig.bbox.x1)

    def test_a_caption_of_many_formulas_is_below_the_axes(self):
        (fig,) = self.figures("sos.h5", "--beside", *["kpz.h5", "disks.h5"] * 3, "--width", "17.8cm").values()
        (text,) = (text.get_window_extent() for text in fig.texts)
        self.assertLess(text.y1, min(axes.get_tightbbox().y0 for axes in fig.axes if axes.get_xlabel()))

    def test_an_oblique_lattice_fills_the_picture(self):
        (fig,) = self.figures("honeycomb.h5", "state", "--width", "8.6cm").values()
        axes = fig.axes[0]
        drawn, place = axes.get_position(), axes.get_position(original=True)
        self.assertAlmostEqual(drawn.height, place.height, delta=0.01)
        self.assertAlmostEqual(drawn.width, place.width, delta=0.01)

    def test_around_an_oblique_lattice_is_no_colour_of_a_species(self):
        (fig,) = self.figures("honeycomb.h5", "state").values()
        self.assertNotIn(fig.axes[0].get_facecolor(), map(tuple, fig.axes[0].images[0].cmap.colors))
        self.assertEqual((fig.axes[0].get_xlabel(), fig.axes[0].get_ylabel()), ("$x / a$", "$y / a$"))

    def test_states_and_occupations_have_named_colours(self):
        for file, field, names in (("gas.h5", "occupation", ["empty", "occupied"]), ("potts.h5", "state", ["0", "1", "2"])):
            (fig,) = self.figures(file, field).values()
            panel, bar = fig.axes
            self.assertEqual([label.get_text() for label in bar.get_yticklabels()], names)
            self.assertEqual(len({panel.images[0].cmap(k) for k in range(len(names))}), len(names))

    def test_panels_have_letters(self):
        fig = self.figures("ising.h5")["ising_observables"]
        self.assertGreater(len(fig.axes), 1)
        letters = [text.get_text() for axes in fig.axes for text in axes.texts]
        self.assertEqual(letters, [f"({letter})" for letter in "abcdefghij"[: len(fig.axes)]])

    def test_a_caption_takes_at_most_a_fifth(self):
        fig = self.figures("kpz.h5", "roughness", "--beside", *["kpz.h5"] * 8, "--width", "8.6cm")["kpz_roughness"]
        self.assertLess(fig._supxlabel.get_window_extent().height, 0.21 * fig.bbox.height)

    def test_few_values_of_a_logarithmic_axis_are_its_ticks(self):
        (axes,) = self.figures("sizes", "roughness")["plot"].axes
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()], ["16", "32", "512"])

    def test_a_flat_surface_has_one_colour(self):
        (fig,) = self.figures("sos.h5", "height", "--row", "0").values()
        self.assertEqual(fig.axes[0].images[0].cmap.N, 1)

    def test_many_lines_have_distinct_colours(self):
        def colours(axes):
            named, _ = axes.get_legend_handles_labels()
            return len({(one if isinstance(one, matplotlib.lines.Line2D) else one.lines[0]).get_color() for one in named})

        (axes,) = self.figures("times.h5", "slope_autocorrelation", "--scale", "linear")["times_slope_autocorrelation"].axes
        self.assertEqual(colours(axes), 9)
        legend = axes.get_legend().get_window_extent()
        self.assertGreater(legend.y0, axes.get_window_extent().y1 - 2)
        self.assertLess(legend.x1, axes.figure.bbox.x1)
        (axes,) = self.figures("times.h5", "roughness", "--beside", *["kpz.h5"] * 8)["times_roughness"].axes
        self.assertEqual(colours(axes), 9)
        for folder, count in (("eight", 8), ("many", 14)):
            fig = self.figures(folder, "roughness", "--against", "seed")["plot"]
            (axes,) = fig.axes
            self.assertEqual(colours(axes), count)
            self.assertEqual(axes.get_legend() is not None, count == 8)
            self.assertEqual("14 lines, from dark to light in the order of the table" in fig._supxlabel.get_text(), count == 14)

    def test_an_option_of_whole_numbers_has_whole_ticks(self):
        (axes,) = self.figures("seeds", "roughness", "--width", "8.6cm")["plot"].axes
        ticks = axes.get_xticks()
        self.assertGreater(len(ticks), 1)
        np.testing.assert_array_equal(ticks, np.rint(ticks))


class Words(unittest.TestCase):
    def test_names_are_broken_after_blanks_and_underscores_and_not_in_formulas(self):
        for text, inches, lines in (
            ("one_two three", 10, ["one_two three"]),
            ("one_two three", 0.5, ["one_", "two", "three"]),
            ("a_formaldehyde_b_c", 0.2, ["a_", "formaldehyde_", "b_c"]),
            ("energy $E_{a b}$ (J)", 0.4, ["energy", "$E_{a b}$", "(J)"]),
        ):
            self.assertEqual(labels.broken(text, inches).split("\n"), lines)

    def test_times_are_typeset(self):
        self.assertEqual(labels.moment(7.67967e6, "s"), r"time $7.67967 \times 10^{6}$ s")
        self.assertEqual(labels.moment(40, "MCS"), "time 40 MCS")
        self.assertEqual([labels.moment(time, "s", (0, 1e-5, 1e-4)) for time in (0, 1e-4)], ["time 0 s", "time $10^{-4}$ s"])

    def test_a_caption_has_the_parameters_of_a_ramp(self):
        lines = ["parameter heating = 5, adjustable", "parameter T = 300 at time 0, 300 + heating*time, adjustable", "parameter k = 2"]
        self.assertEqual(caption.ramp({"description": [*lines, "rates change with time"]}), [("heating", "5"), ("T", "300 + heating*time")])
        self.assertEqual(caption.ramp({"description": lines}), [])

    def test_bars_that_nearly_reach_zero_do_not_widen_logarithmic_axes(self):
        time, mean = np.array([1.0, 2, 4]), np.array([1, 0.5, 0.2])
        one = SimpleNamespace(time=time, mean=mean, error=np.array([0.1, 0.49999, 0.1]), name="value", title="value", unit="", time_unit="")
        fig, axes = plt.subplots()
        draw_observable(axes, one, scale="log")
        self.assertTrue(0.05 < axes.get_ylim()[0] < 0.1, axes.get_ylim())
        plt.close(fig)


if __name__ == "__main__":
    unittest.main()
