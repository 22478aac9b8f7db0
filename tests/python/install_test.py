# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The packages, installed by the commands of docs/python.md, without a network."""

import os
import shutil
import subprocess
import sys

import program


def documented():
    """The commands of docs/python.md from `python3 -m venv` on."""
    with open(os.path.join(program.SOURCE, "docs", "python.md"), encoding="utf-8") as document:
        lines = [line.strip() for line in document if line.startswith("    ")]
    first = next(i for i, line in enumerate(lines) if line.startswith("python3 -m venv "))
    return lines[first : first + 3]


class Installation(program.InFolder):
    def test_the_documented_commands_install_all_that_is_needed(self):
        built = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
        shutil.copytree(os.path.join(program.SOURCE, "python"), self.path("python"), ignore=built)
        # No registry, no settings of the machine's pip, no package of the source.
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
        environment["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), environment["PATH"]])
        environment.update(HOME=self.folder, PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull, PIP_DISABLE_PIP_VERSION_CHECK="1")

        def run(command):
            words = ["bash", "-c", command]
            done = subprocess.run(words, env=environment, cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}{done.stderr}")
            return done.stdout

        commands = documented()
        for command in commands:
            out = run(command)
        self.assertTrue(commands[-1].endswith("tessera-plot --help"))
        self.assertIn("usage", out)
        scripts = os.path.dirname(commands[-1].split()[0])
        self.assertIn("usage", run(f"{scripts}/tessera-reproduce --help"))
        where = "import tessera_io, tessera_io.plot, tessera_reproduce; print(tessera_io.__file__)"
        self.assertTrue(run(f"{scripts}/python3 -c '{where}'").startswith(self.path("tessera-python")))
