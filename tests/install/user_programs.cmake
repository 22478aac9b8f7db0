# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# Included in the user's project: to compile its programs takes longer than to run them, but for the one with disks. All
# others read the headers that they share once.
function(compile_quickly)
  target_compile_options(density_histogram PRIVATE -O1)
  target_precompile_headers(lattice_gas PRIVATE <Kokkos_Core.hpp> <tessera/kmc/simulation.hpp>)
  foreach(name IN ITEMS height_correlation shared_lattice)
    target_precompile_headers(${name} REUSE_FROM lattice_gas)
  endforeach()
endfunction()
cmake_language(DEFER CALL compile_quickly)
