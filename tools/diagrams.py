#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Draws the diagrams of the documents: tools/diagrams.py [--format png] [--output docs/images] [NAME...]

SVG with text as paths, the same bytes each time with the same Matplotlib."""

import argparse
import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Rectangle  # noqa: E402

BLUE, SKY, ORANGE, YELLOW, GREEN, RED, GREY = "#0072b2", "#a6cee3", "#e69f00", "#f7e08b", "#009e73", "#d55e00", "#8a8a8a"
PALE = "#f3f3f3"


def panel(axes, title, width, height, below=0.0):
    axes.set_xlim(-0.1, width + 0.1)
    axes.set_ylim(-0.1 - below, height + 0.1)
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_title(title, fontsize=10, loc="left")


def cells(axes, x, y, width, height, face="none", edge="#d0d0d0", line=0.5):
    """A block of cells of side 1."""
    axes.add_patch(Rectangle((x, y), width, height, facecolor=face, edgecolor=edge, linewidth=line))
    axes.vlines(range(x + 1, x + width), y, y + height, color=edge, linewidth=line)
    axes.hlines(range(y + 1, y + height), x, x + width, color=edge, linewidth=line)


def frame(axes, x, y, width, height, colour, line=1.8, style="-"):
    axes.add_patch(Rectangle((x, y), width, height, facecolor="none", edgecolor=colour, linewidth=line, linestyle=style))


def arrow(axes, start, end, colour="black", curve=0.0, line=1.4, style="-|>"):
    bend = f"arc3,rad={curve}"
    axes.add_patch(FancyArrowPatch(start, end, arrowstyle=style, mutation_scale=11, color=colour, linewidth=line, connectionstyle=bend))


def note(axes, x, y, text, colour="black", **how):
    axes.text(x, y, text, color=colour, fontsize=how.pop("size", 9), ha=how.pop("ha", "center"), va=how.pop("va", "center"), **how)


def box(axes, x, y, width, height, text, face):
    axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle="round,pad=0.08", facecolor=face, edgecolor="#505050", linewidth=0.8))
    note(axes, x + width / 2, y + height / 2, text)


def tile():
    """Tile, halo and ring; the wider halos of a repair."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.4, 4.3), layout="constrained", width_ratios=(1, 1.35))
    panel(left, "tile, halo and ring", 12, 12, below=2.6)
    cells(left, 0, 0, 12, 12)
    cells(left, 1, 1, 10, 10, face=YELLOW)
    cells(left, 3, 3, 6, 6, face=ORANGE)
    cells(left, 4, 4, 4, 4, face=SKY)
    for edge in (0, 4, 8, 12):
        left.plot([edge, edge], [0, 12], color=GREY, linewidth=1)
        left.plot([0, 12], [edge, edge], color=GREY, linewidth=1)
    frame(left, 4, 4, 4, 4, BLUE)
    frame(left, 1, 1, 10, 10, "black", style="--")
    for x, face, text in ((0, SKY, "tile"), (3, ORANGE, "ring"), (6.3, YELLOW, "halo")):
        left.add_patch(Rectangle((x, -1.3), 0.8, 0.8, facecolor=face, edgecolor=GREY, linewidth=0.5))
        note(left, x + 1.1, -0.9, text, ha="left")
    note(left, 9.6, -0.9, "- - window", ha="left")
    note(left, 0, -2.1, "events in the ring must be those of its owners", ha="left")

    panel(right, "repair of two tiles that disagree", 16, 12, below=2.6)
    cells(right, 0, 0, 16, 12)
    for x, colour in ((4, BLUE), (8, RED)):
        right.add_patch(Rectangle((x - 3, 1), 10, 10, facecolor=colour, alpha=0.13, edgecolor="none"))
        frame(right, x - 2, 2, 8, 8, colour, line=1.0, style=":")
        frame(right, x - 3, 1, 10, 10, colour, line=1.4, style="--")
    cells(right, 4, 4, 4, 4, face=SKY)
    cells(right, 8, 4, 4, 4, face="#f4b9a0")
    for edge in range(0, 17, 4):
        right.plot([edge, edge], [0, 12], color=GREY, linewidth=1)
    for edge in (0, 4, 8, 12):
        right.plot([0, 16], [edge, edge], color=GREY, linewidth=1)
    right.plot([8, 8], [4, 8], color="black", linewidth=4)
    note(right, 0, -0.9, "thick: the side on which their events differ", ha="left")
    note(right, 0, -2.1, "dotted: first windows; dashed: wider windows of the repair", ha="left")
    return figure


def step():
    """One step of algorithm 1 with repair."""
    figure, axes = plt.subplots(figsize=(9.4, 3.5), layout="constrained")
    panel(axes, "", 15.6, 5.4)
    box(axes, 0.1, 3.3, 2.6, 1.6, "front buffer\nstates, times,\ngenerators at t", SKY)
    box(axes, 3.7, 3.3, 3.2, 1.6, "each team: read window,\nadvance all its cells\nto t + Δt", YELLOW)
    box(axes, 7.9, 3.3, 2.6, 1.6, "back buffer\ntiles at t + Δt", SKY)
    box(axes, 11.6, 3.3, 3.6, 1.6, "compare checksums\nof all sides", PALE)
    box(axes, 11.6, 0.5, 3.6, 1.5, "all equal: accept,\nswap buffers, Δt longer", "#bfe3d4")
    box(axes, 5.3, 0.5, 4.6, 1.5, "few differ: both tiles again,\nfrom the front buffer, wider halo", "#f7d9a8")
    box(axes, 0.1, 0.5, 3.8, 1.5, "still different: reject,\nrepeat with shorter Δt", "#f4b9a0")
    for a, b in (((2.8, 4.1), (3.6, 4.1)), ((7.0, 4.1), (7.8, 4.1)), ((10.6, 4.1), (11.5, 4.1)), ((13.4, 3.2), (13.4, 2.1))):
        arrow(axes, a, b)
    arrow(axes, (11.5, 3.4), (9.5, 2.1))
    arrow(axes, (10.0, 1.5), (11.9, 3.2), curve=0.15)
    note(axes, 12.45, 2.5, "at most\n4 rounds", size=8)
    arrow(axes, (5.2, 1.25), (4.0, 1.25))
    arrow(axes, (1.4, 2.1), (1.4, 3.2))
    return figure


def pair_event():
    """A hop, the cells whose rate reads a changed state, and those of Kawasaki dynamics."""
    figure, axes = plt.subplots(1, 2, figsize=(7.6, 3.9), layout="constrained")
    moved = ((3, 3), (4, 3))
    for one, reach, title in zip(axes, (1, 2), ("rates of four neighbours: 8 cells", "of twelve neighbours: 18 cells")):
        panel(one, title, 8, 7, below=1.4)
        cells(one, 0, 0, 8, 7)
        for x in range(8):
            for y in range(7):
                if (x, y) not in moved and min(abs(x - a) + abs(y - b) for a, b in moved) <= reach:
                    cells(one, x, y, 1, 1, face=YELLOW)
        for x, y in moved:
            cells(one, x, y, 1, 1, face=ORANGE)
        one.add_patch(Circle((3.5, 3.5), 0.3, facecolor="white", edgecolor=BLUE, linestyle=":"))
        one.add_patch(Circle((4.5, 3.5), 0.3, facecolor=BLUE, edgecolor=BLUE))
        arrow(one, (3.5, 3.9), (4.5, 3.9), curve=-0.6)
        note(one, 0, -0.5, "orange: states change", ha="left")
        note(one, 0, -1.2, "orange and yellow: new waiting times", ha="left")
    return figure


def clock():
    """Epochs of the clock and windows of constant rates."""
    figure, axes = plt.subplots(figsize=(9.4, 3.7), layout="constrained")
    axes.set_xlim(-1.9, 13.2)
    axes.set_ylim(-0.6, 5.5)
    axes.axis("off")
    for k, face in enumerate((SKY, "white", SKY)):
        axes.add_patch(Rectangle((4 * k, 3.5), 4, 0.8, facecolor=face, edgecolor=BLUE))
        note(axes, 4 * k + 2, 3.9, ("epoch 0", "epoch 1", "epoch 2")[k])
        note(axes, 4 * k, 4.65, ("0", "L", "2 L")[k])
    note(axes, -0.2, 3.9, "clock", ha="right")
    arrow(axes, (8, 2.9), (10.6, 2.9), colour=RED)
    note(axes, 9.3, 3.18, "stored time", colour=RED, size=8)
    arrow(axes, (0, 2.9), (8, 2.9), colour=BLUE)
    note(axes, 4, 3.18, "origin, an exact multiple of L", colour=BLUE, size=8)
    note(axes, 10.6, 2.45, "event: t = origin + stored time", size=8)
    ends, rates = (0, 3.2, 5.4, 7.0, 8.8, 12), (0.35, 0.6, 0.9, 1.25, 0.8)
    for a, b, rate in zip(ends, ends[1:], rates):
        axes.add_patch(Rectangle((a, 0.2), b - a, rate, facecolor=YELLOW, edgecolor=ORANGE))
    note(axes, -0.2, 0.75, "rates", ha="right")
    note(axes, 6, 1.85, "windows of constant rates: at each end, remaining waiting times are scaled by old rate / new rate", size=8)
    arrow(axes, (0, -0.05), (12.6, -0.05))
    note(axes, 12.8, -0.05, "t")
    return figure


def decomposition():
    """The device layer and the block layer of the octahedron model."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.4, 4.7), layout="constrained")
    panel(left, "device layer DTr: four sets, random origin", 8, 8, below=1.7)
    faces, shift = (SKY, YELLOW, "#bfe3d4", "#f4b9a0"), (0.7, 0.45)
    for i in range(-1, 4):
        for j in range(-1, 4):
            domain = Rectangle((2 * i + shift[0], 2 * j + shift[1]), 2, 2, facecolor=faces[(i % 2) + 2 * (j % 2)], edgecolor="#505050")
            left.add_patch(domain)
            domain.set_clip_path(Rectangle((0, 0), 8, 8, transform=left.transData))
            x, y = 2 * i + shift[0] + 1, 2 * j + shift[1] + 1
            if 0.4 < x < 7.6 and 0.4 < y < 7.6:
                note(left, x, y, str(1 + (i % 2) + 2 * (j % 2)))
    frame(left, 0, 0, 8, 8, "black", line=1.2)
    arrow(left, (0, 0), shift, colour=RED)
    note(left, 1.1, 0.28, "origin", colour=RED, size=8)
    note(left, 0, -0.6, "domains of one number are updated at once;", ha="left")
    note(left, 0, -1.3, "each MCS draws the order of the sets and the origin", ha="left")

    panel(right, "block layer DB: one domain, thread cells with an offset", 8, 8, below=1.7)
    offset = (0.55, 0.3)
    for i in range(-1, 4):
        for j in range(-1, 4):
            cell = Rectangle((2 * i + offset[0], 2 * j + offset[1]), 2, 2, facecolor="white", edgecolor=BLUE, linewidth=1)
            right.add_patch(cell)
            cell.set_clip_path(Rectangle((0, 0), 8, 8, transform=right.transData))
    for k in range(16):
        x, y = 2 * (k % 4) + offset[0] + 0.3 + 0.45 * (5 * k % 4), 2 * (k // 4) + offset[1] + 0.6 + 0.4 * (5 * k // 3 % 4)
        right.add_patch(Circle((x % 8, y % 8), 0.13, facecolor=ORANGE, edgecolor="black", linewidth=0.5))
    frame(right, 0, 0, 8, 8, "#505050", line=1.6)
    arrow(right, (0, 0), offset, colour=RED)
    note(right, 1.0, 0.16, "offset", colour=RED, size=8)
    note(right, 0, -0.6, "a collective update: one attempt (dot) in each cell;", ha="left")
    note(right, 0, -1.3, "each update draws a new offset (DB) or quarter (DT)", ha="left")
    return figure


def checkerboard():
    """A sweep of hard disks: sets of cells, trial moves, shift of the grid."""
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(9.8, 3.9), layout="constrained")
    faces = (SKY, YELLOW, "#bfe3d4", "#f4b9a0")
    disks = ((0.45, 0.6), (1.5, 0.5), (2.6, 0.45), (3.55, 0.5), (0.6, 1.6), (1.7, 1.55), (2.75, 1.5), (3.5, 2.4), (0.5, 2.65), (1.55, 2.6), (2.5, 2.55),
             (0.5, 3.65), (1.6, 3.6), (2.65, 3.55), (3.6, 3.45))

    def board(axes, title):
        panel(axes, title, 4, 4, below=1.1)
        for i in range(4):
            for j in range(4):
                axes.add_patch(Rectangle((i, j), 1, 1, facecolor=faces[(i % 2) + 2 * (j % 2)], edgecolor="#505050", linewidth=0.8))

    board(left, "four sets of cells")
    for i in range(4):
        for j in range(4):
            note(left, i + 0.5, j + 0.5, str(1 + (i % 2) + 2 * (j % 2)))
    note(left, 0, -0.4, "one sub-sweep per set,", ha="left")
    note(left, 0, -0.8, "in random order", ha="left")

    board(middle, "a sub-sweep (set 1)")
    for x, y in disks:
        active = int(x) % 2 == 0 and int(y) % 2 == 0
        middle.add_patch(Circle((x, y), 0.34, facecolor=BLUE if active else "#ffffffb0", edgecolor="black", linewidth=0.6, alpha=0.85))
        if active:
            arrow(middle, (x, y), (x + 0.22, y + 0.16), colour=ORANGE, line=1.8)
    note(middle, 0, -0.4, "all cells of the set at once; disks of", ha="left")
    note(middle, 0, -0.8, "a cell in shuffled order, none leaves it", ha="left")

    board(right, "shift of the grid")
    for x, y in disks:
        right.add_patch(Circle((x, y), 0.34, facecolor="#ffffffb0", edgecolor="black", linewidth=0.6))
    for k in range(4):
        right.plot([k + 0.3, k + 0.3], [0, 4], color=RED, linewidth=1.4, linestyle="--", clip_on=True)
    arrow(right, (2, 4.05), (2.32, 4.05), colour=RED)
    note(right, 0, -0.4, "at the end of a sweep: by up to half", ha="left")
    note(right, 0, -0.8, "a cell, in one of four directions", ha="left")
    return figure


DIAGRAMS = (tile, step, pair_event, clock, decomposition, checkerboard)


def main():
    parser = argparse.ArgumentParser(description="Draws the diagrams of the documents.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="diagrams [all]")
    parser.add_argument("--output", default=os.path.join(os.path.dirname(__file__), "..", "docs", "images"), help="folder [docs/images]")
    parser.add_argument("--format", default="svg")
    arguments = parser.parse_args()
    plt.rcParams.update({"svg.hashsalt": "tessera", "svg.fonttype": "path", "font.size": 9})
    for draw in DIAGRAMS:
        if arguments.names and draw.__name__ not in arguments.names:
            continue
        figure = draw()
        path = os.path.join(arguments.output, f"{draw.__name__}.{arguments.format}")
        figure.savefig(path, dpi=130, metadata={"Date": None} if arguments.format == "svg" else None)
        plt.close(figure)


if __name__ == "__main__":
    main()
