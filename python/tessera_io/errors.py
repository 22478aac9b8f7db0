# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors

import contextlib


class TesseraFileError(Exception):
    """A file that cannot be read as an output file of Tessera; the message has the file and the reason."""


@contextlib.contextmanager
def reading(path, what, passed=()):
    """Raises TesseraFileError in place of the errors that h5py and NumPy raise at a damaged file. Errors of the
    system, and those in `passed`, are raised as they are."""
    try:
        yield
    except (TesseraFileError, *passed):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno:
            raise
        reason = " ".join(str(error.args[0] if error.args else "").split()) or type(error).__name__
        raise TesseraFileError(f"{path}: {what} cannot be read: {reason}") from error


def check_rows(*arrays):
    """Raises ValueError unless all have the same number of rows."""
    if len({len(array) for array in arrays}) != 1:
        raise ValueError("arrays of different length, or none")


def check_index(what, index, count, from_end=False):
    """Raises IndexError unless -count <= index < count; `what` is the message, such as "PATH: no row 7"."""
    if not (-count if from_end else 0) <= index < count:
        raise IndexError(f"{what}; valid values are 0 to {count - 1}")


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
