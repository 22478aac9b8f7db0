# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""What the documents say, held against the program and the sources."""

import json
import os
import re
import subprocess
import unittest

import h5py
import program
from documents import below, blocks_of, documents, exists, models, table_rows, text_of

METHODS = ("kmc", "disks", "kpz")


class Files(unittest.TestCase):
    def test_code_equals_the_tested_files(self):
        """A block after the comment <!-- PATH --> is the text of that file but for the licence. C++ has no other blocks: tests
        compile these files."""
        compared = 0
        for document in documents():
            for language, comment, text in blocks_of(document):
                is_file = comment != "" and exists(comment)
                self.assertTrue(is_file or language != "cpp", f"{document}: no test compiles\n{text}")
                if is_file:
                    self.assertEqual(text, re.sub(".*SPDX-.*\n", "", text_of(comment)), f"{document}, {comment}")
                    compared += 1
        self.assertEqual(compared, 11)

    def test_named_tests_exist(self):
        """Tests are named by their suite or class, of disks and model files by themselves or their suite."""
        sources = "".join(map(text_of, below("tests", ".cpp") + below("tests/python", ".py")))
        for page, form in (("kmc", r"TEST(_F|_P)?\({0},|TEST_SUITE\({0},|class {0}\("), *((page, r"TEST\({0},|, {0}\)|def {0}\(|{{\"{0}\"") for page in ("disks", "processes"))):
            rows = table_rows(f"docs/validation/{page}.md", "what")
            self.assertGreater(len(rows), 3)
            names = [name for row in rows for name in re.findall(r"`(\w+)`", row[2])]
            self.assertEqual([name for name in names if not re.search(form.format(name), sources)], [])

    def test_links_lead_to_files_and_headings(self):
        for document in documents():
            for path, _, anchor in re.findall(r"\]\(([^)#:]*)(#([^)]*))?\)", text_of(document)):
                target = os.path.normpath(os.path.join(os.path.dirname(document), path)) if path else document
                self.assertTrue(exists(target), f"{document}: {target}")
                if anchor:
                    headings = re.findall("^#[# ]*(.*)", text_of(target), re.MULTILINE)
                    anchors = [re.sub("[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings]
                    self.assertIn(anchor, anchors, f"{document}: {target}")

    def test_the_map_of_the_code_names_files_that_exist(self):
        named = re.findall(r"`([a-z_/]+/[a-z_/]*(?:\.[a-z]+)?)`", text_of("docs/code.md"))
        self.assertGreater(len(named), 50)
        for path in named:
            self.assertTrue(any(exists(root + path) for root in ("", "include/tessera/", "include/tessera/kmc/")), path)

    def test_the_map_of_the_code_names_exactly_the_kernels(self):
        launch = (
            r"(?:parallel_(?:for|reduce|scan)|launch|sum(?:_over_\w+)?<[^<>]*>)"
            r'\s*\([^"]{0,80}?((?:"tessera::[a-z_:]+"(?:\s*:\s*)?)+)'
        )
        calls = re.findall(launch, "\n".join(map(text_of, below("include", ".hpp"))))
        launched = {label for call in calls for label in re.findall("tessera::([a-z]+::[a-z_]+)", call)}
        self.assertGreater(len(launched), 30)
        self.assertEqual(set(re.findall("`([a-z]+::[a-z_]+)`", text_of("docs/code.md"))), launched)

    def test_deviations_of_schemes_equal_those_of_the_program(self):
        page = "docs/kpz_exact.md"
        velocities = {row[0]: row[1:] for row in table_rows(page, "deviation of the velocity, %")}
        steady = {row[0]: row[1:] for row in table_rows(page, "steady state: deviation of W^2, %") if row[0] != "sequential"}
        growth = {row[0]: row[6] for row in table_rows(page, "growth: deviation of W^2, %") if "domain" not in row[0]}
        measured = re.findall(r'^ +\{"(\w+)", (\d), "(.*?)", "(.*?)"\}', text_of("src/methods/kpz.cpp"), re.MULTILINE)
        self.assertGreater(len(measured), 10)
        for name, cell, roughness, velocity in measured:
            scheme = f"{name}, TC={cell},{cell}"
            self.assertEqual(velocities.pop(scheme), velocity.split())
            self.assertEqual(steady.pop(scheme, ["-"] * 4), roughness.split()[1:])
            if roughness.startswith("-") and roughness.split()[0] == "-":
                growth.pop(scheme, None)  # grows with time
            else:
                self.assertEqual(growth.pop(scheme), roughness.split()[0])
        self.assertEqual((velocities, steady, growth), ({}, {}, {}))

    def test_speeds_in_the_readme_equal_the_performance_page(self):
        measured = {cell.strip() for line in re.findall(r"^\|.*", text_of("docs/performance.md"), re.MULTILINE) for cell in line.split("|")}
        shown = [cell for row in table_rows("README.md", "rate") for cell in row[1:] if cell != "-"]
        self.assertGreaterEqual(len(shown), 9)
        self.assertLessEqual(set(shown), measured)


def options_in_help(command):
    """{option: (argument, default)} A default is a word; text in brackets with blanks in it explains."""
    text = re.sub(r"\n {6,}", " ", program.run([command, "--help", "all"], program.SOURCE))
    return {name: (argument, default) for name, argument, default in re.findall(r"^  --([a-z0-9-]+)(?: (\S+))?  +.*?(?:\[([^\] ]+)\])?$", text, re.MULTILINE)}


def options_in_page(page):
    rows = table_rows(page, "option")
    return [(re.fullmatch(r"`--([a-z0-9-]+)(?: (\S+))?`", row[0]).groups(""), row[1].strip("`")) for row in rows]


class Program(program.InFolder):
    @classmethod
    def prepare(cls):
        os.symlink(os.path.join(program.SOURCE, "inputs"), os.path.join(cls.folder, "inputs"))

    def test_options_and_defaults_equal_the_help(self):
        """Models that share an option say the same of it."""
        for method in METHODS:
            documented = {}
            pages = [f"docs/{method}.md", "docs/output.md"] + [f"docs/models/{model}.md" for model in models() if method == "kmc"]
            for page in pages:
                for (name, argument), default in options_in_page(page):
                    if page.startswith("docs/models/"):
                        self.assertEqual(documented.setdefault(name, (argument, default)), (argument, default), page)
                    else:
                        self.assertNotIn(name, documented, page)
                        documented[name] = argument, default
            self.assertGreater(len(documented), 20)
            self.assertEqual(documented, options_in_help(method))
        documented = {name: (argument, default) for (name, argument), default in options_in_page("docs/campaigns.md")}
        self.assertEqual(documented, options_in_help("sweep"))

    def test_models_and_parameters_equal_those_of_the_program(self):
        """A page for every model, with a row for every parameter that gives its bounds."""
        self.assertEqual(len(models()), 7)
        for model, options in models().items():
            page = f"docs/models/{model}.md"
            self.assertIn(f"[`{model}`](models/", text_of("docs/kmc.md"))
            self.assertIn(f"`--model {model}`.", text_of(page))
            rows = {row[0].split()[0].strip("`"): row[2] for row in table_rows(page, "option")}
            self.assertEqual(list(rows), ["--" + option for option in options])
            for option, text in rows.items():
                words = [program.PROGRAM, "kmc", "--until-time", "1", "--model", model, option, "-1e300"]
                bounds = re.search(r"must lie (in \[.*\])", subprocess.run(words, capture_output=True, text=True, check=False).stderr)[1]
                self.assertTrue(text.endswith(", " + bounds), f"{page} {option}: {bounds}")

    def test_help_fits_a_screen_and_is_grouped(self):
        """Of 50 lines and 100 columns."""
        for words in (["--help"], *([command, "--help"] for command in (*METHODS, "sweep"))):
            lines = program.run(words, self.folder).splitlines()
            self.assertLessEqual(max(map(len, lines)), 100, words)
            self.assertTrue(8 < len(lines) <= 50, words)
            if words[0] in METHODS:
                self.assertGreaterEqual(sum(re.fullmatch("[A-Z].*:", line) is not None for line in lines), 5, words)

    def observables(self, words, file):
        """{name: unit} of each group, and the unit of time."""
        program.run([*words.split(), "--output", file, "--quiet"], self.folder)
        with h5py.File(os.path.join(self.folder, file)) as output:

            def unit(dataset):
                found = dataset.attrs.get("unit", "")
                return found.decode() if isinstance(found, bytes) else found

            units = [{name: unit(data["value"]) for name, data in output.get(group, {}).items()} for group in ("observables", "diagnostics")]
            return *units, unit(output["observables/events/time"]) if "events" in units[0] else ""

    def test_observables_equal_those_of_the_file(self):
        """Those of the page of the model, and those of all models; the help lists them with their units."""
        for model in models():
            observed, diagnosed, of_time = self.observables(f"kmc --model {model} --size 16 --until-time 1", model + ".h5")
            rows = table_rows("docs/kmc.md", "name") + table_rows(f"docs/models/{model}.md", "name")
            self.assertEqual({row[0].strip("`"): of_time if row[1] == "as time" else row[1] for row in rows}, {**observed, **diagnosed})
            listed = program.run(["kmc", "--model", model, "--help"], self.folder).partition("\nObservables:\n")[2]
            self.assertEqual(
                set(re.findall(r"(\w+(?: \([^)]*\))?)(?:,|\n\Z)", listed)),
                {name + (f" ({unit})" if unit else "") for name, unit in observed.items()},
            )
        documented = {row[0].strip("`"): row[1] for row in table_rows("docs/disks.md", "name")}
        self.assertEqual(documented, self.observables("disks --particles 64 --sweeps 10", "disks.h5")[0])

    def test_json_keys_equal_those_of_the_program(self):
        """A run that reaches its stopping time has no keys of which the table says "only where ..."."""
        rows = table_rows("docs/output.md", "key")
        documented = {key for row in rows if not row[1].startswith("only where") for key in re.findall("`([a-z_]+)`", row[0])}
        self.assertEqual(documented, set(json.loads(program.run("kmc --size 16 --until-time 1 --json".split(), self.folder))))

    def test_example_output_is_what_the_program_prints(self):
        """After the comment <!-- output of tessera ... -->: the lines that do not depend on the machine."""
        compared = 0
        for _, comment, text in blocks_of("README.md") + blocks_of("docs/campaigns.md"):
            if comment.startswith("output of tessera "):
                printed = program.run(comment.split()[3:], self.folder)
                for line in text.splitlines():
                    self.assertIn(line.split(",")[0] if line.startswith("time ") else line, printed)
                    compared += 1
        self.assertGreaterEqual(compared, 8)


if __name__ == "__main__":
    unittest.main()
