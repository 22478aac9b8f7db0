# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""perf/roofline.py on output of Nsight Compute in its three shapes, and with a stand-in for its command."""

import glob
import json
import os
import re
import sys
import unittest

import program

SOURCE = os.environ["TESSERA_SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "perf"))

import ncu_csv  # noqa: E402
import roofline  # noqa: E402

LAUNCH = "void Kokkos::Impl::cuda_parallel_launch_local_memory<Kokkos::Impl::"
UPDATE_DOMAINS = LAUNCH + (
    "ParallelFor<tessera::kpz::UpdateDomains<Kokkos::Cuda, tessera::kpz::Kind<(bool)0, (tessera::kpz::BlockLayer)0, "
    "(tessera::kpz::Rule)0, (int)1>, tessera::kpz::NoWitness>, Kokkos::TeamPolicy<Kokkos::Cuda>, Kokkos::Cuda>>(T1)"
)
UPDATE_SET = LAUNCH + (
    "ParallelFor<tessera::disks::Sweeps<Kokkos::Cuda>::update_set(int, int)::[lambda(const Kokkos::Impl::CudaTeamMember &) "
    "(instance 1)], Kokkos::TeamPolicy<Kokkos::Cuda>, Kokkos::Cuda>>(T1)"
)
NAMES = {
    UPDATE_DOMAINS: "tessera::kpz::update_domains",
    UPDATE_SET: "tessera::disks::Sweeps::update_set",
    LAUNCH + "ParallelFor<__nv_hdl_wrapper_t<(bool)0, (bool)0, (bool)0, __nv_dl_tag<void (tessera::disks::Sweeps<Kokkos::Cuda>::*)"
    "(int, int), &tessera::disks::Sweeps<Kokkos::Cuda>::update_set, (unsigned int)1>, void (const Kokkos::Impl::CudaTeamMember &), "
    "const int>, Kokkos::TeamPolicy<Kokkos::Cuda>, Kokkos::Cuda>>(T1)": "tessera::disks::Sweeps::update_set",
    LAUNCH + "ParallelFor<__nv_hdl_wrapper_t<false, false, false, __nv_dl_tag<Kokkos::View<int**, Kokkos::CudaSpace> "
    "(*)(Kokkos::Cuda const&, tessera::kpz::Lattice const&), &(Kokkos::View<int**, Kokkos::Cuda::memory_space> "
    "tessera::kpz::row_starts<Kokkos::Cuda>(Kokkos::Cuda const&, tessera::kpz::Lattice const&)), 1u>, void (int)>, "
    "Kokkos::RangePolicy<Kokkos::Cuda>, Kokkos::Cuda> >(T1)": "tessera::kpz::row_starts",
    LAUNCH + "ParallelFor<void tessera::kmc::gather_present<Kokkos::Cuda, tessera::kmc::Ising>(const Kokkos::Cuda &)::[lambda(long) "
    "(instance 1)], Kokkos::RangePolicy<Kokkos::Cuda>, Kokkos::Cuda>>(T1)": "tessera::kmc::gather_present",
    LAUNCH + "ParallelReduce<Kokkos::Impl::CombinedFunctorReducer<tessera::disks::take_census<Kokkos::Cuda, Kokkos::CudaSpace>"
    "(const Kokkos::Cuda &)::[lambda(long, tessera::disks::Census &) (instance 1)], Kokkos::Sum<long>, void>, Kokkos::Cuda>>(T1)":
    "tessera::disks::take_census",
    LAUNCH + "ParallelFor<Kokkos::Impl::ViewCopy<Kokkos::View<int *>, Kokkos::View<const int *>>, Kokkos::Cuda>>(T1)":
    "Kokkos::Impl::ViewCopy",
    LAUNCH + "ParallelFor<void tessera::disks::update_set_thread_per_cell<(bool)0, Kokkos::Cuda, tessera::disks::LaunchNow>(const T1 &)"
    "::[lambda(const Kokkos::Impl::CudaTeamMember &) (instance 1)], Kokkos::TeamPolicy<Kokkos::Cuda>, Kokkos::Cuda>>(T1)":
    "tessera::disks::update_set",
    LAUNCH + "ParallelFor<void tessera::disks::update_set_thread_per_cell<true, Kokkos::Cuda, tessera::disks::LaunchNow>(T1 const&)"
    "::{lambda(Kokkos::Impl::CudaTeamMember const&)#1}, Kokkos::TeamPolicy<Kokkos::Cuda>, Kokkos::Cuda> >(T1)":
    "tessera::disks::update_set_and_shift",
    "void cuda_parallel_launch_local_memory<ParallelFor<void update_set_thread_per_cell<1, Cuda, LaunchInGraph<Cuda>>(const T1 &)::[lambda("
    "const CudaTeamMember &) (instance 1)], TeamPolicy<Cuda, LaunchBounds<640, 1>>, Cuda>, 640, 1>(T1)":
    "tessera::disks::update_set_and_shift",
    "void cuda_parallel_launch_local_memory<ParallelFor<UpdateDomains<Cuda, Kind<0, 0, 0, 1>, NoWitness>, TeamPolicy<Cuda>, Cuda>>(T1)":
    "tessera::kpz::update_domains",
    "void some_kernel<(int)3>(float *, int)": "some_kernel",
    "memset_kernel": "memset_kernel",
}  # fmt: skip

HEAD = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size", "Device", "CC"]
UNITS = dict(zip(ncu_csv.METRICS, ("Mbyte", "us", "inst", "%", "%", "%", "")))


def line(cells):
    return ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)


def launch(number, name):
    return [str(number), "4711", "tessera_perf", "127.0.0.1", name, "1", "7", "(256, 1, 1)", "(2048, 1, 1)", "0", "9.0"]


def values(megabytes, microseconds, instructions=1e6, bandwidth=50.0, issue=70.0, warps=40.0, lanes=24.0):
    figures = (megabytes, microseconds, instructions, bandwidth, issue, warps, lanes)
    return {metric: f"{figure:,.2f}" for metric, figure in zip(ncu_csv.METRICS, figures)}


def long_csv(launches, units=None):
    """As ncu --csv --metrics ... writes it: a row a metric."""
    rows = ["==PROF== Connected to process 4711 (/somewhere/tessera_perf)", "==PROF== Disconnected from process 4711"]
    rows.append(line([*HEAD, "Section Name", "Metric Name", "Metric Unit", "Metric Value"]))
    for i, (name, figures) in enumerate(launches):
        for metric, figure in figures.items():
            unit = (units or UNITS)[metric]
            rows.append(line([*launch(i, name), "Command line profiler metrics", metric, unit, figure]))
    return rows


def wide_csv(launches, units=None):
    """As ncu --csv --page raw writes it: a row a launch, the second row has the units."""
    rows = ["==PROF== Connected to process 4711 (/somewhere/tessera_perf)", line([*HEAD, *ncu_csv.METRICS])]
    rows.append(line([""] * len(HEAD) + [(units or UNITS)[metric] for metric in ncu_csv.METRICS]))
    for i, (name, figures) in enumerate(launches):
        rows.append(line([*launch(i, name), *(figures.get(metric, "") for metric in ncu_csv.METRICS)]))
    return [*rows, "==PROF== Disconnected from process 4711"]


LAUNCHES = [
    (UPDATE_SET, values(100, 40, 1e6, 60, 20)),
    (UPDATE_DOMAINS, values(1234.5, 1000, 4e6, 30, 90)),
    (UPDATE_SET, values(200, 60, 3e6, 80, 40)),
]


class Names(unittest.TestCase):
    def test_kernels_have_the_names_of_functors_functions_and_labels(self):
        for kernel, name in NAMES.items():
            self.assertEqual(ncu_csv.name_of(kernel), name)

    def test_labels_are_those_of_the_source(self):
        text = ""
        for path in glob.glob(os.path.join(SOURCE, "include", "tessera", "**", "*.hpp"), recursive=True):
            text += program.read(path)
        for function, label in ncu_csv.LABELS.items():
            self.assertIn(f'"{label}"', text)
            self.assertRegex(text, rf"\b{function.split('::')[-1]}\b")


class Reading(unittest.TestCase):
    def test_long_and_wide_tables_agree(self):
        for lines in (long_csv(LAUNCHES), wide_csv(LAUNCHES)):
            read = ncu_csv.read_csv(lines)
            names = ["tessera::disks::Sweeps::update_set", "tessera::kpz::update_domains", "tessera::disks::Sweeps::update_set"]
            self.assertEqual([name for name, _ in read], names)
            self.assertEqual(read[2][1][ncu_csv.ISSUE], 40)
            self.assertEqual(read[1][1][ncu_csv.INSTRUCTIONS], 4e6)

    def test_units_are_scaled(self):
        for bytes_, time, instructions, factors in (
            ("byte", "nsecond", "inst", (1, 1e-9, 1)),
            ("Kbyte", "usecond", "Kinst", (1e3, 1e-6, 1e3)),
            ("Mbyte", "ms", "Minst", (1e6, 1e-3, 1e6)),
            ("Gbyte", "second", "inst", (1e9, 1, 1)),
        ):
            units = {**UNITS, ncu_csv.BYTES: bytes_, ncu_csv.TIME: time, ncu_csv.INSTRUCTIONS: instructions}
            for write in (long_csv, wide_csv):
                figures = ncu_csv.read_csv(write([(UPDATE_SET, values(1234.5, 2, 3))], units))[0][1]
                self.assertAlmostEqual(figures[ncu_csv.BYTES] / factors[0], 1234.5)
                self.assertAlmostEqual(figures[ncu_csv.TIME] / factors[1], 2)
                self.assertAlmostEqual(figures[ncu_csv.INSTRUCTIONS] / factors[2], 3)

    def test_an_unknown_unit_is_refused(self):
        with self.assertRaisesRegex(ncu_csv.Unusable, "sector"):
            ncu_csv.read_csv(long_csv(LAUNCHES, {**UNITS, ncu_csv.BYTES: "sector"}))

    def test_without_kernels_the_error_of_ncu_is_reported(self):
        error = "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters"
        with self.assertRaisesRegex(ncu_csv.Unusable, "ERR_NVGPUCTRPERM"):
            ncu_csv.read_csv(["==PROF== Connected to process 1", "==WARNING== No kernels were profiled.", error])
        with self.assertRaisesRegex(ncu_csv.Unusable, "No kernels were profiled"):
            ncu_csv.read_csv(["==PROF== Connected to process 1", "==WARNING== No kernels were profiled."])


class Profiles(unittest.TestCase):
    def test_sums_and_means_over_the_launches(self):
        profile = roofline.profile_of("case", ncu_csv.read_csv(wide_csv(LAUNCHES)), items=1e7, unit="attempt")
        self.assertEqual([k.name for k in profile.kernels], ["tessera::kpz::update_domains", "tessera::disks::Sweeps::update_set"])
        kernel = profile.kernels[1]
        self.assertEqual(kernel.launches, 2)
        self.assertAlmostEqual(kernel.seconds, 100e-6)
        self.assertAlmostEqual(kernel.bandwidth / 3e12, 1)
        self.assertAlmostEqual(kernel.values[ncu_csv.BANDWIDTH], 0.4 * 60 + 0.6 * 80)
        self.assertAlmostEqual(kernel.values[ncu_csv.ISSUE], 0.4 * 20 + 0.6 * 40)
        self.assertEqual([k.roof() for k in profile.kernels], ["issue", "memory"])
        self.assertAlmostEqual(profile.per_item(ncu_csv.BYTES), 153.45)
        self.assertAlmostEqual(profile.per_item(ncu_csv.INSTRUCTIONS), 0.8)

    def test_missing_metrics_are_reported_and_not_estimated(self):
        partial = [(name, {m: v for m, v in figures.items() if m != ncu_csv.BANDWIDTH}) for name, figures in LAUNCHES]
        partial[0][1][ncu_csv.WARPS] = "n/a"
        for write in (long_csv, wide_csv):
            profile = roofline.profile_of("case", ncu_csv.read_csv(write(partial)))
            text = roofline.markdown([profile], {}, 1)
            self.assertIn(f"missing: {ncu_csv.BANDWIDTH}, {ncu_csv.WARPS}", text)
            self.assertRegex(text, r"update_set \| 2 \| 50 \| 9\.1 \| 3e\+03 \| - \| 32 \| - \| 24 \| neither \(issue is nearer\) \|")

    def test_without_times_there_is_no_profile(self):
        with self.assertRaisesRegex(ncu_csv.Unusable, "gpu__time_duration.sum is missing"):
            roofline.profile_of("case", [("kernel", {ncu_csv.BYTES: 1.0})])

    def test_table_has_a_row_a_kernel_and_one_for_all(self):
        profile = roofline.profile_of("kpz/some/case", ncu_csv.read_csv(long_csv(LAUNCHES)), 2e6, "attempt")
        lines = roofline.markdown([profile], {"device": "abacus"}, 1).splitlines()
        self.assertEqual(lines[0], "- device: abacus")
        self.assertEqual(lines[2], "kpz/some/case: per attempt 767 bytes, 4 instructions of a warp")
        rows = [re.split(r" *\| *", text)[1:-1] for text in lines[4:]]
        self.assertEqual({len(row) for row in rows}, {10})
        self.assertEqual(rows[2][:4], ["tessera::kpz::update_domains", "1", "1e+03", "90.9"])
        self.assertEqual(rows[4][:4], ["all 2 kernels", "3", "367", "100.0"])
        self.assertEqual(len(roofline.markdown([profile], {}, 50).splitlines()), 1 + 2 + 4)


NCU = """#!{python}
# Writes what ncu would; fails on a metric named in UNKNOWN, and on cases named in FAILING.
import json, os, sys
words = dict(zip(sys.argv, sys.argv[1:]))
program = sys.argv[sys.argv.index("off") + 1 :]
options = dict(word.split("=", 1) for word in program if word.startswith("--"))
case = options["--benchmark_filter"]
metrics = words["--metrics"].split(",")
assert words["--profile-from-start"] == "off" and words["--clock-control"] == "none" and os.environ["LC_ALL"] == "C"
if os.environ.get("UNKNOWN") in metrics:
    sys.exit(print("==ERROR== Failed to find metric " + os.environ["UNKNOWN"]) or 1)
if os.environ.get("FAILING", "none") in case:
    sys.exit(print("==ERROR== The application returned an error code (1).") or 1)
with open(words["--log-file"], "w") as file:
    file.write(open({recorded!r}).read())
run = dict(run_type="iteration", name=case, items_per_second=1e9, real_time=2.0, time_unit="ms", moves_per_second=1e9)
with open(options["--benchmark_out"], "w") as file:
    json.dump(dict(context=dict(device="abacus", tessera="0"), benchmarks=[run]), file)
"""


class Command(program.InEmptyFolder):
    def setUp(self):
        super().setUp()
        self.recorded = self.write("recorded.csv", "\n".join(wide_csv(LAUNCHES)))
        self.ncu = self.write("ncu", NCU.format(python=sys.executable, recorded=self.recorded))
        os.chmod(self.ncu, 0o700)

    def roofline(self, *words, **environment):
        for name, value in environment.items():
            os.environ[name] = value
            self.addCleanup(os.environ.pop, name, None)
        return program.printed(roofline.main, ["--ncu", self.ncu, "--program", sys.executable, *words])

    def test_all_cases_are_run_and_counted(self):
        path = os.path.join(self.folder, "roofline.json")
        status, out, err = self.roofline("--json", path)
        self.assertEqual(status, 0, err)
        document = json.loads(program.read(path))
        self.assertEqual([case["case"] for case in document["cases"]], list(roofline.CASES))
        case = document["cases"][0]
        self.assertAlmostEqual(case["items"], 2e6)
        self.assertAlmostEqual(case["bytes_per_item"], 1534.5e6 / 2e6)
        self.assertAlmostEqual(sum(kernel["seconds"] for kernel in case["kernels"]), case["total"]["seconds"])
        self.assertIn("- device: abacus", out)
        self.assertIn("disks/Cuda/N:1520^2: per trial move 767 bytes, 4 instructions of a warp", out)
        self.assertIn(r"--benchmark_filter=^disks/Cuda/N:1520\^2/iterations", err)

    def test_a_part_of_the_launches_gives_no_figures_of_an_item(self):
        status, out, _ = self.roofline("--case", "disks/Cuda/N:253^2", "--launches", "3")
        self.assertEqual(status, 0)
        self.assertNotIn("trial move", out)

    def test_a_missing_metric_is_omitted(self):
        status, out, err = self.roofline("--case", "disks/Cuda/N:253^2", UNKNOWN=ncu_csv.LANES)
        self.assertEqual(status, 0, err)
        self.assertIn(f"roofline.py: without {ncu_csv.LANES}", err)
        self.assertIn("tessera::disks::Sweeps::update_set", out)

    def test_a_failed_case_is_reported_and_the_others_continue(self):
        status, out, err = self.roofline(FAILING="kmc")
        self.assertEqual(status, 1)
        self.assertIn("kmc/tile/repair/Cuda/phi:0/n:4096: ==ERROR== The application returned an error code", err)
        self.assertIn("kpz/DTrDB/Cuda/L:65536", out)
        self.assertEqual(self.roofline(FAILING="/")[0], 2)

    def test_missing_files_and_programs(self):
        status, out, _ = self.roofline("--read", self.recorded)
        self.assertEqual((status, "\nrecorded\n" in out), (0, True))
        self.assertEqual(self.roofline("--read", "/no/such.csv")[0], 2)
        status, _, err = self.roofline("--ncu", "/no/such/ncu")
        self.assertEqual(status, 2)
        self.assertIn("/no/such/ncu: there is no such program", err)


if __name__ == "__main__":
    unittest.main()
