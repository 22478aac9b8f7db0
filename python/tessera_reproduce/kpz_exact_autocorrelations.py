# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Autocorrelations under decomposition schemes against the exact process in continuous time, `tessera kmc`."""

import dataclasses

import numpy as np
from tessera_io.observables import standard_error
from tessera_io.plot.curves import compared

from .kpz_exact import EXACT
from .kpz_schemes import OF_KMC, Scheme, curve, listed, series_of
from .numbers import Comparison, cost_of
from .page import draw_curves, legend_above, panels
from .report import Report

SCHEMES = [Scheme("dtr", block, cell) for block in ("db", "dt") for cell in ("1,1", "2,2")]
SCHEMES += [Scheme(device, "db") for device in ("dt", "db", "cdb")]
KINDS = ("height", "slope")
RATIO = 8  # the last time over the waiting time


@dataclasses.dataclass
class Scale:
    """Side, replicas of the exact process, replicas of a scheme, and waiting times."""

    size: int
    replicas: int
    of_scheme: int
    waiting: tuple


SCALES = {"quick": Scale(256, 8, 32, (8,)), "paper": Scale(2048, 32, 128, (8, 64))}
SCALES["gpu"] = SCALES["paper"]


class ExactAutocorrelations:
    name = "kpz-exact-autocorrelations"
    title = "autocorrelations under decomposition schemes against the exact process in continuous time"

    def cost(self, scale):
        s = SCALES[scale]
        exact = s.size**2 * s.replicas * RATIO * sum(s.waiting)
        rest = f"; and some minutes for the schemes; {4e-9 * s.size**2 * s.replicas * RATIO:.1f} GB of files"
        return cost_of(exact, "attempts of the exact process", *OF_KMC[scale]) + rest

    def make(self, program, scale):
        s = SCALES[scale]
        curves = {}  # {(kind, s): {label: (t / s, C(t, s), errors)}}
        for waiting in s.waiting:
            for kind, found in exact_curves(program, s, waiting).items():
                curves[kind, waiting] = {EXACT: found}
        for scheme in SCHEMES:
            if not scheme.fits(s.size):
                continue
            times = listed(sorted({waiting * ratio for waiting in s.waiting for ratio in range(1, RATIO + 1)}))
            options = {"size": s.size, "replicas": s.of_scheme, "seed": 1, "steps": RATIO * max(s.waiting)}
            run = scheme.run(program, {**options, "waiting-times": listed(s.waiting), "measure-times": times})
            for kind, waiting in curves:
                curves[kind, waiting][scheme.label] = at_ratios(curve([run], f"{kind}_autocorrelation_{waiting}"), waiting)
        return Report(draw(curves), series(curves), rows(curves), notes(s))


def exact_curves(program, s, waiting):
    """{kind: (t / s, C(t, s), errors)} of the exact process."""
    options = {"model": "octahedron", "size": s.size, "replicas": s.replicas, "seed": 1}
    options.update({"until-time": RATIO * waiting, "measure-every": waiting, "field-every": waiting})
    run = program.run(f"exact_{waiting}", "kmc", options)
    found = program.derived(run, lambda run: correlations(run, waiting, s.replicas))
    return {kind: np.array(found[kind]) for kind in KINDS}


def correlations(run, waiting, replicas):
    """{kind: [t / s, C(t, s), errors]} from the fields at whole multiples of the waiting time.

    C(t, s) of a replica is the mean of h(t) h(s) minus the product of the means, as in `tessera kpz`; for the slopes
    1 if the height increases to the next site and 0 otherwise, averaged over both directions.
    """
    with run.open() as opened:
        field = opened.fields["height"]
        ratios = np.rint(field.time / waiting).astype(int)
        begin = int(np.flatnonzero(ratios == 1)[0])
        found = {kind: np.zeros((len(ratios) - begin, replicas)) for kind in KINDS}
        for replica in range(replicas):
            first = field.snapshot(begin, replica).astype(float)
            for row in range(len(ratios) - begin):
                later = field.snapshot(begin + row, replica).astype(float)
                found["height"][row, replica] = covariance(first, later)
                both = [covariance(slopes(first, axis), slopes(later, axis)) for axis in (0, 1)]
                found["slope"][row, replica] = np.mean(both)
    rows = {kind: (ratios[begin:], values.mean(axis=1), standard_error(values)) for kind, values in found.items()}
    return {kind: [row.tolist() for row in of_kind] for kind, of_kind in rows.items()}


def covariance(a, b):
    return np.mean(a * b) - np.mean(a) * np.mean(b)


def slopes(heights, axis):
    return (np.roll(heights, -1, axis) > heights).astype(float)


def at_ratios(found, waiting):
    """The rows of a curve whose times are whole multiples of the waiting time, to 1 %, against t / s."""
    ratio = found[0] / waiting
    whole = np.rint(ratio)
    near = (np.abs(ratio / whole - 1) < 0.01) & (whole >= 1)
    return np.array([whole[near], *found[1:, near]])


def deviations(group):
    """{label: (t / s, deviations in percent, errors)} of the schemes that have measurements at the times of the exact process."""
    ratios = {label: compared("ratio", values, group[EXACT]) for label, values in group.items() if label != EXACT}
    return {label: np.array([x, 100 * (ratio - 1), 100 * error]) for label, (x, ratio, error) in ratios.items() if len(x)}


def rows(curves):
    out = []
    for (kind, waiting), group in curves.items():
        for label, (ratio, value, error) in deviations(group).items():
            # At t = s that of the slopes is 1/4 in any scheme.
            for i in sorted({int(np.argmax(ratio >= first)) for first in ((1, 2, 4) if kind == "height" else (2, 4))}):
                quantity = f"{label}: deviation of C(t, s) of {kind}s, s = {waiting}, t = {ratio[i] * waiting:.0f}, %"
                out.append(Comparison(quantity, value[i], error[i], 0, 0, EXACT))
    return out


def notes(s):
    return [
        f"L = {s.size}, {s.replicas} replicas of the exact process and {s.of_scheme} of each scheme, from flat surfaces.",
        "Exact: `tessera kmc --model octahedron`, p = 1, whose unit of time is that of one attempt per site on average.",
    ]


def series(curves):
    found = [series_of(f"{kind}_{waiting}", group, waiting) for (kind, waiting), group in curves.items()]
    return {name: columns for one in found for name, columns in one.items()}


def draw(curves):
    fig, axes = panels(len(curves) // len(KINDS), len(KINDS), squeeze=False)
    for panel, ((kind, waiting), group) in zip(axes.flat, curves.items()):
        draw_curves(panel, {label: found[:, (found[2] < 20) & (found[2] > 0)] for label, found in deviations(group).items()})
        panel.axhline(0, color="0.5", linewidth=0.8)
        panel.set_xlabel("$t / s$")
        letter = {"height": "h", "slope": "s"}[kind]
        panel.set(ylabel=f"deviation of $C_{letter}(t, s)$ (%)", title=f"{kind}s, $s$ = {waiting} MCS")
    legend_above(fig, axes, 4)
    return fig
