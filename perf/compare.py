#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Compares two JSON files of tessera_perf, and reports slowdowns that exceed the noise.

A case is slower if the rates of its repetitions in NEW are below those in OLD by more than --at-least percent (of the
geometric means) and Welch's t test of the logarithms, by SciPy, says so at the level --level. One repetition has no spread, and such
a case is never called slower or faster.
"""

import argparse
import dataclasses
import json
import math
import statistics
import sys

LEVELS = (0.0001, 0.001, 0.01)  # of the t test
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


def recorded(path):
    """(context, {case: its repetitions}, {case: why it was left out}) of a file, in the order of the run. A repetition has, beside what
    google-benchmark writes, its `duration` in seconds, and its `rate`, in items or, without them, runs per second."""
    runs, left_out = {}, {}
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        context = document["context"]
        for run in document["benchmarks"]:
            # Without google-benchmark's /iterations:1/repeats:5/manual_time, which is not of the case.
            case = run["name"].split("/iterations:")[0].split("/repeats:")[0]
            if run.get("error_occurred"):
                left_out.setdefault(case, run.get("error_message", ""))
            elif run.get("run_type", "iteration") == "iteration":
                run["duration"] = run["real_time"] * SECONDS[run["time_unit"]]
                run["rate"] = float(run.get("items_per_second") or 1 / run["duration"])
                runs.setdefault(case, []).append(run)
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError) as error:
        raise Unusable(f"{path}: is no JSON of google-benchmark ({type(error).__name__}: {error})") from error
    if not runs:
        raise Unusable(f"{path}: has no repetitions ({'; '.join(left_out.values()) or 'aggregates alone are not enough'})")
    return context, runs, left_out


def read(path):
    """(context, {name: Case}) of a file."""
    context, runs, _ = recorded(path)
    return context, {name: Case([run["rate"] for run in of], "items/s" if of[-1].get("items_per_second") else "runs/s") for name, of in runs.items()}


def judge(change, at_least, level):
    """slower, faster, same, or one repetition."""
    from scipy.stats import ttest_ind

    old, new = change.old.logarithms, change.new.logarithms
    if min(len(old), len(new)) < 2:
        return "one repetition"
    difference = statistics.fmean(new) - statistics.fmean(old)
    if abs(difference) < -math.log1p(-at_least / 100):
        return "same"
    has_noise = len({*old}) > 1 or len({*new}) > 1
    if has_noise and ttest_ind(old, new, equal_var=False).pvalue > level:
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
    parser.add_argument("--level", type=float, default=0.001, choices=LEVELS, help="false alarms per case [0.001]")
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
