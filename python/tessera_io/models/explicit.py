# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Lattices `explicit` of Zacros, site by site, that are a periodic lattice: their unit cell and their size."""

import collections
import itertools
import math

from .lattice import Lattice, area_of, fractions, type_name
from .lines import Given, needed

CLOSE = 0.02  # distance of equal points, in units of the shortest distance of neighbours
VECTORS = 200  # the shortest ones between sites, among which those that map the lattice onto itself are sought


def read_explicit(begin, lines):
    """The periodic lattice of an explicit one, with the places of its sites in their order, `numbered`."""
    given, sites = Given(), []
    for line in lines.block("end_lattice", begin, last=True):
        given.add(line)
        if line.keyword == "lattice_structure":
            sites = list(_sites(lines))
        elif line.keyword not in ("n_sites", "max_coord", "n_site_types", "site_type_names"):
            line.refuse(f"'{line.words[0]}' is not known in a lattice explicit")
    count = needed(lines, given, "n_sites")
    needed(lines, given, "lattice_structure")
    if count.whole(count.argument(), 1) != len(sites):
        count.refuse(f"lattice_structure has {len(sites)} sites")
    names = given["site_type_names"].words[1:] if "site_type_names" in given else []
    types = [type_name(line.words[3], names) for line, _, _ in sites]
    for line, _, near in sites:
        if max(near, default=0) >= len(sites):
            line.refuse(f"there are {len(sites)} sites")
    return _Explicit(begin, sites, types, names).lattice()


def _sites(lines):
    """(line, point, neighbours) of each site."""
    for line in lines:
        if line.keyword == "end_lattice_structure":
            return
        number = len(line.words) - 5
        if number < 0 or line.whole(line.words[4]) != number:
            line.refuse("must be number, x, y, type and number of neighbours of a site, and the numbers of these neighbours")
        yield line, tuple(map(line.number_of, line.words[1:3])), [line.whole(word, 1) - 1 for word in line.words[5:]]


class _Explicit:
    def __init__(self, begin, sites, types, names):
        self.begin, self.lines, self.points, self.near = begin, *([site[i] for site in sites] for i in range(3))
        self.types, self.names = types, names
        edges = [math.dist(self.points[i], self.points[j]) for i, near in enumerate(self.near) for j in near]
        self.close = CLOSE * min((edge for edge in edges if edge > 0), default=1.0)
        self.grid = collections.defaultdict(list)
        for i, point in enumerate(self.points):
            self.grid[self._box(point)].append(i)

    def refuse(self, reason, line=None):
        (line or self.begin).refuse(f"lattice explicit: is not a periodic lattice: {reason}")

    def lattice(self):
        first, second = self._translations()
        self._find_classes(first, second)
        per_class = len(self.points) // len(self.corners)
        ways = [self._ways(i) for i in range(len(self.points))]
        found = {}  # of each class: {(other class, x, y) of a neighbour} where these are nearest
        for i in range(len(self.points)):
            length = sum(self._length(first, second, way) for way in ways[i])
            if self.place[i][0] not in found or length < found[self.place[i][0]][0]:
                found[self.place[i][0]] = length, set(ways[i])
        steps = collections.Counter()
        for i, near in enumerate(ways):
            usual = found[self.place[i][0]][1]
            if sorted(way[0] for way in near) != sorted(way[0] for way in usual):
                self.refuse(f"site {i + 1} has other neighbours than others of its type, as at an edge or a defect", self.lines[i])
            for way, other in itertools.product(set(near) - usual, usual - set(near)):
                if way[0] == other[0]:
                    steps[way[1] - other[1], way[2] - other[2]] += 1
        for (a, b), (c, d) in itertools.combinations([step for step, _ in steps.most_common(12)], 2):
            if abs(area_of((a, b), (c, d))) == per_class and self._repeats((a, b), (c, d), ways, {kind: usual for kind, (_, usual) in found.items()}):
                return self._periodic((a, b), (c, d), first, second, found)
        return self.refuse("no periodic images of its cells are neighbours of each other")

    def _box(self, point):
        return tuple(math.floor(x / (10 * self.close)) for x in point)

    def _at(self, point):
        """The site at a point, or None."""
        i, j = self._box(point)
        for box in itertools.product((i - 1, i, i + 1), (j - 1, j, j + 1)):
            for site in self.grid.get(box, ()):
                if math.dist(self.points[site], point) < self.close:
                    return site
        return None

    def _translations(self):
        """The two shortest vectors that bring at least half of the sites onto sites of their types, and none onto another type."""
        middle = [sum(x) / len(self.points) for x in zip(*self.points)]
        centre = min(range(len(self.points)), key=lambda i: math.dist(self.points[i], middle))
        x, y = self.points[centre]
        vectors = sorted(((u - x, v - y) for u, v in self.points), key=lambda vector: (round(math.hypot(*vector) / self.close), -vector[0], -vector[1]))
        found = []
        for u, v in vectors[1:VECTORS]:
            if found and abs(area_of(found[0], (u, v))) < self.close * math.hypot(u, v):
                continue
            images = [(i, self._at((x + u, y + v))) for i, (x, y) in enumerate(self.points)]
            types = [self.types[i] == self.types[image] for i, image in images if image is not None]
            if all(types) and 2 * len(types) >= len(images):
                found.append((u, v))
            if len(found) == 2:  # the second one counterclockwise from the first
                return found if area_of(*found) > 0 else [found[0], (-u, -v)]
        return self.refuse("no shift brings half of its sites onto sites of the same type, in two directions")

    def _find_classes(self, first, second):
        """place: (class, x, y) of each site; corners: the first site of each class."""
        self.place, self.corners = [], []
        for x, y in self.points:
            for number, corner in enumerate(self.corners):
                u, v = fractions((x - self.points[corner][0], y - self.points[corner][1]), (first, second))
                m, n = round(u), round(v)
                if self._length(first, second, (number, u - m, v - n)) < self.close:
                    self.place.append((number, m, n))
                    break
            else:
                self.corners.append(len(self.place))
                self.place.append((len(self.corners) - 1, 0, 0))
        counts = collections.Counter(number for number, _, _ in self.place)
        for i, (number, _, _) in enumerate(self.place):
            if self.types[i] != self.types[self.corners[number]] or counts[number] != counts[0]:
                self.refuse(f"site {i + 1} has not as many equal sites as others", self.lines[i])

    def _ways(self, i):
        """(class, x, y) of each neighbour of a site, relative to it."""
        _, x, y = self.place[i]
        return [(number, u - x, v - y) for number, u, v in (self.place[j] for j in self.near[i])]

    def _length(self, first, second, way):
        return math.hypot(*(way[1] * a + way[2] * b for a, b in zip(first, second)))

    def _repeats(self, first, second, ways, usual):
        """Whether all sites have the usual neighbours, and different places, if the lattice repeats itself after two steps."""
        residue = _residues(first, second)
        if len({(number, *residue(x, y)) for number, x, y in self.place}) < len(self.place):
            return False
        expected = {kind: sorted((number, *residue(x, y)) for number, x, y in near) for kind, near in usual.items()}
        return all(sorted((number, *residue(x, y)) for number, x, y in near) == expected[self.place[i][0]] for i, near in enumerate(ways))

    def _periodic(self, repeat, other, first, second, found):
        """The lattice in a unit cell of which whole numbers along both sides are the period."""
        cells, residue = len(self.points) // len(self.corners), _residues(repeat, other)
        small = sorted(itertools.product(range(-3, 4), repeat=2), key=lambda step: (step[0] ** 2 + step[1] ** 2, -step[0], -step[1]))
        order = {step: next(i for i in range(1, cells + 1) if residue(i * step[0], i * step[1]) == (0, 0)) for step in small[1:]}
        for a, b in itertools.product(order, order):
            if area_of(a, b) == 1 and order[a] * order[b] == cells:
                break
        else:
            self.refuse("its period is not along the sides of a small unit cell")

        def inside(x, y):
            """The step x first + y second in units of a and b."""
            return area_of((x, y), b), area_of(a, (x, y))

        sides = tuple(tuple(step[0] * u + step[1] * v for u, v in zip(first, second)) for step in (a, b))
        origin = self.points[self.corners[0]]
        positions = [fractions((x - origin[0], y - origin[1]), sides) for x, y in (self.points[corner] for corner in self.corners)]
        shifts = [tuple(map(math.floor, (u + 1e-6, v + 1e-6))) for u, v in positions]
        pairs = []
        for kind, (_, near) in found.items():
            for number, x, y in near:
                u, v = inside(x, y)
                pairs.append((kind, number, u + shifts[number][0] - shifts[kind][0], v + shifts[number][1] - shifts[kind][1]))
        positions = [(abs(u - m), abs(v - n)) for (u, v), (m, n) in zip(positions, shifts)]
        lattice = Lattice(sides, positions, [self.types[corner] for corner in self.corners], self.names, pairs, (order[a], order[b]))
        lattice.numbered = []
        for number, x, y in self.place:
            u, v = inside(x, y)
            lattice.numbered.append((number, (u + shifts[number][0]) % order[a], (v + shifts[number][1]) % order[b]))
        return lattice


def _residues(first, second):
    """A function of x, y that is equal for steps that differ by whole numbers of two steps."""
    (a, b), (c, d) = first, second

    def residue(x, y):
        m, n = (area_of(*pair) // area_of(first, second) for pair in (((x, y), second), (first, (x, y))))
        return x - m * a - n * c, y - m * b - n * d

    return residue
