# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Figure 7 of Kelling, Odor and Gemming (2017): update attempts per nanosecond."""

import dataclasses

import numpy as np
from tessera_io.plot.style import COLOURS, MARKERS

from .kpz_schemes import PARALLEL, Scheme
from .numbers import Comparison, cost_of, mean_of, ratio_of
from .page import categories, legend_above, panels
from .report import Report

# Section 4.3 and the summary: attempts/ns. "About nine" on high-end Kepler GPUs; an i7-4930k.
PRINTED = {"DTrDB": 9.0, "sequential": 0.055, "twelve threads": 0.28}
DB_OVER_DT = 0.9  # "slower, by about ten percent"


@dataclasses.dataclass
class Scale:
    size: int
    steps: int  # of a segment
    segments: int
    sequential: tuple  # size, steps


SCALES = {"quick": Scale(1024, 30, 4, (512, 30)), "gpu": Scale(65536, 200, 5, (4096, 20)), "paper": Scale(65536, 200, 5, (4096, 20))}


class Speed:
    name = "kpz-figure-7"
    title = "speed of the octahedron model, DTrDT and DTrDB, and of sequential dynamics"

    def cost(self, scale):
        s = SCALES[scale]
        attempts = 2 * s.size**2 * s.steps * (s.segments + 1)
        return cost_of(attempts, "attempts on each backend", *PARALLEL[scale]) + ("; choose --backend cuda" if scale != "quick" else "")

    def make(self, program, scale):
        s = SCALES[scale]
        rates = {}
        for block in ("dt", "db"):
            scheme = Scheme("dtr", block)
            for backend in program.measured_backends:
                rates[backend, f"DTr{block.upper()}"] = measure(program, scheme, s.size, s.steps, s.segments, backend)
        rates["one core", "sequential"] = measure(program, Scheme("sequential"), *s.sequential, s.segments, "")
        return Report(draw(rates), series(rates), rows(rates), notes(s))


def measure(program, scheme, size, steps, segments, backend):
    """(mean, standard error) of attempts/ns; the first segment warms up."""
    options = {"size": size, "seed": 1, "fields": "never", "checkpoint-every": 0, **scheme.options}
    name = f"{scheme.run_name}_{backend or 'core'}"
    run = program.run(f"{name}_0", "kpz", options, backend=backend, stopping_time={"steps": steps})
    stopping_times = [{"steps": (segment + 1) * steps} for segment in range(1, segments + 1)]
    return mean_of([run.rate / 1e9 for run in program.segments(run, name, "kpz", backend, stopping_times, keep=False)])


def rows(rates):
    out = []
    for (backend, scheme), (rate, error) in rates.items():
        known = PRINTED.get(scheme, np.nan)
        source = {"sequential": "the paper, an i7-4930k", "DTrDB": "the paper, Kepler GPUs"}.get(scheme, "")
        out.append(Comparison(f"{scheme}, {backend}: attempts/ns", rate, error, known, np.nan, source))
    for backend in dict.fromkeys(backend for backend, scheme in rates if scheme == "DTrDB"):
        ratio = ratio_of(rates[backend, "DTrDB"], rates[backend, "DTrDT"])
        out.append(Comparison(f"DTrDB over DTrDT, {backend}", *ratio, DB_OVER_DT, np.nan, "the paper, Kepler GPUs"))
    return out


def notes(s):
    return [
        f"L = {s.size}; sequential L = {s.sequential[0]}. Speeds are of different machines, and have no z.",
        "The paper's parallel code does 0.28 attempts/ns with twelve threads of that processor.",
    ]


def series(rates):
    return {
        f"{scheme}_{backend}".replace(" ", "_"): {"rate": ([rate], "1/ns"), "error": ([error], "1/ns")}
        for (backend, scheme), (rate, error) in rates.items()
    }


def draw(rates):
    places = list(dict.fromkeys(backend for backend, _ in rates))
    fig, axes = panels()
    for number, scheme in enumerate(("DTrDT", "DTrDB", "sequential")):
        aside = 0.12 * (number - 0.5) * (scheme != "sequential")
        at = [(places.index(b) + aside, *r) for (b, s), r in rates.items() if s == scheme]
        x, rate, error = np.array(at).T
        axes.errorbar(x, rate, yerr=error, fmt=MARKERS[number], color=COLOURS[number], label=scheme, markersize=5)
    for name, value in PRINTED.items():
        axes.axhline(value, color="0.5", linestyle=":", linewidth=1)
        where = {"DTrDB": "Kepler GPUs", "sequential": "i7-4930k, one core", "twelve threads": "i7-4930k, 12 threads"}[name]
        axes.annotate(f"Kelling et al.: {where}", (len(places) - 0.52, value), ha="right", va="bottom", fontsize=7, color="0.3")
    categories(axes.xaxis, places)
    axes.set(xlim=(-0.5, len(places) - 0.5), yscale="log", ylabel="rate (update attempts/ns)")
    legend_above(fig, axes, 3)
    return fig
