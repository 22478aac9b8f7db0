# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Whatever is damaged in a file: it is read, or TesseraFileError says what cannot be read. With the
environment variable TESSERA_LONG there are 60 times as many copies, TESSERA_FUZZ_SEED makes other ones."""

import contextlib
import io
import os
import random
import shutil
import signal
import traceback

import h5py
import program
import tessera_io
from tessera_io.export.__main__ import main as export
from tessera_io.plot.__main__ import main as plot

TIMES = 60 if "TESSERA_LONG" in os.environ else 1
RUNS = {
    "kmc": "--size 16 --replicas 2 --until-time 20 --measure-every 1 --average-from 2 --field-every 10 --record-steps",
    "disks": "--particles 64 --sweeps 40 --sample-every 2 --measure-every 10 --equilibrate 4 --replicas 2 --q-max 2",
    "kpz": "--size 16 --steps 8 --waiting-times 1",
}
SECONDS = 60  # for one file


def read(path):
    """Reads all that a file has."""
    with tessera_io.open(path) as run:
        for members in (run.observables, run.averages, run.stationarity, run.functions, run.fields, run.particles, run.history):
            for name in members:
                with contextlib.suppress(tessera_io.TesseraFileError):
                    str(members[name])
        for name in run.observables:
            with contextlib.suppress(tessera_io.TesseraFileError):
                observable = run.observables[name]
                _ = observable.mean, observable.error, observable.time
        for name in run.fields:
            with contextlib.suppress(tessera_io.TesseraFileError):
                _ = run.fields[name].snapshots(), run.fields[name].values(), run.fields[name].time
        for name in run.particles:
            with contextlib.suppress(tessera_io.TesseraFileError):
                _ = run.particles[name].position(), run.particles[name].box()
        for name in ("provenance", "restarts", "changes", "input", "replicas"):
            with contextlib.suppress(tessera_io.TesseraFileError):
                getattr(run, name)


def command(main, *words):
    """Calls the main function of a module, which has to end with a message of one line if it fails."""

    def call(path):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as shown:
            status = main([path, *words, "--output", path + ".made"])
        last = shown.getvalue().splitlines()[-1:]
        assert status == 0 or (status == 2 and last and path in last[0]), (status, shown.getvalue())

    return call


USES = {
    "open": read,
    "csv": command(export, "--to", "csv", "--overwrite"),
    "extxyz": command(export, "--to", "extxyz", "--overwrite"),
    "vtkhdf": command(export, "--to", "vtkhdf", "--overwrite"),
    "lammps": command(export, "--to", "lammps", "--overwrite"),
    "plot": command(plot, "--format", "png", "--dpi", "10", "--quiet"),
}


def outcome(use, path):
    """None if it ends as it should, else what happened; in a child, since HDF5 itself may crash."""
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        with os.fdopen(there, "w", encoding="utf-8") as said:
            try:
                USES[use](path)
            except tessera_io.TesseraFileError as error:
                if path not in str(error) or len(str(error).splitlines()) != 1:
                    said.write(repr(error))
            except BaseException:
                said.write(traceback.format_exc())
        os._exit(0)
    os.close(there)
    with os.fdopen(here, encoding="utf-8", errors="replace") as said:
        text = said.read()
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        text += f"ended by signal {os.WTERMSIG(status)}"
    return text or None


def bytes_changed(content, chance):
    """Copies with other bytes: of one bit, of a line of a cache, of a page, and of the end."""
    kind = chance.choice(("bit", "bit", "bit", "bits", "zeros", "end"))
    where = chance.randrange(len(content)) if chance.random() < 0.5 else chance.choice(signs_of(content)) + chance.randrange(64)
    where = min(where, len(content) - 1)
    if kind == "bit":
        content[where] ^= 1 << chance.randrange(8)
    elif kind == "bits":
        content[where : where + 64] = chance.randbytes(len(content[where : where + 64]))
    elif kind == "zeros":
        content[where : where + 4096] = bytes(len(content[where : where + 4096]))
    else:
        content[where:] = bytes(len(content) - where)
    return f"{kind} from {where}"


def signs_of(content):
    """Where structures of HDF5 begin."""
    signs = (b"OHDR", b"FRHP", b"FHDB", b"BTHD", b"BTLF", b"TREE", b"SNOD", b"HEAP", b"GCOL", b"FSHD", b"\x89HDF", b"EAHD", b"FAHD")
    return [place for sign in signs for place in places_of(bytes(content), sign)]


def places_of(content, sign):
    place = content.find(sign)
    while place >= 0:
        yield place
        place = content.find(sign, place + 1)


def members_of(path):
    """Names of all objects, and of all attributes as (object, attribute)."""
    with h5py.File(path, "r") as file:
        found = [("/", name) for name in file.attrs]
        names = []
        file.visit(names.append)
        for name in names:
            found.append((name, None))
            found += [(name, attribute) for attribute in file[name].attrs]
    return found


class Damaged(program.InFolder):
    @classmethod
    def prepare(cls):
        for method, words in RUNS.items():
            program.run([method, *words.split(), "--output", f"{method}.h5", "--quiet"], cls.folder)
        program.run("kmc --restart kmc.h5 --until-time 22 --quiet".split(), cls.folder)
        for method in RUNS:
            with tessera_io.open(cls.path(f"{method}.h5")) as run:
                assert all(map(str, run.observables.values())), method
        # What is imported here, and what Matplotlib keeps of fonts, the children have.
        command(plot, "roughness", "--format", "png", "--dpi", "10", "--quiet")(cls.path("kmc.h5"))
        for use in ("csv", "extxyz", "vtkhdf", "lammps"):
            USES[use](cls.path("disks.h5"))
        cls.chance = random.Random(int(os.environ.get("TESSERA_FUZZ_SEED", 53)))

    def setUp(self):
        self.failures, self.crashes, self.count = [], [], 0

    def tearDown(self):
        self.assertFalse(self.failures, f"{len(self.failures)} of {self.count}:\n" + "\n".join(self.failures[:8]))
        # Those are of HDF5, which no Python can catch; versions of it differ.
        self.assertLess(len(self.crashes), 5 + self.count / 20, self.crashes)

    def look(self, use, path, how):
        self.count += 1
        said = outcome(use, path)
        if said is not None:
            (self.crashes if said.startswith("ended by signal") else self.failures).append(f"{use}, {how}: {said}")

    def changed(self, use, count):
        for method in RUNS:
            with open(self.path(f"{method}.h5"), "rb") as file:
                whole = file.read()
            for _ in range(count * TIMES):
                content = bytearray(whole)
                how = bytes_changed(content, self.chance)
                with open(self.path("damaged.h5"), "wb") as file:
                    file.write(content)
                self.look(use, self.path("damaged.h5"), f"{method}: {how}")

    def without(self, use, count):
        for method in RUNS:
            members = members_of(self.path(f"{method}.h5"))
            for name, attribute in self.chance.sample(members, min(len(members), count * TIMES)):
                shutil.copy(self.path(f"{method}.h5"), self.path("damaged.h5"))
                with h5py.File(self.path("damaged.h5"), "r+") as file:
                    if attribute:
                        del file[name].attrs[attribute]
                    else:
                        del file[name]
                self.look(use, self.path("damaged.h5"), f"{method}: without {name} {attribute or ''}")

    def test_files_with_other_bytes(self):
        self.changed("open", 12)

    def test_files_without_a_dataset_or_an_attribute(self):
        self.without("open", 9)

    def test_shortened_files(self):
        for method in RUNS:
            with open(self.path(f"{method}.h5"), "rb") as file:
                whole = file.read()
            for _ in range(5 * TIMES):
                length = self.chance.randrange(len(whole))
                with open(self.path("damaged.h5"), "wb") as file:
                    file.write(whole[:length])
                self.look("open", self.path("damaged.h5"), f"{method}: {length} bytes")
                with self.assertRaises(tessera_io.TesseraFileError):
                    tessera_io.open(self.path("damaged.h5"))

    def test_exports(self):
        for use in ("csv", "extxyz", "vtkhdf", "lammps"):
            self.changed(use, 1)
            self.without(use, 1)

    def test_plots(self):
        self.changed("plot", 1)
        self.without("plot", 1)
