# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""README.md, docs/ and inputs/, in parts, and a shell as their reader has it."""

import atexit
import functools
import glob
import os
import re
import shlex
import shutil
import subprocess
import tempfile

import preloaded
import program


def below(folder, ending):
    """The files below a folder of the sources with this ending, relative to the sources, in the order of names."""
    found = glob.glob(os.path.join(program.SOURCE, folder, "**", "*" + ending), recursive=True)
    return sorted(os.path.relpath(path, program.SOURCE) for path in found)


def documents():
    """README.md, then docs/ in the order of names, relative to the source folder."""
    return ["README.md", *below("docs", ".md")]


def input_files():
    return [file for file in below("inputs", ".ini") if not file.startswith("inputs/models/")]


def method_of(input_file):
    """The method of an input file begins its name; with any other name it is kmc."""
    method = os.path.basename(input_file).split("_")[0]
    return method if method in ("kpz", "disks") else "kmc"


def text_of(document):
    return program.read(os.path.join(program.SOURCE, document))


def exists(path):
    return os.path.exists(os.path.join(program.SOURCE, path))


def blocks_of(document):
    """(language, text of the HTML comment in the line before, text) of each fenced block."""
    return [
        (language, comment or "", text)
        for comment, language, text in re.findall(r"(?:^<!-- (.*) -->\n)?^```(.*)\n((?:(?!```).*\n)*)```", text_of(document), re.MULTILINE)
    ]


def prose_of(document):
    """The text without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", text_of(document), flags=re.MULTILINE | re.DOTALL)


def table_rows(document, header):
    r"""The rows of the tables whose header begins with this cell, cell by cell, "\|" read as "|"."""
    rows = []
    for table in re.findall(rf"^\| {re.escape(header)} \|.*\n\| ---.*\n((?:\|.*\n)*)", text_of(document), re.MULTILINE):
        for line in table.splitlines():
            rows.append([cell.strip().replace("\0", "|") for cell in line.replace("\\|", "\0").split("|")[1:-1]])
    return rows


def models():
    """{name of a model of kmc: names of its options}"""
    text = program.run(["kmc", "--help"], program.SOURCE)
    return {name: re.findall("--([a-z-]+)", options) for name, options in re.findall(r"^  (\w+) +[^:\n]+: (--.*)", text, re.MULTILINE)}


@functools.cache
def python3():
    """Words that are python3 with the modules of others loaded."""
    folder = tempfile.TemporaryDirectory()
    path = os.path.join(folder.name, "socket")
    process = preloaded.start(path)
    atexit.register(folder.cleanup)
    atexit.register(process.wait)
    atexit.register(process.kill)
    return [program.sys.executable, "-SE", preloaded.__file__, path]


class Shell:
    """A folder with inputs/, in which `tessera` runs the program on lattices of 32 x 32 sites and for a twentieth of the time
    (tests/python/small_tessera.sh). Of the tools that the documents use, srun and sbatch are stand-ins (a job is the first one
    of an array of eight), h5dump if the machine lacks it. Sweeps make no plots."""

    TOOLS = {
        "tessera": f"TESSERA_PROGRAM='{program.PROGRAM}' exec bash '{program.SOURCE}/tests/python/small_tessera.sh' \"$@\"\n",
        "srun": 'exec "$@"\n',
        "mpirun": '[ "$1" = -n ] || exit 1\nshift 2\nexec "$@"\n',
        "sbatch": 'exec bash "$@"\n',
    }

    def __init__(self, test):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.mkdir(self.path("tools"))
        os.symlink(os.path.join(program.SOURCE, "inputs"), self.path("inputs"))
        for name, text in {**self.TOOLS, **({} if shutil.which("h5dump") else {"h5dump": "exit 0\n"})}.items():
            self.write("tools/" + name, "#!/bin/sh\n" + text)
            os.chmod(self.path("tools/" + name), 0o700)
        self.environment = {
            **os.environ,
            "PATH": self.path("tools") + ":" + os.environ["PATH"],
            "PYTHONPATH": os.path.join(program.SOURCE, "python"),
            "TESSERA_PLOT": "true",
            "SLURM_ARRAY_TASK_ID": "0",
            "SLURM_ARRAY_TASK_COUNT": "8",
        }

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        program.write(self.path(name), text)

    def run(self, *words, environment=()):
        """(exit status, what the command printed)"""
        done = subprocess.run(
            words, cwd=self.folder, env={**self.environment, **dict(environment)}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        return done.returncode, done.stdout

    def bash(self, script):
        """Runs a script, in which python3 is this Python; it ends at the first command that fails."""
        self.write("tools/script", f"python3() {{ command {shlex.join(python3())} \"$@\"; }}\n" + script)
        return self.run("bash", "-euo", "pipefail", "tools/script")

    def python(self, script):
        """Runs a script. Its runs have the sizes that it names, but for the many of degrees of rate control."""
        self.write("tools/script", script)
        small = {"TESSERA_PROGRAM": self.path("tools/tessera")} if " rate_control(" in script else {}
        return self.run(*python3(), "tools/script", environment=small)
