// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/replica_groups.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <span>
#include <tessera/analysis/cumulants.hpp>
#include <tessera/io/checkpoint.hpp>
#include <tessera/parallel/agreed.hpp>
#include <tessera/parallel/meeting.hpp>
#include <utility>
#include <variant>

#include "run/groups_checkpoint.hpp"

namespace tessera::program {
namespace {

const Observable* find(const std::vector<Observable>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &Observable::name);
  return found == all.end() ? nullptr : &*found;
}

/// Recomputes skewness and kurtosis of all replicas together from the moments of each replica.
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

ReplicaGroups::ReplicaGroups(std::unique_ptr<SimulationInterface> part, const parallel::Communicator& world,
                             const RankGroups& groups)
    : part_(std::move(part)), world_(world), groups_(groups), bytes_(world.sum(std::uint64_t{part_->bytes()})) {
  exchange_states();
}

template <class Work>
void ReplicaGroups::agreed(const Work& work) const {
  parallel::agreed(world_, groups_.name(), work);
}

/// All ranks: exchanges the states of all groups.
void ReplicaGroups::exchange_states() {
  std::vector<double> all{part_->finished() ? 1.0 : 0.0, part_->time(), part_->work(), part_->work_goal()};
  const std::size_t numbers = all.size();
  append(all, part_->times());
  append(all, part_->absorbed());
  join({&all});
  all.resize(numbers * groups_.shares.size() + 2 * static_cast<std::size_t>(groups_.replicas()));
  world_.broadcast(std::as_writable_bytes(std::span(all)));
  states_.clear();
  const double* next = all.data();
  for (const int share : groups_.shares) {
    const double* const times = next + numbers;
    states_.push_back(
        {next[0] != 0, next[1], next[2], next[3], {times, times + share}, {times + share, times + 2 * share}});
    next = times + 2 * share;
  }
}

/// All ranks: gathers the values of each group, of any number, at rank 0; empty at other ranks.
std::vector<ReplicaGroups::Lists> ReplicaGroups::gather(const Lists& mine) const {
  std::vector<Lists> all;
  if (!groups_.is_head()) return all;
  std::vector<double> flat;
  for (const auto& list : mine) {
    flat.push_back(static_cast<double>(list.size()));
    append(flat, list);
  }
  for (const auto& bytes : groups_.heads.gather(std::as_bytes(std::span(flat)))) {
    const auto* next = reinterpret_cast<const double*>(bytes.data());
    const auto* const end = next + bytes.size() / sizeof(double);
    Lists& lists = all.emplace_back();
    while (next != end) {
      const auto size = static_cast<std::size_t>(*next++);
      lists.emplace_back(next, next + size);
      next += size;
    }
  }
  return all;
}

/// All ranks: replaces each list by those of all groups, one after another, at rank 0; clears it at other ranks.
void ReplicaGroups::join(const std::vector<std::vector<double>*>& lists) const {
  Lists mine;
  for (std::vector<double>* list : lists) mine.push_back(std::exchange(*list, {}));
  for (const Lists& of_group : gather(mine))
    for (std::size_t i = 0; i < lists.size(); ++i) append(*lists[i], of_group.at(i));
}

/// All ranks: each group calls advance_part(), which regularly calls keep_going(), until all groups have finished or a
/// rank requests a stop. Returns whether all have finished.
bool ReplicaGroups::advance_groups(const std::function<bool(const std::function<bool()>&)>& advance_part,
                                   const std::function<bool()>& keep_going, bool starts) {
  // While a group advances, all of its ranks call keep_going(); during the start, only its head does.
  std::optional<parallel::Meeting> meeting;
  if (several() && (!starts || groups_.is_head())) meeting.emplace(starts ? groups_.heads : world_);
  const auto go_on = [&] { return meeting ? meeting->continues(!keep_going()) : keep_going(); };
  bool arrived = false;
  const std::exception_ptr failure = parallel::failure_of([&] { arrived = advance_part(go_on); });
  const bool all_arrived = meeting && meeting->wait([&] { return !arrived || !keep_going(); }) && !starts;
  exchange_states();
  if (all_arrived) return arrived;
  parallel::agree_on_failure(world_, failure, groups_.name());
  return world_.all(arrived);
}

bool ReplicaGroups::start(const std::function<bool()>& keep_going) {
  return advance_groups([this](const auto& go_on) { return part_->start(go_on); }, keep_going, true);
}

bool ReplicaGroups::advance(double until, const std::function<bool()>& keep_going) {
  const auto advance_part = [&](const std::function<bool()>& go_on) {
    return part_->time() >= until || part_->advance(until, go_on);
  };
  if (advance_groups(advance_part, keep_going, false)) return true;
  if (!has_one_time()) return false;
  // Waits for the groups that were ahead at the stop, which may be between the sweep and the sample of its end.
  for (;;) {
    const auto [earliest, latest] = std::ranges::minmax(states_, {}, &GroupState::time);
    if (!(earliest.time < latest.time)) return latest.time >= until;
    const auto catch_up = [this, time = latest.time](const std::function<bool()>& go_on) {
      const auto is_behind = [&] { return go_on() && part_->time() < time; };
      return part_->time() >= time || part_->advance(time, is_behind) || part_->time() >= time;
    };
    advance_groups(
        catch_up, [] { return true; }, false);
  }
}

bool ReplicaGroups::finished() const { return std::ranges::all_of(states_, &GroupState::finished); }

double ReplicaGroups::time() const {
  const bool all_early = std::ranges::all_of(states_, [this](const GroupState& s) { return ended_early(s); });
  double smallest = std::numeric_limits<double>::infinity();
  for (const GroupState& s : states_)
    if (all_early || !ended_early(s)) smallest = std::min(smallest, s.time);
  return smallest;
}

std::vector<double> ReplicaGroups::joined(std::vector<double> GroupState::*lists) const {
  std::vector<double> all;
  for (const GroupState& s : states_) append(all, s.*lists);
  return all;
}

double ReplicaGroups::sum(double GroupState::*number) const {
  double sum = 0;
  for (const GroupState& s : states_) sum += s.*number;
  return sum;
}

std::vector<Observable> ReplicaGroups::measure() {
  std::vector<Observable> joined;
  agreed([&] { joined = part_->measure(); });
  if (!several()) return joined;
  std::vector<std::vector<double>*> lists;
  for (Observable& one : joined) lists.insert(lists.end(), {&one.values, &one.errors});
  join(lists);
  if (world_.rank() == 0) join_cumulants(joined);
  return joined;
}

std::vector<AveragedFunction> ReplicaGroups::functions(double from) {
  std::vector<AveragedFunction> joined;
  agreed([&] { joined = part_->functions(from); });
  if (!several()) return joined;
  std::vector<std::vector<double>*> lists;
  for (AveragedFunction& one : joined) lists.push_back(&one.values);
  join(lists);
  return joined;
}

std::vector<History> ReplicaGroups::drain_histories() {
  const std::vector<History> drained = part_->drain_histories();
  Lists mine;
  for (const History& table : drained) append(mine, table.columns);
  std::vector<std::vector<History>> histories;
  for (const Lists& of_group : gather(mine)) {
    auto column = of_group.begin();
    for (History& table : histories.emplace_back(drained))
      for (auto& values : table.columns) values = *column++;
  }
  return histories.empty() ? std::vector<History>() : part_->join_histories(histories, groups_.firsts());
}

/// Field of all replicas, each with this shape. `part`: field of the replicas of this group.
template <class T>
parallel::Gather<T> ReplicaGroups::of_all(const parallel::Gather<T>& part,
                                          const std::vector<std::size_t>& shape) const {
  std::vector<std::size_t> all{static_cast<std::size_t>(groups_.share())};
  append(all, shape);
  return
      [this, part, pieces = pieces_of_groups(groups_, all, 0)](std::size_t first, std::size_t count, std::span<T> to) {
        const auto read = [&](std::size_t from, std::span<T> elements) { part(from, elements.size(), elements); };
        if (groups_.is_head()) return parallel::gather_elements(groups_.heads, pieces, first, count, to, read);
        // The other ranks of a group contribute to the gather at its head.
        const parallel::Pieces& mine = pieces[static_cast<std::size_t>(groups_.number)];
        parallel::in_stretches<T>(first, count, [&](std::size_t begin, std::size_t end) {
          if (const std::size_t n = mine.count(begin, end); n > 0) part(mine.first_own(begin, end), n, {});
        });
      };
}

std::vector<Field> ReplicaGroups::fields() {
  std::vector<Field> fields;
  agreed([&] { fields = part_->fields(); });
  if (!several()) return fields;
  for (Field& field : fields)
    std::visit(
        [&](auto& data) {
          if constexpr (requires { data.size(); }) {
            join(std::vector<std::vector<double>*>{&data});
          } else {
            data = of_all(data, field.shape);
          }
        },
        field.data);
  return fields;
}

std::vector<ParticleFrame> ReplicaGroups::particles() {
  std::vector<ParticleFrame> frames;
  agreed([&] { frames = part_->particles(); });
  if (!groups_.is_head()) return frames;
  for (ParticleFrame& frame : frames) {
    if (groups_.number > 0)
      for (const auto& positions : frame.positions) groups_.heads.send(0, std::as_bytes(std::span(positions)));
    if (groups_.number > 0) continue;
    for (int group = 1; group < groups_.heads.size(); ++group)
      for (int replica = 0; replica < groups_.shares[static_cast<std::size_t>(group)]; ++replica) {
        auto& positions = frame.positions.emplace_back(particles_of_replica());
        groups_.heads.receive(group, std::as_writable_bytes(std::span(positions)));
      }
  }
  return frames;
}

void ReplicaGroups::save(io::CheckpointWriter& checkpoint) const {
  if (several() && groups_.is_head()) return save_groups(*part_, groups_, checkpoint);
  part_->save(checkpoint);
}

void ReplicaGroups::load(const io::CheckpointReader& checkpoint) {
  agreed([&] {
    if (several() && groups_.is_head()) return load_groups(*part_, groups_, checkpoint);
    part_->load(checkpoint);
  });
  exchange_states();
}

}  // namespace tessera::program
