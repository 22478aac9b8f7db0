# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""python3 -m tessera_io.models: models of Zacros are what they are there."""

import itertools
import math
import os
import re
import unittest

import numpy as np
import program
import tessera_io
from tessera_io.models import ModelError, convert_zacros
from tessera_io.models.energies import VACANT, Clusters
from tessera_io.models.lattice import Lattice, read_lattice

SETTINGS = """
temperature 500.0
pressure 1.0
n_gas_species 2
gas_specs_names A B
gas_energies 0.0 -1.5
gas_molec_weights 28.0 44.0
gas_molar_fracs 0.5 0.0
n_surf_species 1
surf_specs_names A*
surf_specs_dent 1
snapshots on time 1.0
max_time 10.0
finish
"""
SQUARE = "lattice default_choice\n rectangular_periodic 1.0 4 4\nend_lattice\n"
POINT = "cluster A_point\n sites 1\n lattice_state\n 1 A* 1\n site_types 1\n graph_multiplicity 1\n cluster_eng {}\nend_cluster\n"
PAIR = """cluster A_pair
  sites 2
  neighboring 1-2
  lattice_state
    1 A* 1
    2 A* 1
  site_types 1 1
  graph_multiplicity 2
  cluster_eng {}
end_cluster
"""
ADSORPTION = """reversible_step A_adsorption
  gas_reacs_prods A -1
  sites 1
  initial # entity, species, dentate
    1 * 1
  final
    1 A* 1
  {}
end_reversible_step
"""
RATE = "site_types 1\n pre_expon 4.0\n pe_ratio 2.0\n activ_eng 0.1\n prox_factor 0.3"
KT = 8.6173324e-5 * 500
CALL = "import os, sys; os.execv(os.environ['TESSERA_PROGRAM'], ['tessera', *sys.argv[1:]])"


def cell_of(sides, repeat, types, coordinates, pairs, names):
    """The text of a lattice periodic_cell: of sides, coordinates and pairs of neighbours a line each."""
    return "\n".join(
        [
            "lattice periodic_cell\n cell_vectors", *sides, f"repeat_cell {repeat}\n n_site_types {len(names.split())}\n site_type_names {names}",
            f"n_cell_sites {len(coordinates)}\n site_types {types}\n site_coordinates", *coordinates, "neighboring_structure", *pairs,
            "end_neighboring_structure\nend_lattice\n",
        ]
    )  # fmt: skip


def step_of(name, initial, final, rate, gases=""):
    """The text of an irreversible step of molecules on sites side by side, "A* *"; `rate`: lines of its variants, or of the only one."""
    states = ["\n".join(f" {i} {species} 1" for i, species in enumerate(block.split(), 1)) for block in (initial, final)]
    sites = len(initial.split())
    lines = [f"step {name}", *[f" gas_reacs_prods {gases}"] * bool(gases), f" sites {sites}", *[" neighboring 1-2"] * (sites > 1)]
    return "\n".join([*lines, " initial", states[0], " final", states[1], rate, "end_step\n"])


def near(sites):
    """Pairs of nearest neighbours of sites x, y on a square lattice of 4 x 4."""
    return [(4 * y + x, other) for y in range(4) for x in range(4) for other in (4 * y + (x + 1) % 4, 4 * ((y + 1) % 4) + x)]


class Models(program.InFolder):
    def folder_of(self, lattice=SQUARE, energetics=POINT.format(-1.0), mechanism=ADSORPTION.format(RATE), settings=SETTINGS):
        """The folder of Zacros' four files, with what they have between their first and last lines."""
        folder = self.path("zacros")
        os.makedirs(folder, exist_ok=True)
        for name, text in (
            ("simulation_input.dat", settings),
            ("lattice_input.dat", lattice),
            ("energetics_input.dat", f"energetics\n{energetics}\nend_energetics\n"),
            ("mechanism_input.dat", f"mechanism\n{mechanism}\nend_mechanism\n"),
        ):
            program.write(os.path.join(folder, name), text)
        return folder

    def sections(self, **files):
        """{section: {key: value}} of the model file."""
        text, notes = convert_zacros(self.folder_of(**files))
        self.assertEqual(notes, [])
        sections = {}
        for part in re.split(r"^\[", re.sub("^#.*\n", "", text, flags=re.MULTILINE), flags=re.MULTILINE)[1:]:
            name, _, lines = part.partition("]")
            entries = re.findall(r"^(\S[^=]*?) =(.*(?:\n +.*)*)", lines, re.MULTILINE)
            sections[name] = {key: value.strip() for key, value in entries}
        return sections

    def run_model(self, options, **files):
        """The opened output of a run of the model file, which the command writes."""
        out, _ = program.python(["-m", "tessera_io.models", self.folder_of(**files), "--output", "model.ini", "--overwrite"], self.folder)
        self.assertEqual(out, "model.ini\n")
        words = f"kmc --processes model.ini {options} --overwrite --quiet --output model.h5"
        program.run(words.split(), self.folder)
        return tessera_io.open(self.path("model.h5"))

    def refused(self, message, **files):
        with self.assertRaisesRegex(ModelError, message) as caught:
            convert_zacros(self.folder_of(**files))
        self.assertNotIn("\n", str(caught.exception))


class Zacros(Models):
    def test_oxidation_of_ziff_gulari_and_barshad(self):
        """Ten times faster than zgb.ini at y = 0.5, whose turnover and coverages are in docs/processes.md."""
        settings = SETTINGS.replace("A B", "CO O2").replace("0.5 0.0", "0.5 0.5").replace("0.0 -1.5", "0.0 0.0")
        settings = settings.replace("n_surf_species 1", "n_surf_species 2").replace("A*", "CO* O*").replace("surf_specs_dent 1", "surf_specs_dent 1 1")
        rate = "site_types {}\n pre_expon {}\n activ_eng 0.0".format
        steps = step_of("CO_adsorption", "*", "CO*", rate(1, 10.0), "CO -1") + step_of("O2_adsorption", "* *", "O* O*", rate("1 1", 2.5), "O2 -1")
        steps += step_of("reaction", "CO* O*", "* *", rate("1 1", "1.0d6"))
        files = {"mechanism": steps, "energetics": "", "settings": settings}
        sections = self.sections(**files)
        self.assertEqual(sections["Process O2_adsorption"]["rate_constant"], "2*2.5*P*y_O2")  # both orders of its sites
        with self.run_model("--size 64 --replicas 16 --until-time 8 --measure-every 0.2 --average-from 3", **files) as run:
            for name, value, tolerance in (("coverage_O", 0.5694, 0.01), ("coverage_CO", 0.0205, 0.002), ("events_reaction_rate", 2.05, 0.04)):
                self.assertAlmostEqual(run.averages[name].mean, value, delta=tolerance, msg=name)

    def test_interactions_have_the_grand_canonical_average(self):
        """Coverage and energy barriers of a lattice gas with pairs of 0.05 eV, by enumeration of 4 x 4 sites."""
        energy, pair = -0.02, 0.05
        weights = [0.0] * 17
        for state in itertools.product((0, 1), repeat=16):
            count, pairs = sum(state), sum(state[a] * state[b] for a, b in near(range(16)))
            weights[count] += math.exp(-(count * energy + pairs * pair) / KT) * (2.0 * 0.5) ** count
        exact = sum(count * weight for count, weight in enumerate(weights)) / sum(weights) / 16
        files = {"energetics": POINT.format(energy) + PAIR.format(pair)}
        with self.run_model("--size 4 --replicas 2000 --until-time 20 --measure-every 20", **files) as run:
            coverage = run.observables["coverage_A"]
            self.assertAlmostEqual(coverage.mean[-1], exact, delta=6 * coverage.error[-1])

    def test_trios_have_the_grand_canonical_average(self):
        """Coverage and energy of trios in corners, of 0.06 eV, by enumeration of 4 x 4 sites."""
        energy, pair, trio = -0.02, 0.05, 0.06
        bonds, total = near(range(16)), {}
        beside = {site: ([site - site % 4 + (site + step) % 4 for step in (1, 3)], [(site + step) % 16 for step in (4, 12)]) for site in range(16)}
        for state in itertools.product((0, 1), repeat=16):
            count, pairs = sum(state), sum(state[a] * state[b] for a, b in bonds)
            trios = sum(held * sum(state[i] for i in beside[site][0]) * sum(state[i] for i in beside[site][1]) for site, held in enumerate(state))
            key = count, round(count * energy + pairs * pair + trios * trio, 9)
            total[key] = total.get(key, 0) + 1
        weights = {key: number * math.exp(-key[1] / KT) * (2.0 * 0.5) ** key[0] for key, number in total.items()}
        exact = [sum(key[i] * weight for key, weight in weights.items()) / sum(weights.values()) / 16 for i in (0, 1)]
        corner = PAIR.format(trio).replace("A_pair", "trio").replace("sites 2", "sites 3").replace("1-2", "1-2 2-3").replace("2 A* 1", "2 A* 1\n 3 A* 1").replace("types 1 1", "types 1 1 1")
        files = {"energetics": POINT.format(energy) + PAIR.format(pair) + corner.replace("cluster_eng", "angles 1-2-3:90.0\n  cluster_eng")}
        with self.run_model("--size 4 --replicas 2000 --until-time 20 --measure-every 20", **files) as run:
            for name, value in zip(("coverage_A", "energy"), exact):
                found = run.observables[name]
                self.assertAlmostEqual(found.mean[-1], value, delta=6 * found.error[-1], msg=name)

    def test_barriers_are_those_of_the_proximity_factor(self):
        sections = self.sections(energetics=POINT.format(-0.02) + PAIR.format(0.05))
        there, back = (sections[f"Process A_adsorption{name}"] for name in ("", "_reverse"))
        self.assertEqual(there["rate_constant"], "4*P*y_A")
        self.assertEqual(there["bystanders"].count("['A']@StTp1"), 4)
        self.assertIn("dE = -0.02 + 0.05*nr_A_n1\n", there["otf_rate"])
        self.assertIn("energy = max(0, dE, 0.1 + 0.3*(dE + 0.02))\n", there["otf_rate"])
        self.assertEqual(back["rate_constant"], "4/2")
        self.assertIn("dE = 0.02 - 0.05*nr_A_n1\n", back["otf_rate"])
        self.assertIn("energy = max(0, dE, 0.12 + 0.7*(dE - 0.02))\n", back["otf_rate"])
        self.assertEqual((there["tof_count"], back["tof_count"]), ("{'A': -1}", "{'A': 1}"))

    def test_barriers_are_at_least_the_energy_of_the_reaction(self):
        sections = self.sections(energetics=POINT.format(0.4))
        self.assertEqual(sections["Process A_adsorption"]["rate_constant"], "4*P*y_A*exp(-0.4*eV*beta)")
        self.assertEqual(sections["Process A_adsorption_reverse"]["rate_constant"], "4/2")

    def test_irreversible_steps_have_the_barrier_that_is_given(self):
        """Also if it is less than the energy of the reaction, or negative."""
        step = ADSORPTION.replace("reversible_step", "step").format(RATE.replace("pe_ratio 2.0", "").replace("activ_eng 0.1", "activ_eng {}"))
        for barrier, factor in ((0.1, "*exp(-0.1*eV*beta)"), (0.0, ""), (-0.2, "*exp(0.2*eV*beta)")):
            sections = self.sections(energetics=POINT.format(0.4), mechanism=step.format(barrier))
            self.assertEqual(sections["Process A_adsorption"]["rate_constant"], "4*P*y_A" + factor)
        with_pairs = self.sections(energetics=POINT.format(0.4) + PAIR.format(0.05), mechanism=step.format(0.1).replace("prox_factor 0.3", "prox_factor 0"))
        self.assertEqual(with_pairs["Process A_adsorption"]["rate_constant"], "4*P*y_A*exp(-0.1*eV*beta)")
        self.assertNotIn("bystanders", with_pairs["Process A_adsorption"])

    def test_interactions_of_the_reactants_are_part_of_the_barrier(self):
        """The barrier of a step is that with its reactants side by side."""
        step = step_of("pairs", "A* A*", "* *", "pre_expon 1e13\n activ_eng 0.9", "B 1")
        sections = self.sections(mechanism=step, energetics=POINT.format(-0.5) + PAIR.format(0.2))
        rate = sections["Process pairs"]["otf_rate"]
        self.assertIn("dE = -0.7 - 0.2*nr_A_n1\n", rate)  # -1.5 + 2*0.5 - 0.2
        self.assertIn("energy = 0.9 + 0.5*(dE + 0.7)\n", rate)
        self.assertEqual(sections["Process pairs"]["bystanders"].count("@"), 6)
        self.assertEqual(sections["Process pairs"]["orientations"], "4")
        self.assertEqual(sections["Process pairs"]["rate_constant"], "2*1e+13")

    def test_default_lattices_have_their_neighbours(self):
        pair = ADSORPTION.replace("sites 1", "sites 2\n neighboring 1-2").replace("1 * 1", "1 * 1\n 2 * 1").replace("1 A* 1", "1 A* 1\n 2 A* 1")
        for name, size, turns, sites in (("rectangular", "4,4", "4", 1), ("hexagonal", "8,4", "3", 1), ("triangular", "4,8", "3", 2)):
            lattice = SQUARE.replace("rectangular", name)
            text, _ = convert_zacros(self.folder_of(lattice=lattice, energetics="", mechanism=pair.format(RATE.replace("site_types 1", ""))))
            self.assertIn(f"--size {size} ", text)
            self.assertEqual(text.count("orientations = " + turns), 2, name)
            self.assertEqual(len(re.findall("^site ", text, re.MULTILINE)), sites)
            self.assertEqual(text.count("[Process"), 2)

    def test_neighbours_of_the_hexagonal_lattice_have_the_directions_of_zacros(self):
        for angle, count in ((90, 1), (30, 1), (150, 1), (0, 0)):
            pair = PAIR.format(0.1).replace("graph_multiplicity 2", f"graph_multiplicity 1\n absl_orientation 1-2:{angle}.0")
            sections = self.sections(lattice=SQUARE.replace("rectangular", "hexagonal"), energetics=pair)
            self.assertEqual(str(sections["Process A_adsorption"]).count("['A']@"), 2 * count, angle)

    def test_cells_with_types_of_sites(self):
        pairs = "1-2 self", "1-2 east", "1-1 north", "2-1 southeast"
        lattice = cell_of(("3.0 0.0", "0.0 2.0"), "5 7", "bridge top", ("0.5 0.0", "0.0 0.0"), pairs, "top bridge")
        variant = "variant {}\n site_types {}\n pre_expon {}\n pe_ratio 1.0\n activ_eng 0.5\n end_variant\n".format
        hop = step_of("hop", "A* *", "* A*", variant("tb", "1 2", 3.0) + variant("bb", "bridge bridge", 5.0))
        hop = hop.replace("end_step", "end_reversible_step").replace("step hop", "reversible_step hop")
        sections = self.sections(lattice=lattice, mechanism=hop, energetics="")
        self.assertEqual((sections["Layer surface"]["site bridge"], sections["Layer surface"]["site top"]), ("(0.5, 0, 0)", "(0, 0, 0)"))
        self.assertEqual(sections["Lattice"]["cell_size"], "3 0 0 0 2 0 0 0 1")
        ends = {name: entries["conditions"] for name, entries in sections.items() if re.fullmatch(r"Process hop_\w\w(_top_bridge(_\d)?)?", name)}
        self.assertEqual(
            ends,
            {
                "Process hop_tb_top_bridge": "A@top + empty@bridge",
                "Process hop_tb_top_bridge_2": "A@top + empty@bridge.(1,-1,0)",
                "Process hop_bb": "A@bridge + empty@bridge.(0,1,0)",
            },
        )
        self.assertEqual(sections["Process hop_tb_top_bridge"]["orientations"], "2")
        self.assertEqual(sections["Process hop_tb_top_bridge"]["step"], "hop_tb")

    def test_cells_are_primitive(self):
        """Two sites of one type in a cell become one; of two types, they remain."""
        pairs = "1-2 self", "2-1 north", "2-1 east", "2-1 northeast"
        lattice = cell_of(("2.0 0.0", "0.0 2.0"), "5 7", "{}", ("0.0 0.0", "0.5 0.5"), pairs, "top hollow")
        text, _ = convert_zacros(self.folder_of(lattice=lattice.format("top top"), mechanism=ADSORPTION.format(RATE.replace("types 1", "types top"))))
        self.assertIn("--size 5,14 ", text)
        self.assertIn("cell_size = 1 1 0 -1 1 0 0 0 1\n\n[Layer surface]\nsite top = (0, 0, 0)\n\n[Molecules", text)
        files = {"energetics": PAIR.format(0.05).replace("types 1 1", "types top top")}
        square = self.sections(lattice=lattice.format("top top"), mechanism=ADSORPTION.format(RATE.replace("types 1", "types top")), **files)
        self.assertEqual(square["Process A_adsorption"]["bystanders"].count("['A']@top"), 4)
        text, _ = convert_zacros(self.folder_of(lattice=lattice.format("top hollow"), mechanism=ADSORPTION.format(RATE.replace("types 1", "types hollow")), energetics=""))
        self.assertIn("site top = (0, 0, 0)\nsite hollow = (0.5, 0.5, 0)\n", text)

    def test_cells_that_are_distorted_have_fewer_orientations(self):
        """A chain in a cell whose sides differ by 0.1 % has no turns by 90 degrees; the program reads the file."""
        lattice = cell_of(("2.0 0.0", "0.0 {}"), "16 16", "top", ("0.0 0.0",), ("1-1 north", "1-1 east"), "top")
        trio = PAIR.format(0.05).replace("pair", "trio").replace("sites 2", "sites 3").replace("1-2", "1-2 2-3\n  angles 1-2-3:180.0")
        trio = trio.replace("    2 A* 1\n", "    2 A* 1\n    3 A* 1\n").replace("types 1 1", "types top top top")
        files = {"mechanism": ADSORPTION.format(RATE.replace("types 1", "types top")), "energetics": trio}
        for side, clusters in ((2.0, 1), (2.002, 2)):
            text, _ = convert_zacros(self.folder_of(lattice=lattice.format(side), **files))
            self.assertEqual(text.count("[Cluster "), clusters, text)
            self.run_model("--size 16 --until-time 1e-3", lattice=lattice.format(side), **files)

    CELLS = (
        (((1, 0), (0, 1)), [(0, 0)], "a", [(0, 0, 1, 0), (0, 0, 0, 1)], (6, 5)),
        (((1, 0), (0.5, 0.75**0.5)), [(0, 0)], "a", [(0, 0, 1, 0), (0, 0, 0, 1), (0, 0, 1, -1)], (7, 4)),
        (((3**0.5, 0), (0.75**0.5, 1.5)), [(1 / 3, 1 / 3), (2 / 3, 2 / 3)], "fh", [(0, 1, 0, 0), (0, 1, -1, 0), (0, 1, 0, -1)], (4, 4)),
        (((2.8, 0), (0, 4.1)), [(0.1, 0.1), (0.5, 0.5), (0.9, 0.5)], "fhh", [(0, 1, 0, 0), (0, 2, 0, 0), (1, 1, 1, 0), (2, 2, 0, 1), (0, 0, 0, 1)], (3, 8)),
    )

    @staticmethod
    def explicit(sides, positions, types, pairs, size, left_out=()):
        """The lattice site by site, in any order, and the points of its sites."""
        sites = [(kind, i, j) for i in range(size[0]) for j in range(size[1]) for kind in range(len(positions))]
        sites = [site for i, site in enumerate(sorted(sites, key=lambda site: math.sin(99 * site[0] + 17 * site[1] + site[2]))) if i not in left_out]
        number = {site: i for i, site in enumerate(sites)}
        near = [[] for _ in sites]
        for first, second, dx, dy in pairs:
            for i, j in itertools.product(range(size[0]), range(size[1])):
                ends = number.get((first, i, j)), number.get((second, (i + dx) % size[0], (j + dy) % size[1]))
                if None not in ends:
                    near[ends[0]].append(ends[1] + 1)
                    near[ends[1]].append(ends[0] + 1)
        lines, points = [], []
        for i, (kind, x, y) in enumerate(sites):
            u, v = positions[kind][0] + x, positions[kind][1] + y
            points.append(tuple(round(u * a + v * b, 6) for a, b in zip(*sides)))
            lines.append(" ".join(map(str, (i + 1, *points[-1], types[kind], len(near[i]), *near[i]))))
        names = " ".join(sorted(set(types)))
        head = f"lattice explicit\n n_sites {len(sites)}\n max_coord 6\n n_site_types {len(set(types))}\n site_type_names {names}\n"
        return head + " lattice_structure\n" + "\n".join(lines) + "\n end_lattice_structure\nend_lattice\n", points

    def test_explicit_lattices_that_are_periodic_are_found(self):
        def neighbours(lattice):
            """Types and directions of all neighbours."""
            found = []
            for number, near in enumerate(lattice.neighbours):
                x, y = lattice.point((number, 0, 0))
                for other in near:
                    u, v = lattice.point(other)
                    found.append((lattice.types[number], lattice.types[other[0]], round(u - x, 2) + 0.0, round(v - y, 2) + 0.0))
            return sorted(found)

        for sides, positions, types, pairs, size in self.CELLS:
            text, points = self.explicit(sides, positions, types, pairs, size)
            lattice = read_lattice(self.folder_of(lattice=text))
            self.assertEqual(neighbours(lattice), neighbours(Lattice(sides, positions, list(types), [], pairs, size)))
            self.assertEqual(lattice.size[0] * lattice.size[1], size[0] * size[1])
            (ax, ay), (bx, by) = lattice.sides
            self.assertGreater(ax * by - ay * bx, 0)
            shifts = []
            for i, point in enumerate(points):
                x, y = (there - here for there, here in zip(point, lattice.point(lattice.numbered_site(i))))
                u, v = (x * by - y * bx) / (ax * by - ay * bx) / lattice.size[0], (y * ax - x * ay) / (ax * by - ay * bx) / lattice.size[1]
                shifts.append((u - shifts[0][0] if i else u, v - shifts[0][1] if i else v))
            for shift in shifts[1:]:
                self.assertAlmostEqual(shift[0], round(shift[0]), places=4)
                self.assertAlmostEqual(shift[1], round(shift[1]), places=4)
            self.assertEqual(len({lattice.numbered_site(i) for i in range(len(points))}), len(points))
            self.assertIsNone(lattice.numbered_site(len(points)))

    def test_explicit_lattices_that_are_not_periodic_are_refused(self):
        square = self.CELLS[0]
        text, _ = self.explicit(*square, left_out=[7])
        self.refused(r"lattice_input.dat line \d+: lattice explicit: is not a periodic lattice: site \d+ has other neighbours", lattice=text)
        chain = "lattice explicit\nn_sites 3\nmax_coord 2\nn_site_types 1\nsite_type_names a\nlattice_structure\n1 0 0 a 1 2\n2 1 0 a 2 1 3\n3 3 1 a 1 2\n"
        end = "end_lattice_structure\nend_lattice\n"
        self.refused("lattice_input.dat line 1: lattice explicit: is not a periodic lattice: no shift brings half of its sites", lattice=chain + end)
        self.refused("lattice_input.dat line 9: there are 3 sites", lattice=chain.replace("1 a 1 2", "1 a 1 4") + end)
        self.refused("lattice_input.dat line 9: must be number, x, y, type and number of neighbours", lattice=chain.replace("1 a 1 2", "1 a 2 2") + end)
        self.refused("lattice_input.dat line 2: lattice_structure has 3 sites", lattice=chain.replace("n_sites 3", "n_sites 4") + end)
        self.refused("lattice_input.dat line 1: has no end_lattice", lattice=chain + end.split()[0])

    def test_angles(self):
        """Chains of three sites on the lattice with six neighbours: straight, bent, and both."""
        triple = "cluster {0}\n sites 3\n neighboring 1-2 2-3\n lattice_state\n 1 A* 1\n 2 A* 1\n 3 A* 1\n graph_multiplicity 2\n cluster_eng 0.1\n {1}\nend_cluster\n"
        files = {"lattice": SQUARE.replace("rectangular", "hexagonal")}
        clusters = {}
        for name, angle in (("straight", "angles 1-2-3:180.0"), ("bent", "angles 1-2-3:120.0"), ("right", "angles 1-2-3:-120\n no_mirror_images"), ("all", "")):
            found = self.sections(energetics=triple.format(name, angle), **files)
            clusters[name] = [entries for section, entries in found.items() if section.startswith("Cluster")]
            self.assertEqual(found["Process A_adsorption"]["energy"], "max(0, dE, 0.1 + 0.3*dE)")
        self.assertEqual([(entry["energy"], entry["orientations"]) for entry in clusters["straight"]], [("0.1", "3")])
        self.assertEqual([(entry["energy"], entry["orientations"]) for entry in clusters["bent"]], [("0.1", "6")])
        self.assertEqual([(entry["energy"], entry["orientations"]) for entry in clusters["right"]], [("0.05", "6")])
        # Three chains go along the sides of a triangle.
        self.assertEqual(sorted((entry["energy"], entry["orientations"]) for entry in clusters["all"]), [("0.1", "3"), ("0.1", "6"), ("0.3", "2")])

    def test_molecules_on_two_sites_are_dimers(self):
        """Their coverage on 4 x 4 sites is that of all arrangements of dimers, each in two orders of its dentates."""
        bonds, weights = near(range(16)), {}

        def arrange(first, covered, count):
            weights[count] = weights.get(count, 0) + 1
            for i in range(first, len(bonds)):
                if not covered & set(bonds[i]):
                    arrange(i + 1, covered | set(bonds[i]), count + 1)

        arrange(0, frozenset(), 0)
        fugacity = 2 * 2.0 * 0.5
        total = sum(number * fugacity**count for count, number in weights.items())
        exact = sum(count * number * fugacity**count for count, number in weights.items()) / total / 8
        pair = ADSORPTION.replace("sites 1", "sites 2\n neighboring 1-2").replace("1 * 1", "1 * 1\n 2 * 1").replace("1 A* 1", "1 A** 1\n 1 A** 2")
        settings = SETTINGS.replace("A*", "A**").replace("surf_specs_dent 1", "surf_specs_dent 2")
        files = {"energetics": "", "mechanism": pair.format(RATE.replace("types 1", "types 1 1").replace("0.1", "0.0")), "settings": settings}
        sections = self.sections(**files)
        self.assertEqual([name for name in sections if name.startswith("Species ")][1:], ["Species covered", *(f"Species A_{i}" for i in range(1, 5))])
        with self.run_model("--size 4 --replicas 2000 --until-time 20 --measure-every 20", **files) as run:
            empty = run.observables["coverage_empty"]
            self.assertAlmostEqual(1 - empty.mean[-1], exact, delta=6 * empty.error[-1])
            self.assertTrue((run.observables["molecules_A"].value == (1 - empty.value) / 2).all())

    COORDINATES, PAIRS = ("0.1 0.1", "0.5 0.5", "0.9 0.5"), ("1-2 self", "1-3 self", "1-1 east")
    TWO_TYPES = cell_of(("1.0 0.0", "0.0 1.0"), "4 4", "fcc hcp hcp", COORDINATES, PAIRS, "fcc hcp")

    def test_steps_and_molecules_are_counted_together(self):
        """As Zacros counts them: on all places, forward, reverse and net, and by the type of the sites."""
        files = {"lattice": self.TWO_TYPES, "mechanism": ADSORPTION.format(RATE.replace("site_types 1\n", ""))}
        files["energetics"] = POINT.format(-1.0).replace("site_types 1\n", "") + PAIR.format(0.02).replace("site_types 1 1", "site_types fcc fcc")
        with self.run_model("--size 4 --replicas 3 --until-time 20 --measure-every 1 --field-every 1", **files) as run:
            events = {name: run.observables[f"events_A_adsorption{name}"].value for name in ("", "_fcc", "_hcp", "_hcp_2", "_reverse", "_reverse_fcc")}
            self.assertTrue((events[""] == events["_fcc"] + events["_hcp"] + events["_hcp_2"]).all())
            molecules = run.observables["molecules_A"].value
            self.assertTrue((molecules == sum(run.observables[f"coverage_A_{site}"].value for site in ("fcc", "hcp1", "hcp2"))).all())
            self.assertTrue((16 * molecules == events[""] - events["_reverse"]).all())
            self.assertTrue((run.observables["turnover_A"].value == -(events[""] - events["_reverse"])).all())
            held = run.fields["state"].species("fcc", -1, 1) == run.fields["state"].sites["fcc"].index("A")
            energy = (-16 * molecules[-1, 1] + 0.02 * (held & np.roll(held, -1, axis=1)).sum()) / 16
            self.assertAlmostEqual(run.observables["energy"].value[-1, 1], energy, places=9)
            self.assertEqual(run.observables["energy"].unit, "eV")
            (step,) = tessera_io.steps(run)
            self.assertEqual((step.name, step.reverse, step.unit), ("A_adsorption", "A_adsorption_reverse", "1/s"))
            self.assertEqual([*step.forward, *step.backward], [*events[""][-1], *events["_reverse"][-1]])
            self.assertEqual([*step.net], [*(16 * molecules[-1])])
            rates = molecules[-1] / 3 / 20
            self.assertAlmostEqual(step.rate, rates.mean(), places=12)
            self.assertAlmostEqual(step.error, rates.std(ddof=1) / 3**0.5, places=12)
            fcc = (events["_fcc"] - events["_reverse_fcc"])[-1] / 16 / 20
            self.assertAlmostEqual(step.of_types["fcc"][0], fcc.mean(), places=12)
            self.assertAlmostEqual(step.of_types["hcp"][0], ((3 * rates - fcc) / 2).mean(), places=12)
        words = ["-m", "tessera_io.export", "model.h5", "--to", "csv"]
        for more, coverages in ((["--output", "short"], 0), (["--output", "all", "--columns", "all"], 6)):
            out, _ = program.python([*words, *more], self.folder)
            self.assertEqual(out.split(), [f"{more[1]}_observables.csv", f"{more[1]}_steps.csv"])
            names = program.read(self.path(out.split()[0])).partition("\n")[0].split(",")
            self.assertEqual(sum(name.startswith("coverage_") and not name.endswith("_error") for name in names), coverages)
            self.assertEqual("events_A_adsorption_fcc" in names, coverages > 0)
            self.assertLessEqual({"molecules_A", "events_A_adsorption", "turnover_A", "energy (eV)"}, set(names))
        lines = [line.split(",") for line in program.read(self.path("short_steps.csv")).splitlines()]
        self.assertEqual(lines[0][:6], ["step", "reverse", "forward_events", "reverse_events", "net_events", "rate_per_site (1/s)"])
        self.assertEqual(lines[0][7:], ["rate_per_fcc (1/s)", "rate_per_fcc_error (1/s)", "rate_per_hcp (1/s)", "rate_per_hcp_error (1/s)"])
        self.assertEqual(float(lines[1][4]), float(lines[1][2]) - float(lines[1][3]))
        text = program.run(["kmc", "--restart", "model.h5", "--until-time", "21"], self.folder)
        self.assertIn("molecules_A", text)
        self.assertNotIn("coverage_A", text)
        self.assertNotIn("A_adsorption_fcc", text)

    def test_energies_may_have_any_number_of_digits(self):
        """Clusters whose energies are multiples of 1e-9 eV at most have tables of few numbers of neighbours."""
        trio = PAIR.replace("A_pair", "A_trio").replace("sites 2", "sites 3").replace("1-2", "1-2 2-3").replace("2 A* 1", "2 A* 1\n    3 A* 1").replace("types 1 1", "types 1 1 1")
        files = {"energetics": POINT.format(-1.0345678912345) + PAIR.format(0.0212345678) + trio.format(0.0112345699999)}
        self.assertEqual(self.sections(**files)["Cluster A_point"]["energy"], "-1.034567891")
        out, _ = program.python(["-m", "tessera_io.models", self.folder_of(**files), "--output", "model.ini", "--overwrite"], self.folder)
        dry = program.run(["kmc", "--processes", "model.ini", "--size", "16", "--until-time", "1", "--dry-run"], self.folder)
        self.assertLess(int(re.search(r"(\d+) neighbourhoods", dry)[1]), 20000)

    def test_rates_depend_on_temperature_as_in_zacros(self):
        settings = SETTINGS.replace("temperature 500.0", "temperature ramp 300.0 5.0")
        rate = "pre_expon 1.5 -1200 0.25 0 0 0 2e-12\n pe_ratio 2.0\n activ_eng 0.0"
        sections = self.sections(mechanism=ADSORPTION.format(rate), energetics="", settings=settings)
        self.assertEqual(sections["Parameter T"]["value"], "300 + 5*time")
        self.assertEqual(sections["Process A_adsorption"]["rate_constant"], "exp(-(1.5*log(T) - 1200*1/T + 0.25*1 + 2e-12*T**4))*P*y_A")

    def test_changes_of_energy(self):
        clusters = Clusters()
        held = ("A", 1, 0)
        clusters.add("point", {(0, 0, 0): held}, -1.0)
        clusters.add("pair", {(0, 0, 0): held, (0, 1, 0): held}, 0.25)
        clusters.add("gap", {(0, 0, 0): held, (0, 0, 1): VACANT}, 0.5)
        hop = {(0, 0, 0): held, (0, 1, 0): VACANT}, {(0, 0, 0): VACANT, (0, 1, 0): held}
        inside, outside = clusters.change(*hop)
        self.assertEqual(inside, 0.0)
        self.assertEqual({((0, -1, 0), held): -0.25, ((0, 2, 0), held): 0.25}, {key[0]: value for key, value in outside.items() if key[0][1] == held and key[0][0][2] == 0})

    def test_unconvertible_models_are_refused_in_a_line(self):
        step = ADSORPTION.format
        self.refused("lattice_input.dat line 1: lattice other: must be default_choice, periodic_cell or explicit", lattice="lattice other\n")
        self.refused("'cubic' is not a default lattice; those are", lattice="lattice default_choice\n cubic 1 4 4\n")
        self.refused("'site_typs' is not known", mechanism=step(RATE.replace("types", "typs")))
        self.refused("pe_ratio: '0.0' must be more than 0", mechanism=step(RATE.replace("2.0", "0.0")))
        self.refused("needs `activ_eng`", mechanism=step(RATE.replace("activ_eng 0.1", "")))
        self.refused("'4.x' is no number", mechanism=step(RATE.replace("4.0", "4.x")))
        self.refused("pre_expon: must have 1 or 7 values", mechanism=step(RATE.replace("4.0", "4.0 5.0")))
        self.refused("no site of the lattice has the type 'StTp2'", mechanism=step(RATE.replace("types 1", "types 2")))
        self.refused("'C' is not a gas species", mechanism=step(RATE).replace("prods A", "prods C"))
        self.refused(r"'C\*' is not a species; those are A\*", mechanism=step(RATE).replace("1 A*", "1 C*"))
        self.refused("'end_mechanism' is not known in a reversible_step", mechanism=step(RATE).replace("end_reversible_step", ""))
        self.refused("are not connected by `neighboring`", energetics=PAIR.format(1).replace("neighboring 1-2", ""))
        self.refused("has dentate 1 of entity 1 twice", energetics=PAIR.format(1).replace("2 A*", "1 A*"))
        self.refused(r"A\* must have 1 dentates", energetics=PAIR.format(1).replace("2 A* 1", "1 A* 2"))
        self.refused("must be gases, each once with its number", mechanism=step(RATE).replace("A -1", "A -1 B"))
        self.refused("ramp: needs a temperature and a rate", settings=SETTINGS.replace("500.0", "ramp 300"))
        self.refused("simulation_input.dat: needs `temperature`", settings=SETTINGS.replace("temperature 500.0", ""))
        self.refused("must be an entity, its species and its dentate", energetics="cluster A\n sites 1\n lattice_state")
        _, err = program.python(["-m", "tessera_io.models", "nowhere"], self.folder, status=2)
        self.assertRegex(err, "^tessera_io.models: .*nowhere.*\n$")

    def test_each_keyword_is_given_once(self):
        step, hexagonal = ADSORPTION.format(RATE), SQUARE.replace("rectangular", "hexagonal")
        cell = "lattice periodic_cell\n cell_vectors\n 1 0\n 0 1\n repeat_cell 4 4\n{}end_lattice\n"
        for message, files in (
            ("simulation_input.dat line 3: temperature: is already given in line 2", {"settings": SETTINGS.replace("pressure", "temperature 400\npressure")}),
            ("lattice_input.dat line 6: repeat_cell: is already given in line 5", {"lattice": cell.format(" repeat_cell 5 5\n")}),
            ("energetics_input.dat line 9: cluster_eng: is already given in line 8", {"energetics": POINT.format("1\n cluster_eng 2")}),
            ("mechanism_input.dat line 5: sites: is already given in line 4", {"mechanism": step.replace("  initial", "  sites 2\n  initial")}),
            ("mechanism_input.dat line 4: gas_reacs_prods: is already given in line 3", {"mechanism": step.replace("  sites", "  gas_reacs_prods B 1\n  sites")}),
            ("mechanism_input.dat line 11: pre_expon: is already given in line 10", {"mechanism": step.replace("pre_expon 4.0", "pre_expon 4.0\n pre_expon 5.0")}),
            ("mechanism_input.dat line 7: initial: is already given in line 5", {"mechanism": step.replace("  final", "  initial")}),
        ):
            self.refused(message, **files)
        last = "stands after `{}`, where the file must end"
        self.refused("line 15: 'pressure' " + last.format("finish"), settings=SETTINGS + "pressure 2.0\n")
        self.refused("line 4: 'lattice' " + last.format("end_lattice"), lattice=SQUARE + hexagonal)
        self.refused("'cluster' " + last.format("end_energetics"), energetics="end_energetics\n" + POINT.format(1))
        variants = step.replace("site_types 1", "variant v\n site_types 1").replace("prox_factor 0.3", "prox_factor 0.3\n end_variant\n activ_eng 0.2")
        self.refused("line 16: activ_eng: must stand in each variant of A_adsorption, or in none", mechanism=variants)

    def test_numbers_without_meaning_are_refused(self):
        def step(old, new):
            return {"mechanism": ADSORPTION.format(RATE).replace(old, new)}

        def setting(old, new):
            return {"settings": SETTINGS.replace(old, new)}

        for message, files in (
            ("graph_multiplicity: '0' must be at least 1", {"energetics": POINT.format(1).replace("multiplicity 1", "multiplicity 0")}),
            ("graph_multiplicity: '-1' must be at least 1", {"energetics": POINT.format(1).replace("multiplicity 1", "multiplicity -1")}),
            ("prox_factor: '2' must be at most 1", step("prox_factor 0.3", "prox_factor 2")),
            ("prox_factor: '-0.1' must be at least 0", step("prox_factor 0.3", "prox_factor -0.1")),
            ("pre_expon: '-4.0' must be at least 0", step("pre_expon 4.0", "pre_expon -4.0")),
            ("'10_8' is no number", step("pre_expon 4.0", "pre_expon 10_8")),
            ("'nan' is no number", step("activ_eng 0.1", "activ_eng nan")),
            ("'\u22120.1' is no number; its minus sign must be '-'", step("activ_eng 0.1", "activ_eng \u22120.1")),
            ("'1.5' must be a whole number of at least 1", step("prods A -1", "prods A -1.5")),
            ("must be gases, each once", step("prods A -1", "prods A -1 A -1")),
            ("the molar fractions add up to 2; must be at most 1", setting("0.5 0.0", "1 1")),
            ("gas_molar_fracs: '-0.5' must be at least 0", setting("0.5 0.0", "-0.5 0.0")),
            ("gas_molar_fracs: must have 2 values", setting("0.5 0.0", "0.5 0.0 0.5")),
            ("max_time: '-1' must be more than 0", setting("max_time 10.0", "max_time -1")),
            ("temperature: '-500.0' must be more than 0", setting("500.0", "-500.0")),
            ("temperature: must have 1 value", setting("500.0", "500.0 600.0")),
            ("pressure: '-1.0' must be at least 0", setting("pressure 1.0", "pressure -1.0")),
            ("must have 2 different names", setting("names A B", "names A A")),
            ("'0' must be a whole number of at least 1", setting("specs_dent 1", "specs_dent 0")),
            ("rectangular_periodic: '-1' must be more than 0", {"lattice": SQUARE.replace("1.0 4", "-1 4")}),
            ("'2.7' must be a whole number of at least 1", {"lattice": SQUARE.replace("4 4", "2.7 4")}),
        ):
            self.refused(f"_input.dat line [0-9]+: .*{re.escape(message)}", **files)

    def test_files_may_begin_with_a_byte_order_mark(self):
        plain, _ = convert_zacros(self.folder_of())
        marked, _ = convert_zacros(self.folder_of(lattice="\ufeff" + SQUARE, settings="\ufeff" + SETTINGS))
        self.assertEqual(marked, plain)

    def seeded(self, seeds, **files):
        """The sections [Initial] of the model file for lines of state_input.dat."""
        folder = self.folder_of(**files)
        self.addCleanup(lambda path: os.path.exists(path) and os.remove(path), os.path.join(folder, "state_input.dat"))
        program.write(os.path.join(folder, "state_input.dat"), f"initial_state\n{seeds}end_initial_state\n")
        text, notes = convert_zacros(folder)
        self.assertEqual(notes, [])
        return re.findall(r"^\[Initial.*\]\n((?:\S.*\n)+)", text, re.MULTILINE)

    def test_initial_states(self):
        self.assertEqual(self.seeded("seed_multiple A* 7\n site_types 1\nend_seed_multiple\n"), ["A@StTp1 = number 7\n"])
        # Zacros counts the sites of a column, y = 0 to 3, then those of the next one.
        self.assertEqual(self.seeded("seed_on_sites A* 3\nseed_on_sites A* 5\n"), [f"where = x == {x} and y == {y}\nA@StTp1 = 1\n" for x, y in ((0, 2), (1, 0))])
        hexagonal = self.seeded("seed_on_sites A* 3\nseed_on_sites A* 10\n", lattice=SQUARE.replace("rectangular", "hexagonal"))
        self.assertEqual(hexagonal, ["where = x == 0 and y == 1\nA@StTp11 = 1\n", "where = x == 1 and y == 0\nA@StTp12 = 1\n"])
        both = self.seeded("seed_multiple A* 15\nend_seed_multiple\nseed_on_sites A* 6\n".replace("15", "9"), settings=SETTINGS.replace("finish", "random_seed 3\nfinish"))
        self.assertEqual(len(set(both)), 10)

    def test_seeds_that_find_no_place_are_refused(self):
        for message, seeds in (
            ("line 3: a site is already occupied", "seed_on_sites A* 5\nseed_on_sites A* 5\n"),
            ("line 2: the lattice has 16 sites", "seed_on_sites A* 17\n"),
            ("line 3: 2 of 17 .* find no empty sites", "seed_on_sites A* 5\nseed_multiple A* 17\nend_seed_multiple\n"),
            (r"line 2: 'C' is not a species; those are A\*", "seed_on_sites C 1\n"),
            (r"line 2: A\* needs 1 different sites", "seed_on_sites A* 1 2\n"),
            ("line 2: 'seed' is not known; must be seed_on_sites or seed_multiple", "seed A* 1\n"),
        ):
            with self.assertRaisesRegex(ModelError, f"state_input.dat {message}"):
                self.seeded(seeds)

    def test_keywords_without_effect_are_reported(self):
        folder = self.folder_of(settings=SETTINGS.replace("finish", "enable_stiffness_scaling\nfinish"))
        _, notes = convert_zacros(folder)
        self.assertEqual(notes, [f"{folder}/simulation_input.dat: not converted: enable_stiffness_scaling"])


class Runs(Models):
    """tessera kmc --zacros FOLDER."""

    def run_folder(self, *options, **files):
        program.run(["kmc", "--zacros", self.folder_of(**files), "--overwrite", "--quiet", "--output", "z.h5", *options], self.folder)
        return tessera_io.open(self.path("z.h5"))

    def test_have_the_settings_of_zacros(self):
        settings = "species_numbers on time 0.25\nprocess_statistics on time 0.5\nrandom_seed 77\n"
        settings = SETTINGS.replace("max_time 10.0", "max_time 2.0").replace("finish", settings + "finish")
        with self.run_folder(settings=settings) as run:
            self.assertEqual(run.observables["coverage_A"].time.tolist(), [0.25 * i for i in range(9)])
            self.assertEqual(run.fields["state"].time.tolist(), [0.0, 1.0, 2.0])
            self.assertEqual((run.input["seed"], run.input["size"]), ("77", "4,4"))
        self.assertIn("\n[Process A_adsorption]\n", program.read(self.path("z.ini")))

    def test_end_after_the_steps_of_zacros(self):
        settings = SETTINGS.replace("max_time 10.0", "max_time infinity\nmax_steps 37\nspecies_numbers on event 16")
        with self.run_folder(settings=settings, energetics=POINT.format(0.0)) as run:
            self.assertEqual(run.observables["events"].mean[-1], 37)
            self.assertGreaterEqual(len(run.observables["events"].time), 3)
        _, err = program.python(["-c", CALL, "kmc", "--zacros", self.folder_of(settings=SETTINGS.replace("max_time 10.0", "")), "--dry-run"], self.folder, status=2)
        self.assertIn("--until-time", err)

    def test_options_replace_the_settings(self):
        with self.run_folder("--until-time", "0.5", "--size=8", "--set", "T=400", "--measure-every", "0.5") as run:
            self.assertEqual(run.observables["coverage_A"].time.tolist(), [0.0, 0.5])
            self.assertEqual(run.fields["state"].snapshot().shape, (8, 8))
            self.assertIn("T=400", str(run.input))

    def test_any_size_runs(self):
        for size in ("23 40", "4 10", "7 9"):
            with self.run_folder("--until-time", "0.1", lattice=SQUARE.replace("4 4", size)) as run:
                self.assertEqual(run.fields["state"].snapshot().shape, tuple(map(int, reversed(size.split()))), size)

    def test_seeds_are_on_their_sites(self):
        folder = self.folder_of()
        path = os.path.join(folder, "state_input.dat")
        self.addCleanup(os.remove, path)
        program.write(path, "initial_state\nseed_on_sites A* 3\nseed_multiple A* 5\nend_seed_multiple\nend_initial_state\n")
        with self.run_folder("--until-time", "1e-9") as run:
            states = run.fields["state"].species("StTp1", 0)
            self.assertEqual(run.fields["state"].sites["StTp1"][states[2, 0]], "A")  # site 3: x = 0, y = 2
            self.assertEqual(run.observables["coverage_A"].mean[0], 6 / 16)

    def test_a_dry_run_writes_nothing(self):
        before = sorted(os.listdir(self.folder))
        self.assertIn("StTp1", program.run(["kmc", "--zacros", self.folder_of(), "--dry-run", "--output", "dry.h5"], self.folder))
        self.assertEqual(sorted(os.listdir(self.folder)), sorted({*before, "zacros"}))

    def test_input_of_zacros_is_recognised(self):
        folder = self.folder_of()
        for path in (folder, os.path.join(folder, "mechanism_input.dat")):
            _, err = program.python(["-c", CALL, "kmc", "--processes", path, "--until-time", "1"], self.folder, status=2)
            self.assertEqual(err, f"tessera: --processes {path}: is input of Zacros; use --zacros {folder}\n")

    def test_models_are_not_overwritten(self):
        program.write(self.path("mine.ini"), "mine")
        _, err = program.python(["-c", CALL, "kmc", "--zacros", self.folder_of(), "--output", "mine.h5"], self.folder, status=2)
        self.assertEqual(err, "tessera: mine.ini: exists with another model; --overwrite replaces it\n")


if __name__ == "__main__":
    unittest.main()
