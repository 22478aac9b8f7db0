// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <tessera/kmc/kernels/window_frame.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/observables/observable.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/step_state.hpp>
#include <vector>

#include "tests/kmc/memory_archive.hpp"

namespace tessera::kmc {

inline constexpr double forever = std::numeric_limits<double>::infinity();

/// Simulation<Space, M> without its Space, which takes long to compile and is compiled once for all tests.
template <Model M>
class AnyTileMethod {
 public:
  using Archive = ::tessera::testing::MemoryArchive;

  virtual ~AnyTileMethod() = default;
  virtual void advance(
      double until, const std::function<bool()>& keep_going = [] { return true; }) = 0;
  virtual bool finished() const = 0;
  virtual double time() const = 0;
  virtual std::vector<double> times() const = 0;
  virtual std::vector<std::uint64_t> events() const = 0;
  virtual const std::vector<StepState>& step_states() const = 0;
  virtual std::size_t bytes() const = 0;
  virtual std::vector<Observable> measure() const = 0;
  virtual History drain_history() = 0;
  virtual std::vector<typename M::State> states() const = 0;
  virtual std::vector<double> waiting_times() const = 0;
  virtual std::vector<std::uint64_t> streams() const = 0;
  virtual void save(Archive& archive) const = 0;
  virtual void load(const Archive& archive) = 0;
  virtual void begin_in_order(EventOrder order) = 0;
  virtual void read_streams_lazily_below(int events) = 0;
  virtual void write_sparingly(bool sparingly) = 0;
  virtual void check_only(unsigned side_mask) = 0;
};

/// Defined for every execution space, and for SolidOnSolid, Ising, Species and Adsorption.
template <class Space, Model M>
std::unique_ptr<AnyTileMethod<M>> make_tile_method(const Parameters& parameters, const M& model);

}  // namespace tessera::kmc
