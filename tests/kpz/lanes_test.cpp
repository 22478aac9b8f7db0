// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <tessera/kpz/steps/device_layer.hpp>
#include <vector>

#include "tests/kmc/emulated_team.hpp"
#include "tests/kpz/plain_scheme.hpp"
#include "tests/kpz/schemes.hpp"

/// What teams of many lanes make of a surface, as on a GPU, is what the plain scheme makes of it.
namespace tessera::testing {
namespace {

using kpz::BlockLayer;
using kpz::Parameters;
using kpz::Rule;
using Host = Kokkos::DefaultHostExecutionSpace;

/// A lane of an emulated team that shares scratch with the others.
class Lane {
 public:
  Lane(const EmulatedTeam& team, int league_rank, std::vector<std::uint64_t>& scratch)
      : team_(team), league_rank_(league_rank), begin_(reinterpret_cast<std::byte*>(scratch.data())) {}

  // For devices, too, as EmulatedTeam.
  KOKKOS_FUNCTION int team_rank() const { return team_.team_rank(); }
  KOKKOS_FUNCTION int team_size() const { return team_.team_size(); }
  KOKKOS_FUNCTION int league_rank() const { return league_rank_; }
  KOKKOS_FUNCTION void team_barrier() const { team_.team_barrier(); }
  KOKKOS_FUNCTION const Lane& team_scratch(int) const { return *this; }
  KOKKOS_FUNCTION void* get_shmem_aligned(std::size_t bytes, std::size_t alignment) const {
    used_ = (used_ + alignment - 1) / alignment * alignment;
    void* const here = begin_ + used_;
    used_ += bytes;
    return here;
  }

 private:
  const EmulatedTeam& team_;
  int league_rank_;
  std::byte* begin_;
  mutable std::size_t used_ = 0;
};

// A scheme takes long to compile: a test has those that it runs.
struct EveryScheme {
  template <class Scheme>
  static constexpr bool has = true;
};
struct SchemesOfCertainUpdates {
  template <class Scheme>
  static constexpr bool has = Scheme::certain;
};
template <bool dead_border>
struct SchemesWithCellBorders {
  template <class Scheme>
  static constexpr bool has = Scheme::dead_border == dead_border && !Scheme::tiled;
};

/// Intervals of teams with this mapping.
template <class Mapping, class Schemes>
class Emulation {
 public:
  Emulation(int lanes, const Parameters& p)
      : lanes_(lanes),
        p_(p),
        d_(kpz::lattice_of(p), p),
        state_(kpz::lattice_of(p), kpz::streams_of_replica(kpz::extents_of_streams(d_))) {
    kpz::flatten(Host(), state_.lattice, state_.words);
    const auto pieces = parallel::Distribution().pieces(1, kpz::extents_of_streams(d_));
    seed_streams(Host(), state_.streams, p.seed, 0, pieces[0].size(), kpz::StreamNumbers(pieces[0].tables));
    Kokkos::fence();
  }

  void interval() {
    for (int turn = 0; turn < d_.sets; ++turn) d_.border > 0 ? with_block<true>(turn) : with_block<false>(turn);
    ++interval_;
  }

  std::vector<std::uint32_t> words() const { return {state_.words.data(), state_.words.data() + state_.words.size()}; }
  /// Depositions less removals.
  std::int64_t grown() const { return static_cast<std::int64_t>(state_.accepted(0) - state_.accepted(1)); }

 private:
  template <bool border>
  void with_block(int turn) {
    p_.block_layer == BlockLayer::dead_border ? with_rule<border, BlockLayer::dead_border>(turn)
                                              : with_rule<border, BlockLayer::double_tiling>(turn);
  }
  template <bool border, BlockLayer block>
  void with_rule(int turn) {
    switch (kpz::Rates(p_.p, p_.q).rule) {
      case Rule::one_certain:
        return update<kpz::Scheme<border, block, Rule::one_certain>>(turn);
      case Rule::one:
        return update<kpz::Scheme<border, block, Rule::one>>(turn);
      case Rule::both:
        return update<kpz::Scheme<border, block, Rule::both>>(turn);
    }
  }
  template <class Scheme>
  void update(int turn) {
    if constexpr (Schemes::template has<Scheme>)
      update_domains<Scheme>(turn);
    else
      throw std::logic_error("this scheme is not compiled");
  }
  template <class Scheme>
  void update_domains(int turn) {
    using Update = kpz::UpdateDomains<Host, Scheme, Mapping>;
    const Update update{
        state_.lattice, d_,  kpz::Rates(p_.p, p_.q), state_.words, state_.streams, state_.accepted, p_.seed,
        interval_,      turn};
    std::vector<std::uint64_t> scratch(Update::scratch(d_) / sizeof(std::uint64_t) + 1);
    for (int domain = 0; domain < d_.domains; ++domain)
      EmulatedTeam::run(lanes_, [&](const EmulatedTeam& team) {
        const Lane lane(team, domain, scratch);
        update.update(lane);
      });
  }

  int lanes_;
  Parameters p_;
  kpz::Decomposition d_;
  kpz::State<Kokkos::HostSpace> state_;
  std::uint64_t interval_ = 0;
};

template <class Mapping, class Schemes = EveryScheme>
void expect_as_plain(int lanes, const Parameters& p, int intervals) {
  SCOPED_TRACE(describe(p));
  Emulation<Mapping, Schemes> emulated(lanes, p);
  PlainScheme plain(p);
  for (int i = 0; i < intervals; ++i) {
    emulated.interval();
    plain.interval();
  }
  EXPECT_EQ(emulated.words(), words_of(plain.heights(), p.nx, p.ny));
  // The flat start has a mean height of 1/2, and an octahedron adds 2 to the sum.
  std::int64_t sum = 0;
  for (const int height : plain.heights()) sum += height;
  EXPECT_EQ(emulated.grown(), (sum - p.nx * p.ny / 2) / 2);
}

TEST(TeamsOfLanes, TransformASurfaceAsAPlainSchemeDoes) {
  std::uint64_t seed = 400;
  for (Parameters p : with_rates(all_schemes(small_lattice()))) {
    p.seed = ++seed;
    expect_as_plain<kpz::OnLanes<1, false>>(32, p, 2);
  }
}

TEST(TeamsOfLanes, MayHaveFewerThanThereAreCells) {
  Parameters p = small_lattice(450);
  p.ny = 64;
  using Schemes = SchemesWithCellBorders<false>;
  expect_as_plain<kpz::OnLanes<2, false>, Schemes>(8, p, 2);
  expect_as_plain<kpz::OnLanes<5, false>, Schemes>(4, p, 2);
  p.q = 0.5;
  expect_as_plain<kpz::OnLanes<2, false>, Schemes>(8, p, 2);
}

TEST(TeamsOfLanes, MayHaveSmallDomainsInNarrowLattices) {
  std::uint64_t seed = 500;
  for (Parameters p : all_schemes(small_lattice())) {
    p.nx = 16;
    p.ny = 32;
    p.domain = 8;
    p.seed = ++seed;
    if (p.device_layer == kpz::DeviceLayer::dead_border) p.border = 2;
    expect_as_plain<kpz::OnLanes<1, false>, SchemesOfCertainUpdates>(4, p, 3);
  }
}

TEST(TeamsOfLanes, OfTheCommonKindMakeTheSame) {
  std::uint64_t seed = 600;
  for (Parameters p : with_rates(all_schemes(small_lattice()))) {
    p.nx = p.ny = kpz::has_dead_border(p.device_layer) ? 128 : 256;
    p.domain = kpz::common_domain;
    p.seed = ++seed;
    ASSERT_TRUE(kpz::is_common(kpz::Decomposition(kpz::lattice_of(p), p)));
    expect_as_plain<kpz::OnLanes<8, true>>(32, p, 1);
  }
}

TEST(TeamsOfLanes, AsAGpuHasThemMakeTheSame) {
  Parameters p = small_lattice(700);
  p.nx = p.ny = 128;
  p.domain = kpz::common_domain;
  p.device_layer = kpz::DeviceLayer::dead_border;
  p.async_interval = 0.125;
  for (const double q : {0.0, 0.5}) {
    p.q = q;
    expect_as_plain<kpz::OnLanes<1, true>, SchemesWithCellBorders<true>>(256, p, 2);
    expect_as_plain<kpz::OnLanes<2, true>, SchemesWithCellBorders<true>>(128, p, 2);
  }
}

}  // namespace
}  // namespace tessera::testing
