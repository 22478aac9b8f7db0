# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The caption of a picture: the run, and the meaning of its error bars."""

import os
import re

import matplotlib
import numpy as np
from matplotlib.textpath import TextPath

from ..power_law import FORMS, LEAST_P, MOST_CHI2
from ..sweeps.values import settings_of_run
from ..text import with_error
from ..window import RESULTS
from .curves import quality_of_fit
from .labels import number, option, parameter, range_of, shown

SCHEME = ("device-layer", "block-layer", "thread-cell")
# Of disks: the course of a run.
COURSE = {"start": "start: {}", "equilibrate": "equilibration: {} sweeps", "sweeps": "{} sweeps", "sample-every": "samples every {} sweeps"}
SHORT = 25  # characters of an item of a list
SCHEMES = {"dtr": "DTr", "dt": "DT", "db": "DB", "cdb": "cDB"}
OTHER_METHODS = {"sequential": "sequential", "bkl": "BKL"}  # of which a caption tells
# Options that are ignored when runs are compared: the machine and the times of recording.
OMITTED = {
    *("output", "threads", "device", "backend", "checkpoint-every", "wall-limit", "config", "restart", "overwrite"),
    *("measure-every", "measure-every-events", "measure-times", "field-every", "fields", "record-steps", "average-from", "until-time"),
    *("replicas", "waiting-times", "until-events-per-site", "steps", "sweeps", "sample-every"),
    *("r-max", "g-bins", "g6", "q-max"),
}


def of_run(run):
    """The parameters of a run: "hard disks, $\\eta$ = 0.7, $N$ = 1024, seed 1, 4 replicas"."""
    return of_several([run])


def model_of(run):
    """The name of the model; empty for methods with one."""
    return run.description.get("title", run.input.get("model", ""))


def settings_of(run):
    """{parameter of the model file: its value} of --set."""
    return settings_of_run(run.input.get("set", ""))


def of_runs(runs, labels):
    """The parameters of one run; of several runs the common parameters, and for each run the others."""
    return of_groups([[run] for run in runs], labels) if len(runs) > 1 else [of_run(runs[0])]


def of_several(runs, varied=()):
    """The parameters that runs have in common, without those that vary."""
    return ", ".join(_words(runs, varied))


def of_groups(groups, labels, varied=()):
    """The common parameters of groups of runs, and, after the label of each group, its other ones."""
    runs = sum(groups, [])
    common = _words(runs, varied) if len({run.method for run in runs}) == 1 else []
    sentences = [", ".join(common)]
    for runs, label in zip(groups, labels):
        rest = [word for word in _words(runs, (*varied, "seed")) if word not in (*common, *label.split(", "))]
        sentences += [f"{label}: {', '.join(rest)}"] if rest else []
    return list(filter(None, sentences))


def _words(runs, varied):
    methods, models = {run.method for run in runs}, {model_of(run) for run in runs}
    words, data = [], runs[0].description
    if len(methods) == 1:
        (method,) = methods
        words += [runs[0].description.get("method", method), *(models if len(models) == 1 else ())]
        keys = [key for key in data.get("parameters", {}) if data.symbol(key)] if len(models) == 1 else []
        settings = [settings_of(run) for run in runs]
        common = [key for key, value in settings[0].items() if key not in varied and all(one.get(key) == value for one in settings)]
        words += [parameter(key, settings[0][key], data) for key in common]
        words += [parameter(key, value, data) for key, value in ramp(data) if key not in (*varied, *(key for of in settings for key in of))]
        words += _scheme(runs, varied)
        lattices = {run.input.get("lattice") for run in runs if run.input.get("size", "").count(",") == 2 and "processes" not in run.input}
        words += lattices - {None} if len(lattices) == 1 and "lattice" not in varied else []
        for key in (*keys, *(COURSE if method == "disks" else ("size",))):
            values = {run.input.get(key) for run in runs}
            if key not in varied and len(values) == 1 and None not in values:
                words.append(COURSE[key].format(number(*values)) if key in COURSE else parameter(key, *values, data))
    seeds, replicas = {run.input.get("seed") for run in runs}, {run.replicas for run in runs}
    if len(seeds) == 1 and None not in seeds and "seed" not in varied:
        words += [f"seed {seed}" for seed in seeds]
    if len(replicas) == 1 and replicas != {1}:
        words += [f"{count} replicas" for count in replicas]
    return [*filter(None, words)]


def ramp(data):
    """[(name, value or expression)] of the adjustable parameters of a model file whose rates change with time."""
    lines = data.get("description", ())
    found = (re.fullmatch(r"parameter (\w+) = (?:\S+ at time 0, )?(.*), adjustable", line) for line in lines if "rates change with time" in lines)
    return [match.groups() for match in found if match]


def _scheme(runs, varied):
    """How runs update their sites, if they have it in common: ["DTrDB, TC=1,1 or 2,2"] or ["sequential"]."""
    schemes = {tuple(run.input.get(key) for key in ("method", *SCHEME[:-1])) for run in runs}
    if len(schemes) > 1 or {"method", *SCHEME[:-1]} & set(varied):
        return []
    ((method, device, block),) = schemes
    if method in OTHER_METHODS:
        return [OTHER_METHODS[method]]
    if method != "domain" or None in (device, block):
        return []
    cells = {run.input.get(SCHEME[-1]) for run in runs} - {None}
    cells_text = f", TC={' or '.join(sorted(cells))}" if cells and SCHEME[-1] not in varied else ""
    return [f"{SCHEMES.get(device, device)}{block.upper()}{cells_text}"]


def of_errors(runs, names):
    """The meaning of the error bars of these observables."""
    observables = [run.observables[name] for run in runs for name in names]
    replicas = {run.replicas for run in runs}
    if not any(np.isfinite(observable.error).any() for observable in observables):
        return "no error bars" + ": a single system" * (replicas == {1})
    if replicas == {1}:
        return "bars and bands: standard errors from the samples of the system"
    return "bars and bands: standard errors" + (f" over {runs[0].replicas} replicas" if len(replicas) == 1 else "")


def of_comparison(kind, label):
    """A sentence about a ratio or difference that is drawn, or nothing."""
    return [f"{kind}s {'to' if kind == 'ratio' else 'from'} {label}, errors as of independent runs"] if kind else []


def of_fits(laws):
    """The forms that are fitted, with their ranges and p values or chi^2 over the degrees of freedom."""
    groups = {}
    for law in laws:
        groups.setdefault((law.form, law.first, law.last), []).append(law)
    sentences = []
    for (form, first, last), fits in groups.items():
        plural = "s" * (len(fits) > 1)
        qualities = list(map(quality_of_fit, fits))  # "p = .5" and "p = .1" are "p = .5, .1"
        begin = qualities[0].partition(" = ")[0] + " = "
        qualities[1:] = [one.removeprefix(begin) for one in qualities[1:]]
        fit_text = f"dashed: {FORMS[form][0]}{plural} fitted from {range_of(fits[0])}, {', '.join(dict.fromkeys(qualities))}"
        limit = f"below {LEAST_P:g}" if np.isfinite(fits[0].p) else f"above {MOST_CHI2:g}"
        fails = f"; {limit} the values follow no {FORMS[form][0]}" if any(law.fails for law in fits) else ""
        sentences.append(fit_text + fails)
    return sentences


def of_changes(run, mark="dotted: "):
    """The parameters that restarts have changed, and how the picture marks them."""
    changes = [f"{parameter(one.option, one.value, run.description)} from time {number(f'{one.time:g}')} on" for one in run.changes]
    return mark + ", ".join(changes) if changes else ""


def of_stationarity(runs, names, labels=()):
    """The averages over time, or samples of disks, that are not stationary; for several runs, in which runs."""
    of_disks = ("pressure", "psi6", "psi6_re", "psi6_im")  # that others depend on
    if len(runs) > 1:
        doubted = [
            label
            for run, label in zip(runs, labels)
            if run.method == "disks" and any(not run.stationarity[name].stationary for name in of_disks if name in run.stationarity)
        ]
        return [f"stationarity not confirmed: {', '.join(doubted)}"] if doubted else []
    (run,) = runs
    judged = [run.stationarity[name] for name in run.description.in_order(run.stationarity) if name in names or (run.method == "disks" and name in of_disks)]
    sentences = []
    for result, words in RESULTS.items():
        found = [one for one in judged if one.result == result]
        if found and result == "too short" and any(one.required for one in found):
            words += f" ({max(found, key=lambda one: one.longer).required})"
        sentences += [f"{words}: {', '.join(run.description.title(one.name) for one in found)}"] if found else []
    return sentences


def of_known_bias(runs, names):
    """Known deviations of these quantities from the exact process, due to the schemes of the runs."""
    sentences = []
    for name in names:
        biases = [run.known_bias[name] for run in runs if name in run.known_bias]
        if biases:
            growth, steady = (" or ".join(dict.fromkeys(percents(bias, when) for bias in biases)) for when in ("growth", "steady"))
            bias_text = f"{growth} in growth from time {biases[0]['growth_from_time']:g} on, {steady} in the steady state"
            some = " of runs with domains" if len(biases) < len(runs) else ""
            sentences.append(f"known bias of {runs[0].description.title(name)} in %{some}: {bias_text}")
    return sentences


def percents(bias, when):
    """ "−0.90(10)", in growth or in the steady state."""
    value, error = bias[when + "_percent"], bias[when + "_percent_error"]
    return "unknown" if value is None else with_error(value, error).replace("-", "−")


def of_snapshot(run, recorded, replica, rows):
    """The content of a snapshot that its axes do not show."""
    words = [f"replica {replica}"] if run.replicas > 1 else []
    if rows > 1 and recorded.name == "height":
        words.append("heights from the layer next to their mean, all with one scale")
    if getattr(recorded, "across", None):
        words.append(f"plane {recorded.place:g} of unit cells across ${recorded.across}$" if recorded.sites else f"the plane ${recorded.across}$ = {recorded.place:g}")
    if recorded.name in run.particles:
        words.append("the weaker the order, the paler the colour")
    return "; ".join(filter(None, (*words, of_changes(run, ""))))


def differences(runs, but=(), otherwise=None):
    """A label for each run: the parameters, except `but`, in which it differs from the others, or the name of its file, or of `otherwise`."""
    files = [os.path.basename(run.path) for run in runs]
    otherwise = otherwise or (files if len(set(files)) == len(files) else [run.path for run in runs])
    if len({run.method for run in runs}) > 1:
        return otherwise
    given = [_parameters(run) for run in runs]
    settings = {key for run in runs for key in settings_of(run)}
    keys = [key for key in {key: 0 for of_one in given for key in of_one} if key not in OMITTED and key not in but]
    keys = [key for key in keys if key in settings or all(key in of_one for of_one in given)]
    keys = [key for key in keys if len({of_one.get(key) for of_one in given}) > 1]
    for some in ([key for key in keys if key != "seed"], keys):
        entries = [", ".join(_entry(run, of_one, key) for key in some) for run, of_one in zip(runs, given)]
        if len(some) <= 3 and len(set(entries)) == len(entries):
            return entries
    return otherwise


def _entry(run, given, key):
    return parameter(key, given[key], run.description) if key in given else f"{option(key, run.description)} = default"


def _parameters(run):
    """The input of a run, without parameters of other models, and with those of a model file one by one."""
    others = {"set", *run.description.get("without_effect", ())}
    given = {key: value for key, value in run.input.items() if key not in others}
    return {**given, **({"model": model_of(run)} if "model" in given else {}), **settings_of(run)}


def type_size():
    return 0.75 * matplotlib.rcParams["font.size"]


def wrapped(sentences, width):
    """The sentences in lines that fit a figure of this width in inches."""
    lines, room = [], 72 * width - 2 * type_size()
    for sentence in filter(None, sentences):
        words = words_of(sentence)
        mean = 0.55 * type_size() * (len(shown(sentence)) + 1) / len(words)  # length of a word
        while words:
            fit, too_many = 1, len(words) + 1
            while fit + 1 < too_many:  # two or three lengths, which take longer than all else
                count = min(max(int(room / mean), fit + 1), too_many - 1)
                length = _length(" ".join(words[:count]))
                fit, too_many = (fit, count) if length > room else (count, too_many)
                mean = length / count
            lines.append(" ".join(words[:fit]))
            words = words[fit:]
    return lines


def _length(text):
    """In points, of the outline: its exact extents take a hundred times as long."""
    return TextPath((0, 0), text, size=type_size()).vertices[:, 0].max()


def words_of(sentence):
    """Parts that no line break divides: formulas, short items of a list, such as "64 × 64," and "4 replicas", and words."""
    words = []
    for item in re.split(r"(?<=[,;]) ", sentence):
        words += [item] if len(shown(item)) < SHORT else re.findall(r"(?:\$[^$]*\$|[^\s$])+", item)
    return words


def write(fig, sentences):
    """Writes the sentences below curves, on a fifth of the figure, which may become as high as it is wide for this."""
    width, height = fig.get_size_inches()
    lines = wrapped(sentences, width)
    text = "\n".join(lines)
    if text:
        fig.set_figheight(max(height, min(5 * 1.2 * type_size() / 72 * len(lines), width)))
        fig.supxlabel(text, fontsize=type_size(), color="0.25", x=0.01, ha="left")
