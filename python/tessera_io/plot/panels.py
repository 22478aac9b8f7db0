# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Figures with panels for curves."""

import math

from . import caption, style

PANEL = 4.6  # inches
HEIGHT = 0.67  # over width
MOST_ROWS = 3


def save(fig, name, options):
    return style.save(fig, f"{options.output}_{name}" if name else options.output, options.format, options.dpi)


def finish(fig, name, options, *sentences):
    """Writes the caption, of sentences or lists of their parts, and the files of a figure; returns their paths."""
    whole = ["; ".join(filter(None, one)) if isinstance(one, list) else one for one in sentences]
    caption.write(fig, shown_caption(options, *whole))
    return save(fig, name, options)


def columns_for(count, total=None):
    """Columns of panels, as many as fit into a figure of this width in inches."""
    columns = min(2 if count < 5 else 3, count)
    return max(1, min(columns, int(total / 2.4))) if total else columns


def parts(names, total=None):
    """("", names) of the panels of a figure, and ("_2", names), ... of further figures if there are more than three rows."""
    most = MOST_ROWS * columns_for(len(names), total) if names else 1
    for begin in range(0, len(names), most):
        yield f"_{begin // most + 1}" if begin else "", names[begin : begin + most]


def panels(count, total=None, width=PANEL, height=HEIGHT):
    """(figure, axes) for this number of curves, in as many columns as fit the total width, if that is given."""
    columns = columns_for(count, total)
    if total:
        width = total / columns
    rows = math.ceil(count / columns)
    fig, axes = style.figure(rows, columns, size=(width, max(height * width, 1.6)), squeeze=False)
    for panel in axes.flat[count:]:
        panel.remove()
    for letter, panel in zip("abcdefghijklmnopqrstuvwxyz" * (count > 1), axes.flat[:count]):
        panel.annotate(f"({letter})", (0, 1), xycoords="axes fraction", xytext=(-4, 6), textcoords="offset points", ha="right", va="bottom")
    return fig, list(axes.flat[:count])


def shown_caption(options, *sentences):
    """The caption, unless it is disabled."""
    return sentences if options.caption else ()
