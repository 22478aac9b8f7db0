// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/replica_groups.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <tessera/analysis/moments.hpp>
#include <tessera/io/checkpoint.hpp>
#include <tessera/parallel/rank_zero.hpp>
#include <tuple>
#include <utility>

namespace tessera::program {
namespace {

using Lists = std::vector<std::vector<double>*>;

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

/// Puts rows of several groups into turns of the replicas.
void sort_in_turns(History& table) {
  std::map<double, std::size_t> turns;
  std::vector<std::tuple<std::size_t, double, std::size_t>> order;  // turn, replica, row
  for (const double replica : table.columns[0]) order.emplace_back(turns[replica]++, replica, order.size());
  std::ranges::sort(order);
  for (auto& column : table.columns) {
    std::vector<double> sorted;
    for (const auto& [turn, replica, row] : order) sorted.push_back(column[row]);
    column = std::move(sorted);
  }
}

}  // namespace

ReplicaGroups::ReplicaGroups(std::unique_ptr<SimulationInterface> part, const parallel::RankGroups& groups)
    : part_(std::move(part)), groups_(groups) {
  exchange_states();
}

/// All ranks: the result of work(). A failure of a rank is thrown at all.
template <class Work>
auto ReplicaGroups::agreed(const Work& work) const {
  decltype(work()) result;
  parallel::agreed(groups_.all, groups_.name(), [&] { result = work(); });
  return result;
}

/// All ranks: joins each list of several groups, one group after another, at rank 0, and clears it at other ranks.
void ReplicaGroups::join(const Lists& lists) const {
  if (!several()) return;
  std::vector<double> mine;  // each list after its length
  for (std::vector<double>* list : lists) {
    mine.push_back(static_cast<double>(list->size()));
    mine.insert(mine.end(), list->begin(), list->end());
    list->clear();
  }
  if (!groups_.is_head()) return;
  for (const auto& bytes : groups_.heads.gather(std::as_bytes(std::span(mine)))) {
    const auto* next = reinterpret_cast<const double*>(bytes.data());
    for (std::vector<double>* list : lists) {
      const auto* const first = next + 1;
      next = first + static_cast<std::size_t>(*next);
      list->insert(list->end(), first, next);
    }
  }
}

/// All ranks: exchanges the states of all groups, of which all ranks of a group have the same.
void ReplicaGroups::exchange_states() {
  const auto of_all = [&](const std::vector<double>& mine, std::int64_t first, int count) {
    std::vector<double> all(static_cast<std::size_t>(count), -std::numeric_limits<double>::infinity());
    std::ranges::copy(mine, all.begin() + first);
    groups_.all.max(std::span(all));
    return all;
  };
  const auto of_groups = [&](double mine) { return of_all({mine}, groups_.number(), groups_.count()); };
  finished_ = of_groups(part_->finished() ? 1 : 0);
  time_ = of_groups(part_->time());
  work_ = of_groups(part_->work());
  stopping_work_ = of_groups(part_->stopping_work());
  times_ = of_all(part_->times(), groups_.share().first, groups_.replicas);
  absorbed_ = of_all(part_->absorbed(), groups_.share().first, groups_.replicas);
}

/// All ranks: each group calls advance_part(go_on), which regularly calls go_on(), until all groups have finished or a
/// rank requests a stop. Returns whether all have finished.
template <class Advance>
bool ReplicaGroups::advance_groups(bool starts, const Advance& advance_part, const KeepGoing& keep_going) {
  // While a group advances, all of its ranks call go_on(); during start(), only its head does.
  std::optional<parallel::Meeting> meeting;
  if (starts ? at_several_heads() : several()) meeting.emplace(starts ? groups_.heads : groups_.all);
  const auto go_on = [&] { return meeting ? meeting->continues(!keep_going()) : keep_going(); };
  bool arrived = false;
  const std::exception_ptr failure = parallel::failure_of([&] { arrived = advance_part(go_on); });
  const bool all_arrived = meeting && meeting->wait([&] { return !arrived || !keep_going(); }) && !starts;
  exchange_states();
  if (all_arrived) return arrived;
  parallel::agree_on_failure(groups_.all, failure, groups_.name());
  return groups_.all.all(arrived);
}

bool ReplicaGroups::start(const KeepGoing& keep_going) {
  return advance_groups(
      true, [this](const auto& go_on) { return part_->start(go_on); }, keep_going);
}

bool ReplicaGroups::advance(double until, const KeepGoing& keep_going) {
  const auto to_the_stop = [&](const auto& go_on) { return part_->time() >= until || part_->advance(until, go_on); };
  if (advance_groups(false, to_the_stop, keep_going)) return true;
  if (!has_one_time()) return false;
  // Waits for the groups that were ahead at the stop, which may be between the sweep and the sample of its end.
  for (;;) {
    const auto [earliest, latest] = std::ranges::minmax(time_);
    if (!(earliest < latest)) return latest >= until;
    const auto to_the_latest = [this, time = latest](const auto& go_on) {
      const auto is_behind = [&] { return go_on() && part_->time() < time; };
      return part_->time() >= time || part_->advance(time, is_behind) || part_->time() >= time;
    };
    advance_groups(false, to_the_latest, [] { return true; });
  }
}

bool ReplicaGroups::finished() const { return std::ranges::count(finished_, 0.0) == 0; }

/// The smallest time of the groups that have not ended early, if there is one.
double ReplicaGroups::time() const {
  constexpr double none = std::numeric_limits<double>::infinity();
  double smallest = none, of_ended = none;
  for (std::size_t g = 0; g < time_.size(); ++g) {
    double& least = finished_[g] != 0 && time_[g] < stopping_time() ? of_ended : smallest;
    least = std::min(least, time_[g]);
  }
  return smallest < none ? smallest : of_ended;
}

std::vector<Observable> ReplicaGroups::measure() {
  std::vector<Observable> all = agreed([&] { return part_->measure(); });
  Lists lists;
  for (Observable& one : all) lists.insert(lists.end(), {&one.values, &one.errors});
  join(lists);
  if (several() && groups_.all.rank() == 0) join_cumulants(all);
  return all;
}

std::vector<AveragedFunction> ReplicaGroups::functions(double from) {
  std::vector<AveragedFunction> all = agreed([&] { return part_->functions(from); });
  Lists lists;
  for (AveragedFunction& one : all) lists.push_back(&one.values);
  join(lists);
  return all;
}

std::vector<History> ReplicaGroups::drain_histories() {
  std::vector<History> tables = part_->drain_histories();
  if (!several()) return tables;
  Lists lists;
  for (History& table : tables) {
    if (table.names.front() == "replica" && !table.columns.empty())
      for (double& replica : table.columns[0]) replica += static_cast<double>(groups_.share().first);
    for (auto& column : table.columns) lists.push_back(&column);
  }
  join(lists);
  for (History& table : tables)
    if (table.in_turns && !table.empty()) sort_in_turns(table);
  return tables;
}

/// Data of a field of all replicas. `field`: of the replicas of this group.
parallel::Gather<std::byte> ReplicaGroups::of_all(const Field& field) const {
  std::vector<std::size_t> shape = field.shape;
  shape.insert(shape.begin(), static_cast<std::size_t>(groups_.share().size()));
  return [this, part = field.data, pieces = groups_.pieces(shape, 0, io::element_size(field.type))](
             std::size_t first, std::size_t count, std::span<std::byte> to) {
    const auto read = [&](std::size_t from, std::span<std::byte> bytes) { part(from, bytes.size(), bytes); };
    if (groups_.is_head()) return parallel::gather_elements(groups_.heads, pieces, first, count, to, read);
    // The other ranks of a group contribute to the gather at its head.
    const parallel::Pieces& mine = pieces[static_cast<std::size_t>(groups_.number())];
    parallel::in_stretches<std::byte>(first, count, [&](std::size_t begin, std::size_t end) {
      if (const std::size_t n = mine.count(begin, end); n > 0) part(mine.count(0, begin), n, {});
    });
  };
}

std::vector<Field> ReplicaGroups::fields() {
  std::vector<Field> fields = agreed([&] { return part_->fields(); });
  if (several())
    for (Field& field : fields) field.data = of_all(field);
  return fields;
}

std::vector<ParticleFrame> ReplicaGroups::particles() {
  std::vector<ParticleFrame> frames = agreed([&] { return part_->particles(); });
  if (!at_several_heads()) return frames;
  for (ParticleFrame& frame : frames) {
    if (groups_.number() > 0)
      for (const auto& positions : frame.positions) groups_.heads.send(0, std::as_bytes(std::span(positions)));
    else
      for (int group = 1; group < groups_.count(); ++group)
        for (int replica = 0; replica < groups_.share(group).size(); ++replica) {
          auto& positions = frame.positions.emplace_back(particles_of_replica());
          groups_.heads.receive(group, std::as_writable_bytes(std::span(positions)));
        }
  }
  return frames;
}

parallel::PartsOfEntry ReplicaGroups::parts_of_heads() const {
  return [this](const std::string& entry, auto& shape, std::size_t element) {
    const auto dimension = part_->replica_dimension(entry);
    return dimension ? groups_.pieces(shape, *dimension, element) : std::vector<parallel::Pieces>();
  };
}

void ReplicaGroups::save(io::CheckpointWriter& checkpoint) const {
  if (!at_several_heads()) return part_->save(checkpoint);
  parallel::SharedWriter of_all(checkpoint, groups_.heads, parts_of_heads(), groups_.name());
  of_all.entries([&] { part_->save(of_all); });
}

void ReplicaGroups::load(const io::CheckpointReader& checkpoint) {
  parallel::agreed(groups_.all, groups_.name(), [&] {
    if (!at_several_heads()) return part_->load(checkpoint);
    const parallel::SharedReader of_all(checkpoint, groups_.heads, parts_of_heads(), groups_.name());
    of_all.entries([&] { part_->load(of_all); });
  });
  exchange_states();
}

}  // namespace tessera::program
