#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""tools/man_page.py PROGRAM > packaging/man/tessera.1: the man page, from what the program's own help says."""

import re
import subprocess
import sys


EXAMPLES = {
    "tessera kmc --restart kmc.h5 --until-time 200": "continue a run to a later time",
    "tessera check kmc --phi 1 --size 256 --until-time 10": "compare the results of all backends with those of one core",
    "python3 -m tessera_io.plot kmc.h5": "draw a file, with PYTHONPATH set to the folder of tessera_io",
}
ENVIRONMENT = {
    "OMP_NUM_THREADS, KOKKOS_NUM_THREADS": "number of threads of the OpenMP backend without --threads",
    "OMP_PROC_BIND, OMP_PLACES": "binding of these threads to cores",
    "OMP_WAIT_POLICY": "passive on cores that other programs share",
    "TESSERA_PYTHON": "Python of sweeps and conversions, in place of python3",
    "TESSERA_PLOT": "command that draws the plot of a sweep",
}


def help_of(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout.splitlines()


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text)


def joined(lines):
    """Lines of which those that begin with many blanks go on the one before."""
    whole = []
    for line in lines:
        if line.startswith(" " * 6) and whole:
            whole[-1] += " " + line.strip()
        else:
            whole.append(line)
    return whole


def described(lines):
    """The roff of a method's help: paragraphs, and groups of options."""
    text, paragraph = [], False
    for line in joined(lines):
        if match := re.fullmatch(r"  (--[a-z0-9-]+)(?: (\S+))? +(.*)", line):
            name, argument, meaning = match.groups()
            text += [".TP", f"\\fB{escaped(name)}\\fR" + (f" \\fI{escaped(argument)}\\fR" if argument else ""), escaped(meaning)]
            paragraph = False
        elif re.fullmatch(r"[A-Z][^:]*:|[A-Z].*\):", line):
            text += [".PP", f"\\fI{escaped(line[:-1])}\\fR"]
            paragraph = False
        else:
            text += [escaped(line.strip())] if paragraph and line.startswith("  ") else [".PP", escaped(line.strip())]
            paragraph = line.startswith("  ")
    return text


def page(program):
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    first, *lines = help_of(program, "--help")
    name, _, purpose = first.partition(": ")
    examples = {}
    commands = [[" ".join(part.split()) for part in re.split(r" {4,}", line.strip())] for line in lines if line.startswith("  ")]
    ending = " ".join(line for line in lines if line and not line.startswith("  "))
    text = [f'.TH TESSERA 1 "" "Tessera {version}" "User Commands"']
    text += [".SH NAME", f"{name} \\- {escaped(purpose)}", ".SH SYNOPSIS"]
    for number, (command, *_) in enumerate(commands):
        text += [".br"] * (number > 0) + [escaped(command)]
    text += [".SH DESCRIPTION"]
    for command, *meaning in commands:
        text += [".TP", f"\\fB{escaped(command)}\\fR", escaped(" ".join(meaning))]
    for command, *meaning in commands:
        method = re.match(r"tessera (?!check)([a-z]+) .*\[", command)
        if not method:
            continue
        of_method = [line for line in help_of(program, method[1], "--help", "all") if line and line not in lines]
        examples[next(line for line in of_method if line.startswith("Example: "))[9:]] = meaning[0]
        text += [f".SH TESSERA {method[1].upper()}", *described(of_method)[1:]]
    text += [".SH EXIT STATUS", escaped(ending.partition("Exit status: ")[2])]
    text += [".SH FILES", "Input files hold lines `key = value', whose keys are the options. Output files are HDF5."]
    for title, rows in (("ENVIRONMENT", ENVIRONMENT), ("EXAMPLES", examples | EXAMPLES)):
        text += [f".SH {title}", *(line for name, meaning in rows.items() for line in (".TP", f"\\fB{escaped(name)}\\fR", escaped(meaning)))]
    text += [".SH SEE ALSO", "The folder docs of the sources, which has the meaning of every option and observable.", ""]
    return "\n".join(text)


if __name__ == "__main__":
    sys.stdout.write(page(sys.argv[1]))
