// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/state/concerned.hpp>
#include <tessera/kmc/state/displacements.hpp>
#include <vector>

/// Lattices of the sequential methods: one replica, row-major, in host memory.
namespace tessera::kmc {

/// States of nx * ny cells with periodic boundaries. Cell (x, y) is number y * nx + x. If a side is 2, both neighbours
/// in this direction are the same cell, which appears twice in a neighbourhood.
template <Model M>
class HostLattice {
 public:
  using State = typename M::State;  ///< of a cell

  HostLattice() = default;
  /// All states are 0.
  HostLattice(int nx, int ny)
      : nx_(nx), ny_(ny), states_(static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny)) {}

  const std::vector<State>& states() const { return states_; }  ///< [ny][nx]
  std::vector<State>& states() { return states_; }              ///< [ny][nx]

  static constexpr int kept = ReadsSurroundings<M> ? 1 : M::neighbours;  ///< neighbours of a Cell
  /// A cell and the numbers of its neighbours, in the order of Neighbourhood::around.
  struct Cell {
    std::uint32_t cell;          ///< its number
    std::uint32_t around[kept];  ///< numbers of its neighbours
    int x, y;                    ///< its column and row
  };

  /// The cell with this number.
  Cell cell_at(std::uint32_t cell) const {
    const int y = static_cast<int>(cell / static_cast<std::uint32_t>(nx_));
    return cell_at(static_cast<int>(cell) - y * nx_, y);
  }

  /// The cell in this column and row.
  Cell cell_at(int x, int y) const {
    Cell p{number(x, y), {}, x, y};
    for (int k = 0; k < kept; ++k)
      p.around[k] =
          number(wrapped(x + neighbour_dx<M::neighbours>(k), nx_), wrapped(y + neighbour_dy<M::neighbours>(k), ny_));
    return p;
  }

  /// Sets the sums that the model keeps, from the states.
  void sum_up([[maybe_unused]] const M& model) {
    sums_of_cell_ = static_cast<std::size_t>(kept_sums_of(model));
    sums_.resize(sums_of_cell_ * states_.size());
    if constexpr (KeepsSums<M>)
      for (std::uint32_t c = 0; c < states_.size(); ++c) {
        const Cell p = cell_at(c);
        model.sum_up({states_.data(), p.x, p.y, nx_, ny_, nx_}, &sums_[c * sums_of_cell_]);
      }
  }

  /// Moves the particles of these species from now on.
  void track(std::span<Displacements> species) { tracked_ = species; }

  /// Changes the states, and the sums, as the event prescribes; calls redraw(cell) for each affected cell.
  template <class Redraw>
  void perform([[maybe_unused]] const M& model, const Cell& p, const OutcomeOf<M>& event, const Redraw& redraw) {
    const auto change = [&](const Cell& cell, [[maybe_unused]] int k) {
      if constexpr (KeepsSums<M>) {
        const std::uint64_t* const added = model.change_of_sums(event, k);
        for (std::size_t i = 0; i < sums_of_cell_; ++i) sums_[cell.cell * sums_of_cell_ + i] += added[i];
      }
      redraw(cell);
    };
    change_states(p, event);
    change(p, 0);
    for (int k = 1; k < Concerned<M>::count(event); ++k) {
      if (!Concerned<M>::at(k, event)) continue;
      const auto [dx, dy] = Concerned<M>::offset(k, event);
      change(cell_at(wrapped(p.x + dx, nx_), wrapped(p.y + dy, ny_)), k);
    }
  }

  /// The present states of a cell and its neighbours, or its kept sums.
  RatesFrom<M> neighbourhood(const Cell& p) const {
    if constexpr (KeepsSums<M>) {
      return {&sums_[p.cell * sums_of_cell_]};
    } else if constexpr (ReadsSurroundings<M>) {
      const bool inside = p.x >= M::reads && p.y >= M::reads && p.x < nx_ - M::reads && p.y < ny_ - M::reads;
      return {states_.data(), p.x, p.y, inside ? 0 : nx_, ny_, nx_};
    } else {
      NeighbourhoodOf<M> n;
      n.centre = states_[p.cell];
      for (int k = 0; k < M::neighbours; ++k) n.around[k] = states_[p.around[k]];
      return n;
    }
  }

 private:
  /// Moves tracked particles as well.
  void change_states(const Cell& p, const OutcomeOf<M>& event) {
    struct Changed {
      Displacements::Cell by;
      std::uint32_t cell;
      State before;
    };
    std::vector<Changed> changed;
    kmc::change_states<M>(event, [&](int dx, int dy) -> State& {
      const std::uint32_t cell = number(wrapped(p.x + dx, nx_), wrapped(p.y + dy, ny_));
      if (!tracked_.empty()) changed.push_back({{dx, dy, 0}, cell, states_[cell]});
      return states_[cell];
    });
    for (Displacements& one : tracked_) {
      for (const auto& [by, cell, before] : changed) one.change(cell, by, before, states_[cell]);
      one.end_event();
    }
  }
  std::uint32_t number(int x, int y) const {
    return static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(nx_) + static_cast<std::uint32_t>(x);
  }

  int nx_ = 0, ny_ = 0;
  std::vector<State> states_;
  std::size_t sums_of_cell_ = 0;
  std::vector<std::uint64_t> sums_;   ///< kept with the cells [ny][nx][sums_of_cell_]
  std::span<Displacements> tracked_;  ///< by species
};

/// Lattices of all replicas as a callable for measure(). Does not own the states.
template <Model M>
struct HostLattices {
  const typename M::State* const* first_of_replica;  ///< first state of each replica
  int nx;                                            ///< columns

  /// State of cell (x, y).
  KOKKOS_FUNCTION typename M::State operator()(int replica, int x, int y) const {
    return first_of_replica[replica]
                           [static_cast<std::size_t>(y) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(x)];
  }
};

}  // namespace tessera::kmc
