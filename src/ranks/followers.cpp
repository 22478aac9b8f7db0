// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "ranks/followers.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <tessera/core/error.hpp>

#include "stop_signal.hpp"

namespace tessera::program {
namespace {

bool is_answered(Command command) {
  return command != Command::group && command != Command::over && command != Command::next &&
         command != Command::serve_fields && command != Command::give_up && command != Command::end;
}

}  // namespace

Followers::Followers(const parallel::World& world, const parallel::Communicator& ranks, int answers)
    : world_(world), communicator_(ranks) {
  for (int rank = 1; rank < ranks.size(); ++rank)
    names_.push_back("rank " + std::to_string(world.communicator().rank() + rank));
  awaited_.assign(names_.size(), answers);
}

void Followers::leave_to_heads(const RankGroups& groups) {
  const auto size = static_cast<std::size_t>(groups.own.size());
  std::vector<std::string> heads;
  for (std::size_t rank = size; rank <= names_.size(); rank += size) heads.push_back(names_[rank - 1]);
  communicator_ = groups.heads;
  names_ = std::move(heads);
  awaited_.assign(names_.size(), 1);
  members_ = std::make_unique<Followers>(world_, groups.own, 1);
}

void Followers::number_replicas(int follower, int first) {
  names_[static_cast<std::size_t>(follower)] =
      "rank " + std::to_string(follower + 1) + ", whose replica 0 is replica " + std::to_string(first);
}

void Followers::tell(int follower, Command command, const Packed& content) {
  if (is_answered(command)) ++awaited_[static_cast<std::size_t>(follower)];
  communicator_.send(follower + 1, Packed::of(command, content).bytes());
}

void Followers::tell(Command command, const Packed& content) {
  for (int follower = 0; follower < count(); ++follower) tell(follower, command, content);
}

std::pair<Answer, Packed> Followers::answer(int follower) {
  while (true)
    if (auto answer = next(follower)) return std::move(*answer);
}

std::optional<std::pair<Answer, Packed>> Followers::answer_if_there(int follower) {
  while (communicator_.waits(follower + 1))
    if (auto answer = next(follower)) return answer;
  return std::nullopt;
}

std::optional<std::pair<Answer, Packed>> Followers::next(int follower) {
  Packed message(communicator_.receive(follower + 1));
  const auto kind = message.get<Answer>();
  if (kind == Answer::note) {
    hear_signal(message.get<int>());
    return std::nullopt;
  }
  if (kind != Answer::request && kind != Answer::entry) --awaited_[static_cast<std::size_t>(follower)];
  return std::pair(kind, std::move(message));
}

void Followers::require_done(int follower, const std::pair<Answer, Packed>& answer) const {
  if (answer.first == Answer::done) return;
  auto message = answer.second;
  const std::string text = names_[static_cast<std::size_t>(follower)] + ": " + message.get<std::string>();
  if (answer.first == Answer::input_error) throw InputError(text);
  throw RunError(text);
}

std::vector<Packed> Followers::answers() {
  std::vector<std::pair<Answer, Packed>> all;
  for (int follower = 0; follower < count(); ++follower) all.push_back(answer(follower));
  std::vector<Packed> contents;
  for (int follower = 0; follower < count(); ++follower) {
    require_done(follower, all[static_cast<std::size_t>(follower)]);
    contents.push_back(std::move(all[static_cast<std::size_t>(follower)].second));
  }
  return contents;
}

void Followers::hear() {
  for (int follower = 0; follower < count(); ++follower)
    while (awaited_[static_cast<std::size_t>(follower)] == 0 && communicator_.waits(follower + 1)) next(follower);
  if (members_) members_->hear();
}

bool Followers::owe_answers() const {
  return std::ranges::any_of(awaited_, [](int answers) { return answers != 0; }) ||
         (members_ && members_->owe_answers());
}

void Followers::end(int status) {
  if (owe_answers()) world_.abort(status);
  tell(Command::end, Packed::of(status));
  if (members_) members_->end(status);
}

}  // namespace tessera::program
