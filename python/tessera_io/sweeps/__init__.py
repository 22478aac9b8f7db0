# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""`tessera sweep`: a run for each of several values, with Python's standard library only. docs/campaigns.md describes the files."""

GPU_BACKENDS = {"cuda", "hip"}


class BadInput(Exception):
    """Invalid input of a sweep: exit status 2, and nothing was run."""


def shown(text, longest=300):
    """A text for a message: one line of at most `longest` characters, without control characters."""
    if len(text) > longest:
        text = text[: longest * 2 // 3] + "..." + text[-(longest // 3) :]
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def counted(number, noun):
    """A number with its noun: "1 point", "2 points"."""
    return f"{number} {noun}" + ("" if number == 1 else "s")
