# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Ticks of logarithmic axes that have no chosen ones: at least two labels, as plain numbers where the axis spans less than two decades."""

import math

from matplotlib.ticker import FixedLocator, FuncFormatter, LogFormatterSciNotation, LogLocator, MaxNLocator, NullFormatter

from .labels import number

LABELLED = 2.0  # decades that need more labels than the powers of ten
CURVED = 0.6  # decades on which linear steps are as even


def tidy(fig):
    """Sets the ticks of all logarithmic axes of a figure."""
    for axes in fig.axes:
        for axis, ends in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            if axis.get_scale() == "log" and min(ends) > 0 and not isinstance(axis.get_major_locator(), FixedLocator):
                _set(axis, *sorted(ends))


def _set(axis, low, high):
    decades = math.log10(high / low)
    if decades >= LABELLED:
        axis.set_major_locator(LogLocator(numticks=6))
        axis.set_major_formatter(LogFormatterSciNotation())
    else:
        steps = [1, 2, 5, 10] if decades < CURVED else None
        axis.set_major_locator(MaxNLocator(4, steps=steps) if steps else LogLocator(subs=(1, 2, 5) if decades > 1 else (1, 2, 3, 5)))
        axis.set_major_formatter(FuncFormatter(_plain))
    axis.set_minor_formatter(NullFormatter())


def _plain(value, _place=None):
    """`0.02`, `300`; beyond four digits a power of ten."""
    return number(f"{value:.5g}")
