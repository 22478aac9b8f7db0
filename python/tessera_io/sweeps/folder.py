# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The files of a sweep:

    sweep.ini              the sweep, as an input file
    points/NAME.h5         the output of a point, NAME.json the summary of its run, NAME.log its errors
    table.csv, table.h5    all points
    plot.png
"""

import contextlib
import errno
import fcntl
import json
import os
import stat
import zlib

from . import BadInput, counted, shown
from .grid import CONTENT, SETTING, joined, value_shown

LONGEST_NAME = 255  # if the system does not report it
BESIDE_NAME = 24  # additional characters in the names of temporary files and locks


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
                f"{self.where}: the file names of a point contain its values and would have {counted(length, 'character')}, but at most "
                f"{longest - BESIDE_NAME} are possible; vary fewer options or use shorter values"
            )

    def claim(self, grid, options, read, job):
        """Creates the folder, or opens the sweep in it: the same one, which is continued; or one with fewer values of the
        options that vary, or with another end, which is extended. Locks its points until the process ends: all, or those
        of `job` = (index, of), one job of an array. read(path) returns the grid of an input file. Raises BadInput if the
        folder contains another sweep or other files, cannot be created, or if another process has locked these points."""
        if os.path.exists(self.path) and not os.path.isdir(self.path):
            raise BadInput(f"{self.where}: is a file, not a folder")
        if os.path.isdir(self.path) and not os.path.exists(self.file("sweep.ini")):
            if any(not name.startswith(".") for name in os.listdir(self.path)):
                raise BadInput(f"{self.where}: is not empty and not a sweep; use another folder")
        try:
            os.makedirs(self.file("points"), exist_ok=True)
            index, of = job
            if not self._take(1 + index if of > 1 else 1, 1 if of > 1 else 0, fcntl.LOCK_EX | fcntl.LOCK_NB):
                raise BadInput(f"{self.where}: another sweep uses it; wait for its end or use another folder")
            with self.files():
                contents, before = grid.contents(options), {}
                if os.path.exists(self.file("sweep.ini")):
                    self._check_same(grid, options, read)
                    before = self._contents()
                for path in contents:
                    if before.get(path, contents[path]) != contents[path]:
                        raise BadInput(f"{self.where}: {path} has changed since this sweep began; restore the file, or use another folder")
                write_whole(self.file("sweep.ini"), grid.input(options, {**before, **contents}))
        except OSError as error:
            raise BadInput(f"{self.where}: cannot be made: {error.strerror}") from error

    def _check_same(self, grid, options, read):
        method = self.method()
        if method != grid.method:
            raise BadInput(f"{self.where}: has a sweep of {method}; use another folder")
        before = read(self.file("sweep.ini"))
        for name, old, new in (("zip", before.zip(), grid.zip()), ("same-seed", before.same_seed, grid.same_seed)):
            if old != new:
                has = str(old).lower() or "nothing"
                raise BadInput(f"{self.where}: has a sweep with {name} = {has}; use the same value, or another folder")
        for name in dict.fromkeys([*options, *before.axes, *before.fixed]):
            option = options.get(name, SETTING)
            if not option["varies"]:
                continue
            old, new = before.values(name, options), grid.values(name, options)
            if len(old) == len(new) == 1 and (option["course"] or old == new):
                continue
            if len(old) > 1 and before.choices(name, options) <= grid.choices(name, options):
                continue
            together = ", zipped as before," if any(name in group for group in grid.zipped) else ""
            wanted = f"these values{together} and any others" if len(old) > 1 else "the same value"
            values = shown(joined(map(value_shown, old), option), 60) or "the default"
            raise BadInput(f"{self.where}: has a sweep with {before.label(name)} = {values}; use {wanted}, or another folder")

    def _contents(self):
        """SHA-256 of the files that the options of the sweep in the folder name, by their paths."""
        lines = read_whole(self.file("sweep.ini")).split("\n")
        words = [line.removeprefix(CONTENT).rpartition(" ") for line in lines if line.startswith(CONTENT)]
        return {json.loads(path): digest.strip() for path, _, digest in words}

    def method(self):
        """The method of the sweep in the folder, from the first line of its input, "# tessera sweep METHOD"."""
        try:
            words = read_whole(self.file("sweep.ini")).partition("\n")[0].split()
        except OSError:
            words = []
        if words[:3] != ["#", "tessera", "sweep"] or len(words) != 4:
            raise BadInput(f"'{shown(self.path, 60)}': is not the folder of a sweep")
        return words[3]

    @contextlib.contextmanager
    def files(self):
        """Locks the files of all points, the table and sweep.ini."""
        self._take(0, 1, fcntl.LOCK_EX)
        try:
            yield
        finally:
            self._take(0, 1, fcntl.LOCK_UN)

    def _take(self, start, length, operation):
        """Locks or unlocks bytes of the lock file: byte 0 for the files of all points, byte 1 + I for job I of an array, all
        bytes after 0 for a sweep without an array. Returns False if another process has locked them. Without support for
        locks in the file system it returns True."""
        try:
            self._lock = self._lock or open(self.file(".lock"), "a+b")  # open until the end: closing releases all locks
        except OSError:
            return True
        try:
            fcntl.lockf(self._lock, operation, length, start)
        except OSError as error:
            return error.errno not in (errno.EACCES, errno.EAGAIN)
        return True

    def write_record(self, point, summary):
        """Stores the summary of a run, a JSON object. Returns False if it is invalid."""
        text = f'{{\n  "course": {json.dumps(point.course)},\n  "summary": {summary.strip()}'
        try:
            record = _parsed(text + "}")
            _check(record)
        except ValueError:
            return False
        write_whole(self.file(f"points/{point.name}.json"), f'{text},\n  "checksum": {_checksum(record)}\n}}\n')
        return True

    def record(self, name):
        """The summary of the run of a point, with numbers as texts; None if it is missing or damaged."""
        try:
            record = _parsed(read_whole(self.file(f"points/{name}.json")))
            _check(record)
            if int(record.get("checksum", -1)) != _checksum(record):
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
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(temporary)
        raise


def read_whole(path):
    """The text of a regular file; of others, which may have no end, an OSError."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), encoding="utf-8", errors="surrogateescape") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "is not a regular file", path)
        return file.read()


def write_whole(path, text):
    """Writes a file with this text, complete or not at all."""
    with whole_file(path) as temporary, open(temporary, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)


def _parsed(text):
    """Parses JSON with numbers as texts. Raises ValueError, also if it is nested too deeply."""
    try:
        return json.loads(text, parse_float=str, parse_int=str)
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error


def _checksum(record):
    return zlib.crc32(json.dumps([record["course"], record["summary"]]).encode())


def _check(record):
    """Raises ValueError unless the record has all entries of a table."""
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
