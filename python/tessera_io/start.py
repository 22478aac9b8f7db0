# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Starts the program from Python."""

import codecs
import csv
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import warnings

from .errors import ProgramError

UNFINISHED = 3
# Options without an argument; options with one may also be true or false.
SWITCHES = {"change", "overwrite", "record-steps", "same-seed", "structure-factor"}
# Options that leave nothing to return or to show.
REFUSED = {"dry-run", "json", "quiet", "rows"}
ROWS = b'{"row"', b'{"point"'  # beginnings of lines, of a run and of a sweep


def run(method, *, program=None, progress=True, on_row=None, **options):
    """Runs `tessera METHOD` to its end, and returns the opened output file, a TesseraFile.

    options   options of the program, with _ for -: until_time=100, size=(64, 32), record_steps=True. None, and False for an
              option without an argument, omit the option
    program   its path; otherwise the environment variable TESSERA_PROGRAM, or `tessera` in PATH
    progress  whether to show the progress on standard error. Other messages of the program are always shown
    on_row    a function that is called with each row of measurements, a tessera_io.observables.Row, during the run. If it
              returns True, the run ends with a checkpoint, and its file is returned; an exception also ends the run, and is
              raised again

    Raises ProgramError with the program's message if it fails. KeyboardInterrupt (Ctrl-C, or the button of a notebook) is
    passed on to the program, which writes a checkpoint first; run(method, restart=FILE) continues. If this process ends or is
    killed, the program also ends with a checkpoint (on Linux). Warns if the run ended at its wall-time limit.
    """
    from .file import TesseraFile

    words = [*program_words(program), method, *words_of(options)]
    status, summary = _summary([*words, "--rows"] if on_row else words, ["output"], progress, on_row)
    if status == UNFINISHED:
        warnings.warn(f"{summary['output']}: not finished, because of the wall-time limit; continue with restart=", stacklevel=2)
    return TesseraFile(summary["output"])


def sweep(method, *, program=None, progress=True, on_row=None, **options):
    """Runs `tessera sweep METHOD` to its end, and returns its table: a list for each column of table.csv, by name.

    options   as those of run(), and folder=, jobs=. A list, a range or an array are several values, a tuple is one:
              phi=[0, 1, 2], size=[(64, 32), (64, 64)]
    on_row    a function that is called with each row of measurements during the sweep: on_row(point, row), where `point` is a
              dictionary of the options that vary. If it returns True, the sweep ends with checkpoints, and the table so far is
              returned

    Numbers are floats; missing ones are NaN. Raises ProgramError as run() does, also if a point fails; finished points are
    kept. After an interrupt the same call continues. Warns if the sweep ended at its wall-time limit.
    """
    words = [sys.executable, "-m", "tessera_io.sweeps", method, *words_of(options, _values), *["--rows"] * bool(on_row)]
    status, summary = _summary(words, ["folder", "table"], progress, on_row, TESSERA_PROGRAM=shlex.join(program_words(program)), **of_package())
    if status == UNFINISHED:
        warnings.warn(f"{summary['folder']}: not finished, because of the wall-time limit; the same call continues it", stacklevel=2)
    with open(summary["table"], encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    return {name: _column(values) for name, values in zip(names, zip(*rows))}


def program_words(path=None):
    """The words that start the program: its path, or those of the environment variable TESSERA_PROGRAM, a path or a command
    with arguments, quoted as for a shell."""
    path = path or os.environ.get("TESSERA_PROGRAM") or shutil.which("tessera")
    if not path:
        raise ProgramError("the program tessera is not in PATH; set TESSERA_PROGRAM or program=")
    path = os.fspath(path)
    return [path] if os.path.exists(path) else shlex.split(path)


def end_with_this():
    """preexec_fn of a child: on Linux the child receives SIGTERM when this process ends for any reason. None elsewhere."""
    try:
        import ctypes

        prctl = ctypes.CDLL(None).prctl
    except (ImportError, OSError, AttributeError):
        return None
    set_death_signal, parent = 1, os.getpid()

    def prepare():
        prctl(set_death_signal, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(128 + signal.SIGTERM)

    return prepare


def of_package():
    """An environment in which another Python imports this package, but no modules of the working folder."""
    places = [os.path.dirname(os.path.dirname(os.path.abspath(__file__))), os.environ.get("PYTHONPATH")]
    return {"PYTHONPATH": os.pathsep.join(filter(None, places)), "PYTHONSAFEPATH": "1"}


def _summary(words, members, progress, on_row, **environment):
    """The exit status of the program and its --json object, which must have these members. Calls on_row with its rows."""
    words = [*words, "--json", "--progress", "always" if progress else "never"]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    try:
        process = subprocess.Popen(words, env={**os.environ, **environment}, preexec_fn=end_with_this(), **pipes)
    except OSError as error:
        raise ProgramError(f"{words[0]}: cannot be started: {error.strerror}") from error
    lines = []
    showing = threading.Thread(target=_show, args=(process.stderr, lines))
    showing.start()
    with process:
        try:
            summary, ended = _follow(process, on_row)
        finally:
            showing.join()
    status = process.returncode
    if status not in (0, UNFINISHED) and not (ended and status == 128 + signal.SIGTERM):
        lines = [line for line in lines if line.startswith("tessera: ")] or lines  # libraries print lines, too
        raise ProgramError(lines[-1] if lines else f"{words[0]}: ended with exit status {status}", status)
    summary = _json(summary)
    if not (isinstance(summary, dict) and all(isinstance(summary.get(name), str) for name in members)):
        raise ProgramError(f"{words[0]}: printed no JSON object with {' and '.join(members)} at its end", status)
    return status, summary


def words_of(options, text=None):
    """The options as words of a command line. text() converts a value; by default as for a single run."""
    words = []
    for key, value in options.items():
        name = key.replace("_", "-")
        if name in REFUSED:
            raise TypeError(f"{key}: is not an option here; the result is returned, progress=False shows nothing, and on_row= has the rows")
        if value is None or (name in SWITCHES and not value):
            continue
        words.append("--" + name)
        if name not in SWITCHES:
            words.append((text or _text)(value))
    return words


def _text(value):
    """A value as the program reads it."""
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):  # of numpy
        value = value.tolist()
    if isinstance(value, (tuple, list, range)):
        return ",".join(map(_text, value))
    if isinstance(value, dict):  # of --set
        return ",".join(f"{name}={_text(one)}" for name, one in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


def _values(value):
    """One or several values in the syntax of a sweep."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return ";".join(map(_text, value)) if isinstance(value, (list, range)) else _text(value)


def _column(values):
    """Numbers, if all are; a text otherwise."""
    try:
        return [float(value) if value else float("nan") for value in values]
    except ValueError:
        return list(values)


def _show(pipe, lines):
    """Copies standard error of the program immediately, and collects its lines."""
    decoder, text = codecs.getincrementaldecoder("utf-8")("replace"), ""
    while True:
        some = os.read(pipe.fileno(), 1 << 16)
        shown = decoder.decode(some, final=not some)
        text += shown
        sys.stderr.write(shown)
        sys.stderr.flush()
        if not some:
            break
    lines += [line for line in text.replace("\r", "\n").splitlines() if line.strip()]


def _follow(process, on_row):
    """The output of the program except its rows, and whether on_row has ended it. An interrupt is passed on to the program once,
    and raised here after the program has ended."""
    rest, ended, raised = [], False, None
    while True:
        try:
            line = process.stdout.readline()
            if not line:
                break
            if not (on_row and line.startswith(ROWS)):
                rest.append(line)
            elif not ended and raised is None and on_row(*_row(line)):
                ended = True
                process.terminate()
        except BaseException as error:
            # A terminal has already interrupted the program; a second interrupt is harmless.
            if raised is None:
                process.send_signal(signal.SIGINT if isinstance(error, KeyboardInterrupt) else signal.SIGTERM)
            raised = error
    if raised is not None:
        process.wait()
        raise raised
    return b"".join(rest), ended


def _row(line):
    """The row in a line of output; in a sweep, the values of its point and the row."""
    from .observables import Row

    line = _json(line)
    if line is None:
        raise ProgramError("a row of the program is no JSON")
    point = {name: _column([value])[0] for name, value in line.get("point", {}).items()}
    return (point, Row(line["row"])) if "point" in line else (Row(line["row"]),)


def _json(text):
    """The value of a JSON text; None if it is not JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None
