# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Lines of an input file of Zacros."""

import os
import re

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([ed][+-]?\d+)?", re.ASCII)


class ModelError(Exception):
    """A model that cannot be converted; the message has the file, the line and the reason."""


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
        text = word.lower()
        value = float(text.replace("d", "e")) if NUMBER.fullmatch(text) else float("nan")
        if abs(value) <= 1e300:
            return value
        return self.refuse(f"'{word}' is no number" + ("; its minus sign must be '-'" if "\u2212" in word else ""))

    def whole(self, word, least=0):
        value = self.number_of(word)
        if value != int(value) or value < least:
            self.refuse(f"'{word}' must be a whole number of at least {least}")
        return int(value)

    def numbers(self, count=None, least=None, most=None, above=None, why=""):
        """The numbers after the keyword, each in [least, most] and more than `above`; `why` for the message."""
        if count is not None and len(self.words) - 1 != count:
            self.refuse(f"{self.words[0]}: must have {count} value{'s' * (count != 1)}")
        values = [self.number_of(word) for word in self.words[1:]]
        for value, word in zip(values, self.words[1:]):
            if least is not None and value < least:
                self.refuse(f"{self.words[0]}: '{word}' must be at least {least}")
            if most is not None and value > most:
                self.refuse(f"{self.words[0]}: '{word}' must be at most {most}")
            if above is not None and value <= above:
                self.refuse(f"{self.words[0]}: '{word}' must be more than {above}{why}")
        return values

    def argument(self):
        if len(self.words) != 2:
            self.refuse(f"{self.words[0]}: must have one value")
        return self.words[1]


class Given(dict):
    """Lines by their keywords, each of which may be given once."""

    def add(self, line):
        first = self.setdefault(line.keyword, line)
        if first is not line:
            line.refuse(f"{line.words[0]}: is already given in line {first.number}")


class Lines:
    """The lines of a file in their order, without empty ones."""

    def __init__(self, folder, name):
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            texts = file.read().splitlines()
        self.path = path
        self.next = 0
        lines = [Line(path, i, text.partition("#")[0].split()) for i, text in enumerate(texts, 1)]
        self.lines = [line for line in lines if line.words]

    def __iter__(self):
        while self.next < len(self.lines):
            yield self.take("a keyword")

    def block(self, end, begin=None, whose="", last=False):
        """The lines up to the keyword `end`, which must be there; if it is the `last` one of the file, nothing may follow. Without
        it the line `begin` is refused, or the file."""
        for line in self:
            if line.keyword == end:
                if last:
                    self.end(line)
                return
            yield line
        if begin is not None:
            begin.refuse(f"{whose}has no {end}")
        raise ModelError(f"{self.path}: has no {end}")

    def end(self, line):
        """Refuses further lines after the last one of the file."""
        if self.next < len(self.lines):
            self.lines[self.next].refuse(f"'{self.lines[self.next].words[0]}' stands after `{line.words[0]}`, where the file must end")

    def take(self, what):
        """The next line; `what` it should contain is for the message."""
        if self.next == len(self.lines):
            raise ModelError(f"{self.path}: ends where {what} is expected")
        self.next += 1
        return self.lines[self.next - 1]


def needed(lines, given, name, keyword=None):
    """What was given by a keyword."""
    if name not in given:
        raise ModelError(f"{lines.path}: needs `{keyword or name}`")
    return given[name]
