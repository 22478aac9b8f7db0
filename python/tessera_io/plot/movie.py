# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""All recorded rows as a movie, by the writers of matplotlib."""

import matplotlib.pyplot as plt
from matplotlib import animation

from ..choice import particles_of
from . import caption, labels, panels, pictures
from .curves import draw_pair_distribution

WRITERS = {"gif": "pillow", "mp4": "ffmpeg"}


def movies(run, options):
    """Makes a movie of each field and of the particles of a replica, or of the named ones; yields the paths."""
    for name in [*run.fields, *particles_of(run, options.replica or 0)]:
        if not options.names or name in options.names:
            recorded = pictures.drawn(run.fields[name], options) if name in run.fields else run.particles[name]
            yield from _movie(run, recorded, options)


def _movie(run, recorded, options):
    writers = {extension: _writer(extension, options.fps) for extension in options.format}
    fig, axes, draw = _stage(run, recorded, options)

    def frame(row, first):
        axes.clear()
        draw(row, first)
        pictures.put_title(axes, labels.moment(recorded.time[row], recorded.time_unit), "right")

    frame(0, True)
    if fig.get_layout_engine() is not None:
        fig.draw_without_rendering()
        fig.set_layout_engine("none")  # all frames have the position of the first
    for extension, writer in writers.items():
        path = f"{options.output}_{recorded.name}.{extension}"
        with writer.saving(fig, path, options.dpi):
            for row in range(len(recorded)):
                frame(row, False)
                writer.grab_frame()
        yield path
    plt.close(fig)


def _stage(run, recorded, options):
    """(figure, axes, function that draws a row; the first time with a colour bar)"""
    if recorded.name in run.particles or len(recorded.shape) == 2:
        fig, (axes,), draw_row = pictures.stage(run, recorded, range(len(recorded)), options, 1)
        return fig, axes, lambda row, first: draw_row(axes, row, first)
    fig, (axes,) = panels.panels(1, options.width, 5.2, 0.73)
    caption.write(fig, panels.shown_caption(options, caption.of_run(run)))
    highest = max(recorded.snapshots(row).max() for row in range(len(recorded)))

    def draw(row, _first):
        draw_pair_distribution(axes, recorded, row, options.replica)
        axes.set_ylim(0, 1.05 * highest)

    return fig, axes, draw


def _writer(extension, fps):
    name = WRITERS[extension]
    if not animation.writers.is_available(name):
        raise ImportError(f"a movie as {extension} needs {name}, which is not installed; --format gif needs pillow, mp4 ffmpeg")
    return animation.writers[name](fps=fps)
