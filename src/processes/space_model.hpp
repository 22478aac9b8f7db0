// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tessera/kmc/space/displacements.hpp>
#include <tessera/kmc/space/models.hpp>
#include <vector>

#include "options/json.hpp"
#include "processes/table_model.hpp"

namespace tessera::processes {

/// A model from a file in three dimensions (kmc::space::ListsChanges), with constant rates. Unit cells are the sites of
/// an array.
class SpaceModel : public TableModelOf<TableForm::space, false> {
 public:
  using Lattice = kmc::space::SimpleCubic;  ///< of the unit cells
  static constexpr int state_bits = 8;      ///< of a word
  static constexpr bool moves = false;      ///< as a kind of its own
  static constexpr const char* state_name = "state";

  /// `nx`, `rows`: unit cells along x, and rows of all planes; `track`: species.
  SpaceModel(const Tables& all, int nx, int rows, const std::vector<std::string>& track)
      : TableModelOf(all, UsedOn::host), nx_(nx), rows_(rows) {
    const auto cell = program::Json::parse(all.cell);
    for (const std::string& species : track) {
      kmc::space::TrackedSpecies& one = tracked_.emplace_back();
      one.name = species;
      one.sides = cell["cell"];
      for (std::size_t i = 0; i < cell["sites"].size(); ++i) {
        const auto& site = cell["sites"][i];
        const std::vector<std::string> on_it = site["species"];
        const auto found = std::ranges::find(on_it, species);
        if (found != on_it.end())
          one.sites.push_back({static_cast<int>(all.digits[i].weight), all.digits[i].base,
                               static_cast<int>(found - on_it.begin()), site["position"]});
      }
    }
  }

  int states() const { return 1 << state_bits; }  ///< possible or not
  int initial_at(std::uint32_t site, std::uint64_t seed) const {
    const auto nx = static_cast<std::uint32_t>(nx_);
    return initial({static_cast<int>(site % nx), static_cast<int>(site / nx), nx_, rows_, seed, 0});
  }
  static int shown(int state) { return state; }
  const std::vector<kmc::space::TrackedSpecies>& tracked() const { return tracked_; }

 private:
  int nx_, rows_;
  std::vector<kmc::space::TrackedSpecies> tracked_;
};

}  // namespace tessera::processes
