# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The packages, installed by the commands of docs/python.md, without a network."""

import importlib.util
import os
import shutil
import subprocess
import sys
import unittest

import program


def documented(begin, count):
    """So many commands of docs/python.md, from the one that begins like this on."""
    with open(os.path.join(program.SOURCE, "docs", "python.md"), encoding="utf-8") as document:
        lines = [line.strip() for line in document if line.startswith("    ")]
    first = next(i for i, line in enumerate(lines) if line.startswith(begin))
    return lines[first : first + count]


class Installation(program.InFolder):
    def setUp(self):
        self.home = self.path(self.id().rpartition(".")[2])
        os.makedirs(self.home)
        built = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
        shutil.copytree(os.path.join(program.SOURCE, "python"), os.path.join(self.home, "python"), ignore=built)
        # No registry, no settings of the machine's pip, no package of the source.
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
        self.environment["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), self.environment["PATH"]])
        self.environment["PYTHONPYCACHEPREFIX"] = bytecode = self.path("bytecode")  # of the machine's modules, which may have none
        known = os.path.join(os.environ.get("PYTHONPYCACHEPREFIX", "none"), "usr")
        if os.path.isdir(known) and not os.path.exists(bytecode):
            os.makedirs(bytecode)
            os.symlink(known, os.path.join(bytecode, "usr"))
        self.environment.update(HOME=self.home, PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull, PIP_DISABLE_PIP_VERSION_CHECK="1")

    def run_command(self, command):
        words = ["bash", "-c", command]
        done = subprocess.run(words, env=self.environment, cwd=self.home, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}{done.stderr}")
        return done.stdout

    def check(self, commands, python):
        for command in commands:
            out = self.run_command(command)
        self.assertTrue(commands[-1].endswith("tessera-plot --help"))
        self.assertIn("usage", out)
        scripts = os.path.dirname(commands[-1].split()[0])
        for name in ("tessera-export", "tessera-reproduce"):
            self.assertIn("usage", self.run_command(f"{scripts}/{name} --help"))
        packages = "tessera_io, tessera_io.export, tessera_io.plot.movie, tessera_reproduce"
        version = "importlib.metadata.version('tessera-io') == tessera_io.__version__"
        where = f"import importlib.metadata, {packages}; assert {version}; print(tessera_io.__file__)"
        self.assertTrue(self.run_command(f'{python} -c "{where}"').startswith(self.home))

    def test_the_documented_commands_install_all_that_is_needed(self):
        self.check(documented("python3 -m venv ", 3), "$HOME/tessera-python/bin/python3")

    @unittest.skipIf(importlib.util.find_spec("pip") is None, "no pip")
    @unittest.skipIf(sys.prefix != sys.base_prefix, "in an environment already, where there is no --user")
    def test_without_an_environment(self):
        self.check(documented("python3 -m pip install --user", 2), "python3")
