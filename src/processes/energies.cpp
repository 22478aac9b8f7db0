// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "options/text.hpp"
#include "processes/compile.hpp"

namespace tessera::processes {
namespace {

constexpr std::size_t most_in_cluster = 16;  ///< of a cluster

/// Energies as whole numbers of a unit, in eV, their largest common divisor. Throws InputError if one is not a multiple
/// of a third of 1e-9 eV.
std::pair<std::vector<std::int64_t>, double> in_units(const ModelFile& model, const std::vector<double>& energies) {
  constexpr double rounding = 2e-12, parts = 3e9;
  std::vector<std::int64_t> numbers;
  std::int64_t divisor = 0;
  for (const double energy : energies) {
    divisor = std::gcd(divisor, numbers.emplace_back(std::llround(energy * parts)));
    if (std::abs(energy - static_cast<double>(numbers.back()) / parts) >= rounding)
      model.source.refuse(model.energies[numbers.size() - 1].energy.line,
                          "energies of clusters must be multiples of 1e-9 eV, or of a third of it; use fewer digits");
  }
  if (divisor == 0) return {numbers, 1};
  for (std::int64_t& one : numbers) one /= divisor;
  return {numbers, static_cast<double>(divisor) / parts};
}

}  // namespace

bool depends_on_change(const Process& process) {
  return std::ranges::any_of(std::array{process.otf_rate.text, process.energy.text}, [](const std::string& text) {
    return !text.empty() && std::ranges::count(Expression(text).names(), "dE") > 0;
  });
}

ClusterEnergies cluster_energies(const ModelFile& model, Values& values) {
  std::vector<double> energies;
  for (const Process& cluster : model.energies) {
    if (cluster.conditions.size() > most_in_cluster)
      model.source.refuse(cluster.line, cluster.name + ": has " + std::to_string(cluster.conditions.size()) +
                                            " sites, more than " + std::to_string(most_in_cluster));
    const double energy =
        energies.emplace_back(values.fixed(values.formula(cluster.energy, "energy of " + cluster.name)));
    if (!(std::abs(energy) < 1e6))
      model.source.refuse(cluster.energy.line, "energy of " + cluster.name + ": is " + program::write_value(energy) +
                                                   " eV; use less than 1e6");
  }
  const auto [numbers, unit] = in_units(model, energies);
  ClusterEnergies all{unit, {}};
  for (std::size_t i = 0; i < energies.size(); ++i)
    for (Process& copy : oriented(model, model.energies[i])) {
      copy.change.patterns = {{copy.conditions, numbers[i]}};
      all.clusters.push_back(std::move(copy));
    }
  return all;
}

Change change_of(const std::vector<Process>& clusters, const std::vector<SpeciesSet>& found, const Process& copy) {
  const auto species_at = [&](const LatticeSite& at, bool is_after) {
    const auto action = std::ranges::find(copy.actions, at, &Action::at);
    if (is_after && action != copy.actions.end()) return SpeciesSet{1} << action->species;
    const auto condition = std::ranges::find(copy.conditions, at, &Condition::at);
    return found[at.site] & (condition == copy.conditions.end() ? ~SpeciesSet{0} : condition->species);
  };
  std::map<std::vector<Condition>, std::int64_t> sum;
  const auto add = [&](const Pattern& cluster, const LatticeSite& by, bool is_after) {
    std::vector<Condition> open;
    for (auto [at, species] : cluster.conditions) {
      at = at + by;
      const SpeciesSet its = species_at(at, is_after);
      if ((its & species) == 0) return;
      if ((its & ~species) != 0) open.push_back({at, its & species});
    }
    std::ranges::sort(open);
    sum[open] += is_after ? cluster.weight : -cluster.weight;
  };
  for (const Process& one : clusters) {
    const Pattern& cluster = one.change.patterns.front();
    std::set<LatticeSite> offsets;  // at which it has a site that changes
    for (const Action& action : copy.actions)
      for (const auto& [at, species] : cluster.conditions)
        if (at.site == action.at.site) offsets.insert((action.at - at).cell());
    for (const LatticeSite& by : offsets)
      for (const bool is_after : {false, true}) add(cluster, by, is_after);
  }
  Change change;
  std::int64_t divisor = 0;
  for (const auto& [conditions, weight] : sum)
    if (conditions.empty()) {
      change.constant = weight;
    } else if (weight != 0) {
      change.patterns.push_back({conditions, weight});
      divisor = std::gcd(divisor, weight);
    }
  if (change.patterns.empty()) return change;
  change.step = change.patterns.front().weight < 0 ? -divisor : divisor;
  for (Pattern& one : change.patterns) one.weight /= change.step;
  return change;
}

}  // namespace tessera::processes
