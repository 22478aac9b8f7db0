# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Base class of all reproductions."""

import abc

SCALES = ("quick", "gpu", "paper")


class Experiment(abc.ABC):
    """A figure or table of a paper.

    name    of the command
    method  of the program
    title   one line
    """

    name = method = title = ""

    @abc.abstractmethod
    def cost(self, scale):
        """A line with the cost of the scale."""

    @abc.abstractmethod
    def make(self, program, scale):
        """Runs the program and returns a Report."""
