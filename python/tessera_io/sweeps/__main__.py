# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""python3 -m tessera_io.sweeps METHOD [options]: the implementation of `tessera sweep`."""

import json
import math
import os
import shlex
import shutil
import subprocess
import sys
import time

from ..errors import ProgramError
from ..start import of_package, program_words
from . import BadInput, counted, shown
from .folder import Folder
from .grid import check_points, read_grid, with_settings
from .options import OPTIONS, check, help_text
from .progress import Progress, short_bytes, short_duration
from .runs import WALL_LIMIT, Clock, Pool, Signals, environment, machine_words, share_machine
from .table import inputs_of_points, write_table
from .values import values_of

TEXT_COLUMNS = 100
MOST_TRIALS = 8  # of a dry run


class Refused(Exception):
    """The program rejected the input and printed a message."""


class Program:
    """The program, and queries to it."""

    def __init__(self):
        self.words = program_words()

    def ask(self, *words, fields=()):
        """The object that `tessera sweep WORDS` prints; the fields are its input."""
        text = "".join(field + "\0" for field in fields).encode("utf-8", "surrogateescape")
        done = subprocess.run([*self.words, "sweep", *words], input=text, stdout=subprocess.PIPE, env=environment(), check=False)
        if done.returncode != 0:
            raise Refused(done.returncode)
        return json.loads(done.stdout)

    def read(self, method, words):
        fields = [field for name, argument, _, value in OPTIONS for field in (name, argument, value)]
        answer = self.ask("--words", *([method] if method else []), *words, fields=fields)
        check(answer["options"], answer["given"])
        return with_settings(answer["options"], answer["given"])


class Options:
    """The options of a call."""

    def __init__(self, program, method, words):
        self.method = method
        self.table, self.given = program.read(method, words)

    def text(self, name):
        return self.table[name]["value"]

    def number(self, name):
        return int(self.text(name))

    def is_set(self, name):
        return self.text(name) == "true"

    def devices(self):
        """The list of devices, which are assigned to runs in turn."""
        if "device" not in self.given:
            return []
        word = self.given["device"]
        try:
            return [int(value) for value in values_of(word["value"])]
        except ValueError as error:
            raise BadInput(f"{word['where']}: must be whole numbers") from error

    def folder(self):
        config = os.path.splitext(os.path.basename(self.given["config"]["value"]))[0] if "config" in self.given else ""
        return Folder(self.text("folder") or config or self.method + "_sweep")


def describe(grid, share):
    """ "8 points: packing-fraction (4) x seed (2), 2 at a time, 1 thread each"."""
    axes = " x ".join(f"{' with '.join(map(grid.label, group))} ({len(grid.axes[group[0]])})" for group in grid.groups())
    text = f"{counted(len(grid), 'point')}: {axes}, {share.jobs} at a time"
    if share.threads:
        text += f", {counted(share.threads, 'thread')} each"
    return text + (f", on {counted(len(share.devices), 'device')}" if share.devices else "")


def say(text):
    """Prints on standard output; a closed pipe, as in `tessera ... | head`, is not an error."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def dry_run(program, options, points, share, signals):
    """Estimates the cost of the runs from dry runs of some points, one after the other."""
    trials = min(MOST_TRIALS, len(points))
    seconds, size = 0.0, 0.0
    for trial in range(trials):
        point = points[trial * (len(points) - 1) // max(1, trials - 1)]
        output = ["--dry-run", "--json", "--output", f".tessera-sweep-{os.getpid()}.h5"]
        words = [*program.words, options.method, *point.arguments, *machine_words(point, share, 0), *output]
        start = time.monotonic()
        done = subprocess.run(words, stdout=subprocess.PIPE, env=environment(share.jobs), check=False)
        if signals.stop:
            return 128 + signals.stop
        if done.returncode != 0:
            return done.returncode
        dry = json.loads(done.stdout)
        run = dry.get("seconds")
        seconds += math.inf if run is None else run + time.monotonic() - start - dry["estimate_seconds"]
        size += dry.get("file_bytes", 0)
    each = len(points) / trials
    memory, cost = max(point.all_memory for point in points), each * seconds / share.jobs
    say(
        f"# memory: at most {short_bytes(memory)} a run, {share.jobs} at a time\n# files: at most {short_bytes(each * size)}\n"
        f"# cost: about {short_duration(cost)} here, with the starts of the runs, from short runs of {counted(trials, 'point')}\n"
        "# nothing was written"
    )
    return 0


def draw(folder):
    """Draws plot.png, by the command in the environment variable TESSERA_PLOT, or this Python. Returns the reason of a failure, or None."""
    command = shlex.split(os.environ.get("TESSERA_PLOT", "")) or [sys.executable, "-m", "tessera_io.plot"]
    words = [*command, folder.path, "--quiet"]
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, env={**os.environ, **of_package()}, check=False
        )
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
    lines = done.stderr.decode("utf-8", "replace").strip().split("\n")
    return None if done.returncode == 0 else shown(lines[-1]) or f"{command[0]} has exit status {done.returncode}"


def warn(text):
    print(f"tessera: warning: {shown(str(text), 1000)}", file=sys.stderr, flush=True)


def show_table(folder, grid, failures, stopped, as_json=False, quiet=False, columns=""):
    """Writes the table to files and the terminal, there with these columns, and draws the plot."""
    table, missing = write_table(folder, grid)
    finished, why_not = table.finished, None
    if finished > 1 and not stopped:
        why_not = missing or draw(folder)
    drawn = finished > 1 and not stopped and why_not is None
    if as_json:
        plot = folder.file("plot.png") if drawn else ""
        summary = {"method": grid.method, "folder": folder.path, "points": len(grid), "finished": finished}
        say(json.dumps({**summary, "failed": len(failures), "table": folder.file("table.csv"), "plot": plot}, indent=2))
    elif not quiet:
        files = "table.csv" + ("" if missing else " and table.h5") + (", plot in plot.png" if drawn else "")
        width = shutil.get_terminal_size((TEXT_COLUMNS, 1)).columns
        try:
            text = table.text(width, [name.strip() for name in columns.split(",")] if columns else None)
        except BadInput as error:
            warn(error)
            text = table.text(width)
        say(f"{text}{finished} of {counted(len(grid), 'point')} finished; table in {folder.path}/{files}")
    if (missing or why_not) and not quiet:
        without = "table.h5 and plot.png were not written" if missing else "plot.png was not written"
        remedy = f"(Debian: python3-h5py, python3-matplotlib); afterwards run tessera sweep --table {shlex.quote(folder.path)}"
        warn(f"{without}: {missing or why_not} {remedy}")


def sweep(program, words):
    signals, clock = Signals(), Clock()
    method, words = (words[0], words[1:]) if words else (None, [])
    options = Options(program, method, words)
    grid = read_grid(method, options.table, options.given)
    folder = options.folder()
    points, machine = check_points(
        grid, options.table, options.given, lambda fields: program.ask("--check", method, fields=fields), folder
    )
    share = share_machine(machine, points, options.number("jobs"), options.number("threads"), options.devices())
    folder.check_names(points)
    if options.is_set("dry-run"):
        say(f"# {describe(grid, share)}\n{grid.input(options.table).rstrip()}")
        return dry_run(program, options, points, share, signals)
    index, of = options.number("index"), options.number("of")
    folder.claim(grid, options.table, lambda path: read_input(program, method, path), (index, of))

    mine = points[index::of]
    left = [point for point in mine if not folder.is_finished(point)]
    progress = Progress(options.table)
    if not progress.silent:
        job = f"job {index} of {of}: " if of > 1 else ""
        before = f", {len(mine) - len(left)} done before" if len(left) < len(mine) else ""
        print(f"{job}{describe(grid, share)}{before}", file=sys.stderr, flush=True)
    clock.limit = float(options.text("wall-limit"))
    pool = Pool(program.words, folder, options, share, left, clock, signals)
    if options.is_set("rows"):
        inputs = inputs_of_points(grid)
        pool.on_row = lambda point, row: say(f'{{"point": {json.dumps(inputs[point.name])}, {row[1:]}')
    pool.run(progress)
    quiet = options.is_set("quiet")
    if not quiet and pool.interrupted:
        why = "stopped by a signal" if signals.stop else "the wall-time limit is near"
        print(f"tessera: {why}, the sweep is unfinished; the same call continues it", file=sys.stderr, flush=True)
    # Another job of an array may have extended the sweep.
    whole = grid if of == 1 else read_input(program, method, folder.file("sweep.ini"))
    show_table(folder, whole, pool.failures, signals.stop, options.is_set("json"), quiet, options.text("columns"))
    for failure in pool.failures:
        print(f"tessera: failed: {failure}", file=sys.stderr)
    if pool.interrupted and signals.stop:
        return 128 + signals.stop
    if pool.failures:
        return 1
    return WALL_LIMIT if pool.interrupted else 0


def read_input(program, method, path):
    """The grid of the input file of an existing sweep."""
    options, given = program.read(method, ["--config", path])
    return read_grid(method, options, given)


def show_folder(program, words):
    """`tessera sweep --table FOLDER`."""
    if len(words) not in (1, 3) or words[1:2] not in ([], ["--columns"]):
        raise BadInput("--table: requires the folder of a sweep, and has no option but --columns")
    folder = Folder(words[0])
    show_table(folder, read_input(program, folder.method(), folder.file("sweep.ini")), [], False, columns="".join(words[2:]))
    return 0


def main(words=None):
    words = sys.argv[1:] if words is None else words
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="surrogateescape")
    try:
        if "--help" in words or "-h" in words:
            say(help_text().rstrip())
            return 0
        program = Program()
        return show_folder(program, words[1:]) if words[:1] == ["--table"] else sweep(program, words)
    except Refused as error:
        return error.args[0]
    except (BadInput, ProgramError) as error:
        message, status = str(error), 2
    except OSError as error:
        message, status = f"{error.filename}: {error.strerror}" if error.filename else str(error), 1
    print(f"tessera: {shown(message, 1000)}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
