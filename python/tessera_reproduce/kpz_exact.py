# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Decomposition schemes of the octahedron model against the exact process in continuous time, `tessera kmc`."""

import dataclasses

import numpy as np
from matplotlib.ticker import NullLocator
from tessera_io import jackknife
from tessera_io.plot.curves import compared

from .kpz_schemes import OF_KMC, Scheme, listed, name_of, replicas_of, series_of
from .numbers import Comparison, cost_of, mean_of, ratio_of
from .page import draw_curves, legend_above
from .page import panels as sheet
from .report import Report

MOMENTS = ("roughness", "moment_3", "moment_4")
EXACT = "exact"
SEQUENTIAL = Scheme("sequential")
CELLS = [Scheme("dtr", block, cell) for block in ("db", "dt") for cell in ("1,1", "2,2", "3,3", "4,4")]
SHAPES = [x.label for x in CELLS if x.options["thread-cell"] in ("1,1", "2,2")]  # whose S, Q and beta_eff are shown
SHAPE_TITLES = {"beta_eff": r"difference of $\beta_\mathrm{eff}$", "skewness": "difference of S", "kurtosis": "difference of Q"}
DEVICES = [Scheme(device, "db") for device in ("dt", "db", "cdb")]
# On small lattices: large cells leave a GPU idle.
STEADY = [x for x in CELLS if x.options["thread-cell"] in ("1,1", "2,2") or x.label == "DTrDB, TC=3,3"] + DEVICES
DOMAINS = [Scheme("dtr", "db", "1,1", 32), *(Scheme("dtr", "db", cell, 256) for cell in ("1,1", "2,2", "3,3", "4,4"))]


@dataclasses.dataclass
class Growth:
    """Growth from flat to the time `steps`.

    runs   of the exact process, of `replicas` each; a scheme has as many replicas in one run
    early  replicas of the exact process for times up to `EARLY`
    """

    size: int
    replicas: int
    runs: int
    early: int
    steps: int

    EARLY = 16

    def times(self):
        """Powers of two: (to EARLY, later)."""
        powers = 2.0 ** np.arange(np.log2(self.steps) + 1)
        return powers[powers <= self.EARLY], powers[powers > self.EARLY]


@dataclasses.dataclass
class Steady:
    """A steady state: side, replicas, time from which on it is averaged, time of the end, time between measurements."""

    size: int
    replicas: int
    start: int
    steps: int
    every: int


@dataclasses.dataclass
class Scale:
    growth: Growth
    steady: tuple
    sequential: tuple = ()  # sides at which the steady state of sequential dynamics is measured, too


SCALES = {
    "quick": Scale(Growth(512, 8, 1, 8, 64), (Steady(16, 256, 200, 2000, 10), Steady(32, 128, 600, 2400, 20)), (16,)),
    "paper": Scale(
        Growth(4096, 16, 4, 8, 1024),
        (
            Steady(16, 4096, 200, 4000, 10), Steady(32, 2048, 600, 8000, 20), Steady(64, 2048, 1600, 16000, 40),
            Steady(128, 512, 5000, 32000, 100),
        ),
        (16, 32),
    ),
}  # fmt: skip
SCALES["gpu"] = SCALES["paper"]


class ExactProcess:
    name = "kpz-exact"
    title = "decomposition schemes of the octahedron model against the exact process in continuous time"

    def cost(self, scale):
        s = SCALES[scale]
        exact = s.growth.size**2 * s.growth.replicas * s.growth.runs * s.growth.steps
        exact += sum(x.size**2 * x.replicas * x.steps for x in s.steady)
        files = f"; {24e-9 * s.growth.size**2 * s.growth.replicas * s.growth.runs:.1f} GB of files"
        return cost_of(exact, "attempts of the exact process, and of each scheme", *OF_KMC[scale]) + files

    def make(self, program, scale):
        s = SCALES[scale]
        exact, schemes = growth_runs(program, s.growth)
        steady = {x.size: steady_runs(program, x, x.size in s.sequential) for x in s.steady}
        early, late = s.growth.times()
        curves = {EXACT: courses([(exact[:1], early), (exact[1:], late)])}
        curves.update((label, courses([(run, [*early, *late])])) for label, run in schemes.items())
        deviations = {label: deviation(c["roughness"], curves[EXACT]["roughness"]) for label, c in curves.items() if label != EXACT}
        states = averages(steady)
        return Report(draw(curves, deviations, states), series(curves, deviations, states), rows(deviations, states, curves), notes(s))


def growth_runs(program, g):
    """The runs of the exact process, an early one first, and {label: [run]} of the schemes."""
    common = {"model": "octahedron", "size": g.size}
    early, late = g.times()
    exact = [program.run("exact_early", "kmc", {**common, "replicas": g.early, "seed": 1, "until-time": g.EARLY, "measure-every": 1})]
    for number in range(g.runs):
        options = {**common, "replicas": g.replicas, "seed": 1 + number * g.replicas}
        options.update({"until-time": g.steps, "measure-every": 2 * g.EARLY})
        exact.append(program.run(f"exact_{number + 1}", "kmc", options))
    times = listed([*early, *late])
    options = {"size": g.size, "replicas": g.replicas * g.runs, "seed": 1, "steps": g.steps, "measure-times": times}
    schemes = [x for x in (*CELLS, *DEVICES, *DOMAINS) if x.fits(g.size)]
    return exact, {x.label: [x.run(program, options, name=f"{x.run_name}_growth")] for x in schemes}


def steady_runs(program, s, with_sequential):
    """{label: run}: the exact process, and the schemes that have room on this lattice."""
    common = {"size": s.size, "replicas": s.replicas, "seed": 1, "measure-every": s.every, "average-from": s.start}
    runs = {EXACT: program.run(f"exact_{s.size}", "kmc", {"model": "octahedron", **common, "until-time": s.steps})}
    schemes = [x for x in STEADY if x.fits(s.size)] + [SEQUENTIAL] * with_sequential
    for scheme in schemes:
        runs[scheme.label] = scheme.run(program, {**common, "steps": s.steps}, name=f"{scheme.run_name}_{s.size}")
    return runs


def averages(steady):
    """{side: {label: {observable: (value, error)}}}: averages over time."""
    out = {}
    for size, runs in steady.items():
        for label, run in runs.items():
            found = run.summary["averages"]["observables"]
            names = ("roughness", "skewness", "kurtosis")
            out.setdefault(size, {})[label] = {name: np.array([found[name], found[f"{name}_error"]], float) for name in names}  # null: NaN
    return out


def courses(sources):
    """{quantity: (times, values, errors)}: W^2, S, Q and beta_eff from runs of the same times, [(runs, wanted times)].

    The row of a wanted time is the first one at or after it, which with dead borders may be later; if by more than 5 % it is left out.
    """
    found = {"roughness": [], "skewness": [], "kurtosis": [], "beta_eff": []}
    for runs, wanted in sources:
        moments = {name: replicas_of(runs, name) for name in MOMENTS}
        time = moments["roughness"][0]
        at = np.array([row for row, t in zip(np.searchsorted(time, wanted), wanted) if time[row] <= 1.05 * t])
        w2, m3, m4 = (moments[name][1][at] for name in MOMENTS)
        for row, t in enumerate(time[at]):
            found["roughness"].append((t, *mean_of(w2[row])))
            found["skewness"].append((t, *jackknife(lambda m: m[1] / m[0] ** 1.5, w2[row], m3[row])))
            found["kurtosis"].append((t, *jackknife(lambda m: m[1] / m[0] ** 2 - 3, w2[row], m4[row])))
        for row, (t, later) in enumerate(zip(time[at], time[at][1:])):
            ratio = jackknife(lambda m, r=later / t: np.log(m[1] / m[0]) / (2 * np.log(r)), w2[row], w2[row + 1])
            found["beta_eff"].append((np.sqrt(t * later), *ratio))
    return {name: np.transpose(points) for name, points in found.items()}


def deviation(curve, exact):
    """(times, deviations, errors) of W^2 from the exact one, in percent.

    Between times of the exact one, log W^2 is linear in log t.
    """
    time, value, error = curve
    known = np.exp(np.interp(np.log(time), np.log(exact[0]), np.log(exact[1])))
    known_error = np.interp(np.log(time), np.log(exact[0]), exact[2])
    return np.array([time, *percent((value, error), (known, known_error))])


def percent(value, known):
    """(deviation, error) of a value with error from another, in percent of the latter."""
    ratio, error = ratio_of(value, known)
    return 100 * (ratio - 1), 100 * error


def rows(deviations, states, curves):
    out = []
    for label, (time, value, error) in deviations.items():
        quantity = f"{label}: deviation of W^2 at t = {time[-1]:.0f}, %"
        out.append(Comparison(quantity, value[-1], error[-1], 0, 0, EXACT))
    for label, points in steady_deviations(states).items():
        for size, value, error in points.T if label != EXACT else ():
            out.append(Comparison(f"{label}: deviation of W^2, steady, L = {size:.0f}, %", value, error, 0, 0, EXACT))
    for name in SHAPE_TITLES:
        for label in SHAPES:
            time, value, error = curves[label][name][:, -1]
            out.append(Comparison(f"{label}: {name} at t = {time:.0f}", value, error, *curves[EXACT][name][1:, -1], EXACT))
    size = max(states)
    for name in ("skewness", "kurtosis"):
        for label, found in states[size].items():
            if label in SHAPES:
                out.append(Comparison(f"{label}: {name}, steady, L = {size}", *found[name], *states[size][EXACT][name], EXACT))
    return out


def notes(s):
    g = s.growth
    sizes = ", ".join(f"{x.size} ({x.replicas})" for x in s.steady)
    return [
        f"Growth: L = {g.size}, {g.replicas * g.runs} replicas, {g.early} of the exact process up to t = {g.EARLY}. Steady states: L = {sizes} replicas.",
        "Exact: `tessera kmc --model octahedron`, p = 1, whose unit of time is that of one attempt per site on average. Its number of attempts "
        "in a time t is a Poisson variate of mean N t, and N t in random-sequential dynamics; W^2 differs by less than 1 / (8 N t) of its value, "
        "and not at all in a steady state.",
        "beta_eff is that between two successive times, at their geometric mean.",
    ]  # fmt: skip


def series(curves, deviations, states):
    out = {}
    for title, group in (("deviation", deviations), *((name, {k: c[name] for k, c in curves.items()}) for name in curves[EXACT])):
        out.update(series_of(title, group))
    for name in ("roughness", "skewness", "kurtosis"):
        for label in {label: None for of_size in states.values() for label in of_size}:
            sizes = [size for size in states if label in states[size]]
            value, error = np.transpose([states[size][label][name] for size in sizes])
            out[f"steady_{name}_{name_of(label)}"] = {"size": sizes, "value": value, "error": error}
    return out


def draw(curves, deviations, states):
    fig, axes = sheet(2, 3, height=2.3)
    cells, others = ([x.label for x in group] for group in (CELLS, (CELLS[0], *DEVICES, *DOMAINS)))
    numbers = {label: number for number, label in enumerate(dict.fromkeys((*cells, *others)))}
    tilings = [x.label for x in STEADY if not x.options["device-layer"].endswith("db")]  # dead borders deviate by much more
    shapes = {name: {label: compared("difference", curves[label][name], curves[EXACT][name]) for label in SHAPES} for name in SHAPE_TITLES}
    panels = (
        (axes[0, 0], deviations, cells, "(a) growth, thread cells", "deviation of $W^2$ (%)"),
        (axes[0, 1], deviations, others, "(b) growth, layers and domains", "deviation of $W^2$ (%)"),
        (axes[0, 2], steady_deviations(states), tilings, "(c) steady states, double tiling", "deviation of $W^2$ (%)"),
        *((panel, shapes[name], SHAPES, f"({letter}) growth", title) for letter, panel, (name, title) in zip("def", axes[1], SHAPE_TITLES.items())),
    )
    for panel, group, labels, title, unit in panels:
        draw_curves(panel, {label: group[label] for label in labels if label in group}, numbers)
        panel.axhline(0, color="0.5", linewidth=0.8)
        panel.set(xscale="log", ylabel=unit, xlabel="$L$" if labels is tilings else "$t$ (MCS)", title=title)
    axes[0, 2].set_xticks(list(states), list(states))
    axes[0, 2].xaxis.set_minor_locator(NullLocator())
    legend_above(fig, axes, 4)
    return fig


def steady_deviations(states):
    """{label: (sides, deviations of W^2 in percent, errors)}."""
    found = {}
    for size, of_size in states.items():
        for label, values in of_size.items():
            found.setdefault(label, []).append((size, *percent(values["roughness"], of_size[EXACT]["roughness"])))
    return {label: np.transpose(points) for label, points in found.items()}
