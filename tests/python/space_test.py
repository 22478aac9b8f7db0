# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Fields of three axes: places, slices, S(k), clusters, pictures and exports."""

import csv

import drawing
import h5py
import matplotlib
import numpy as np
import program
import tessera_io
from tessera_io.export import export
from tessera_io.plot import draw_field, figure

# Of each lattice: sites of a cubic cell along x, y and z of the array; neighbours, and those of a pair of neighbours.
LATTICES = {"sc": ((1, 1, 1), 6, 10), "bcc": ((1, 1, 2), 8, 14), "fcc": ((1, 2, 2), 12, 18)}
SMALL = "--size 8,6,4 --until-time 2 --field-every 1 --replicas 2"
GAS = "kmc --model hopping --attraction 0 --coverage 0.1 --size 16,16,24 --until-time 0.5 --field-every 0.5 --replicas 8"


def flood(near, states, there):
    """(numbers of clusters [sites], from 1 on, count) of sites `there`, from site to site; near: [sites, sites]."""
    number, count = np.zeros(len(states), int), 0
    for site in range(len(states)):
        if there[site] and not number[site]:
            count += 1
            found = [site]
            while found:
                one = found.pop()
                if not number[one]:
                    number[one] = count
                    found += list(np.flatnonzero(near[one] & (states == states[one]) & (number == 0)))
    return number, count


class Space(drawing.Drawn):
    runs = (
        *(f"kmc --model ising --coupling 0.05 --magnetisation 0.2 --lattice {lattice} {SMALL} --output {lattice}.h5" for lattice in LATTICES),
        *(f"kmc --model potts --states 5 --order 0 --lattice {lattice} {SMALL} --output grains_{lattice}.h5" for lattice in LATTICES),
        *(f"{GAS} --lattice {lattice} --output gas_{lattice}.h5" for lattice in LATTICES),
        "kmc --model ising --coupling 0.18 --magnetisation 0 --size 12,12,12 --until-time 310 --field-every 1 --measure-every 1 "
        "--average-from 10 --replicas 16 --output warm.h5",
    )

    def each(self, stem=""):
        """(lattice, run, the field, its places in half cubic cells, on sc in cubic cells [sites, 3])."""
        for lattice in LATTICES:
            with tessera_io.open(self.path(f"{stem}{lattice}.h5")) as run, self.subTest(lattice):
                (field,) = run.fields.values()
                places = field.places().reshape(-1, 3) * (1 if lattice == "sc" else 2)
                yield lattice, run, field, np.rint(places).astype(int)

    def neighbours(self, lattice, field, places):
        """[sites, n]: by distances in the periodic box."""
        box = field.box * (1 if lattice == "sc" else 2)
        apart = np.abs(places[:, None] - places)
        squared = (np.minimum(apart, box - apart) ** 2).sum(axis=-1)
        near = squared == {"sc": 1, "bcc": 3, "fcc": 2}[lattice]
        self.assertEqual(set(near.sum(axis=1)), {LATTICES[lattice][1]})
        return near

    def test_places_are_those_of_the_documents_and_pairs_of_neighbours_have_the_energy_of_the_program(self):
        for lattice, run, field, places in self.each():
            nx, ny, nz = np.multiply((8, 6, 4), LATTICES[lattice][0])
            self.assertEqual((field.shape, tuple(field.box), run.sites()), ((nz, ny, nx), (8, 6, 4), nx * ny * nz))
            z, y, x = (index.ravel() for index in np.indices(field.shape))
            expected = {"sc": (x, y, z), "bcc": (2 * x + z % 2, 2 * y + z % 2, z), "fcc": (2 * x + (y + z) % 2, y, z)}[lattice]
            np.testing.assert_array_equal(places, np.transpose(expected))
            near = self.neighbours(lattice, field, places)
            for row, replica in np.ndindex(3, 2):
                spins = field.snapshot(row, replica).ravel().astype(int)
                energy = run.observables["energy"]
                at = np.flatnonzero(energy.time == field.time[row])[0] if field.time[row] in energy.time else None
                if at is not None:
                    self.assertAlmostEqual(-spins @ near @ spins / 2 / len(spins), energy.value[at, replica], 12)
            self.assertIn(2, run.observables["energy"].time)

    def test_each_site_of_a_plane_is_at_its_place_of_the_picture(self):
        for lattice, _, field, places in self.each():
            spins, length = field.snapshot(-1, 1).ravel(), 1 if lattice == "sc" else 2
            for axis, others in ((0, (1, 2)), (1, (0, 2)), (2, (0, 1))):
                for plane in (1, field.box[axis] * length - 2):
                    cut = field.slice("xyz"[axis], plane)
                    self.assertEqual((cut.shape, cut.place), (tuple(field.box[list(others)][::-1]), plane / length))
                    image, there = cut.snapshot(-1, 1), places[:, axis] == plane
                    across, up = (places[there][:, other] * (image.shape[1 - n] // (field.box[other] * length)) for n, other in enumerate(others))
                    for shift in (0, *([-1] if lattice != "sc" else [])):  # the pixels about the place
                        np.testing.assert_array_equal(image[(up + shift) % image.shape[0], (across + shift) % image.shape[1]], spins[there])
                    self.assertEqual(image.size % there.sum(), 0)
                    self.assertAlmostEqual(image.mean(), spins[there].mean(), 12)  # of equal areas
            self.assertRaisesRegex(IndexError, "no plane 99 across z; valid values are 0 to", field.slice, "z", 99)
            self.assertRaisesRegex(tessera_io.TesseraFileError, "no plane across 'w'", field.slice, "w")

    def test_structure_factors_are_sums_over_sites(self):
        for _, run, field, _ in self.each():
            for n, axis in enumerate("xyz"):
                s, along = run.functions[f"structure_factor_{axis}"], field.places()[0, ..., n].ravel()
                k = s.arguments["k"]
                np.testing.assert_allclose(k, 2 * np.pi * np.arange(1, len(np.unique(along)) // 2 + 1) / field.box[n])
                waves = np.exp(-1j * np.outer(k, along)) @ field.snapshots(-1).reshape(2, -1).T
                np.testing.assert_allclose(s.value, np.abs(waves.T) ** 2 / len(along), atol=1e-9)
            self.assertNotIn("structure_factor_fraction_0_x", run.functions)
            self.assertFalse(list(run.functions))
        for _, run, field, _ in self.each("grains_"):
            s = sum(run.functions[f"structure_factor_fraction_{state}_z"].value for state in range(5))
            phase = np.exp(-2j * np.pi * field.places()[0, ..., 2] / field.box[2])
            states = np.arange(5)[:, None, None, None]
            of_replicas = [(np.abs(((lattice == states) * phase).sum(axis=(1, 2, 3))) ** 2).sum() for lattice in field.snapshots(-1)]
            np.testing.assert_allclose(s[:, 0], np.array(of_replicas) / np.prod(field.shape))
            self.assertNotIn("structure_factor_x", run.functions)

    def test_gas_without_attraction(self):
        # Independent sites at a fixed coverage: S(k), and the densities of clusters of one site and of two. The deviations of 8
        # replicas, over 2 rows, from exact values: |t| < 9 with 7 degrees of freedom is exceeded with a probability of 4e-5 ...
        for lattice, run, field, _ in self.each("gas_"):
            sites, replicas = np.prod(field.shape), 8
            for axis in "xyz":
                s = run.functions[f"structure_factor_{axis}"]
                exact = 0.1 * 0.9 * sites / (sites - 1)
                self.assertLess(abs(s.mean.mean() / exact - 1), 6 / np.sqrt(s.value.size))  # S is exponentially distributed
            p, (_, near, about) = 0.1, LATTICES[lattice]
            exact = p * (1 - p) ** near, near / 2 * p**2 * (1 - p) ** about
            found = np.zeros((replicas, 2))
            for replica in range(replicas):
                sizes = field.clusters(-1, replica)[1]
                found[replica] = [(sizes == size).sum() / sites for size in (1, 2)]
            for density, size in zip(exact, (0, 1)):
                # The variance of the number of clusters is at most some 3 times their number.
                self.assertLess(abs(found[:, size].mean() - density), 6 * np.sqrt(3 * density / sites / replicas), lattice)

    def test_clusters_are_those_of_a_search_from_site_to_site(self):
        for stem, of in (("", None), ("", [1]), ("grains_", None), ("grains_", [0, 3])):
            for lattice, run, field, places in self.each(stem):
                near = self.neighbours(lattice, field, places)
                states = field.snapshot(1, 1).ravel()
                there = np.isin(states, of) if of else np.ones(len(states), bool)
                number, count = flood(near, states, there)
                numbers, sizes = field.clusters(1, 1, of)
                self.assertEqual(len(set(zip(number, numbers.ravel()))), count + (not there.all()))
                np.testing.assert_array_equal(sorted(sizes), sorted(np.bincount(number)[1:]))
                np.testing.assert_array_equal(numbers.ravel() == 0, ~there)
                if of is None:
                    observed = tessera_io.clusters(run)
                    self.assertEqual(observed["cluster_density"].value.shape, (3, 2))
                    self.assertAlmostEqual(observed["cluster_density"].value[1, 1], count / len(states), 12)
                    self.assertAlmostEqual(observed["cluster_size"].value[1, 1], len(states) / count, 12)
                    self.assertAlmostEqual(observed["cluster_size_of_site"].value[1, 1], (sizes**2).sum() / len(states), 12)
                    self.assertAlmostEqual(observed["largest_cluster"].value[1, 1], sizes.max() / len(states), 12)
                    volume = np.pi / 6 * observed["cluster_diameter"].value[1, 1] ** 3
                    self.assertAlmostEqual(volume, np.prod(field.box) * (sizes**2).sum() / len(states) ** 2, 9)
                    scatter = observed["cluster_size"].value.std(axis=1, ddof=1) / np.sqrt(2)
                    np.testing.assert_allclose(observed["cluster_size"].error, np.where(scatter > 0, scatter, np.nan))

    def test_correlation_length_of_the_ising_model(self):
        # Against the one from S(0) and S(k_min), with which it agrees where S(k) is a Lorentzian.
        with tessera_io.open(self.path("warm.h5")) as run:
            xi, error = tessera_io.correlation_length(run)
            s = [run.functions[f"structure_factor_{axis}"] for axis in "xyz"]
            self.assertEqual((s[0].start, s[0].samples, s[0].judgement.words, s[0].replicas), (10, 300, "", 16))
            np.testing.assert_allclose(s[0].error[0], tessera_io.average(s[0].rows[:, :, 0]).error, rtol=1e-9)
            s_0 = 1728 * run.averages["magnetisation_2"].mean
            by_zero = np.sqrt(s_0 / np.mean([one.mean[0] for one in s]) - 1) / (2 * np.sin(np.pi / 12))
            self.assertTrue(0 < error < 0.1, error)
            self.assertLess(abs(xi - by_zero), 6 * error + 0.05 * xi)

    def test_pictures_are_of_planes(self):
        for lattice, _, field, _ in self.each():
            fig, axes = figure()
            shown = draw_field(axes, field.slice("x", 2))
            np.testing.assert_array_equal(axes.images[0].get_array(), shown)
            self.assertEqual(tuple(axes.images[0].get_extent()), (0, 6, 0, 4))
            unit = "sites" if lattice == "sc" else "cubic cells"
            self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), (f"$y$ ({unit})", f"$z$ ({unit})"))
            matplotlib.pyplot.close(fig)
        text = self.svg("fcc.h5", "spin", "--slice", "y:3")
        for words in ("the plane $y$ = 1.5", "Ising, fcc", "8 × 6 × 4", "$x$ (cubic cells)", "$z$ (cubic cells)"):
            self.assertIn(words, text)
        self.assertIn("the plane $z$ = 2", self.svg("grains_bcc.h5", "state", "--row", "all", "--replica", "1"))
        paths, _ = self.plot("sc.h5", "--format", "svg")
        self.assertIn("sc_spin.svg", paths)
        self.assertEqual(self.plot("grains_fcc.h5", "--movie", "--dpi", "50")[0], ["grains_fcc_state.gif"])
        paths, _ = self.plot("sc.h5", "spin", "--beside", self.path("bcc.h5"), "--slice", "x", "--format", "svg")
        self.assertEqual(paths, ["sc_spin.svg"])
        self.assertIn("$S(k)$ along $z$", self.svg("warm.h5", "structure_factor_z"))
        self.check_refusals(
            (("sc.h5", "--slice", "w"), "'w': must be x, y or z, or with a plane"),
            (("sc.h5", "spin", "--slice", "z:9"), "no plane 9 across z; valid values are 0 to 3"),
            (("sc.h5", "structure_factor_w"), "has no 'structure_factor_w'"),
        )

    def test_exports_have_the_places(self):
        for lattice, run, field, places in self.each():
            (xyz,) = export(run, "extxyz", self.path("exported"), rows=[1], replica=1, overwrite=True)
            count, head, *lines = program.read(xyz).splitlines()
            self.assertEqual((int(count), len(lines)), (len(places),) * 2)
            self.assertIn('Lattice="8 0 0 0 6 0 0 0 4" pbc="T T T"', head)
            table = np.array([line.split()[1:] for line in lines], float)
            np.testing.assert_allclose(table[:, :3], field.places().reshape(-1, 3))
            np.testing.assert_array_equal(table[:, 3], field.snapshot(1, 1).ravel())
            (csv,) = export(run, "csv", self.path("exported"), ["spin"], rows=[1], replica=1, overwrite=True)
            table = np.genfromtxt(csv, delimiter=",", names=True)
            self.assertEqual(table.dtype.names, ("time_1k_0", "replica", "x", "y", "z", "spin"))
            np.testing.assert_allclose(np.transpose([table[name] for name in "xyz"]), field.places().reshape(-1, 3))
            self.assertEqual(lattice, field.lattice)


def crystal(cell, sites):
    """A model file: atoms A become B, and B vacancies, on the sites of a unit cell, {name: position}."""
    text = "[Meta]\nmodel_name = m\nmodel_dimension = 3\ntime_unit = 1/k_0\n"
    text += "[SpeciesList]\ndefault_species = A\n[Species A]\n[Species B]\n[Species V]\n"
    text += f"[Lattice]\ncell_size = {cell}\n[Layer l]\n"
    text += "".join(f"site {site} = {position}\n" for site, position in sites.items())
    for site in sites:
        for name, before, after, rate in (("b", "A", "B", 1), ("v", "B", "V", 0.5)):
            text += f"[Process {name}_{site}]\nrate_constant = {rate}\nconditions = {before}@{site}\nactions = {after}@{site}\n"
    return text


class ModelFiles(drawing.Drawn):
    """Oblique cells of models from files: a primitive one of fcc, a hexagonal one with two sites, and an upright one of two sites of bcc."""

    THIRD, HEIGHT = 1 / 3, (8 / 3) ** 0.5
    # The sides, the positions of the sites, the distance of neighbours, their number, the place of the last site of cell (1, 2, 3).
    CRYSTALS = {
        "fcc": ("0.5 0.5 0  0 0.5 0.5  0.5 0 0.5", {"s": "(0, 0, 0)"}, 0.5**0.5, 12, (2, 1.5, 2.5)),
        "hcp": (f"1 0 0  0.5 {0.75**0.5} 0  0 0 {HEIGHT}", {"p": "(0, 0, 0)", "q": f"({THIRD}, {THIRD}, 0.5)"}, 1, 12, (2.5, 7 / 12**0.5, 3.5 * HEIGHT)),
        "bcc": ("1 1 1", {"c": "(0, 0, 0)", "m": "(0.5, 0.5, 0.5)"}, 0.75**0.5, 8, (1.5, 2.5, 3.5)),
    }

    @classmethod
    def prepare(cls):
        for name, (cell, sites, *_) in cls.CRYSTALS.items():
            program.write(cls.path(name + ".ini"), crystal(cell, sites))
            words = f"kmc --processes {name}.ini --size 4,6,8 --until-time 0.4 --field-every 0.2 --replicas 2 --quiet --output {name}.h5"
            program.run(words.split(), cls.folder)

    def each(self):
        """(name, run, field, places [N, 3], neighbours by distances in the periodic box [N, N])."""
        for name, (*_, length, count, _) in self.CRYSTALS.items():
            with tessera_io.open(self.path(name + ".h5")) as run, self.subTest(name):
                field = run.fields["state"]
                places = field.places().reshape(-1, 3)
                images = (np.indices((3, 3, 3)).reshape(3, -1).T - 1) @ (field.sides * field.box[:, None])
                apart = np.linalg.norm(places[:, None, None] - places[:, None] - images, axis=-1).min(axis=-1) + 9 * np.eye(len(places))
                near = apart < 1.001 * length
                self.assertEqual(set(near.sum(axis=1)), {count})
                self.assertGreater(apart.min(), 0.999 * length)
                yield name, run, field, places, near

    def test_a_vacancy_in_an_hcp_crystal_is_a_random_walk(self):
        """Independent hops at the rate 12 of length 1, whose mean vanishes on either site: <r^2> = 12 w in an interval w."""
        cell, sites, *_ = self.CRYSTALS["hcp"]
        plane = [(1, 0, 0), (0, 1, 0), (1, -1, 0), (-1, 0, 0), (0, -1, 0), (-1, 1, 0)]
        above = [(x, y, z) for z in (0, -1) for x, y in ((0, 0), (-1, 0), (0, -1))]  # from p to q
        hops = [(site, site, by) for site in "pq" for by in plane]
        hops += [("p", "q", by) for by in above] + [("q", "p", tuple(-x for x in by)) for by in above]
        text = f"[Meta]\nmodel_dimension = 3\n[SpeciesList]\ndefault_species = atom\n[Species atom]\n[Species gap]\n[Lattice]\ncell_size = {cell}\n"
        text += "[Layer crystal]\n" + "".join(f"site {site} = {place}\n" for site, place in sites.items()) + "[Initial]\ngap@p = number 1\n"
        for number, (a, b, by) in enumerate(hops):
            to = f"{b}.({by[0]}, {by[1]}, {by[2]})"
            text += f"[Process hop_{number}]\nrate_constant = 1\nconditions = gap@{a} + atom@{to}\nactions = atom@{a} + gap@{to}\n"
        self.write("walk.ini", text)
        self.call("kmc --processes walk.ini --size 4,4,4 --replicas 64 --track gap --measure-every 2 --until-time 40 --quiet --output walk.h5")
        with tessera_io.open(self.path("walk.h5")) as run:
            value = {name: run.observables[name].value for name in ("events", "squared_hops_gap", "squared_displacement_gap")}
        np.testing.assert_allclose(value["squared_hops_gap"], value["events"], rtol=1e-12)
        squares = np.diff(value["squared_displacement_gap"], axis=0)
        self.assertLess(abs(squares.mean() - 24), 4 * squares.std() / squares.size**0.5)

    def test_sites_are_at_their_places(self):
        for name, run, field, _, _ in self.each():
            sites = len(self.CRYSTALS[name][1])
            self.assertEqual((field.shape, list(field.box), field.lattice, run.sites()), ((8, 6, 4), [4, 6, 8], None, 192))
            self.assertEqual(field.places().shape, (sites, 8, 6, 4, 3))
            np.testing.assert_allclose(field.places()[-1, 3, 2, 1], self.CRYSTALS[name][-1])
            for site, names in field.sites.items():
                for number, species in enumerate(names):
                    coverage = run.observables[f"coverage_{species}" + (f"_{site}" if sites > 1 else "")].value[-1, 1]
                    self.assertAlmostEqual((field.species(site, -1, 1) == number).mean(), coverage, 12)
            self.assertNotIn("structure_factor_x", run.functions)

    def test_clusters_are_those_of_a_search_from_site_to_site(self):
        for name, run, field, _, near in self.each():
            states = field.on_sites(-1, 1).ravel()
            for of in (["B"], ["A", "V"], None):
                there = np.isin(states, field.numbers(of or ["A", "B", "V"]))
                number, count = flood(near, states, there)
                numbers, sizes = field.clusters(-1, 1, of)
                self.assertEqual(numbers.shape, (len(field.sites), 8, 6, 4))
                self.assertEqual(len(set(zip(number, numbers.ravel()))), count + (not there.all()))
                np.testing.assert_array_equal(numbers.ravel() == 0, ~there)
                np.testing.assert_array_equal(sorted(sizes), sorted(np.bincount(number)[1:]))
                observed = tessera_io.clusters(run, of)
                self.assertAlmostEqual(observed["cluster_density"].value[-1, 1], count / len(states), 12)
                volume = {"fcc": 1 / 4, "hcp": 0.5**0.5, "bcc": 1 / 2}[name] * (sizes**2).sum() / sizes.sum()
                self.assertAlmostEqual(np.pi / 6 * observed["cluster_diameter"].value[-1, 1] ** 3, volume, 9)
            self.assertEqual(observed["cluster_diameter"].unit, "length")
            self.assertTrue(np.isnan(tessera_io.clusters(run, ["B"])["cluster_size"].value[0]).all())  # there is no B at first
            self.assertRaisesRegex(tessera_io.TesseraFileError, "state has no species 'C'; it has A, B, V", field.clusters, -1, 0, ["C"])

    def test_exports_have_the_places_and_species(self):
        for name, run, field, places, _ in self.each():
            box = field.sides * [[4], [6], [8]]
            states, sites = np.array(field.names)[field.on_sites(-1, 1).ravel()], np.repeat(list(field.sites), 192)
            for chosen in ((), ("B", "V")):
                there = np.isin(states, chosen or field.names)
                (xyz,) = export(run, "extxyz", self.path("exported"), rows=[-1], replica=1, overwrite=True, species=chosen)
                count, head, *lines = program.read(xyz).splitlines()
                self.assertEqual((int(count), len(lines)), (there.sum(),) * 2)
                self.assertIn('pbc="T T T" Properties=type:S:1:pos:R:3:site:S:1', head)
                np.testing.assert_allclose(np.array(head.split('"')[1].split(), float).reshape(3, 3), box)
                words = [line.split() for line in lines]
                np.testing.assert_allclose(np.array([line[1:4] for line in words], float), places[there], atol=1e-12)
                self.assertEqual([(line[0], line[4]) for line in words], list(zip(states[there], sites[there])))
                for site, species in ((site, species) for site in field.sites for species in chosen or field.names):
                    coverage = run.observables[f"coverage_{species}" + (f"_{site}" if len(field.sites) > 1 else "")].value[-1, 1]
                    self.assertAlmostEqual([(line[0], line[4]) for line in words].count((species, site)) / 192, coverage, 12)
                (table,) = export(run, "csv", self.path("exported"), ["state"], rows=[-1], replica=1, overwrite=True, species=chosen)
                head, *lines = csv.reader(program.read(table).splitlines())
                self.assertEqual(head, ["time (1/k_0)", "replica", "x", "y", "z", "site", "species"])
                np.testing.assert_allclose(np.array([line[2:5] for line in lines], float), places[there])
                self.assertEqual([(line[6], line[5]) for line in lines], list(zip(states[there], sites[there])))
            (shown,) = export(run, "vtkhdf", self.path("exported"), overwrite=True)
            with h5py.File(shown) as file:
                np.testing.assert_allclose(file["VTKHDF/Points"][()], places, rtol=1e-6)
                np.testing.assert_array_equal(file["VTKHDF/PointData/species_1 (0 A, 1 B, 2 V)"][-len(places) :], field.on_sites(-1, 1).ravel())
        for to, species, message in (("extxyz", "B,C", "state has no species 'C'; it has A, B, V"), ("vtkhdf", "B", "vtkhdf: always has all sites")):
            words = ["-m", "tessera_io.export", "fcc.h5", "--to", to, "--species", species]
            self.assertRegex(program.python(words, self.folder, 2)[1], message)

    def test_pictures_are_of_planes_of_unit_cells(self):
        for name, _, field, _, _ in self.each():
            for axis, others in ((0, (1, 2)), (1, (0, 2)), (2, (0, 1))):
                cut = field.slice("xyz"[axis], 1)
                self.assertEqual(cut.shape, tuple(field.box[list(others)][::-1]))
                for site in field.sites:
                    np.testing.assert_array_equal(cut.species(site, -1, 1), field.species(site, -1, 1).take(1, 2 - axis))
                angle = 60 if name == "fcc" or (name == "hcp" and axis == 2) else 90  # of sides of the same length, or drawn as squares
                np.testing.assert_allclose(cut.cell, [[1, 0], [np.cos(np.radians(angle)), np.sin(np.radians(angle))]], atol=1e-12)
            self.assertIn("plane 3 of unit cells across $x$", self.svg(name + ".h5", "state", "--slice", "x:3"))
