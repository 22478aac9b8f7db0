// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/observable.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/observables/observables.hpp>
#include <tessera/simulation/line_sums.hpp>
#include <vector>

namespace tessera::kmc {

/// Quantities whose longest waves are measured, functions of the state of a cell alone: heights, order parameters,
/// coverages.
template <Model M>
std::vector<NamedObservable> quantities_of_cells([[maybe_unused]] const M& model) {
  std::vector<NamedObservable> all;
  if constexpr (requires { requires M::state_is_height; }) {
    all.push_back({state_name_of<M>(), state_unit_of<M>()});
  } else if constexpr (requires { model.cell_observables(); }) {
    const auto [first, end] = model.cell_observables();
    all = named_observables(model);
    all = {all.begin() + first, all.begin() + end};
  }
  return all;
}

namespace detail {
/// Adds a quantity, observable `which` of the model, in a strip of rows; see LineSums::sum().
template <Model M, class Lattice, int rows, int width>
struct AddQuantity {
  M model;
  Lattice lattice;
  int nx, which;

  KOKKOS_FUNCTION void operator()(int replica, int group, int y, int count, std::uint64_t* of_rows,
                                  std::uint64_t* of_columns) const {
    const int columns = width == 1 || nx - group * width > width ? width : nx - group * width;
    for (int i = 0; i < rows; ++i)  // a constant number, so that sums are in registers on GPUs
      for (int c = 0; i < count && c < columns; ++c) {
        const auto its = static_cast<std::uint64_t>(value(lattice(replica, group * width + c, y + i)));
        of_rows[i] += its;
        of_columns[c] += its;
      }
  }

 private:
  KOKKOS_FUNCTION std::int64_t value(typename M::State state) const {
    const auto alone = [&](int, int) { return state; };
    if constexpr (
        requires { requires M::state_is_height; } || !requires { model.cell_observables(); })
      return state;  // a height, or there are no quantities
    else if constexpr (ObservesOffsets<M>)
      return model.observe(which, alone);
    else
      return model.observe(which, neighbourhood_of<observed_neighbours<M>>(state, alone));
  }
};
}  // namespace detail

/// Adds the longest waves of the quantities of a model, and with `all` S(k) of all wave vectors along the axes, of a
/// rank's block with nx columns. `lattice(replica, x, y)` is called on the device. Collective.
template <class ExecutionSpace, Model M, class Lattice, class Lines>
void measure_waves(const ExecutionSpace& space, const M& model, const Lattice& lattice, int nx, const Lines& lines,
                   bool all, std::vector<Observable>& to) {
  constexpr int rows = Lines::rows, width = Lines::columns;
  int which = 0;
  if constexpr (requires { model.cell_observables(); }) which = model.cell_observables()[0];
  const auto quantities = quantities_of_cells(model);
  for (const auto& [name, unit, factor] : quantities) {
    lines.template sum<width>(space, "tessera::kmc::sum_lines",
                              detail::AddQuantity<M, Lattice, rows, width>{model, lattice, nx, which++});
    lines.add_waves(space, name, unit, all, "structure_factor" + (quantities.size() > 1 ? "_" + name : ""), to);
  }
}

}  // namespace tessera::kmc
