// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/pieces.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <thread>
#include <vector>

namespace tessera::parallel {

/// All ranks in groups of neighbours, by default one group of one rank. The replicas are divided into one block per
/// group; the ranks of a group share each of its replicas (Distribution). Rank 0 of a group is its head.
struct RankGroups {
  Communicator all;
  Communicator members;  ///< the group of this rank
  Communicator heads;    ///< heads of all groups; valid at heads only
  int size = 1;          ///< ranks of a group
  int replicas = 0;      ///< of all groups

  RankGroups() = default;
  /// All ranks: groups of this size, which divides the number of ranks.
  RankGroups(const Communicator& of, int ranks_of_group, int replicas_of_all)
      : all(of),
        members(ranks_of_group == 1 ? Communicator() : all.split(all.rank() / ranks_of_group)),
        heads(all.split(all.rank() % ranks_of_group)),
        size(ranks_of_group),
        replicas(replicas_of_all) {}

  int count() const { return all.size() / size; }
  int number() const { return all.rank() / size; }  ///< of this rank's group
  bool is_head() const { return members.rank() == 0; }
  /// The replicas of a group, and of this rank's.
  Block share(int group) const { return block(replicas, count(), group); }
  Block share() const { return share(number()); }

  /// Prefix of this rank's error messages: "rank 3, whose replica 0 is replica 6: ". Empty at rank 0.
  std::string name() const {
    if (all.rank() == 0) return "";
    const std::string of_replica = ", whose replica 0 is replica " + std::to_string(share().first);
    return "rank " + std::to_string(all.rank()) + (share().first > 0 ? of_replica : "") + ": ";
  }

  /// The parts of all groups in an array whose dimension `dimension` numbers the replicas. `shape` is changed from that
  /// of this group's part to that of the whole. Pieces count an element as `element`.
  std::vector<Pieces> pieces(std::vector<std::size_t>& shape, std::size_t dimension, std::size_t element = 1) const {
    const auto number = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    shape.at(dimension) = shape.at(dimension) / number(share().size()) * number(replicas);
    std::size_t before = 1, of_all = element;
    for (std::size_t i = 0; i < shape.size(); ++i) (i < dimension ? before : of_all) *= shape[i];
    const std::size_t of_one = of_all / number(replicas);
    std::vector<Pieces> pieces;
    for (int group = 0; group < count(); ++group)
      pieces.push_back(
          {before, {{of_all, 1, number(share(group).first) * of_one, number(share(group).size()) * of_one, 0, 1}}});
    return pieces;
  }
};

/// Synchronization of ranks that compute at their own pace until all have arrived, or one of them requests a stop. All
/// ranks construct one for each stop, and call wait() on arrival.
class Meeting {
 public:
  explicit Meeting(const Communicator& ranks) : ranks_(ranks) {}

  /// Called regularly by a computing rank; `stop` requests a stop. Returns whether to continue.
  bool continues(bool stop) { return !over(stop, true) && !stop; }

  /// Called by a rank that has arrived or stopped; returns when all have. Calls stop() regularly. Returns whether all
  /// ranks have arrived and none has requested a stop.
  template <class Stop>
  bool wait(const Stop& stop) {
    while (!over(stop(), false)) std::this_thread::sleep_for(std::chrono::microseconds(50));
    return !stopped_;
  }

 private:
  /// Runs rounds of a collective. Each round determines whether any rank requests a stop and whether any rank computes.
  bool over(bool stop, bool computes) {
    stop_ = stop_ || stop;
    if (over_) return true;
    // A computing rank starts no round in the first millisecond: one round suffices if it arrives soon.
    if (!round_ && computes && !stop_ && Clock::now() < begin_ + std::chrono::milliseconds(1)) return false;
    if (!round_) round_ = ranks_.begin_max(std::array<std::int64_t, 2>{stop_, computes});
    std::array<std::int64_t, 2> any{};
    if (!ranks_.is_complete(*round_, any)) return false;
    round_.reset();
    stopped_ = any[0] != 0;
    over_ = stopped_ || any[1] == 0;
    return over_;
  }

  using Clock = std::chrono::steady_clock;

  Communicator ranks_;
  Clock::time_point begin_ = Clock::now();
  std::shared_ptr<Communicator::Pending> round_;
  bool stop_ = false, stopped_ = false, over_ = false;
};

}  // namespace tessera::parallel
