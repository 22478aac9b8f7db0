# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The line below a picture: of what run it is, and what its error bars mean."""

import os
import textwrap

import matplotlib
import numpy as np

from .labels import RUNNING_MEANS, parameter

METHODS = {"kmc": "kinetic Monte Carlo", "kpz": "octahedron model", "disks": "hard disks"}
MODELS = {"sos": "solid-on-solid", "ising": "Ising model", "potts": "three-state Potts model"}
# What a run is told by. Others of the input say how and where it was computed.
TOLD = {"kmc": {"sos": ("phi", "size"), "ising": ("coupling", "size"), "potts": ("coupling", "size")}}
TOLD_BY_METHOD = {"kpz": ("p", "q", "size"), "disks": ("packing-fraction", "particles")}
# Of the input, what is not told of runs that are compared: where they ran, and when they were looked at.
UNTOLD = {
    *("output", "threads", "device", "backend", "checkpoint-every", "wall-limit", "config", "restart", "overwrite"),
    *("measure-every", "measure-times", "field-every", "fields", "record-steps", "average-from", "until-time"),
    *("until-events-per-site", "steps", "sweeps", "sample-every"),
}


def of_run(run):
    """The parameters of a run: "hard disks, $\\eta$ = 0.7, $N$ = 1024, seed 1, 4 replicas"."""
    given = run.input
    model = given.get("model", "")
    keys = TOLD.get(run.method, {}).get(model, TOLD_BY_METHOD.get(run.method, ("size",)))
    words = [METHODS.get(run.method, run.method)]
    if model:
        words.append(MODELS.get(model, model))
    words += [parameter(key, given[key]) for key in keys if key in given]
    if "seed" in given:
        words.append(f"seed {given['seed']}")
    if run.replicas > 1:
        words.append(f"{run.replicas} replicas")
    return ", ".join(words)


def of_errors(runs, names):
    """What the error bars of these observables mean."""
    observables = [run.observables[name] for run in runs for name in names]
    replicas = {run.replicas for run in runs}
    if not any(np.isfinite(observable.error).any() for observable in observables):
        bars = "no error bars: of a single system the method knows none"
    elif replicas == {1}:
        bars = "bars and bands: standard errors from the samples of the system"
    elif len(replicas) == 1:
        bars = f"bars and bands: standard errors over {runs[0].replicas} replicas"
    else:
        bars = "bars and bands: standard errors"
    if any(run.method == "disks" for run in runs) and RUNNING_MEANS & set(names):
        bars += "; a running mean is over all samples up to then, so that its rows are correlated"
    return bars


def of_snapshot(run, recorded, replica, rows):
    """What a snapshot shows that its axes do not tell."""
    words = [f"replica {replica}"] if run.replicas > 1 else []
    if rows > 1 and recorded.name == "height":
        words.append("heights from the layer next to their mean, all with one scale")
    if recorded.name in run.particles:
        words.append("the weaker the order, the paler the colour")
    return "; ".join(words)


def of_several(runs):
    """What runs that are told apart by their labels have in common: their method, and how many replicas each has."""
    words = [METHODS.get(runs[0].method, runs[0].method)] if len({run.method for run in runs}) == 1 else []
    models = {run.input.get("model", "") for run in runs}
    if len(models) == 1 and "" not in models:
        words += [MODELS.get(model, model) for model in models]
    if len({run.replicas for run in runs}) == 1 and runs[0].replicas > 1:
        words.append(f"{runs[0].replicas} replicas each")
    return ", ".join(words)


def differences(runs):
    """A label for each run: the parameters in which it differs from the others, or the name of its file."""
    given = [{**run.input, "method of simulation": run.method} for run in runs]
    keys = [key for key in {key: 0 for of_one in given for key in of_one} if key not in UNTOLD]
    keys = [key for key in keys if len({of_one.get(key, "") for of_one in given}) > 1]
    if len({run.method for run in runs}) > 1 or not keys or len(keys) > 3:
        return [os.path.basename(run.path) for run in runs]
    return [", ".join(parameter(key, of_one.get(key, "none")) for key in keys) for of_one in given]


def type_size():
    return 0.75 * matplotlib.rcParams["font.size"]


def wrapped(sentences, width):
    """The sentences in lines that fit a figure of this width in inches."""
    columns = max(int(width * 72 / (0.52 * type_size())), 20)
    return [line for sentence in sentences if sentence for line in textwrap.wrap(sentence, columns)]


def write(fig, sentences):
    """Puts the sentences below curves."""
    text = "\n".join(wrapped(sentences, fig.get_size_inches()[0]))
    if text:
        fig.supxlabel(text, fontsize=type_size(), color="0.25", x=0.01, ha="left")
