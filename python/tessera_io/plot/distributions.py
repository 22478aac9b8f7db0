# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Pictures of histograms of observables."""

import numpy as np
from matplotlib.colors import LogNorm

from ..distributions import histogram
from . import caption, labels, style
from .curves import LOG_Y, draw_points
from .panels import panels, save, shown_caption


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
        caption.write(fig, shown_caption(options, *caption.of_runs(runs, names_of_runs), "; ".join(filter(None, (*sentences, *doubts)))))
        yield from save(fig, "histogram_" + "_".join(names), options)


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
