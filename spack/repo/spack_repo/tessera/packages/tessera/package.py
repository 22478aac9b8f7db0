# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import ctypes
from pathlib import Path

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage
from spack_repo.builtin.packages.kokkos.package import Kokkos

from spack.package import *

# The repository that this recipe lies in.
SOURCE = Path(__file__).resolve().parents[6]


def has_gpu():
    """Whether there is NVIDIA's driver, and a device."""
    try:
        return ctypes.CDLL("libcuda.so.1").cuInit(0) == 0
    except OSError:
        return False


class Tessera(CMakePackage, CudaPackage, ROCmPackage):
    """Massively parallel Monte Carlo methods on lattices and particles: exact kinetic Monte Carlo
    in two dimensions, the octahedron model of surface growth, and hard disks, on GPUs and on
    CPUs."""

    git = f"file://{SOURCE}"
    url = f"file://{SOURCE}/dist/tessera-0.1.0.tar.gz"

    license("BSD-3-Clause")

    # Of releases: tools/source_archive.sh --recipe TAG
    version("main", branch="main")

    variant("openmp", default=True, description="Backend for all cores of a host")
    variant("kokkos-kernels", default=True, when="+cuda", description="S(q) of disks by cuBLAS")
    variant("mpi", default=False, description="Spread a run over the ranks of MPI")
    variant(
        "nccl", default=False, when="+mpi +cuda", description="Data between GPUs of ranks by NCCL"
    )

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("kokkos@4.6: +serial +pic cxxstd=20")
    depends_on("kokkos +openmp", when="+openmp")
    depends_on("hdf5@1.10.3: ~mpi")
    depends_on("zlib-api")
    depends_on("boost@1.74: +program_options")
    depends_on("nlohmann-json@3.11: +multiple_headers")
    depends_on("mpi", when="+mpi")
    depends_on("python@3.9:", type="run")  # tessera sweep
    depends_on("googletest@1.12: +gmock", type="test")

    with when("+cuda"):
        depends_on("cuda@12.2:")
        depends_on("kokkos +cuda +wrapper")
        depends_on("kokkos-kernels@4.6: +cuda +cublas", when="+kokkos-kernels")
        depends_on("nccl +cuda", when="+nccl")
        requires("^kokkos +cuda_lambda", when="^kokkos@:4")
        conflicts(
            "cuda_arch=none",
            msg="name the GPU: cuda_arch=80 for A100, 90 for H100 and H200, 100 for B200",
        )
        conflicts("%llvm", msg="Tessera with CUDA needs g++ beside nvcc")
        for arch in CudaPackage.cuda_arch_values:
            with when(f"cuda_arch={arch}"):
                depends_on(f"kokkos cuda_arch={arch}")
                depends_on(f"kokkos-kernels cuda_arch={arch}", when="+kokkos-kernels")
                depends_on(f"nccl cuda_arch={arch}", when="+nccl")
                if arch not in Kokkos.spack_cuda_arch_map:
                    conflicts("+cuda", msg=f"Kokkos has no cuda_arch={arch}")
        depends_on("kokkos@4.7:", when="cuda_arch=100")
        depends_on("kokkos@4.7:", when="cuda_arch=120")

    with when("+rocm"):
        depends_on("kokkos +rocm")
        for target in ROCmPackage.amdgpu_targets:
            depends_on(f"kokkos amdgpu_target={target}", when=f"amdgpu_target={target}")
    conflicts("+cuda", when="+rocm", msg="Kokkos has CUDA or ROCm, not both")

    conflicts("%gcc@:11", msg="Tessera needs C++20 of g++ 12 or newer")
    conflicts("^kokkos +cuda", when="~cuda", msg="this Kokkos has CUDA: +cuda, or ^kokkos ~cuda")
    conflicts("^kokkos +rocm", when="~rocm", msg="this Kokkos has ROCm: +rocm, or ^kokkos ~rocm")
    conflicts("^kokkos +sycl", msg="Tessera has no backend for Kokkos with sycl")

    @property
    def backends(self):
        names = {"openmp": "openmp", "cuda": "cuda", "rocm": "hip"}
        return ["serial"] + [names[variant] for variant in names if f"+{variant}" in self.spec]

    def cmake_args(self):
        arguments = [
            self.define("TESSERA_REQUIRE_BACKENDS", [name.upper() for name in self.backends]),
            self.define("TESSERA_ENABLE_TESTS", self.run_tests),
            self.define_from_variant("TESSERA_ENABLE_KOKKOS_KERNELS", "kokkos-kernels"),
            self.define_from_variant("TESSERA_ENABLE_MPI", "mpi"),
            self.define_from_variant("TESSERA_ENABLE_NCCL", "nccl"),
        ]
        if self.spec.satisfies("+cuda"):
            arguments.append(self.define("CMAKE_CXX_COMPILER", self["kokkos"].kokkos_cxx))
        if self.spec.satisfies("+rocm"):
            arguments.append(self.define("CMAKE_CXX_COMPILER", self.spec["hip"].hipcc))
        return arguments

    def setup_run_environment(self, env):
        env.prepend_path("PYTHONPATH", self.prefix.share.tessera.python)  # tessera_io

    def check(self):
        """All tests but the long ones."""
        with working_dir(self.build_directory):
            ctest("--output-on-failure", "--label-exclude", "^long$", "-j", str(make_jobs))

    def run_program(self, *words):
        """What the installed program prints."""
        if self.spec.satisfies("+cuda") and not has_gpu():
            raise SkipTest("built for CUDA, it does not start without an NVIDIA GPU")
        if self.spec.satisfies("+rocm") and not Path("/dev/kfd").exists():
            raise SkipTest("built for ROCm, it does not start without an AMD GPU")
        return Executable(self.prefix.bin.tessera)(*words, output=str)

    def test_info(self):
        """version and backends"""
        check_outputs(["tessera ", *self.backends], self.run_program("info"))

    def test_check(self):
        """equal results of short runs on all backends"""
        check_outputs(["all equal"], self.run_program("check"))
