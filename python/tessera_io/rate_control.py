# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Degrees of rate control (C. T. Campbell, J. Catal. 204, 520, 2001) of the steps of a model from a file.

X_i = d ln r / d ln k_i for the mean rate r of a turnover, where k_i is the rate constant of step i, a process and its reverse, whose
ratio is constant. Two runs for each step have rates larger and smaller by a fraction, and the same random numbers: their replicas
are coupled in pairs, so that part of the noise cancels.
"""

import fnmatch
import json
import math
import os
import subprocess
import sys
from collections import namedtuple

from .choice import Parser, number
from .errors import ProgramError, TesseraFileError
from .file import TesseraFile
from .series import jackknife, student
from .start import program_words, sweep, words_of
from .text import with_error

Degree = namedtuple("Degree", "step reverse value error")  # `reverse`: name of the reverse process, empty if there is none


def rate_control(turnover=None, *, folder, steps="*", change=0.05, program=None, progress=True, jobs=None, **options):
    """Runs a sweep kmc, and returns a Degree for each step, and their sum.

    turnover  name of the turnover, CO2 of turnover_CO2_rate; None if there is only one
    folder    of the sweep; the same call continues an interrupted one
    steps     names of processes or patterns, separated by commas; the sum is that of all chosen steps, 1 if they are all
    change    fraction by which rates are changed
    options   those of tessera_io.run("kmc", ...): processes=, size=, until_time=, average_from=, replicas=

    Raises ProgramError with the message of the program, and TesseraFileError if the runs do not have what is needed.
    """
    if not 0 < change < 1:
        raise TesseraFileError(f"change = {change:g}: must lie between 0 and 1, such as 0.05")
    chosen = steps_of(words_of(options), steps, program)
    factors = [f"{name}={factor:.12g}" for name in chosen for factor in (1 + change, 1 - change)]
    sweep("kmc", program=program, progress=progress, folder=folder, jobs=jobs, same_seed=True, scale_processes=factors, **options)
    return degrees(folder, chosen, turnover)


def steps_of(words, patterns="*", program=None):
    """{process: its reverse} for each step of the model of `tessera kmc WORDS` that a pattern names."""
    dry = ["--dry-run", "--json", "--output", f".tessera-rate-control-{os.getpid()}.h5"]
    done = subprocess.run([*program_words(program), "kmc", *words, *dry], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ProgramError(done.stderr.strip().rpartition("\n")[2], done.returncode)
    found = {}
    for one in json.loads(done.stdout)["model"].get("processes", []):
        if one["possible"] and one["name"] not in {*found, *found.values()}:
            found[one["name"]] = one.get("reverse", "") if one.get("reverse") != one["name"] else ""
    chosen = {}
    for pattern in patterns.split(","):
        some = {name: other for name, other in found.items() if fnmatch.fnmatch(name, pattern) or fnmatch.fnmatch(other, pattern)}
        if not some:
            raise TesseraFileError(f"steps: the model has no process '{pattern}'; its processes are {', '.join(found)}")
        chosen.update(some)
    return chosen


def degrees(folder, steps, turnover=None):
    """The Degrees of these steps {process: its reverse} from the points of a sweep, and their sum."""
    rates = {}
    for name in sorted(os.listdir(os.path.join(folder, "points"))):
        if name.endswith(".h5"):
            step, factor, values = _rates_of(os.path.join(folder, "points", name), turnover)
            rates.setdefault(step, {})[factor] = values
    pairs, spans = [], []
    for step in steps:
        if len(rates.get(step, ())) < 2:
            raise TesseraFileError(f"{folder}: the two runs of {step} are not finished")
        (low, smaller), *_, (high, larger) = sorted(rates[step].items())
        pairs += [larger, smaller]
        spans.append(math.log(high / low))

    def of(means):
        found = [_log_ratio(*pair) / span for *pair, span in zip(means[::2], means[1::2], spans)]
        return [*found, sum(found)]

    values, errors = jackknife(of, *pairs)
    rows = zip([*steps, "sum"], [*steps.values(), ""], values.tolist(), (student(1, len(pairs[0]) - 1) * errors).tolist())
    return [Degree(*row) for row in rows]


def _rates_of(path, turnover):
    """(step, factor, rate of the turnover in each replica)."""
    with TesseraFile(path) as run:
        step, _, factor = run.input["scale-processes"].rpartition("=")
        known = [name for name in run.averages if name.startswith("turnover_") and name.endswith("_rate")]
        name = f"turnover_{turnover}_rate" if turnover else (known if len(known) == 1 else [""])[0]
        if name not in known:
            has = f"rates {', '.join(known)}; choose one by --turnover" if known else "rate of no turnover; --average-from and tof_count are needed"
            raise TesseraFileError(f"{path}: has the {has}")
        if run.averages[name].value is None:
            raise TesseraFileError(f"{path}: has one replica; errors need --replicas 2 or more")
        return step, float(factor), run.averages[name].value


def _log_ratio(first, second):
    return math.log(first / second) if first * second > 0 else math.nan


def _options_of(words):
    """The options of a command line as those of tessera_io.run()."""
    options, words = {}, list(words)
    while words:
        name, equals, value = words.pop(0).partition("=")
        if not name.startswith("--"):
            raise ProgramError(f"unexpected argument '{name}'; options of tessera kmc begin with --")
        if not equals:
            value = True if not words or words[0].startswith("--") else words.pop(0)
        key = name[2:].replace("-", "_")
        options[key] = f"{options[key]},{value}" if key in options else value
    return options


def main(words=None):
    parser = Parser(
        prog="python3 -m tessera_io.rate_control",
        usage="%(prog)s [--turnover NAME] [--folder FOLDER] [--steps NAME,...] [--change FRACTION] [--jobs N] OPTIONS of tessera kmc",
        description="Degrees of rate control of the steps of a model from a file: two runs of tessera kmc for each process and its reverse, whose rates "
        "are larger and smaller, with the same random numbers. OPTIONS: --processes, --average-from, --replicas and others.",
        allow_abbrev=False,
    )
    parser.add_argument("--turnover", metavar="NAME", help="CO2 of turnover_CO2_rate [the only one]")
    parser.add_argument("--folder", default="rate_control", help="folder of the runs; the same call continues them [rate_control]")
    parser.add_argument("--steps", default="*", metavar="NAME,...", help="processes, of which one stands for its reverse, too; patterns [*]")
    parser.add_argument("--change", type=number, default=0.05, metavar="FRACTION", help="by which rates are changed, up and down [0.05]")
    parser.add_argument("--jobs", help="runs at the same time")
    options, rest = parser.parse_known_args(words)
    try:
        found = rate_control(**{**_options_of(rest), **vars(options)})
    except (ProgramError, TesseraFileError, OSError, TypeError) as error:
        print(f"tessera_io.rate_control: {str(error).removeprefix('tessera: ')}", file=sys.stderr)
        return 2
    names = [", ".join(dict.fromkeys(filter(None, (one.step, one.reverse)))) for one in found]
    for name, one in zip(names, found):
        print(f"  {name.ljust(max(map(len, names)))}  {with_error(one.value, one.error)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
