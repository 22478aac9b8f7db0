# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Figure 4 and table 4 of Anderson, Jankowski, Grubb, Engel and Glotzer (2013): trial moves per second of hard disks."""

import dataclasses
import statistics

import numpy as np
from tessera_io.plot.style import COLOURS, MARKERS

from .numbers import Comparison, ratio_of, spent
from .page import legend_above, panels
from .report import Report

ETA = 0.698
WARM_UP = 100  # sweeps
# Table 4: trial moves per second at N = 253^2, 760^2, 1520^2, 3040^2.
SIDES = (253, 760, 1520, 3040)
PRINTED = {
    "K20": (6.23e8, 9.83e8, 1.09e9, 1.09e9),
    "E5540, 8 cores": (5.77e7, 5.78e7, 5.42e7, 5.26e7),
    "E5540, 1 core": (7.54e6, 7.33e6, 7.33e6, 7.35e6),
}
LIKE = {"cuda": "K20", "hip": "K20", "openmp": "E5540, 8 cores", "serial": "E5540, 1 core"}


@dataclasses.dataclass
class Scale:
    """Sides sqrt(N), number of measurements of each, and trial moves of a measurement on each backend."""

    sides: tuple
    repetitions: int
    moves: dict
    most_sweeps: int = 10**9  # of a measurement: a small system does not fill a GPU, and its moves take longer

    def sweeps(self, side, backend):
        """At least the paper's 100; more if the output file would take a significant time."""
        return max(100, min(self.most_sweeps, round(self.moves[backend] / (3 * side**2))))

    def all_moves(self, backend):
        """Trial moves of all measurements, including warm-up."""
        return sum(3 * side**2 * (WARM_UP + self.repetitions * self.sweeps(side, backend)) for side in self.sides)


QUICK = {"serial": 2e6, "openmp": 4e6, "cuda": 1e11, "hip": 1e11}
GPU = {"serial": 2e7, "openmp": 2e8, "cuda": 2e10, "hip": 2e10}
PAPER = {"serial": 3e8, "openmp": 3e9, "cuda": 5e11, "hip": 5e11}


class Speed:
    def __init__(self, name, title, scales):
        self.name, self.title, self.scales = name, title, scales

    def cost(self, scale):
        s = self.scales[scale]
        moves = {b: s.all_moves(b) for b in s.moves}
        gpu = f"an H100 {spent(1.2 * len(s.sides) * (s.repetitions + 1) + moves['cuda'] / 2.5e10)} with --backend cuda"
        cores = f"two cores {spent(moves['serial'] / 1e7 + moves['openmp'] / 1.5e7)}"
        return "on " + {"quick": cores, "gpu": gpu, "paper": f"{cores}, on {gpu}"}[scale]

    def make(self, program, scale):
        s = self.scales[scale]
        rates = {b: np.array([measure(program, s, side, b) for side in s.sides]).T for b in program.measured_backends}
        return Report(draw(s, rates), series(s, rates), rows(s, rates), notes(s))


def measure(program, s, side, backend):
    """(median, standard deviation) of trial moves/s."""
    options = {
        "particles": side**2, "packing-fraction": ETA, "seed": 1, "equilibrate": 10**9, "checkpoint-every": 0, "start": "lattice",
    }  # fmt: skip
    name = f"{backend}_{side}"
    run = program.run(f"{name}_0", "disks", options, backend=backend, stopping_time={"sweeps": WARM_UP})
    stopping_times = [{"sweeps": WARM_UP + repetition * s.sweeps(side, backend)} for repetition in range(1, s.repetitions + 1)]
    rates = [run.rate for run in program.segments(run, name, "disks", backend, stopping_times, keep=False)]
    return statistics.median(rates), statistics.stdev(rates)


def rows(s, rates):
    out = []
    for backend, (rate, spread) in rates.items():
        known = dict(zip(SIDES, PRINTED[LIKE[backend]]))
        for side, value, deviation in zip(s.sides, rate, spread):
            source = f"the paper, {LIKE[backend]}"
            out.append(Comparison(f"{backend}, N = {side}^2: moves/s", value, deviation, known.get(side, np.nan), np.nan, source))
    if "serial" in rates:
        for backend in (b for b in rates if b != "serial"):
            ratio, error = ratio_of(rates[backend], rates["serial"])
            known = dict(zip(SIDES, np.array(PRINTED[LIKE[backend]]) / PRINTED["E5540, 1 core"]))
            for side, value, deviation in zip(s.sides, ratio, error):
                quantity = f"{backend} over serial, N = {side}^2"
                out.append(Comparison(quantity, value, deviation, known.get(side, np.nan), np.nan, f"the paper, {LIKE[backend]}"))
    return out


def notes(s):
    return [
        f"eta = {ETA}, {WARM_UP} sweeps of warm-up, medians of {s.repetitions} measurements with their standard deviation.",
        "Speeds are of different machines, and have no z.",
    ]


def series(s, rates):
    sizes = np.array(s.sides) ** 2
    return {
        backend: {"particles": sizes, "rate": (rate, "trial moves/s"), "standard_deviation": (spread, "trial moves/s")}
        for backend, (rate, spread) in rates.items()
    }


def draw(s, rates):
    """Moves per second, absolute and relative to the largest of each, against N: panels a and b of the figure."""
    fig, (left, right) = panels(1, 2)
    sizes = np.array(s.sides) ** 2
    for number, (backend, (rate, spread)) in enumerate(rates.items()):
        style = {"color": COLOURS[number], "marker": MARKERS[number], "label": f"Tessera, {backend}"}
        left.errorbar(sizes, rate, yerr=spread, **style)
        right.errorbar(sizes, rate / rate.max(), yerr=spread / rate.max(), **style)
    for number, (machine, printed) in enumerate(PRINTED.items()):
        style = {"color": "0.45", "marker": MARKERS[number + 3], "linestyle": ":", "label": f"Anderson et al., {machine}", "markerfacecolor": "white", "linewidth": 0.8}
        left.plot(np.array(SIDES) ** 2, printed, **style)
        right.plot(np.array(SIDES) ** 2, np.array(printed) / max(printed), **style)
    for panel in (left, right):
        panel.set(xscale="log", xlabel="number of disks $N$")
    left.set(yscale="log", ylabel="rate (trial moves/s)")
    right.set(ylim=(0, 1.15), ylabel="rate / largest rate")
    legend_above(fig, left, 4)
    return fig


def figures():
    return [
        Speed(
            "disks-figure-4", "trial moves per second of hard disks against their number",
            {
                "quick": Scale((16, 32, 64, 128, 253), 3, QUICK),
                "gpu": Scale((32, 64, 128, 253, 506, 760, 1520, 3040), 5, GPU, 10000),
                "paper": Scale((32, 64, 128, 253, 506, 760, 1520, 3040), 11, PAPER, 50000),
            },
        ),
        Speed(
            "disks-table-4", "trial moves per second of hard disks at the sizes of the table",
            {"quick": Scale((253, 760), 3, QUICK), "gpu": Scale(SIDES, 5, GPU, 10000), "paper": Scale(SIDES, 11, PAPER, 50000)},
        ),
    ]  # fmt: skip
