# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The documents as a reader meets them: widths of lines, names of outputs, options of CMake, pages that lead to others."""

import glob
import importlib.util
import os
import re
import unittest

import program
import tessera_io
from documents import documents, table_rows, text_of

LONGEST = 120
METHODS = "kmc|kpz|disks"


def too_long(text):
    """Lines longer than LONGEST. A row of a table, a comment, a link and a picture cannot be broken."""
    lines = [line for line in text.splitlines() if len(line) > LONGEST]
    return [line for line in lines if not line.startswith(("|", "<!--")) and not re.fullmatch(r"\S*\[.*\]\(\S+\)\S*", line.strip())]


def new_outputs(text):
    """(file or folder, whether it may exist) of each command in the text that begins a run or a sweep."""
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            call = re.search(rf"\btessera (sweep )?({METHODS})\b(.*)", line)
            if not call or "--dry-run" in line:
                continue
            options = dict(re.findall(r"--([a-z-]+)[ =]([^\s-]\S*)", call[3]))
            config = os.path.splitext(os.path.basename(options.get("config", "")))[0]
            if call[1]:
                name = options.get("folder") or config or call[2] + "_sweep"
            elif "restart" in options and "output" not in options:
                continue
            else:
                name = options.get("output") or (config or call[2]) + ".h5"
            yield name, "--overwrite" in line


class Documents(unittest.TestCase):
    def test_lines_fit_the_page(self):
        self.assertEqual(too_long("a" * 121 + "\n| " + "a" * 130 + " |\n![a](" + "b" * 120 + ")"), ["a" * 121])
        for document in documents():
            with self.subTest(document):
                self.assertEqual(too_long(text_of(document)), [])

    def test_pages_read_in_one_folder_write_different_files(self):
        commands = "```sh\ntessera kmc --phi 1\ntessera kmc --restart a.h5\ntessera sweep kpz --p 0,1\ntessera kpz --config b/c.ini --overwrite\n```\n"
        self.assertEqual(list(new_outputs(commands)), [("kmc.h5", False), ("kpz_sweep", False), ("c.h5", True)])
        page_of = {}
        for document in documents():
            for name, may_exist in new_outputs(text_of(document)):
                if not may_exist:
                    self.assertEqual(page_of.get(name, document), document, f"{name} is of both pages")
                page_of.setdefault(name, document)
        self.assertGreater(len(page_of), 20)

    def test_options_of_cmake_are_those_of_the_build(self):
        declared = re.findall(r"^option\((TESSERA_[A-Z_]+)|^set\((TESSERA_[A-Z_]+) .* CACHE ", text_of("CMakeLists.txt"), re.MULTILINE)
        self.assertGreater(len(declared), 7)
        for option in map("".join, declared):
            self.assertIn(f"| `{option}` |", text_of("docs/installing.md"))

    def test_pages_of_the_site_have_all_options_and_functions(self):
        spec = importlib.util.spec_from_file_location("site_pages", os.path.join(program.SOURCE, "tools", "site_pages.py"))
        pages = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(pages)
        listed = re.findall(r"^\| `(--[a-z0-9-]+)", pages.options(os.path.join(program.SOURCE, "docs")), re.MULTILINE)
        self.assertEqual(listed, sorted(listed))
        self.assertEqual(set(listed), {row[0].split()[0].strip("`") for page in documents() for row in table_rows(page, "option") if "--" in row[0]})
        headings = re.findall("^## `(.*)`", pages.reference(), re.MULTILINE)
        self.assertLess({"tessera_io." + name for name in tessera_io.__all__[2:] if name not in ("__version__", "open")}, set(headings))

    def test_each_diagram_is_on_a_page(self):
        names = re.search(r"^DIAGRAMS = \((.*)\)", text_of("tools/diagrams.py"), re.MULTILINE)[1].split(", ")
        self.assertGreater(len(names), 4)
        pages = "".join(map(text_of, documents()))
        for name in names:
            self.assertTrue(os.path.exists(os.path.join(program.SOURCE, "docs", "images", name + ".svg")), name)
            self.assertIn(f"images/{name}.svg)", pages)

    def test_each_picture_is_shown(self):
        pages = "".join(map(text_of, documents()))
        for path in glob.glob(os.path.join(program.SOURCE, "docs", "images", "*")):
            self.assertIn(f"images/{os.path.basename(path)})", pages)


if __name__ == "__main__":
    unittest.main()
