# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Distributions of the sizes of islands and other clusters."""

import os
import unittest
from types import SimpleNamespace

import drawing
import matplotlib.pyplot as plt
import numpy as np
import program
import tessera_io
from tessera_io.file import Table
from tessera_io.plot.distributions import SINGLE, distribution, draw_sizes

WORDS = "kmc --model epitaxy --size 32 --diffusion 1000 --bond-energy 12 --until-time 0.2 --measure-every 0.005 --field-every 0.05 --quiet"


class Sizes(drawing.Drawn):
    @classmethod
    def prepare(cls):
        program.run([*WORDS.split(), "--replicas", 3, "--average-from", "0.06", "--output", "averaged.h5"], cls.folder)
        program.run([*WORDS.split(), "--output", "single.h5"], cls.folder)
        lattice = os.path.join(program.SOURCE, "inputs/models/zgb.ini")
        with open(lattice, encoding="utf-8") as model, open(cls.path("zgb.ini"), "w", encoding="utf-8") as copy:
            copy.write(model.read() + "\n[Clusters O_islands]\nmembers = O@a\nneighbours = a + a.(1, 0, 0)\norientations = 4\n")
        words = "kmc --processes zgb.ini --size 16 --until-time 2 --measure-every 1 --field-every 1 --output zgb.h5 --quiet"
        program.run(words.split(), cls.folder)

    def of_table(self, name, replica, time, field):
        """[sizes]: the number of islands of each size per site, as the table has it."""
        counted = np.zeros(2000)
        table = field.run.history[name]
        rows = (table["replica"] == replica) & np.isclose(table["time"], time, rtol=1e-12)
        np.add.at(counted, table["size"][rows].astype(int), table["clusters"][rows])
        return counted / np.prod(field.shape)

    def test_the_mean_is_over_the_lattices_of_the_window_and_bars_are_over_the_replicas(self):
        with tessera_io.open(self.path("averaged.h5")) as run:
            field = run.fields["height"]
            field.run = run
            (fig,) = self.figures("averaged.h5", "island_sizes").values()
            (axes,) = fig.axes
            window = [time for time in field.time if time > 0.06]
            self.assertEqual(len(window), 3)
            each = np.array([np.mean([self.of_table("island_sizes", r, time, field) for time in window], axis=0) for r in range(3)])
            mean, error = each.mean(axis=0), each.std(axis=0, ddof=1) / np.sqrt(3)
            drawn = dict(zip(*axes.lines[0].get_data()))
            self.assertEqual([s for s in range(1, SINGLE + 1) if mean[s] > 0], [s for s in drawn if s <= SINGLE])
            self.assertGreater(len(drawn), 5)
            for s in [s for s in drawn if s <= SINGLE]:
                self.assertAlmostEqual(drawn[s], mean[int(s)])
            ends = {segment[0][0]: np.ptp(segment[:, 1]) / 2 for segment in axes.collections[0].get_segments() if len(segment)}
            for s in range(1, SINGLE + 1):
                self.assertAlmostEqual(ends.get(s, 0), error[s])
            self.assertTrue(any(ends))
        self.assertEqual((axes.get_xscale(), axes.get_yscale()), ("log", "log"))
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("island size $s$ (atoms)", "density $n_s$ (1/site)"))
        text = " ".join(t.replace("\n", " ") for t, _ in drawing.texts_of(fig))
        self.assertIn("molecular-beam epitaxy", text)
        self.assertIn("mean over 3 lattices from time 0.1 to 0.2", text)
        self.assertIn("bars: standard errors over 3 replicas", text)

    def test_without_averages_it_describes_the_last_or_chosen_lattices(self):
        with tessera_io.open(self.path("single.h5")) as run:
            field = run.fields["height"]
            field.run = run
            for words, times in (([], [0.2]), (["--row", "1,2,-1"], [0.05, 0.1, 0.2]), (["--time", "0.11"], [0.1])):
                (fig,) = self.figures("single.h5", "island_sizes", *words).values()
                (axes,) = fig.axes
                self.assertEqual(len(axes.lines), len(times))
                for line, time in zip(axes.lines, times):
                    drawn, right = dict(zip(*line.get_data())), self.of_table("island_sizes", 0, time, field)
                    for s in range(1, SINGLE + 1):
                        self.assertAlmostEqual(drawn.get(s, 0), right[s])
                told = axes.get_title("right") if len(times) == 1 else "\n".join(t.get_text() for t in axes.get_legend().get_texts())
                self.assertEqual(told, "\n".join(f"time {time:g} s" for time in times))
                self.assertIn("no error bars: a single system", " ".join(t.replace("\n", " ") for t, _ in drawing.texts_of(fig)))

    def test_bins_of_large_sizes_hold_all_clusters_at_the_density_of_one_size(self):
        size = np.array([1, 10, 11, 12, 13, 150, 999, 1000, 1001])
        columns = {"replica": np.zeros(9), "time": np.ones(9), "size": size.astype(float), "clusters": np.arange(1.0, 10)}
        columns["clusters"][-1] = 40
        table, field = Table.__new__(Table), SimpleNamespace(times=np.array([0.0, 1.0]), replicas=1, shape=(50, 20))
        table.update(columns)
        found, density, error = distribution(table, field, [1])
        self.assertTrue(np.isnan(error).all())
        self.assertAlmostEqual(density[0], 1 / 1000)
        self.assertAlmostEqual(density[list(found).index(10)], 2 / 1000)
        self.assertAlmostEqual(density[np.argmin(abs(found - np.sqrt(11 * 12)))], (3 + 4) / 2 / 1000)
        widths = np.diff(np.unique(np.concatenate([np.arange(1, 12), np.rint(10 ** (1 + np.arange(1, 23) / 10))])))
        self.assertAlmostEqual((density * widths).sum(), columns["clusters"].sum() / 1000)
        none = distribution(table, field, [0])
        self.assertFalse(none[1].any())  # no cluster at this time
        fig, axes = plt.subplots()
        table.name = "island_sizes"
        draw_sizes(axes, table, field, [0])
        plt.close(fig)

    def test_clusters_of_model_files_have_their_names(self):
        (fig,) = self.figures("zgb.h5", "cluster_sizes_O_islands").values()
        self.assertEqual(fig.axes[0].get_xlabel(), "cluster size $s$ (sites)")
        self.assertEqual(fig.axes[0].get_ylabel(), "density $n_s$ of O islands (1/cell)")

    def test_a_missing_replica_is_an_error(self):
        _, err = program.python(["-m", "tessera_io.plot", "averaged.h5", "island_sizes", "--replica", "3"], self.folder, status=2)
        self.assertRegex(err, "no replica 3 of height; valid values are 0 to 2")


if __name__ == "__main__":
    unittest.main()
