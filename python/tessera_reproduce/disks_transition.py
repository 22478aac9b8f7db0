# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Pressures of hard disks across the transition, beside those of table 2 of Anderson et al. (2013)."""

import math

import numpy as np
from tessera_io.plot.style import COLOURS, MARKERS

from .page import legend_above, panels

# Table 2: {N^(1/2): (value, two standard errors) at ETAS} of the paper and, for N = 256^2, of Bernard and Krauth.
ETAS = (0.698, 0.702, 0.706, 0.710, 0.714, 0.718)
TABLE_2 = {
    256: ((9.1709, 0.0001), (9.1920, 0.0002), (9.1854, 0.0001), (9.1792, 0.0001), (9.1758, 0.0001), (9.187, 0.001)),
    512: ((9.1699, 0.0005), (9.1900, 0.0002), (9.1861, 0.0001), (9.1828, 0.0001), (9.1800, 0.0001), (9.1930, 0.0004)),
    1024: ((9.16934, 0.00004), (9.1882, 0.0003), (9.1859, 0.0003), (9.1842, 0.0003), (9.1819, 0.0004), (9.1951, 0.0004)),
}  # fmt: skip
PRESSURE = r"$P^* = P \sigma^2 / k_\mathrm{B} T$"
PACKING = r"packing fraction $\eta$"


def draw_transition(found, results):
    """Pressures across the transition, of Tessera (symbols) and printed in table 2 (lines): all of them, and the coexistence."""
    fig, (axes, below) = panels(2, height=2.3)
    sides = list(dict.fromkeys(math.isqrt(system.particles) for system, *_ in found))
    for panel in (axes, below):
        for number, (side, printed) in enumerate(TABLE_2.items()):
            value, error = np.array(printed).T
            style = {"color": "0.2", "linestyle": (":", "--", "-")[number], "linewidth": 0.8, "capsize": 0}
            panel.errorbar(ETAS, value, yerr=error, label=f"Anderson et al., {side}$^2$", **style)
        for number, side in enumerate(sides):
            these = [i for i, (system, *_) in enumerate(found) if system.particles == side**2]
            these.sort(key=lambda i: found[i][0].eta)
            eta, value, error = np.array([(found[i][0].eta, *found[i][1:]) for i in these]).T
            filled = np.array([results[i] == "stationary" for i in these])
            colour, marker = COLOURS[number], MARKERS[number]
            if len(these) > 3:
                panel.plot(eta, value, color=colour, linewidth=0.6)
            for stationary, face in ((True, colour), (False, "white")):
                some = filled == stationary
                panel.errorbar(eta[some], value[some], yerr=error[some], fmt=marker, color=colour, markerfacecolor=face)
            panel.plot([], [], marker, color=colour, label=f"$N$ = {side}$^2$")
        if set(results) != {"stationary"}:
            panel.plot([], [], "o", color="0.4", markerfacecolor="white", label="not known to be stationary")
        panel.set(xlabel=PACKING, ylabel=PRESSURE)
    for letter, panel in zip("ab", (axes, below)):
        panel.set_title(f"({letter})", loc="left")
    low, high = ETAS[0], ETAS[-1]
    bars = [(value, error) for system, value, error in found if low <= system.eta <= high]
    bars += [bar for printed in TABLE_2.values() for bar in printed]
    inside = [value + side * error for value, error in bars for side in (-1, 1)]
    below.set(xlim=(low - 0.001, high + 0.001), ylim=(min(inside) - 0.003, max(inside) + 0.003))
    legend_above(fig, axes, 2)
    return fig
