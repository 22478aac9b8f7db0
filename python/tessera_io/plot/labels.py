# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Names, units and parameters in mathematical notation, the order of the panels, and the space of long names."""

import re

# Labels of observables, in the order of docs/kmc.md, docs/kpz.md and docs/disks.md.
NAMES = {
    "height_mean": r"mean height $\bar{h}$",
    "roughness": "roughness $W^2$",
    "moment_3": "third moment $m_3$",
    "moment_4": "fourth moment $m_4$",
    "skewness": "skewness $S$",
    "kurtosis": "kurtosis $Q$",
    "step_fraction": "step fraction",
    "energy": "energy $E$",
    "energy_2": "squared energy $E^2$",
    "magnetisation": "magnetisation $m$",
    "magnetisation_abs": "magnetisation $|m|$",
    "magnetisation_2": "magnetisation $m^2$",
    "magnetisation_4": "magnetisation $m^4$",
    "fraction_0": "fraction of state 0",
    "fraction_1": "fraction of state 1",
    "fraction_2": "fraction of state 2",
    "order": "order parameter $m$",
    "order_2": "order parameter $m^2$",
    "order_4": "order parameter $m^4$",
    "binder_cumulant": "Binder cumulant $U$",
    "susceptibility": r"susceptibility $\chi$",
    "specific_heat": "specific heat $c$",
    "coverage": r"coverage $\theta$",
    "bonds": "bonds per site",
    "step_density": "step density",
    "adatom_density": "adatom density",
    "island_density": "island density",
    "events": "events",
    "hops": "hops",
    "adsorptions": "adsorptions",
    "desorptions": "desorptions",
    "depositions": "depositions",
    "accepted_steps": "accepted steps",
    "rejected_steps": "rejected steps",
    "repaired_tiles": "repaired tiles",
    "step_size": r"step size $\Delta t$",
    "velocity": "velocity $v$",
    "pressure": "pressure $P$",
    "contact_value": r"contact value $g(\sigma^+)$",
    "psi6": r"orientational order $|\psi_6|$",
    "samples": "samples",
    "acceptance": "acceptance",
    "move_radius": "move radius",
    "fit_r_max": r"upper end $r_\mathrm{max}$ of the fit",
    "fit_bias": "bias of the fit",
}
# Labels of fields and tables.
OTHERS = {
    "pair_distribution": "$g(r)$",
    "g": "$g(r)$",
    "g6": "$g_6(r)$",
    "S": "$S(q)$",
    "psi6_re": r"Re $\psi_6$",
    "psi6_im": r"Im $\psi_6$",
    "beta_eff": r"$\beta_\mathrm{eff}$",
    "step": r"$\Delta t$",
}
PATTERNS = (
    (r"structure_factor_(.+)_([xy])", r"$S(k)$ along $\2$ of \1"),
    (r"structure_factor_([xy])", r"$S(k)$ along $\1$"),
    (r"disk_variance_(.+)", r"variance of $N_b$ over its mean, \1 $\\times$ \1 blocks"),
    (r"height_autocorrelation_(.+)", r"$C_h(t, s = \1)$"),
    (r"slope_autocorrelation_(.+)", r"$C_s(t, s = \1)$"),
    (r"lambda_eff_height_(.+)", r"$\\lambda_\\mathrm{eff} / z$ of $C_h(t, s = \1)$"),
    (r"lambda_eff_slope_(.+)", r"$\\lambda_\\mathrm{eff} / z$ of $C_s(t, s = \1)$"),
)
# Of models from files: words before a name, what comes after it, and a site after the first underscore.
OF_FILES = (
    (r"turnover_(.+)_rate", "TOF of "),
    (r"turnover_(.+)", "turnovers of "),
    (r"events_(.+)_rate", "rate of "),
    (r"peak_T_(.+)", "peak temperature of "),
    (r"peak_rate_(.+)", "peak desorption rate of "),
    (r"events_(.+)", "events of "),
    (r"coverage_([^_]+)(_.+)?", "coverage of "),
    (r"configurations_(.+)", "configurations "),
    (r"molecules_(.+)", "molecules of "),
)
SYMBOLS = {"k_B": r"k_\mathrm{B}", "T": "T", "J": "J", "sigma": r"\sigma", "k_0": "k_0", "k_2": "k_2"}
GREEK = set("alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi rho sigma tau phi chi psi omega".split())
PARAMETERS = {
    "phi": r"$\phi$",
    "coupling": "$K$",
    "attraction": "$E$",
    "coverage": r"$\theta$",
    "flux": "$F$",
    "diffusion": "$D$",
    "bond-energy": r"$E_\mathrm{N}$",
    "packing-fraction": r"$\eta$",
    "particles": "$N$",
    "p": "$p$",
    "q": "$q$",
}
UNITS = {"flux": "layers/s", "diffusion": "1/s", "adsorption": "k_0", "desorption": "k_0", "attraction": "k_B T", "bond-energy": "k_B T"}  # of parameters
SI = r"\b(beta|kboltzmann|bar|mu_\w+gas)\b"  # in a model file whose T is in K and whose p_GAS are in bar
FORMULA = re.compile(r"([A-Z][a-z]?\d*)+")  # such as CO2
# Shown only on request: counters of the program, and moments, since skewness and kurtosis are more informative.
COUNTERS = set(
    "moment_3 moment_4 energy_2 magnetisation_2 magnetisation_4 order_2 order_4 events hops adsorptions desorptions depositions samples psi6_2 psi6_4 "
    "move_radius fit_r_max fit_bias accepted_steps rejected_steps repaired_tiles step_size".split()
)
LEAST = 0.8  # of the size of the type, before a label of an axis has several lines
WIDTH = 0.6  # of a letter, in units of the size of the type


def is_counter(name):
    """Whether the name is that of an event counter or its rate: one of COUNTERS, events of a process of a model file, or a
    turnover."""
    return name in COUNTERS or bool(re.fullmatch(r"events_.+|turnover_.+(?<!_rate)", name))


def in_order(names):
    """Names of observables in the order of the documents, then those of other models, then autocorrelations."""
    order = list(NAMES)

    def key(name):
        correlation = re.fullmatch(r"(.+_autocorrelation|lambda_eff_.+)_([0-9.e+-]+)", name)
        if correlation:
            return len(order) + 1, correlation[1], float(correlation[2])
        return order.index(name) if name in NAMES else len(order), "", 0

    return sorted(names, key=key)


def typeset(name):
    """A name: `roughness` becomes "roughness $W^2$"."""
    for pattern, text in PATTERNS:
        if re.fullmatch(pattern, name):
            return re.sub(pattern, text, name)
    for pattern, words in OF_FILES if name not in NAMES else ():
        match = re.fullmatch(pattern, name)
        if match:
            site = [match[2][1:].replace("_", " ")] if match.re.groups > 1 and match[2] else []
            of = words + " ".join(map(formula, match[1].split("_")))
            return ", ".join(["empty sites" if of == "coverage of empty" else of, *site])
    return {**NAMES, **OTHERS}.get(name, name.replace("_", " "))


def formula(word):
    """`CO2` as "CO$_2$"; other words as they are."""
    return re.sub(r"(\d+)", r"$_{\1}$", word) if FORMULA.fullmatch(word) else word


def symbol(word, power=""):
    """`k_d`, `mu_0` and `p_CO` as symbols; None for other words."""
    letter, _, index = word.partition("_")
    if not (letter in GREEK or (len(letter) == 1 and "_" not in index)):
        return None
    below = index if len(index) < 2 or index.isdigit() else rf"\mathrm{{{formula(index).replace('$', '')}}}"
    return rf"${chr(92) * (letter in GREEK)}{letter}{f'_{{{below}}}' if index else ''}{power}$"


def unit(text):
    """`layers^2` as "layers$^2$", `k_B T / sigma^2`, `1/k_d` and `mu_0^-1` as symbols."""

    def one(match):
        word, power = match[1], match[2] or ""
        power = f"^{{{power[1:]}}}" if len(power) > 2 else power
        if word in SYMBOLS:
            return f"${SYMBOLS[word]}{power}$"
        found = symbol(word, power) if len(word) > 1 else None  # s, K and m are units
        return found or word + (f"${power}$" if power else "")

    return re.sub(r"([A-Za-z_]\w*)(\^-?\d+)?", one, text)


def unit_of(key, runs):
    """The unit of a parameter of these runs; empty if none is known."""
    if key in UNITS:
        return UNITS[key]
    if key == "T" or key.startswith("p_"):
        texts = [re.sub(r"\\h.*?(\\n|$)", "", run.input.get("processes", "")).replace("\\n", " ") for run in runs]
        return ("K" if key == "T" else "bar") if texts and all(re.search(SI, text) for text in texts) else ""
    return ""


def label(name, of=""):
    """An axis label with its unit: `roughness`, `layers^2` becomes "roughness $W^2$ (layers$^2$)"."""
    words = typeset(name)
    return f"{words} ({unit(of)})" if of else words


def of_spectrum(name, of=""):
    """An axis label beside an axis of a changing temperature: turnovers are molecules that desorb."""
    return label(name, of).replace("TOF of ", "desorption rate of ")


def moment(time, of=""):
    """A time with its unit: "time 4 / $k_2$", "time 40 MCS"."""
    words = f" / {of[2:]}" if of.startswith("1/") else f" {of}" if of else ""
    return f"time {number(f'{time:.6g}')}{unit(words)}"


def option(key):
    """`packing-fraction` as "$\\eta$", `until-time` as "until time"."""
    return PARAMETERS.get(key) or symbol(key) or key.replace("-", " ")


def of_axis(key, of, inverse=False):
    """The label of an axis: `T`, `K` as "$T$ (K)", of its inverse "1 / $T$ (1/K)"."""
    if inverse:
        return f"1 / {option(key)}" + (f" (1/{unit(of)})" if of else "")
    return option(key) + (f" ({unit(of)})" if of else "")


def range_of(law):
    """The range of a fit: "10 to 100"."""
    return f"{number(f'{law.first:g}')} to {number(f'{law.last:g}')}"


def parameter(key, value, of=""):
    """`phi`, `1` as "$\\phi$ = 1", with its unit."""
    if key == "size":
        nx, _, ny = value.partition(",")
        return f"{nx} × {ny or nx}"
    return f"{option(key)} = {number(value)}" + (f" {unit(of)}" if of else "")


def number(text):
    """`1e+05` as "$10^{5}$", `2e-05` as "$2 \\times 10^{-5}$"; other texts as they are."""
    match = re.fullmatch(r"(-?[0-9.]+)e([+-]?[0-9]+)", str(text))
    if not match:
        return text
    factor = {"1": "", "-1": "-"}.get(match[1], match[1] + r" \times ")
    return f"${factor}10^{{{int(match[2])}}}$"


def note_nothing_positive(axes, values):
    """Explains an empty panel with logarithmic axes."""
    if not (values > 0).any():
        axes.text(0.5, 0.5, "no positive value", transform=axes.transAxes, ha="center", color="0.4")


def broken(text, inches):
    """A name in lines of about this width at a font size of 10 points, broken after blanks and underscores, not in formulas."""
    parts = re.findall(r"(?:\$[^$]*\$|[^\s_$])+[_\s]*", text)
    most = max(int(inches * 72 / (10 * WIDTH)), max(len(shown(part)) for part in parts))
    lines = [""]
    for part in parts:
        if lines[-1] and len(shown(lines[-1] + part)) > most:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def shown(text):
    """The visible characters of a text with formulas."""
    return re.sub(r"\\[a-z]+|[${}^\\]", "", text.rstrip())


def shrink(texts, inches):
    """Reduces the type size if one of the texts is wider than this at 10 points."""
    import matplotlib

    room = inches * matplotlib.rcParams["font.size"] / 10
    widest = max(text.get_window_extent().width / text.figure.dpi for text in texts)
    for text in texts:
        text.set_fontsize(text.get_fontsize() * min(1, room / widest))


def fit(fig):
    """Shortens labels that are longer than their axes, in a figure with a layout; returns whether any was changed."""
    changed = False
    for axes in fig.axes:
        for label, along in ((axes.xaxis.label, "width"), (axes.yaxis.label, "height")):
            if not label.get_text():
                continue
            room = getattr(axes.get_window_extent(), along)
            if getattr(label.get_window_extent(), along) <= room:
                continue
            size, whole = label.get_fontsize(), label.get_text()
            if room < LEAST * getattr(label.get_window_extent(), along):
                label.set_text(broken(whole, room / fig.dpi * 10 / size))
            label.set_fontsize(size * min(1, room / getattr(label.get_window_extent(), along)))
            changed = True
    return changed
