# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The text of a model file for processes on a lattice."""

import collections
import math
import re
import shlex

from .energies import COVERED, VACANT, at_origin, shifted

TURNS = (2, 3, 4, 6, 8, 12)  # values of `orientations`
MANY = 1e5  # sets of bystanders, more than tables should distinguish


def model_text(folder, settings, conditions, lattice, molecules, clusters, processes, seeds, cells):
    """The model file. Interactions with single sites are bystanders; if there are others, or very many different numbers of
    bystanders, rates depend on the energies of clusters. At time 0: seeds,
    [(state, site of the cell, number)], or cells, {(x, y): {site of the cell: state}}."""
    writer = _Writer(conditions, lattice, molecules, clusters, processes)
    initial = ["", "[Initial]"] if seeds else []
    initial += [f"{writer.species[state]}@{writer.sites[site]} = number {count}" for state, site, count in seeds]
    for (x, y), states in cells.items():
        initial += ["", f"[Initial {x},{y}]", f"where = x == {x} and y == {y}"]
        initial += [f"{writer.species[state]}@{writer.sites[site]} = 1" for site, state in states.items()]
    return "\n".join([*writer.lines(folder, settings), *initial]) + "\n"


def plain(name):
    """The name with letters, digits and underscores only."""
    return re.sub(r"\W+", "_", name).strip("_")


def number(value):
    return f"{value + 0.0:.12g}"


class Names:
    """Distinct names."""

    def __init__(self, taken=()):
        self.taken = set(taken)

    def new(self, name):
        found, i = name, 2
        while found in self.taken:
            found, i = f"{name}_{i}", i + 1
        self.taken.add(found)
        return found


class _Writer:
    def __init__(self, conditions, lattice, molecules, clusters, processes):
        self.conditions, self.lattice, self.clusters, self.processes = conditions, lattice, clusters, processes
        names = Names(["empty", "covered"])
        self.species = {}
        for state in molecules.all_states():
            species, _, place = state
            self.species[state] = {VACANT: "empty", COVERED: "covered"}.get(state) or names.new(plain(species) + (f"_{place}" if place else ""))
        names = Names()
        several = collections.Counter(lattice.types)
        counts = collections.Counter()
        self.sites = []
        for kind in lattice.types:
            counts[kind] += 1
            self.sites.append(names.new(plain(kind) + (str(counts[kind]) if several[kind] > 1 else "")))
        names = Names(["T", "P"])
        self.gases = {gas: names.new(f"y_{plain(gas)}") for gas in conditions.fractions}
        self.by_clusters = any(len(others) > 1 for process in processes for others in process.outside)
        self.by_clusters = self.by_clusters or any(_sets_of_bystanders(process.outside) > MANY for process in processes)

    def lines(self, folder, settings):
        words = ["tessera kmc --processes FILE", *(f"--{option} {value}" for option, value in settings.items())]
        yield f"# The model of Zacros' input files in {shlex.quote(folder)}: {' '.join(words)}"
        yield from ("", "[SpeciesList]", "default_species = empty", "")
        yield from (f"[Species {name}]" for name in self.species.values())
        yield from self.parameter("T", self.conditions.temperature, "K")
        if self.gases:
            yield from self.parameter("P", number(self.conditions.pressure), "bar")
        for gas, name in self.gases.items():
            yield from self.parameter(name, number(self.conditions.fractions[gas]), f"molar fraction of {gas}")
        yield from self.cell()
        yield from self.molecule_sections()
        yield from self.cluster_sections()
        yield from self.process_sections()

    def parameter(self, name, value, meaning):
        return ["", f"# {meaning}", f"[Parameter {name}]", f"value = {value}", "adjustable = True"]

    def cell(self):
        (ax, ay), (bx, by) = self.lattice.sides
        yield from ("", "[Lattice]", "cell_size = " + " ".join(map(number, (ax, ay, 0, bx, by, 0, 0, 0, 1))), "", "[Layer surface]")
        for name, (x, y) in zip(self.sites, self.lattice.positions):
            yield f"site {name} = ({round(x, 9):.9g}, {round(y, 9):.9g}, 0)"

    def at(self, site, origin=(0, 0, 0)):
        """A site relative to the cell of another site."""
        dx, dy = site[1] - origin[1], site[2] - origin[2]
        return self.sites[site[0]] + (f".({dx},{dy},0)" if dx or dy else "")

    def held(self, items, origin):
        return " + ".join(f"{self.species[state]}@{self.at(site, origin)}" for site, state in items)

    def molecule_sections(self):
        """Molecules of each species: the sites that their first dentates can have."""
        names, held = Names(), {species: {} for species, *_ in self.species}
        for one in self.processes:
            for site, state in (*one.before.items(), *one.after.items()):
                if state != VACANT and state[1] == 1:
                    held[state[0]].setdefault(site[0], {})[state] = True
        for species, sites in held.items():
            if not sites:
                continue
            members = [f"{' or '.join(self.species[state] for state in sorted(states))}@{self.sites[site]}" for site, states in sorted(sites.items())]
            yield from ("", f"[Molecules {names.new(plain(species))}]", f"members = {' + '.join(members)}")

    def cluster_sections(self):
        names = Names()
        groups = collections.defaultdict(list)
        for items, energy in self.clusters.energies.items():
            if abs(energy) > 1e-12:
                groups[self.clusters.names[items], _in_units(energy)].append(items)
        for (name, energy), forms in groups.items():
            for items, turns in self.orbits(forms):
                yield from ("", f"[Cluster {names.new(plain(name))}]", f"sites = {self.held(items, items[0][0])}")
                if turns > 1:
                    yield f"orientations = {turns}"
                yield f"energy = {number(energy)}"

    def process_sections(self):
        groups = collections.defaultdict(list)
        for one in self.processes:
            items = [(site, one.before[site], one.after[site], None) for site in one.before]
            near = collections.defaultdict(list)
            for others, energy in one.outside.items() if not self.by_clusters else ():
                ((site, state),) = others
                near[site].append((state, round(energy, 12)))
            items += [(site, VACANT, VACANT, tuple(sorted(energies))) for site, energies in near.items()]
            groups[one.name, one.rate, bool(one.outside), frozenset(item[3] for item in items)].append(_sorted(items))
        found = [(name, rate, depends, *orbit) for (name, rate, depends, _), forms in groups.items() for orbit in self.orbits(forms)]
        several = collections.Counter(name for name, *_ in found)
        names = Names(name for name, count in several.items() if count > 1)
        for name, rate, depends, items, turns in found:
            if several[name] == 1:
                yield from ("", f"[Process {names.new(name)}]")
            else:  # with the types of its sites
                types = [plain(self.lattice.types[site[0]]) for site, *_, near in items if near is None]
                yield from ("", f"[Process {names.new('_'.join([name, *types]))}]", f"step = {name}")
            yield from self.process(items, rate, depends)
            if turns > 1:
                yield f"orientations = {turns}"

    def process(self, items, rate, depends):
        own = [item for item in items if item[3] is None]
        origin = own[0][0]
        prefactor = self.prefactor(rate)
        barrier = max(0.0, rate.change, rate.barrier) if rate.bounded else rate.barrier
        yield f"rate_constant = {prefactor}" + ("" if depends else self.boltzmann_factor(barrier))
        yield f"conditions = {self.held([(site, before) for site, before, _, _ in own], origin)}"
        yield f"actions = {self.held([(site, after) for site, before, after, _ in own if before != after], origin)}"
        if depends:
            yield from self.energy([item for item in items if item[3] is not None], rate, origin)
        if rate.gases:
            counts = ", ".join(f"'{plain(gas)}': {count}" for gas, count in rate.gases)
            yield "tof_count = {" + counts + "}"

    def energy(self, near, rate, origin):
        """The energy where it depends on other sites: clusters, or numbers of bystanders. near: (site, ..., ((state, eV), ...))."""
        if self.by_clusters:  # whose dE is without the gas
            yield f"energy = {_barrier(rate, rate.gas_change)}"
            return
        labels = {energies: f"n{i}" for i, energies in enumerate(sorted({item[3] for item in near}), 1)}
        terms = [f"{number(eV)}*nr_{self.species[state]}_{label}" for energies, label in labels.items() for state, eV in energies]
        others = rate.change - sum(eV for item in near for state, eV in item[3] if state == VACANT)
        change = " + ".join([number(round(others, 12)), *terms]).replace("+ -", "- ")
        yield from ("otf_rate =", f"  dE = {change}", f"  energy = {_barrier(rate)}", "  rate = base_rate*exp(-energy*eV*beta)")
        texts = []
        for site, _, _, energies in near:
            species = ", ".join(f"'{self.species[state]}'" for state, _ in energies)
            texts.append(f"[{species}]@{self.at(site, origin)}|{labels[energies]}")
        yield "bystanders = " + "\n  + ".join(" + ".join(texts[i : i + 4]) for i in range(0, len(texts), 4))

    def prefactor(self, rate):
        factors = [str(rate.times)] if rate.times > 1 else []
        factors.append(_of_temperature(rate.pre))
        for gas, count in rate.gases:
            factors += [f"P*{self.gases[gas]}"] * -count
        return "*".join(factors) + (f"/{_of_temperature(rate.ratio)}" if rate.ratio not in ((), (1.0,)) else "")

    def boltzmann_factor(self, energy):
        return f"*exp({number(-energy)}*eV*beta)" if energy else ""

    def orbits(self, forms):
        """Yields (form, orientations) whose rotated copies are the given forms, each exactly once."""
        left = dict.fromkeys(at_origin(form) for form in forms)
        first = {at_origin(form): form for form in forms}
        while left:
            form = next(iter(left))
            best, turns = {form}, 1
            for count in TURNS:
                copies = self.turned(first[form], count)
                if copies is not None and len(copies) > len(best) and all(copy in left for copy in copies):
                    best, turns = copies, count
            for copy in best:
                del left[copy]
            yield first[form], turns

    def turned(self, form, count):
        """The copies of a form rotated about its first site; None if a rotation does not map sites to sites."""
        rotations = {8: 4, 12: 6}.get(count, count)
        centre = self.lattice.point(form[0][0])
        copies = set()
        for i in range(count):
            angle = 2 * math.pi * (i % rotations) / rotations
            if i > 0 and not self.lattice.has_symmetry(angle, i >= rotations):
                return None
            items = []
            for site, *more in form:
                x, y = (there - here for there, here in zip(self.lattice.point(site), centre))
                x = -x if i >= rotations else x
                turned = math.cos(angle) * x - math.sin(angle) * y, math.sin(angle) * x + math.cos(angle) * y
                image = self.lattice.site_at((centre[0] + turned[0], centre[1] + turned[1]))
                if image is None:
                    return None
                items.append((image, *more))
            copies.add(at_origin(items))
        return copies


def _sets_of_bystanders(outside):
    """How many numbers of bystanders a process distinguishes; outside: as Clusters.change() returns it."""
    near = collections.defaultdict(list)
    for ((site, state), *_), energy in outside.items():
        near[site].append((state, round(energy, 12)))
    labels = collections.Counter(tuple(sorted(energies)) for energies in near.values())
    return math.prod((count + 1) ** len(energies) for energies, count in labels.items())


def _in_units(energy):
    """An energy in eV as a multiple of 1e-9 or of a third of it, as the energies of [Cluster] must be."""
    third = round(3e9 * energy) / 3e9
    return round(energy, 12) if abs(energy - third) < 1e-12 else round(energy, 9)


def _sorted(items):
    """Conditions in order, with offsets relative to the cell of the first one."""
    items = sorted(items, key=lambda item: (item[3] is not None, item[1] == VACANT, item[0]))
    _, x, y = items[0][0]
    return [(shifted(site, -x, -y), *more) for site, *more in items]


def _barrier(rate, more=0.0):
    """The barrier as an expression in dE, to which `more` is added."""

    def plus(value):
        return f"dE + {number(value)}".replace("+ -", "- ") if round(value, 12) else "dE"

    barrier = number(rate.barrier)
    if rate.part:
        rest = plus(more - rate.change)
        barrier += f" + {number(rate.part)}*" + (rest if rest == "dE" else f"({rest})")
    return f"max(0, {plus(more)}, {barrier})" if rate.bounded else barrier


def _of_temperature(values):
    """A number, or Zacros' function of T with seven coefficients."""
    if len(values) == 1:
        return number(values[0])
    terms = ("log(T)", "1/T", "1", "T", "T**2", "T**3", "T**4")
    text = " + ".join(f"{number(value)}*{term}" for value, term in zip(values, terms) if value) or "0"
    return f"exp(-({text}))".replace("+ -", "- ")
