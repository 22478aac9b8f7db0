# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Settings of all pictures: size, fonts, colours that are distinct for every colour vision, ticks, and files."""

import math

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.ticker import FixedLocator, FuncFormatter, LogFormatterSciNotation, LogLocator, MaxNLocator, NullFormatter, NullLocator, ScalarFormatter

from . import labels

# Okabe and Ito's palette, without yellow, which is hard to see on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

_SETTINGS = {
    "figure.dpi": 150,
    "savefig.dpi": 150,
    "font.size": 10,
    "axes.titlesize": 10,
    "axes.grid": False,
    "axes.formatter.use_mathtext": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
    "legend.frameon": False,
    "legend.fontsize": 9,
    "lines.linewidth": 1.5,
    "lines.markersize": 4.5,
    "errorbar.capsize": 2,
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    # Equal pictures are equal files.
    "svg.hashsalt": "tessera",
}

SPACES = {"handlelength": 1.2, "handletextpad": 0.5, "columnspacing": 1.0}  # of a legend, in units of the size of its type


LABELLED = 2.0  # decades of a logarithmic axis that need more labels than the powers of ten
CURVED = 0.6  # decades on which linear steps are as even


def colours(count):
    """This number of colours; for more than seven lines, from dark to light."""
    if count <= len(COLOURS):
        return COLOURS
    return [matplotlib.colors.to_hex(colour) for colour in matplotlib.colormaps["viridis"](np.linspace(0, 0.95, count))]


# Width of a column of a journal.
_NARROW = {
    "font.size": 8,
    "axes.titlesize": 8,
    "legend.fontsize": 7,
    "lines.linewidth": 1,
    "lines.markersize": 3,
    "axes.linewidth": 0.6,
}
NARROW = 4.5  # inches


def use(width=None):
    """Applies Tessera's settings to all figures of this process, which are written to files and not shown.

    width  of the figures in inches: narrow ones have smaller type
    """
    matplotlib.use("Agg")
    matplotlib.rcParams.update(_SETTINGS)
    if width is not None and width < NARROW:
        matplotlib.rcParams.update(_NARROW)


def figure(rows=1, columns=1, size=(5.2, 3.8), **options):
    """A figure and its axes; `size` in inches is that of one of the axes."""
    return plt.subplots(rows, columns, figsize=(size[0] * columns, size[1] * rows), layout="constrained", **options)


def save(fig, stem, formats=("png", "svg"), dpi=150):
    """Writes STEM.png and STEM.svg, closes the figure, and returns the paths."""
    fig.set_dpi(dpi)  # on which sizes of type depend a little
    tidy(fig)
    if fig.get_layout_engine():
        for _ in range(2):  # ticks depend on the size of the axes, which depends on the ticks
            fig.get_layout_engine().execute(fig)
        if not labels.fit(fig):
            fig.set_layout_engine("none")
    paths = []
    for extension in formats:
        paths.append(f"{stem}.{extension}")
        metadata = {"svg": {"Date": None}, "png": {"Software": None}, "pdf": {"CreationDate": None}}.get(extension)
        fig.savefig(paths[-1], metadata=metadata, dpi=dpi)
        fig.set_layout_engine("none")  # that of the first is that of all
    plt.close(fig)
    return paths


def formats():
    """The file formats that save() can write here."""
    return sorted(set(FigureCanvasBase.get_supported_filetypes()) - {"pgf"})  # which needs LaTeX


def tidy(fig):
    """Sets the ticks of logarithmic axes that have no chosen ones: at least two labels, plain numbers on less than two decades; and labels
    of linear axes that are drawn faster."""
    for axes in fig.axes:
        for axis, ends in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            if axis.get_scale() == "log" and min(ends) > 0 and not isinstance(axis.get_major_locator(), FixedLocator):
                _set(axis, *sorted(ends))
            elif type(axis.get_major_formatter()) is ScalarFormatter:
                plain = _Plain()
                vars(plain).update(vars(axis.get_major_formatter()))
                axis.set_major_formatter(plain)


class _Plain(ScalarFormatter):
    """Labels that are no formulas, which take ten times as long; a common factor of them is one."""

    def __call__(self, x, pos=None):
        return super().__call__(x, pos).removeprefix(r"$\mathdefault{").removesuffix("}$")


def put_ticks(axis, values):
    """Ticks at these values alone, of a logarithmic axis."""
    axis.set_major_locator(FixedLocator(values))
    axis.set_major_formatter(FuncFormatter(lambda value, _: labels.alike(value, values)))
    axis.set_minor_locator(NullLocator())


def _set(axis, low, high):
    decades = math.log10(high / low)
    if decades >= LABELLED:
        axis.set_major_locator(LogLocator(numticks=6))
        axis.set_major_formatter(LogFormatterSciNotation())
    else:
        steps = [1, 2, 5, 10] if decades < CURVED else None
        axis.set_major_locator(MaxNLocator(4, steps=steps) if steps else LogLocator(subs=(1, 2, 5) if decades > 1 else (1, 2, 3, 5)))
        axis.set_major_formatter(FuncFormatter(lambda value, _: labels.number(f"{value:.5g}")))
    axis.set_minor_formatter(NullFormatter())
