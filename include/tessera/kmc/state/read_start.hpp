// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/io/lattice_file.hpp>
#include <tessera/io/unit_cell.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/state/host_lattice.hpp>
#include <tessera/kmc/state/waiting_times.hpp>
#include <utility>
#include <vector>

namespace tessera::kmc {

/// Gives states of an output file the numbers that they have in this model. Throws InputError if the file's model has
/// other states, by their names, or a unit cell of another shape.
template <Model M>
void name_states(const M& model, io::LatticeStates& from) {
  const io::UnitCell its(from.origin->description), ours(cell_of(model));
  const auto& [name, description, fields] = *from.origin;
  ours.require_shape_of(its);
  bool same = its.has_sites() == ours.has_sites() && name.empty();
  if constexpr (requires { M::name; }) same = same || name == M::name;
  if constexpr (requires { M::state_name; })
    same = same || (!its.has_sites() && std::ranges::count(fields, M::state_name) > 0);
  if (!same)
    throw InputError("is an output of " + (name.empty() ? "a model file" : "--model " + name) + ", which has no " +
                     (ours.has_sites() ? "names of species" : "states of this model"));
  if constexpr (requires { model.start_state(); }) ours.take_states(its, model.start_state(), from.states);
}

/// Writes to `states`[replica][ny][nx] those of the replicas that begin from entry `which` of Parameters::starts.
template <Model M>
void read_start(const Parameters& p, const M& model, std::size_t which, std::vector<typename M::State>& states) {
  using State = typename M::State;
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  const std::size_t count = p.starts.size(), sites = size(p.nx) * size(p.ny), first = size(p.first_replica);
  const std::size_t end = first + size(p.replicas), begin = first + (which + count - first % count) % count;
  if (begin >= end) return;
  const std::string& name = p.starts[which];
  const auto refuse = [&](const std::string& what) { throw InputError(name + ": " + what); };
  const auto for_each = [&](const auto& use) {  // cell of a replica
    for (std::size_t r = begin; r < end; r += count)
      for (std::size_t i = 0; i < sites; ++i) use(r, i, states[(r - first) * sites + i]);
  };
  if (count > 1 && (name == "ordered" || name == "random")) {
    if constexpr (requires(const InitialCell cell) { model.initial_phase(true, cell); })
      return for_each([&](std::size_t r, std::size_t i, State& state) {
        state = model.initial_phase(name == "ordered", initial_cell(p.seed + r - first, i, p.nx, p.ny));
      });
    refuse("this model has no such state at time 0; use files");
  }
  const io::UnitCell cell(cell_of(model));
  std::function<std::int64_t(const std::string&)> named;
  if (cell.has_sites()) named = [&](const std::string& species) { return cell.state(species); };
  io::LatticeStates from = io::read_lattice_states(name, "/checkpoint/state", sites, named);
  const std::string its_size = std::to_string(from.nx) + "," + std::to_string(from.ny);
  if (from.nx != size(p.nx) || from.ny != size(p.ny))
    refuse("has " + std::to_string(from.nx) + " x " + std::to_string(from.ny) + " sites; use --size " + its_size);
  if (from.lattices != 1 && from.lattices < (end - 1 - which) / count + 1)
    refuse("has lattices for " + std::to_string(from.lattices) +
           " replicas; it must have one lattice for all replicas or one for each");
  if (from.origin) with_prefix(name + ": ", [&] { name_states(model, from); });
  const auto at = [&](std::size_t i) {
    return name + ": row " + std::to_string(i / from.nx) + ", column " + std::to_string(i % from.nx) + ": ";
  };
  for_each([&](std::size_t r, std::size_t i, State& to) {
    const std::int64_t state = from.states[(from.lattices == 1 ? 0 : r / count * sites) + i];
    to = static_cast<State>(state);
    if (!std::in_range<State>(state) || !valid_state(model, to))
      throw InputError(at(i) + std::to_string(state) + " is not a state of this model");
  });
  if constexpr (requires(const RatesFrom<M> n) { model.possible(n); }) {
    HostLattice<M> lattice(p.nx, p.ny);
    for_each([&](std::size_t, std::size_t i, const State& state) {
      if (i == 0) lattice.states().assign(&state, &state + sites);
      if (!model.possible(lattice.neighbourhood(lattice.cell_at(static_cast<std::uint32_t>(i)))))
        throw InputError(at(i) + "the states of the cell and its neighbours are not possible in this model");
    });
  }
}

/// The states of all cells at time 0, [replicas, ny, nx], of the files Parameters::starts. Throws InputError, with the
/// cell or with the species and the number of its cells, if a state or a neighbourhood is not possible in the model.
template <Model M>
std::vector<typename M::State> read_starts(const Parameters& p, const M& model) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  std::vector<typename M::State> states(size(p.replicas) * size(p.nx) * size(p.ny));
  for (std::size_t which = 0; which < p.starts.size(); ++which)
    with_prefix(p.starts.size() == 1 ? "--start " : "--starts: ", [&] { read_start(p, model, which, states); });
  return states;
}

}  // namespace tessera::kmc
