// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <optional>
#include <string>
#include <tessera/parallel/rank_grid.hpp>
#include <tessera/parallel/transport.hpp>

#include "options/option_table.hpp"

namespace tessera::program {

/// The options that every method has.
struct RunOptions {
  std::string config;
  std::string restart;
  std::string output;
  bool overwrite = false;
  bool dry_run = false;
  WallSeconds checkpoint_every{600};
  WallSeconds wall_limit{0};  ///< 0: none
  std::string backend;        ///< empty: the best one here
  int threads = 0;            ///< 0: OMP_NUM_THREADS, or the cores that there are
  int device = 0;
  std::optional<int> ranks_per_replica;          ///< null: chosen
  std::optional<parallel::GridShape> rank_grid;  ///< null: chosen
  std::optional<parallel::Transport> transport;  ///< null: the best one
  std::string progress = "auto";
  bool quiet = false;
  bool json = false;

  void add_options(OptionTable& table);
};

}  // namespace tessera::program
