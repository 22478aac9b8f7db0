// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/core/backend.hpp>

namespace tessera::program {

std::string backend_name(Backend backend);

/// Backend with this name; for an empty name the fastest one available: cuda if there is a device, else openmp, else
/// serial. Throws InputError if there is no such backend, this build lacks it, or there is no CUDA device.
Backend choose_backend(const std::string& name);

struct KokkosSettings {
  Backend backend = Backend::serial;
  int threads = 1;  ///< OpenMP threads, from choose_threads()
  int device = 0;   ///< number of the CUDA device
  std::string why;  ///< this choice, if it is not the usual one: "faster than 16 here"
};

/// Throws InputError if Kokkos would abort at its start with these settings.
void check_kokkos(const KokkosSettings& settings);

/// Initializes Kokkos on construction and finalizes it on destruction, without its warnings; reserves standard output.
class KokkosScope {
 public:
  explicit KokkosScope(const KokkosSettings& settings);
  ~KokkosScope();
  KokkosScope(const KokkosScope&) = delete;
  KokkosScope& operator=(const KokkosScope&) = delete;
};

/// "4.6.99"
std::string kokkos_version();

/// Configuration of Kokkos as it prints it; requires a KokkosScope.
std::string kokkos_configuration();

/// Number of concurrent threads of a backend; requires a KokkosScope.
int concurrency(Backend backend);

/// Name of the device or processor of a backend; requires a KokkosScope.
std::string device_name(const KokkosSettings& settings);

/// Throws InputError with the environment variable if its value would make Kokkos::initialize end the process.
void check_kokkos_environment();

}  // namespace tessera::program
