# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Lists and ranges of values."""

import itertools
import math
import re
from decimal import Decimal, localcontext

MOST_VALUES = 100_000
DIGITS = 40  # in which ranges are computed: whole numbers up to 2^64 are exact
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def values_of(text, commas=False, is_file=False):
    """The values of lists, each a line, separated by `;`, or by commas where no value has any (`commas`). FROM:TO:COUNT
    stands for COUNT equally spaced values, both ends included, FROM:TO:COUNT:log for values at equal ratios.
    Raises ValueError."""
    values = []
    for item in itertools.chain(*(parts_of(line, ";" if commas or ";" in line else ",") for line in text.split("\n"))):
        item = item.strip(" \t")
        if not item:
            raise ValueError("a value between two separators is missing")
        values += [item] if len(parts_of(item, ":")) == 1 or is_file else _range(item)
    return values


def parts_of(text, separator):
    """The parts of a text between separators outside of parentheses, such as those of table(TIME: VALUE, ...)."""
    parts = [""]
    for piece in text.split(separator):
        whole = f"{parts[-1]}{separator}{piece}" if parts[-1].count("(") > parts[-1].count(")") else None
        parts = [*parts[:-1], whole] if whole is not None else [*parts, piece]
    return parts[1:]


def settings_of(text):
    """The values of each parameter of --set, {name: values}, and the groups of parameters whose values go together. Each line
    has NAME=VALUES,NAME=VALUES,... with values as of values_of(); parts with the same names that `;` separates are a list of
    points, "T=450,p=2;T=500,p=1". Raises ValueError."""
    settings, together = {}, []
    for line in text.split("\n"):
        parts = [_settings_of_part(part) for part in line.split(";")]
        if len(parts) > 1 and all(part.keys() == parts[0].keys() for part in parts):
            points = [point for part in parts for point in itertools.product(*(part[name] for name in parts[0]))]
            listed = {name: list(values) if len(set(values)) > 1 else [values[0]] for name, values in zip(parts[0], zip(*points))}
            together.append([name for name, values in listed.items() if len(values) > 1])
            parts = [listed]
        for part in parts:
            for name in part:
                if name in settings:
                    raise ValueError(f"{name}: is given twice; a list of points has the same parameters in all its parts")
            settings.update(part)
    return settings, [group for group in together if len(group) > 1]


def settings_of_run(text):
    """{name: value} of --set of a single run."""
    return dict(part.split("=", 1) for part in parts_of(text, ",") if part)


def _settings_of_part(text):
    settings, name = {}, None
    for item in parts_of(text, ","):
        before, equals, value = item.rpartition("=")
        if equals:
            name = before.strip(" \t")
            if name in settings:
                raise ValueError(f"{name}: is given twice")
        if not name:
            raise ValueError("must be NAME=VALUES or NAME=VALUES,NAME=VALUES,...")
        settings.setdefault(name, []).extend(values_of(value))
    return settings


def _range(item):
    parts = [part.strip(" \t") for part in item.split(":")]
    logarithmic = parts[3:] == ["log"]
    with localcontext() as context:
        context.prec = DIGITS
        if len(parts) != 3 + logarithmic or not all(map(_is_number, parts[:3])) or not float(parts[2]).is_integer():
            raise ValueError(f"'{item}': must be FROM:TO:COUNT or FROM:TO:COUNT:log, as in 0.3:0.7:9")
        first, last, count = map(Decimal, parts[:3])
        if not 2 <= count <= MOST_VALUES:
            raise ValueError(f"'{item}': a range has from 2 to {MOST_VALUES} values")
        if logarithmic and not (first > 0 and last > 0):
            raise ValueError(f"'{item}': both ends must be greater than 0")
        steps = int(count) - 1
        if logarithmic:
            ratio = (last / first).ln()
            inner = [_text(first * (ratio * i / steps).exp()) for i in range(1, steps)]
        else:
            inner = [_text(first + (last - first) * i / steps) for i in range(1, steps)]
    return [parts[0], *inner, parts[1]]


def _is_number(text):
    """Whether a text is a number in the range of a double."""
    return bool(_NUMBER.fullmatch(text)) and (Decimal(text) == 0 or 0 < abs(float(text)) < math.inf)


def _text(value):
    """Whole numbers in full, others with 12 digits, so that multiples of 0.05 do not end in ...0003."""
    whole = value.to_integral_value()
    if abs(value - whole) <= abs(whole) * Decimal(10) ** (5 - DIGITS) and abs(whole) < 2**64:
        return str(int(whole))
    # A large number that is not whole must not be rounded to a whole one.
    return f"{float(value):.12g}" if abs(value) < 10**9 else repr(float(value))
