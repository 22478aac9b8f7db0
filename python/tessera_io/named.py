# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
from collections.abc import Mapping

from .errors import NoSuchName, reading


class Named(Mapping):
    """The members of one or several groups of the file, the last one's first, by name, each constructed on access."""

    def __init__(self, h5, groups, kind, make, path):
        self._group = {name: h5[group] for group in reversed(groups) if group in h5 for name in h5[group].keys()}
        self._kind, self._make, self._path = kind, make, path

    def __getitem__(self, name):
        if name not in self._group:
            names = ", ".join(self) or "none"
            raise NoSuchName(f"{self._path}: has no {self._kind} '{name}'; it has {names}")
        with reading(self._path, f"{self._kind} '{name}'"):
            return self._make(self._group[name][name], self._path)

    def __iter__(self):
        return iter(self._group)

    def __len__(self):
        return len(self._group)

    def __repr__(self):
        return f"<{self._kind}s: {', '.join(self)}>"
