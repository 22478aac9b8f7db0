// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>
#include <algorithm>
#include <bit>
#include <cstdint>
#include <tessera/core/streams.hpp>
#include <unordered_set>
#include <vector>

#include "tests/execution_spaces.hpp"

namespace tessera {
namespace {

/// The generator as its inventor wrote it (Vigna's xorshift64*), with Kokkos' subtraction of 1.
struct Textbook {
  std::uint64_t state;
  std::uint64_t draw() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 2685821657736338717ULL - 1;
  }
};

TEST(Stream, IsXorShift64AndContinuesFromAnyState) {
  for (std::uint64_t start = 1; start <= 100; ++start) {
    const std::uint64_t state = start < 50 ? start : hash(1, start);
    Textbook expected{state};
    Kokkos::Random_XorShift64<Kokkos::DefaultHostExecutionSpace> of_kokkos(state);
    Stream in_one_go(state);
    std::uint64_t kept = state;
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t random = expected.draw();
      ASSERT_EQ(of_kokkos.urand64(), random);
      ASSERT_EQ(in_one_go.draw(), random);
      Stream resumed(kept);
      ASSERT_EQ(resumed.draw(), random);
      kept = resumed.state();
      ASSERT_EQ(kept, expected.state);
      ASSERT_NE(kept, 0u);
    }
  }
}

TEST(StreamsInStep, DrawTheNumbersOfSingleStreams) {
  for (std::uint64_t start = 1; start <= 100; ++start) {
    Stream streams[] = {Stream(start), Stream(hash(2, start))};
    std::uint64_t states[] = {start, hash(2, start)};
    TwoWords both{start, hash(2, start)};
    for (int i = 0; i < 100; ++i) {
      const TwoWords of_memory = draw_both(states), of_vector = draw_both(both);
      for (int l = 0; l < 2; ++l) {
        const std::uint64_t random = streams[l].draw();
        ASSERT_EQ(of_memory[l], random);
        ASSERT_EQ(of_vector[l], random);
        ASSERT_EQ(states[l], streams[l].state());
        ASSERT_EQ(both[l], streams[l].state());
      }
    }
  }
}

TEST(Stream, UniformNumbersHave53RandomBits) {
  Stream numbers(99), bits(99);
  double least = 1, greatest = 0, total = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double u = numbers.uniform();
    ASSERT_EQ(u, static_cast<double>(bits.draw() >> 11) / 9007199254740992.0);
    least = std::min(least, u);
    greatest = std::max(greatest, u);
    total += u;
  }
  EXPECT_GE(least, 0);
  EXPECT_LT(least, 1e-3);
  EXPECT_LT(greatest, 1);
  EXPECT_GT(greatest, 1 - 1e-3);
  EXPECT_NEAR(total / 100'000, 0.5, 6 * 0.2887 / 316);
}

TEST(StreamStart, IsNeverZero) {
  // The one index at which the hash of a seed is 0.
  std::uint64_t inverse = 1;
  for (int i = 0; i < 63; ++i) inverse = inverse * inverse * golden;  // golden^(2^63 - 1)
  ASSERT_EQ(inverse * golden, 1u);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::uint64_t index = (0 - mix(seed + golden)) * inverse - 1;
    ASSERT_EQ(hash(seed, index), 0u);
    EXPECT_NE(stream_start(seed, index), 0u);
    EXPECT_EQ(stream_start(seed, index + 1), hash(seed, index + 1));
  }
}

TEST(StreamStart, DiffersForEverySeedAndIndex) {
  std::unordered_set<std::uint64_t> starts;
  for (std::uint64_t seed = 0; seed < 64; ++seed)
    for (std::uint64_t index = 0; index < 4096; ++index) {
      starts.insert(stream_start(seed, index));
      starts.insert(hash(seed, index, Purpose{1}));
    }
  EXPECT_EQ(starts.size(), 2u * 64 * 4096);
}

TEST(Hash, ChangesHalfOfItsBitsWithEachBitOfSeedIndexAndPurpose) {
  const auto mean_change = [](auto changed) {
    int bits = 0;
    for (std::uint64_t i = 0; i < 64 * 100; ++i)
      bits += std::popcount(hash(i, 3 * i, Purpose{i % 5}) ^ changed(i, std::uint64_t{1} << (i % 64)));
    return bits / 6400.0;
  };
  // The standard error is 4/80.
  EXPECT_NEAR(mean_change([](auto i, auto bit) { return hash(i ^ bit, 3 * i, Purpose{i % 5}); }), 32, 0.3);
  EXPECT_NEAR(mean_change([](auto i, auto bit) { return hash(i, (3 * i) ^ bit, Purpose{i % 5}); }), 32, 0.3);
  EXPECT_NEAR(mean_change([](auto i, auto bit) { return hash(i, 3 * i, Purpose{(i % 5) ^ bit}); }), 32, 0.3);
}

template <class Space>
class StreamOn : public ::testing::Test {};
TYPED_TEST_SUITE(StreamOn, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

/// 100 draws of each stream, half from the state as found, half after the state has been stored.
template <class Space>
std::vector<std::uint64_t> draw_all(const Kokkos::View<std::uint64_t*, typename Space::memory_space>& states,
                                    std::size_t count) {
  Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, typename Space::memory_space> drawn("drawn", count, 100);
  Kokkos::parallel_for(
      "tessera::test::draw", Kokkos::RangePolicy<Space>(0, static_cast<int>(count)), KOKKOS_LAMBDA(int i) {
        for (int time = 0; time < 2; ++time) {
          Stream stream(states(i));
          for (int k = 0; k < 50; ++k) drawn(i, 50 * time + k) = stream.draw();
          states(i) = stream.state();
        }
      });
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), drawn);
  return {host.data(), host.data() + host.size()};
}

struct Itself {
  KOKKOS_FUNCTION std::size_t operator()(std::size_t number) const { return number; }
};

TYPED_TEST(StreamOn, SeedsAndContinuesStates) {
  using Memory = typename TypeParam::memory_space;
  constexpr std::size_t count = 1000, first = 300, seeded = 500;
  const Kokkos::View<std::uint64_t*, Memory> states("tessera::test::streams", count);
  Kokkos::deep_copy(states, std::uint64_t{77});
  seed_streams(TypeParam(), states, 12345, first, seeded, Itself());
  Kokkos::fence();
  std::vector<std::uint64_t> starts(count, 77);
  for (std::size_t i = 0; i < seeded; ++i) starts[first + i] = stream_start(12345, i);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), states);
  EXPECT_EQ(std::vector<std::uint64_t>(host.data(), host.data() + count), starts);

  std::vector<std::uint64_t> expected;
  for (const std::uint64_t start : starts) {
    Textbook generator{start};
    for (int k = 0; k < 100; ++k) expected.push_back(generator.draw());
  }
  EXPECT_EQ(draw_all<TypeParam>(states, count), expected);
}

}  // namespace
}  // namespace tessera
