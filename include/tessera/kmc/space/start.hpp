// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tessera/io/lattice_file.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/space/models.hpp>
#include <tessera/kmc/state/read_start.hpp>
#include <vector>

namespace tessera::kmc::space {

/// The states at time 0 of Parameters::starts, [replicas, nz, ny, nx], `sites` in all. Throws InputError if a file has
/// states of another model or lattice.
template <Model M>
std::vector<std::uint8_t> read_starts(const Parameters& p, const M& model, std::size_t sites) {
  std::vector<std::uint8_t> states(sites);
  for_each_start(p, [&](const StartEntry& entry) {
    if constexpr (ListsChanges<M>) {
      read_start(entry, model, states);
    } else {
      if (entry.is_phase()) {
        const bool ordered = entry.name == "ordered";
        if constexpr (requires { model.phase(ordered); })
          return entry.for_each([&](std::size_t r, std::size_t site, std::size_t number) {
            const int state = initial_state(model.phase(ordered), entry.seed(r), site, entry.sites, ordered);
            states[number] = static_cast<std::uint8_t>(state);
          });
        else
          entry.refuse("is a phase, which this model does not have");
      }
      const io::LatticeStates from = entry.read();
      const auto& origin = from.origin;
      if (origin && (origin->lattice != M::Lattice::name || std::ranges::count(origin->fields, M::state_name) == 0))
        entry.refuse("is an output of --model " + origin->model + " --lattice " + origin->lattice +
                     ", which has other states or another lattice");
      // A checkpoint has states, arrays have what fields show.
      std::vector<int> state_of(257, -1);
      for (int s = 0; s < model.states(); ++s) state_of[static_cast<std::size_t>((origin ? s : M::shown(s)) + 1)] = s;
      entry.for_each([&](std::size_t r, std::size_t site, std::size_t number) {
        const std::int64_t shown = entry.state(from, r, site);
        const int state = shown >= -1 && shown < 256 ? state_of[static_cast<std::size_t>(shown + 1)] : -1;
        if (state < 0) entry.refuse_at(site, std::to_string(shown) + " is not a state of this model");
        states[number] = static_cast<std::uint8_t>(state);
      });
    }
  });
  return states;
}

}  // namespace tessera::kmc::space
