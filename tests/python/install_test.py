# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The packages installed by pip, without a network."""

import os
import shutil
import subprocess
import sys

import program


class Installation(program.InFolder):
    def test_pip_installs_all_that_is_needed(self):
        source, target = self.path("python"), self.path("target")
        built = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
        shutil.copytree(os.path.join(program.SOURCE, "python"), source, ignore=built)
        pip = "-m pip install --quiet --no-index --no-deps --no-build-isolation --disable-pip-version-check --target".split()
        program.python([*pip, target, source], self.folder)
        environment = {**os.environ, "PYTHONPATH": target}
        for script in ("tessera-plot", "tessera-reproduce"):
            command = [sys.executable, os.path.join(target, "bin", script), "--help"]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("usage", done.stdout)
        where = "import tessera_io, tessera_io.plot, tessera_reproduce; print(tessera_io.__file__)"
        command = [sys.executable, "-c", where]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=self.folder)
        self.assertTrue(done.stdout.startswith(target), done.stdout)
