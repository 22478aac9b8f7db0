// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/core/backend.hpp>
#include <tessera/core/kokkos_ext/visit_backend.hpp>

namespace tessera {

std::vector<Backend> built_backends() {
  std::vector<Backend> backends;
  if (is_built<Backend::serial>) backends.push_back(Backend::serial);
  if (is_built<Backend::openmp>) backends.push_back(Backend::openmp);
  if (is_built<Backend::cuda>) backends.push_back(Backend::cuda);
  if (is_built<Backend::hip>) backends.push_back(Backend::hip);
  return backends;
}

}  // namespace tessera
