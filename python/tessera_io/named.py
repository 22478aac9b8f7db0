# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
from collections.abc import Mapping

from .errors import NoSuchName, TesseraFileError


class Named(Mapping):
    """The members of a group of the file, by name, each made when it is asked for."""

    def __init__(self, h5, group, kind, make, path):
        self._group = h5.get(group, {})
        self._kind, self._make, self._path = kind, make, path

    def __getitem__(self, name):
        if name not in self._group:
            names = ", ".join(self) or "none"
            raise NoSuchName(f"{self._path}: has no {self._kind} '{name}'; it has {names}")
        try:
            return self._make(self._group[name], self._path)
        except (OSError, KeyError, RuntimeError) as error:
            raise TesseraFileError(f"{self._path}: {self._kind} '{name}' cannot be read: {error}") from error

    def __iter__(self):
        return iter(self._group)

    def __len__(self):
        return len(self._group)

    def __repr__(self):
        return f"<{self._kind}s: {', '.join(self)}>"
