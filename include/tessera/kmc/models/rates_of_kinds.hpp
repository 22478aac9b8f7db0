// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <tessera/kmc/model.hpp>

namespace tessera::kmc {

/// Part of a model in which the rate depends on the kind of the cell, M::kind(n) from 0 to kinds - 1.
template <class M, class StateType, int kinds>
class RatesOfKinds {
 public:
  using State = StateType;                          ///< of a cell
  static constexpr int neighbours = 4;              ///< nearest ones
  using Around = Neighbourhood<State, neighbours>;  ///< of a cell

  KOKKOS_FORCEINLINE_FUNCTION double rate(const Around& n) const { return rate_[M::kind(n)]; }  ///< of its kind
  /// 1 / rate(n).
  KOKKOS_FORCEINLINE_FUNCTION double mean_waiting_time(const Around& n) const { return mean_waiting_time_[M::kind(n)]; }
  double largest_rate() const { return *std::ranges::max_element(rate_); }  ///< of all kinds

 protected:
  /// Sets the rate of a kind; call it for all kinds.
  void set_rate(int kind, double its) {
    rate_[kind] = its;
    mean_waiting_time_[kind] = 1.0 / its;
  }

 private:
  double rate_[kinds], mean_waiting_time_[kinds];
};

}  // namespace tessera::kmc
