# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Includes have one direction, between the folders of the sources and between the layers of a method (docs/code.md), and
no cycles between files."""

import os
import re
import unittest

import program

MAY_INCLUDE = {
    "include/tessera/core": {},
    "include/tessera/analysis": {"core"},
    "include/tessera/io": {"core"},
    "include/tessera/parallel": {"io", "core"},
    "include/tessera/simulation": {"parallel", "io", "analysis", "core"},
    "include/tessera/kmc": {"simulation", "parallel", "io", "analysis", "core"},
    "include/tessera/kpz": {"simulation", "parallel", "io", "analysis", "core"},
    "include/tessera/disks": {"simulation", "parallel", "io", "analysis", "core"},
    "src/core": {},
    "src/io": {},
    "src/parallel": {},
    "src/options": {},
    "src/machine": {"options"},
    "src/run": {"io", "machine", "options"},
    "src/processes": {"options"},
    "src/simulations": {"processes", "run"},
    "src/methods": {"simulations", "processes", "run", "machine", "options"},
    "src": {"methods", "run", "machine", "options"},
}

# The layers of a method. Its root, with the sequential methods and those in three dimensions, may include all of them, and no layer includes the root, except
# the values that describe a system.
LAYERS = {
    "values": {"state"},
    "state": {"values"},
    "kernels": {"state", "values"},
    "observables": {"state", "values"},
    "steps": {"kernels", "state", "values"},
    "root": {"steps", "kernels", "observables", "state", "values"},
}
VALUES = {"parameters.hpp", "neighbourhood.hpp", "model.hpp", "models", "configuration.hpp"}


def files():
    for top in ("include/tessera", "src"):
        for folder, _, names in os.walk(os.path.join(program.SOURCE, top)):
            for name in names:
                if name.endswith((".hpp", ".cpp")):
                    yield os.path.relpath(os.path.join(folder, name), program.SOURCE)


def folder_of(path):
    parts = path.split("/")[:-1]
    return "/".join(parts[: 3 if parts[0] == "include" else 2])


def layer_of(path):
    """The layer of a file of a method in include/; None for other files."""
    top, _, method, *inside = path.split("/")
    if top != "include" or method not in ("kmc", "kpz", "disks"):
        return None
    return "values" if inside[0] in VALUES else "root" if len(inside) == 1 or inside[0] in ("sequential", "space") else inside[0]


def includes_of(path):
    """The files of the same top folder that a file includes: include/ never includes src/."""
    text = program.read(os.path.join(program.SOURCE, path))
    if path.startswith("src"):
        return ["src/" + name for name in re.findall(r'#include "(?!tessera/)([^"]+)"', text)]
    return ["include/" + name for name in re.findall(r"#include <(tessera/[^>]+)>", text)]


class Includes(unittest.TestCase):
    def test_includes_follow_the_order_of_folders(self):
        for path in files():
            folder = folder_of(path)
            self.assertIn(folder, MAY_INCLUDE, f"{path}: a folder that this test does not have")
            for included in includes_of(path):
                self.assertTrue(os.path.exists(os.path.join(program.SOURCE, included)), f"{path} includes {included}")
                other = folder_of(included)
                self.assertTrue(
                    other == folder or os.path.basename(other) in MAY_INCLUDE[folder], f"{path} includes {included}"
                )

    def test_includes_of_a_method_follow_the_order_of_its_folders(self):
        layers = {path: layer_of(path) for path in files() if path.startswith("include/")}
        self.assertEqual(set(LAYERS), set(layers.values()) - {None})
        for path, layer in layers.items():
            for included in includes_of(path) if layer else ():
                other = layers[included]
                self.assertTrue(other in (None, layer) or other in LAYERS[layer], f"{path} includes {included}")

    def test_includes_have_no_cycles(self):
        graph = {path: includes_of(path) for path in files()}
        done = set()

        def visit(path, way):
            self.assertNotIn(path, way, " -> ".join([*way, path]))
            if path not in done:
                for included in graph[path]:
                    visit(included, [*way, path])
                done.add(path)

        for path in graph:
            visit(path, [])


class AssignedLists(unittest.TestCase):
    def test_have_a_type(self):
        """nvcc 13.0 drops the designators of a list that a template assigns, so that members it skips get its values:
        x = S{.a = 1, .c = 2} is right, x = {.a = 1, .c = 2} sets a and b."""
        for path in files():
            with open(os.path.join(program.SOURCE, path), encoding="utf-8") as file:
                self.assertIsNone(re.search(r"=\s*\{\s*\.[a-z_]+ = ", file.read()), path)


if __name__ == "__main__":
    unittest.main()
