# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Along a trajectory, a model file of tessera_io.models has the processes and rates of Zacros' rules, which are applied here to a
finite lattice, with the energy of all its clusters before and after."""

import cmath
import collections
import itertools
import math
import os
import random
import re
import unittest
import unittest.mock

import program
from tessera_io.models import convert_zacros

N = 5  # cells along each side
SIDES = (2.5, 2.5 * cmath.rect(1, math.pi / 3))
POSITIONS = (1 / 3, 2 / 3)
CELLS = {"self": (0, 0), "north": (0, 1), "east": (1, 0), "southeast": (1, -1)}
PAIRS = [(0, 1, "self"), (1, 0, "north"), (1, 0, "east"), (0, 0, "north"), (0, 0, "east"), (0, 0, "southeast")]
TYPES = ("fcc", "hcp")
T, P, FRACTION, GAS = 450.0, 2.0, 0.3, -0.4
KT = 8.6173324e-5 * T

# Clusters: sites, edges, states, types, energy, multiplicity, angle 1-2-3.
CLUSTERS = {
    "A": (1, [], ["1 A* 1"], "fcc", -0.5, 1, None),
    "B": (1, [], ["1 B* 1"], "hcp", -0.2, 1, None),
    "AA": (2, ["1-2"], ["1 A* 1", "2 A* 1"], "fcc fcc", 0.06, 2, None),
    "AB": (2, ["1-2"], ["1 A* 1", "2 B* 1"], "fcc hcp", -0.03, 1, None),
    "gap": (2, ["1-2"], ["1 A* 1", "2 * 1"], "fcc hcp", 0.01, 1, None),
    "far": (3, ["1-2", "2-3"], ["1 A* 1", "& & &", "2 A* 1"], "fcc fcc fcc", 0.02, 2, 180),
    "C": (2, ["1-2"], ["1 C** 1", "1 C** 2"], "fcc hcp", -0.8, 1, None),
    "AC": (3, ["1-2", "2-3"], ["1 A* 1", "2 C** 1", "2 C** 2"], "fcc fcc hcp", 0.04, 1, None),
    "D": (3, ["1-2", "2-3"], ["1 D*** 2", "1 D*** 1", "1 D*** 3"], "hcp fcc fcc", -0.9, 1, None),
}
TRIO = (3, ["1-2", "2-3", "3-1"], ["1 A* 1", "2 A* 1", "3 A* 1"], "fcc fcc fcc", 0.07, 6, None)
# Steps: sites, edges, initial, final, types, gas, pre-exponential factor, ratio (0: irreversible), barrier, proximity factor.
STEPS = {
    "A_in": (1, [], ["1 * 1"], ["1 A* 1"], "fcc", -1, 3.0, 5.0, 0.0, 0.0),
    "A_pair_in": (2, ["1-2"], ["1 * 1", "2 * 1"], ["1 A* 1", "2 A* 1"], "fcc fcc", -2, 2.0, 9.0, 0.1, 0.6),
    "move": (2, ["1-2"], ["1 A* 1", "2 * 1"], ["1 * 1", "2 B* 1"], "fcc hcp", 0, 7.0, 2.0, 0.3, 0.4),
    "join": (2, ["1-2"], ["1 A* 1", "2 B* 1"], ["1 C** 1", "1 C** 2"], "fcc hcp", 0, 4.0, 3.0, 0.05, 0.5),
    "three": (3, ["1-2", "2-3"], ["1 B* 1", "2 A* 1", "3 * 1"], ["1 D*** 2", "1 D*** 1", "1 D*** 3"], "hcp fcc fcc", 0, 8.0, 3.0, 0.05, 0.5),
    "out": (2, ["1-2"], ["1 A* 1", "2 A* 1"], ["1 * 1", "2 * 1"], "fcc fcc", 1, 6.0, 0.0, 0.2, 0.25),
}


def cells():
    return itertools.product(range(2), range(N), range(N))


def shift(site, dx, dy):
    return site[0], (site[1] + dx) % N, (site[2] + dy) % N


NEIGHBOURS = collections.defaultdict(set)
for first, second, cell in PAIRS:
    for x, y in itertools.product(range(N), repeat=2):
        a, b = (first, x, y), shift((second, x, y), *CELLS[cell])
        NEIGHBOURS[a].add(b)
        NEIGHBOURS[b].add(a)


def write_files(folder, clusters):
    def block(pattern):
        sites, edges = pattern[0], pattern[1]
        return f"  sites {sites}\n" + (f"  neighboring {' '.join(edges)}\n" if edges else "")

    def lines(texts):
        return "".join(f"    {text}\n" for text in texts)

    lattice = f"lattice periodic_cell\ncell_vectors\n {SIDES[0]} 0\n {SIDES[1].real} {SIDES[1].imag}\nrepeat_cell {N} {N}\nn_site_types 2\nsite_type_names fcc hcp\n"
    lattice += f"n_cell_sites 2\nsite_types fcc hcp\nsite_coordinates\n {1 / 3} {1 / 3}\n {2 / 3} {2 / 3}\nneighboring_structure\n"
    lattice += "".join(f" {a + 1}-{b + 1} {cell}\n" for a, b, cell in PAIRS) + "end_neighboring_structure\nend_lattice\n"
    energetics = "energetics\n"
    for name, (*pattern, states, types, energy, times, angle) in clusters.items():
        energetics += f"cluster {name}\n{block(pattern)}  lattice_state\n{lines(states)}  site_types {types}\n  graph_multiplicity {times}\n"
        energetics += (f"  angles 1-2-3:{angle}\n" if angle else "") + f"  cluster_eng {energy}\nend_cluster\n"
    mechanism = "mechanism\n"
    for name, (*pattern, before, after, types, gas, pre, ratio, barrier, part) in STEPS.items():
        kind = "reversible_step" if ratio else "step"
        mechanism += f"{kind} {name}\n" + (f"  gas_reacs_prods G {gas}\n" if gas else "") + f"{block(pattern)}  initial\n{lines(before)}  final\n{lines(after)}"
        mechanism += f"  site_types {types}\n  pre_expon {pre}\n" + (f"  pe_ratio {ratio}\n" if ratio else "") + f"  activ_eng {barrier}\n  prox_factor {part}\nend_{kind}\n"
    energetics, mechanism = energetics + "end_energetics\n", mechanism + "end_mechanism\n"
    settings = f"temperature {T}\npressure {P}\nn_gas_species 1\ngas_specs_names G\ngas_energies {GAS}\ngas_molar_fracs {FRACTION}\n"
    settings += "n_surf_species 4\nsurf_specs_names A* B* C** D***\nsurf_specs_dent 1 1 2 3\n"
    for name, text in (("lattice", lattice), ("energetics", energetics), ("mechanism", mechanism), ("simulation", settings)):
        program.write(os.path.join(folder, f"{name}_input.dat"), text)


class Rules:
    """Zacros' rules. state: {site: (molecule, species, dentate)}, None for an empty site."""

    def places(self, pattern, types, angle=None):
        """All tuples of sites of a pattern."""
        count, edges = pattern
        edges = [tuple(int(i) - 1 for i in edge.split("-")) for edge in edges]
        found = [(site,) for site in cells()]
        for i in range(1, count):
            near = [a if b == i else b for a, b in edges if i in (a, b) and min(a, b) < i]
            common = ((sites, set.intersection(*(NEIGHBOURS[sites[j]] for j in near))) for sites in found)
            found = [(*sites, site) for sites, beside in common for site in beside - set(sites)]
        for sites in found:
            if [TYPES[site[0]] for site in sites] == types.split() and (angle is None or self.straight(sites)):
                yield sites

    def straight(self, sites):
        a, b, c = sites
        return shift(b, b[1] - a[1], b[2] - a[2]) == c

    def holds(self, state, sites, wanted):
        molecules = {}
        for site, text in zip(sites, wanted):
            entity, species, form = self.words[text]
            held = state[site]
            if species == "*":
                if held is not None:
                    return False
            elif species != "&":
                if held is None or held[1:] != form or molecules.setdefault(entity, held[0]) != held[0]:
                    return False
        return len(set(molecules.values())) == len(molecules)

    def __init__(self, clusters):
        self.clusters = [(wanted, energy / times, list(self.places(pattern, types, angle))) for *pattern, wanted, types, energy, times, angle in clusters.values()]
        self.steps = [(step, list(self.places(step[:2], step[4]))) for step in STEPS.values()]
        self.words = {}  # (molecule, species, species with dentate) of each text
        for text in itertools.chain(*(wanted for wanted, *_ in self.clusters), *(step[i] for step, _ in self.steps for i in (2, 3))):
            entity, species, dentate = text.split()
            self.words[text] = entity, species, (species, int(dentate) if dentate.isdigit() else 0)
        self.copies = [(wanted, energy, sites) for wanted, energy, places in self.clusters for sites in places]
        self.around = collections.defaultdict(set)  # numbers of the copies of clusters that have a site
        for number, (_, _, sites) in enumerate(self.copies):
            for site in sites:
                self.around[site].add(number)
        empty = dict.fromkeys(cells())
        self.alone = [self.difference(*(self.placed(empty, places[0], texts) for texts in step[2:4])) for step, places in self.steps]

    def difference(self, old, new):
        """The energy of the new state less that of the old one, of all clusters that have a changed site."""
        near = set().union(*(self.around[site] for site, held in new.items() if held is not old[site]))
        return sum(energy * (self.holds(new, sites, wanted) - self.holds(old, sites, wanted)) for wanted, energy, sites in map(self.copies.__getitem__, near))

    def placed(self, state, sites, texts):
        molecules, new = {}, dict(state)
        for site, text in zip(sites, texts):
            entity, species, dentate = text.split()
            new[site] = None if species == "*" else (molecules.setdefault(entity, object()), species, int(dentate))
        return new

    @staticmethod
    def form(held):
        """The species at the first dentate of a molecule; of its other sites only that it covers them."""
        return held and (held[1] if held[2] == 1 else "covered")

    def rates(self, state):
        """{((site, form), ...) of what is changed: (rate, state afterwards)}"""
        found = {}
        for ((_, _, before, after, _, gas, pre, ratio, barrier, part), places), alone in zip(self.steps, self.alone):
            change0 = alone + gas * GAS
            for sites in places:
                for forward, here, there in ((True, before, after), (False, after, before))[: 2 if ratio else 1]:
                    if not self.holds(state, sites, here):
                        continue
                    new = self.placed(state, sites, there)
                    change = self.difference(state, new) + (gas if forward else -gas) * GAS
                    full = change if forward else -change
                    energy = barrier + part * (full - change0)
                    if ratio:  # irreversible steps have no bounds
                        energy = max(0.0, full, energy) - (0 if forward else full)
                    molecules = max(0, -gas if forward else gas)
                    rate = pre / (1 if forward else ratio) * (P * FRACTION) ** molecules * math.exp(-energy / KT)
                    key = tuple(sorted((site, self.form(new[site])) for site in sites if self.form(new[site]) != self.form(state[site])))
                    found[key] = found.get(key, (0,))[0] + rate, new
        return found


class File:
    """The model file. state: {site: species}"""

    def __init__(self, text):
        sections = re.split(r"^\[", re.sub("^#.*\n", "", text, flags=re.MULTILINE), flags=re.MULTILINE)[1:]
        self.processes, self.clusters = [], []
        for section in sections:
            name, _, lines = section.partition("]")
            keys = dict(re.findall(r"^(\w+) =(.*(?:\n +.*)*)", lines, re.MULTILINE))
            if name.startswith("Process"):
                self.processes += self.copies(keys)
            elif name.startswith("Cluster "):
                keys["conditions"] = keys["actions"] = keys["sites"]
                self.clusters += self.copies(keys)

    def terms(self, text, form=r"(\S+)@(fcc|hcp)(?:\.\((-?\d+),(-?\d+),0\))?"):
        return [(what, (TYPES.index(site), int(x or 0), int(y or 0)), *more) for what, site, x, y, *more in re.findall(form, text)]

    def turned(self, centre, site, angle):
        def point(at):
            return (POSITIONS[at[0]] + at[1]) * SIDES[0] + (POSITIONS[at[0]] + at[2]) * SIDES[1]

        image = point(centre) + cmath.rect(1, angle) * (point(site) - point(centre))
        return min(itertools.product(range(2), range(-4, 5), range(-4, 5)), key=lambda at: abs(point(at) - image))

    def copies(self, keys):
        conditions, actions = self.terms(keys["conditions"]), self.terms(keys["actions"])
        near = self.terms(keys.get("bystanders", ""), r"\[([^]]*)\]@(fcc|hcp)(?:\.\((-?\d+),(-?\d+),0\))?\|(\w+)")
        turns, seen = int(keys.get("orientations", 1)), set()
        for i in range(turns):
            rotations = {8: 4, 12: 6}.get(turns, turns)
            assert turns == rotations, "no reflections"
            copy = [[(what, self.turned(conditions[0][1], site, 2 * math.pi * i / rotations), *more) for what, site, *more in part] for part in (conditions, actions, near)]
            _, x, y = min(site for _, site in copy[0])
            form = tuple(tuple(sorted((what, (site[0], site[1] - x, site[2] - y), *more) for what, site, *more in part)) for part in copy)
            if form not in seen:
                seen.add(form)
                yield keys, copy

    def energy(self, state):
        """The sum over clusters."""
        total = 0.0
        for keys, (sites, _, _) in self.clusters:
            for x, y in itertools.product(range(N), repeat=2):
                total += float(keys["energy"]) * all(state[shift(site, x, y)] == what for what, site in sites)
        return total

    def rates(self, state):
        found, total = {}, self.energy(state)
        known = {"P": P, "y_G": FRACTION, "T": T, "beta": 1 / KT, "eV": 1.0, "exp": math.exp, "max": max}
        for keys, (conditions, actions, near) in self.processes:
            for x, y in itertools.product(range(N), repeat=2):
                if any(state[shift(site, x, y)] != what for what, site in conditions):
                    continue
                values = {**known, "base_rate": eval(keys["rate_constant"], {}, known)}
                rate = values["base_rate"]
                if "otf_rate" in keys:
                    values.update(dict.fromkeys(re.findall(r"nr_\w+", keys["otf_rate"]), 0))
                    for species, site, label in near:
                        held = state[shift(site, x, y)]
                        if f"'{held}'" in species:
                            values[f"nr_{held}_{label}"] += 1
                    for line in keys["otf_rate"].strip().split("\n"):
                        name, _, expression = line.partition("=")
                        values[name.strip()] = rate = eval(expression, {}, values)
                changed = {shift(site, x, y): what for what, site in actions}
                if "energy" in keys:
                    values["dE"] = self.energy({**state, **changed}) - total
                    rate *= math.exp(-eval(keys["energy"], {}, values) / KT)
                key = tuple(sorted((site, self.plain(what)) for site, what in changed.items() if what != state[site]))
                found[key] = found.get(key, (0,))[0] + rate, {**state, **changed}
        return found

    def plain(self, what):
        """The form of a name."""
        name = what.partition("_")[0]
        return {"empty": None, "covered": what}.get(what, name + "*" * {"C": 2, "D": 3}.get(name, 1))


class Rates(program.InEmptyFolder):
    def check(self, steps, clusters):
        write_files(self.folder, clusters)
        text, _ = convert_zacros(self.folder)
        rules, file = Rules(clusters), File(text)
        states = dict.fromkeys(cells()), dict.fromkeys(cells(), "empty")
        chance, kinds = random.Random(5), set()
        for step in range(steps):
            expected, found = rules.rates(states[0]), file.rates(states[1])
            self.assertEqual(sorted(found, key=str), sorted(expected, key=str), step)
            for key, (rate, _) in expected.items():
                self.assertAlmostEqual(found[key][0] / rate, 1.0, places=5, msg=f"{step} {key}")
                kinds.add(tuple(held for _, held in key))
            key = chance.choice(sorted(expected, key=str))
            states = expected[key][1], found[key][1]
        self.assertGreaterEqual(len(kinds), 6)
        return file

    @staticmethod
    def by_clusters(file):
        return any("energy" in keys for keys, _ in file.processes)

    def test_with_bystanders(self):
        with unittest.mock.patch("tessera_io.models.text.MANY", math.inf):
            self.assertFalse(self.by_clusters(self.check(30, CLUSTERS)))

    def test_with_clusters(self):
        self.assertTrue(self.by_clusters(self.check(12, {**CLUSTERS, "trio": TRIO})))

    def test_with_clusters_where_bystanders_have_many_numbers(self):
        self.assertTrue(self.by_clusters(self.check(8, CLUSTERS)))


if __name__ == "__main__":
    unittest.main()
