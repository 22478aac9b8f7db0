// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "ranks/joined_simulation.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <tessera/analysis/cumulants.hpp>
#include <thread>
#include <utility>
#include <variant>

namespace tessera::program {
namespace {

std::size_t size(int number) { return static_cast<std::size_t>(number); }

const Observable* find(const std::vector<Observable>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &Observable::name);
  return found == all.end() ? nullptr : &*found;
}

/// Skewness and kurtosis are of all replicas together; the moments that they are made of are of each.
void join_cumulants(std::vector<Observable>& all) {
  const std::array moments{find(all, "roughness"), find(all, "moment_3"), find(all, "moment_4")};
  if (std::ranges::find(moments, nullptr) != moments.end()) return;
  const auto joined = analysis::cumulant_observables({moments[0]->values, moments[1]->values, moments[2]->values});
  for (Observable& observable : all)
    for (const Observable& cumulant : joined)
      if (observable.name == cumulant.name) observable = cumulant;
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

JoinedSimulation::JoinedSimulation(std::unique_ptr<SimulationInterface> own, Followers& followers, Shares shares,
                                   std::vector<Packed> made)
    : own_(std::move(own)), followers_(followers), shares_(std::move(shares)) {
  see(std::move(made), true);
}

void JoinedSimulation::see(std::vector<Packed> reports, bool own_arrived) {
  reports_.assign(1, Report(*own_, own_arrived));
  for (Packed& report : reports) reports_.push_back(report.get<Report>());
}

template <class Own>
std::vector<Packed> JoinedSimulation::all(Command command, const Own& own) {
  followers_.tell(command);
  std::exception_ptr failure;
  try {
    own();
  } catch (...) {
    failure = std::current_exception();
  }
  auto answers = followers_.answers();
  if (failure) std::rethrow_exception(failure);
  return answers;
}

bool JoinedSimulation::together(Command command, const Packed& content,
                                const std::function<bool(const std::function<bool()>&)>& own,
                                const std::function<bool()>& keep_going) {
  const int count = followers_.count();
  std::vector<std::optional<std::pair<Answer, Packed>>> answers(size(count));
  bool stopped = false;
  const auto end = [&] {
    if (!stopped) followers_.tell(Command::over);
    stopped = true;
  };
  // Whether to go on: what the followers have to tell is heard now and then, too.
  const auto look = [&] {
    followers_.hear();
    for (int follower = 0; follower < count; ++follower)
      if (!answers[size(follower)] && (answers[size(follower)] = followers_.answer_if_there(follower))) {
        // One that has failed or was stopped by a signal stops all.
        auto answer = *answers[size(follower)];
        if (answer.first != Answer::done || !answer.second.get<Report>().arrived) end();
      }
    if (!keep_going()) end();
    return !stopped;
  };
  followers_.tell(command, content);
  std::exception_ptr failure;
  bool arrived = true;
  try {
    arrived = own(look);
    const auto waiting = [&] { return !std::ranges::all_of(answers, [](const auto& a) { return a.has_value(); }); };
    while (waiting() && !stopped) {
      look();
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  } catch (...) {
    failure = std::current_exception();
  }
  end();
  if (failure && !is_of_all(failure)) std::rethrow_exception(failure);
  for (int follower = 0; follower < count; ++follower)
    if (!answers[size(follower)]) answers[size(follower)] = followers_.answer(follower);
  if (failure) std::rethrow_exception(failure);
  std::vector<Packed> reports;
  for (int follower = 0; follower < count; ++follower) {
    followers_.require_done(follower, *answers[size(follower)]);
    reports.push_back(std::move(answers[size(follower)]->second));
  }
  see(std::move(reports), arrived);
  return std::ranges::all_of(reports_, &Report::arrived);
}

bool JoinedSimulation::start(const std::function<bool()>& keep_going) {
  return together(
      Command::start, {}, [this](const auto& look) { return own_->start(look); }, keep_going);
}

bool JoinedSimulation::advance_all(double until, bool may_stop, const std::function<bool()>& keep_going) {
  const auto own = [&](const std::function<bool()>& look) {
    return own_->time() >= until || own_->advance(until, look);
  };
  return together(Command::advance, Packed::of(until, may_stop), own, keep_going);
}

bool JoinedSimulation::advance(double until, const std::function<bool()>& keep_going) {
  if (advance_all(until, true, keep_going)) return true;
  if (!own_->has_one_time()) return false;
  // Those who were ahead when all were stopped are waited for.
  double latest = 0;
  for (const Report& report : reports_) latest = std::max(latest, report.time);
  advance_all(latest, false, [] { return true; });
  return latest >= until;
}

bool JoinedSimulation::finished() const { return std::ranges::all_of(reports_, &Report::finished); }

double JoinedSimulation::time() const {
  const bool all_early = std::ranges::all_of(reports_, &Report::ended_early);
  double smallest = std::numeric_limits<double>::infinity();
  for (const Report& report : reports_)
    if (all_early || !report.ended_early()) smallest = std::min(smallest, report.time);
  return smallest;
}

std::vector<double> JoinedSimulation::times() const {
  std::vector<double> times;
  for (const Report& report : reports_) append(times, report.times);
  return times;
}

double JoinedSimulation::work() const {
  double sum = 0;
  for (const Report& report : reports_) sum += report.work;
  return sum;
}

double JoinedSimulation::work_goal() const {
  double sum = 0;
  for (const Report& report : reports_) sum += report.work_goal;
  return sum;
}

std::size_t JoinedSimulation::bytes() const {
  std::size_t sum = 0;
  for (const Report& report : reports_) sum += report.bytes;
  return sum;
}

std::vector<Observable> JoinedSimulation::measure() {
  std::vector<Observable> joined;
  for (Packed& answer : all(Command::measure, [&] { joined = own_->measure(); })) {
    const auto others = answer.get<std::vector<Observable>>();
    for (std::size_t i = 0; i < joined.size(); ++i) {
      append(joined[i].values, others.at(i).values);
      append(joined[i].errors, others.at(i).errors);
    }
  }
  join_cumulants(joined);
  return joined;
}

std::vector<History> JoinedSimulation::drain_histories() {
  std::vector<std::vector<History>> histories(1);
  for (Packed& answer : all(Command::history, [&] { histories[0] = own_->drain_histories(); }))
    histories.push_back(answer.get<std::vector<History>>());
  std::vector<int> first(shares_.size());
  std::exclusive_scan(shares_.begin(), shares_.end(), first.begin(), 0);
  return own_->join_histories(histories, first);
}

template <class T>
io::Parts<T> JoinedSimulation::joined(std::size_t number, std::size_t of_a_replica, const io::Parts<T>& own) {
  return [this, number, of_a_replica, own](std::size_t first, std::span<T> part) {
    std::size_t begin = 0;
    for (int rank = 0; rank <= followers_.count(); ++rank) {
      const std::size_t end = begin + size(shares_[size(rank)]) * of_a_replica;
      const std::size_t from = std::max(first, begin), to = std::min(first + part.size(), end);
      if (from < to && rank == 0) own(from, part.subspan(from - first, to - from));
      if (from < to && rank > 0) {
        followers_.tell(rank - 1, Command::field_part, Packed::of(number, from - begin, to - from));
        followers_.require_done(rank - 1, followers_.answer(rank - 1));
        followers_.communicator().receive(rank, std::as_writable_bytes(part.subspan(from - first, to - from)));
      }
      begin = end;
    }
  };
}

std::vector<Field> JoinedSimulation::fields() {
  std::vector<Field> fields;
  all(Command::fields, [&] { fields = own_->fields(); });
  std::size_t replicas = 0;
  for (const int share : shares_) replicas += size(share);
  for (std::size_t number = 0; number < fields.size(); ++number) {
    Field& field = fields[number];
    const std::size_t of_a_replica =
        std::accumulate(field.shape.begin(), field.shape.end(), std::size_t{1}, std::multiplies<>());
    const auto join = [&](auto& data) {
      if constexpr (requires { data.size(); }) {
        const io::Parts<double> own = [&data](std::size_t first, std::span<double> part) {
          std::copy_n(data.begin() + static_cast<std::ptrdiff_t>(first), part.size(), part.begin());
        };
        std::vector<double> all_values(replicas * of_a_replica);
        joined(number, of_a_replica, own)(0, std::span(all_values));
        data = std::move(all_values);
      } else {
        data = joined(number, of_a_replica, data);
      }
    };
    std::visit(join, field.data);
  }
  return fields;
}

std::vector<ParticleFrame> JoinedSimulation::particles() {
  std::vector<ParticleFrame> frames;
  const auto answers = all(Command::particles, [&] { frames = own_->particles(); });
  for (int follower = 0; follower < followers_.count(); ++follower)
    for (ParticleFrame& frame : frames)
      for (int replica = 0; replica < shares_[size(follower) + 1]; ++replica) {
        const auto bytes = followers_.communicator().receive(follower + 1);
        auto& positions = frame.positions.emplace_back(bytes.size() / sizeof(std::array<double, 2>));
        std::memcpy(positions.data(), bytes.data(), bytes.size());
      }
  return frames;
}

void JoinedSimulation::save(io::CheckpointWriter& checkpoint) const {
  followers_.tell(Command::save);
  save_joined(*own_, followers_, shares_, checkpoint);
}

void JoinedSimulation::load(const io::CheckpointReader& checkpoint) {
  followers_.tell(Command::load);
  see(load_joined(*own_, followers_, shares_, checkpoint), true);
}

}  // namespace tessera::program
