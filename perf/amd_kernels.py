#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Compiles kernels for an AMD GPU, without one and without a Kokkos for HIP, and prints what each needs.

The headers of any installed Kokkos are read with the configuration in tests/hip/kokkos. Exit status 1: a source does not
compile, or a kernel moves more vector registers to memory than the 16 that are allowed, or than MOST_SPILLS.
"""

import argparse
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys

from ncu_csv import name_of

SOURCE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
# A model of each kind: events that redraw a cell and its neighbours, events that change two cells, groups of a model file.
SOURCES = [("kmc_parallel.cpp", {"TESSERA_PART": str(part), "TESSERA_PARTS": "13"}) for part in (0, 3, 11)]
SOURCES += [("kmc_space_tiles.cpp", {"TESSERA_LATTICE": "SimpleCubic"}), ("kpz_parallel.cpp", {}), ("disks_parallel.cpp", {})]
FIGURES = ("VGPRs", "AGPRs", "SGPRs", "ScratchSize", "VGPRs Spill", "LDS Size", "Occupancy")
# Teams with more registers would be alone on a compute unit.
MOST_SPILLS = {"tessera::kmc::space::TileLaunches::advance": 160, "tessera::kmc::space::TileLaunches::repair": 160}
HEAD = ("kernel", "VGPRs", "AGPRs", "SGPRs", "scratch, bytes a lane", "VGPRs in scratch", "static LDS, bytes", "waves per SIMD")


def asked(compiler, question):
    """The first line of the compiler's answer."""
    return subprocess.run([compiler, question], capture_output=True, text=True, check=True).stdout.split("\n", maxsplit=1)[0]


def command_for(source, definitions, options):
    """The command that compiles the code for the device, with remarks about its kernels."""
    command = [options.compiler, "-x", "hip", f"--offload-arch={options.target}", "--cuda-device-only", f"--rocm-path={options.rocm}"]
    own = asked(options.compiler, "-print-resource-dir")
    folders = [folder for place in (own, f"{options.rocm}/lib/*", options.rocm) for folder in glob.glob(f"{place}/amdgcn/bitcode")]
    command += [f"--rocm-device-lib-path={folder}" for folder in folders[:1]]
    command += ["-std=c++20", "-O3", "-DNDEBUG", "-ffp-contract=off", "-Wall", "-Wextra", "-Wshadow", "-Wpedantic", "-Werror"]
    command += ["-DDESUL_ATOMICS_ENABLE_HIP", "-DTESSERA_EXECUTION_SPACE=Kokkos::HIP", *(f"-D{key}={value}" for key, value in definitions.items())]
    for folder in dict.fromkeys([os.path.join(SOURCE, "tests/hip/kokkos"), *options.include]):
        if folder != "/usr/include":  # whose place is after the headers of C++
            command += ["-isystem", folder]
    command += ["-I" + os.path.join(SOURCE, folder) for folder in ("include", "src")]
    return [*command, "-Rpass-analysis=kernel-resource-usage", "-S", "-o", os.devnull, os.path.join(SOURCE, "src/simulations", source)]


def plain_names(names, compiler):
    """C++ names of mangled ones, by the tool of the compiler, which knows its newest forms."""
    tool = asked(compiler, "-print-prog-name=llvm-cxxfilt")
    tool = tool if shutil.which(tool) else "c++filt"
    return subprocess.run([tool], input="\n".join(names), capture_output=True, text=True, check=True).stdout.splitlines()


def kernels_in(remarks, compiler):
    """Figures of each kernel of Tessera: (name, {figure: number})."""
    found = []
    for match in re.finditer(r"remark: +([A-Za-z ]+?)(?: \[[a-zA-Z/]+\])?: (\S+) \[-Rpass", remarks):
        if match[1] == "Function Name":
            found.append((match[2], {}))
        elif (figure := match[1].removeprefix("Total")) in FIGURES and found:
            found[-1][1][figure] = int(match[2])
    names = map(name_of, plain_names([mangled for mangled, _ in found], compiler))
    return [(name, figures) for name, (_, figures) in zip(names, found) if name.startswith("tessera::")]


def most_of_each(kernels):
    """Of the instances of each kernel the largest figures, and the fewest waves."""
    most = {}
    for name, figures in kernels:
        before = most.setdefault(name, figures)
        most[name] = {key: (min if key == "Occupancy" else max)(before[key], figures[key]) for key in FIGURES}
    return most


def is_small(figures):
    return figures["VGPRs"] + figures["AGPRs"] < 48 and figures["ScratchSize"] == 0 and figures["LDS Size"] <= 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="clang++", help="a clang++ [clang++]")
    parser.add_argument("--target", default="gfx90a", help="architecture [gfx90a]")
    parser.add_argument("--rocm", default="/usr", help="prefix of HIP's headers and device libraries [/usr]")
    parser.add_argument("--include", action="append", default=[], help="folder with headers of Kokkos, or of what Tessera is built on")
    options = parser.parse_args()

    def compiled(of):
        return subprocess.run(command_for(*of, options), capture_output=True, text=True, check=False)

    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("TESSERA_COMPILERS", "1"))) as pool:
        results = list(pool.map(compiled, SOURCES))
    print(f"{asked(options.compiler, '--version')}, {options.target}:\n")
    failed, kernels = False, []
    for (source, definitions), result in zip(SOURCES, results):
        kernels += kernels_in(result.stderr, options.compiler)
        if result.returncode != 0:
            failed = True
            print(f"{source} {definitions}: exit status {result.returncode}\n{result.stderr[-4000:]}", file=sys.stderr)
    most = most_of_each(kernels)
    print("| " + " | ".join(HEAD) + " |\n|" + " --- |" * len(HEAD))
    for name, figures in sorted(most.items()):
        if not is_small(figures):
            print(f"| `{name.removeprefix('tessera::')}` | " + " | ".join(str(figures[key]) for key in FIGURES) + " |")
        if figures["VGPRs Spill"] > MOST_SPILLS.get(name, 16):
            failed = True
            print(f"{name}: {figures['VGPRs Spill']} vector registers are moved to memory", file=sys.stderr)
    print(f"\n{sum(map(is_small, most.values()))} more kernels have fewer than 48 vector registers, no scratch memory and at most 1 KB of LDS.")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
