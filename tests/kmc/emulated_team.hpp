// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <thread>
#include <vector>

namespace tessera::testing {

/// A team of Kokkos' team interface with one host thread to a lane, so that what a GPU's teams do in lockstep can be
/// tested, and searched for races, without a GPU.
template <int Lanes>
class EmulatedTeam {
 public:
  /// Calls work(team) on every lane of a team.
  template <class Work>
  static void run(const Work& work) {
    Shared shared;
    std::vector<std::jthread> lanes;
    for (int rank = 0; rank < Lanes; ++rank)
      lanes.emplace_back([&work, &shared, rank] { work(EmulatedTeam(shared, rank)); });
  }

  // For devices, too, so that device code can be compiled for such a team; there it does nothing.
  KOKKOS_FUNCTION int team_rank() const { return rank_; }
  KOKKOS_FUNCTION int team_size() const { return Lanes; }
  KOKKOS_FUNCTION void team_barrier() const { KOKKOS_IF_ON_HOST((wait();)) }
  template <class Reducer>
  KOKKOS_FUNCTION void team_reduce([[maybe_unused]] const Reducer& reducer) const {
    KOKKOS_IF_ON_HOST((reduce(reducer);))
  }
  /// The sum of the values of the lanes before this one.
  template <class Value>
  KOKKOS_FUNCTION Value team_scan(Value value) const {
    KOKKOS_IF_ON_HOST((return scan(value);))
    KOKKOS_IF_ON_DEVICE((return value;))
  }

 private:
  void wait() const { shared_->barrier.arrive_and_wait(); }

  template <class Reducer>
  void reduce(const Reducer& reducer) const {
    using Value = typename Reducer::value_type;
    const std::vector<Value> values = exchange(Value(reducer.reference()));
    Value result = values[0];
    for (int lane = 1; lane < Lanes; ++lane) reducer.join(result, values[static_cast<std::size_t>(lane)]);
    reducer.reference() = result;
  }

  template <class Value>
  Value scan(Value value) const {
    const std::vector<Value> values = exchange(value);
    Value result{};
    for (int lane = 0; lane < rank_; ++lane) result += values[static_cast<std::size_t>(lane)];
    return result;
  }

  struct Shared {
    std::barrier<> barrier{Lanes};
    std::array<std::array<std::byte, 8>, Lanes> values;
  };

  EmulatedTeam(Shared& shared, int rank) : shared_(&shared), rank_(rank) {}

  /// Everybody's value.
  template <class Value>
  std::vector<Value> exchange(Value mine) const {
    static_assert(sizeof(Value) <= 8);
    std::memcpy(shared_->values[static_cast<std::size_t>(rank_)].data(), &mine, sizeof(Value));
    wait();
    std::vector<Value> all(Lanes);
    for (std::size_t lane = 0; lane < Lanes; ++lane)
      std::memcpy(&all[lane], shared_->values[lane].data(), sizeof(Value));
    wait();
    return all;
  }

  Shared* shared_;
  int rank_;
};

/// A stand-in for an execution space of as many lanes, with host memory.
template <int Lanes>
struct EmulatedLanes {
  using memory_space = Kokkos::HostSpace;
};

}  // namespace tessera::testing

namespace tessera {
template <>
inline constexpr int lanes_per_tile<testing::EmulatedLanes<1>> = 1;
template <>
inline constexpr int lanes_per_tile<testing::EmulatedLanes<32>> = 32;
}  // namespace tessera
