# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""A model of Zacros as processes on a lattice."""

import collections
import dataclasses
import math
import os
import re

from .energies import COVERED, VACANT, Clusters, at_origin, shifted
from .lattice import read_lattice
from .lines import ModelError
from .patterns import CLUSTERS, STEPS, read_conditions, read_patterns
from .seeds import numbers_of, placed, read_seeds
from .text import model_text


@dataclasses.dataclass(frozen=True)
class Rate:
    """A rate constant: prefactor * exp(-energy/(k T)) with energy = barrier + part*(dE - change), at least 0 and dE if it is bounded.

    times    number of times that the step finds the same sites
    pre      pre-exponential factor, numbers as in Zacros: one, or seven of a function of T
    ratio    divides it, likewise
    gases    ((name, number), ...) of molecules that are consumed, and added
    barrier  eV
    change   dE in eV if other sites are empty
    gas_change  the part of the gas in it
    part     proximity factor
    bounded  false for irreversible steps
    """

    times: int
    pre: tuple
    ratio: tuple
    gases: tuple
    barrier: float
    change: float
    gas_change: float
    part: float
    bounded: bool


@dataclasses.dataclass
class Process:
    """name of the step; before, after: {site: state}; outside: as Clusters.change() returns it."""

    name: str
    rate: Rate
    before: dict
    after: dict
    outside: dict


class Molecules:
    """States of sites; a number for each set of sites that a molecule can cover, as seen from the site of its first dentate."""

    def __init__(self, dentates):
        self.dentates = dentates
        self.places = collections.defaultdict(dict)

    def states(self, pattern, block, sites, may_be_new=True):
        """{site: state} of a pattern at these sites; None if a molecule covers other sites than in any step."""
        entities, found = collections.defaultdict(dict), {}
        for site, state in zip(sites, pattern.states[block]):
            entity, species, dentate = state or ("", "", 0)
            if species == "*":
                found[site] = VACANT
            elif state is not None:
                if species not in self.dentates:
                    pattern.line.refuse(f"{pattern.name}: '{species}' is not a species; those are {', '.join(self.dentates)}")
                if dentate in entities[entity, species]:
                    pattern.line.refuse(f"{pattern.name}: {species} has dentate {dentate} of entity {entity} twice in `{block}`")
                entities[entity, species][dentate] = site
        for (_, species), dentates in entities.items():
            if sorted(dentates) != list(range(1, self.dentates[species] + 1)):
                pattern.line.refuse(f"{pattern.name}: {species} must have {self.dentates[species]} dentates in `{block}`")
            covered = [dentates[i] for i in sorted(dentates)]
            states = self.states_of(species, covered, may_be_new)
            if states is None:
                return None
            found.update(zip(covered, states))
        return found

    def states_of(self, species, sites, may_be_new=False):
        """The states of the sites of a molecule's dentates; None if it covers other sites than in any step."""
        if len(sites) == 1:
            return [(species, 1, 0)]
        first = sites[0]
        place = tuple(shifted(other, -first[1], -first[2]) for other in sites)
        places = self.places[species, first[0]]
        if place not in places and not may_be_new:
            return None
        return [(species, 1, places.setdefault(place, len(places) + 1)), *[COVERED] * (len(sites) - 1)]

    def all_states(self):
        """Each state once, the empty site first."""
        states = [VACANT, COVERED] if self.places else [VACANT]
        for species, count in self.dentates.items():
            most = max((len(places) for (name, _), places in self.places.items() if name == species), default=0)
            states += [(species, 1, number) for number in (range(1, most + 1) if count > 1 else [0])]
        return states


def convert_zacros(folder):
    """The text of a model file for the input files of Zacros in a folder, and notes on what has no effect. Raises ModelError,
    with a line about what cannot be converted, OSError for files that cannot be read."""
    return zacros_run(folder)[:2]


def zacros_run(folder):
    """The same, and {option: value} of `tessera kmc` for a run like that of Zacros."""
    conditions, without_effect = read_conditions(folder)
    notes = []
    if without_effect:
        notes.append(f"{os.path.join(folder, 'simulation_input.dat')}: not converted: {', '.join(without_effect)}")
    seeds = read_seeds(folder, conditions.dentates)
    # Seeds on sites have the numbers of Zacros' cells.
    lattice = read_lattice(folder, all(seed.sites is None for seed in seeds))
    steps = read_patterns(folder, STEPS, lattice)
    molecules = Molecules(conditions.dentates)
    found = [(step, variant, *_processes(step, variant, lattice, molecules)) for step in steps for variant in step.variants]
    clusters = Clusters()
    for pattern in read_patterns(folder, CLUSTERS, lattice):
        for variant in pattern.variants:
            energy = variant.value("cluster_eng") / variant.value("graph_multiplicity", 1.0)
            for sites in lattice.places(pattern, variant):
                states = molecules.states(pattern, "lattice_state", sites, may_be_new=False)
                if states:
                    firsts = {site: state for site, state in states.items() if state[1] == 1}  # which say where the others are
                    clusters.add(pattern.name + (f"_{variant.name}" if variant.name else ""), firsts, energy)
    processes = []
    for step, variant, places, name in found:
        processes += _with_rates(step, variant, places, name, clusters, conditions)
    if not processes:
        raise ModelError(f"{os.path.join(folder, STEPS.file)}: no step finds its sites on the lattice")
    numbers = numbers_of(seeds, lattice, molecules)
    cells = {} if numbers is not None else placed(seeds, lattice, molecules, conditions.seed or "1")
    settings = _settings(conditions, lattice.size)
    return model_text(folder, settings, conditions, lattice, molecules, clusters, processes, numbers or [], cells), notes, settings


def _settings(conditions, size):
    """The options of a run: lattice, end, seed, and intervals of measurements and fields."""
    cells = size[0] * size[1]
    settings = {"size": f"{size[0]},{size[1]}"}
    if conditions.time is not None:
        settings["until-time"] = f"{conditions.time:.12g}"
    if conditions.steps is not None:
        settings["until-events-per-site"] = f"{conditions.steps / cells:.17g}"
    if conditions.seed:
        settings["seed"] = conditions.seed
    measured = [conditions.intervals[keyword] for keyword in ("species_numbers", "process_statistics") if keyword in conditions.intervals]
    times, events = ([value for kind, value in measured if kind == wanted] for wanted in ("time", "event"))
    if times:
        settings["measure-every"] = f"{min(times):.12g}"
    elif events:
        settings["measure-every-events"] = f"{min(events) / cells:.17g}"
    if "snapshots" in conditions.intervals:
        settings["field-every"] = f"{conditions.intervals['snapshots'][1]:.12g}"
    if size[0] != size[1] and all(math.gcd(*size) % tile for tile in range(8, 17)):
        settings["method"] = "waiting-time"  # which has no tiles
    return settings


def _processes(step, variant, lattice, molecules):
    """Counts of ((site, before, after), ...), and the name of a step."""
    places = collections.Counter()
    for sites in lattice.places(step, variant):
        before, after = (molecules.states(step, block, sites) for block in ("initial", "final"))
        if set(before) != set(after):
            step.line.refuse(f"{step.name}: `initial` and `final` must have & for the same sites")
        if before != after:
            places[at_origin([(site, before[site], after[site]) for site in before])] += 1
    name = re.sub(r"\W+", "_", f"{step.name}_{variant.name}" if variant.name else step.name).strip("_")
    return places, name


def _with_rates(step, variant, places, name, clusters, conditions):
    """Processes of a step, and of its reverse."""
    for gas in step.gases:
        if gas not in conditions.gas_energies:
            step.line.refuse(f"{step.name}: '{gas}' is not a gas species of simulation_input.dat")
    barrier, part = variant.value("activ_eng"), variant.value("prox_factor", 0.5)
    pre = tuple(variant.values.get("pre_expon") or [variant.value("pre_expon")])
    ratio = tuple(variant.values.get("pe_ratio") or ([variant.value("pe_ratio")] if step.reversible else ()))
    gas_change = sum(count * conditions.gas_energies[gas] for gas, count in step.gases.items())
    gases = tuple(step.gases.items())
    for items, times in places.items():
        before, after = ({item[0]: item[i] for item in items} for i in (1, 2))
        inside, outside = clusters.change(before, after)
        change = round(inside + gas_change, 12)
        rate = Rate(times, pre, (), gases, barrier, change, gas_change, part, step.reversible)
        yield Process(name, rate, before, after, outside if step.reversible or part else {})
        if step.reversible:
            back = tuple((gas, -count) for gas, count in gases)
            rate = Rate(times, pre, ratio, back, round(barrier - change, 12), -change, -gas_change, 1 - part, True)
            yield Process(f"{name}_reverse", rate, after, before, {others: -energy for others, energy in outside.items()})
