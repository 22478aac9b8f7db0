# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors


class TesseraFileError(Exception):
    """A file that cannot be read as Tessera's: its message names the file and says why."""


class NoSuchName(TesseraFileError, KeyError):
    """A name that the file does not have; the message lists those that it has."""

    __str__ = Exception.__str__


class ProgramError(Exception):
    """The program has ended with an error: its message is the line that it gave.

    status  its exit status: 2 of a bad input, 1 if it failed while running; None if it did not start
    """

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status
