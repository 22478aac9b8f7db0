# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""`tessera kmc --zacros FOLDER`: converts the input files of Zacros and runs the model."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from ..start import program_words
from .lines import ModelError
from .zacros import zacros_run

STOPS, INTERVALS = {"until-time", "until-events-per-site"}, {"measure-every", "measure-every-events"}


def taken(words, name, otherwise=None):
    """(value of an option, the words of the command line without it)"""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument(f"--{name}", nargs="?", const="", default=otherwise)
    found, rest = parser.parse_known_args(words)
    return getattr(found, name), rest


def words_of_run(settings, words):
    """The options of Zacros' input that the command line does not replace."""
    given = {word[2:].partition("=")[0] for word in words if word.startswith("--")}
    if given & {"size", "tile", "halo", "method"}:
        given.add("method")
    for group in (STOPS, INTERVALS):
        given |= group if given & group else set()
    return [f"--{option}={value}" for option, value in settings.items() if option not in given]


def write(path, text, overwrite):
    if os.path.exists(path) and not overwrite:
        with open(path, encoding="utf-8", errors="replace") as file:
            if file.read() != text:
                raise ModelError(f"{path}: exists with another model; --overwrite replaces it")
    pathlib.Path(path).write_text(text, "utf-8")


def run(words):
    folder, words = taken(words, "zacros")
    if not os.path.isdir(folder):
        raise ModelError(f"--zacros {folder}: must be the folder of Zacros' input files")
    if taken(words, "restart")[0] is not None:
        raise ModelError("--zacros: is for new runs; a restart has the model in its file")
    text, notes, settings = zacros_run(folder)
    for note in notes:
        print(f"tessera: {note}", file=sys.stderr, flush=True)
    call = [*program_words(), "kmc", *words_of_run(settings, words), *words]
    if "--dry-run" in words:
        with tempfile.TemporaryDirectory() as temporary:
            path = os.path.join(temporary, "model.ini")
            write(path, text, True)
            return subprocess.call([*call, f"--processes={path}"])
    path = os.path.splitext(taken(words, "output", "kmc.h5")[0])[0] + ".ini"
    write(path, text, "--overwrite" in words)
    return os.execvp(call[0], [*call, f"--processes={path}"])


def refused(message):
    """Prints a message, in which bytes that are no text are written in hexadecimal digits and long words are cut."""
    text = "".join(one if one.isprintable() else f"\\x{ord(one) & 0xFF:02x}" for one in message)
    text = re.sub(r"\S{300,}", lambda found: found[0][:60] + "...", text)
    print(f"tessera: {text}", file=sys.stderr)
    return 2


def main(words):
    try:
        return run(words)
    except ModelError as error:
        return refused(str(error))
    except OSError as error:
        return refused(f"{error.filename}: {error.strerror}" if error.filename else str(error))
