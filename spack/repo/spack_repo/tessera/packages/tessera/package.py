# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import os

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *

# The repository that this recipe lies in.
SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 6))


class Tessera(CMakePackage, CudaPackage):
    """Massively parallel Monte Carlo methods on lattices and particles: exact kinetic Monte Carlo in two dimensions, the
    octahedron model of surface growth, and hard disks, on NVIDIA GPUs and on CPUs."""

    git = f"file://{SOURCE}"
    license("BSD-3-Clause")

    version("main", branch="main")

    variant("openmp", default=True, description="Backend for all cores of a host")
    variant("kokkos-kernels", default=True, description="Autocorrelations of tessera kpz by Kokkos Kernels")
    variant("mpi", default=False, description="Spread a run over the ranks of MPI")
    variant("tests", default=False, description="Build the tests")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("kokkos@4.6: +serial +pic cxxstd=20")
    depends_on("kokkos +openmp", when="+openmp")
    depends_on("hdf5@1.10: ~mpi")
    depends_on("zlib-api")
    depends_on("boost@1.74: +program_options")
    depends_on("mpi", when="+mpi")
    depends_on("python@3.9:", type="run")  # of sweeps
    depends_on("googletest@1.12: +gmock", type="build", when="+tests")

    with when("+kokkos-kernels"):
        depends_on("kokkos-kernels@4.6: +serial")
        depends_on("kokkos-kernels +openmp", when="+openmp")

    with when("+cuda"):
        depends_on("cuda@12.2:")
        depends_on("kokkos +cuda +wrapper")
        depends_on("kokkos-kernels +cuda", when="+kokkos-kernels")
        requires("^kokkos +cuda_lambda", when="^kokkos@:4")
        conflicts("cuda_arch=none", msg="name the GPU: cuda_arch=80 for A100, 90 for H100 and H200, 100 for B200")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"kokkos cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
        depends_on(f"kokkos-kernels cuda_arch={arch}", when=f"+cuda +kokkos-kernels cuda_arch={arch}")

    conflicts("%gcc@:11", msg="Tessera needs C++20 of g++ 12 or newer")

    def cmake_args(self):
        backends = ["SERIAL"]
        backends += ["OPENMP"] if self.spec.satisfies("+openmp") else []
        backends += ["CUDA"] if self.spec.satisfies("+cuda") else []
        arguments = [
            self.define_from_variant("TESSERA_ENABLE_TESTS", "tests"),
            self.define("TESSERA_REQUIRE_BACKENDS", ";".join(backends)),
        ]
        if self.spec.satisfies("+mpi"):
            with open(join_path(self.stage.source_path, "CMakeLists.txt"), encoding="utf-8") as lists:
                if "TESSERA_ENABLE_MPI" not in lists.read():
                    raise InstallError("this version of Tessera knows no MPI; install it with ~mpi")
            arguments.append(self.define("TESSERA_ENABLE_MPI", True))
        if self.spec.satisfies("~kokkos-kernels"):
            arguments.append(self.define("CMAKE_DISABLE_FIND_PACKAGE_KokkosKernels", True))
        if self.spec.satisfies("+cuda"):
            arguments.append(self.define("CMAKE_CXX_COMPILER", self["kokkos"].kokkos_cxx))
        return arguments
