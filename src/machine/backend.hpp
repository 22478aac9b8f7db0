// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/core/backend.hpp>

namespace tessera::program {

std::string backend_name(Backend backend);

/// The backend with this name, or for an empty name the best one here: cuda if there is a device, else openmp, else
/// serial. Throws InputError if there is no such backend, this build lacks it, or it is cuda and there is no device.
Backend choose_backend(const std::string& name);

struct KokkosSettings {
  Backend backend = Backend::serial;
  int threads = 1;  ///< of OpenMP, as choose_threads() gives them
  int device = 0;   ///< number of the CUDA device
};

/// Throws InputError unless Kokkos can start here with these settings: what Kokkos itself would abort on.
void check_kokkos(const KokkosSettings& settings);

/// Kokkos from construction to destruction, without its warnings; standard output is reserved from then on.
class KokkosScope {
 public:
  explicit KokkosScope(const KokkosSettings& settings);
  ~KokkosScope();
  KokkosScope(const KokkosScope&) = delete;
  KokkosScope& operator=(const KokkosScope&) = delete;
};

/// "4.6.99"
std::string kokkos_version();

/// What Kokkos says of its configuration; needs a KokkosScope.
std::string kokkos_configuration();

/// Threads that work at once on a backend; needs a KokkosScope.
int concurrency(Backend backend);

/// The name of the device or the processor that a backend computes on; needs a KokkosScope.
std::string device_name(const KokkosSettings& settings);

}  // namespace tessera::program
