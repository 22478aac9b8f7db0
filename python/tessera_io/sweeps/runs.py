# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Runs the points with several concurrent processes of the program."""

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

from ..start import end_with_this
from . import GPU_BACKENDS, BadInput, shown

POLL = 0.01  # seconds
ROW = b'{"row"'  # the beginning of a line that is a row of measurements
WALL_LIMIT = 3  # exit status: unfinished, with a checkpoint
# Variables of launchers of ranks: the run of a point is not one of their ranks.
LAUNCHERS = ("OMPI_", "PMIX_", "PMI_", "PRTE_", "PALS_", "MV2_", "SLURM_STEP_NUM_TASKS")


@dataclass
class Share:
    """Resources of the machine for each run."""

    jobs: int = 1  # number of concurrent runs
    threads: int = 0  # threads of each run; 0: the backend has none
    devices: list = field(default_factory=list)  # devices of the runs in turn


def share_machine(machine, points, jobs=0, threads=0, devices=()):
    """One core each, or more if there are fewer points than cores; one device each; no more at a time than fit into the memory of
    the machine. Options of the user override this. Raises BadInput for a device that does not exist."""
    backends = {point.backend for point in points}
    share, carried = Share(), max(1, machine["cores"])
    if backends & GPU_BACKENDS:
        share.devices = list(devices) or list(range(machine["devices"]))
        for device in share.devices:
            if not 0 <= device < machine["devices"]:
                raise BadInput(f"--device {device}: must lie in [0, {machine['devices'] - 1}]")
        carried = len(share.devices)
    elif "openmp" in backends:
        share.threads = threads or max(1, machine["cores"] // min(len(points), jobs or len(points)))
        carried = max(1, machine["cores"] // share.threads)
    if "memory" in machine:
        carried = min(carried, max(1, machine["memory"] // max(1, max(point.memory for point in points))))
    share.jobs = max(1, min(len(points), jobs or carried))
    return share


class Signals:
    """SIGINT, SIGTERM, SIGHUP and SIGXCPU ask the runs to stop, SIGUSR1 requests a checkpoint. Signals that were ignored when
    this process started stay ignored. A SIGINT or SIGTERM a second after the first ends the process at once."""

    def __init__(self):
        self.stop, self.checkpoint, self._since = 0, False, 0.0
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU, signal.SIGUSR1):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._receive)

    def _receive(self, number, _frame):
        if number == signal.SIGUSR1:
            self.checkpoint = True
        elif not self.stop:
            self.stop, self._since = number, time.monotonic()
        elif number in (signal.SIGINT, signal.SIGTERM) and time.monotonic() > self._since + 1:
            os._exit(128 + number)


@dataclass
class Clock:
    limit: float = 0  # wall seconds; 0: none
    start: float = field(default_factory=time.monotonic)

    def elapsed(self):
        return time.monotonic() - self.start

    def near_limit(self):
        """Whether the wall-time limit is too near to start another run."""
        return self.limit > 0 and self.elapsed() > 0.9 * self.limit


def environment(jobs=1):
    """The environment of one of `jobs` concurrent runs."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(LAUNCHERS)}
    if jobs > 1:
        variables["OMP_PROC_BIND"] = "false"  # otherwise all are bound to the same cores
    return variables


@dataclass
class Job:
    point: object
    process: subprocess.Popen
    out: object
    start: float
    rows_end: int = 0  # of the rows in `out` that were passed on, in bytes


class Pool:
    """The runs in progress, and the points that have not started."""

    def __init__(self, program, folder, options, share, points, clock, signals):
        self.program, self.folder, self.options, self.share = program, folder, options, share
        self.clock, self.signals = clock, signals
        self.waiting, self.jobs = list(reversed(points)), [None] * share.jobs
        self.finished, self.seconds, self.failures, self.interrupted = 0, 0.0, [], False
        self.on_row = None  # called with a point and each row of its run, a line of JSON

    def run(self, progress):
        """Runs all points, each in its own process, which continues from existing output. If a stop is requested, or the
        wall-time limit is near, the runs in progress end with a checkpoint, and no further ones start."""
        total, stopped = len(self.waiting), False
        while self.running() or self.waiting:
            stop = self.signals.stop
            if stop and not stopped:
                self.send(stop)
                stopped = True
            if stop or self.clock.near_limit():
                if not self.running():
                    break
            else:
                self.fill()
            if self.signals.checkpoint:
                self.signals.checkpoint = False
                self.send(signal.SIGUSR1)
            state = self.finished, self.running(), len(self.failures), self.seconds
            progress.show(self.clock.elapsed(), total, *state)
            time.sleep(POLL)
            self.collect()
        progress.clear()
        self.interrupted = self.interrupted or bool(self.waiting)

    def running(self):
        return sum(job is not None for job in self.jobs)

    def send(self, number):
        for job in filter(None, self.jobs):
            job.process.send_signal(number)

    def fill(self):
        for slot, job in enumerate(self.jobs):
            if job is None and self.waiting:
                point = self.waiting.pop()
                out = tempfile.TemporaryFile()
                with contextlib.suppress(FileNotFoundError):
                    os.remove(self.folder.log(point.name))
                with open(self.folder.log(point.name), "xb") as log:
                    process = subprocess.Popen(
                        [*self.program, self.options.method, *self.words(point, slot)],
                        stdin=subprocess.DEVNULL,
                        stdout=out,
                        stderr=log,
                        env=environment(self.share.jobs),
                        preexec_fn=end_with_this(),
                    )
                self.jobs[slot] = Job(point, process, out, self.clock.elapsed())

    def words(self, point, slot):
        output = self.folder.output(point.name)
        words = [*point.arguments, "--restart" if os.path.exists(output) else "--output", output]
        words += machine_words(point, self.share, slot)
        words += ["--checkpoint-every", self.options.text("checkpoint-every")]
        if self.clock.limit > 0:
            words += ["--wall-limit", str(self.clock.limit - self.clock.elapsed())]
        return [*words, "--quiet", "--json"] + ["--rows"] * (self.on_row is not None)

    def collect(self):
        for slot, job in enumerate(self.jobs):
            if job is None:
                continue
            ended = job.process.poll() is not None
            if self.on_row:
                self.pass_rows(job)
            if ended:
                self.jobs[slot] = None
                self.conclude(job, job.process.returncode)

    def pass_rows(self, job):
        """Passes on the rows that a run has printed since the last call."""
        # Not by seek() and read(): the run writes at the position of the file.
        size = os.fstat(job.out.fileno()).st_size
        new = os.pread(job.out.fileno(), size - job.rows_end, job.rows_end)
        for line in new.splitlines(keepends=True):
            if not (line.startswith(ROW) and line.endswith(b"\n")):
                break
            self.on_row(job.point, line.decode("utf-8", "replace").rstrip("\n"))
            job.rows_end += len(line)

    def conclude(self, job, status):
        with job.out:
            job.out.seek(job.rows_end)
            summary = job.out.read().decode("utf-8", "replace")
        unfinished = (
            status == WALL_LIMIT
            or 128 < status < 256
            or (status < 0 and self.signals.stop != 0)
            or (status == 1 and self.clock.near_limit())
        )
        recorded = (status == 0 or unfinished) and self.folder.write_record(job.point, summary)
        if status == 0 and recorded:
            self.finished += 1
            self.seconds += self.clock.elapsed() - job.start
        elif unfinished:
            self.interrupted = True
        else:
            reason = "the summary of the run, its standard output, cannot be read" if status == 0 else self.reason(job, status)
            self.failures.append(f"{job.point.title}: {reason}")
            return
        with contextlib.suppress(OSError):
            os.remove(self.folder.log(job.point.name))

    def reason(self, job, status):
        """The last line that a run has printed."""
        with open(self.folder.log(job.point.name), encoding="utf-8", errors="replace") as log:
            lines = log.read().rstrip("\n").split("\n")
        ended = f"was ended by signal {-status}" if status < 0 else f"has exit status {status}"
        return shown(lines[-1]) or f"the run {ended}"


def machine_words(point, share, slot):
    """The options of the machine for a run."""
    words = ["--backend", point.backend]
    if point.backend == "openmp" and not point.sequential:
        words += ["--threads", str(share.threads)]
    if point.backend in GPU_BACKENDS:
        words += ["--device", str(share.devices[slot % len(share.devices)])]
    return words
