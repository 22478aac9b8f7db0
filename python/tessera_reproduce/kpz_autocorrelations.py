# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Figures 3, 4 and 5 of Kelling, Odor and Gemming (2017): autocorrelations under decomposition schemes."""

import dataclasses
import math

import numpy as np
from tessera_io.plot.curves import compared

from .kpz_schemes import Scheme, cost_of_attempts, curve, effective_exponents, listed, logarithmic, replicas_of, series_of
from .numbers import Comparison, mean_of
from .page import draw_curves, legend_above, panels as sheet
from .report import Report


@dataclasses.dataclass
class Scale:
    """Parameters of the runs: side, replicas, Monte Carlo steps, waiting times, and the side of a domain (None: the default).

    sequential  of sequential dynamics: side, and runs of one replica each; None: one run like the others
    """

    size: int
    replicas: int
    steps: int
    waiting: tuple
    domain: int = None
    sequential: tuple = None
    per_decade: int = 8

    def attempts(self, schemes):
        each = [self.sequential if s.sequential and self.sequential else (self.size, self.replicas) for s in schemes]
        return self.steps * sum(size**2 * replicas for size, replicas in each)

    def runs(self, program, scheme):
        """The independent runs of a scheme, with equal numbers of replicas."""
        if not scheme.sequential or not self.sequential:
            return [scheme.run(program, self.options(), self.domain)]
        size, count = self.sequential
        several = [{**self.options(), "size": size, "replicas": 1, "seed": seed} for seed in range(1, count + 1)]
        return program.run_all([scheme.call(options, name=f"{scheme.run_name}_{options['seed']}") for options in several])

    def options(self):
        # One grid for all waiting times, which are among its times.
        ends = (*self.waiting, self.steps)
        times = {time for first, last in zip(ends, ends[1:]) for time in logarithmic(first, last, self.per_decade)}
        return {
            "size": self.size, "replicas": self.replicas, "steps": self.steps, "seed": 1,
            "waiting-times": listed(self.waiting), "measure-times": listed(sorted(times)),
        }  # fmt: skip


class Autocorrelations:
    def __init__(self, name, title, schemes, scales, kind, reference, exponents):
        self.name, self.title, self.schemes, self.scales = name, title, schemes, scales
        self.kind, self.reference, self.exponents = kind, reference, exponents

    def cost(self, scale):
        s = self.scales[scale]
        parallel, alone = (s.attempts([x for x in self.schemes if x.sequential == sequential]) for sequential in (False, True))
        return cost_of_attempts(scale, parallel, alone)

    def make(self, program, scale):
        s = self.scales[scale]
        finished = program.of_each(self.schemes, lambda scheme: s.runs(program, scheme))
        runs = {scheme.label: of_scheme for scheme, of_scheme in finished.items()}
        panels = []
        for waiting in s.waiting:
            for kind in self.kind:
                name = f"{kind}_autocorrelation_{waiting}"
                panels.append((kind, waiting, {label: curve(of_label, name) for label, of_label in runs.items()}))
        exponents = [
            (kind, waiting, {label: effective_exponents(of_label[0], f"lambda_eff_{kind}_{waiting}") for label, of_label in runs.items()})
            for kind in self.exponents
            for waiting in s.waiting
        ]
        late = late_means(runs, panels)
        return Report(draw(panels, exponents, self.reference), series(panels, exponents), self.rows(late), self.notes(s))

    def rows(self, late):
        """The mean over the last third in ln t, and that of the reference."""
        out = []
        for (kind, waiting), values in late.items():
            known = values.get(self.reference, (math.nan, math.nan))
            for label, (value, error) in values.items():
                if label != self.reference:
                    quantity = f"{label}: {kind}s, s = {waiting}, late mean"
                    out.append(Comparison(quantity, value, error, *known, source=self.reference))
        return out

    def notes(self, s):
        domain = f"domains of {s.domain} sites" if s.domain else "domains of the default size"
        alone = f" (sequential: L = {s.sequential[0]}, {s.sequential[1]} replicas)" if s.sequential else ""
        return [
            f"p = 1, q = 0, from flat surfaces. L = {s.size}, {s.replicas} replicas{alone}, {domain}; the paper prints no numbers with this figure.",
            "Late means: over the measurements in the last third of the time axis, which is logarithmic; "
            "error bars are standard errors over the replicas, whose means are independent. "
            "Values below their error are not drawn on logarithmic axes.",
        ]


def late_means(runs, panels):
    late = {}
    for kind, waiting, _ in panels:
        values = late.setdefault((kind, waiting), {})
        for label, of_label in runs.items():
            time, each = replicas_of(of_label, f"{kind}_autocorrelation_{waiting}")
            begin = waiting * (time[-1] / waiting) ** (2 / 3)
            values[label] = mean_of(each[time >= begin].mean(axis=0))
    return late


def series(panels, exponents):
    out = {}
    for title, group in (("autocorrelation", panels), ("lambda_eff", exponents)):
        for kind, waiting, curves in group:
            out.update(series_of(f"{title}_{kind}_{waiting}", curves))
    return out


EARLIEST = 1.4  # t / s from which local exponents are drawn
LETTER = {"height": "h", "slope": "s"}


def draw(panels, exponents, reference):
    """A row of panels for each waiting time: autocorrelations, those of heights over the reference where there are local
    exponents, and the exponents."""
    waiting_times = list(dict.fromkeys(waiting for _, waiting, _ in panels))
    ratios = [(kind, waiting, over(curves, reference)) for kind, waiting, curves in panels if exponents and reference in curves]
    groups = [(shown_curves, panels), (shown_ratios, ratios), (shown_exponents, exponents)]
    columns = sum(len(group) for _, group in groups) // len(waiting_times)
    fig, axes = sheet(len(waiting_times), columns, squeeze=False)
    numbers = {label: number for number, label in enumerate(panels[0][2])}
    for row, waiting in zip(axes, waiting_times):
        here = [(function, kind, curves) for function, group in groups for kind, time, curves in group if time == waiting]
        for panel, (function, kind, curves) in zip(row, here):
            draw_curves(panel, {label: function(waiting, *of_label) for label, of_label in curves.items()}, numbers)
            LABELS[function](panel, LETTER[kind], waiting, reference)
    for letter, (waiting, panel) in zip("abcdef", ((waiting, panel) for waiting, row in zip(waiting_times, axes) for panel in row)):
        panel.set_title(f"({letter}) $s$ = {waiting} MCS", loc="left")
    legend_above(fig, axes[0, 0], 5)
    return fig


def over(curves, reference):
    """Ratios of the other curves to the reference at its times, with errors."""
    return {label: compared("ratio", one, curves[reference]) for label, one in curves.items() if label != reference}


def shown_curves(waiting, time, value, error):
    # Values within the noise are omitted on logarithmic axes, and lines are broken there.
    shown = (value > error) & (value > 0)
    return time / waiting, np.where(shown, value, np.nan), error


def shown_ratios(waiting, time, value, error):
    shown = error < 0.1
    return time[shown] / waiting, value[shown], error[shown]


def shown_exponents(waiting, time, value, error):
    shown = (error < 0.2) & (time > EARLIEST * waiting)
    return waiting / time[shown], value[shown], error[shown]


def label_curves(panel, letter, _waiting, _reference):
    panel.set(xscale="log", yscale="log", xlabel="$t / s$")
    panel.set_ylabel(f"$C_{letter}(t, s)$" + (" (layers$^2$)" if letter == "h" else ""))


def label_ratios(panel, letter, _waiting, reference):
    panel.axhline(1, color="0.5", linewidth=0.6)
    panel.set(xscale="log", xlabel="$t / s$", ylabel=f"$C_{letter}$ / $C_{letter}$ of {reference}")


def label_exponents(panel, letter, _waiting, _reference):
    panel.set(xlabel="$s / t$", ylabel=rf"$\lambda_{{{letter},\mathrm{{eff}}}} / z$")


LABELS = {shown_curves: label_curves, shown_ratios: label_ratios, shown_exponents: label_exponents}


def figures():
    devices = [Scheme(d) for d in ("cdb", "db", "dt", "dtr", "sequential")]
    cells = [Scheme("dtr", "dt", c) for c in ("1,1", "2,1", "2,2", "3,2", "4,1")]
    blocks = [Scheme("dtr", "db", "1,1"), Scheme("dtr", "db", "2,2"), Scheme("dtr", "dt", "3,2")]
    return [
        Autocorrelations(
            "kpz-figure-3", "autocorrelations of heights and slopes by device-layer decomposition", devices,
            {
                "quick": Scale(256, 16, 300, (10,), domain=16),
                "gpu": Scale(8192, 32, 5000, (100,), sequential=(1024, 16)),
                "paper": Scale(8192, 200, 5000, (100,), sequential=(2048, 28)),
            },
            ("height", "slope"), "sequential", (),
        ),
        Autocorrelations(
            "kpz-figure-4", "autocorrelations by thread cell, double tiling at block level", cells,
            {"quick": Scale(512, 8, 300, (10,)), "gpu": Scale(8192, 16, 3000, (100,)), "paper": Scale(65536, 40, 5000, (100,))},
            ("height",), "DTrDT, TC=3,2", ("slope",),
        ),
        Autocorrelations(
            "kpz-figure-5", "autocorrelations of heights, dead border at block level", blocks,
            {"quick": Scale(512, 8, 300, (10,)), "gpu": Scale(8192, 16, 6000, (100, 1000)), "paper": Scale(65536, 100, 20000, (100, 1000))},
            ("height",), "DTrDB, TC=2,2", ("height",),
        ),
    ]  # fmt: skip
