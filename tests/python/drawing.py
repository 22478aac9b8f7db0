# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Pictures by `python3 -m tessera_io.plot` in this process."""

import contextlib
import io
import os
import warnings
from unittest import mock

import formulas  # noqa: F401
import matplotlib
import program

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from tessera_io.plot import style  # noqa: E402
from tessera_io.plot.__main__ import main  # noqa: E402
from tessera_io.plot.style import tidy  # noqa: E402


def texts_of(fig):
    """The visible texts of a figure with their boxes, in points of the figure's picture."""
    renderer = fig.canvas.get_renderer()
    shown = [text for text in fig.findobj(matplotlib.text.Text) if text.get_visible() and text.get_text().strip()]
    return [(text.get_text(), text.get_window_extent(renderer)) for text in shown]


class Drawn(program.InFolder):
    warned = "error"  # what a warning does: nothing but errors is said on a terminal

    def figures(self, *words, drawn=False, saved=False):
        """The figures of a command by name; drawn ones have their layout, saved ones that of their files, and both have ticks."""
        made, save = {}, style.save

        def keep(fig, stem, *_):
            made[os.path.basename(stem)] = fig
            if saved:
                fig.set_dpi(100)
                return save(fig, stem, ["png"], fig.dpi)
            tidy(fig)
            if drawn:
                fig.canvas.draw()
            return [stem]

        closing = mock.patch.object(plt, "close") if saved else contextlib.nullcontext()
        with mock.patch.object(style, "save", keep), closing, contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(main([self.path(word) if os.path.exists(self.path(word)) else word for word in words]), 0)
        self.addCleanup(plt.close, "all")
        return made

    def plot(self, *words, status=0):
        """(what the command prints, names of files without the folder, and its standard error)."""
        with warnings.catch_warnings():
            warnings.simplefilter(self.warned)
            output = [] if "--output" in words else ["--output", self.path(os.path.splitext(words[0])[0])]
            ended, out, err = program.printed(main, [self.path(words[0]), *map(str, words[1:]), *output])
        self.assertEqual(ended, status, err)
        return [line.removeprefix(self.folder + os.sep) for line in out.splitlines()], err

    def svg(self, *words):
        """The text of the picture that is drawn."""
        name, *_ = self.plot(*words, "--format", "svg")[0]
        return program.read(self.path(name))

    def check_refusals(self, *calls):
        """[(words, what the line says that refuses them)]"""
        for words, message in calls:
            _, err = self.plot(*words, status=2)
            self.assertRegex(err, message)
            self.assertEqual(len(err.splitlines()), 1)
