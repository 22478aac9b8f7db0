// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/machine.hpp"

#include <sstream>
#include <tessera/core/error.hpp>
#include <tessera/core/version.hpp>
#include <tessera/parallel/world.hpp>

#include "machine/backend.hpp"
#include "machine/cuda_devices.hpp"
#include "machine/threads.hpp"
#include "options/number_text.hpp"

namespace tessera::program {
std::string info() {
  std::ostringstream out;
  out << "tessera " << version() << " (revision " << git_revision() << ")\n";
  out << "Kokkos " << kokkos_version() << "\n";
  if (const std::string mpi = parallel::mpi_version(); !mpi.empty()) {
    out << "MPI " << mpi << ", transports:";
    for (const auto transport : parallel::transports()) out << ' ' << parallel::transport_name(transport);
    out << "\n";
  } else {
    out << "MPI: not in this build\n";
  }

  std::string reason;
  const auto devices = cuda_devices(reason);
  KokkosSettings settings;
  settings.backend = choose_backend("");
  std::string obstacle;
  std::optional<KokkosScope> kokkos;
  try {
    settings.threads = choose_threads(settings.backend, 0);
    check_kokkos(settings);
  } catch (const InputError& error) {
    obstacle = error.what();
  }
  if (obstacle.empty()) kokkos.emplace(settings);

  out << "backends:\n";
  for (const Backend backend : built_backends()) {
    out << "  " << backend_name(backend);
    if (kokkos && backend == Backend::serial) out << ", " << counted(1, "thread");
    if (kokkos && backend == Backend::openmp) out << ", " << counted(concurrency(backend), "thread");
    if (kokkos && backend == Backend::cuda) out << ", " << concurrency(backend) << " threads at once";
    if (backend == settings.backend && kokkos) out << " (default)";
    out << '\n';
  }
  out << "CUDA devices:" << (devices.empty() ? " none (" + reason + ")" : "") << '\n';
  for (std::size_t number = 0; number < devices.size(); ++number) {
    const auto& device = devices[number];
    out << "  " << number << ": " << device.name << ", compute capability " << device.compute_capability << ", "
        << gibibytes(device.memory) << " GiB\n";
  }
  out << (kokkos ? "Kokkos configuration:" : obstacle) << '\n';
  std::istringstream configuration(kokkos ? kokkos_configuration() : "");
  for (std::string line; std::getline(configuration, line);) out << "  " << line << '\n';
  return out.str();
}

}  // namespace tessera::program
