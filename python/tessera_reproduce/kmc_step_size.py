# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Figure 2 of Darkins, Duffy and Ford (2024): the adaptive step size against the error zone."""

import math

import numpy as np
from tessera_io.plot.style import COLOURS

from .numbers import Comparison, mean_of
from .page import legend_above, panels
from .report import Report

GROW, SHRINK = 1.03, 0.5
# The probing runs: growth after an accepted step, shrinkage after a rejected one. Large factors try few steps and spread
# the starts, small ones approach the zone closely.
PROBES = (
    (1.6, 0.6), (1.5, 0.65), (1.45, 0.7), (1.4, 0.75), (1.4, 0.8), (1.35, 0.83), (1.3, 0.86), (1.3, 0.88),
    (1.25, 0.9), (1.25, 0.92), (1.2, 0.94), (1.2, 0.96), (1.15, 0.97),
)  # fmt: skip
# The figure shows the steps up to this time; the probing runs end later, so that none of these steps is cut by their end.
SHOWN, PROBED = 100.0, 110.0
DURATION = {"quick": 1000.0, "gpu": 10000.0, "paper": 10000.0}


class StepSize:
    name = "kmc-figure-2"
    title = "step size of exact kinetic Monte Carlo against the error zone, 64 x 64 sites, phi = 1"

    def cost(self, scale):
        return f"a run to t = {DURATION[scale]:g} and {len(PROBES)} to t = {PROBED:g}; half a minute on two cores"

    def make(self, program, scale):
        common = {
            "model": "sos", "size": 64, "phi": 1, "seed": 1, "tile": 8, "halo": 8, "step-control": "reject",
            "record-steps": True, "grow-first": 10,
        }  # fmt: skip
        settings = {"adaptive": (GROW, SHRINK, DURATION[scale])}
        settings.update({f"probe_{shrink}": (grow, shrink, PROBED) for grow, shrink in PROBES})
        histories = []
        for name, (grow, shrink, end) in settings.items():
            options = {**common, "grow": grow, "shrink": shrink, "until-time": end}
            with program.run(name, "kmc", options).open() as run:
                histories.append(run.history["steps"])
        steps = histories[0]
        zone = Zone(histories)
        return Report(draw(steps, zone), series(steps, zone), [overshoots(steps)], notes(steps, zone))


class Zone:
    """The error zone from the steps of several runs of one trajectory.

    A step from t to t + s is right if t + s <= E(t), the end of what can be computed from t without an error, and wrong
    otherwise; E is the same in all runs, whose trajectory is the same. E grows with t: a boundary that is fixed later
    spoils less. So each right step from an earlier time is a lower bound of E(t), each wrong one from a later time an
    upper bound.
    """

    def __init__(self, histories):
        time, step, accepted = (np.concatenate([h[c] for h in histories]) for c in ("time", "step", "accepted"))
        order = np.argsort(time, kind="stable")
        time, end, right = time[order], (time + step)[order], accepted[order] == 1
        self.time = time
        self.lower = np.maximum.accumulate(np.where(right, end, -np.inf))
        self.upper = np.minimum.accumulate(np.where(right, np.inf, end)[::-1])[::-1]

    def lower_at(self, time):
        """The longest step from this time that is known to be correct."""
        last = np.searchsorted(self.time, time, side="right") - 1
        return np.where(last >= 0, self.lower[np.maximum(last, 0)], time) - time

    def upper_at(self, time):
        """The shortest step from this time that is known to be wrong."""
        first = np.searchsorted(self.time, time, side="left")
        return np.where(first < len(self.time), self.upper[np.minimum(first, len(self.time) - 1)], np.inf) - time

    def contradictions(self):
        """The number of steps that are both correct and wrong, beyond rounding: 0."""
        return int((self.lower > self.upper + 1e-9 * self.time[-1]).sum())


def overshoots(steps):
    """Number of accepted steps per rejected one, after the step size has settled."""
    rejected = np.flatnonzero(steps["accepted"] == 0)
    between = np.diff(rejected) - 1
    settled = between[np.flatnonzero(between > 0)[0] :]
    value, error = mean_of(settled)
    known = math.log(SHRINK) / -math.log(GROW)
    return Comparison("steps accepted for one that is rejected", value, error, known, 0, "ln beta / ln(1 / alpha)")


def grid():
    """Times that resolve the zone's edge."""
    return np.arange(0, SHOWN, 0.05)


def series(steps, zone):
    unit = "1/k_2"
    time = grid()
    return {
        "step": {"time": (steps["time"], unit), "step": (steps["step"], unit), "accepted": steps["accepted"]},
        "error_zone": {
            "time": (time, unit),
            "longest_right": (zone.lower_at(time), unit),
            "shortest_wrong": (zone.upper_at(time), unit),
        },
    }


def notes(steps, zone):
    time = grid()
    lower, upper = zone.lower_at(time), zone.upper_at(time)
    known = np.isfinite(upper) & (lower > 0)
    return [
        f"64 x 64 sites, phi = 1, seed 1, tiles and halos of 8 sites; growth {GROW} and shrinkage {SHRINK} of the steps.",
        f"{(steps['accepted'] == 0).sum()} of {len(steps['accepted'])} steps were rejected up to t = {steps['time'][-1]:.0f}.",
        f"The edge of the zone is at {np.median(((lower + upper) / 2)[known]):.2f} / k_2 (median) and known to "
        f"{100 * np.median((upper / lower - 1)[known]):.0f} % (median).",
        f"Steps that one run found right and another wrong, up to t = {PROBED:g}: {zone.contradictions()}.",
    ]


def draw(steps, zone):
    """The step size and the zone; rejected steps lie in it."""
    fig, axes = panels()
    shown = steps["time"] <= SHOWN
    time, step, accepted = (steps[c][shown] for c in ("time", "step", "accepted"))
    at = grid()
    lower, upper = zone.lower_at(at), np.minimum(zone.upper_at(at), 1e3)
    axes.fill_between(at, upper, 1e3, color=COLOURS[1], alpha=0.45, linewidth=0, label="error zone")
    axes.fill_between(at, lower, upper, color=COLOURS[1], alpha=0.15, linewidth=0, label="not resolved")
    axes.plot(time, step, color=COLOURS[0], linewidth=0.9, label="step size $\\Delta t$")
    wrong = accepted == 0
    axes.plot(time[wrong], step[wrong], "x", color="black", markersize=4, label="rejected step")
    axes.set(yscale="log", xlim=(0, SHOWN), ylim=(0.2, 1.5 * step.max()), xlabel="time $t$ ($1/k_2$)")
    axes.set_ylabel("step size $\\Delta t$ ($1/k_2$)")
    legend_above(fig, axes, 2)
    return fig
