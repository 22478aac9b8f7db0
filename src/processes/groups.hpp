// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "processes/compile.hpp"

namespace tessera::processes {

/// A digit of the number of a neighbourhood: the species of a site, or a sum over patterns, such as dE.
struct Coordinate {
  LatticeSite site;
  std::vector<SpeciesSet> values;  ///< the species of the site that have each value; empty: a sum
  std::vector<Pattern> patterns = {};
  std::size_t stride = 0;

  bool is_sum() const { return values.empty(); }
  /// The smallest sum, which has the value 0.
  std::int64_t least() const;
  std::size_t size() const;
  /// The value of a species on the site.
  std::size_t of(std::size_t species) const;
};

/// Copies of processes with a common table.
struct Group {
  struct Member {
    std::size_t process;  ///< index in CompiledModel::processes
    const Process* copy;
  };
  std::vector<Member> members;
  std::vector<Coordinate> coordinates;

  /// Number of entries of its table.
  double size() const;
};

/// The bystanders that are counted in one number, by this number (Rate).
std::map<std::size_t, std::vector<Pattern>> counted_sites(const CompiledModel& compiled, const Process& copy,
                                                          const Rate& rate);

/// Sums that tables distinguish, with their factors in dE: one, or where it has too many values one for each energy.
std::vector<std::pair<std::int64_t, std::vector<Pattern>>> sums_of(const Change& change);

/// The copies of all processes that can happen: in one group if the sites of all neighbours have a stride of their own,
/// otherwise in groups whose tables are small. Throws InputError if they are too large for any division.
std::vector<Group> groups_of(const ModelFile& model, const CompiledModel& compiled, Rates& rates);

/// Sets the sums of the tables, of entries and joint tables, and their weights.
void add_sums(const std::vector<Group>& groups, CompiledModel& compiled);

/// A change of a site by an outcome.
struct SiteChange {
  LatticeSite at;
  std::size_t before, after;  ///< species

  auto operator<=>(const SiteChange&) const = default;
};

/// Appends the list of an outcome to the tables, and returns its index.
std::uint32_t add_list(const std::vector<Group>& groups, const std::vector<SiteChange>& changes,
                       CompiledModel& compiled);

/// Sets what the outcomes with these lists, by their changes, add to the sums of the cells that they affect.
void add_differences(const std::map<std::vector<SiteChange>, std::uint32_t>& lists, CompiledModel& compiled);

}  // namespace tessera::processes
