# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors


class TesseraFileError(Exception):
    """A file that cannot be read as Tessera's: its message names the file and says why."""


class NoSuchName(TesseraFileError, KeyError):
    """A name that the file does not have; the message lists those that it has."""

    __str__ = Exception.__str__
