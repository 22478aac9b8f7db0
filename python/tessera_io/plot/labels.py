# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Units and parameters in mathematical notation, and the space of long names."""

import re

from ..described import formula

SYMBOLS = {"k_B": r"k_\mathrm{B}", "T": "T", "J": "J", "sigma": r"\sigma", "k_0": "k_0", "k_2": "k_2"}
GREEK = set("alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi rho sigma tau phi chi psi omega".split())
LEAST = 0.8  # of the size of the type, before a label of an axis has several lines
WIDTH = 0.6  # of a letter, in units of the size of the type


def symbol(word, power=""):
    """`k_d`, `mu_0` and `p_CO` as symbols; None for other words."""
    letter, _, index = word.partition("_")
    if not (letter in GREEK or (len(letter) == 1 and "_" not in index)):
        return None
    below = index if len(index) < 2 or index.isdigit() else rf"\mathrm{{{formula(index).replace('$', '')}}}"
    return rf"${chr(92) * (letter in GREEK)}{letter}{f'_{{{below}}}' if index else ''}{power}$"


def unit(text):
    """`layers^2` as "layers$^2$", `k_B T / sigma^2`, `1/k_d` and `mu_0^-1` as symbols."""

    def one(match):
        word, power = match[1], match[2] or ""
        power = f"^{{{power[1:]}}}" if len(power) > 2 else power
        if word in SYMBOLS:
            return f"${SYMBOLS[word]}{power}$"
        found = symbol(word, power) if len(word) > 1 else None  # s, K and m are units
        return found or word + (f"${power}$" if power else "")

    return re.sub(r"([A-Za-z_]\w*)(\^-?\d+)?", one, text)


def label(of):
    """The axis label of an observable, field or function, with its unit: `roughness`, `layers^2` becomes "roughness $W^2$ (layers$^2$)"."""
    return with_unit(of.title, of.unit)


def with_unit(words, of):
    return f"{words} ({unit(of)})" if of else words


def of_spectrum(observable):
    """An axis label beside an axis of a changing temperature: turnovers are molecules that desorb."""
    return label(observable).replace("TOF of ", "desorption rate of ")


def moment(time, of="", times=()):
    """A time with its unit: "time 4 / $k_2$", "time 40 MCS", in the format of the `times` beside it."""
    words = f" / {of[2:]}" if of.startswith("1/") else f" {of}" if of else ""
    return f"time {alike(time, times)}{unit(words)}"


def alike(value, others):
    """The text of a number: a power of ten, such as "$10^{4}$", if one of the others is."""
    text = f"{value:.6g}"
    if value and "e" not in text and any("e" in f"{one:.6g}" for one in others):
        factor, power = f"{value:.5e}".split("e")
        text = f"{float(factor):g}e{power}"
    return number(text)


def option(key, data):
    """`packing-fraction` as "$\\eta$", `until-time` as "until time", as a Description has it."""
    word = data.symbol(key) or key
    return symbol(word) or word.replace("-", " ")


def of_axis(key, data, inverse=False):
    """The label of an axis: `T`, in K, as "$T$ (K)", of its inverse "1 / $T$ (1/K)"."""
    of = data.unit(key)
    return with_unit("1 / " * inverse + option(key, data), "1/" * inverse + of if of else "")


def range_of(law):
    """The range of a fit: "10 to 100"."""
    ends = law.first, law.last
    return " to ".join(alike(end, ends) for end in ends)


def parameter(key, value, data):
    """`phi`, `1` as "$\\phi$ = 1", with its unit."""
    if key == "size":
        sides = value.split(",")
        return " × ".join(sides * 2 if len(sides) == 1 else sides)
    return f"{option(key, data)} = {number(value)}" + (f" {unit(data.unit(key))}" if data.unit(key) else "")


def number(text):
    """`1e+05` as "$10^{5}$", `2e-05` as "$2 \\times 10^{-5}$", also with an error; other texts as they are."""
    match = re.fullmatch(r"(-?[0-9.]+(?:\([0-9]+\))?)e([+-]?[0-9]+)", str(text))
    if not match:
        return text
    factor = {"1": "", "-1": "-"}.get(match[1], match[1] + r" \times ")
    return f"${factor}10^{{{int(match[2])}}}$"


def note_nothing_positive(axes, values):
    """Explains an empty panel with logarithmic axes."""
    if not (values > 0).any():
        axes.text(0.5, 0.5, "no positive value", transform=axes.transAxes, ha="center", color="0.4")


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
    """The visible characters of a text with formulas."""
    return re.sub(r"\\[a-z]+|[${}^\\]", "", text.rstrip())


def shrink(texts, inches):
    """Reduces the type size if one of the texts is wider than this at 10 points."""
    import matplotlib

    room = inches * matplotlib.rcParams["font.size"] / 10
    widest = max(text.get_window_extent().width / text.figure.dpi for text in texts)
    for text in texts:
        text.set_fontsize(text.get_fontsize() * min(1, room / widest))


def fit(fig):
    """Shortens labels that are longer than their axes, in a figure with a layout; returns whether any was changed."""
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
