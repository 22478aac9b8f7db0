# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Energies of states by clusters, and what they change in a process."""

import collections

VACANT = ("*", 1, 0)  # the state of an empty site
# States of other sites are (species, dentate, number of the place of its molecule).


def shifted(site, dx, dy):
    return site[0], site[1] + dx, site[2] + dy


def at_origin(items):
    """The same tuple for all that differ by a translation; items: (site, ...)."""
    return min(tuple(sorted((shifted(item[0], -x, -y), *item[1:]) for item in items)) for (_, x, y), *_ in items)


class Clusters:
    """Energies of clusters, {sites and their states: eV}, each sites as at_origin() gives them; the names of their clusters."""

    def __init__(self):
        self.energies = collections.defaultdict(float)
        self.names = {}
        self.with_site = collections.defaultdict(dict)  # the sites of clusters that have a site, by its number

    def add(self, name, states, energy):
        """Adds the energy of a cluster; states: {site: state}."""
        sites = at_origin(list(states.items()))
        self.energies[sites] += energy
        self.names.setdefault(sites, name)
        for (number, _, _), _ in sites:
            self.with_site[number][sites] = True

    def change(self, before, after):
        """The change of the energy if sites {site: state} change: that with all other sites empty, and additions
        {((site, state), ...): eV}, each for all these sites in these states."""
        changed = [site for site in before if before[site] != after[site]]
        outside = collections.defaultdict(float)
        inside = 0.0
        touching = {
            (sites, x - a, y - b)
            for number, x, y in changed
            for sites in self.with_site[number]
            for (other, a, b), _ in sites
            if other == number
        }
        for sites, dx, dy in sorted(touching):
            moved = [(shifted(site, dx, dy), state) for site, state in sites]
            sign = _holds(moved, after) - _holds(moved, before)
            if sign == 0:
                continue
            energy = sign * self.energies[sites]
            others = tuple(sorted(item for item in moved if item[0] not in before))
            inside += energy * all(state == VACANT for _, state in others)
            if others:
                outside[others] += energy
        return inside, {others: energy for others, energy in outside.items() if abs(energy) > 1e-12}


def _holds(cluster, states):
    """Whether those sites of a cluster that are among the given ones hold its states."""
    return all(states.get(site, state) == state for site, state in cluster)
