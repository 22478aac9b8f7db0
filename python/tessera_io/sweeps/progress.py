# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The progress of a sweep on standard error, in the format of a run."""

import sys

from . import counted

LINE_INTERVAL, LINES_INTERVAL = 0.5, 10  # seconds


def short_duration(seconds):
    """A wall duration in words: "4.2 s", "3 min 20 s", "5 h 12 min", "2 d 3 h"."""
    if not seconds < 1e9:
        return "very long"
    if seconds < 59.5:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 86400:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86400} d {whole % 86400 // 3600} h"


def short_bytes(number):
    """ "12.5 MiB"."""
    units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
    while number >= 1024 and len(units) > 1:
        number /= 1024
        units.pop(0)
    return f"{round(number, 1) if number < 100 else round(number):.4g} {units[0]}"


def describe(points, finished, running, failed, seconds_of_finished):
    """ "12 of 36 points done, 4 running, 1 failed, 3 min 20 s left"; the seconds of the finished ones added up."""
    text = f"{finished} of {counted(points, 'point')} done, {running} running"
    if failed:
        text += f", {failed} failed"
    if finished and running:
        left = seconds_of_finished / finished * (points - finished - failed) / running
        text += f", {short_duration(left)} left"
    return text


class Progress:
    """One line that is overwritten on a terminal; otherwise a line whenever a point has ended."""

    def __init__(self, options):
        style = options["progress"]["value"]
        self.silent = style == "never" or options["quiet"]["value"] == "true"
        self.line = style == "always" or (sys.stderr is not None and sys.stderr.isatty())
        self._width, self._last, self._ended = 0, 0.0, 0

    def show(self, seconds, points, finished, running, failed, seconds_of_finished):
        if self.silent or seconds - self._last < (LINE_INTERVAL if self.line else LINES_INTERVAL):
            return
        if not self.line and finished + failed == self._ended:
            return
        self._last, self._ended = seconds, finished + failed
        text = describe(points, finished, running, failed, seconds_of_finished)
        if self.line:
            sys.stderr.write("\r" + text.ljust(self._width))
            self._width = len(text)
        else:
            sys.stderr.write(text + "\n")
        sys.stderr.flush()

    def clear(self):
        """Clears the line on a terminal."""
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
        self._width = 0
