// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tessera/parallel/world.hpp>
#include <utility>
#include <vector>

#include "ranks/packed.hpp"
#include "ranks/protocol.hpp"
#include "ranks/rank_groups.hpp"

namespace tessera::program {

/// The other ranks of a communicator, as its rank 0 sees them: none if it is alone.
class Followers {
 public:
  /// All ranks; neighbours from this one on, who still owe so many answers.
  explicit Followers(const parallel::World& world) : Followers(world, world.communicator(), 0) {}
  Followers(const parallel::World& world, const parallel::Communicator& ranks, int answers);

  int count() const { return static_cast<int>(names_.size()); }
  const parallel::World& world() const { return world_; }
  const parallel::Communicator& communicator() const { return communicator_; }

  /// Once all have been told Command::make: the heads of the other groups are left, and members() are those of the
  /// group of this rank. All of them owe the answer to it.
  void leave_to_heads(const RankGroups& groups);
  Followers& members() { return *members_; }

  /// Follower number `follower` has the replicas from number `first` on, and calls them 0, 1, ...
  void number_replicas(int follower, int first);

  /// Sends a command to follower number `follower`, from 0; to all.
  void tell(int follower, Command command, const Packed& content = {});
  void tell(Command command, const Packed& content = {});

  /// An answer of a follower, with what it holds, once there is one; if there is one now. Notes are taken down: a
  /// signal to a follower is one to this rank.
  std::pair<Answer, Packed> answer(int follower);
  std::optional<std::pair<Answer, Packed>> answer_if_there(int follower);

  /// The answers of all, each done. If any is not, throws the error of the first one that is not, as InputError or
  /// RunError, once all have answered.
  std::vector<Packed> answers();
  /// Throws the error, if the answer is one.
  void require_done(int follower, const std::pair<Answer, Packed>& answer) const;

  /// Takes down the notes of those that owe no answer, members() among them.
  void hear();

  /// Lets all end with this status, members() among them. Where they expect something else, the job ends at once.
  void end(int status);

 private:
  /// The next message, unless it is a note, which is taken down.
  std::optional<std::pair<Answer, Packed>> next(int follower);
  bool owe_answers() const;

  const parallel::World& world_;
  parallel::Communicator communicator_;
  std::vector<std::string> names_;      ///< of each follower, for messages
  std::vector<int> awaited_;            ///< answers that each is still to give
  std::unique_ptr<Followers> members_;  ///< null until leave_to_heads()
};

}  // namespace tessera::program
