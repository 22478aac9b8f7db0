// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>

#include "machine/backend.hpp"
#include "machine/memory_check.hpp"
#include "run/cost_estimate.hpp"
#include "run/method.hpp"

namespace tessera::program {

/// Results of `--dry-run`.
struct DryRun {
  std::string start;        ///< start_report()
  std::string input;        ///< the full input
  std::string description;  ///< Method::description()
  MemoryNeeded memory;      ///< with several ranks, that of rank 0, the largest
  AvailableMemory available;
  Backend backend = Backend::serial;
  CostEstimate cost;
  std::string rate_unit;
  int ranks = 1;
  bool started = true;  ///< false: the start took too long for an estimate
};

/// An input file with all other results as comments.
std::string text_of(const DryRun& dry);

/// One JSON object.
std::string json_of(const DryRun& dry);

}  // namespace tessera::program
