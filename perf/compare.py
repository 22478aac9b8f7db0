#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Compares two JSON files of tessera_perf, and reports slowdowns that exceed the noise.

A case is slower if the rates of its repetitions in NEW are below those in OLD by more than --at-least percent (of the
geometric means) and Welch's t test of the logarithms says so at the level --level. One repetition has no spread, and such
a case is never called slower or faster.
"""

import argparse
import dataclasses
import json
import math
import statistics
import sys

# Student's t: the two-sided limit at three levels, by degrees of freedom.
DEGREES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 60, math.inf)
LIMITS = {
    0.01: (63.66, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.25, 3.169, 3.055, 2.947, 2.845, 2.75, 2.66, 2.576),
    0.001: (636.6, 31.6, 12.92, 8.61, 6.869, 5.959, 5.408, 5.041, 4.781, 4.587, 4.318, 4.073, 3.85, 3.646, 3.46, 3.291),
    0.0001: (6366, 99.99, 28.0, 15.54, 11.18, 9.082, 7.885, 7.12, 6.594, 6.211, 5.694, 5.239, 4.837, 4.482, 4.169, 3.891),
}
CONTEXT_LEFT_OUT = {"date", "date_utc", "executable", "load_avg", "json_schema_version", "library_version", "mhz_per_cpu"}
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


class Unusable(Exception):
    """A file that cannot be compared; the message names it."""


@dataclasses.dataclass
class Case:
    """The repetitions of a benchmark: rates, items per second or, without them, runs per second."""

    rates: list
    unit: str

    @property
    def logarithms(self):
        return [math.log(rate) for rate in self.rates]


@dataclasses.dataclass
class Change:
    name: str
    old: Case
    new: Case
    verdict: str = "same"

    @property
    def ratio(self):
        return math.exp(statistics.fmean(self.new.logarithms) - statistics.fmean(self.old.logarithms))


def read(path):
    """(context, {name: Case}) of a file."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        context, runs = document["context"], document["benchmarks"]
        rates, units = {}, {}
        for run in runs:
            if run.get("run_type", "iteration") != "iteration" or run.get("error_occurred"):
                continue
            # Without google-benchmark's /iterations:1/repeats:5/manual_time, which is not of the case.
            name = run["name"].split("/iterations:")[0].split("/repeats:")[0]
            rate = run.get("items_per_second") or 1 / (run["real_time"] * SECONDS[run["time_unit"]])
            units[name] = "items/s" if run.get("items_per_second") else "runs/s"
            rates.setdefault(name, []).append(float(rate))
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError) as error:
        raise Unusable(f"{path}: is no JSON of google-benchmark ({type(error).__name__}: {error})") from error
    if not rates:
        raise Unusable(f"{path}: has no repetitions (aggregates alone are not enough)")
    return context, {name: Case(values, units[name]) for name, values in rates.items()}


def t_limit(degrees, level):
    """The limit of |t|; between the table's rows that of the fewer degrees of freedom."""
    row = max((i for i, d in enumerate(DEGREES) if d <= degrees), default=0)
    return LIMITS[level][row]


def judge(change, at_least, level):
    """slower, faster, same, or one repetition."""
    old, new = change.old.logarithms, change.new.logarithms
    if min(len(old), len(new)) < 2:
        return "one repetition"
    parts = [statistics.variance(values) / len(values) for values in (old, new)]
    difference = statistics.fmean(new) - statistics.fmean(old)
    if abs(difference) < -math.log1p(-at_least / 100):
        return "same"
    if sum(parts) > 0:
        degrees = sum(parts) ** 2 / sum(p**2 / (len(v) - 1) for p, v in zip(parts, (old, new)))
        if abs(difference) < t_limit(degrees, level) * math.sqrt(sum(parts)):
            return "same"
    return "slower" if difference < 0 else "faster"


def compare(old, new, at_least, level):
    """A Change for each case in both files, in the order of OLD."""
    changes = [Change(name, old[name], new[name]) for name in old if name in new and old[name].unit == new[name].unit]
    for change in changes:
        change.verdict = judge(change, at_least, level)
    return changes


def percent_spread(case):
    return 100 * (max(case.rates) / min(case.rates) - 1)


def line(change, width):
    medians = [statistics.median(case.rates) for case in (change.old, change.new)]
    spreads = [percent_spread(case) for case in (change.old, change.new)]
    return (
        f"{change.name:<{width}} {medians[0]:9.3g} {spreads[0]:6.1f} {medians[1]:9.3g} {spreads[1]:6.1f} "
        f"{100 * (change.ratio - 1):+8.1f}  {'' if change.verdict == 'same' else change.verdict}"
    ).rstrip()


def report(changes, old, new, contexts, out):
    for key in sorted(set(contexts[0]) | set(contexts[1])):
        values = [context.get(key) for context in contexts]
        if values[0] != values[1] and key not in CONTEXT_LEFT_OUT and not isinstance(values[0], (dict, list)):
            print(f"note: {key} differs: {values[0]} and {values[1]}", file=out)
    width = max(len(change.name) for change in changes)
    print(f"{'case':<{width}} {'old':>9} {'+ %':>6} {'new':>9} {'+ %':>6} {'change %':>8}", file=out)
    for change in changes:
        print(line(change, width), file=out)
    for name, one, other in (("OLD", old, new), ("NEW", new, old)):
        alone = [case for case in one if case not in other]
        if alone:
            print(f"only in {name}: {', '.join(alone)}", file=out)
    counts = {verdict: sum(c.verdict == verdict for c in changes) for verdict in ("slower", "faster", "same", "one repetition")}
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count), file=out)
    return counts["slower"]


def main(words=None):
    parser = argparse.ArgumentParser(
        prog="compare.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Rates are medians; '+ %' is how far the largest is above the least. Exit status: 0 nothing is slower, 1 something "
        "is, 2 the files cannot be compared.",
    )  # fmt: skip
    parser.add_argument("old", metavar="OLD.json", help="of tessera_perf --benchmark_out=OLD.json")
    parser.add_argument("new", metavar="NEW.json", help="the same cases on the same machine")
    parser.add_argument("--at-least", type=float, default=3, metavar="PERCENT", help="smaller changes do not count [3]")
    parser.add_argument("--level", type=float, default=0.001, choices=sorted(LIMITS), help="false alarms per case [0.001]")
    options = parser.parse_args(words)
    if not 0 <= options.at_least < 100:
        parser.error("--at-least: must be at least 0 and less than 100 percent")
    try:
        (old_context, old), (new_context, new) = read(options.old), read(options.new)
        changes = compare(old, new, options.at_least, options.level)
        if not changes:
            raise Unusable(f"{options.old} and {options.new} have no case in common")
    except Unusable as error:
        print(f"compare.py: {error}", file=sys.stderr)
        return 2
    return 1 if report(changes, old, new, (old_context, new_context), sys.stdout) else 0


if __name__ == "__main__":
    sys.exit(main())
