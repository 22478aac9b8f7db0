// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <atomic>
#include <tessera/disks/kernels/bands.hpp>
#include <thread>
#include <vector>

namespace tessera::disks {
namespace {

constexpr int pairs = 7, replica_count = 3, steps = 40;

/// Steps that have been made on each pair of rows, and how often one came at the wrong time: out of its order, or
/// before a neighbour's last one or after its next.
struct Rows {
  std::vector<std::atomic<int>> done = std::vector<std::atomic<int>>(pairs * replica_count);
  std::atomic<int> wrong = 0;

  void make(const RowPairs& rows, int number) {
    for (int pair = rows.begin; pair < rows.end; ++pair) {
      auto* const of_replica = &done[static_cast<std::size_t>(rows.replica * pairs)];
      for (const int side : {-1, 1}) {
        const int neighbour = of_replica[(pair + side + pairs) % pairs];
        wrong += neighbour < number || neighbour > number + 1;
      }
      wrong += of_replica[pair]++ != number;
    }
  }
};

// One thread can do without others, whichever of them it is; and there are more of them than bands, and less.
TEST(Bands, MakeEachStepOnceAndKeepNeighboursInStep) {
  for (const int most : {1, 2, 5, 8, 21, 100})
    for (const int workers : {1, 2, 4, 30}) {
      Bands bands(pairs, replica_count, most, steps);
      Rows rows;
      std::vector<std::thread> threads;
      const auto work = [&](int worker) {
        bands.work(worker, workers, [&](const RowPairs& some, int number) { rows.make(some, number); });
      };
      if (workers == 4) {
        work(2);
      } else {
        for (int worker = 0; worker < workers; ++worker) threads.emplace_back(work, worker);
      }
      for (auto& thread : threads) thread.join();
      EXPECT_EQ(rows.wrong, 0) << most << " bands, " << workers << " workers";
      for (const auto& done : rows.done) EXPECT_EQ(done, steps);
    }
}

}  // namespace
}  // namespace tessera::disks
