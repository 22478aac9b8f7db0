# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Runs the program for the tests, in folders that vanish afterwards."""

import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get("TESSERA_PROGRAM", "")
SOURCE = os.environ["TESSERA_SOURCE"]


def run(words, folder, program=PROGRAM, plots=False):
    """Standard output of `tessera WORDS`; it has to succeed. A sweep draws its plot only for those that look at it."""
    environment = {**os.environ, **({} if plots else {"TESSERA_PLOT": "true"})}
    done = subprocess.run([program, *map(str, words)], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}: exit status {done.returncode}\n{done.stderr}"
    return done.stdout


def python(words, folder, status=0):
    """(standard output, standard error) of `python3 WORDS`, which has to end with this exit status."""
    done = subprocess.run([sys.executable, *map(str, words)], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == status, f"{words}: exit status {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout, done.stderr


class InFolder(unittest.TestCase):
    """Tests in a folder of their own, shared by those of a class; prepare() fills it, with the output of `runs`."""

    runs = ()  # words of the program

    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory()
        cls.folder = cls._folder.name
        cls.addClassCleanup(cls._folder.cleanup)
        cls.prepare()

    @classmethod
    def prepare(cls):
        for words in cls.runs:
            run([*words.split(), "--quiet"], cls.folder)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)
