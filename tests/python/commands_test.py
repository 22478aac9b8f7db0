# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The commands and scripts of the documents and of the input files run on small systems: of all, part TESSERA_PART "N/COUNT"."""

import importlib.util
import os
import re
import subprocess
import unittest

import program
from documents import Shell, below, blocks_of, documents, input_files, method_of, prose_of, text_of

MODULES = ("matplotlib", "MDAnalysis", "pandas", "xarray")
HAS = {module: importlib.util.find_spec(module) is not None for module in MODULES}


def commands_in_sentences(document):
    """Commands of the program within sentences: a method with two options or more, none of them in capitals."""
    found = re.findall(r"`(tessera (?:kmc|kpz|disks|sweep [a-z]+) --[^`]* --[^`]*)`", prose_of(document).replace("\n", " "))
    return [command for command in found if not re.search(r" [A-Z]|\.\.\.", command)]


class Commands(unittest.TestCase):
    def expect_success(self, result, script):
        status, output = result
        self.assertEqual(status, 0, f"{script}\n{output}")

    def run_document(self, document):
        """All blocks of a document in one folder, one after the other: commands and Python scripts as they stand, and scripts
        that the document gives as a file."""
        shell = Shell(self)
        for language, comment, text in blocks_of(document):
            if comment.startswith("file "):
                shell.write(comment[5:], text)
                self.expect_success(shell.bash("bash " + comment[5:]), text)
            elif language == "sh":
                self.expect_success(shell.bash(text), text)
            elif language == "python" and all(HAS[module] for module in MODULES if module in text):
                self.expect_success(shell.python(text), text)
        for command in commands_in_sentences(document):
            self.expect_success(shell.bash(command + "\n"), command)

    def run_input(self, file):
        """The commands in the head of an input file, or the plain one."""
        shell = Shell(self)
        script = "".join(line + "\n" for line in re.findall("^#     (.*)", text_of(file), re.MULTILINE))
        script = script or f"tessera {method_of(file)} --config {file}\n"
        self.assertIn("--config " + file, script)
        self.expect_success(shell.bash(script), script)
        self.assertTrue(os.path.exists(shell.path(os.path.splitext(os.path.basename(file))[0] + ".h5")), script)

    def run_model(self, file):
        size = "8,8,8" if "model_dimension = 3" in text_of(file) else "32"
        words = ["kmc", "--processes", os.path.join(program.SOURCE, file), *f"--size {size} --until-events-per-site 0.1 --quiet".split()]
        program.run(words, Shell(self).folder)

    def expect_accepted(self, file):
        """The program checks all of its input before it looks at the memory that there is, and then at the place of the
        output: if it complains about these, every key and every value is right."""
        words = [program.PROGRAM, method_of(file), "--config", os.path.join(program.SOURCE, file), "--output", "no_such_folder/output.h5"]
        done = subprocess.run(words, cwd=Shell(self).folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, "no_such_folder|GiB are available")


def add_tests():
    """A test for each file, of those in this part."""
    files = {
        Commands.run_document: documents(),
        Commands.run_input: input_files(),
        Commands.run_model: below("inputs/models", ".ini"),
        Commands.expect_accepted: input_files(),
    }
    assert min(map(len, files.values())) >= 3
    part, count = map(int, os.environ.get("TESSERA_PART", "0/1").split("/"))
    cases = [(run, file) for run, names in files.items() for file in names]
    for run, file in cases[part::count]:
        name = f"test_{run.__name__}_{re.sub('[^A-Za-z0-9]', '_', file)}"
        setattr(Commands, name, lambda self, run=run, file=file: run(self, file))


add_tests()

if __name__ == "__main__":
    unittest.main()
