# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""What every reproduction has."""

import abc

SCALES = ("quick", "paper")


class Experiment(abc.ABC):
    """A figure or table of a paper.

    name    of the command
    method  of the program
    title   one line
    """

    name = method = title = ""

    @abc.abstractmethod
    def cost(self, scale):
        """A line that says what the scale takes, for people to read before it starts."""

    @abc.abstractmethod
    def make(self, program, scale):
        """Runs the program and returns a Report."""
