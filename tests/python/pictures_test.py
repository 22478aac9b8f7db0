# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""What pictures look like: sizes, scales, captions, labels; movies, tables, several files."""

import os
import re
from types import SimpleNamespace
from unittest import mock

import PIL.Image
import drawing
import matplotlib
import numpy as np
import program
import tessera_io
from matplotlib import animation
from tessera_io.described import Description
from tessera_io.plot import caption, draw_field, figure, labels
from tessera_io.plot.snapshots import common_scale

MODELS = ("epitaxy", "hopping", "ising", "kawasaki", "octahedron", "potts", "sos")
DOCUMENTS = ("kmc", "kpz", "disks", *(f"models/{name}" for name in MODELS))


def documented():
    """[(name, unit)] of the tables of observables in the documents, in their order."""
    rows = []
    for document in DOCUMENTS:
        tables = program.read(os.path.join(program.SOURCE, "docs", document + ".md")).split("| name | unit |")[1:]
        for table in tables:
            rows += re.findall(r"^\| `(\w+)` \| ([^|]*?) *\|", table.split("\n\n", 1)[0], re.MULTILINE)
    return rows


class Labels(program.InFolder):
    runs = ("kmc --size 16 --until-time 1 --output one.h5",)

    @classmethod
    def prepare(cls):
        super().prepare()
        with tessera_io.open(cls.path("one.h5")) as run:
            cls.description = run.description

    def test_every_observable_of_the_documents_is_typeset(self):
        self.assertGreater(len(documented()), 30)
        for name, unit in documented():
            name = name.replace("_S", "_30")
            self.assertTrue(name in self.description["titles"] or self.description.title(name) != name.replace("_", " "), name)
            for text in (self.description.title(name), labels.unit(unit)):
                self.assertNotRegex(re.sub(r"\$[^$]*\$", "", text), r"[_^\\$]|sigma|\bpsi", text)

    def test_panels_are_in_the_order_of_the_documents(self):
        for document in DOCUMENTS:
            with mock.patch(f"{__name__}.DOCUMENTS", (document,)):
                names = list(dict.fromkeys(name for name, _ in documented()))
            self.assertEqual(self.description.in_order(sorted(names)), names)
        self.assertEqual(self.description.in_order(["mine", "roughness"]), ["roughness", "mine"])

    def test_units(self):
        for unit, text in (
            ("layers^2", "layers$^2$"),
            ("1/k_2", "1/$k_2$"),
            ("layers/MCS", "layers/MCS"),
            ("k_B T / sigma^2", r"$k_\mathrm{B}$ $T$ / $\sigma^2$"),
        ):
            self.assertEqual(labels.unit(unit), text)


class Pictures(drawing.Drawn):
    runs = (
        "kmc --size 64,16 --replicas 2 --until-time 8 --measure-every 2 --field-every 4 --record-steps --output wide.h5",
        "kmc --size 16,64 --phi 2 --until-time 8 --field-every 8 --measure-every 2 --output tall.h5",
        "disks --particles 64 --aspect 4 --sweeps 60 --sample-every 1 --measure-every 10 --field-every 30 --replicas 2 "
        "--output disks.h5",
        "kpz --size 32 --steps 20 --replicas 2 --waiting-times 2 --output kpz.h5",
        f"kmc --processes {program.SOURCE}/inputs/models/co_oxidation_ruo2.ini --size 16 --until-time 1e-6 "
        "--field-every 5e-7 --output ruo2.h5",
        f"kmc --processes {program.SOURCE}/inputs/models/honeycomb_dimers.ini --size 32,16 --until-time 1 --output honeycomb.h5",
    )

    def test_the_width_is_the_requested_one(self):
        for name in ("wide.h5", "tall.h5", "kpz.h5", "disks.h5"):
            paths, _ = self.plot(name, "--width", "8.6cm", "--dpi", "127", "--format", "png")
            for path in paths:
                with PIL.Image.open(self.path(path)) as picture:
                    self.assertLessEqual(abs(picture.width - 430), 1, path)

    def test_no_blanks_whatever_the_shape_of_the_system(self):
        for name, field in (("wide.h5", "height"), ("tall.h5", "height"), ("disks.h5", "disks_0")):
            for more in ((), ("--row", "all")):
                (path,), _ = self.plot(name, field, "--dpi", "60", "--format", "png", *more)
                with PIL.Image.open(self.path(path)) as picture:
                    ink = np.asarray(picture.convert("L")) < 250
                for axis in (0, 1):
                    used = np.flatnonzero(ink.any(axis=axis))
                    gaps = np.diff(np.concatenate([[0], used, [ink.shape[1 - axis]]]))
                    # Room between panels and around labels is half an inch at the most.
                    self.assertLess(gaps.max(), 30, (path, more, axis))

    def test_several_rows_have_one_scale(self):
        with tessera_io.open(self.path("wide.h5")) as run:
            field = run.fields["height"]
            fig, axes = figure(1, len(field))
            scale = common_scale(field, range(len(field)), 1)
            for row, panel in enumerate(axes):
                lattice = draw_field(panel, field, row, 1, scale)
                image = panel.images[0]
                np.testing.assert_array_equal(image.get_array(), lattice - np.rint(lattice.mean()))
                self.assertEqual((image.norm.vmin, image.norm.vmax), (axes[0].images[0].norm.vmin, axes[0].images[0].norm.vmax))
                self.assertLessEqual(image.norm.vmin, image.get_array().min())
                self.assertGreaterEqual(image.norm.vmax, image.get_array().max())
            matplotlib.pyplot.close(fig)
        text = self.svg("wide.h5", "height", "--row", "0,-1")
        for words in ("time 0", "time 8", r"height $h - \bar{h}$ (layers)", "all with one scale"):
            self.assertIn(words, text)
        self.assertNotIn("time 4", text)

    def test_a_movie_has_all_rows(self):
        paths, _ = self.plot("wide.h5", "--movie", "--dpi", "50")
        self.assertEqual(paths, ["wide_height.gif"])
        with PIL.Image.open(self.path(paths[0])) as movie:
            self.assertEqual(movie.n_frames, 3)
        paths, _ = self.plot("disks.h5", "--movie", "--dpi", "50", "--replica", "1")
        self.assertEqual(paths, ["disks_pair_distribution.gif", "disks_disks_1.gif"])
        for path in paths:
            with PIL.Image.open(self.path(path)) as movie:
                self.assertEqual(movie.n_frames, 3)

    def test_mp4_with_ffmpeg(self):
        if animation.writers.is_available("ffmpeg"):
            (path,), _ = self.plot("wide.h5", "--movie", "--format", "mp4", "--dpi", "50")
            with open(self.path(path), "rb") as movie:
                self.assertEqual(movie.read(8)[4:], b"ftyp")
        with mock.patch.object(animation.writers, "is_available", return_value=False):
            _, err = self.plot("wide.h5", "--movie", "--format", "mp4", status=1)
        self.assertRegex(err, "mp4 needs ffmpeg, which is not installed; --format gif")
        self.assertEqual(len(err.splitlines()), 1)

    def test_tables_of_the_history(self):
        text = self.svg("wide.h5", "steps")
        for words in ("time (1/$k_2$)", r"$\Delta t$ (1/$k_2$)", "a colour for each replica"):
            self.assertIn(words, text)
        for colour in ("#0072b2", "#d55e00"):
            self.assertIn(colour, text)
        self.assertIn(r"$\beta_\mathrm{eff}$", self.svg("kpz.h5", "beta_eff"))
        paths, _ = self.plot("disks.h5", "samples", "--format", "svg")
        self.assertEqual(paths, ["disks_samples.svg", "disks_history_samples.svg"])

    def test_several_files_in_one_panel(self):
        text = self.svg("wide.h5", "roughness", "--beside", self.path("tall.h5"), "--scale", "linear")
        for words in (r"$\phi$ = 1", r"$\phi$ = 2", "64 × 16", "16 × 64", "#0072b2", "#d55e00", "solid-on-solid, seed 1<"):
            self.assertIn(words, text)
        paths, _ = self.plot("wide.h5", "height", "--beside", self.path("tall.h5"), "--format", "svg")
        self.assertEqual(paths, ["wide_height.svg"])
        _, err = self.plot("wide.h5", "steps", "--beside", self.path("wide.h5"), status=2)
        self.assertRegex(err, "steps is neither an observable or function nor a snapshot")

    def test_captions_describe_the_run_and_its_errors(self):
        text = self.svg("wide.h5", "roughness")
        run = ("kinetic Monte Carlo, solid-on-solid", r"$\phi$ = 1", "64 × 16", "seed 1, 2 replicas")
        for word in (*run, "standard errors over 2 replicas"):
            self.assertIn(word, text)
        self.assertNotIn("seed", self.svg("wide.h5", "roughness", "--no-caption"))
        self.assertIn("no error bars: a single system", self.svg("tall.h5", "roughness"))
        self.assertRegex(self.svg("kpz.h5", "velocity"), r"octahedron model, DTrDB, TC=2,2, \$p\$ = 1, \$q\$ = 0")

    def test_captions_name_a_model_from_a_file(self):
        given = {"processes": "text", "set": "y=0.4,k=2", "size": "64,64", "seed": "1"}
        run = SimpleNamespace(method="kmc", replicas=1, input=given, description=Description(method="kinetic Monte Carlo", title="ZGB"))
        self.assertEqual(caption.of_run(run), "kinetic Monte Carlo, ZGB, $y$ = 0.4, $k$ = 2, 64 × 64, seed 1")

    def test_species_of_a_model_from_a_file_have_their_names_and_colours(self):
        with tessera_io.open(self.path("ruo2.h5")) as run:
            field = run.fields["state"]
            self.assertEqual(field.sites, {site: ["empty", "CO", "O"] for site in ("bridge", "cus")})
            for site in field.sites:
                species = field.species(site)
                for number, name in enumerate(field.sites[site]):
                    self.assertEqual((species == number).mean(), run.observables[f"coverage_{name}_{site}"].value[-1])
            with self.assertRaisesRegex(KeyError, "no site 'top' in a unit cell; valid values are bridge, cus"):
                field.species("top")
            fig, axes = figure()
            draw_field(axes, field)
            drawn = axes.images[0]
            np.testing.assert_array_equal(drawn.get_array()[:, ::2], field.species("bridge"))
            np.testing.assert_array_equal(drawn.get_array()[:, 1::2], field.species("cus"))
            self.assertEqual([matplotlib.colors.to_hex(colour) for colour in drawn.cmap.colors], ["#ffffff", "#404040", "#d62728"])
            matplotlib.pyplot.close(fig)
        text = self.svg("ruo2.h5", "state")
        for words in (">empty<", ">CO<", ">O<", "CO oxidation on RuO2(110)"):
            self.assertIn(words, text)

    def test_an_oblique_lattice_is_drawn_along_the_sides_of_its_unit_cell(self):
        with tessera_io.open(self.path("honeycomb.h5")) as run, tessera_io.open(self.path("ruo2.h5")) as rectangular:
            np.testing.assert_allclose(run.fields["state"].cell, [[1, 0], [0.5, 0.866]])
            np.testing.assert_array_equal(rectangular.fields["state"].cell, np.eye(2))
            fig, axes = figure()
            draw_field(axes, run.fields["state"])
            place = axes.images[0].get_transform() - axes.transData
            np.testing.assert_allclose(place.transform([(32, 0), (0, 16)]), [(32, 0), (8, 16 * 0.866)], atol=1e-9)
            np.testing.assert_allclose((axes.get_xlim(), axes.get_ylim()), [(0, 40), (0, 16 * 0.866)])
            matplotlib.pyplot.close(fig)

    def test_the_pressure_is_drawn_with_its_average(self):
        text = self.svg("disks.h5", "pressure")
        axis = r"pressure $P$ ($k_\mathrm{B}$ $T$ / $\sigma^2$)"
        with tessera_io.open(self.path("disks.h5")) as run:
            self.assertIn("pressure", run.averages)
        for words in ("chosen automatically", axis, r"$\eta$ = 0.698"):
            self.assertIn(words, text)

    def test_bad_calls_are_refused_with_a_remedy(self):
        self.check_refusals(
            (("wide.h5", "--width", "8.6"), "'8.6': must be a width .* 8.6cm, 86mm, 3.4in"),
            (("wide.h5", "--width", "2km"), "'2km': must be a width"),
            (("wide.h5", "--width", "0.5cm"), "'0.5cm': must be a width from 1in to 40in"),
            (("wide.h5", "--movie", "--format", "png"), "'png' is not a format of a movie"),
            (("wide.h5", "--format", "gif"), "'gif' is only a format of a movie"),
            (("wide.h5", "--movie", "--fps", "0"), "--fps 0: must lie in"),
            (("wide.h5", "--movie", "--beside", self.path("tall.h5")), "--beside: is not available for a movie"),
            (("wide.h5", "--row", "0,x"), "--row"),
            (("wide.h5", "height", "--row", "0,9"), "row 9 of height; valid values are 0 to 2"),
        )
