# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Starts the program from Python."""

import codecs
import json
import os
import shutil
import signal
import subprocess
import sys
import warnings

from .errors import ProgramError
from .file import open_file

UNFINISHED = 3
# Options without an argument; those with one may be true or false, too.
SWITCHES = {"overwrite", "record-steps"}
# Those that leave nothing to return, or to show.
REFUSED = {"dry-run", "json", "quiet"}


def run(method, *, program=None, progress=True, **options):
    """Runs `tessera METHOD` to its end, and returns the opened output file, a TesseraFile.

    options   those of the program, with _ for -: until_time=100, size=(64, 32), record_steps=True. What is None or,
              of an option without an argument, False is left out
    program   its path; otherwise the environment variable TESSERA_PROGRAM, or `tessera` in PATH
    progress  whether to show on standard error how far it is. Other lines of the program are shown at any rate

    Raises ProgramError with the program's line if it fails. KeyboardInterrupt (Ctrl-C, or the button of a notebook) is
    passed on to the program, which writes a checkpoint first: run(method, restart=FILE) goes on. A run that has ended
    by its wall limit gives a warning.
    """
    words = [_program(program), method, *_words(options), "--json", "--progress", "always" if progress else "never"]
    try:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise ProgramError(f"{words[0]}: cannot be started: {error.strerror}") from error
    with process:
        lines = _shown(process)
        summary = process.stdout.read()
    status = process.returncode
    if status not in (0, UNFINISHED):
        raise ProgramError(lines[-1] if lines else f"tessera {method}: ended with exit status {status}", status)
    summary = json.loads(summary)
    if status == UNFINISHED:
        warnings.warn(f"{summary['output']}: not finished, because of the wall limit; restart= goes on", stacklevel=2)
    return open_file(summary["output"])


def _program(path):
    path = path or os.environ.get("TESSERA_PROGRAM") or shutil.which("tessera")
    if not path:
        raise ProgramError("the program tessera is not in PATH; name it by TESSERA_PROGRAM or program=")
    return os.fspath(path)


def _words(options):
    """The options as words of a command line."""
    words = []
    for key, value in options.items():
        name = key.replace("_", "-")
        if name in REFUSED:
            raise TypeError(f"{key}: is no option here; run() returns the file, and progress=False shows nothing")
        if value is None or (name in SWITCHES and not value):
            continue
        words.append("--" + name)
        if name not in SWITCHES:
            words.append(_text(value))
    return words


def _text(value):
    """A value as the program reads it."""
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):  # of numpy
        value = value.tolist()
    if isinstance(value, (tuple, list)):
        return ",".join(map(_text, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _shown(process):
    """Shows standard error of the program as it comes, and returns its lines; an interrupt is passed on, once."""
    decoder, text = codecs.getincrementaldecoder("utf-8")("replace"), ""
    interrupt = None
    while True:
        try:
            some = os.read(process.stderr.fileno(), 1 << 16)
            shown = decoder.decode(some, final=not some)
            text += shown
            sys.stderr.write(shown)
            sys.stderr.flush()
            if not some:
                break
        except KeyboardInterrupt as stop:
            # A terminal has told the program itself; it takes no harm from hearing it again.
            if interrupt is None:
                process.send_signal(signal.SIGINT)
            interrupt = stop
    if interrupt is not None:
        process.wait()
        raise interrupt
    return [line for line in text.replace("\r", "\n").splitlines() if line.strip()]
