// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <tessera/kmc/kernels/due_buckets.hpp>
#include <utility>
#include <vector>

namespace tessera::kmc {
namespace {

/// A window of 12 x 12 cells with a halo of 2 about the first tile of a lattice of 16 x 16 sites, and its queue for a
/// step.
class Queue {
 public:
  Queue(double begin, double end, int buckets)
      : begin_(begin),
        end_(end),
        following_(side * side),
        first_(static_cast<std::size_t>(buckets)),
        filled_(static_cast<std::size_t>(buckets) / 64),
        due_(times.data(), begin, end, following_.data(), first_.data(), filled_.data(), buckets) {
    for (int i = 0; i < side; ++i) {
      columns_[static_cast<std::size_t>(i)] = (i + 14) % 16;
      rows_[static_cast<std::size_t>(i)] = (i + 14) % 16 * 16;
    }
    frame_.column_x = columns_.data();
    frame_.row_site = rows_.data();
  }

  void set(int cell, double time) {
    const auto at = static_cast<std::size_t>(cell);
    if (times[at] < end_) sorted_.erase(key(cell));
    due_.remove(cell);
    times[at] = time;
    due_.add(cell);
    if (time < end_) sorted_.insert(key(cell));
  }
  int next() { return due_.next(frame_); }
  int expected() const { return sorted_.empty() ? -1 : sorted_.begin()->second.second; }

  static constexpr int side = 12;
  std::vector<double> times = std::vector<double>(side * side, 1e300);

 private:
  using Key = std::pair<double, std::pair<int, int>>;  // time, site, cell
  Key key(int cell) const {
    return {times[static_cast<std::size_t>(cell)], {frame_.site_in_whole(cell % side, cell / side), cell}};
  }

  double begin_, end_;
  Geometry lattice_{16, 16, 8, 2, 2, 1};
  WindowFrame frame_{lattice_, 2, side};
  std::vector<int> columns_ = std::vector<int>(side), rows_ = std::vector<int>(side);
  std::vector<std::int32_t> following_, first_;
  std::vector<std::uint64_t> filled_;
  DueBuckets due_;
  std::set<Key> sorted_;
};

/// Lets 20 000 events happen, each of which gives its cell and four others new times from draw(time of the event) on.
template <class Draw>
void expect_the_order_of_a_set(Queue& queue, double begin, const Draw& draw, std::mt19937_64& random) {
  constexpr int cells = Queue::side * Queue::side;
  for (int cell = 0; cell < cells; ++cell) queue.set(cell, draw(begin));
  int events = 0;
  for (; events < 20000; ++events) {
    const int cell = queue.next();
    ASSERT_EQ(cell, queue.expected()) << "event " << events;
    if (cell < 0) break;
    const double now = queue.times[static_cast<std::size_t>(cell)];
    queue.set(cell, draw(now));
    for (int k = 0; k < 4; ++k) queue.set(static_cast<int>(random() % cells), draw(now));
  }
  EXPECT_GT(events, 100);
  EXPECT_EQ(queue.next(), queue.expected());
}

TEST(DueBuckets, GiveTheCellsInTheOrderOfTheirTimes) {
  for (const double begin : {0.0, 1.0, 1e9})
    for (const double mean : {0.01, 0.1, 1.0}) {
      std::mt19937_64 random(1);
      std::exponential_distribution<double> waiting(1 / mean);
      Queue queue(begin, begin + 1, 64);
      expect_the_order_of_a_set(
          queue, begin, [&](double now) { return now + waiting(random); }, random);
    }
}

TEST(DueBuckets, GiveCellsWithTheSameTimeInTheOrderOfTheirSites) {
  std::mt19937_64 random(2);
  Queue queue(0, 1, 128);
  const auto in_tenths = [&](double now) {
    return now + 0.1 * static_cast<double>(random() % 4 == 0 ? 1 + random() % 3 : 0) + (random() % 8 == 0 ? 1 : 0);
  };
  expect_the_order_of_a_set(queue, 0, in_tenths, random);
}

TEST(DueBuckets, TakeAStepOfAnyLength) {
  std::mt19937_64 random(3);
  for (const double length : {5e-324, 1e-305, 1e-290, 1e299, 1e300}) {
    Queue queue(0, length, 64);
    const auto some = [&](double) { return length * static_cast<double>(random() % 3) / 2; };
    for (int cell = 0; cell < Queue::side * Queue::side; ++cell) queue.set(cell, some(0));
    for (int cell = queue.next(); cell >= 0; cell = queue.next()) {
      ASSERT_EQ(cell, queue.expected()) << length;
      queue.set(cell, length);
    }
    EXPECT_EQ(queue.expected(), -1) << length;
  }
}

}  // namespace
}  // namespace tessera::kmc
