// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <tessera/core/backend.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <tessera/parallel/rank_groups.hpp>
#include <vector>

namespace tessera::program {

std::string backend_name(Backend backend);

struct GpuDevice {
  std::string name;
  std::string architecture;  ///< "compute capability 9.0", "gfx90a"
  std::size_t memory = 0;    ///< bytes
  std::string bus;           ///< PCI bus address, "0000:3b:00.0"
};

/// GPUs that this process can use: none in a build without CUDA and HIP, or without driver or device; `reason` then
/// becomes the reason. Kokkos need not be initialized.
std::vector<GpuDevice> gpu_devices(std::string* reason = nullptr);

/// Free memory of a device in bytes; empty if not available. Kokkos need not be initialized.
std::optional<std::size_t> free_device_memory(int device);

/// Backend with this name, of which "gpu" is cuda or hip; for an empty name the fastest one available: a GPU's if there
/// is a device, else openmp, else serial. Throws InputError if there is no such backend, this build lacks it, or there
/// is no device.
Backend choose_backend(const std::string& name);

/// How a run is executed: by this process, and by the ranks of the job.
struct Execution {
  Backend backend = Backend::serial;
  int threads = 1;                               ///< OpenMP threads, from choose_threads()
  int device = 0;                                ///< number of the GPU
  std::string why = {};                          ///< this choice, if it is not the usual one: "faster than 16 here"
  parallel::RankGroups groups = {};              ///< ranks of a group share each of its replicas
  std::optional<parallel::GridShape> grid = {};  ///< of the ranks of a group; empty: the one with the shortest borders
  parallel::Transport transport = parallel::Transport::staged;  ///< of their data
  std::function<void(const std::string&)> note = {};            ///< tells the user about the run; null: quiet

  /// The ranks that share a replica.
  const parallel::Communicator& ranks() const { return groups.members; }
};

/// Throws InputError if Kokkos would abort at its start with this execution.
void check_kokkos(const Execution& execution);

/// Settings for a Kokkos::ScopeGuard, without Kokkos' warnings; reserves standard output.
Kokkos::InitializationSettings kokkos_settings(const Execution& execution);

/// "4.6.99"
std::string kokkos_version();

/// Configuration of Kokkos as it prints it; requires Kokkos.
std::string kokkos_configuration();

/// Number of concurrent threads of a backend; requires Kokkos.
int concurrency(Backend backend);

/// Name of the device or processor of a backend; requires Kokkos.
std::string device_name(const Execution& execution);

}  // namespace tessera::program
