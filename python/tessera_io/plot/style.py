# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""What all pictures share: size, type, colours that readers with any colour vision tell apart, and files."""

import matplotlib
import matplotlib.pyplot as plt
from matplotlib.backend_bases import FigureCanvasBase

# Okabe and Ito's palette, the yellow left out: it is hard to see on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

_SETTINGS = {
    "figure.constrained_layout.use": True,
    "figure.dpi": 150,
    "savefig.dpi": 150,
    "font.size": 10,
    "axes.titlesize": 10,
    "axes.grid": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
    "legend.frameon": False,
    "legend.fontsize": 9,
    "lines.linewidth": 1.5,
    "lines.markersize": 4.5,
    "errorbar.capsize": 2,
    "svg.fonttype": "none",
    # The same picture is the same file.
    "svg.hashsalt": "tessera",
}


# Of a column of a journal.
_NARROW = {
    "font.size": 8,
    "axes.titlesize": 8,
    "legend.fontsize": 7,
    "lines.linewidth": 1,
    "lines.markersize": 3,
    "axes.linewidth": 0.6,
}
NARROW = 4.5  # inches
TALLEST = 9.0  # inches


def use(width=None):
    """Makes all figures of this process Tessera's: its settings, written to files and not shown.

    width  of the figures in inches: narrow ones have smaller type
    """
    matplotlib.use("Agg")
    matplotlib.rcParams.update(_SETTINGS)
    if width is not None and width < NARROW:
        matplotlib.rcParams.update(_NARROW)


def figure(rows=1, columns=1, size=(5.2, 3.8), **options):
    """A figure and its axes; `size` in inches is that of one of the axes."""
    return plt.subplots(rows, columns, figsize=(size[0] * columns, size[1] * rows), **options)


def fit(fig, axes, aspect, width_is_given=False):
    """Gives a figure the height at which pictures of this aspect, height over width, leave no blanks.

    axes  one of them, if there are several of the same width. A figure that would be too tall becomes less wide, unless its
          width is given.
    """
    # The colour bar takes a part of the height, so that what the pictures lack is not had at once; and a layout with one is
    # settled when it is made again.
    for _ in range(6):
        fig.draw_without_rendering()
        fig.draw_without_rendering()
        width, height = fig.get_size_inches()
        room = axes.get_position(original=True)
        lacking = room.width * width * aspect - room.height * height
        if abs(lacking) < 0.01:
            break
        height += lacking
        if height > TALLEST and not width_is_given:
            beside = width * (1 - room.width)
            width = beside + room.width * width * TALLEST / height
            height = TALLEST
        fig.set_size_inches(width, height)


def save(fig, stem, formats=("png", "svg"), dpi=150):
    """Writes STEM.png and STEM.svg, closes the figure, and returns the paths."""
    paths = []
    for extension in formats:
        paths.append(f"{stem}.{extension}")
        metadata = {"svg": {"Date": None}, "png": {"Software": None}}.get(extension)
        fig.savefig(paths[-1], metadata=metadata, dpi=dpi)
    close(fig)
    return paths


def close(fig):
    """Frees what a figure holds."""
    plt.close(fig)


def formats():
    """The kinds of files that save() writes here."""
    return sorted(set(FigureCanvasBase.get_supported_filetypes()) - {"pgf"})  # which needs LaTeX
