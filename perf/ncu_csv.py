# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Reads the output of Nsight Compute with --csv: the metrics of each launch, and the name of the kernel of Tessera."""

import csv
import re

from compare import Unusable

BYTES, TIME, INSTRUCTIONS = "dram__bytes.sum", "gpu__time_duration.sum", "smsp__inst_executed.sum"
BANDWIDTH = "dram__throughput.avg.pct_of_peak_sustained_elapsed"
ISSUE = "smsp__issue_active.avg.pct_of_peak_sustained_elapsed"
WARPS = "sm__warps_active.avg.pct_of_peak_sustained_active"
LANES = "smsp__thread_inst_executed_per_inst_executed.ratio"
METRICS = (BYTES, TIME, INSTRUCTIONS, BANDWIDTH, ISSUE, WARPS, LANES)
SUMS = (BYTES, TIME, INSTRUCTIONS)

# Kokkos' label of a kernel, if it differs from the function that contains the kernel.
LABELS = {
    "tessera::kpz::UpdateDomains": "tessera::kpz::update_domains",
    "tessera::kmc::TileLaunches::launch_advance": "tessera::kmc::advance",
    "tessera::kmc::TileLaunches::launch_repair": "tessera::kmc::repair",
    "tessera::kmc::TileLaunches::advance_replicas": "tessera::kmc::advance_replicas",
    "tessera::kmc::TileLaunches::swap_back": "tessera::kmc::swap_back",
    "tessera::seed_streams": "tessera::core::seed_streams",
}

# Of the kernels of a function template, by the truth of its first argument.
VARIANTS = {"tessera::disks::update_set_thread_per_cell": ("tessera::disks::update_set", "tessera::disks::update_set_and_shift")}

# ncu may leave namespaces out.
FULL_NAMES = {re.sub(r"^(?:[a-z_]+::)+", "", name): name for name in (*LABELS, *VARIANTS)}

SCALES = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
SECONDS = {"nsecond": 1e-9, "ns": 1e-9, "usecond": 1e-6, "us": 1e-6, "msecond": 1e-3, "ms": 1e-3, "second": 1.0, "s": 1.0}


def parts_of(text):
    """A C++ name up to its arguments, without template arguments: 'a::B<c>::d(e)' gives 'a::B::d'."""
    depth, name = 0, ""
    for i, letter in enumerate(text):
        if letter == "<":
            depth += 1
        elif letter == ">" and text[i - 1 : i] != "-":
            depth -= 1
        elif depth == 0 and letter in "(,)[{":
            break
        elif depth == 0:
            name += letter
    # The type that a function template returns comes before its name.
    return name.strip().split(" ")[-1].removesuffix("::")


def name_of(kernel):
    """The functor of a Kokkos kernel, or the function that its lambda is in; Kokkos' label where it is known."""
    inside = re.search(r"\bParallel(?:For|Reduce|Scan|ScanWithTotal)<(?:[\w:]*CombinedFunctorReducer<)?(.*)", kernel, re.DOTALL)
    if not inside:
        return parts_of(kernel)
    text = inside[1]
    pointer = re.match(r"__nv_h?dl_wrapper_t<.*?, &\s*\(?", text, re.DOTALL)  # in the tag of a lambda, to its function
    text = text[pointer.end() :] if pointer else text
    name = parts_of(text)
    known = FULL_NAMES.get(name, name)
    if known in VARIANTS:
        first = re.search(re.escape(name) + r"<(?:\(bool\))?(?:(0|false)|(1|true))\b", text)
        return VARIANTS[known][first[1] is None] if first else known
    return LABELS.get(known, known)


def scale_of(metric, unit):
    """The factor that converts a value in this unit to bytes, seconds or a count."""
    unit = unit.strip().lower()
    if metric == TIME and unit in SECONDS:
        return SECONDS[unit]
    counted = re.fullmatch("([kmgt]?)(byte|inst)", unit)
    if counted and metric != TIME:
        return SCALES[counted[1]]
    if metric in SUMS:
        raise Unusable(f"{metric} has the unit {unit!r}, which is not known")
    return 1.0


def number(metric, text, unit):
    """The value, or None if ncu could not measure it."""
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value * scale_of(metric, unit)


def read_csv(lines):
    """[(name of the kernel, {metric: value})] of ncu --csv, by launch: one row a metric, or, with --page raw, one a launch."""
    lines = [line for line in lines if line.strip()]
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        errors = [line.strip() for line in lines if line.startswith("==ERROR==")]
        errors += [line.strip() for line in lines if line.startswith("==WARNING==")]
        raise Unusable(errors[0] if errors else "ncu has not profiled any kernel")
    table = list(csv.DictReader(line for line in lines[start:] if not line.startswith("==")))
    launches = {}
    if table and "Metric Name" in table[0]:
        for row in table:
            name, values = launches.setdefault((row.get("Process ID"), row["ID"]), (name_of(row["Kernel Name"]), {}))
            if row["Metric Name"] in METRICS:
                values[row["Metric Name"]] = number(row["Metric Name"], row["Metric Value"], row["Metric Unit"])
        return list(launches.values())
    units = table[0] if table and not table[0]["ID"] else {}
    for row in table[1:] if units else table:
        values = {metric: number(metric, row[metric], units.get(metric) or "") for metric in METRICS if row.get(metric)}
        launches[(row.get("Process ID"), row["ID"])] = (name_of(row["Kernel Name"]), values)
    return list(launches.values())
