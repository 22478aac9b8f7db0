// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <tessera/kmc/space/displacements.hpp>
#include <vector>

#include "options/json.hpp"
#include "processes/space_model.hpp"

namespace tessera::processes {

/// A model in three dimensions with species whose displacements are measured, for the sequential methods.
class TrackedSpaceModel : public SpaceModel {
 public:
  TrackedSpaceModel(const Tables& all, int nx, int rows, const std::vector<std::string>& track)
      : SpaceModel(all, nx, rows, UsedOn::host) {
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
  const std::vector<kmc::space::TrackedSpecies>& tracked() const { return tracked_; }

 private:
  std::vector<kmc::space::TrackedSpecies> tracked_;
};

}  // namespace tessera::processes
