# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""`tessera kmc --zacros FOLDER`: converts the input files of Zacros and runs the model."""

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


def value_of(words, option, otherwise=None):
    """The value of an option of the command line."""
    for word, after in zip(words, [*words[1:], ""]):
        if word == f"--{option}":
            return after
        if word.startswith(f"--{option}="):
            return word.partition("=")[2]
    return otherwise


def without(words, option):
    """The words without an option and its value."""
    rest, skip = [], False
    for word in words:
        if not skip and word != f"--{option}" and not word.startswith(f"--{option}="):
            rest.append(word)
        skip = not skip and word == f"--{option}"
    return rest


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
    folder = value_of(words, "zacros")
    words = without(words, "zacros")
    if not os.path.isdir(folder):
        raise ModelError(f"--zacros {folder}: must be the folder of Zacros' input files")
    if value_of(words, "restart") is not None:
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
    path = os.path.splitext(value_of(words, "output", "kmc.h5"))[0] + ".ini"
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
