# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Energies of states by clusters, and what they change in a process."""

import collections

# States of a site: (species, dentate, number of the place of its molecule). A molecule's first dentate has the place, which says
# where the others are: these sites have one state in common.
VACANT, COVERED = ("*", 1, 0), ("", 2, 0)


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
        self.with_state = collections.defaultdict(dict)  # (the sites of a cluster, x, y of one of them), by its number and state

    def add(self, name, states, energy):
        """Adds the energy of a cluster; states: {site: state}."""
        sites = at_origin(list(states.items()))
        self.energies[sites] += energy
        self.names.setdefault(sites, name)
        for (number, x, y), state in sites:
            self.with_state[number, state][sites, x, y] = True

    def change(self, before, after):
        """The change of the energy if sites {site: state} change: that with all other sites empty, and additions
        {((site, state), ...): eV}, each for all these sites in these states."""
        changed = [site for site in before if before[site] != after[site]]
        outside = collections.defaultdict(float)
        inside = 0.0
        touching = {
            (sites, site[1] - a, site[2] - b)
            for site in changed
            for state in (before[site], after[site])
            for sites, a, b in self.with_state.get((site[0], state), ())
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
