# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The project's targets, and their comparison with a run of tessera_perf."""

import dataclasses
import re

# Rates on one H200, at least, in the case's unit: events/s of phi = 0 to 3, attempts/ns, trial moves/s.
RATES = {
    f"kmc/tile/{control}/Cuda/phi:{phi}/{size}": rate
    for control, size, rates in (
        ("repair", "n:4096", (1.9e9, 1.5e9, 7e8, 2.4e8)), ("repair", "n:1024", (1.3e9, 1e9, 3.3e8, 8e7)),
        ("repair", "n:256", (2e8, 1.3e8, 4e7, 9e6)), ("repair", "n:64/replicas:256", (1e9, 8e8, 3e8, 5e7)),
        ("reject", "n:4096", (4e8, 3.5e8, 1.2e8, 4e7)),
    ) for phi, rate in enumerate(rates)
}  # fmt: skip
# The same on one H100: models whose events may change two cells, the octahedron model, and models from files. zgb.ini has
# no target: here k is 1e5.
RATES_H100 = {
    f"kmc/tile/repair/Cuda/{model}/{size}": rate
    for model, rates in (
        ("hopping/E:1", (1.15e9, 6.5e8, 1.35e9)), ("hopping/E:2", (7.5e8, 3e8, 5.5e8)), ("epitaxy", (9.5e8, 5e8, 7.5e8)),
        ("octahedron", (1.9e9, None, 1.9e9)), ("kawasaki/E:1", (3.2e8, 1.6e8, 5.2e8)),
        ("co_oxidation_ruo2.ini/p_CO:1", (5.2e8, 2.5e8, 5.5e8)), ("co_oxidation_ruo2.ini/p_CO:10", (1.15e9, 7.7e8, 1.15e9)),
        ("hopping.ini", (1.03e9, 5.9e8, 1.23e9)),
        ("hexagonal_hops.ini", (2e8, None, None)), ("oxygen_pd100.ini", (1e8, None, None)),
    ) for size, rate in zip(("n:4096", "n:1024", "n:64/replicas:256"), rates) if rate
}  # fmt: skip
RATES_H100["kmc/tile/repair/Cuda/octahedron/n:8192"] = 2.1e9
RATES_H100 |= {
    f"kmc/tile/repair/Cuda/{case}": rate
    for case, rate in (
        ("sc/ising/K:0.22/n:512^3", 9e8), ("sc/potts/K:0.55/n:512^3", 8.5e8), ("sc/hopping/E:0.6/n:512^3", 2.5e8),
        ("sc/hopping/E:0.6/coverage:0.1/n:512^3", 2.5e8), ("sc/ising/K:0.22/n:256^3", 8e8), ("sc/hopping/E:0.6/n:256^3", 2e8),
        ("sc/ising/K:0.22/n:32^3/replicas:256", 1e9), ("bcc/ising/K:0.14/n:256^3", 5e8), ("fcc/ising/K:0.09/n:128^3", 4e8),
    )
}  # fmt: skip
SERIAL_OVER_BKL = {"phi:0": 1, "phi:1": 1, "hopping/E:1": 1.5, "epitaxy": 1.2, "octahedron": 1.8, "zgb.ini/y:0.45": 1.05,
                   "co_oxidation_ruo2.ini/p_CO:10": 1.7}  # fmt: skip
RATES |= {f"kpz/{scheme}/Cuda/L:{side}": rate for scheme in ("DTrDB", "DTrDT") for side, rate in ((65536, 560), (16384, 510), (4096, 310))}
# With both deposition and removal the block layer needs its borders; attempts of DBDB in the borders of the device layer
# are also lost.
RATES |= {"kpz/DTrDB/Cuda/L:16384/pq": 260, "kpz/DBDB/Cuda/L:16384/pq": 170, "kpz/DTrDB/Cuda/L:1024/replicas:64": 450}
RATES |= {f"disks/Cuda/N:{side}^2": rate for side, rate in ((253, 1.6e10), (760, 4.3e10), (1520, 5.2e10), (3040, 6e10))}
RATES |= {"disks/Cuda/N:32^2/replicas:256": 4e10}
# Whole runs on an H200 with 16 cores, at most.
SECONDS = {"program/kpz/Cuda/L:16384": 2.5, "program/disks/Cuda/N:10000000": 3, "program/kmc/Cuda/n:16384": 8}
CORES = 16  # for which the targets of hosts are stated


@dataclasses.dataclass
class Verdict:
    """A target and the measured value."""

    what: str
    unit: str
    target: float
    measured: float  # None if the case was left out
    at_most: bool = False
    applies: bool = True  # it was stated for such a machine

    @property
    def met(self):
        if self.measured is None:
            return False
        return self.measured <= self.target if self.at_most else self.measured >= self.target

    @property
    def margin(self):
        above, below = (self.target, self.measured) if self.at_most else (self.measured, self.target)
        return above / below if below else float("inf")


def sites_of(case):
    """Sites of a case of kmc, of all replicas."""
    n, replicas = re.search(r"/n:(\d+)(\^3)?", case), re.search(r"/replicas:(\d+)", case)
    of_cell = 2 if "/bcc/" in case else 4 if "/fcc/" in case else 1
    return int(n[1]) ** (3 if n[2] else 2) * of_cell * (int(replicas[1]) if replicas else 1)


def of_kmc(results, fastest, threads):
    """Comparisons of cases, and the memory."""

    def rate_and_size(space, model, size):
        result = results.get(f"kmc/tile/repair/{space}/{model}/{size}")
        return result and (result["rate"], result["events_per_site_and_step"])

    for phi in range(4):
        if single := rate_and_size(fastest, f"phi:{phi}", "n:1024"):
            if many := rate_and_size(fastest, f"phi:{phi}", "n:64/replicas:256"):
                yield Verdict(f"{fastest} 256 replicas of n = 64 over n = 1024, phi {phi}", "times", 0.5, many[0] / single[0])
            for n in (4096, 8192):  # must not fall with n; 3 % are chance
                if larger := rate_and_size(fastest, f"phi:{phi}", f"n:{n}"):
                    what = f"{fastest} events per site and step, n = {n} over 1024, phi {phi}"
                    yield Verdict(what, "times", 0.97, larger[1] / single[1])
    others = ("hopping/E:1", "hopping/E:2", "epitaxy", "octahedron", *(model for model in SERIAL_OVER_BKL if ".ini" in model))
    for model in (*(f"phi:{phi}" for phi in range(4)), *others):
        at = f", n = 1024, {model.replace('phi:', 'phi ')}"
        if serial := rate_and_size("Serial", model, "n:1024"):
            if openmp := rate_and_size("OpenMP", model, "n:1024"):
                what = f"OpenMP on {CORES} cores (here {threads}) over Serial{at}"
                least = 12 if model.startswith("phi") else 10
                yield Verdict(what, "times", least, openmp[0] / serial[0], applies=threads == CORES)
            bkl = results.get(f"kmc/bkl/{model}/n:1024")
            if bkl and model in SERIAL_OVER_BKL:
                yield Verdict(f"Serial tile method over BKL{at}", "times", SERIAL_OVER_BKL[model], serial[0] / bkl["rate"])
    of_lattices = [r["bytes_per_site"] for case, r in results.items() if re.match(rf"kmc/tile/\w+/{fastest}/", case) and sites_of(case) >= 65536]
    if of_lattices:
        yield Verdict(f"{fastest} memory, the most of a lattice of 65536 sites or more", "bytes/site", 48, max(of_lattices), at_most=True)


def of_kpz(results, threads):
    for case, r in results.items():
        if case == "kpz/sequential/L:1024":
            yield Verdict(f"{case}, one core", "attempts/ns", 0.08, r["rate"])
        if re.match(r"kpz/\w+/OpenMP/L:4096$", case):
            what = f"{case}, a core of {CORES} (here {threads})"
            yield Verdict(what, "attempts/ns", 0.1, r["rate"] / threads, applies=threads == CORES)
        if re.match(r"kpz/\w+/Cuda/", case):
            if "steps_per_measurement" in r:
                yield Verdict(f"{case}, a measurement", "Monte Carlo steps", 4, r["steps_per_measurement"], at_most=True)
            else:  # beside the surfaces that are kept for waiting times
                yield Verdict(f"{case}, memory", "bytes/site", 0.2, r["bytes_per_site"], at_most=True)


def of_disks(results, threads):
    for case, r in results.items():
        without = results.get(case.removesuffix("/sampled"))
        if case.startswith("disks/") and case.endswith("/sampled") and without:
            what = f"{case.removesuffix('/sampled')}, time that a sample every 200 sweeps adds"
            yield Verdict(what, "of the time", 0.05, without["rate"] / r["rate"] - 1, at_most=True)
    if serial := results.get("disks/Serial/N:253^2"):
        yield Verdict("disks/Serial/N:253^2, one core", "moves/s", 2.5e7, serial["rate"])
        if openmp := results.get("disks/OpenMP/N:253^2"):
            what = f"disks/N:253^2, OpenMP on {CORES} cores (here {threads}) over Serial"
            yield Verdict(what, "times", 12, openmp["rate"] / serial["rate"], applies=threads == CORES)


def verdicts(context, results, left_out):
    """The targets of the cases of a run, also of those that it left out: rates of cases first, then those of the methods."""
    device, threads = context.get("device", ""), int(context.get("openmp_threads", 0))
    fastest = "Cuda" if device else "OpenMP" if threads > 1 else "Serial"
    h200 = "H200" in device
    found = []
    for rates, applies in ((RATES, h200), (RATES_H100, h200 or "H100" in device)):
        for case, rate in rates.items():
            if case in results:
                found.append(Verdict(case, results[case]["unit"], rate, results[case]["rate"], applies=applies))
            elif case in left_out:
                found.append(Verdict(case, "items/s", rate, None, applies=applies))
    for case, seconds in SECONDS.items():
        if case in results or case in left_out:
            measured = results[case]["seconds"] if case in results else None
            found.append(Verdict(case, "s", seconds, measured, True, h200 and threads >= CORES))
    return [*found, *of_kpz(results, threads), *of_disks(results, threads), *of_kmc(results, fastest, threads)]
