// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <utility>

#include "system.hpp"

namespace tessera::perf {

/// Any of the simulations of disks.
template <class Simulation>
class DisksSystemOf : public DisksSystem {
 public:
  template <class... Arguments>
  explicit DisksSystemOf(Arguments&&... arguments) : simulation_(std::forward<Arguments>(arguments)...) {}

  void run_to(double sweep) override { simulation_.advance(sweep); }
  double moves() const override {
    double sum = 0;
    for (const auto& moves : simulation_.moves()) sum += static_cast<double>(moves.tried);
    return sum;
  }
  std::size_t bytes() const override { return simulation_.bytes(); }

 private:
  Simulation simulation_;
};

}  // namespace tessera::perf
