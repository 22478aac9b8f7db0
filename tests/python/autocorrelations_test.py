# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Pictures of autocorrelations: all waiting times s of one kind in one panel against t / s."""

import shutil

import drawing
import h5py
import matplotlib
import numpy as np
import program
import tessera_io
from tessera_io.plot import style

S = (2, 8)


class Autocorrelations(drawing.Drawn):
    @classmethod
    def prepare(cls):
        common = "kpz --size 64 --replicas 4 --steps 64 --fields never --quiet".split()
        program.run([*common, "--waiting-times", "2,8", "--output", "kpz.h5"], cls.folder)
        program.run([*common, "--measure-times", "log", "--waiting-times", "5", "--output", "between.h5"], cls.folder)
        program.run([*common, "--waiting-times", "2,8", "--device-layer", "db", "--output", "border.h5"], cls.folder)
        program.run("sweep kpz --size 16;32 --steps 8 --waiting-times 2 --folder swept --quiet".split(), cls.folder)
        # The last rows: below 0, and positive within the error.
        shutil.copy(cls.path("kpz.h5"), cls.path("noisy.h5"))
        with h5py.File(cls.path("noisy.h5"), "r+") as file:
            file["observables/height_autocorrelation_2/value"][-2:] = [[-0.1, -0.1, -0.1, -0.2], [0.4, -0.3, -0.1, 0.2]]

    @staticmethod
    def caption(fig):
        return " ".join(fig._supxlabel.get_text().split())

    def test_all_waiting_times_share_a_panel_against_the_ratio_of_times(self):
        fig = self.figures("kpz.h5")["kpz_observables"]
        panels = {axes.get_ylabel(): axes for axes in fig.axes if axes.get_xlabel() == "$t / s$"}
        self.assertEqual(list(panels), ["$C_h(t, s)$ (layers$^2$)", "$C_s(t, s)$"])
        with tessera_io.open(self.path("kpz.h5")) as run:
            for kind, axes in zip(("height", "slope"), panels.values()):
                self.assertEqual((axes.get_xscale(), axes.get_yscale()), ("log", "log"))
                self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["$s$ = 2 MCS", "$s$ = 8 MCS"])
                for s in S:
                    one = run.observables[f"{kind}_autocorrelation_{s}"]
                    rows = one.mean > np.nan_to_num(one.error)
                    (line,) = [line for line in axes.lines if line.get_label() == f"$s$ = {s} MCS"]
                    np.testing.assert_array_equal(line.get_xydata(), np.column_stack([one.time[rows] / s, one.mean[rows]]))
        for words in ("64 × 64", "$C_h(t,s)$: autocorrelation of the heights", "$C_s(t,s)$: autocorrelation of the slopes"):
            self.assertIn(words, self.caption(fig))

    def test_points_within_their_errors_are_upper_limits_on_logarithmic_axes(self):
        rows, limits = {}, {}
        for scale in ("auto", "log", "linear"):
            ((name, fig),) = self.figures("noisy.h5", "height_autocorrelation", "--scale", scale).items()
            self.assertEqual(name, "noisy_height_autocorrelation")
            (axes,) = fig.axes
            rows[scale] = len(next(line for line in axes.lines if line.get_label() == "$s$ = 2 MCS").get_xdata())
            limits[scale] = [line.get_ydata() for line in axes.lines if line.get_marker() == "v" and line.get_label().startswith("_")]
            self.assertEqual("of points that do not exceed their errors" in self.caption(fig), scale != "linear")
            self.assertEqual(axes.get_yscale(), "linear" if scale == "linear" else "log")
        with tessera_io.open(self.path("noisy.h5")) as run:
            one = run.observables["height_autocorrelation_2"]
            self.assertLess(one.mean[-2], 0)
            self.assertTrue(0 < one.mean[-1] < one.error[-1])
            self.assertEqual(rows["linear"], len(one))
            np.testing.assert_allclose(limits["log"][0], [2 * one.error[-2], one.mean[-1] + 2 * one.error[-1]])
        self.assertEqual(limits["linear"], [])
        self.assertEqual((rows["auto"], rows["log"]), (rows["linear"] - 2,) * 2)

    def test_normalised_ones_have_jackknife_errors(self):
        fig = self.figures("kpz.h5", "height_autocorrelation", "slope_autocorrelation", "--normalised", "--scale", "linear")["kpz_observables"]
        self.assertEqual([axes.get_ylabel() for axes in fig.axes], ["$C_h(t, s) / C_h(s, s)$", "$C_s(t, s) / C_s(s, s)$"])
        with tessera_io.open(self.path("kpz.h5")) as run:
            for kind, axes in zip(("height", "slope"), fig.axes):
                bars = [c.get_segments() for c in axes.collections if hasattr(c, "get_segments")]
                for s, of_s in zip(S, bars):
                    value = run.observables[f"{kind}_autocorrelation_{s}"].value
                    (line,) = [line for line in axes.lines if line.get_label() == f"$s$ = {s} MCS"]
                    self.assertEqual(line.get_xydata()[0].tolist(), [1, 1])
                    np.testing.assert_allclose(line.get_ydata(), value.mean(axis=1) / value[0].mean(), rtol=1e-12)
                    left = [np.delete(value, r, axis=1).mean(axis=1) for r in range(4)]
                    ratios = np.array([mean / mean[0] for mean in left])
                    error = np.sqrt(3 / 4 * ((ratios - ratios.mean(axis=0)) ** 2).sum(axis=0))
                    half = [(bar[1, 1] - bar[0, 1]) / 2 for bar in of_s[1:]]
                    np.testing.assert_allclose(half, error[1:], rtol=1e-9)

    def test_c_of_s_and_s_is_known_with_dead_borders(self):
        (axes,) = self.figures("border.h5", "height_autocorrelation_8", "--normalised")["border_height_autocorrelation_8"].axes
        self.assertEqual(axes.lines[0].get_ydata()[0], 1)

    def test_the_input_of_the_first_run_measures_c_of_s_and_s(self):
        words = f"kpz --config {program.SOURCE}/inputs/quickstart/kpz_growth.ini --size 32 --steps 20 --replicas 2 --quiet --output growth.h5"
        program.run(words.split(), self.folder)
        for axes in self.figures("growth.h5", "height_autocorrelation", "slope_autocorrelation", "--normalised")["growth_observables"].axes:
            self.assertEqual(tuple(axes.lines[0].get_xydata()[0]), (1, 1))

    def test_normalisation_is_refused_without_c_of_s_and_s(self):
        self.check_refusals(
            (["between.h5", "--normalised"], "^tessera_io.plot: --normalised: .*height_autocorrelation_5 has no row at t = s; .*\n$"),
            (["swept", "--normalised"], "--normalised: is not available for a sweep"),
            (["kpz.h5", "--movie", "--normalised"], "--normalised: is not available for a movie"),
        )

    def test_exponents_share_a_panel(self):
        fig = self.figures("kpz.h5", "lambda_eff_slope")["kpz_history_lambda_eff_slope"]
        (axes,) = fig.axes
        self.assertEqual((axes.get_xscale(), axes.get_yscale(), axes.get_xlabel()), ("log", "linear", "$t / s$"))
        self.assertEqual(axes.get_ylabel(), r"$\lambda_\mathrm{eff} / z$ of $C_s(t, s)$")
        with tessera_io.open(self.path("kpz.h5")) as run:
            for s in S:
                table = run.history[f"lambda_eff_slope_{s}"]
                rows = np.isfinite(table["value"])
                (line,) = [line for line in axes.lines if line.get_label() == f"$s$ = {s} MCS"]
                mean = np.sqrt(table["time_before"] * table["time"])
                np.testing.assert_array_equal(line.get_xydata(), np.column_stack([mean / s, table["value"]])[rows])
        (axes,) = self.figures("kpz.h5", "beta_eff")["kpz_history_beta_eff"].axes
        with tessera_io.open(self.path("kpz.h5")) as run:
            exponents = run.history["beta_eff"]
            np.testing.assert_array_equal(axes.lines[0].get_xdata(), np.sqrt(exponents["time_before"] * exponents["time"]))

    def test_a_fit_lies_on_its_curve(self):
        for normalised in ([], ["--normalised"]):
            words = ["kpz.h5", "height_autocorrelation", "--fit", "height_autocorrelation_8:8:24", *normalised]
            (axes,) = self.figures(*words)["kpz_height_autocorrelation"].axes
            (fitted,) = [line for line in axes.lines if line.get_label().startswith(r"$\lambda/z$")]
            with tessera_io.open(self.path("kpz.h5")) as run:
                law = tessera_io.fit(run, "height_autocorrelation_8", 8, 24)
                unit = run.observables["height_autocorrelation_8"].mean[0] if normalised else 1
            np.testing.assert_allclose(fitted.get_xdata()[[0, -1]], [1, 3])
            np.testing.assert_allclose(fitted.get_ydata(), law(8 * fitted.get_xdata()) / unit)

    def test_several_files_and_waiting_times_are_distinguished(self):
        (axes,) = self.figures("kpz.h5", "height_autocorrelation", "--beside", "border.h5")["kpz_height_autocorrelation"].axes
        legend = [text.get_text() for text in axes.get_legend().get_texts()]
        self.assertEqual(legend, [f"device layer = {layer}, $s$ = {s} MCS" for layer in ("dtr", "db") for s in S])
        for count in (2, 7, 12):
            self.assertEqual(len({matplotlib.colors.to_hex(colour) for colour in style.colours(count)[:count]}), count)
