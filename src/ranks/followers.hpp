// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <optional>
#include <string>
#include <tessera/parallel/world.hpp>
#include <utility>
#include <vector>

#include "ranks/packed.hpp"
#include "ranks/protocol.hpp"

namespace tessera::program {

/// The other ranks, as rank 0 sees them: none if it is alone.
class Followers {
 public:
  explicit Followers(const parallel::World& world);

  int count() const { return static_cast<int>(names_.size()); }
  const parallel::World& world() const { return world_; }

  /// Follower number `follower` has the replicas from number `first` on, and calls them 0, 1, ...
  void number_replicas(int follower, int first);

  /// Sends a command to follower number `follower`, from 0; to all.
  void tell(int follower, Command command, const Packed& content = {});
  void tell(Command command, const Packed& content = {});

  /// An answer of a follower, with what it holds, once there is one; if there is one now. Notes are taken down.
  std::pair<Answer, Packed> answer(int follower);
  std::optional<std::pair<Answer, Packed>> answer_if_there(int follower);

  /// The answers of all, each done. If any is not, throws the error of the first one that is not, as InputError or
  /// RunError, once all have answered.
  std::vector<Packed> answers();
  /// Throws the error, if the answer is one.
  void require_done(int follower, const std::pair<Answer, Packed>& answer) const;

  /// The first signal to stop that a follower was sent, 0 if none.
  int stop_signal() const { return stop_signal_; }
  /// Whether a follower was asked for a checkpoint since checkpoint_begins() was last called.
  bool checkpoint_asked_for() const { return checkpoint_asked_for_; }
  void checkpoint_begins() { checkpoint_asked_for_ = false; }

  /// Lets all end with this status. Where they expect something else, the job ends at once.
  void end(int status);

 private:
  /// The next message, unless it is a note, which is taken down.
  std::optional<std::pair<Answer, Packed>> next(int follower);
  void take_down(Packed note);

  const parallel::World& world_;
  std::vector<std::string> names_;  ///< of each follower, for messages
  std::vector<int> awaited_;        ///< answers that each is still to give
  int stop_signal_ = 0;
  bool checkpoint_asked_for_ = false;
};

}  // namespace tessera::program
