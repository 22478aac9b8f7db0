# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import numpy as np
from matplotlib import colormaps
from matplotlib.cm import ScalarMappable
from matplotlib.collections import EllipseCollection
from matplotlib.colors import BoundaryNorm, LinearSegmentedColormap, ListedColormap, Normalize
from matplotlib.patches import Patch

from ..orientation import NEIGHBOURS, local_orientation
from . import style

SPIN_COLOURS = ("#F5ECD7", "#1F4E79")
MOST_LAYERS = 16
# More disks than this are points of a picture, not circles.
MOST_CIRCLES = 300_000


def draw_field(axes, field, row=-1, replica=0):
    """A recorded lattice as an image, x to the right and y upwards. Returns what it shows, [ny, nx]."""
    lattice = field.snapshot(row, replica)
    if field.name == "spin":
        _draw_spins(axes, lattice)
    else:
        _draw_heights(axes, lattice, style.label(field.name, field.unit))
    axes.set_xlabel("x (sites)")
    axes.set_ylabel("y (sites)")
    _frame(axes)
    return lattice


def _image(axes, lattice, **options):
    ny, nx = lattice.shape
    return axes.imshow(lattice, origin="lower", extent=(0, nx, 0, ny), interpolation="nearest", **options)


def _draw_spins(axes, lattice):
    _image(axes, lattice, cmap=ListedColormap(SPIN_COLOURS), vmin=-1, vmax=1)
    handles = [Patch(facecolor=colour, edgecolor="black", linewidth=0.5) for colour in SPIN_COLOURS]
    axes.legend(handles, ("spin down", "spin up"), loc="lower left", bbox_to_anchor=(0, 1), ncols=2)


def _draw_heights(axes, lattice, label):
    """Each layer its own colour if there are few, else a scale without the rarest heights."""
    low, high = int(lattice.min()), int(lattice.max())
    bar = {"shrink": 0.85, "label": label}
    if np.issubdtype(lattice.dtype, np.integer) and high - low < MOST_LAYERS:
        layers = high - low + 1
        colours = colormaps["viridis"].resampled(max(layers, 2))
        norm = BoundaryNorm(np.arange(low, low + max(layers, 2) + 1) - 0.5, colours.N)
        image = _image(axes, lattice, cmap=colours, norm=norm)
        ticks = np.arange(low, high + 1, max(1, layers // 8))
        axes.figure.colorbar(image, ax=axes, ticks=ticks, **bar)
        return
    least, most = np.percentile(lattice, (0.1, 99.9))
    image = _image(axes, lattice, cmap="viridis", vmin=least, vmax=most)
    axes.figure.colorbar(image, ax=axes, extend="both", **bar)


def draw_particles(axes, particles, row=-1, diameter=1.0):
    """Disks in their box, coloured by the direction of their local orientation psi_6; pale where it is weak."""
    position, box = particles.position(row), particles.box(row)
    psi = local_orientation(position, box) if len(position) > NEIGHBOURS else np.zeros(len(position), complex)
    colours = orientation_colours(psi)
    if len(position) <= MOST_CIRCLES:
        shown, whose = with_images(position, box, diameter / 2)
        size = np.full(len(shown), diameter)
        disks = EllipseCollection(
            size, size, np.zeros(len(shown)), units="xy", offsets=shown, transOffset=axes.transData, facecolors=colours[whose]
        )
        if len(position) < 2000:
            disks.set_edgecolor("black")
            disks.set_linewidth(0.3)
        disks.set_rasterized(len(position) > 5000)
        axes.add_collection(disks)
    else:
        axes.scatter(*position.T, s=1, c=colours, marker=".", linewidths=0, rasterized=True)
    axes.set_xlim(0, box[0])
    axes.set_ylim(0, box[1])
    axes.set_aspect("equal")
    unit = particles.unit or "sigma"
    axes.set_xlabel(style.label("x", unit))
    axes.set_ylabel(style.label("y", unit))
    bar = axes.figure.colorbar(ScalarMappable(Normalize(-30, 30), _cycle()), ax=axes, shrink=0.85)
    bar.set_label("local orientation, arg $\\psi_6$ / 6 (degrees)")
    bar.set_ticks([-30, -15, 0, 15, 30])
    _frame(axes)
    return psi


def with_images(position, box, margin):
    """([M, 2], [M]): the positions and their periodic images up to this far outside of the box, and whose each is."""
    images, whose = position, np.arange(len(position))
    for axis in (0, 1):
        step = np.where(np.arange(2) == axis, box, 0.0)
        low, high = images[:, axis] < margin, images[:, axis] > box[axis] - margin
        images = np.concatenate([images, images[low] + step, images[high] - step])
        whose = np.concatenate([whose, whose[low], whose[high]])
    return images, whose


def _cycle():
    """A cyclic scale without white or grey; its colours differ in lightness or between yellow and blue."""
    return LinearSegmentedColormap.from_list("orientation", ("#272B70", "#D55E00", "#F2C14E", "#4BA6DB", "#272B70"))


def orientation_colours(psi):
    """[N, 4]: the phase of psi on a cyclic scale, blended with white as its modulus falls from 1 to 0."""
    colours = _cycle()((np.angle(psi) + np.pi) / (2 * np.pi))
    strength = np.clip(np.abs(psi), 0, 1)[:, None]
    colours[:, :3] = 1 - strength * (1 - colours[:, :3])
    return colours


def _frame(axes):
    for side in axes.spines.values():
        side.set_visible(True)
