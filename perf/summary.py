#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Tables of a run of tessera_perf in Markdown: medians over the repetitions, multiples of the Serial space and of the
sequential reference, and with --check-targets the project's targets."""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

from compare import Unusable, recorded
from targets import verdicts

# Counters of the rate with their units, and the other counters with their columns.
RATES = {"events_per_second": "events/s", "attempts_per_ns": "attempts/ns", "moves_per_second": "moves/s", "sites_per_second": "sites/s"}
COLUMNS = {
    "seconds": "s", "file_bytes": "bytes", "steps_per_measurement": "steps/measurement", "bytes_per_site": "bytes/site",
    "bytes_per_disk": "bytes/disk", "ms_per_step": "ms/step", "events_per_site_and_step": "events/site/step",
    "repaired_percent": "repaired %", "rejected_percent": "rejected %",
}  # fmt: skip
CONTEXT = ("tessera", "date_utc", "processor", "device", "openmp_threads", "OMP_NUM_THREADS", "OMP_PROC_BIND", "kokkos",
           "kokkos_configuration", "compiler", "settings")  # fmt: skip


def on_serial(case):
    """The name of the case that does the same work on the Serial space."""
    case = re.sub(r"^kmc/(bkl|waiting-time)/", "kmc/tile/repair/Serial/", case)
    case = case.replace("kpz/sequential/", "kpz/DTrDB/Serial/")
    return re.sub(r"^(kmc/tile/\w+|kpz/\w+|disks)/\w+/", r"\1/Serial/", case)


def reference(case):
    """The name of the case that does the same work by the sequential reference."""
    case = re.sub(r"^kmc/(tile/\w+/\w+|waiting-time)/", "kmc/bkl/", case)
    case = re.sub(r"^kpz/\w+/\w+/(L:.*?)(/measured)?$", r"kpz/sequential/\1", case)
    return re.sub(r"^disks/\w+/", "disks/sequential/", case)


def results_of(runs):
    """{case: {counter: median}, also rate, least, most and unit}, in the order of the run."""
    results = {}
    for case, of in runs.items():
        counter = next(name for name in RATES if name in of[0])
        rates = [run[counter] for run in of]
        result = {name: statistics.median(run[name] for run in of) for name in COLUMNS if name in of[0]}
        result.update(rate=statistics.median(rates), least=min(rates), most=max(rates), unit=RATES[counter])
        results[case] = result
    for case, result in results.items():
        for name, other in (("over_serial", on_serial(case)), ("over_reference", reference(case))):
            if other in results and not case.startswith("program/"):
                result[name] = result["rate"] / results[other]["rate"]
    return results


def figure(value):
    """Three digits, as in 9.05e+08, 12.3, 0.0037."""
    return "-" if value is None else f"{value:.2e}" if value >= 1e5 else f"{value:.3g}"


def table(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    rows = [[cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths))] for row in rows]
    rows.insert(1, ["-" * (w if i == 0 else w - 1) + (":" if i else "") for i, w in enumerate(widths)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def markdown(context, results, left_out, checked):
    text = "".join(f"- {name}: {context[name]}\n" for name in CONTEXT if name in context)
    text += "\nMedian, least and most of the repetitions. The references run on one core: kmc/bkl, kpz/sequential, disks/sequential.\n\n"
    columns = [name for name in COLUMNS if any(name in result for result in results.values())]
    rows = [["case", "rate", "least", "most", "unit", "x Serial", "x reference", *(COLUMNS[name] for name in columns)]]
    for case, r in results.items():
        rows.append([case, figure(r["rate"]), figure(r["least"]), figure(r["most"]), r["unit"]])
        rows[-1] += [figure(r.get(name)) for name in ("over_serial", "over_reference", *columns)]
    text += table(rows) + "".join(f"\n- {case}: {why}" for case, why in left_out.items()) + ("\n" if left_out else "")
    if checked:
        rows = [["target", "at", "figure", "measured", "unit", "outcome"]]
        for v in checked:
            outcome = "left out" if v.measured is None else f"{'met' if v.met else 'missed'} by {100 * abs(v.margin - 1):.1f} %"
            outcome += "" if v.applies else " (stated for another machine)"
            rows.append([v.what, "most" if v.at_most else "least", figure(v.target), figure(v.measured), v.unit, outcome])
        text += "\n" + table(rows)
    return text


def load(path):
    """(context, results_of() its cases, {case: why it was left out}) of a file."""
    context, runs, left_out = recorded(path)
    try:
        return context, results_of(runs), left_out
    except (KeyError, StopIteration) as error:
        raise Unusable(f"{path}: is not from tessera_perf") from error


def measure(program, words):
    """Runs tessera_perf, whose own table goes to standard error; its exit status and what load() gives of its file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.json")
        status = subprocess.run([program, *words, f"--benchmark_out={path}"], stdout=sys.stderr, check=False).returncode
        if not os.path.exists(path):
            raise Unusable(f"{program}: exit status {status}")
        return status, *load(path)


def main(words=None):
    parser = argparse.ArgumentParser(
        prog="summary.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Exit status: 0, 1 if a case failed or --strict finds a missed target, 2 if there is nothing to show.",
    )  # fmt: skip
    parser.add_argument("--read", metavar="FILE.json", help="of tessera_perf --benchmark_out, instead of running it")
    parser.add_argument("--program", default="build/tessera_perf", metavar="FILE", help="[build/tessera_perf]")
    parser.add_argument("--check-targets", action="store_true", help="compare with the project's targets")
    parser.add_argument("--strict", action="store_true", help="the same; exit status 1 if a target for this machine is missed")
    parser.add_argument("rest", nargs="*", metavar="OPTION", help="after --: options of tessera_perf")
    options = parser.parse_args(words)
    try:
        status, context, results, left_out = (0, *load(options.read)) if options.read else measure(options.program, options.rest)
    except (Unusable, OSError) as error:
        print(f"summary.py: {error}", file=sys.stderr)
        return 2
    checked = verdicts(context, results, left_out) if options.check_targets or options.strict else []
    print(markdown(context, results, left_out, checked), end="")
    return 1 if status or (options.strict and any(v.applies and not v.met for v in checked)) else 0


if __name__ == "__main__":
    sys.exit(main())
