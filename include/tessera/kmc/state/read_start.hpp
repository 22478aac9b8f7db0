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

/// An entry of Parameters::starts, for the replicas that begin from it: begin, begin + count, ... below end.
struct StartEntry {
  const Parameters& p;
  std::size_t which;
  const std::string& name = p.starts[which];
  std::size_t count = p.starts.size(), first = static_cast<std::size_t>(p.first_replica);
  std::size_t begin = first + (which + count - first % count) % count;
  std::size_t end = first + static_cast<std::size_t>(p.replicas);
  std::size_t nx = static_cast<std::size_t>(p.nx), ny = static_cast<std::size_t>(p.ny);
  std::size_t nz = static_cast<std::size_t>(std::max(1, p.nz)), sites = nx * ny * nz;

  bool is_phase() const { return count > 1 && (name == "ordered" || name == "random"); }  ///< of the model
  std::uint64_t seed(std::size_t replica) const { return p.seed + replica - first; }
  [[noreturn]] void refuse(const std::string& what) const { throw InputError(name + ": " + what); }
  [[noreturn]] void refuse_at(std::size_t site, const std::string& what) const {
    const std::size_t row = site / nx;
    refuse((p.nz > 0 ? "plane " + std::to_string(row / ny) + ", " : "") + "row " + std::to_string(row % ny) +
           ", column " + std::to_string(site % nx) + ": " + what);
  }
  /// Calls use(replica, site, number of the site in those of all replicas of this run).
  template <class Use>
  void for_each(const Use& use) const {
    for (std::size_t r = begin; r < end; r += count)
      for (std::size_t i = 0; i < sites; ++i) use(r, i, (r - first) * sites + i);
  }
  /// The lattices of the file. Throws InputError unless their sides and their number are those of the run.
  io::LatticeStates read(const std::function<std::int64_t(const std::string&)>& named = {}) const {
    io::LatticeStates from = io::read_lattice_states(name, "/checkpoint/state", sites, named, p.nz > 0 ? 3 : 2);
    const std::string x = std::to_string(from.nx), y = std::to_string(from.ny), z = std::to_string(from.nz);
    if (from.nx != nx || from.ny != ny || from.nz != nz)
      refuse("has " + x + " x " + y + (p.nz > 0 ? " x " + z + " sites, and not as many as the box along each axis"
                                                : " sites; use --size " + x + "," + y));
    if (from.lattices != 1 && from.lattices < (end - 1 - which) / count + 1)
      refuse("has lattices for " + std::to_string(from.lattices) +
             " replicas; it must have one lattice for all replicas or one for each");
    return from;
  }
  /// Of the lattices read, the state of a site of a replica.
  std::int64_t state(const io::LatticeStates& from, std::size_t replica, std::size_t site) const {
    return from.states[(from.lattices == 1 ? 0 : replica / count * sites) + site];
  }
};

/// Calls use(StartEntry) for the entries of Parameters::starts from which replicas begin.
template <class Use>
void for_each_start(const Parameters& p, const Use& use) {
  for (std::size_t which = 0; which < p.starts.size(); ++which)
    with_prefix(p.starts.size() == 1 ? "--start " : "--starts: ", [&] {
      if (const StartEntry entry{p, which}; entry.begin < entry.end) use(entry);
    });
}

/// Gives states of an output file the numbers that they have in this model. Throws InputError if the file's model has
/// other states, by their names, or a unit cell of another shape.
template <Model M>
void name_states(const M& model, io::LatticeStates& from) {
  const io::UnitCell its(from.origin->description), ours(cell_of(model));
  const std::string& name = from.origin->model;
  ours.require_shape_of(its);
  bool same = its.has_sites() == ours.has_sites() && name.empty();
  if constexpr (requires { M::name; }) same = same || name == M::name;
  if constexpr (requires { M::state_name; })
    same = same || (!its.has_sites() && std::ranges::count(from.origin->fields, M::state_name) > 0);
  if (!same)
    throw InputError("is an output of " + (name.empty() ? "a model file" : "--model " + name) + ", which has no " +
                     (ours.has_sites() ? "names of species" : "states of this model"));
  if constexpr (requires { model.start_state(); }) ours.take_states(its, model.start_state(), from.states);
}

/// Writes to `states` [replicas, ny, nx] those of the replicas that begin from an entry.
template <Model M>
void read_start(const StartEntry& entry, const M& model, std::vector<typename M::State>& states) {
  using State = typename M::State;
  const Parameters& p = entry.p;
  if (entry.is_phase()) {
    if constexpr (requires(const InitialCell cell) { model.initial_phase(true, cell); })
      return entry.for_each([&](std::size_t r, std::size_t i, std::size_t number) {
        states[number] = model.initial_phase(entry.name == "ordered", initial_cell(entry.seed(r), i, p.nx, p.ny));
      });
    entry.refuse("this model has no such state at time 0; use files");
  }
  const io::UnitCell cell(cell_of(model));
  std::function<std::int64_t(const std::string&)> named;
  if (cell.has_sites()) named = [&](const std::string& species) { return cell.state(species); };
  io::LatticeStates from = entry.read(named);
  if (from.origin) with_prefix(entry.name + ": ", [&] { name_states(model, from); });
  entry.for_each([&](std::size_t r, std::size_t i, std::size_t number) {
    const std::int64_t state = entry.state(from, r, i);
    states[number] = static_cast<State>(state);
    if (!std::in_range<State>(state) || !valid_state(model, states[number]))
      entry.refuse_at(i, std::to_string(state) + " is not a state of this model");
  });
  if constexpr (requires(const RatesFrom<M> n) { model.possible(n); }) {
    HostLattice<M> lattice(p.nx, p.ny);
    entry.for_each([&](std::size_t, std::size_t i, std::size_t number) {
      if (i == 0) lattice.states().assign(&states[number], &states[number] + entry.sites);
      if (!model.possible(lattice.neighbourhood(lattice.cell_at(static_cast<std::uint32_t>(i)))))
        entry.refuse_at(i, "the states of the cell and its neighbours are not possible in this model");
    });
  }
}

/// The states of all cells at time 0, [replicas, ny, nx], of the files Parameters::starts. Throws InputError, with the
/// cell or with the species and the number of its cells, if a state or a neighbourhood is not possible in the model.
template <Model M>
std::vector<typename M::State> read_starts(const Parameters& p, const M& model) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  std::vector<typename M::State> states(size(p.replicas) * size(p.nx) * size(p.ny));
  for_each_start(p, [&](const StartEntry& entry) { read_start(entry, model, states); });
  return states;
}

}  // namespace tessera::kmc
