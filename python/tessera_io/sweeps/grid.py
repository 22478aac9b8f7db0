# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The points of a sweep: all combinations of the values of the options that vary; zipped options are combined value by value."""

import hashlib
import itertools
import json
import math
import os
import re
from collections import Counter
from dataclasses import dataclass, field

from . import GPU_BACKENDS, BadInput, counted, shown
from .values import settings_of, settings_of_run, values_of

MOST_POINTS = 100_000
SET = "set "  # before the name of a parameter of --set, which is an option like any other
CONTENT = "# SHA-256 of "  # before the path of a file and its digest, in the input file of a sweep
SETTING = {"argument": "X", "varies": True, "course": False, "commas": False, "value": ""}
TEXT = "\\n"  # the beginning of the text of a model file, as the program records it
NAMED = TEXT + "\\h "  # the same with the name of the file in its first line, a comment


@dataclass
class Grid:
    """Options that are equal in all points, and those that vary with their values, in the order of the method's options,
    the last of which changes first; values are texts, as the program writes them. `zipped`: groups of options that vary together.
    `seed`: seed of the sweep. `same_seed`: whether all points have this seed."""

    method: str
    fixed: dict
    axes: dict
    zipped: list = field(default_factory=list)
    seed: str = "1"
    same_seed: bool = False

    def groups(self):
        """The options that vary, in groups of those that vary together."""
        groups = [next((group for group in self.zipped if name in group), (name,)) for name in self.axes]
        return list(dict.fromkeys(groups))

    def __len__(self):
        return math.prod(len(self.axes[group[0]]) for group in self.groups())

    def places(self):
        """The places of the values of each point in the lists of the options."""
        groups = self.groups()
        of = [next(i for i, group in enumerate(groups) if name in group) for name in self.axes]
        for chosen in itertools.product(*(range(len(self.axes[group[0]])) for group in groups)):
            yield [chosen[i] for i in of]

    def points(self):
        """The values of each point."""
        for places in self.places():
            yield tuple(values[place] for values, place in zip(self.axes.values(), places))

    def point_seed(self, values):
        """The seed of a point. It follows from the seed of the sweep and the values of the point alone, so that adding points
        does not change it. If --seed itself varies in all points, or with --same-seed, it is the given one."""
        seed = dict(zip(self.axes, values)).get("seed", self.seed)
        if self.same_seed or self.has_seeds():
            return seed
        digest = hashlib.blake2b(f"{seed} {self.name(values)}".encode(), digest_size=8).digest()
        return str(int.from_bytes(digest, "big") >> 11)  # a whole number that a double represents

    def has_seeds(self):
        """Whether --seed has a value for each point."""
        return "seed" in self.axes and len(self.groups()) == 1

    def label(self, name):
        """The name of an axis for users: a parameter has its own name, unless an option that varies has the same one."""
        short = name.removeprefix(SET)
        return name if short in self.axes else short

    def inputs(self, values):
        """The values of a point by the labels of the axes; a model file is given by its name."""
        return {self.label(name): value_shown(value) for name, value in zip(self.axes, values)}

    def name(self, values):
        """A name for the files of a point, "phi=1_seed=2", which does not depend on the other values of the axes."""
        return "_".join(_in_file_name(f"{label}={value}") for label, value in self.inputs(values).items())

    def title(self, values):
        """The point in words: "phi = 1, seed = 2"."""
        return ", ".join(f"{label} = {shown(value, 60)}" for label, value in self.inputs(values).items())

    def values(self, name, options):
        """The values of an option in the sweep."""
        return self.axes.get(name) or [self.fixed.get(name, options.get(name, SETTING)["value"])]

    def choices(self, name, options):
        """The distinct values of an option together with those of the options that are zipped with it."""
        group = next((group for group in self.zipped if name in group), (name,))
        return set(zip(*(self.values(one, options) for one in group)))

    def zip(self):
        """The zipped options as a text."""
        return ";".join(",".join(map(self.label, group)) for group in self.zipped)

    def contents(self, options):
        """SHA-256 of the files that options name, by their paths; the text of a model file is itself the value of its option."""
        digests = {}
        for name, option in options.items():
            if option["varies"] and "FILE" in option["argument"]:
                parts = (part for value in self.values(name, options) for part in (value, *value.split(",")))
                for path in filter(os.path.isfile, parts):
                    with open(path, "rb") as file:
                        digests[path] = hashlib.sha256(file.read()).hexdigest()
        return digests

    def input(self, options, contents=None):
        """The sweep as an input file, with all defaults, and the contents() of files in comments."""
        lines = [f"# tessera sweep {self.method}"]
        lines += [f"{CONTENT}{json.dumps(path)} {digest}" for path, digest in (contents or {}).items()]
        lines += [f"zip = {self.zip()}"] if self.zipped else []
        lines.append(f"same-seed = {str(self.same_seed).lower()}")
        for name, option in options.items():
            values = joined(self.values(name, options), option)
            if option["varies"] and values:
                lines.append(f"{name} = {values}" if not name.startswith(SET) else f"set = {name.removeprefix(SET)}={values}")
        return "\n".join(lines) + "\n"


@dataclass
class Point:
    """The input of the run of a point, and its memory."""

    name: str
    title: str
    seed: str
    arguments: list  # its options on a command line, without those that have no effect in it
    course: str  # its stopping time, and other options that a restart may change, as an input text
    backend: str
    sequential: bool
    memory: int  # memory of the host in bytes
    all_memory: int


def joined(values, option):
    """Several values of an option as one text."""
    return (";" if option["commas"] else ",").join(values)


def value_shown(value):
    """A value for users; a model file is given by its name."""
    return value.removeprefix(NAMED).partition("\\n")[0] if value.startswith(NAMED) else value


def with_settings(options, given):
    """The options and the words of a call in which each parameter of --set, in alphabetical order, is an option like any other."""
    if "set" not in given:
        return options, given
    word, settings, together = given["set"], {}, []
    for text in filter(None, (word.get("before"), word["value"])):  # of an input file, and of the command line
        try:
            more, groups = settings_of(text)
        except ValueError as error:
            raise BadInput(f"{word['where']}: {error}") from error
        settings |= more
        together = [group for group in together if not set(group) & set(more)] + groups
    names, placed = sorted(settings), {}
    for name, option in options.items():
        placed |= {SET + one: SETTING for one in names} if name == "set" else {name: option}
    given = {**given, **{SET + name: {**word, "value": ",".join(settings[name])} for name in names}}
    given["set"]["together"] = [[SET + name for name in group] for group in together]
    return placed, given


def read_grid(method, options, given):
    """The grid of the words of a call or of an input file."""
    grid = Grid(method, {}, {}, seed=options["seed"]["value"], same_seed=options["same-seed"]["value"] == "true")
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
    grid.seed = grid.fixed.get("seed", grid.seed)
    grid.zipped = _zipped(grid, given.get("zip", {"value": ""}), given.get("set", {}).get("together", []))
    if len(grid) > MOST_POINTS:
        raise BadInput(f"{given[list(grid.axes)[-1]]['where']}: the sweep has more than {MOST_POINTS} points")
    if not grid.axes:
        raise BadInput(
            "no option has several values; use a list such as --seed 1,2,3, a range such as --seed 1:3:3 or --set T=450:650:5 or, of "
            "values with commas, a list such as --size '64;128'"
        )
    return grid


def _zipped(grid, word, together):
    """The groups of options of --zip A,B;C,D, each in the order of the method's options, and of those that go `together`."""
    groups = [[_axis(grid, name.strip()) for name in group.split(",")] for group in word["value"].split(";") if word["value"]]
    if all(len(group) == 1 for group in groups):  # a list from Python
        groups = [sum(groups, [])] if groups else []
    for name, number in Counter(itertools.chain(*groups)).items():
        if name not in grid.axes:
            several = f"those that have are {', '.join(map(grid.label, grid.axes))}" if grid.axes else "no option has"
            raise BadInput(f"{word['where']}: '{shown(name, 60)}' does not have several values; {several}")
        if number > 1:
            raise BadInput(f"{word['where']}: {grid.label(name)} is named twice")
    for names in together:
        groups = [group for group in groups if not set(group) & set(names)] + [sum((group for group in groups if set(group) & set(names)), names)]
    for group in groups:
        lengths = {len(grid.axes[name]) for name in group}
        if len(group) < 2 or len(lengths) > 1:
            counts = " and ".join(f"{grid.label(name)} has {counted(len(grid.axes[name]), 'value')}" for name in group)
            raise BadInput(f"{word['where']}: {counts}; zip two or more options with equal numbers of values")
    return [tuple(name for name in grid.axes if name in group) for group in groups]


def _axis(grid, name):
    """The axis of this name: an option, of which Python has the form with underscores, or a parameter."""
    return next((axis for axis in (name, SET + name, name.replace("_", "-")) if axis in grid.axes), name)


def _words(values):
    """The options of a single run with their values: parameters together are --set."""
    words = {}
    for name, value in values.items():
        if name.startswith(SET):
            name, value = "set", ",".join(filter(None, (words.get("set"), f"{name.removeprefix(SET)}={value}")))
        words[name] = value
    return words


def check_points(grid, options, given, ask, folder):
    """The points of a grid, each checked like a single run, and the resources of the machine. Replaces the values of the grid by those
    that the program writes. ask(fields) is the answer of `tessera sweep --check`; `folder` will have the files of the sweep.

    Raises BadInput for an option that has no effect in any point, and for one that varies and has none in some."""
    fixed = {**grid.fixed, **({"backend": given["backend"]["value"]} if "backend" in given else {})}
    vary = _words(dict.fromkeys(grid.axes, ""))
    fields = []
    for values in grid.points():
        for name, value in _words({**fixed, **dict(zip(grid.axes, values))}).items():
            fields += [name, value, given[name]["where"] + (f": '{shown(value, 60)}'" if name in vary else "")]
        fields += ["output", folder.output("point"), folder.where, ""]
    answer = ask(fields)
    checked = answer["points"]
    _rewrite(grid, checked, given)
    points, idle = [], {}
    for values, point in zip(grid.points(), checked):
        seed = grid.point_seed(values)
        arguments = ["--seed", seed]
        for name, value in _words({**grid.fixed, **dict(zip(grid.axes, values))}).items():
            if name == "seed":
                continue
            reason = point["without_effect"].get(name)
            if reason is None:
                arguments += _arguments(name, value, options.get(name, SETTING))
                idle[name] = None
            elif name in vary:
                raise BadInput(f"{given[name]['where']}: {reason} (at the point {grid.title(values)})")
            else:
                idle.setdefault(name, f"{given[name]['where']}: {reason}")
        course = "".join(f"{name} = {value}\n" for name, value in point["course"].items())
        on_host, on_device = point["host_memory"], point["device_memory"]
        memory = on_host + (0 if point["backend"] in GPU_BACKENDS else on_device)
        where = point["backend"], point["sequential"], memory, on_host + on_device
        points.append(Point(grid.name(values), grid.title(values), seed, arguments, course, *where))
    for name, message in idle.items():
        if message and given[name]["typed"]:
            raise BadInput(message)
    _check_seeds(grid, options, given, points)
    return points, answer["machine"]


def _rewrite(grid, checked, given):
    """Replaces the values of a grid by those that the program writes. Those of a group must be distinct, also as file names."""
    rewritten = {name: list(values) for name, values in grid.axes.items()}
    for places, point in zip(grid.places(), checked):
        for name, place in zip(grid.axes, places):
            text = _written(point, name)
            if text.startswith(TEXT) and not grid.axes[name][place].startswith(TEXT):
                text = f"{NAMED}{os.path.normpath(grid.axes[name][place])}\\n{text.removeprefix(TEXT)}"
            rewritten[name][place] = text
    grid.axes.update(rewritten)
    for group in grid.groups():
        where, choices = given[group[0]]["where"], list(zip(*(grid.axes[name] for name in group)))
        for choice, number in Counter(choices).items():
            if number > 1:
                raise BadInput(f"{where}: the value {shown(' with '.join(map(value_shown, choice)), 60)} is given twice")
        for text, number in Counter("_".join(_in_file_name(value_shown(value)) for value in choice) for choice in choices).items():
            if number > 1:
                raise BadInput(f"{where}: two values give the same file name, {text}")
    for name in grid.fixed:
        grid.fixed[name] = _written(checked[0], name)


def _written(point, name):
    """The value of an option in a point as the program writes it."""
    if not name.startswith(SET):
        return point["values"][name]
    return settings_of_run(point["values"]["set"])[name.removeprefix(SET)]


def _check_seeds(grid, options, given, points):
    """Raises BadInput if points share replicas: replica r of a point has its seed + r. Equal seeds are those of --same-seed."""
    seeds = sorted({int(point.seed) for point in points} if grid.same_seed else [int(point.seed) for point in points])
    replicas = max(map(int, grid.values("replicas", options)))
    if all(after - before >= replicas for before, after in zip(seeds, seeds[1:])):
        return
    where = given["seed"]["where"] if "seed" in given else f"--seed {grid.seed}"
    if not (grid.same_seed or grid.has_seeds()):
        raise BadInput(f"{where}: two points would have replicas with the same seed; use another --seed")
    last = seeds[0] + replicas * (len(seeds) - 1)
    raise BadInput(
        f"{where}: replica r has the seed of its point + r, so that points with {replicas} replicas share some of "
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
