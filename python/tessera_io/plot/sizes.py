# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Distributions of the sizes of clusters, such as islands."""

import numpy as np

from ..observables import standard_error
from .curves import draw_points

SINGLE = 10  # sizes up to this have bins of their own; beyond, a decade has ten bins


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
