// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/kmc/model.hpp>

/// Square molecules adsorb at the rate 1 where a cell and its neighbours to the east, the north and the north-east are
/// empty, and cover these four cells. The surface jams.
class SquareMolecules {
 public:
  using State = std::int8_t;  // 0: empty, 1: covered
  static constexpr int neighbours = 8, reads = 1, writes = 1;
  using Around = tessera::kmc::Surroundings<State>;
  static constexpr tessera::kmc::SiteObservable site_observables[] = {{"coverage", ""}};

  SquareMolecules() {
    for (int i = 0; i < 4; ++i) covered_[i] = {{i % 2, i / 2}, 1};
    int count = 0;
    concerned_[count++] = {0, 0};
    for (int i = 0; i < 9; ++i)
      if (i != 4) concerned_[count++] = {i % 3 - 1, i / 3 - 1};
  }

  KOKKOS_FUNCTION double rate(const Around& n) const { return n(0, 0) + n(1, 0) + n(0, 1) + n(1, 1) == 0 ? 1 : 0; }
  double largest_rate() const { return 1; }

  KOKKOS_FUNCTION tessera::kmc::ListedChanges<State> event(const Around&, tessera::Stream&) const {
    return {.changes = covered_, .concerned = concerned_, .changed = 4, .count = 9};
  }

  KOKKOS_FUNCTION std::int64_t observe(int, const tessera::kmc::Neighbourhood<State, neighbours>& n) const {
    return n.centre;
  }

 private:
  tessera::kmc::CellChange<State> covered_[4];  // the cell, and those to the east, the north and the north-east
  tessera::kmc::Offset concerned_[9];           // cells whose rates read one of these
};
