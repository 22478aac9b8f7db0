# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Patterns of sites in mechanism_input.dat and energetics_input.dat."""

import dataclasses

from .lattice import type_name
from .lines import Given, Line, Lines, needed


@dataclasses.dataclass
class Variant:
    """Site types and numbers of a step or cluster.

    types         names of the types of the sites; None: any
    angles        [(i, j, k, degrees)] between the edges j-i and j-k
    orientations  [(i, j, degrees)] of the edge i-j and the x axis
    mirrored      whether mirror images of the angles are meant, too
    values        numbers by keyword
    given         lines by keyword
    """

    name: str
    line: Line
    types: list = None
    angles: list = dataclasses.field(default_factory=list)
    orientations: list = dataclasses.field(default_factory=list)
    mirrored: bool = True
    values: dict = dataclasses.field(default_factory=dict)
    given: Given = dataclasses.field(default_factory=Given)

    def value(self, keyword, default=None):
        """The only number of a keyword."""
        if keyword in self.values:
            return self.values[keyword][0]
        if default is None:
            self.line.refuse(f"{self.name}: needs `{keyword}`")
        return default


@dataclasses.dataclass
class Pattern:
    """A step or cluster.

    edges     [(i, j)] of neighbouring sites, counted from 0
    states    what the sites hold, by the keyword of the block: [(entity, species, dentate)], None where anything may be
    variants  one Variant at least
    """

    name: str
    line: Line
    sites: int = 0
    reversible: bool = False
    gases: dict = dataclasses.field(default_factory=dict)
    edges: list = dataclasses.field(default_factory=list)
    states: dict = dataclasses.field(default_factory=dict)
    variants: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Kind:
    """The structure of a file: keywords at its beginning and of its blocks, blocks of states, and values of variants."""

    file: str
    whole: str
    blocks: tuple
    states: tuple
    values: dict  # keyword: (numbers of its values, bounds of the only one)
    ignored: tuple = ()


CLUSTERS = Kind("energetics_input.dat", "energetics", ("cluster",), ("lattice_state",), {"cluster_eng": ((1,), {}), "graph_multiplicity": ((1,), {"least": 1})})
STEPS = Kind(
    "mechanism_input.dat",
    "mechanism",
    ("step", "reversible_step"),
    ("initial", "final"),
    {
        "pre_expon": ((1, 7), {"least": 0}),
        "pe_ratio": ((1, 7), {"above": 0, "why": ", or the reverse step is infinitely fast; write small ratios with their digits, such as 2e-6"}),
        "activ_eng": ((1,), {}),
        "prox_factor": ((1,), {"least": 0, "most": 1}),
    },
    ("stiffness_scalable", "stiffness_scalable_symmetric"),
)


def read_patterns(folder, kind, lattice):
    """The patterns of a file."""
    lines = Lines(folder, kind.file)
    patterns = []
    first = lines.take(f"`{kind.whole}`")
    if first.keyword != kind.whole:
        first.refuse(f"must begin with `{kind.whole}`")
    for line in lines.block(f"end_{kind.whole}", last=True):
        if line.keyword not in kind.blocks:
            line.refuse(f"'{line.words[0]}' is not known; must be {' or '.join(kind.blocks)}")
        patterns.append(_Reader(lines, kind, lattice.type_names).pattern(line))
    known = set(lattice.types)
    for pattern in patterns:
        for variant in pattern.variants:
            for name in variant.types or []:
                if name not in known:
                    variant.line.refuse(f"{pattern.name}: no site of the lattice has the type '{name}'; there are {', '.join(sorted(known))}")
    return patterns


def sites_of(line, text, count, sites):
    """`count` of the sites in a text such as `1-2`, counted from 0."""
    found = tuple(line.whole(word, 1) - 1 for word in text.split("-"))
    if len(found) != count or len(set(found)) != count or max(found) >= sites:
        line.refuse(f"'{text}' must be {count} of the {sites} sites")
    return found


class _Reader:
    def __init__(self, lines, kind, type_names):
        self.lines, self.kind, self.type_names = lines, kind, type_names

    def pattern(self, begin):
        pattern = Pattern(begin.argument(), begin, reversible=begin.keyword == "reversible_step")
        common = Variant("", begin)
        for line in self.lines.block(f"end_{begin.keyword}", begin, f"{begin.keyword} {pattern.name}: "):
            word = line.keyword
            if word not in ("variant", *self.kind.ignored):
                common.given.add(line)
            if word == "sites":
                pattern.sites = line.whole(line.argument(), 1)
            elif word == "neighboring":
                pattern.edges = [self._sites(line, text, 2, pattern) for text in line.words[1:]]
            elif word in self.kind.states:
                pattern.states[word] = [self._state(self.lines.take("the state of a site")) for _ in range(self._count(pattern, line))]
            elif word == "gas_reacs_prods" and self.kind is STEPS:
                names, counts = line.words[1::2], line.words[2::2]
                if len(names) != len(counts) or len(set(names)) < len(names):
                    line.refuse("must be gases, each once with its number of molecules")
                for count in counts:
                    line.whole(count.removeprefix("-"), 1)
                pattern.gases = {name: int(line.number_of(count)) for name, count in zip(names, counts)}
            elif word == "variant":
                pattern.variants.append(self._variant(line, pattern))
            elif not self._has_value(line, common, pattern):
                line.refuse(f"'{line.words[0]}' is not known in a {begin.keyword}")
        for block in self.kind.states:
            if block not in pattern.states:
                begin.refuse(f"{pattern.name}: needs `{block}`")
        if pattern.variants:
            for word in self._values(common):
                common.given[word].refuse(f"{word}: must stand in each variant of {pattern.name}, or in none")
        pattern.variants = pattern.variants or [common]
        return pattern

    def _values(self, variant):
        """Keywords of a variant that were given."""
        return [word for word in variant.given if word in ("site_types", "angles", "absl_orientation", "no_mirror_images", *self.kind.values)]

    def _count(self, pattern, line):
        if pattern.sites == 0:
            line.refuse("must stand behind `sites`")
        return pattern.sites

    def _variant(self, begin, pattern):
        variant = Variant(begin.argument(), begin)
        for line in self.lines.block("end_variant", begin, f"variant {variant.name}: "):
            if line.keyword not in self.kind.ignored:
                variant.given.add(line)
            if not self._has_value(line, variant, pattern):
                line.refuse(f"'{line.words[0]}' is not known in a variant")
        return variant

    def _has_value(self, line, variant, pattern):
        """Stores the value of a line of a variant; returns whether the line is one."""
        word = line.keyword
        if word == "site_types":
            variant.types = [type_name(name, self.type_names) for name in line.words[1:]]
            if len(variant.types) != self._count(pattern, line):
                line.refuse(f"must be those of {pattern.sites} sites")
        elif word == "angles":
            variant.angles = [(*self._sites(line, *self._angle(line, text, 3), pattern), self.degrees) for text in line.words[1:]]
        elif word == "absl_orientation":
            variant.orientations = [(*self._sites(line, *self._angle(line, text, 2), pattern), self.degrees) for text in line.words[1:]]
        elif word == "no_mirror_images":
            variant.mirrored = False
        elif word in self.kind.values:
            counts, bounds = self.kind.values[word]
            variant.values[word] = line.numbers(**(bounds if len(line.words) == 2 else {}))
            if len(line.words) - 1 not in counts:
                line.refuse(f"{word}: must have {' or '.join(map(str, counts))} values")
        else:
            return word in self.kind.ignored
        return True

    def _angle(self, line, text, count):
        sites, colon, degrees = text.partition(":")
        if not colon:
            line.refuse(f"'{text}' must be sites and an angle, such as {'-'.join('123'[:count])}:90")
        self.degrees = line.number_of(degrees)
        return sites, count

    def _sites(self, line, text, count, pattern):
        return sites_of(line, text, count, self._count(pattern, line))

    def _state(self, line):
        if line.words[0] == "&":
            return None  # & & &
        if len(line.words) != 3:
            line.refuse("must be an entity, its species and its dentate")
        return line.words[0], line.words[1], line.whole(line.words[2], 1)


@dataclasses.dataclass
class Conditions:
    """Parameters of the model in simulation_input.dat."""

    temperature: str
    pressure: float
    fractions: dict
    gas_energies: dict
    dentates: dict
    seed: str = ""
    time: float = None
    steps: float = None
    intervals: dict = dataclasses.field(default_factory=dict)


SETTINGS = {
    "random_seed", "temperature", "pressure", "n_gas_species", "gas_specs_names", "gas_energies", "gas_molec_weights",
    "gas_molar_fracs", "n_surf_species", "surf_specs_names", "surf_specs_dent", "snapshots", "process_statistics",
    "species_numbers", "energetics_lists", "process_lists", "event_report", "max_steps", "max_time", "wall_time", "no_restart",
    "finish", "debug_report_processes", "debug_report_global_energetics", "debug_check_processes", "debug_check_lattice",
    "debug_newtons_method", "debug_check_caching", "override_array_bounds", "process_list_structure",
}  # fmt: skip


def read_conditions(folder):
    """(Conditions, keywords that have no effect) of simulation_input.dat."""
    lines = Lines(folder, "simulation_input.dat")
    given, without_effect = Given(), []
    for line in lines:
        if line.keyword == "finish":
            lines.end(line)
            break
        if line.keyword not in SETTINGS:
            without_effect.append(line.words[0])
        given.add(line)

    def numbers(keyword, names, default, **bounds):
        if not names or (keyword not in given and default is not None):
            return {name: default for name in names}
        return dict(zip(names, needed(lines, given, keyword).numbers(len(names), **bounds)))

    def names(kind):
        count = given.get(f"n_{kind}_species")
        number = 0 if count is None else count.whole(count.argument())
        if number == 0:
            return []
        line = needed(lines, given, "gas_specs_names" if kind == "gas" else "surf_specs_names")
        if len(set(line.words[1:])) != number or len(line.words) - 1 != number:
            line.refuse(f"must have {number} different names")
        return line.words[1:]

    temperature = needed(lines, given, "temperature")
    if len(temperature.words) > 1 and temperature.words[1].lower() == "ramp":
        if len(temperature.words) != 4:
            temperature.refuse("ramp: needs a temperature and a rate")
        start, rate = (temperature.number_of(word) for word in temperature.words[2:4])
        if start <= 0:
            temperature.refuse(f"'{temperature.words[2]}' must be more than 0")
        text = f"{start:.12g} + {rate:.12g}*time"
    else:
        text = f"{temperature.numbers(1, above=0)[0]:.12g}"
    gases, species = names("gas"), names("surf")
    fractions = numbers("gas_molar_fracs", gases, None, least=0, most=1)
    if sum(fractions.values()) > 1 + 1e-4:
        given["gas_molar_fracs"].refuse(f"the molar fractions add up to {sum(fractions.values()):.6g}; must be at most 1")
    dentates = {}
    for name, count in numbers("surf_specs_dent", species, 1).items():
        dentates[name] = given["surf_specs_dent"].whole(f"{count:.12g}", 1) if "surf_specs_dent" in given else 1
    conditions = Conditions(
        text,
        needed(lines, given, "pressure").numbers(1, least=0)[0] if gases else 0.0,
        fractions,
        numbers("gas_energies", gases, 0.0),
        dentates,
    )
    if "random_seed" in given:
        conditions.seed = str(given["random_seed"].whole(given["random_seed"].argument()))
    for keyword, name in (("max_time", "time"), ("max_steps", "steps")):
        if keyword in given and given[keyword].argument().lower() != "infinity":
            setattr(conditions, name, given[keyword].numbers(1, above=0)[0])
    for keyword in ("species_numbers", "process_statistics", "snapshots"):
        if keyword in given and [word.lower() for word in given[keyword].words[1:]] != ["off"]:
            interval = _interval(given[keyword])
            if interval is None or (keyword == "snapshots" and interval[0] == "event"):
                without_effect.append(" ".join(given[keyword].words))
            else:
                conditions.intervals[keyword] = interval
    return conditions, without_effect


def _interval(line):
    """("time" or "event", interval) of `KEYWORD on time 0.1`; None for others, such as logtime."""
    words = [word.lower() for word in line.words[1:]]
    if words[:1] != ["on"] or len(words) < 2:
        line.refuse(f"{line.words[0]}: must be `off`, `on time INTERVAL` or `on event NUMBER`")
    if words[1] not in ("time", "event"):
        return None
    if words[1:] == ["event"]:
        return "event", 1.0
    if len(words) != 3 or line.number_of(words[2]) <= 0:
        line.refuse(f"{line.words[0]}: must be `on {words[1]}` and a positive number")
    return words[1], line.number_of(words[2])
