# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The public headers: docs/library.md lists them, and examples include no others."""

import glob
import os
import re
import unittest

import program

INTERNAL = ("/state/", "/kernels/", "/steps/", "/observables/", "/kokkos_ext/")


def paths(pattern):
    return glob.glob(os.path.join(program.SOURCE, pattern))


def text_of(path):
    return program.read(path)


def public_headers():
    section = text_of(os.path.join(program.SOURCE, "docs/library.md")).split("## Public headers")[1].split("\n## ")[0]
    return re.findall(r"`(tessera/[a-z_/]+\.hpp)`", section)


class PublicHeaders(unittest.TestCase):
    def test_each_exists_once_and_in_no_internal_folder(self):
        self.assertEqual(len(public_headers()), len(set(public_headers())))
        for header in public_headers():
            self.assertTrue(os.path.exists(os.path.join(program.SOURCE, "include", header)), header)
            self.assertFalse(any(folder in header for folder in INTERNAL), header)

    def test_include_all_headers_at_the_root_of_a_method_and_all_models(self):
        for folder in ("kmc", "kmc/models", "kpz", "disks"):
            for path in paths(f"include/tessera/{folder}/*.hpp"):
                self.assertIn(f"tessera/{folder}/{os.path.basename(path)}", public_headers())

    def test_examples_include_no_others(self):
        examples = paths("tests/install/user_program/*.?pp") + paths("docs/*.md")
        included = {(path, name) for path in examples for name in re.findall(r"#include <(tessera/.+?)>", text_of(path))}
        self.assertGreater(len(included), 10)
        for path, name in included:
            self.assertIn(name, public_headers(), path)


if __name__ == "__main__":
    unittest.main()
