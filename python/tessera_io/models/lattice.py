# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Lattices of Zacros: sites of a unit cell, their types and neighbours, and the places of a pattern."""

import math

from .lines import Given, Lines, ModelError, needed

CELLS = {"self": (0, 0), "north": (0, 1), "northeast": (1, 1), "east": (1, 0), "southeast": (1, -1)}

# Default lattices in their primitive cells: sides and positions in units of the distance of neighbours, pairs of
# neighbours with the offset of the second one's cell, and primitive cells in a cell of Zacros.
THIRD, HEIGHT = 1 / 3, math.sqrt(0.75)
DEFAULT = {
    "rectangular_periodic": (((1, 0), (0, 1)), [(0, 0)], [(0, 0, 1, 0), (0, 0, 0, 1)], (1, 1)),
    "hexagonal_periodic": (((HEIGHT, 0.5), (0, 1)), [(0, 0)], [(0, 0, 1, 0), (0, 0, 0, 1), (0, 0, 1, -1)], (2, 1)),
    "triangular_periodic": (
        ((2 * HEIGHT, 0), (HEIGHT, 1.5)),
        [(THIRD, THIRD), (2 * THIRD, 2 * THIRD)],
        [(0, 1, 0, 0), (0, 1, -1, 0), (0, 1, 0, -1)],
        (1, 2),
    ),
}
TOLERANCE = 1.0  # of angles in degrees
MOST_SITES = 1000  # of a unit cell in a model file


class Lattice:
    """sides       the two sides of the unit cell, (x, y) each
    positions   of its sites, in units of the sides
    types       names of the types of the sites
    type_names  in the order of their numbers
    neighbours  [(site, dx, dy)] for each site
    size        numbers of unit cells
    numbered    (site, x, y) in the order of Zacros' numbers; None: those of a cell one after the other, of cells in y first
    """

    def __init__(self, sides, positions, types, type_names, pairs, size):
        self.sides, self.positions, self.types, self.type_names, self.size = sides, positions, types, type_names, size
        found = [{} for _ in types]
        for first, second, dx, dy in pairs:
            found[first][second, dx, dy] = True
            found[second][first, -dx, -dy] = True
        self.neighbours = [list(sites) for sites in found]
        self.numbered = None

    def numbered_site(self, number):
        """The site (number, x, y) with this number of Zacros, counted from 0; None if there are fewer."""
        if self.numbered is not None:
            return self.numbered[number] if number < len(self.numbered) else None
        cell, site = divmod(number, len(self.types))
        return None if number >= self.size[0] * self.size[1] * len(self.types) else (site, *divmod(cell, self.size[1]))

    def point(self, site):
        """(x, y) of a site (number, dx, dy)."""
        number, dx, dy = site
        u, v = self.positions[number][0] + dx, self.positions[number][1] + dy
        return tuple(u * self.sides[0][i] + v * self.sides[1][i] for i in range(2))

    def site_at(self, point):
        """The site at a point, or None."""
        u, v = fractions(point, self.sides)
        for number, (x, y) in enumerate(self.positions):
            site = number, round(u - x), round(v - y)
            if math.dist(self.point(site), point) < 0.01 * math.sqrt(abs(area_of(*self.sides))):
                return site
        return None

    def has_symmetry(self, angle, mirrored):
        """Whether the sides, mirrored in x or not, then turned, are sides of cells to 0.05 %, or multiples of a simple fraction of
        them, or nothing of that kind: what `orientations` of a model file require."""
        images = []
        for x, y in self.sides:
            x = -x if mirrored else x
            turned = math.cos(angle) * x - math.sin(angle) * y, math.sin(angle) * x + math.cos(angle) * y
            images += fractions(turned, self.sides)
        for parts in range(1, min(len(self.types), 8) + 1):
            error = max(abs(one - round(one * parts) / parts) / max(1, abs(one)) for one in images)
            if error < 0.01:
                return error < 5e-4
        return True

    def primitive(self):
        """The same lattice with a unit cell of as few sites as possible."""
        (ax, ay), (bx, by) = self.sides
        area = abs(area_of(*self.sides))
        shifts = list(self._shifts())
        if len(shifts) == 1:
            return self
        grid = [(i * ax + j * bx, i * ay + j * by) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        vectors = [(x + u, y + v) for x, y in shifts for u, v in grid]
        vectors = sorted({(round(x, 9), round(y, 9)) for x, y in vectors}, key=lambda v: (round(math.hypot(*v), 6), -v[0], -v[1]))
        sides = next(
            (first, second)
            for second in vectors
            for first in vectors[: vectors.index(second)]
            if abs(area_of(first, second) - area / len(shifts)) < 1e-4 * area / len(shifts)
        )
        cell = Lattice(sides, [], [], self.type_names, [], (self.size[0], self.size[1] * len(shifts)))
        sites = []
        for number in range(len(self.types)):
            if cell.site_at(self.point((number, 0, 0))) is None:
                sites.append(number)
                cell.types.append(self.types[number])
                cell.positions.append(tuple(u - math.floor(u + 1e-6) for u in fractions(self.point((number, 0, 0)), sides)))
        for number in sites:
            _, x, y = cell.site_at(self.point((number, 0, 0)))
            near = [cell.site_at(self.point(site)) for site in self.neighbours[number]]
            cell.neighbours.append([(other, dx - x, dy - y) for other, dx, dy in near])
        return cell

    def _shifts(self):
        """Vectors (x, y) that bring the first site of the cell to those of its type, and the lattice onto itself."""
        x, y = self.point((0, 0, 0))
        for number, name in enumerate(self.types):
            u, v = self.point((number, 0, 0))
            if name == self.types[0] and self._repeats((u - x, v - y)):
                yield u - x, v - y

    def _repeats(self, shift):
        """Whether the lattice shifted by a vector is the same."""

        def image(site):
            x, y = self.point(site)
            return self.site_at((x + shift[0], y + shift[1]))

        for number, neighbours in enumerate(self.neighbours):
            there = image((number, 0, 0))
            if there is None or self.types[there[0]] != self.types[number]:
                return False
            if {image(site) for site in neighbours} != set(self._beside(there)):
                return False
        return True

    def direction(self, start, end):
        """Angle in degrees of the vector from a site to another with the x axis."""
        (x, y), (u, v) = self.point(start), self.point(end)
        return math.degrees(math.atan2(v - y, u - x))

    def places(self, pattern, variant):
        """Yields the sites of the pattern, [(number, dx, dy)], wherever the first one is in the cell (0, 0)."""
        edges = [[] for _ in range(pattern.sites)]
        for first, second in pattern.edges:
            edges[first].append(second)
            edges[second].append(first)
        order, seen = [0], {0}
        for site in order:
            for other in edges[site]:
                if other not in seen:
                    seen.add(other)
                    order.append(other)
        if len(order) < pattern.sites:
            pattern.line.refuse(f"{pattern.name}: its sites are not connected by `neighboring`; such patterns are not converted")
        for number in range(len(self.types)):
            if self._fits(variant, 0, number):
                yield from self._extended(pattern, variant, order, edges, {0: (number, 0, 0)})

    def _extended(self, pattern, variant, order, edges, found):
        if len(found) == len(order):
            sites = [found[i] for i in range(pattern.sites)]
            if self._has_angles(variant, sites):
                yield sites
            return
        site = order[len(found)]
        near = [self._beside(found[other]) for other in edges[site] if other in found]
        for there in near[0]:
            if there in found.values() or not all(there in others for others in near[1:]):
                continue
            if self._fits(variant, site, there[0]):
                yield from self._extended(pattern, variant, order, edges, {**found, site: there})

    def _fits(self, variant, site, number):
        return variant.types is None or variant.types[site] == self.types[number]

    def _beside(self, site):
        return [(number, site[1] + dx, site[2] + dy) for number, dx, dy in self.neighbours[site[0]]]

    def _has_angles(self, variant, sites):
        for first, second, angle in variant.orientations:
            if not _equal(self.direction(sites[first], sites[second]), angle):
                return False
        angles = [(self.direction(sites[j], sites[k]) - self.direction(sites[j], sites[i]), angle) for i, j, k, angle in variant.angles]
        signs = (1, -1) if variant.mirrored else (1,)
        return any(all(_equal(sign * found, angle) for found, angle in angles) for sign in signs)


def area_of(first, second):
    """The area between two vectors, positive if the second one is counterclockwise from the first."""
    return first[0] * second[1] - first[1] * second[0]


def fractions(point, sides):
    """A point in units of the sides."""
    return area_of(point, sides[1]) / area_of(*sides), area_of(sides[0], point) / area_of(*sides)


def _equal(first, second):
    return abs((first - second + 180) % 360 - 180) < TOLERANCE


def read_lattice(folder, primitive=True):
    """The lattice of lattice_input.dat: in a primitive cell, or in that of Zacros, whose sites have the numbers in this order."""
    lines = Lines(folder, "lattice_input.dat")
    for line in lines:
        if line.keyword != "lattice":
            line.refuse("must begin with `lattice`")
        kind = line.argument().lower()
        if kind == "default_choice":
            lattice = _default(lines.take("a lattice"), primitive)
            last = lines.take("`end_lattice`")
            if last.keyword != "end_lattice":
                last.refuse(f"'{last.words[0]}' is not known in a default_choice; must be end_lattice")
            lines.end(last)
            return lattice
        if kind == "periodic_cell":
            lattice = _periodic(lines)
            return lattice.primitive() if primitive else lattice
        if kind == "explicit":
            from .explicit import read_explicit

            lattice = read_explicit(line, lines)
            return lattice.primitive() if primitive else lattice
        line.refuse(f"lattice {kind}: must be default_choice, periodic_cell or explicit")
    raise ModelError(f"{lines.path}: has no lattice")


def _default(line, primitive):
    if line.keyword not in DEFAULT:
        line.refuse(f"'{line.words[0]}' is not a default lattice; those are {', '.join(DEFAULT)}")
    sides, positions, pairs, factor = DEFAULT[line.keyword]
    if not primitive and factor != (1, 1):
        if line.keyword != "hexagonal_periodic":
            line.refuse(f"{line.words[0]}: seed_on_sites is not converted on this lattice")
        sides, positions, factor = ((2 * HEIGHT, 0), (0, 1)), [(0, 0), (0.5, 0.5)], (1, 1)
        pairs = [(0, 0, 0, 1), (1, 1, 0, 1), (0, 1, 0, 0), (0, 1, -1, 0), (0, 1, 0, -1), (0, 1, -1, -1)]
    constant = line.numbers(3, above=0)[0]
    sides = tuple(tuple(constant * x for x in side) for side in sides)
    size = tuple(line.whole(word, 1) * f for word, f in zip(line.words[2:], factor))
    return Lattice(sides, positions, ["StTp1"] * len(positions), ["StTp1"], pairs, size)


def _periodic(lines):
    given = Given()
    for line in lines.block("end_lattice", last=True):
        given.add(line)
        if line.keyword == "cell_vectors":
            given["sides"] = tuple(_pair(lines.take("a cell vector")) for _ in range(2))
        elif line.keyword == "site_coordinates":
            count = needed(lines, given, "n_cell_sites")
            given["positions"] = [_pair(lines.take("coordinates of a site")) for _ in range(count.whole(count.argument(), 1))]
        elif line.keyword == "neighboring_structure":
            if line.words[1:]:
                line.refuse("must be followed by lines such as `1-2 self`")
            given["pairs"] = list(_pairs(lines))
        elif line.keyword not in ("repeat_cell", "n_cell_sites", "n_site_types", "site_type_names", "site_types"):
            line.refuse(f"'{line.words[0]}' is not known in a periodic_cell")
    positions = needed(lines, given, "positions", "site_coordinates")
    if len(positions) > MOST_SITES:
        given["n_cell_sites"].refuse(f"a unit cell of a model file has at most {MOST_SITES} sites")
    names = given["site_type_names"].words[1:] if "site_type_names" in given else []
    types = given["site_types"].words[1:] if "site_types" in given else ["1"] * len(positions)
    if len(types) != len(positions):
        given["site_types"].refuse(f"must be those of {len(positions)} sites")
    repeat = needed(lines, given, "repeat_cell")
    repeat.numbers(2)
    size = tuple(repeat.whole(word, 1) for word in repeat.words[1:])
    pairs = needed(lines, given, "pairs", "neighboring_structure")
    for first, second, _, _, line in pairs:
        if max(first, second) >= len(positions):
            line.refuse(f"a cell has {len(positions)} sites")
    types = [type_name(word, names) for word in types]
    sides = needed(lines, given, "sides", "cell_vectors")
    if abs(area_of(*sides)) < 1e-9:
        given["cell_vectors"].refuse("the cell has no area")
    return Lattice(sides, positions, types, names, [pair[:4] for pair in pairs], size)


def type_name(word, names):
    """The name of a type of sites that may be given by its number."""
    if word in names or not word.isdigit():
        return word
    number = int(word)
    return names[number - 1] if 1 <= number <= len(names) else f"StTp{number}"


def _pair(line):
    if len(line.words) != 2:
        line.refuse("must be two numbers")
    return tuple(line.number_of(word) for word in line.words)


def _pairs(lines):
    for line in lines:
        if line.keyword == "end_neighboring_structure":
            return
        first, _, second = line.words[0].partition("-")
        cell = line.words[1].lower() if len(line.words) > 1 else ""
        if cell not in CELLS:
            line.refuse(f"must be a pair of sites and one of {', '.join(CELLS)}")
        yield (line.whole(first, 1) - 1, line.whole(second, 1) - 1, *CELLS[cell], line)
