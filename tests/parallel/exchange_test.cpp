// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cstdint>
#include <tessera/parallel/exchange.hpp>
#include <tessera/parallel/rank_grid.hpp>

#include "rank_tests.hpp"

namespace tessera::parallel {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Values = Kokkos::View<std::uint32_t*, Space>;

void fill(const Values& values, std::uint32_t value) { Kokkos::deep_copy(Space(), values, value); }

void expect_all(const Values& values, std::uint32_t value) {
  const auto seen = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  for (std::size_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen(i), value) << "element " << i;
}

/// On every grid of all ranks each rank tells its number to all eight neighbours, some of which may be one rank.
void tell_neighbours(std::size_t size) {
  const Communicator& ranks = world().communicator();
  Exchange<Space> exchange(Space(), ranks);
  for (const GridShape& shape : grids()) {
    const RankGrid grid(ranks, shape);
    for (std::uint32_t time = 0; time < 3; ++time) {
      std::vector<Values> sent(9), received(9);
      for (int place = 0; place < 9; ++place) {
        const int dx = place % 3 - 1, dy = place / 3 - 1;
        const auto at = static_cast<std::size_t>(place);
        if (grid.neighbour(dx, dy) == ranks.rank()) continue;
        sent[at] = Values("sent", size + at);
        received[at] = Values("received", size + at);
        fill(sent[at], 1000 * time + 10 * static_cast<std::uint32_t>(ranks.rank()) + static_cast<std::uint32_t>(place));
        exchange.send(grid.neighbour(dx, dy), place, sent[at]);
      }
      const auto source = [&](int place) { return grid.neighbour(1 - place % 3, 1 - place / 3); };
      for (int place = 8; place >= 0; --place)  // messages are known by their tags, not by their order
        if (source(place) != ranks.rank())
          exchange.receive(source(place), place, received[static_cast<std::size_t>(place)]);
      exchange.start();
      exchange.wait();
      for (int place = 0; place < 9; ++place)
        if (source(place) != ranks.rank())
          expect_all(received[static_cast<std::size_t>(place)],
                     1000 * time + 10 * static_cast<std::uint32_t>(source(place)) + static_cast<std::uint32_t>(place));
    }
  }
}

TEST(Exchange, DeliversTheMessagesOfAllNeighbours) { tell_neighbours(10); }

TEST(Exchange, DeliversMessagesThatMpiDoesNotBuffer) { tell_neighbours(300'000); }

TEST(Exchange, WithoutMessagesNeedsNoNeighbour) {
  Exchange<Space> exchange(Space(), world().communicator());
  exchange.start();
  exchange.wait();
}

void set_all(const Space& space, const Values& values, std::uint32_t value) {
  Kokkos::parallel_for(
      "test::set_all", Kokkos::RangePolicy<Space>(space, 0, values.size()),
      KOKKOS_LAMBDA(std::size_t i) { values(i) = value; });
}

void set_to_double(const Space& space, const Values& values, const Values& halves) {
  Kokkos::parallel_for(
      "test::set_to_double", Kokkos::RangePolicy<Space>(space, 0, values.size()),
      KOKKOS_LAMBDA(std::size_t i) { values(i) = 2 * halves(i); });
}

TEST(Exchange, SendsAfterAllKernelsThatWereEnqueuedBefore) {
  const Communicator& ranks = world().communicator();
  if (ranks.size() == 1) return;
  const Space space;
  Exchange<Space> exchange(space, ranks);
  const int next = (ranks.rank() + 1) % ranks.size(), before = (ranks.rank() + ranks.size() - 1) % ranks.size();
  const Values mine("mine", 1000), theirs("theirs", 1000), twice("twice", 1000);
  for (std::uint32_t round = 1; round <= 20; ++round) {
    set_all(space, mine, round);
    exchange.send(next, 0, mine);
    exchange.receive(before, 0, theirs);
    exchange.start();
    exchange.wait();
    set_to_double(space, twice, theirs);
    expect_all(twice, 2 * round);
  }
}

}  // namespace
}  // namespace tessera::parallel
