// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <tessera/core/error.hpp>

#include "machine/threads.hpp"
#include "options/option_table.hpp"
#include "options/run_options.hpp"
#include "run/method.hpp"

namespace tessera::program {

/// A method and the options of its run, with the table that sets them.
struct BoundMethod {
  explicit BoundMethod(const MethodEntry& entry) : method(entry.make()) {
    method->add_options(table);
    run.add_options(table);
  }
  BoundMethod(const BoundMethod&) = delete;
  BoundMethod& operator=(const BoundMethod&) = delete;

  std::unique_ptr<Method> method;
  RunOptions run;
  OptionTable table;
};

/// Backend of a run, by default a host's if the algorithm is sequential, or faster there by one rank than on a GPU.
/// Throws InputError like choose_backend(), and if another backend is given for a sequential algorithm.
inline Backend backend_for(const RunOptions& run, const Method& method, int ranks = 1) {
  const Backend best = choose_backend(run.backend), host = built_backends().front();
  if (method.sequential() && !run.backend.empty() && best != host)
    throw InputError("--backend " + run.backend + ": --method " + method.algorithm() +
                     " is sequential and requires --backend " + backend_name(host));
  if (method.sequential()) return host;
  const bool may_choose = best == Backend::cuda && run.backend.empty() && ranks == 1;
  return may_choose && method.is_faster_on_host(available_cores()) ? built_backends().rbegin()[1] : best;
}

}  // namespace tessera::program
