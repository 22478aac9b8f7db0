# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""What all pictures share: size, type, colours that readers with any colour vision tell apart, and files."""

import re

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


def use():
    """Makes all figures of this process Tessera's: its settings, written to files and not shown."""
    matplotlib.use("Agg")
    matplotlib.rcParams.update(_SETTINGS)


def figure(rows=1, columns=1, size=(5.2, 3.8), **options):
    """A figure and its axes; `size` in inches is that of one of the axes."""
    return plt.subplots(rows, columns, figsize=(size[0] * columns, size[1] * rows), **options)


def save(fig, stem, formats=("png", "svg"), dpi=150):
    """Writes STEM.png and STEM.svg, closes the figure, and returns the paths."""
    paths = []
    for extension in formats:
        paths.append(f"{stem}.{extension}")
        metadata = {"svg": {"Date": None}, "png": {"Software": None}}.get(extension)
        fig.savefig(paths[-1], metadata=metadata, dpi=dpi)
    plt.close(fig)
    return paths


def label(name, unit=""):
    """An axis label with its unit: `roughness`, `layers^2` becomes "roughness (layers$^2$)"."""
    words = name.replace("_", " ")
    return f"{words} ({mathematical(unit)})" if unit else words


def moment(time, unit=""):
    """A time with its unit: "time 4 / $k_2$", "time 40 MCS"."""
    words = f" / {unit[2:]}" if unit.startswith("1/") else f" {unit}" if unit else ""
    return f"time {time:.6g}{mathematical(words)}"


def formats():
    """The kinds of files that save() writes here."""
    return sorted(set(FigureCanvasBase.get_supported_filetypes()) - {"pgf"})  # which needs LaTeX


def mathematical(unit):
    """`layers^2`, `1/k_2`, `1 / k_2` with raised and lowered digits."""
    text = unit
    for power in "23456":
        text = text.replace(f"^{power}", f"$^{power}$")
    return re.sub(r"\bk_(\w)\b", r"$k_\1$", text).replace("sigma", "$\\sigma$")
