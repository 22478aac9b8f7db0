# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The options that a sweep has beside those of its method, and their help."""

import textwrap

from . import BadInput

OPTIONS = (  # name, name of the value in the help, help, default
    ("folder", "FOLDER", "folder for the files of the sweep [the input file's name, or METHOD_sweep]", ""),
    ("zip", "A,B[;C,D]", "options whose lists go together, value by value, not in all combinations", ""),
    ("columns", "NAME[,...]", "columns of the table that is printed; default: those that fit the terminal", ""),
    ("same-seed", "", "the same seed in all points; default: each point has its own", "false"),
    ("jobs", "N", "number of concurrent runs; 0: as many as cores, memory and devices allow", "0"),
    ("index", "I", "array job: run only the points I, I + N, I + 2 N, ...", "0"),
    ("of", "N", "array job: number of jobs in the array", "1"),
)
MOST_JOBS = 4096
HELP = """tessera sweep METHOD [--config FILE] [options]: runs a method for each of several values
  Every option that determines results takes a list, --phi 0,1,2, or a range, --phi 0:2:5 (5
  values including both ends; 1:100:3:log for equal ratios). Several such options make a grid, and
  so do parameters of a model file: --set T=450:650:3,p=1,2. If values contain commas, a list has
  semicolons, --size '64;128,64'; or repeat the option. --zip diffusion,bond-energy takes values of
  both in pairs, and so does a list of points, --set 'T=450,p=1;T=500,p=2'. The seed of a point
  follows from --seed and its values. The same call again continues an unfinished sweep; with more
  values or a later stopping time it extends the sweep. --device 0,1 gives runs to these devices
  in turn. Requires Python 3.9 or newer as python3 or TESSERA_PYTHON.
Example: tessera sweep kmc --phi 0:2:5 --size 64 --until-time 50 --replicas 4
tessera sweep --table FOLDER: makes the table of a sweep from its finished points
The options are those of tessera METHOD --help all except --output, --overwrite, --restart and
--change. In addition there are:
Sweep:
"""
STATUS = """Exit status: 0 done, 1 failed while running, 2 bad input (nothing was written), 3 unfinished because
of --wall-limit, 128 + N stopped by signal N (SIGHUP, SIGINT, SIGTERM, SIGXCPU), with a checkpoint.
"""


def help_text():
    """The text of `tessera sweep --help`."""
    lines = []
    for name, argument, text, default in OPTIONS:
        head = f"  --{name} {argument}".rstrip().ljust(32)
        text += f" [{default}]" if argument and default else ""
        lines.append(textwrap.fill(text, 100, initial_indent=head, subsequent_indent=" " * 32) + "\n")
    return HELP + "".join(lines) + STATUS


def check(options, given):
    """Replaces the values by those that their meaning has. Raises BadInput if one is not possible."""

    def read(name, values, must):
        where = given.get(name, {}).get("where", f"--{name}")
        try:
            options[name]["value"] = values(options[name]["value"].strip())
        except (KeyError, ValueError) as error:
            raise BadInput(f"{where}: must {must}") from error

    def whole(least, most):
        def values(text):
            number = float(text)
            if not (number.is_integer() and least <= number <= most):
                raise ValueError
            return str(int(number))

        return values

    truth = dict.fromkeys(("true", "1", "yes", "on"), "true") | dict.fromkeys(("false", "0", "no", "off"), "false")
    read("same-seed", truth.__getitem__, "be true or false")
    read("jobs", whole(0, MOST_JOBS), f"lie in [0, {MOST_JOBS}]")
    read("of", whole(1, 2**31), "be at least 1")
    last = int(options["of"]["value"]) - 1
    read("index", whole(0, last), f"lie in [0, {last}], less than --of")
