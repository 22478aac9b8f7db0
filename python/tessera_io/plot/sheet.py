# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Layout of snapshots in a figure: with the shapes of their systems, and space for labels."""

import math

import matplotlib
import matplotlib.pyplot as plt

from . import caption

TALLEST = 9.0  # inches, unless the width is given
FLAT = 0.45  # height over width of a system whose colour bar is below it
MOST_COLUMNS = 4
WIDTH = 5.4  # of one snapshot, in inches
SMALLEST = 1.4  # height of snapshots in a row, in inches
NARROWEST = 0.75  # width of snapshots beside each other, in inches

# Space in inches at a font size of 10 points.
DIGIT, LABEL, TICKS, TITLE, RIGHT = 0.09, 0.24, 0.2, 0.27, 0.1
PADS = 0.16  # ticks and pads beside an axis, for every font size
BAR, BAR_GAP, BAR_LABELS, BELOW = 0.13, 0.12, 0.72, 0.66
NAMES = 0.62  # beside a colour bar
LINE, FORMULAS = 0.145, 0.195  # a line of the caption, and one with formulas


def sheet(count, shape, sentences=(), width=None):
    """(figure, [axes], axes of the colour bar) for a number of snapshots.

    shape      (height, width) of the system
    sentences  the caption
    width      of the figure in inches; None: chosen from the shapes
    """
    aspect = shape[0] / shape[1]
    inch = matplotlib.rcParams["font.size"] / 10
    left, below, title, right = _left(shape[0], inch), _below(inch), TITLE * inch, RIGHT * inch
    bar_right = (BAR_GAP + BAR + BAR_LABELS) * inch if aspect >= FLAT else 0
    bar_below = BELOW * inch if aspect < FLAT else 0
    for columns in range(min(count, MOST_COLUMNS), 0, -1):
        whole = width or (WIDTH if columns == 1 else 3.2 * columns + 1)
        w = max((whole - columns * (left + right) - bar_right) / columns, 0.3)
        if w >= NARROWEST:
            break
    rows = math.ceil(count / columns)
    fixed = rows * title + rows * below + bar_below
    if width is None and rows * w * aspect + fixed > TALLEST:
        w = (TALLEST - fixed) / rows / aspect
        whole = columns * (w + left + right) + bar_right
    h = w * aspect
    fig, axes, _ = _page(_rows(count, columns), [w] * count, [left] * count, [right] * count, [False] * count, h, title, bar_below, whole, sentences)
    height = fig.get_size_inches()[1]
    last = height - rows * (h + title) - (rows - 1) * below
    if bar_right:
        place = _at(fig, whole - bar_right + BAR_GAP * inch - right, last + 0.05 * h, BAR * inch, height - title - last - 0.1 * h)
    else:
        breadth = columns * (w + left + right) - left - right
        place = _at(fig, left + 0.15 * breadth, last - below - 0.2 * inch, 0.7 * breadth, BAR * inch)
    return fig, axes, place


def row_of(shapes, bars, sentences=(), width=None):
    """(figure, [axes], [axes of colour bars, or None]) for one snapshot of each of these systems, all of one height;
    in several rows where one would leave them little height, but smaller where these would be higher than a page.

    shapes, bars  (height, width) of each, and whether it has a colour bar
    """
    inch = matplotlib.rcParams["font.size"] / 10
    lefts = [_left(shape[0], inch) for shape in shapes]
    rights = [(RIGHT + (BAR_GAP + BAR + BAR_LABELS) * bar) * inch for bar in bars]
    most = len(shapes) if width else min(len(shapes), MOST_COLUMNS)
    whole = width or 4.2 * most
    across = [shape[1] / shape[0] for shape in shapes]

    def tall(rows):
        """The height of the snapshots of each row."""
        return [max((whole - sum(lefts[i] + rights[i] for i in row)) / sum(across[i] for i in row), 0.3) for row in rows]

    below, top = _below(inch), TITLE * inch
    for smallest in (SMALLEST, NARROWEST):
        for columns in range(most, 0, -1):
            rows = _rows(len(shapes), columns)
            h = min(tall(rows))
            if h >= smallest:
                break
        if len(rows) * (h + below + top) <= TALLEST:
            break
    return _page(rows, [one * h for one in across], lefts, rights, bars, h, top, 0, whole, sentences)


def _rows(count, columns):
    return [range(first, min(first + columns, count)) for first in range(0, count, columns)]


def _page(rows, widths, lefts, rights, bars, h, top, more, whole, sentences):
    """(figure, [axes], [axes of colour bars, or None]) of systems of the height h, below which there is `more` before the caption.

    rows, widths     places of the systems in each row, and their widths
    lefts, rights    space beside each system
    top              space above each row
    """
    inch = matplotlib.rcParams["font.size"] / 10
    below, lines = _below(inch), caption.wrapped(sentences, whole)
    foot = (sum(FORMULAS if "$" in line else LINE for line in lines) + 0.06) * inch if lines else 0
    height = len(rows) * (top + h + below) + more + foot
    fig = plt.figure(figsize=(whole, height), layout="none")
    axes, places = [], []
    for number, row in enumerate(rows):
        x, y = 0, height - top - h - number * (h + below + top)
        for i in row:
            x += lefts[i]
            axes.append(_at(fig, x, y, widths[i], h))
            x += widths[i]
            places.append(_at(fig, x + BAR_GAP * inch, y + 0.05 * h, BAR * inch, 0.9 * h) if bars[i] else None)
            x += rights[i]
    if lines:
        size = caption.type_size()
        fig.text(0.04 / whole, 0.05 * inch / height, "\n".join(lines), fontsize=size, color="0.25", va="bottom", linespacing=1.25)
    return fig, axes, places


def _below(inch):
    """Space for the label and the ticks below a system."""
    return PADS + (LABEL + TICKS - 0.12) * inch


def _left(highest, inch):
    """Space for the label and the ticks of an axis up to this number."""
    return PADS + (LABEL - 0.04 + DIGIT * len(f"{highest:.0f}")) * inch


def _at(fig, x, y, width, height):
    """Axes at a position in inches."""
    whole, high = fig.get_size_inches()
    return fig.add_axes([x / whole, y / high, width / whole, height / high])
