// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <Kokkos_Core.hpp>
#include <iostream>
#include <tessera/core/error.hpp>
#include <tessera/core/version.hpp>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    throw tessera::InputError("an error that a user's program can catch");
  } catch (const tessera::InputError& error) {
    std::cout << "tessera " << tessera::version() << " (" << tessera::git_revision() << "): " << error.what() << '\n';
  }
}
