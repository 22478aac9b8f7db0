// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tessera/kmc/space/window_frame.hpp>
#include <tessera/parallel/distribution.hpp>
#include <tessera/parallel/exchange.hpp>
#include <utility>
#include <vector>

namespace tessera::kmc::space {

/// Ranks that share the planes of an array (Box::slab), each with its neighbours before and after. Both ranks at a
/// border compare the same sums of tiles, and each lists its own tile. All functions are collective, and do nothing for
/// a single rank.
template <class ExecutionSpace>
class SlabBorders {
 public:
  SlabBorders(const ExecutionSpace& space, const parallel::Distribution& distribution)
      : ranks_(distribution.ranks), grid_(distribution.grid), exchange_(space, distribution.ranks) {}

  bool is_serial() const { return ranks_.size() == 1; }
  const parallel::Communicator& ranks() const { return ranks_; }

  /// The lists of all ranks, one after the other.
  template <class T>
  std::vector<T> joined(std::vector<T> mine) const {
    if (is_serial()) return mine;
    std::vector<T> all;
    for (const std::vector<std::byte>& bytes : ranks_.gather(std::as_bytes(std::span(mine)))) {
      const T* const values = reinterpret_cast<const T*>(bytes.data());
      all.insert(all.end(), values, values + bytes.size() / sizeof(T));
    }
    all.resize(ranks_.broadcast(all.size()));
    ranks_.broadcast(std::as_writable_bytes(std::span(all)));
    return all;
  }
  /// Gives all ranks the tallies of the whole array.
  void sum(std::vector<Tally>& tallies) const {
    if (is_serial()) return;
    std::vector<std::uint64_t> sums;
    std::vector<std::int64_t> rounds;
    for (const Tally& one : tallies) {
      sums.insert(sums.end(), {one.events, one.repairs, one.inconsistent});
      rounds.push_back(one.rounds);
    }
    ranks_.sum(std::span(sums));
    ranks_.max(std::span(rounds));
    for (std::size_t r = 0; r < tallies.size(); ++r)
      tallies[r] = {sums[3 * r], saturated(sums[3 * r + 1]), saturated(sums[3 * r + 2]),
                    static_cast<std::uint32_t>(rounds[r])};
  }

  /// Copies states and times of the present buffers of all replicas to the ghosts.
  template <class MemorySpace>
  void fill_ghosts(const Cells<MemorySpace>& cells, const Box& box, const std::vector<Step>& steps) {
    if (is_serial()) return;
    for (std::size_t r = 0; r < steps.size(); ++r) {
      const std::int64_t begin = cells.first(steps[r].front, static_cast<int>(r), box), end = begin + box.sites(),
                         ghosts = box.first_own();
      const Ends ends{begin + ghosts, end - 2 * ghosts, begin, end - ghosts, ghosts};
      add(cells.states, ends);
      add(cells.times, ends);
    }
    run();
  }
  /// Copies `sums` of the outer tiles of all replicas, [tiles, `numbers`], and whether they were repaired, to the tiles
  /// of other ranks (neighbouring_tile()).
  template <class Sums, class Flags>
  void share_tiles(const Sums& sums, const Flags& repaired, const Box& box, int replicas, std::int64_t numbers) {
    if (is_serial()) return;
    const std::int64_t tiles = box.all_tiles(), layer = std::int64_t{box.tiles[0]} * box.tiles[1];
    for (int r = 0; r < replicas; ++r) {
      const auto ends = [&](std::int64_t of_tile) {
        const std::int64_t others = of_tile * (replicas * tiles + 2 * r * layer), count = of_tile * layer,
                           end = of_tile * (r + 1) * tiles;
        return Ends{end - of_tile * tiles, end - count, others, others + count, count};
      };
      add(sums, ends(numbers));
      add(repaired, ends(1));
    }
    run();
  }

 private:
  /// Indices of the first and the last own entries, of copies of those of the ranks before and after, and their number.
  struct Ends {
    std::int64_t first, last, before, after, count;
  };
  static std::uint32_t saturated(std::uint64_t number) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(number, ~0u));
  }

  template <class View>
  void add(const View& all, const Ends& ends) {
    const auto part = [&](std::int64_t begin) { return Kokkos::subview(all, std::pair(begin, begin + ends.count)); };
    const int before = grid_.neighbour(0, -1), after = grid_.neighbour(0, 1);
    exchange_.send(before, tag_, part(ends.first));
    exchange_.receive(after, tag_, part(ends.after));
    exchange_.send(after, tag_ + 1, part(ends.last));
    exchange_.receive(before, tag_ + 1, part(ends.before));
    tag_ += 2;
  }
  void run() {
    exchange_.start();
    exchange_.wait();
    tag_ = 0;
  }

  parallel::Communicator ranks_;
  parallel::RankGrid grid_;
  parallel::Exchange<ExecutionSpace> exchange_;
  int tag_ = 0;
};

}  // namespace tessera::kmc::space
