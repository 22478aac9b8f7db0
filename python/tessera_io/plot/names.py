# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Long names: labels of axes and of colour bars that fit into their space."""

import re

import matplotlib

LEAST = 0.8  # of the size of the type, before a label of an axis has several lines
WIDTH = 0.6  # of a letter, in units of the size of the type


def broken(text, inches):
    """A name in lines of about this width at a font size of 10 points, broken after blanks and underscores, not in formulas."""
    parts = re.findall(r"(?:\$[^$]*\$|[^\s_$])+[_\s]*", text)
    most = max(int(inches * 72 / (10 * WIDTH)), max(len(shown(part)) for part in parts))
    lines = [""]
    for part in parts:
        if lines[-1] and len(shown(lines[-1] + part)) > most:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def shown(text):
    """The letters of a text without the marks of its formulas."""
    return re.sub(r"\\[a-z]+|[${}^\\]", "", text.rstrip())


def shrink(texts, inches):
    """Smaller type for texts of which one is wider than this at a font size of 10 points."""
    room = inches * matplotlib.rcParams["font.size"] / 10
    widest = max(text.get_window_extent().width / text.figure.dpi for text in texts)
    for text in texts:
        text.set_fontsize(text.get_fontsize() * min(1, room / widest))


def fit(fig):
    """Whether the labels of axes had to be changed so that they are no longer than the axes of a figure with a layout."""
    changed = False
    for axes in fig.axes:
        for label, along in ((axes.xaxis.label, "width"), (axes.yaxis.label, "height")):
            if not label.get_text():
                continue
            room = getattr(axes.get_window_extent(), along)
            if getattr(label.get_window_extent(), along) <= room:
                continue
            size, whole = label.get_fontsize(), label.get_text()
            if room < LEAST * getattr(label.get_window_extent(), along):
                label.set_text(broken(whole, room / fig.dpi * 10 / size))
            label.set_fontsize(size * min(1, room / getattr(label.get_window_extent(), along)))
            changed = True
    return changed
