#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Compares each kernel with the memory bandwidth of a GPU and with its rate of issuing instructions.

Runs cases of tessera_perf under Nsight Compute (ncu), which counts bytes, instructions and time of every kernel of one
repetition, after the surface is relaxed and the step control has settled. Prints a table in Markdown: of each kernel the
time, the bandwidth to memory and the issue slots used, in percent of what the device has; of each case also bytes and
instructions of a warp for each event, attempt or trial move.
"""

import argparse
import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from compare import Unusable, recorded
from ncu_csv import BANDWIDTH, BYTES, INSTRUCTIONS, ISSUE, LANES, METRICS, SUMS, TIME, WARPS, read_csv

CASES = (
    "kmc/tile/repair/Cuda/phi:0/n:4096",
    "kmc/tile/repair/Cuda/phi:2/n:4096",
    "kpz/DTrDB/Cuda/L:65536",
    "kpz/DTrDT/Cuda/L:65536",
    "kpz/DBDB/Cuda/L:16384/pq",
    "disks/Cuda/N:1520^2",
    "disks/Cuda/N:760^2/sampled",
)


@dataclasses.dataclass
class Kernel:
    """The launches of a kernel together: sums, and means weighted with the time; None if not measured."""

    name: str
    launches: int
    values: dict

    @property
    def seconds(self):
        return self.values[TIME]

    @property
    def bandwidth(self):
        """bytes/s"""
        return self.values[BYTES] / self.seconds if self.values[BYTES] is not None else None

    def roof(self):
        """The limit that the kernel is closest to, in words."""
        shares = {"memory": self.values[BANDWIDTH], "issue": self.values[ISSUE]}
        shares = {name: share for name, share in shares.items() if share is not None}
        if not shares:
            return "-"
        nearest = max(shares, key=shares.get)
        return nearest if shares[nearest] >= 60 else f"neither ({nearest} is nearer)"

    def as_dict(self):
        named = {"seconds": TIME, "bytes": BYTES, "instructions": INSTRUCTIONS, "bandwidth_percent": BANDWIDTH,
                 "issue_percent": ISSUE, "warps_percent": WARPS, "lanes_of_32": LANES}  # fmt: skip
        figures = {name: self.values[metric] for name, metric in named.items()}
        return {"kernel": self.name, "launches": self.launches, **figures, "bytes_per_second": self.bandwidth}


def together(name, launches):
    """A Kernel of the values of several launches."""
    times = [values.get(TIME) for values in launches]
    if any(time is None or time <= 0 for time in times):
        raise Unusable(f"{name}: {TIME} is missing")
    values = {}
    for metric in METRICS:
        each = [launch.get(metric) for launch in launches]
        if any(value is None for value in each):
            values[metric] = None
        elif metric in SUMS:
            values[metric] = sum(each)
        else:
            values[metric] = sum(value * time for value, time in zip(each, times)) / sum(times)
    return Kernel(name, len(launches), values)


@dataclasses.dataclass
class Profile:
    """A case: its kernels, longest first, all of them together, and the work done."""

    case: str
    kernels: list
    total: Kernel
    items: float = None  # events, attempts, moves of all launches; None if not all were profiled
    unit: str = "item"

    def per_item(self, metric):
        if self.items is None or self.total.values[metric] is None:
            return None
        return self.total.values[metric] / self.items

    def as_dict(self):
        return {
            "case": self.case, "items": self.items, "unit": self.unit, "bytes_per_item": self.per_item(BYTES),
            "instructions_per_item": self.per_item(INSTRUCTIONS), "total": self.total.as_dict(),
            "kernels": [kernel.as_dict() for kernel in self.kernels],
        }  # fmt: skip


def profile_of(case, launches, items=None, unit="item"):
    by_name = {}
    for name, values in launches:
        by_name.setdefault(name, []).append(values)
    kernels = sorted((together(name, of) for name, of in by_name.items()), key=lambda k: -k.seconds)
    return Profile(case, kernels, together("all", [values for _, values in launches]), items, unit)


def figure(value, scale=1.0, digits=3):
    return "-" if value is None else f"{value * scale:.{digits}g}"


def row_of(kernel, whole):
    v = kernel.values
    cells = [f"{kernel.name}", str(kernel.launches), figure(kernel.seconds / kernel.launches, 1e6)]
    cells += [f"{100 * kernel.seconds / whole:.1f}", figure(kernel.bandwidth, 1e-9), figure(v[BANDWIDTH]), figure(v[ISSUE])]
    return cells + [figure(v[WARPS]), figure(v[LANES]), kernel.roof()]


def markdown(profiles, context, least_percent):
    head = ["kernel", "launches", "us a launch", "% of time", "GB/s", "% of bandwidth", "% of issue slots", "% of warps"]
    head += ["lanes of 32", "near"]
    text = "".join(f"- {name}: {value}\n" for name, value in context.items())
    for profile in profiles:
        whole = profile.total.seconds
        shown = [kernel for kernel in profile.kernels if 100 * kernel.seconds >= least_percent * whole]
        rows = [row_of(kernel, whole) for kernel in [*shown, profile.total]]
        rows[-1][0] = f"all {len(profile.kernels)} kernels"
        text += f"\n{profile.case}"
        if profile.items is not None:
            text += f": per {profile.unit} {figure(profile.per_item(BYTES))} bytes, "
            text += f"{figure(profile.per_item(INSTRUCTIONS))} instructions of a warp"
        missing = [metric for metric in METRICS if profile.total.values[metric] is None]
        text += f" (missing: {', '.join(missing)})" if missing else ""
        text += "\n\n" + "".join(f"| {' | '.join(row)} |\n" for row in [head, ["---"] + 9 * ["---:"], *rows])
    return text


def items_of(path):
    """(events, attempts or moves; the word for one; context) of tessera_perf's JSON with one repetition."""
    context, cases, _ = recorded(path)
    runs = sum(cases.values(), [])
    if len(runs) != 1:
        raise Unusable(f"{len(runs)} cases or repetitions were measured, not one")
    words = {"events_per_second": "event", "attempts_per_ns": "attempt", "moves_per_second": "trial move"}
    unit = next((word for counter, word in words.items() if counter in runs[0]), "item")
    return runs[0]["items_per_second"] * runs[0]["duration"], unit, context


def command_for(case, metrics, log, result, options):
    command = [options.ncu, "--csv", "--page", "raw", "--print-units", "base", "--log-file", log, "--metrics", ",".join(metrics)]
    if options.launches:
        command += ["--launch-count", str(options.launches)]
    command += ["--clock-control", "none", "--cache-control", "none", "--profile-from-start", "off"]
    exactly = re.sub(r"([\^.$*+?()\[\]{}|])", r"\\\1", case)  # re.escape escapes more than POSIX expressions know
    command += [options.program, f"--benchmark_filter=^{exactly}/iterations", "--benchmark_repetitions=1", "--limit=100000", "--budget=100000"]
    return command + ["--benchmark_min_time=0.001", "--relax=5", "--settle=20", f"--benchmark_out={result}", *options.rest]


def run_case(case, metrics, options, folder):
    """Runs one case under ncu. (launches, events, attempts or moves, the word for one, context)"""
    stem = os.path.join(folder, re.sub(r"\W+", "_", case))
    log, result = stem + ".csv", stem + ".json"
    command = command_for(case, metrics, log, result, options)
    print(" ".join(command), file=sys.stderr)
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    lines = []
    if os.path.exists(log):
        with open(log, encoding="utf-8") as file:
            lines = file.read().splitlines()
    lines += [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("==")]
    try:
        return (read_csv(lines), *items_of(result))
    except (Unusable, OSError, ValueError, KeyError) as error:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Unusable(f"{case}: {error} (exit status {done.returncode}: {last})") from error


def profile_case(case, options, folder):
    """(Profile, context) of one case; a metric that this ncu or device does not have is left out."""
    metrics = list(METRICS)
    while True:
        try:
            launches, items, unit, context = run_case(case, metrics, options, folder)
            break
        except Unusable as error:
            unknown = [metric for metric in metrics if metric in str(error) and metric != TIME]
            if not unknown:
                raise
            print(f"roofline.py: without {', '.join(unknown)}: {error}", file=sys.stderr)
            metrics = [metric for metric in metrics if metric not in unknown]
    if options.launches and len(launches) >= options.launches:
        items = None
    return profile_of(case, launches, items, unit), context


def read_files(paths):
    """Profiles of recorded CSV files."""
    profiles = []
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                profiles.append(profile_of(os.path.basename(path).removesuffix(".csv"), read_csv(file.read().splitlines())))
        except OSError as error:
            raise Unusable(f"{path}: {error.strerror}") from error
        except Unusable as error:
            raise Unusable(f"{path}: {error}") from error
    return profiles


def measure(options):
    """(Profiles, context) of the cases; a failure is reported, and the other cases continue."""
    for program in (options.ncu, options.program):
        if shutil.which(program) is None:
            raise Unusable(f"{program}: there is no such program")
    profiles, context = [], {}
    with tempfile.TemporaryDirectory() as folder:
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
        for case in options.case or CASES:
            try:
                profile, of_run = profile_case(case, options, options.keep or folder)
                profiles.append(profile)
                names = ("tessera", "date_utc", "device", "kokkos", "compiler")
                context = {name: of_run[name] for name in names if name in of_run}
            except Unusable as error:
                print(f"roofline.py: {error}", file=sys.stderr)
    if not profiles:
        raise Unusable("no case could be profiled")
    return profiles, context


def main(words=None):
    parser = argparse.ArgumentParser(
        prog="roofline.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Percent are of the peak that the device sustains, over the whole time of a kernel; those of warps of what fits on a "
        "multiprocessor while it works. Exit status: 0, 1 if a case could not be profiled, 2 if none could.",
    )  # fmt: skip
    parser.add_argument("--program", default="build/tessera_perf", metavar="FILE", help="[build/tessera_perf]")
    parser.add_argument("--ncu", default="ncu", metavar="FILE", help="Nsight Compute's command [ncu]")
    parser.add_argument("--case", action="append", metavar="NAME", help="as tessera_perf lists it; repeat for more [seven]")
    parser.add_argument("--launches", type=int, default=0, metavar="N", help="only the first of a repetition [all]")
    parser.add_argument("--at-least", type=float, default=1, metavar="PERCENT", help="of the time, for a row [1]")
    parser.add_argument("--json", metavar="FILE", help="write all figures of all kernels")
    parser.add_argument("--keep", metavar="FOLDER", help="keep what ncu and tessera_perf have written")
    parser.add_argument("--read", nargs="+", metavar="FILE.csv", help="of ncu --csv, instead of running it")
    parser.add_argument("rest", nargs="*", metavar="OPTION", help="after --: further options of tessera_perf")
    options = parser.parse_args(words)
    try:
        profiles, context = (read_files(options.read), {}) if options.read else measure(options)
        print(markdown(profiles, context, options.at_least), end="")
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump({"context": context, "cases": [profile.as_dict() for profile in profiles]}, file, indent=1)
    except (Unusable, OSError) as error:
        print(f"roofline.py: {error}", file=sys.stderr)
        return 2
    return 0 if options.read or len(profiles) == len(options.case or CASES) else 1


if __name__ == "__main__":
    sys.exit(main())
