// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <optional>
#include <string>
#include <tessera/parallel/rank_grid.hpp>
#include <tessera/parallel/transport.hpp>
#include <vector>

#include "options/option_table.hpp"

namespace tessera::program {

/// A parameter that a restart changes.
struct Change {
  std::string key, value, before;
};

/// Options common to all methods.
struct RunOptions {
  std::string config;
  std::string restart;
  bool change = false;
  std::vector<Change> changes = {};  ///< made by read_options()
  std::string output;
  bool overwrite = false;
  bool dry_run = false;
  WallSeconds checkpoint_every{600};
  WallSeconds wall_limit{0};  ///< 0: none
  std::string backend;        ///< empty: the fastest one available
  int threads = 0;            ///< 0: OMP_NUM_THREADS, or the number of available cores
  int device = 0;
  std::optional<int> ranks_per_replica;          ///< null: chosen automatically
  std::optional<parallel::GridShape> rank_grid;  ///< null: chosen automatically
  std::optional<parallel::Transport> transport;  ///< null: the fastest one available
  std::string progress = "auto";
  bool quiet = false;
  bool json = false;
  bool rows = false;

  void add_options(OptionTable& table);
};

}  // namespace tessera::program
