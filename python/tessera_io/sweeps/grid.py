# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The points of a sweep: every value of each option that varies with every value of the others."""

import itertools
import math
import os
import re
from collections import Counter
from dataclasses import dataclass

from . import BadInput, shown
from .values import values_of

MOST_POINTS = 100_000


@dataclass
class Grid:
    """Options that are equal in all points, and those that vary with their values, in the order of the method's options,
    the last of which changes first; all as the program writes them."""

    method: str
    fixed: dict
    axes: dict

    def __len__(self):
        return math.prod(map(len, self.axes.values()))

    def points(self):
        """The values of each point."""
        return itertools.product(*self.axes.values())

    def name(self, values):
        """A name for the files of a point, "phi=1_seed=2", which does not depend on the other values of the axes."""
        return "_".join(f"{option}={_in_file_name(value)}" for option, value in zip(self.axes, values))

    def title(self, values):
        """The point in words: "phi = 1, seed = 2"."""
        return ", ".join(f"{option} = {shown(value, 60)}" for option, value in zip(self.axes, values))

    def values(self, name, options):
        """The values of an option in the sweep."""
        return self.axes.get(name) or [self.fixed.get(name, options[name]["value"])]

    def input(self, options):
        """The sweep as an input file, with all defaults."""
        lines = [f"# tessera sweep {self.method}"]
        for name, option in options.items():
            values = joined(self.values(name, options), option)
            if option["varies"] and values:
                lines.append(f"{name} = {values}")
        return "\n".join(lines) + "\n"


@dataclass
class Point:
    """The input of the run of a point, and its memory."""

    name: str
    title: str
    arguments: list  # its options on a command line, without those that have no effect in it
    course: str  # its goal, and other options that a restart may change, as an input text
    backend: str
    sequential: bool
    memory: int  # memory of the host in bytes
    all_memory: int


def joined(values, option):
    """Several values of an option as one text."""
    return (";" if option["commas"] else ",").join(values)


def read_grid(method, options, given):
    """The grid of the words of a call or of an input file."""
    grid = Grid(method, {}, {})
    for name, option in options.items():
        if name not in given or not option["varies"]:
            continue
        try:
            values = values_of(given[name]["value"], option["commas"], "FILE" in option["argument"])
        except ValueError as error:
            raise BadInput(f"{given[name]['where']}: {error}") from error
        if len(values) == 1:
            grid.fixed[name] = values[0]
        else:
            grid.axes[name] = values
        if len(grid) > MOST_POINTS:
            raise BadInput(f"{given[name]['where']}: the sweep has more than {MOST_POINTS} points")
    if not grid.axes:
        raise BadInput(
            "no option has several values; use a list such as --seed 1,2,3, a range such as --seed 1:3:3 or, of values with "
            "commas, a list such as --size '64;128'"
        )
    return grid


def check_points(grid, options, given, ask):
    """The points of a grid, each checked like a single run, and the resources of the machine. Replaces the values of the grid by those
    that the program writes. ask(fields) is the answer of `tessera sweep --check`.

    Raises BadInput for an option that has no effect in any point, and for one that varies and has none in some."""
    fixed = {**grid.fixed, **({"backend": given["backend"]["value"]} if "backend" in given else {})}
    fields = []
    for values in grid.points():
        for name, value in fixed.items():
            fields += [name, value, given[name]["where"]]
        for name, value in zip(grid.axes, values):
            fields += [name, value, f"{given[name]['where']}: '{shown(value, 60)}'"]
        fields.append("")
    answer = ask(fields)
    checked = list(answer["points"].values())
    _rewrite(grid, checked, given)
    points, idle = [], {}
    for values, point in zip(grid.points(), checked):
        arguments = []
        for name, value in [*grid.fixed.items(), *zip(grid.axes, values)]:
            reason = point["without_effect"].get(name)
            if reason is None:
                arguments += _arguments(name, value, options[name])
                idle[name] = None
            elif name in grid.axes:
                raise BadInput(f"{given[name]['where']}: {reason} (at the point {grid.title(values)})")
            else:
                idle.setdefault(name, f"{given[name]['where']}: {reason}")
        course = "".join(f"{name} = {value}\n" for name, value in point["course"].items())
        on_host, on_device = point["host_memory"], point["device_memory"]
        memory = on_host + (0 if point["backend"] == "cuda" else on_device)
        where = point["backend"], point["sequential"], memory, on_host + on_device
        points.append(Point(grid.name(values), grid.title(values), arguments, course, *where))
    for name, message in idle.items():
        if message and given[name]["typed"]:
            raise BadInput(message)
    _check_seeds(grid, options, given)
    return points, answer["machine"]


def _rewrite(grid, checked, given):
    """Replaces the values of a grid by those that the program writes. They must be distinct, also as file names."""
    rewritten = {name: dict.fromkeys(range(len(values))) for name, values in grid.axes.items()}
    for numbers, point in zip(itertools.product(*(range(len(values)) for values in grid.axes.values())), checked):
        for name, number in zip(grid.axes, numbers):
            rewritten[name][number] = point["values"][name]
    for name, values in rewritten.items():
        grid.axes[name] = list(values.values())
        for text, number in Counter(grid.axes[name]).items():
            if number > 1:
                raise BadInput(f"{given[name]['where']}: the value {shown(text, 60)} is given twice")
        for text, number in Counter(map(_in_file_name, grid.axes[name])).items():
            if number > 1:
                raise BadInput(f"{given[name]['where']}: two values give the same file name, {text}")
    for name in grid.fixed:
        grid.fixed[name] = checked[0]["values"][name]


def _check_seeds(grid, options, given):
    """Raises BadInput if points share replicas: replica r of a point has its seed + r."""
    seeds = sorted(map(int, grid.values("seed", options)))
    replicas = max(map(int, grid.values("replicas", options)))
    if any(after - before < replicas for before, after in zip(seeds, seeds[1:])):
        last = seeds[0] + replicas * (len(seeds) - 1)
        raise BadInput(
            f"{given['seed']['where']}: replica r has the seed of its point + r, so that points with {replicas} replicas share some of "
            f"them; use seeds that are {replicas} apart, --seed {seeds[0]}:{last}:{len(seeds)}"
        )


def _arguments(name, value, option):
    """The words of an option; a switch has no value."""
    if option["argument"]:
        return ["--" + name, value]
    return ["--" + name] if value == "true" else []


def _in_file_name(text):
    """A text with characters that need no quotes in a shell."""
    return re.sub(rb"[^A-Za-z0-9+\-.,=_]", b"-", os.fsencode(text)).decode()
