// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <utility>

#include "system.hpp"

namespace tessera::perf {

/// Any of the simulations of kpz.
template <class Simulation>
class KpzSystemOf : public KpzSystem {
 public:
  template <class... Arguments>
  explicit KpzSystemOf(Arguments&&... arguments) : simulation_(std::forward<Arguments>(arguments)...) {}

  void run_to(double time) override { simulation_.advance(time); }
  double time() const override { return simulation_.time(); }
  double attempts() const override { return static_cast<double>(simulation_.attempts()); }
  void measure() override { simulation_.measure(); }
  std::size_t bytes() const override { return simulation_.bytes(); }

 private:
  Simulation simulation_;
};

}  // namespace tessera::perf
