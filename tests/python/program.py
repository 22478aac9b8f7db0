# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Runs the program for the tests, in folders that vanish afterwards."""

import contextlib
import io
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


def read(path):
    """The text of a file."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    """Writes a file with this text."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def printed(call, *words, **options):
    """(result or exit status, standard output, standard error) of a call in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            result = call(*words, **options)
        except SystemExit as stop:
            result = stop.code
    return result, out.getvalue(), err.getvalue()


class WithFolder(unittest.TestCase):
    """Tests with files in the folder `folder`, in which they call the program."""

    def names(self):
        return sorted(os.listdir(self.folder))

    def read(self, name):
        return read(self.path(name))

    def write(self, name, text):
        write(self.path(name), text)
        return self.path(name)

    def start(self, words, launcher=(), environment=()):
        """The process of a call. A sweep draws no plot."""
        command = [*launcher, PROGRAM, *(words.split() if isinstance(words, str) else words)]
        variables = {**os.environ, "TESSERA_PLOT": "true", **dict(environment)}
        process = subprocess.Popen(command, cwd=self.folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def call(self, words, status=0, **options):
        """(standard output, standard error) of a call, which has to end with this exit status."""
        process = self.start(words, **options)
        out, err = process.communicate()
        self.assertEqual(process.returncode, status, f"{words}\n{err}")
        return out, err


class InFolder(WithFolder):
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


class InEmptyFolder(WithFolder):
    """Tests that each call the program in an empty folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)
