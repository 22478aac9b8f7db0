// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <tessera/core/error.hpp>

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

/// Backend of a run: a sequential algorithm requires a host backend, which is then the default. Throws InputError like
/// choose_backend(), and if another backend is given.
inline Backend backend_for(const RunOptions& run, const Method& method) {
  if (!method.sequential()) return choose_backend(run.backend);
  const Backend host = built_backends().front();
  if (!run.backend.empty() && choose_backend(run.backend) != host)
    throw InputError("--backend " + run.backend + ": --method " + method.algorithm() +
                     " is sequential and requires --backend " + backend_name(host));
  return host;
}

}  // namespace tessera::program
