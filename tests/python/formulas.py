# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Formulas are read once in a process that imports this. Matplotlib keeps those of one picture alone, and reads the same labels
of ticks again for each: a third of the time of some tests."""

import functools

from matplotlib.mathtext import MathTextParser

parser = functools.lru_cache(MathTextParser)
if hasattr(getattr(MathTextParser, "_parse_cached", None), "__wrapped__"):
    read = functools.lru_cache(None)(MathTextParser._parse_cached.__wrapped__)
    MathTextParser._parse_cached = lambda self, *formula: read(parser("path" if self._output_type == "vector" else "agg"), *formula)
