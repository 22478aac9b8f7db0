# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Figure 6 of Kelling, Odor and Gemming (2017): effective growth exponents under decomposition schemes."""

import dataclasses

import numpy as np

from .kpz_schemes import Scheme, cost_of_attempts, curve, effective_exponents, listed, series_of
from .numbers import Comparison
from .page import draw_curves, legend_above, panels
from .report import Report

BETA = (0.2414, 0.0002)  # from the text of the paper, for its implementation
# W^2 of sequential dynamics, p = 1, from the authors' code: L = 1024, 20 runs.
ROUGHNESS = {1: (0.5442, 0.0001), 3: (0.7118, 0.0002), 10: (1.0372, 0.0006), 30: (1.558, 0.002), 100: (2.563, 0.007)}
# Each time is three times the previous one, so that neighbouring exponents share one of them.
TIMES = (1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000)


@dataclasses.dataclass
class Scale:
    size: int
    replicas: int
    steps: int
    sequential: tuple  # size, replicas, steps


SCALES = {
    "quick": Scale(1024, 4, 300, (1024, 4, 30)),
    "gpu": Scale(8192, 16, 3000, (1024, 16, 100)),
    "paper": Scale(65536, 80, 30000, (4096, 8, 1000)),
}


class EffectiveExponents:
    name = "kpz-figure-6"
    title = "effective growth exponents by decomposition scheme, and W^2 against sequential dynamics"
    schemes = (
        Scheme("dtr", "dt", "1,1"), Scheme("dtr", "dt", "2,1"), Scheme("dtr", "dt", "3,2"),
        Scheme("dtr", "db", "1,1"), Scheme("dtr", "db", "2,2"), Scheme("sequential"),
    )  # fmt: skip

    def cost(self, scale):
        s = SCALES[scale]
        attempts = s.size**2 * s.replicas * s.steps * (len(self.schemes) - 1)
        return cost_of_attempts(scale, attempts, s.sequential[0] ** 2 * s.sequential[1] * s.sequential[2])

    def make(self, program, scale):
        s = SCALES[scale]

        def run_of(scheme):
            size, replicas, steps = s.sequential if scheme.sequential else (s.size, s.replicas, s.steps)
            times = [t for t in TIMES if t <= steps]
            options = {"size": size, "replicas": replicas, "steps": steps, "seed": 1, "measure-times": listed(times)}
            return scheme.run(program, options)

        runs = {scheme.label: run for scheme, run in program.of_each(self.schemes, run_of).items()}
        exponents = {label: effective_exponents(run, "beta_eff") for label, run in runs.items()}
        roughness = {label: curve([run], "roughness") for label, run in runs.items()}
        return Report(draw(exponents), series(exponents, roughness), rows(exponents, roughness), notes(s))


def rows(exponents, roughness):
    out = []
    for label, (time, value, error) in exponents.items():
        quantity = f"{label}: beta_eff at {time[-1]:.0f} MCS"
        out.append(Comparison(quantity, value[-1], error[-1], BETA[0], np.nan, "the paper, t to infinity"))
    for label, (time, value, error) in roughness.items():
        for t, known in ROUGHNESS.items():
            at = np.flatnonzero(time == t)
            if len(at):
                ours = value[at[0]], error[at[0]]
                out.append(Comparison(f"{label}: W^2 at t = {t}", *ours, *known, source="sequential, authors' code"))
    return out


def notes(s):
    return [
        f"p = 1, q = 0, from flat surfaces; error bars are standard errors over the replicas. L = {s.size}, {s.replicas} replicas; sequential: L = {s.sequential[0]}, {s.sequential[1]} replicas.",
        "Fine thread cells smooth the noise: W^2 of the parallel schemes lies 1 to 3 % below that of sequential "
        "dynamics, as the paper says; only the row of sequential dynamics has to agree with the known values.",
        "beta_eff tends to beta for long times only, and has no z.",
    ]


def series(exponents, roughness):
    return {**series_of("beta_eff", exponents), **series_of("roughness", roughness)}


def draw(exponents):
    fig, axes = panels(height=2.8)
    draw_curves(axes, exponents, linewidth=1)
    axes.axhline(BETA[0], color="0.2", linestyle="--", linewidth=0.8, zorder=1, label=r"$\beta$ = 0.2414(2), Kelling et al.")
    axes.set(xscale="log", xlabel="time $t$ (MCS)", ylabel=r"effective exponent $\beta_\mathrm{eff}$")
    legend_above(fig, axes, 2)
    return fig
