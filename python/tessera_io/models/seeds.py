# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Molecules on the lattice at time 0, of state_input.dat."""

import dataclasses
import os
import random

from .energies import shifted
from .lattice import type_name
from .lines import Given, Line, Lines
from .patterns import Pattern, Variant, sites_of


@dataclasses.dataclass
class Seed:
    """Molecules of a species: one on given sites (numbers of Zacros, from 0), or a number of them on random ones."""

    line: Line
    species: str
    sites: list = None
    number: int = 1
    types: list = None
    edges: list = dataclasses.field(default_factory=list)


def read_seeds(folder, dentates):
    """The seeds of a folder in their order."""
    if not os.path.exists(os.path.join(folder, "state_input.dat")):
        return []
    lines, seeds = Lines(folder, "state_input.dat"), []
    first = lines.take("`initial_state`")
    if first.keyword != "initial_state":
        first.refuse("must begin with `initial_state`")
    for line in lines.block("end_initial_state", first, last=True):
        if line.keyword not in ("seed_on_sites", "seed_multiple"):
            line.refuse(f"'{line.words[0]}' is not known; must be seed_on_sites or seed_multiple")
        species = line.words[1] if len(line.words) > 1 else ""
        if species not in dentates:
            line.refuse(f"'{species}' is not a species; those are {', '.join(dentates)}")
        values = line.words[2:]
        if line.keyword == "seed_on_sites":
            sites = [line.whole(word, 1) - 1 for word in values]
            if len(set(sites)) != dentates[species] or len(sites) != dentates[species]:
                line.refuse(f"{species} needs {dentates[species]} different sites")
            seeds.append(Seed(line, species, sites))
            continue
        if len(values) != 1:
            line.refuse(f"must be seed_multiple {species} and a number of molecules")
        seeds.append(_several(lines, Seed(line, species, None, line.whole(values[0])), dentates[species]))
    return seeds


def _several(lines, seed, dentates):
    given = Given()
    for line in lines.block("end_seed_multiple", seed.line):
        given.add(line)
        if line.keyword == "site_types":
            seed.types = line.words[1:]
            if len(seed.types) != dentates:
                line.refuse(f"must have {dentates} types, one for each dentate of {seed.species}")
        elif line.keyword == "neighboring":
            seed.edges = [sites_of(line, text, 2, dentates) for text in line.words[1:]]
        else:
            line.refuse(f"'{line.words[0]}' is not known in a seed_multiple")
    return seed


def numbers_of(seeds, lattice, molecules):
    """[(state, site of the cell, number)] if each seed is a number of molecules on one site of the cell; else None."""
    found = []
    for seed in seeds:
        types = None if seed.types is None else [type_name(word, lattice.type_names) for word in seed.types]
        sites = [i for i, name in enumerate(lattice.types) if types is None or name in types]
        if seed.sites is not None or len(sites) != 1 or molecules.dentates[seed.species] != 1:
            return None
        found.append(((seed.species, 1, 0), sites[0], seed.number))
    return found


def placed(seeds, lattice, molecules, seed):
    """{(x, y): {site of the cell: state}} of all seeds; those of random places are drawn with the seed of the run."""
    chance = random.Random(seed)
    nx, ny = lattice.size
    held = {}

    def put(one, sites):
        """Puts a molecule on sites (number, x, y); returns whether they were empty."""
        cells = [(number, x % nx, y % ny) for number, x, y in sites]
        if len(set(cells)) < len(cells) or any(cell in held for cell in cells):
            return False
        states = molecules.states_of(one.species, sites)
        if states is None:
            one.line.refuse(f"{one.species} covers sites that it does not cover in any step")
        held.update(zip(cells, states))
        return True

    for one in seeds:
        if one.sites is not None:
            sites = [lattice.numbered_site(i) for i in one.sites]
            if None in sites:
                one.line.refuse(f"the lattice has {nx * ny * len(lattice.types)} sites")
            if not put(one, _near(sites, nx, ny)):
                one.line.refuse("a site is already occupied")
            continue
        pattern = Pattern(one.species, one.line, molecules.dentates[one.species], edges=one.edges)
        types = None if one.types is None else [type_name(word, lattice.type_names) for word in one.types]
        forms = list(lattice.places(pattern, Variant("", one.line, types)))
        places = [(form, x, y) for form in forms for x in range(nx) for y in range(ny)]
        chance.shuffle(places)
        left = one.number
        while left and places:
            form, x, y = places.pop()
            left -= put(one, [shifted(site, x, y) for site in form])
        if left:
            one.line.refuse(f"{left} of {one.number} {one.species} find no empty sites")
    cells = {}
    for (number, x, y), state in sorted(held.items()):
        cells.setdefault((x, y), {})[number] = state
    return cells


def _near(sites, nx, ny):
    """The same sites of a periodic lattice, as images that are closest to the first one."""
    _, x, y = sites[0]
    return [(number, x + (u - x + nx // 2) % nx - nx // 2, y + (v - y + ny // 2) % ny - ny // 2) for number, u, v in sites]
