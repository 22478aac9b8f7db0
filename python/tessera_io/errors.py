# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors


class TesseraFileError(Exception):
    """A file that cannot be read as an output file of Tessera; the message has the file and the reason."""


class NoSuchName(TesseraFileError, KeyError):
    """A name that is not in the file; the message lists the valid names."""

    __str__ = Exception.__str__


class ProgramError(Exception):
    """The program ended with an error; the message is the line that it printed.

    status  its exit status: 2 of a bad input, 1 if it failed while running; None if it did not start
    """

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status
