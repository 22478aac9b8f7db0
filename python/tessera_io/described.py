# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""What a file has, as the program describes it in /provenance/model: a JSON object (docs/output.md)."""

import functools
import json
import re

from .text import text_of

FORMULA = re.compile(r"([A-Z][a-z]?\d*)+")  # such as CO2


class Description(dict):
    """The object, empty if the file has none."""

    def _entry(self, name):
        """(place, name or pattern, title) of a quantity; unknown ones are after observables, and their title is the name."""
        observables, found = self.get("titles", {}), (len(self.get("titles", {})), "", name.replace("_", " "))
        for place, (pattern, title) in enumerate([*observables.items(), ("", ""), *self.get("other_titles", {}).items()]):
            match = re.fullmatch(_expression(pattern), name) if len(pattern) > len(found[1]) else None
            if match:
                parts = [" ".join(map(formula, part.split("_"))) for part in match.groups()]
                while "*" in title and parts:
                    title = title.replace("*", parts[0], 1)
                    parts = parts[1:] or parts
                found = place, pattern, title
        return found

    def title(self, name):
        """The title of a quantity, with formulas: `roughness` becomes "roughness $W^2$"."""
        return self._entry(name)[2]

    def is_counter(self, name):
        """Whether plots show the quantity only if it is named: a counter of events, or a moment."""
        return self._entry(name)[1] in self.get("counters", ())

    def in_order(self, names):
        """Names in the order of the documents, then unknown ones, then autocorrelations; numbers at their ends in ascending order."""

        def key(name):
            stem, _, end = name.rpartition("_")
            number = float(end) if re.fullmatch("[0-9.]+(e[+-]?[0-9]+)?", end) else None
            return (self._entry(name)[0], *((name, 0) if number is None else (stem, number)))

        return sorted(names, key=key)

    def symbol(self, parameter):
        return self.get("parameters", {}).get(parameter, {}).get("symbol", "")

    def unit(self, parameter):
        return self.get("parameters", {}).get(parameter, {}).get("unit", "")


def describe(h5):
    """The Description of an open file, as its last restart has written it."""
    restarts, text = h5.get("provenance/restarts", {}), ""
    for group in (*(restarts[n] for n in sorted(restarts, key=int, reverse=True)), h5.get("provenance", {})):
        text = text_of(group["model"][()]) if "model" in group else text
        if text.startswith("{"):
            break
    return _read(text)


def formula(word):
    """`CO2` as "CO$_2$"; other words as they are."""
    return re.sub(r"(\d+)", r"$_{\1}$", word) if FORMULA.fullmatch(word) else word


@functools.lru_cache
def _expression(pattern):
    """The last * of a pattern stands for any text, others for a word."""
    *words, last = re.escape(pattern).split(r"\*")
    return "([^_]+)".join(words) + "(.+)" + last if words else last


@functools.lru_cache(8)
def _read(text):
    return Description(json.loads(text)) if text.startswith("{") else _of_lines(text) if text else Description()


def _of_lines(text):
    """The Description of the text that earlier files have, of a model from a file."""
    data = Description(sites=[], colours={}, processes=[])
    for line in text.splitlines():
        kind, _, rest = line.partition(" ")
        name, _, more = rest.partition(": ")
        if kind == "site":
            data["sites"].append({"name": name, "species": more.split(", ")})
        elif kind == "base":
            data["sites"][-1]["base"] = int(rest)
        elif kind == "position" and data["sites"]:
            data["sites"][-1]["position"] = [float(word) for word in rest.split()]
        elif kind == "cell":
            numbers = [float(word) for word in rest.split()]
            data["cell"] = [numbers[:3], numbers[3:6], numbers[6:]]
        elif kind == "species":
            data["colours"][name] = more
        elif kind == "process" and " -> " in more:
            words = dict(re.findall(r", (step|reverse) (?:of )?(\w+)", more))
            sites = re.findall(r"@(\w+)", more.partition(" -> ")[0])
            data["processes"].append({"name": name, "step": words.get("step", name), "reverse": words.get("reverse", ""), "sites": sites})
    return data
