# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Pictures of histograms of observables, and of the sizes of clusters, such as islands."""

import numpy as np
from matplotlib.colors import LogNorm

from ..distributions import histogram
from ..observables import standard_error
from . import caption, labels, style
from .curves import LOG_Y, draw_points
from .panels import finish, panels

SINGLE = 10  # sizes up to this have bins of their own; beyond, a decade has ten bins


def draw_histograms(runs, options):
    """A picture of each --histogram, with one colour for each run, or of two observables a panel for each."""
    names_of_runs = caption.differences(runs) if len(runs) > 1 else [None]
    for names in options.histogram:
        all_of = [histogram(run, *names) for run in runs]
        shown = all_of if options.replica is None else [one.of_replica(options.replica) for one in all_of]
        fig, axes = panels(len(runs) if len(names) > 1 else 1, options.width, 5.2, 0.73)
        for number, (one, label, colour) in enumerate(zip(shown, names_of_runs, style.colours(len(runs)))):
            if len(names) > 1:
                draw_joint_histogram(axes[number], one, options.scale)
                axes[number].set_title(label or "", loc="right")
            else:
                draw_histogram(axes[0], one, options.scale, colour, label)
        if len(names) == 1 and len(runs) > 1:
            axes[0].legend()
        sentences = [_words(runs, all_of), "" if options.replica is None else f"replica {options.replica}"]
        if len(names) == 1 and any(np.isfinite(one.error).any() for one in shown):
            sentences.append("bars and bands: standard errors")
        doubts = {one.judgement.words: "" for one in all_of}
        yield from finish(fig, "histogram_" + "_".join(names), options, *caption.of_runs(runs, names_of_runs), [*sentences, *doubts])


def draw_histogram(axes, one, scale="auto", colour=None, name=None):
    """A tessera_io.histogram() of an observable: the middles of its bins, with error bars, or a band if they are many."""
    ((of, x),) = one.arguments.items()
    line = draw_points(axes, x, one.mean, one.error, "linear" if scale == "auto" else scale, colour, name)
    axes.set_xlabel(labels.with_unit(one.titles[of], one.units[of]))
    axes.set_ylabel(labels.with_unit("probability density", one.unit))
    return line


def draw_joint_histogram(axes, one, scale="auto"):
    """A tessera_io.histogram() of two observables, the first one to the right; bins without measurements are blank."""
    (first, x), (second, y) = one.edges.items()
    density = np.where(one.mean > 0, one.mean, np.nan).T
    image = axes.pcolormesh(x, y, density, cmap="viridis", norm=LogNorm() if scale in LOG_Y else None, rasterized=True)
    axes.set_xlabel(labels.with_unit(one.titles[first], one.units[first]))
    axes.set_ylabel(labels.with_unit(one.titles[second], one.units[second]))
    axes.figure.colorbar(image, ax=axes, label=labels.with_unit("probability density", one.unit))
    return image


def _words(runs, all_of):
    """The measurements that are counted."""
    after = " or ".join(dict.fromkeys(labels.moment(one.start, one.time_unit) for one in all_of))
    counts = " or ".join(dict.fromkeys(str(one.samples) for one in all_of))
    of = "" if all(run.replicas == 1 for run in runs) else " of each replica"
    return f"{counts} measurements{of} after {after}"


def has_sizes(table):
    """Whether a table has the numbers of clusters of each size."""
    return {"replica", "time", "size", "clusters"} <= set(table)


def distribution(table, field, rows, replica=None):
    """(size, density, error), [n] each: clusters of one size per cell of the lattice, averaged over these rows of the field, at whose times
    they are counted. Sizes above SINGLE share logarithmic bins, in which the density is that of one size of the bin.

    replica  None: the mean over all replicas, with its standard error
    """
    largest = table["size"].max(initial=1)
    wide = SINGLE * 10 ** (np.arange(1, 10 * max(np.log10(largest / SINGLE), 0) + 2) / 10)
    edges = np.unique(np.concatenate([np.arange(1, SINGLE + 2), np.rint(wide)]))  # a bin has the sizes from its edge to that of the next
    times = field.times if field.times.ndim > 1 else field.times[:, None].repeat(field.replicas, axis=1)
    each = []
    for one in range(field.replicas) if replica is None else [replica]:
        counted = (table["replica"] == one) & np.isin(table["time"], times[rows, one])
        each.append(np.histogram(table["size"][counted], edges, weights=table["clusters"][counted])[0])
    values = np.array(each).T / (np.diff(edges)[:, None] * len(rows) * np.prod(field.shape))
    return np.sqrt(edges[:-1] * (edges[1:] - 1)), values.mean(axis=1), standard_error(values)


def draw_sizes(axes, table, field, rows=(-1,), replica=None, scale="auto", colour=None, name=None):
    """A distribution() on logarithmic axes, unless another scale is given."""
    size, density, error = distribution(table, field, list(rows), replica)
    positive = density > 0  # a size that does not occur is a gap
    line = draw_points(axes, size[positive], density[positive], error[positive], "log" if scale == "auto" else scale, colour, name)
    islands = table.name == "island_sizes"
    axes.set_xlabel("island size $s$ (atoms)" if islands else "cluster size $s$ (sites)")
    of = "" if islands else f" of {table.name.removeprefix('cluster_sizes_').replace('_', ' ')}"
    axes.set_ylabel(f"density $n_s${of} (1/{'site' if islands else 'cell'})")
    return line
