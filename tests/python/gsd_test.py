# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Disks in GSD, the format of HOOMD-blue, and runs that start from them."""

import re
import shlex
import shutil
import unittest

import numpy as np
import program
import tessera_io
from export_test import Files
from tessera_io.export.hoomd import diameter_of


class SinglePrecision(unittest.TestCase):
    def test_disks_that_touch_do_not_overlap(self):
        random = np.random.default_rng(1)
        for box in ([8.9, 8.9], [271.2, 271.2], [290.7, 253.1], [4096.3, 700.1]):
            box = np.array(box)
            first = random.random((100000, 2)) * box
            angle = random.random(len(first)) * 2 * np.pi
            second = np.mod(first + np.stack([np.cos(angle), np.sin(angle)], axis=1), box)
            single = [(place - box / 2).astype(np.float32).astype(float) for place in (first, second)]
            edges = box.astype(np.float32).astype(float)
            apart = np.abs(single[0] - single[1])
            distance = np.hypot(*np.minimum(apart, edges - apart).T)
            self.assertLessEqual(diameter_of(box), distance.min())
            self.assertLess(1 - diameter_of(box), 8 * (1 - distance.min()))


try:
    import gsd.hoomd
except ImportError:
    gsd = None


@unittest.skipUnless(gsd, "no library of GSD (Debian: python3-gsd)")
class Gsd(Files):
    def test_gsd_of_disks(self):
        paths, _ = self.export("two.h5", "--to", "gsd")
        self.assertEqual(paths, ["two_disks_0.gsd", "two_disks_1.gsd"])
        with tessera_io.open(self.path("two.h5")) as run:
            for path, particles in zip(paths, run.particles.values()):
                with gsd.hoomd.open(self.path(path)) as frames:
                    self.assertEqual(len(frames), 3)
                    for row, frame in enumerate(frames):
                        box = particles.box(row)
                        np.testing.assert_allclose(frame.configuration.box[:2], box, rtol=1e-6)
                        self.assertEqual((frame.configuration.dimensions, frame.configuration.step), (2, particles.step[row]))
                        np.testing.assert_allclose(frame.particles.position[:, :2] + box / 2, particles.position(row), atol=1e-5)
                        (diameter,) = set(frame.particles.diameter)
                        self.assertTrue(1 - 1e-5 < diameter < 1)
                        self.assertEqual(frame.log["time"][0], 10 * row)

    def test_a_gsd_file_is_the_start_of_another_run(self):
        (path,), _ = self.export("one.h5", "--to", "gsd", "--output", self.path("start"))
        (path,), _ = self.export(path, "--to", "extxyz", "--row", "-1")
        self.assertEqual(path, "start_disks.xyz")
        with tessera_io.open(self.path("one.h5")) as run:
            ((head, columns),) = self.frames(path)
            np.testing.assert_allclose(columns[:, :2], run.particles["disks"].position(), atol=1e-5)
            self.assertTrue(0.49999 < columns[0, 3] < 0.5)
        words = "disks --particles 64 --packing-fraction 0.6979 --start start_disks.xyz --sweeps 2 --quiet"
        program.run(words.split(), self.folder)

    def test_lattices_are_no_particles(self):
        _, err = self.export("sos.h5", "--to", "gsd", "height", status=2)
        self.assertRegex(err, "GSD stores only particles, and height are not particles")

    def write(self, name, positions, box, diameters=None):
        """A GSD file as HOOMD-blue writes it, with the origin in the middle of the box; positions: [frames, N, 2]."""
        with gsd.hoomd.open(self.path(name), "w") as file:
            for step, points in enumerate(positions):
                frame = gsd.hoomd.Frame()
                frame.configuration.box = [*box, 0, 0, 0, 0]
                frame.configuration.step = step
                frame.particles.N = len(points)
                frame.particles.position = [(*point, 0) for point in points - np.array(box) / 2]
                frame.particles.diameter = diameters
                file.append(frame)

    def test_the_program_names_the_command_that_converts_a_gsd_file(self):
        with tessera_io.open(self.path("one.h5")) as run:
            disks = run.particles["disks"]
            self.write("several.gsd", [disks.position(row) for row in range(3)], disks.box())
            self.assertFalse(np.array_equal(disks.position(0), disks.position(1)))
            first = disks.position(1)
        shutil.copy(self.path("several.gsd"), self.path("no_ending"))
        words = "disks --particles 64 --packing-fraction 0.6979 --sweeps 2 --field-every 1 --quiet --overwrite --output started.h5 --start"
        for name in ("several.gsd", "no_ending"):
            _, refused = self.call(f"{words} {name}", status=2)
            self.assertEqual(len(refused.splitlines()), 1, refused)
            command, start = re.search(r"convert it by python3 (.* --to extxyz), and start from (\S+)\n", refused).groups()
            out, _ = program.python(shlex.split(command), self.folder)
            self.assertEqual(out, start + "\n")
            program.run([*words.split(), start, "--start-row", 1], self.folder)
            with tessera_io.open(self.path("started.h5")) as run:
                nearest = np.abs(run.particles["disks"].position(0)[:, None] - first[None]).max(axis=2).min(axis=1)
            self.assertLess(nearest.max(), 1e-3)

    def test_unconvertible_files_are_refused_in_a_line(self):
        self.write("empty.gsd", [], [8, 8])
        self.write("nobody.gsd", np.zeros((1, 0, 2)), [8, 8])
        self.write("unequal.gsd", [np.array([[1, 1], [4, 4]])], [8, 8], [1, 2])
        with open(self.path("unequal.gsd"), "rb") as whole, open(self.path("damaged.gsd"), "wb") as part:
            part.write(whole.read(300))
        program.write(self.path("text.gsd"), "1 1\n")
        for name, message in (
            ("empty.gsd", "has no frames"),
            ("nobody.gsd", "row 0 has no particles"),
            ("unequal.gsd", "row 0 has disks of several diameters"),
            ("damaged.gsd", ""),
            ("text.gsd", ""),
            ("none.gsd", "no such file"),
        ):
            _, err = self.export(name, "--to", "extxyz", status=2)
            self.assertRegex(err, f"^tessera_io.export: .*{name}: .*{message}")
            self.assertEqual(len(err.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
