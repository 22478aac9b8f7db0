# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""perf/amd_kernels.py with a stand-in for the compiler."""

import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["TESSERA_SOURCE"]
COMPILER = """#!/usr/bin/env bash
case $1 in
  --version) echo "some clang 19" ;;
  -print-*) echo /nowhere ;;
  *) cat "$0.remarks" >&2; exit "$(cat "$0.status")" ;;
esac
"""
KERNEL = "_ZN6Kokkos4Impl6launchINS0_11ParallelForIZN7tessera5disks13collect_movesINS_3HIPEEEvRKT_EUlmE_EEEEvT_"
FIGURES = (("{}SGPRs", 90), ("VGPRs", 100), ("AGPRs", 4), ("ScratchSize [bytes/lane]", 16), ("Occupancy [waves/SIMD]", 4))


class AmdKernels(unittest.TestCase):
    def run_on(self, total="", spills=3, status=0, name=KERNEL):
        """Exit status, output and errors with a compiler whose remarks have these."""
        with tempfile.TemporaryDirectory() as folder:
            compiler = os.path.join(folder, "clang++")
            figures = [*FIGURES, ("VGPRs Spill", spills), ("LDS Size [bytes/block]", 8)]
            lines = [f"x.hpp:1:1: remark: Function Name: {name} [-Rpass-analysis=kernel-resource-usage]"]
            lines += [f"x.hpp:1:1: remark:     {key.format(total)}: {value} [-Rpass-analysis=kernel-resource-usage]" for key, value in figures]
            for path, text in ((compiler, COMPILER), (compiler + ".remarks", "\n".join(lines) + "\n"), (compiler + ".status", str(status))):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            os.chmod(compiler, 0o755)
            command = [sys.executable, os.path.join(SOURCE, "perf/amd_kernels.py"), "--compiler", compiler]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            return done.returncode, done.stdout, done.stderr

    def test_the_table_has_the_figures_of_older_and_newer_compilers(self):
        for total in ("", "Total"):
            status, out, err = self.run_on(total)
            self.assertEqual((status, err), (0, ""))
            self.assertIn("some clang 19, gfx90a:\n", out)
            self.assertIn("| `disks::collect_moves` | 100 | 4 | 90 | 16 | 3 | 8 | 4 |\n", out)

    def test_other_kernels_are_left_out(self):
        self.assertNotIn("| `", self.run_on(name="_ZN6Kokkos4Impl6launchEv")[1])

    def test_a_kernel_that_lacks_registers_is_an_error(self):
        status, _, err = self.run_on(spills=17)
        self.assertEqual(status, 1)
        self.assertIn("tessera::disks::collect_moves: 17 vector registers are moved to memory", err)

    def test_a_source_that_does_not_compile_is_an_error(self):
        status, _, err = self.run_on(status=2)
        self.assertEqual(status, 1)
        self.assertIn("kpz_parallel.cpp {}: exit status 2", err)


if __name__ == "__main__":
    unittest.main()
