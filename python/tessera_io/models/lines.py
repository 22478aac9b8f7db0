# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Lines of an input file of Zacros."""

import os

from .errors import ModelError


class Line:
    """Words of a line without its comment, with its place in the file."""

    def __init__(self, file, number, words):
        self.file, self.number, self.words = file, number, words

    @property
    def keyword(self):
        return self.words[0].lower()

    def refuse(self, reason):
        raise ModelError(f"{self.file} line {self.number}: {reason}")

    def number_of(self, word):
        """The finite number in a word of the line, also with a Fortran exponent, 1.5d3."""
        try:
            value = float(word.lower().replace("d", "e"))
        except ValueError:
            value = float("nan")
        if abs(value) <= 1e300:
            return value
        return self.refuse(f"'{word}' is no number")

    def whole(self, word, least=0):
        value = self.number_of(word)
        if value != int(value) or value < least:
            self.refuse(f"'{word}' must be a whole number of at least {least}")
        return int(value)

    def numbers(self, count=None):
        """The numbers after the keyword."""
        if count is not None and len(self.words) - 1 < count:
            self.refuse(f"{self.words[0]}: needs {count} values")
        return [self.number_of(word) for word in self.words[1:][:count]]

    def argument(self):
        if len(self.words) < 2:
            self.refuse(f"{self.words[0]}: has no value")
        return self.words[1]


class Lines:
    """The lines of a file in their order, without empty ones."""

    def __init__(self, folder, name):
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8", errors="replace") as file:
            texts = file.read().splitlines()
        self.path = path
        self.next = 0
        lines = [Line(path, i, text.partition("#")[0].split()) for i, text in enumerate(texts, 1)]
        self.lines = [line for line in lines if line.words]

    def __iter__(self):
        while self.next < len(self.lines):
            yield self.take("a keyword")

    def take(self, what):
        """The next line; `what` it should contain is for the message."""
        if self.next == len(self.lines):
            raise ModelError(f"{self.path}: ends where {what} is expected")
        self.next += 1
        return self.lines[self.next - 1]
