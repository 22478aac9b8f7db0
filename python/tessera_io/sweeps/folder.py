# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The files of a sweep:

    sweep.ini              the sweep, as an input file
    points/NAME.h5         the output of a point, NAME.json what its run said at its end, NAME.log what went wrong
    table.csv, table.h5    all points
    plot.png
"""

import contextlib
import errno
import fcntl
import json
import os
import zlib

from . import BadInput, counted, shown
from .grid import joined

LONGEST_NAME = 255  # where the system does not say
BESIDE_NAME = 24  # characters that temporary files and locks have besides the name of a point


class Folder:
    def __init__(self, path):
        self.path = path
        self.where = f"--folder {shown(path, 60)}"
        self._lock = None

    def file(self, name):
        return os.path.join(self.path, name)

    def output(self, point):
        return self.file(f"points/{point}.h5")

    def log(self, point):
        return self.file(f"points/{point}.log")

    def check_names(self, points):
        """Raises BadInput if the name of a point is too long for a file."""
        longest, there = LONGEST_NAME, os.path.abspath(self.path)
        while not os.path.isdir(there):
            there = os.path.dirname(there)
        with contextlib.suppress(OSError, ValueError):
            longest = os.pathconf(there, "PC_NAME_MAX")
        length = max(len(point.name) for point in points)
        if length > longest - BESIDE_NAME:
            raise BadInput(
                f"{self.where}: the files of a point are named by the values that vary, which take {counted(length, 'character')} here, "
                f"{longest - BESIDE_NAME} are allowed; vary fewer options, or give shorter values"
            )

    def claim(self, grid, options, read, job):
        """Makes the folder, or finds the sweep there: the same one, which goes on; or one with fewer values of the options
        that vary, or with another goal, which then is extended. Its points are this process' until it ends: all, or
        of `job` = (index, of) those of one job of an array. read(path) is the grid of an input file. Raises BadInput if it
        holds another sweep, or anything else, cannot be made, or another process makes these points."""
        if os.path.exists(self.path) and not os.path.isdir(self.path):
            raise BadInput(f"{self.where}: is a file")
        if os.path.isdir(self.path) and not os.path.exists(self.file("sweep.ini")):
            if any(not name.startswith(".") for name in os.listdir(self.path)):
                raise BadInput(f"{self.where}: is no sweep, and is not empty; give another folder")
        try:
            os.makedirs(self.file("points"), exist_ok=True)
            index, of = job
            if not self._take(1 + index if of > 1 else 1, 1 if of > 1 else 0, fcntl.LOCK_EX | fcntl.LOCK_NB):
                raise BadInput(f"{self.where}: another sweep is at work there; wait for its end, or give another folder")
            with self.files():
                if os.path.exists(self.file("sweep.ini")):
                    self._check_same(grid, options, read)
                write_whole(self.file("sweep.ini"), grid.input(options))
        except OSError as error:
            raise BadInput(f"{self.where}: cannot be made: {error.strerror}") from error

    def _check_same(self, grid, options, read):
        method = self.method()
        if method != grid.method:
            raise BadInput(f"{self.where}: holds a sweep of {method}; give another folder")
        before = read(self.file("sweep.ini"))
        for name, option in options.items():
            if not option["varies"]:
                continue
            old, new = before.values(name, options), grid.values(name, options)
            if len(old) == len(new) == 1 and (option["course"] or old == new):
                continue
            if len(old) > 1 and set(old) <= set(new):
                continue
            wanted = "these values, and more if you like" if len(old) > 1 else "that"
            values = shown(joined(old, option), 60)
            raise BadInput(f"{self.where}: holds a sweep with {name} = {values}; give {wanted}, or another folder")

    def method(self):
        """The method of the sweep there, in the first line of its input, "# tessera sweep METHOD"."""
        try:
            with open(self.file("sweep.ini"), encoding="utf-8", errors="surrogateescape") as file:
                words = file.readline().split()
        except OSError:
            words = []
        if words[:3] != ["#", "tessera", "sweep"] or len(words) != 4:
            raise BadInput(f"'{shown(self.path, 60)}': holds no sweep")
        return words[3]

    @contextlib.contextmanager
    def files(self):
        """The files of all points, the table and sweep.ini, are this process' alone meanwhile."""
        self._take(0, 1, fcntl.LOCK_EX)
        try:
            yield
        finally:
            self._take(0, 1, fcntl.LOCK_UN)

    def _take(self, start, length, operation):
        """Bytes of the lock of the folder: 0 is of the files of all points, 1 + I of job I of an array, all after 0 of a
        sweep that is no array. False if others have them; where the file system has no locks, they are free."""
        try:
            self._lock = self._lock or open(self.file(".lock"), "a+b")  # open until the end: closing gives all back
        except OSError:
            return True
        try:
            fcntl.lockf(self._lock, operation, length, start)
        except OSError as error:
            return error.errno not in (errno.EACCES, errno.EAGAIN)
        return True

    def write_record(self, point, summary):
        """Keeps what a run said, the JSON object `summary`. False if it cannot be read."""
        text = f'{{\n  "course": {json.dumps(point.course)},\n  "summary": {summary.strip()}'
        try:
            record = _parsed(text + "}")
            _check(record)
        except ValueError:
            return False
        write_whole(self.file(f"points/{point.name}.json"), f'{text},\n  "checksum": {_checksum(record)}\n}}\n')
        return True

    def record(self, name):
        """What the run of a point said, numbers as texts; None if there is none, or one that is damaged."""
        try:
            with open(self.file(f"points/{name}.json"), encoding="utf-8") as file:
                record = _parsed(file.read())
            _check(record)
            if int(record.get("checksum", _checksum(record))) != _checksum(record):
                return None
        except (OSError, ValueError):
            return None
        return record

    def is_finished(self, point):
        record = self.record(point.name)
        done = record and record["summary"]["finished"] and record["course"] == point.course
        return bool(done) and os.path.exists(self.output(point.name))


@contextlib.contextmanager
def whole_file(path):
    """The path of a temporary file, which replaces `path` at the end: complete or not at all."""
    temporary = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.tmp-{os.getpid()}")
    try:
        yield temporary
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.remove(temporary)
        raise


def write_whole(path, text):
    """Puts a text at a path, complete or not at all."""
    with whole_file(path) as temporary, open(temporary, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)


def _parsed(text):
    """Numbers stay as they are written."""
    return json.loads(text, parse_float=str, parse_int=str)


def _checksum(record):
    return zlib.crc32(json.dumps([record["course"], record["summary"]]).encode())


def _check(record):
    """Raises ValueError unless the record has what a table needs."""
    try:
        summary = record["summary"]
        quantities = [summary["observables"], summary.get("averages", {"observables": {}})["observables"]]
        numbers = [summary["time"], summary["wall_seconds"], *(value for group in quantities for value in group.values())]
        for value in numbers:
            if value is not None:
                float(value)
        texts = [record["course"], *summary["units"].values()]
        if not isinstance(summary["finished"], bool) or not all(isinstance(text, str) for text in texts):
            raise ValueError("a value of another type")
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(str(error)) from error
