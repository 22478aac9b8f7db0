# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Runs of `tessera` whose output files are stored, used again, and continued."""

import concurrent.futures
import contextlib
import dataclasses
import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import tessera_io
from tessera_io.errors import ProgramError
from tessera_io.start import program_words, words_of
from tessera_io.sweeps.folder import write_whole


class Stopped(Exception):
    """A signal has stopped a run, which has written a checkpoint."""

    def __init__(self, number):
        super().__init__(f"stopped by signal {number}")
        self.number = number


@dataclasses.dataclass
class Run:
    """A finished run: its output file, and its summary, the program's JSON object; `rate` is that of the last call."""

    name: str
    path: str
    summary: dict

    def open(self):
        return tessera_io.open(self.path)

    @property
    def rate(self):
        return self.summary["rate"]


class Program:
    """The program, and the folder for the output files of its runs."""

    def __init__(self, path, folder, backend=None, log=None):
        self.words, self.folder, self.backend, self._log = program_words(path), folder, backend, log
        self.version = self._answer("--version").splitlines()[0]
        below = self._answer("info").split("backends:\n")[1].splitlines()
        self.backends = [line.split(",")[0].strip() for line in itertools.takewhile(lambda line: line.startswith(" "), below)]
        if backend and backend not in self.backends:
            raise ProgramError(f"--backend {backend}: is not available in this build; valid values are {', '.join(self.backends)}")
        self.runs = []
        self.stopped = None  # by a signal, after which no run begins
        self._processes, self._signal = set(), 0

    @property
    def fastest(self):
        """The backend of runs."""
        return self.backend or next(b for b in ("cuda", "hip", "openmp", "serial") if b in self.backends)

    @property
    def measured_backends(self):
        """The backends of speed measurements."""
        return [self.backend] if self.backend else self.backends

    def _answer(self, word):
        try:
            done = subprocess.run([*self.words, word], capture_output=True, text=True, check=True)
        except FileNotFoundError as error:
            raise ProgramError(f"no program {self.words[0]}; use --tessera PROGRAM") from error
        except (OSError, subprocess.CalledProcessError) as error:
            raise ProgramError(f"{self.words[0]} {word} failed: {error}") from error
        return done.stdout

    def run(self, name, method, options, backend=None, after=None, stopping_time=None):
        """Runs `tessera METHOD` with these options, or uses the output of an identical earlier call.

        name   of the run; NAME.h5 in the folder is its output
        backend  None: the fastest; "": the method chooses
        after  a Run whose output it continues, with the options `stopping_time` and no others but those of the machine
        A run that was stopped is continued from its checkpoint.
        """
        return self.run_all([(name, method, options, backend, after, stopping_time)])[0]

    def segments(self, run, name, method, backend, stopping_times, keep=True):
        """The runs NAME_1, NAME_2, ... to each of the stopping times, the first continued from `run`, each later one from its
        predecessor, whose output is removed; that of `run` only without `keep`."""
        runs = [run]
        for number, stopping_time in enumerate(stopping_times, 1):
            runs.append(self.run(f"{name}_{number}", method, {}, backend=backend, after=runs[-1], stopping_time=stopping_time))
            if number > 1 or not keep:
                self.remove(runs[-2])
        return runs[1:]

    def run_all(self, calls):
        """The runs of these arguments of run(), as many at once as there are cores; for runs that use one core each."""
        with self._heeding_signals(), concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            alone = len(calls) == 1
            runs = list(pool.map(lambda arguments: self._run(*arguments, alone=alone), calls))
        self.runs += runs
        return runs

    def _run(self, name, method, options, backend=None, after=None, stopping_time=None, alone=True):
        path = os.path.join(self.folder, name + ".h5")
        backend = self.fastest if backend is None else backend
        machine = ["--backend", backend] if backend else []
        words = [method, *words_of({**options, **(stopping_time or {})}), *machine]
        wanted = {"words": words, "version": self.version.split(" (")[0]}
        if after:
            wanted["after"] = [after.name, after.summary["time"]]
        record = _read_record(path)
        begun = all(record.get(key) == value for key, value in wanted.items())
        if begun and record.get("summary") and (os.path.exists(path) or record.keys() & {"removed", "derived"}):
            self._say(f"{name}: finished before")
            return Run(name, path, record["summary"])
        if begun and os.path.exists(path):
            self._say(f"{name}: going on from its checkpoint")
            call = [method, "--restart", path, *machine]
        else:
            _write_record(path, wanted)
            source = ["--restart", after.path] if after else []
            call = [method, *source, *words[1:], "--output", path, "--overwrite"]
        self._say(f"{name}: {' '.join([os.path.basename(self.words[-1]), *call])}")
        began = time.monotonic()
        summary = self._call([*call, "--json"], alone)
        if not summary.get("finished", True):
            raise ProgramError(f"{name}: did not reach its stopping time ({summary.get('ended_by')})")
        self._say(f"{name}: {time.monotonic() - began:.1f} s")
        _write_record(path, {**wanted, "summary": summary})
        return Run(name, path, summary)

    def _call(self, words, alone):
        if self._signal:
            raise Stopped(self._signal)
        # Threads that are bound to cores would all be bound to the same ones.
        environment = os.environ if alone else {**os.environ, "OMP_PROC_BIND": "false"}
        process = subprocess.Popen([*self.words, *words], stdout=subprocess.PIPE, text=True, env=environment)
        self._processes.add(process)
        if self._signal:  # which came before the process was known
            process.send_signal(self._signal)
        out, _ = process.communicate()
        self._processes.remove(process)
        status = process.returncode
        if self._signal or status in (130, 143):
            raise Stopped(self._signal or status - 128)
        if status != 0:
            raise ProgramError(f"{' '.join([*self.words, *words])} failed with exit status {status}")
        return json.loads(out)

    @contextlib.contextmanager
    def _heeding_signals(self):
        """Passes signals on to the processes, which write checkpoints and end."""
        self._signal = 0

        def stop(number, _frame):
            self._signal = number
            for process in list(self._processes):
                # A terminal also interrupts the program, which counts two simultaneous interrupts as one.
                process.send_signal(number)

        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _say(self, text):
        print(f"  {text}", file=self._log or sys.stderr, flush=True)

    def of_each(self, items, found):
        """{item: found(item)}; if a signal stops a run, for the earlier items, if there are any."""
        results = {}
        try:
            for item in items:
                results[item] = found(item)
        except Stopped as stopped:
            if not results:
                raise
            self.stopped = stopped
        return results

    def derived(self, run, numbers):
        """numbers(run), of lists and dictionaries, which replace the output of the run in the folder."""
        found = _read_record(run.path).get("derived")
        if found is None:
            found = numbers(run)
            self.remove(run, derived=found)
        return found

    def remove(self, run, **kept):
        """Removes the output of a run that no later step needs; its summary stays, with what is `kept`."""
        _write_record(run.path, {**_read_record(run.path), "removed": True, **kept})
        if os.path.exists(run.path):
            os.remove(run.path)


def _record_path(path):
    return os.path.splitext(path)[0] + ".run.json"


def _read_record(path):
    try:
        return json.loads(pathlib.Path(_record_path(path)).read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return {}


def _write_record(path, record):
    write_whole(_record_path(path), json.dumps(record, indent=1))
