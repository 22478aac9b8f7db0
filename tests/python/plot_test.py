# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""python3 -m tessera_io.plot on files that the program wrote."""

import math
import os
from types import SimpleNamespace
from unittest import mock

import drawing
import h5py
import matplotlib
import numpy as np
import program
import tessera_io
from tessera_io.plot import draw_average, draw_field, draw_observable, draw_particles, figure
from tessera_io.plot.snapshots import orientation_colours, with_images
from tessera_io.plot.style import COLOURS


class Pictures(drawing.Drawn):
    runs = (
        "kmc --size 32 --replicas 2 --until-time 8 --measure-every 2 --field-every 4 --output sos.h5",
        "kmc --model ising --size 16 --until-time 4 --measure-every 1 --output ising.h5",
        "kmc --model potts --size 16 --until-time 4 --order 0 --measure-every 1 --output potts.h5",
        "kpz --size 32 --replicas 2 --steps 40 --output kpz.h5",
        "disks --particles 64 --packing-fraction 0.6 --sweeps 40 --sample-every 5 --replicas 2 --output disks.h5",
        "disks --particles 16 --sweeps 2 --replicas 11 --output many.h5",
    )

    @classmethod
    def prepare(cls):
        super().prepare()
        open(cls.path("empty.h5"), "wb").close()
        program.write(cls.path("text.h5"), "seed = 7\n")
        h5py.File(cls.path("foreign.h5"), "w").close()
        with open(cls.path("sos.h5"), "rb") as whole, open(cls.path("cut.h5"), "wb") as cut:
            cut.write(whole.read()[:-100])

    def test_command(self):
        out, _ = program.python(["-m", "tessera_io.plot", "sos.h5", "roughness", "--format", "png"], self.folder)
        self.assertEqual(out, "sos_roughness.png\n")

    def test_a_missing_backend_is_harmless(self):
        """Jupyter names its own one to all that a notebook starts."""
        for backend in ("module://matplotlib_inline.backend_inline", "nothing"):
            with mock.patch.dict(os.environ, MPLBACKEND=backend):
                out, _ = program.python(["-m", "tessera_io.plot", "sos.h5", "roughness", "--format", "png"], self.folder)
                self.assertEqual(out, "sos_roughness.png\n")
                program.python(["-m", "tessera_reproduce", "--help"], self.folder)

    def test_without_matplotlib_the_commands_report_it_in_a_line(self):
        without = "import runpy, sys; sys.modules['matplotlib'] = None; runpy.run_module(sys.argv.pop(1), None, '__main__', True)"
        _, err = program.python(["-c", without, "tessera_io.plot", "sos.h5"], self.folder, status=1)
        self.assertRegex(err, r"^tessera_io.plot: .*matplotlib is needed.*\n$")

    def test_all_of_a_file(self):
        drawn = {"sos": ["height"], "ising": ["spin"], "potts": ["state"], "kpz": ["height"]}
        drawn["disks"] = ["pair_distribution", "disks_1"]
        for name, snapshots in drawn.items():
            replica = "1" if name == "disks" else "0"
            paths, _ = self.plot(f"{name}.h5", "--replica", replica)
            observables = [] if name == "disks" else ["observables"]
            self.assertEqual(paths, [f"{name}_{n}.{e}" for n in observables + snapshots for e in ("png", "svg")])
            for path in paths:
                with open(self.path(path), "rb") as picture:
                    begin = picture.read(200)
                self.assertTrue(begin.startswith(b"\x89PNG") if path.endswith("png") else b"<svg" in begin or b"<?xml" in begin)

    def test_functions_of_one_run_and_of_several(self):
        fluid = "disks --particles 64 --packing-fraction 0.5 --sweeps 200 --sample-every 2 --r-max 5 --g6 true --q-max 12 --quiet"
        for seed, name in (("1", "fluid.h5"), ("2", "other.h5")):
            program.run([*fluid.split(), "--seed", seed, "--output", name], self.folder)
        paths, _ = self.plot("fluid.h5", "g", "g6", "S", "--width", "8.6cm", "--format", "svg")
        self.assertEqual(paths, ["fluid_S.svg", "fluid_S_plane.svg", "fluid_g.svg", "fluid_g6.svg"])
        paths.remove("fluid_S_plane.svg")
        for path in paths:
            self.assertIn("standard error over blocks of", program.read(self.path(path)))
        paths, _ = self.plot("fluid.h5", "g", "--beside", self.path("other.h5"), "--format", "svg", "--output", self.path("both"))
        self.assertEqual(paths, ["both_g.svg"])
        paths, _ = self.plot("fluid.h5", "--row", "-1", "--format", "svg")
        self.assertIn("fluid_pair_distribution.svg", paths)

    def test_named_observables_alone(self):
        paths, _ = self.plot("sos.h5", "roughness", "--format", "svg", "--output", self.path("some"))
        self.assertEqual(paths, ["some_roughness.svg"])
        self.assertIn("time 4", self.svg("sos.h5", "height", "--time", "3.5", "--replica", "1"))

    def test_a_panel_without_positive_values_explains_it(self):
        for file, name, said in (("ising.h5", "energy", True), ("sos.h5", "roughness", False)):
            for scale in ("log", "linear"):
                self.assertEqual("no positive value" in self.svg(file, name, "--scale", scale), said and scale == "log")

    def test_both_axes_have_the_requested_scale(self):
        spread, even = np.geomspace(1, 1000, 10), np.linspace(100, 109, 10)
        for time, mean, auto in (
            (spread, spread, ("log", "log")),
            (spread, even, ("log", "linear")),
            (even, even, ("linear", "linear")),
        ):
            observable = SimpleNamespace(name="x", title="x", unit="", time_unit="", time=time, mean=mean, error=np.full(10, np.nan))
            for scale, of_axes in (("auto", auto), ("log", ("log", "log")), ("linear", ("linear", "linear"))):
                _, axes = figure()
                draw_observable(axes, observable, scale=scale)
                self.assertEqual((axes.get_xscale(), axes.get_yscale()), of_axes)

    def test_the_same_picture_is_the_same_file(self):
        contents = []
        for stem in ("one", "two"):
            paths, _ = self.plot("sos.h5", "height", "roughness", "--output", self.path(stem))
            contents.append([open(self.path(p), "rb").read() for p in paths])
        self.assertEqual(*contents)

    def test_bad_calls_are_refused_with_a_remedy(self):
        self.check_refusals(
            (("sos.h5", "rough"), "no 'rough'; it has .*roughness.*height"),
            (("nothing.h5",), "nothing.h5: no such file"),
            (("sos.h5", "height", "--row", "7"), "row 7 of height; valid values are 0 to 2"),
            (("sos.h5", "height", "--replica", "2"), "replica 2 of height; valid values are 0 to 1"),
            (("disks.h5", "--replica", "2"), "replica 2 of .*; valid values are 0 to 1"),
            (("empty.h5",), "empty.h5: is empty"),
            (("text.h5",), "text.h5: is not an HDF5 file"),
            (("foreign.h5",), "foreign.h5: is an HDF5 file that Tessera did not write"),
            (("cut.h5",), "cut.h5: is truncated"),
            ((".",), "is a folder"),
            (("sos.h5", "--beside", self.path("text.h5")), "text.h5: is not an HDF5 file"),
            (("sos.h5", "--output", self.path("none/sos")), "none"),
            (("sos.h5", "--format", "docx"), "--format: 'docx' .* valid values are .*pdf.*png.*svg"),
            (("sos.h5", "--format", "png,"), "--format: '' "),
            (("sos.h5", "--scale", "cubic"), "--scale: .*'cubic'.*auto.*linear.*log"),
            (("sos.h5", "--dpi", "0"), "--dpi: 0: must lie in \\[10, 2400\\] dots per inch"),
            (("sos.h5", "--time", "nan"), "--time: .*'nan'"),
        )

    def test_disks_of_each_replica(self):
        for replica, group in ((0, "00"), (1, "01"), (10, "10")):
            paths, _ = self.plot("many.h5", "--replica", replica, "--format", "svg")
            self.assertEqual(paths, ["many_pair_distribution.svg", f"many_disks_{group}.svg"])

    def test_units_are_those_of_the_file(self):
        with h5py.File(self.path("sos.h5")) as stored, h5py.File(self.path("own.h5"), "w") as own:
            for name in stored:
                stored.copy(name, own)
            own.attrs.update(stored.attrs)
            own["observables/roughness/time"].attrs["unit"] = own["fields/height/time"].attrs["unit"] = "fortnights"
            own["fields/height/value"].attrs["unit"] = "furlongs"
        for file, name, words in (
            ("sos.h5", "roughness", ("roughness $W^2$ (layers$^2$)", "time (1/$k_2$)")),
            ("own.h5", "roughness", ("roughness $W^2$ (layers", "time (fortnights)")),
            ("own.h5", "height", ("height (furlongs)", "time 8 fortnights")),
            ("kpz.h5", "roughness", ("roughness $W^2$ (layers", "time (MCS)")),
            ("kpz.h5", "height", ("height (layers)", "time 40 MCS")),
            ("disks.h5", "disks_1", ("$x$ ($\\sigma$)", "time 40 sweeps")),
        ):
            text = self.svg(file, name)
            for word in words:
                self.assertTrue(word in text, (file, name, word))

    def test_error_bars_are_those_of_the_file(self):
        with tessera_io.open(self.path("sos.h5")) as run:
            roughness = run.observables["roughness"]
            fig, axes = figure()
            draw_observable(axes, roughness, scale="linear")
            bars = next(c for c in axes.collections if hasattr(c, "get_segments")).get_segments()
            half = [(bar[1, 1] - bar[0, 1]) / 2 for bar in bars[1:]]
            self.assertTrue(np.isnan(roughness.error[0]))  # all replicas start flat
            np.testing.assert_allclose(half, roughness.error[1:], atol=1e-12)
            np.testing.assert_allclose(axes.lines[0].get_ydata(), roughness.mean)
            matplotlib.pyplot.close(fig)

    def test_averages_are_lines_with_a_band(self):
        words = "kpz --size 32 --replicas 9 --steps 60 --measure-every 1 --average-from 20 --output steady.h5 --quiet"
        program.run(words.split(), self.folder)
        with tessera_io.open(self.path("steady.h5")) as run:
            average = run.averages["skewness"]
            fig, axes = figure()
            draw_average(axes, SimpleNamespace(start=20, mean=1.0, error=math.nan), 60)
            self.assertEqual(len(axes.collections), 0)  # no error
            axes.clear()
            line = draw_average(axes, average, 60)
            np.testing.assert_array_equal(line.get_xydata(), [[20, average.mean], [60, average.mean]])
            band = axes.collections[0].get_paths()[0].vertices
            np.testing.assert_allclose(band.min(axis=0), [20, average.mean - average.error])
            np.testing.assert_allclose(band.max(axis=0), [60, average.mean + average.error])
            matplotlib.pyplot.close(fig)
        self.assertIn(COLOURS[1].lower(), self.svg("steady.h5", "skewness"))
        self.assertNotIn(COLOURS[1].lower(), self.svg("kpz.h5", "skewness"))

    def test_image_is_the_lattice_with_x_to_the_right(self):
        with tessera_io.open(self.path("ising.h5")) as run:
            fig, axes = figure()
            shown = draw_field(axes, run.fields["spin"])
            image = axes.images[0]
            np.testing.assert_array_equal(image.get_array(), shown)
            self.assertEqual((image.origin, *image.get_extent()), ("lower", 0, 16, 0, 16))
            matplotlib.pyplot.close(fig)


class Disks(program.InFolder):
    def test_colours_show_the_direction(self):
        class Two:
            unit = "sigma"

            def position(self, _):
                points = [((i + 0.5 * (j % 2)) * 1.1, j * 1.1 * 3**0.5 / 2) for j in range(8) for i in range(8)]
                return np.array(points)

            def box(self, _):
                return np.array([8.8, 8.8 * 3**0.5 / 2])

        fig, axes = figure()
        psi = draw_particles(axes, Two())
        np.testing.assert_allclose(psi, 1, atol=1e-9)
        colours = axes.collections[0].get_facecolor()
        # Those near an edge appear on both sides.
        self.assertGreater(len(colours), 64)
        np.testing.assert_allclose(colours, np.tile(colours[0], (len(colours), 1)), atol=0.02)
        np.testing.assert_allclose(orientation_colours(np.exp([1j * np.pi])), orientation_colours(np.exp([-1j * np.pi])), atol=0.02)
        np.testing.assert_allclose(orientation_colours(np.array([0j])), [[1, 1, 1, 1]])
        matplotlib.pyplot.close(fig)

    def test_periodic_images(self):
        position, box = np.array([[0.2, 5.0], [9.9, 9.7], [5.0, 5.0]]), np.array([10.0, 10.0])
        shown, whose = with_images(position, box, 0.5)
        images = {(w, *np.round(p, 6)) for w, p in zip(whose[3:], shown[3:])}
        self.assertEqual(images, {(0, 10.2, 5.0), (1, -0.1, 9.7), (1, 9.9, -0.3), (1, -0.1, -0.3)})
