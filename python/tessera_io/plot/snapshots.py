# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import numpy as np
from matplotlib import colormaps
from matplotlib.cm import ScalarMappable
from matplotlib.collections import EllipseCollection
from matplotlib.colors import BoundaryNorm, LinearSegmentedColormap, ListedColormap, LogNorm, Normalize
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import Affine2D

from ..particles import NEIGHBOURS, local_orientation
from . import labels
from .labels import broken, shrink
from .sheet import NAMES
from .style import COLOURS

# Fields whose values have names: {value: name}.
WORDS = {"spin": {-1: "down", 1: "up"}, "occupation": {0: "empty", 1: "occupied", 8: "obstacle"}}
LIGHT, DARK, OTHER = "#F5ECD7", "#1F4E79", "#808080"
OUTSIDE = "0.88"  # around an oblique lattice
MOST_LAYERS = 16
# More disks than this are drawn as points, not circles.
MOST_CIRCLES = 300_000


def draw_field(axes, field, row=-1, replica=0, scale=None, bar=True):
    """A recorded lattice as an image, x to the right and y upwards. Returns the values shown, [ny, nx].

    field  of two axes, or a plane of one of three: field.slice(axis, plane)
    scale  what several pictures have in common, of common_scale(); None: the picture has its own
    bar    whether to draw a colour bar; axes: a colour bar in these
    """
    lattice = field.snapshot(row, replica)
    low, high = scale or _own_scale(lattice)
    if field.name in WORDS:
        words = {value: word for value, word in WORDS[field.name].items() if value <= max(high, 1)}
        _draw_named(axes, field, lattice, words, (LIGHT, DARK, OTHER), bar)
    elif any(len(species) > 1 for species in field.sites.values()):
        _draw_species(axes, field, row, replica, bar)
    elif field.name == "state" and low >= 0 and high < len(COLOURS):
        _draw_named(axes, field, lattice, {state: str(state) for state in range(int(high) + 1)}, COLOURS, bar, field.title)
    elif scale is None:
        _draw_heights(axes, field, lattice, labels.label(field), _own_scale(lattice), bar)
    else:
        lattice, name = _from_mean_layer(field, lattice)
        _draw_heights(axes, field, lattice, labels.with_unit(name, field.unit), scale, bar)
    oblique = (field.cell != np.eye(2)).any()
    if oblique:
        _place(axes, field)
    unit = "cubic cells" if field.lattice in ("bcc", "fcc") else "sites" if field.box is None or len(field.sites) < 2 else "unit cells"
    for draw, axis in zip((axes.set_xlabel, axes.set_ylabel), field.axes):
        draw(f"${axis} / a$" if oblique else f"${axis}$ ({unit})")
    _frame(axes)
    return lattice


def _place(axes, field):
    """Draws the image of an oblique lattice, such as a triangular one, along the sides of its unit cell."""
    for image in axes.images:
        image.set_transform(Affine2D(np.block([[field.cell.T, np.zeros((2, 1))], [0, 0, 1]])) + axes.transData)
    corners = _corners(field)
    axes.set_facecolor(OUTSIDE)
    axes.set(xlim=(corners[:, 0].min(), corners[:, 0].max()), ylim=(corners[:, 1].min(), corners[:, 1].max()))


def drawn_shape(field):
    """(height, width) of a lattice as it is drawn."""
    width, height = np.ptp(_corners(field), axis=0)
    return height, width


def _corners(field):
    ny, nx = field.shape
    return np.array([(0, 0), (nx, 0), (0, ny), (nx, ny)]) @ field.cell


def common_scale(field, rows, replica=0):
    """(least, most) of the values drawn from these rows; heights are relative to the mean layer of each row."""
    least, most = [], []
    for row in rows:
        lattice, _ = _from_mean_layer(field, field.snapshot(row, replica))
        for all_of_them, one in zip((least, most), _own_scale(lattice)):
            all_of_them.append(one)
    return min(least), max(most)


def _from_mean_layer(field, lattice):
    """(lattice, its name): heights relative to the layer next to their mean; other fields unchanged."""
    if field.name != "height":
        return lattice, field.title
    return lattice - np.rint(lattice.mean()).astype(lattice.dtype), r"height $h - \bar{h}$"


def _own_scale(lattice):
    """All layers if there are few, else all but the rarest heights."""
    low, high = lattice.min(), lattice.max()
    if _in_layers(lattice, low, high):
        return low, high
    return tuple(np.percentile(lattice, (0.1, 99.9)))


def _in_layers(lattice, low, high):
    return np.issubdtype(lattice.dtype, np.integer) and high - low < MOST_LAYERS


def _image(axes, field, lattice, **options):
    ny, nx = field.shape
    return axes.imshow(lattice, origin="lower", extent=(0, nx, 0, ny), interpolation="nearest", **options)


def _draw_named(axes, field, lattice, names, colours, bar, label=""):
    """The values of {value: name}, each in its colour with its name."""
    values = np.array(list(names))
    limits = np.concatenate([values[:1] - 0.5, (values[1:] + values[:-1]) / 2, values[-1:] + 0.5])
    image = _image(axes, field, lattice, cmap=ListedColormap(colours[: len(names)]), norm=BoundaryNorm(limits, len(names)))
    if bar:
        made = _colour_bar(axes, image, label, bar, ticks=(limits[1:] + limits[:-1]) / 2)
        made.ax.minorticks_off()
        vertical = made.orientation == "vertical"
        made.set_ticklabels([broken(name, NAMES) if vertical else name for name in names.values()])
        shrink((made.ax.yaxis if vertical else made.ax.xaxis).get_ticklabels(), NAMES)


def _draw_species(axes, field, row, replica, bar):
    """The species of a model from a file in their colours, the sites of a unit cell side by side."""
    names, shown = field.names, np.moveaxis(field.on_sites(row, replica), 0, -1).reshape(field.shape[0], -1)
    known = all(one in field.colours for one in names)
    colours = [field.colours[one] for one in names] if known else COLOURS if len(names) <= len(COLOURS) else colormaps["viridis"](np.linspace(0, 1, len(names)))
    _draw_named(axes, field, shown, dict(enumerate(names)), colours, bar)


def _draw_heights(axes, field, lattice, label, scale, bar):
    """Each layer its own colour if there are few, else a continuous scale."""
    low, high = scale
    if _in_layers(lattice, low, high):
        low, high = int(np.floor(low)), int(np.ceil(high))
        layers = high - low + 1
        colours = colormaps["viridis"].resampled(layers)
        norm = BoundaryNorm(np.arange(low, high + 2) - 0.5, colours.N)
        image = _image(axes, field, lattice, cmap=colours, norm=norm)
        ticks = {"ticks": np.arange(low, high + 1, max(1, layers // 8))}
    else:
        image = _image(axes, field, lattice, cmap="viridis", vmin=low, vmax=high)
        ticks = {"extend": "both"}
    if bar:
        _colour_bar(axes, image, label, bar, **ticks)


def _colour_bar(axes, image, label, bar, **options):
    """Draws the colour bar to the right, or in the axes `bar`, along their longer side."""
    if bar is True:
        return axes.figure.colorbar(image, ax=axes, label=label, shrink=0.9, **options)
    box = bar.get_window_extent()
    orientation = "horizontal" if box.width > box.height else "vertical"
    made = axes.figure.colorbar(image, cax=bar, label=label, orientation=orientation, **options)
    text = bar.xaxis.label if orientation == "horizontal" else bar.yaxis.label
    needed, room = (max(b.width, b.height) for b in (text.get_window_extent(), box))
    if needed > 1.1 * room:
        text.set_fontsize(text.get_fontsize() * 1.1 * room / needed)
    return made


def draw_particles(axes, particles, row=-1, diameter=1.0, bar=True):
    """Disks in their box, coloured by the direction of their local orientation psi_6; pale where it is weak.

    bar  as of draw_field()
    """
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
    axes.set(xlim=(0, box[0]), ylim=(0, box[1]), aspect="equal")
    for draw, axis in ((axes.set_xlabel, "$x$"), (axes.set_ylabel, "$y$")):
        draw(labels.with_unit(axis, particles.unit))
    if bar:
        image = ScalarMappable(Normalize(-30, 30), _cycle())
        label = r"local orientation, arg $\psi_6$ / 6 (degrees)"
        _colour_bar(axes, image, label, bar, ticks=[-30, -15, 0, 15, 30])
    _frame(axes)
    return psi


def draw_wave_vectors(axes, function, replica=None, bar=True):
    """A function of wave vectors, such as S(q), in the whole plane, on a logarithmic scale: the mean, or that of one replica.

    bar  as of draw_field()
    """
    of = function if replica is None else function.of_replica(replica)
    vectors = np.stack([of.arguments["q_x"], of.arguments["q_y"]])
    step = np.array([np.abs(q[np.abs(q) > 1e-9]).min() for q in vectors])
    x, y = np.rint(vectors / step[:, None]).astype(int)
    nx, ny = np.abs(x).max(), np.abs(y).max()
    plane = np.full((2 * ny + 1, 2 * nx + 1), np.nan)
    for sign in (1, -1):  # S(-q) = S(q), of which the file has one
        plane[ny + sign * y, nx + sign * x] = np.where(of.mean > 0, of.mean, np.nan)
    ends = (np.array([nx, ny]) + 0.5) * step
    scale = LogNorm(np.nanpercentile(plane, 1), np.nanmax(plane))
    extent = (-ends[0], ends[0], -ends[1], ends[1])
    image = axes.imshow(plane, origin="lower", extent=extent, interpolation="nearest", cmap="viridis", norm=scale)
    unit = labels.unit(next(iter(of.units.values())))
    axes.set(xlabel=f"$q_x$ ({unit})", ylabel=f"$q_y$ ({unit})")
    if bar:
        _colour_bar(axes, image, labels.label(of), bar)
    _frame(axes)
    return image


def with_images(position, box, margin):
    """([M, 2], [M]): the positions and their periodic images up to this distance outside the box, and their particles."""
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
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    for side in axes.spines.values():
        side.set_visible(True)
