// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/io/lattice_file.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/state/host_lattice.hpp>
#include <utility>
#include <vector>

namespace tessera::kmc {

/// Reads the states of all cells at time 0, [replicas, ny, nx], from the file Parameters::start. Throws InputError with
/// the cell if a state or a neighbourhood is not possible in the model.
template <Model M>
std::vector<typename M::State> read_start(const Parameters& p, const M& model) {
  using State = typename M::State;
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  const auto refuse = [&](const std::string& what) { throw InputError("--start " + p.start + ": " + what); };
  std::function<std::int64_t(const std::string&)> named;
  if constexpr (requires(const std::string& name) { model.state_named(name); })
    named = [&](const std::string& name) { return model.state_named(name); };
  const io::LatticeStates from = io::read_lattice_states(p.start, "/checkpoint/state", size(p.nx) * size(p.ny), named);
  const std::string its_size = std::to_string(from.nx) + "," + std::to_string(from.ny);
  if (from.nx != size(p.nx) || from.ny != size(p.ny))
    refuse("has " + std::to_string(from.nx) + " x " + std::to_string(from.ny) + " sites; use --size " + its_size);
  const std::size_t first = size(p.first_replica), wanted = first + size(p.replicas), sites = from.nx * from.ny;
  if (from.lattices != 1 && from.lattices < wanted)
    refuse("has lattices for " + std::to_string(from.lattices) +
           " replicas; it must have one lattice for all replicas or one for each");
  std::vector<State> states;
  states.reserve(size(p.replicas) * sites);
  for (std::size_t r = first; r < wanted; ++r) {
    HostLattice<M> lattice(p.nx, p.ny);
    const auto at = [&](std::size_t cell) {
      return "row " + std::to_string(cell / from.nx) + ", column " + std::to_string(cell % from.nx);
    };
    for (std::size_t cell = 0; cell < sites; ++cell) {
      const std::int64_t state = from.states[(from.lattices == 1 ? 0 : r * sites) + cell];
      if (!std::in_range<State>(state) || !valid_state(model, static_cast<State>(state)))
        refuse(at(cell) + ": " + std::to_string(state) + " is not a state of this model");
      lattice.states()[cell] = static_cast<State>(state);
    }
    if constexpr (requires(const RatesFrom<M> n) { model.possible(n); })
      for (std::size_t cell = 0; cell < sites; ++cell)
        if (!model.possible(lattice.neighbourhood(lattice.cell_at(static_cast<std::uint32_t>(cell)))))
          refuse(at(cell) + ": the states of the cell and its neighbours are not possible in this model");
    states.insert(states.end(), lattice.states().begin(), lattice.states().end());
  }
  return states;
}

}  // namespace tessera::kmc
