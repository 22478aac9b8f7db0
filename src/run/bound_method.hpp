// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>

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

}  // namespace tessera::program
