# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Tables 1 and 2 of Anderson, Jankowski, Grubb, Engel and Glotzer (2013): pressures of hard disks."""

import dataclasses
import math

import numpy as np
from tessera_io.plot.style import COLOURS, MARKERS

from .disks_transition import ETAS, PACKING, PRESSURE, TABLE_2, draw_transition
from .numbers import Comparison, cost_of
from .page import categories, legend_above, panels
from .report import Report

MOVES = 3  # approximate number of trial moves per disk and sweep
SPEEDS = {"quick": [(1.5e7, "two cores")], "gpu": [(3e10, "an H100")], "paper": [(4e10, "an H200"), (2.5e7, "two cores")]}  # in moves/s
LI = "Li et al. 2022"
VIRIAL = "virial series to B10"


@dataclasses.dataclass(frozen=True)
class System:
    """Disks at a packing fraction, and known pressures: (value, standard error, source).

    sweeps    of equilibration and after it; None: those of the scale
    replicas  None: those of the scale
    """

    particles: int
    eta: float
    known: tuple = ()
    aspect: float = 1.0
    sweeps: tuple = None
    replicas: int = None

    def name(self):
        return f"n{self.particles}_eta{self.eta:g}"


@dataclasses.dataclass
class Scale:
    systems: tuple
    replicas: int  # replicas of the largest system; smaller ones have more, for the same number of disks, up to 128
    equilibrate: int
    sweeps: int  # after the equilibration
    sample_every: int
    start: str = "random"

    def sweeps_of(self, system):
        return system.sweeps or (self.equilibrate, self.sweeps)

    def replicas_of(self, system):
        if system.replicas:
            return system.replicas
        largest = max(other.particles for other in self.systems)
        return max(self.replicas, min(128, self.replicas * largest // system.particles))

    def options(self, system):
        equilibrate, sweeps = self.sweeps_of(system)
        return {
            "particles": system.particles, "packing-fraction": system.eta, "aspect": system.aspect,
            "replicas": self.replicas_of(system),
            "equilibrate": equilibrate, "sweeps": equilibrate + sweeps, "sample-every": self.sample_every,
            "average-from": equilibrate, "seed": 1, "start": self.start,
        }  # fmt: skip

    def moves(self, variants=1):
        return MOVES * variants * sum(system.particles * self.replicas_of(system) * sum(self.sweeps_of(system)) for system in self.systems)


def dilute(eta):
    """P* from the virial series to B10 (Clisby and McCoy 2006), whose next term bounds its error."""
    coefficients = (1, 2, 3.128018, 4.257854, 5.3369, 6.3630, 7.3519, 8.3191, 9.2721, 10.2163)
    z = sum(b * eta**power for power, b in enumerate(coefficients))
    density = 4 * eta / math.pi
    return density * z, density * 11.2 * eta**10, VIRIAL


def pressure(run):
    """The average over the samples of a run, and its standard error; NaN if the run is too short."""
    observables = run.summary["averages"]["observables"]
    return observables["pressure"], math.nan if observables["pressure_error"] is None else observables["pressure_error"]


# Box 9 : 8 sqrt(3)/2 and 29 : 30 sqrt(3)/2.
N72 = System(72, 0.65, ((6.895819, 0.000044, LI),), 9 / (8 * math.sqrt(3) / 2))
N870 = System(870, 0.67, ((7.986735, 0.000026, LI),), 29 / (30 * math.sqrt(3) / 2))
DILUTE = tuple(System(256, eta, (dilute(eta),)) for eta in (0.1, 0.2, 0.3))

# Table 2, N = 256^2, by Bernard and Krauth.
KRAUTH = ((9.1708, 0.0004), (9.1924, 0.0004), (9.1858, 0.0005), (9.1790, 0.0004), (9.1758, 0.0005), (9.186, 0.001))
PAPER = tuple(
    System(65536, eta, tuple((value, error / 2, source) for (value, error), source in zip(both, ("the paper", "Bernard and Krauth"))))
    for eta, *both in zip(ETAS, TABLE_2[256], KRAUTH)
)

# The transition in half an hour: smaller systems, in boxes of the triangular lattice, whose order changes in fewer sweeps,
# and three packing fractions of 256^2 disks.
LATTICE = 2 / math.sqrt(3)
ACROSS = (0.690, *ETAS, 0.724, 0.730)
TRANSITION = (
    *(System(64**2, eta, aspect=LATTICE, sweeps=(500_000, 1_000_000), replicas=32) for eta in ACROSS),
    *(System(128**2, eta, aspect=LATTICE, sweeps=(1_000_000, 2_000_000), replicas=16) for eta in ACROSS),
    *(dataclasses.replace(PAPER[ETAS.index(eta)], sweeps=(1_000_000, 3_000_000)) for eta in (0.710, 0.698, 0.714)),
)


class EquationOfState:
    name = "disks-table-2"
    title = "pressure of hard disks against packing fraction"
    scales = {
        "quick": Scale((*DILUTE, N72, N870), 16, 1000, 3000, 5),
        "gpu": Scale(TRANSITION, 8, 0, 0, 200, start="lattice"),
        "paper": Scale(PAPER, 8, 300_000_000, 700_000_000, 200),
    }

    def cost(self, scale):
        return cost_of(self.scales[scale].moves(), "trial moves", *SPEEDS[scale])

    def make(self, program, scale):
        s = self.scales[scale]
        runs = program.of_each(s.systems, lambda system: program.run(system.name(), "disks", s.options(system)))
        found = [(system, *pressure(run)) for system, run in runs.items()]
        results, of_order = ([run.summary["stationarity"][name]["result"] for run in runs.values()] for name in ("pressure", "psi6_re"))
        rows = []
        for system, value, error in found:
            for known, known_error, source in system.known:
                quantity = f"N = {system.particles}, eta = {system.eta:g}: P*"
                rows.append(Comparison(quantity, value, error, known, known_error, source))
        columns = np.array([(system.particles, system.eta, value, error) for system, value, error in found]).T
        series = {"pressure": dict(zip(("particles", "packing_fraction", "value", "error"), columns))}
        series["pressure"]["stationarity"] = results
        drawn = draw_differences(found) if scale == "quick" else draw_transition(found, results)
        return Report(drawn, series, rows, self.notes(s, scale, list(runs), results, of_order))

    def notes(self, s, scale, systems, results, of_order):
        lengths = {}  # {(N, replicas, sweeps): etas}
        for system in systems:
            lengths.setdefault((system.particles, s.replicas_of(system), *s.sweeps_of(system)), []).append(f"{system.eta:g}")
        common = [
            f"N = {count}, eta = {', '.join(etas)}: {replicas} replicas, {sweeps:.3g} sweeps after {equilibrate:.3g} of equilibration."
            for (count, replicas, equilibrate, sweeps), etas in lengths.items()
        ]
        start = "the triangular lattice" if s.start == "lattice" else "random initial configurations"
        common.append(f"From {start}; errors are standard errors.")
        if scale == "quick":
            small = "Small systems, whose pressures others have measured in boxes of the same shape."
            return [*common, small, "The transition of the paper takes --scale gpu or paper."]
        boxes = "Boxes are squares" + (", for N < 256^2 those of a perfect triangular lattice." if scale == "gpu" else ".")
        for result, words in (
            ("drifting", "not stationary"),
            ("replicas differ", "different between replicas, by more than their errors permit"),
            ("too short", "from runs that are too short"),
        ):
            these = [system for system, one in zip(systems, results) if one == result]
            common += [f"Pressures that are {words} (open symbols): {listing(these)}."] if these else []
        kept = [system for system, one in zip(systems, of_order) if one != "stationary"]
        if kept:
            common.append(f"Too short for the direction of the order: {listing(kept)}. There a pressure can be that of the initial configuration although it is stationary.")
        printed = "Errors printed in the paper are two standard errors; half of them is in the table, all of them in the figure."
        return [*common, boxes, printed]


def listing(systems):
    """`N = 64, eta = 0.5, 0.6; N = 256, eta = 0.5`."""
    etas = {}
    for system in systems:
        etas.setdefault(system.particles, []).append(f"{system.eta:g}")
    return "; ".join(f"N = {count}, eta = {', '.join(several)}" for count, several in etas.items())


def draw_differences(found):
    """Pressures, and their differences from known ones."""
    fig, (axes, below) = panels(2, height=1.8, sharex=True, height_ratios=(2, 1))
    for number, count in enumerate(dict.fromkeys(system.particles for system, *_ in found)):
        these = [(system.eta, value, error) for system, value, error in found if system.particles == count]
        eta, value, error = np.array(these).T
        axes.errorbar(eta, value, yerr=error, fmt=MARKERS[number], color=COLOURS[number], label=f"$N$ = {count}")
    known = [(system, value, error, *system.known[0]) for system, value, error in found]
    for number, source in enumerate(dict.fromkeys(row[-1] for row in known)):
        these = [(row[0].eta, *row[1:5]) for row in known if row[-1] == source]
        eta, value, error, exact, exact_error = np.array(these).T
        axes.plot(eta, exact, "_", color="black", markersize=10, markeredgewidth=1)
        below.errorbar(
            eta, value - exact, yerr=np.hypot(error, exact_error), fmt=MARKERS[number + 3], color=COLOURS[number + 3], label=f"from {source}",
        )  # fmt: skip
    axes.plot([], [], "_", color="black", markersize=10, label="known")
    below.axhline(0, color="0.6", linewidth=0.6)
    axes.set_ylabel(PRESSURE)
    below.set(ylabel=r"difference in $P^*$", xlabel=PACKING)
    axes.legend()
    below.legend()
    return fig


# Table 1: (particles shuffled, checkerboard shuffled): P* at .698, .708, .716, with two standard errors in the last digit.
TABLE_1 = {
    (True, True): ((9.17079, 0.00005), (9.18214, 0.00006), (9.1774, 0.0002)),
    (True, False): ((9.1707, 0.0001), (9.1821, 0.0002), (9.1775, 0.0003)),
    (False, True): ((9.1716, 0.0001), (9.1876, 0.0002), (9.1831, 0.0003)),
    (False, False): ((9.1715, 0.0001), (9.1873, 0.0001), (9.1823, 0.0002)),
}


class Shuffling:
    name = "disks-table-1"
    title = "pressure of hard disks with and without the shuffling of particles and of the checkerboard"
    scales = {
        "quick": Scale((N72,), 64, 1000, 8000, 5),
        "gpu": Scale((N870,), 512, 20_000, 200_000, 100, start="lattice"),
        "paper": Scale(tuple(System(65536, eta) for eta in (0.698, 0.708, 0.716)), 8, 300_000_000, 700_000_000, 200),
    }

    def cost(self, scale):
        return cost_of(self.scales[scale].moves(len(TABLE_1)), "trial moves", *SPEEDS[scale])

    def make(self, program, scale):
        s = self.scales[scale]
        rows, points = [], []
        for (particles, checkerboard), printed in TABLE_1.items():
            for number, system in enumerate(s.systems):
                shuffles = {"shuffle-particles": str(particles).lower(), "shuffle-checkerboard": str(checkerboard).lower()}
                name = f"{system.name()}_{'yes' if particles else 'no'}_{'yes' if checkerboard else 'no'}"
                value, error = pressure(program.run(name, "disks", {**s.options(system), **shuffles}))
                known, source = (printed[number][0], printed[number][1] / 2), "the paper"
                if system.known:
                    known, source = system.known[0][:2], f"{LI}, detailed balance"
                words = f"P. {'yes' if particles else 'no'}, CB. {'yes' if checkerboard else 'no'}"
                quantity = f"{words}: P* at N = {system.particles}, eta = {system.eta:g}"
                rows.append(Comparison(quantity, value, error, *known, source))
                points.append((words, system.eta, value, error, *known))
        known = "Anderson et al." if scale == "paper" else LI
        return Report(draw_shuffling(points, s.systems[0].particles, known), series_of(points), rows, self.notes(s, scale))

    def notes(self, s, scale):
        common = f"P., CB.: shuffled or not. {s.replicas} replicas, {s.sweeps} sweeps after {s.equilibrate} of equilibration."
        if scale == "paper":
            return [common, "Printed errors are taken as two standard errors, as in table 2; half of them is in the table."]
        held = "At this size all four are held against the pressure that detailed balance gives."
        shifts = (
            "The shifts that the paper finds, 0.001 to 0.006, are at N = 256^2 and take --scale paper; here shifts of less "
            "than three errors are not seen."
        )
        return [common, held, shifts]


def series_of(points):
    return {
        "pressure": {
            "shuffled": [p[0] for p in points],
            **dict(zip(("packing_fraction", "value", "error", "known", "known_error"), np.array([p[1:] for p in points]).T)),
        }
    }


def draw_shuffling(points, particles, source):
    etas = list(dict.fromkeys(p[1] for p in points))
    fig, axes = panels(1, len(etas), height=2.4, squeeze=False)
    for panel, eta in zip(axes[0], etas):
        here = [p for p in points if p[1] == eta]
        for place, (_, _, value, error, known, known_error) in enumerate(here):
            for number, aside, bar in ((0, -0.08, (value, error)), (1, 0.08, (known, known_error))):
                label = ("Tessera", source)[number] if place == 0 else None
                panel.errorbar(place + aside, bar[0], yerr=bar[1], fmt=MARKERS[number], color=COLOURS[number], label=label)
        categories(panel.xaxis, [p[0].replace(", ", "\n") for p in here])
        panel.set(xlim=(-0.5, len(here) - 0.5), title=rf"$N$ = {particles}, $\eta$ = {eta:g}")
        panel.ticklabel_format(axis="y", useOffset=False)
    axes[0, 0].set_ylabel(PRESSURE)
    legend_above(fig, axes[0, 0], 2)
    return fig
