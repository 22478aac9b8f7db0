// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/run_backend.hpp"

#include <tessera/core/error.hpp>

namespace tessera::program {

Backend backend_for(const RunOptions& run, const Method& method) {
  if (!method.sequential()) return choose_backend(run.backend);
  const Backend host = built_backends().front();
  if (!run.backend.empty() && choose_backend(run.backend) != host) {
    throw InputError("--backend " + run.backend + ": --method " + method.algorithm() +
                     " is sequential and requires --backend " + backend_name(host));
  }
  return host;
}

}  // namespace tessera::program
