// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include "processes/groups.hpp"

namespace tessera::processes {
namespace {

constexpr std::size_t most_bits = 10;  ///< of the index of a joint table, unless one pattern needs more
constexpr int bits_of_word = 64;

/// What a sum adds, modulo 2^64, where all conditions hold.
using Patterns = std::map<std::vector<Condition>, std::uint64_t>;

/// Conditions, each a bit of its index, and patterns of these.
struct JointTable {
  std::set<Condition> conditions;
  Patterns patterns;
};

/// Tables for all patterns, which leave `patterns`. Each begins with the first one that is left, and takes that with
/// the fewest new conditions as long as it has room.
std::vector<JointTable> joint_tables(Patterns& patterns) {
  std::vector<JointTable> all;
  while (!patterns.empty()) {
    JointTable& table = all.emplace_back();
    const auto missing = [&](const Patterns::value_type& pattern) {
      return static_cast<std::size_t>(std::ranges::count_if(
          pattern.first, [&](const Condition& condition) { return !table.conditions.contains(condition); }));
    };
    auto next = patterns.begin();
    do {
      table.conditions.insert(next->first.begin(), next->first.end());
      table.patterns.insert(patterns.extract(next));
      next = std::ranges::min_element(patterns, {}, missing);
    } while (next != patterns.end() && table.conditions.size() + missing(*next) <= most_bits);
  }
  return all;
}

std::uint32_t size32(const auto& list) { return static_cast<std::uint32_t>(list.size()); }
int shift_of(const Digit& digit) { return std::countr_zero(static_cast<std::uint64_t>(digit.weight)); }

/// Writes the entries and joint tables of sums.
class SumWriter {
 public:
  explicit SumWriter(CompiledModel& compiled) : digits_(compiled.digits), tables_(compiled.tables) {
    for (std::size_t site = 0; site < digits_.size(); ++site) {
      const int its = std::countr_zero(static_cast<std::uint64_t>(digits_[site].base));
      if (parts_.empty() || parts_.back().bits + its > 8) parts_.push_back({shift_of(digits_[site])});
      parts_.back().bits += its;
      parts_.back().end = site + 1;
    }
  }

  /// A sum of `constant` and patterns. Those of one site are in a joint table that has its condition, or the opposite.
  void write(Patterns patterns, std::uint64_t constant) {
    std::erase_if(patterns, [](const Patterns::value_type& pattern) { return pattern.second == 0; });
    Patterns of_several;
    std::erase_if(patterns, [&](const Patterns::value_type& pattern) {
      return pattern.first.size() > 1 && of_several.insert(pattern).second;
    });
    std::vector<JointTable> joints = joint_tables(of_several);
    std::erase_if(patterns, [&](const Patterns::value_type& pattern) {
      const Condition condition = pattern.first.front(),
                      opposite{condition.at, digits_[condition.at.site].all() & ~condition.species};
      for (JointTable& one : joints)
        if (one.conditions.contains(condition)) {
          one.patterns[{condition}] += pattern.second;
          return true;
        } else if (one.conditions.contains(opposite)) {
          one.patterns[{opposite}] -= pattern.second;
          constant += pattern.second;
          return true;
        }
      return false;
    });
    constant_ = constant;
    write_joint_tables(joints);
    write_entries(patterns);
  }

 private:
  /// Sites that follow each other in a state, of at most 8 bits.
  struct Part {
    int shift = 0, bits = 0;
    std::size_t end = 0;  ///< after its last site
  };

  /// The first weights of a sum have its constant.
  std::uint32_t add_weights(const std::vector<std::uint64_t>& weights) {
    const std::uint32_t first = size32(tables_.weights);
    for (const std::uint64_t one : weights) tables_.weights.push_back(one + constant_);
    constant_ = 0;
    return first;
  }

  void write_entries(const Patterns& patterns) {
    std::map<std::tuple<int, int, std::size_t>, std::vector<std::uint64_t>> weights;  // by row, dx and part
    for (const auto& [conditions, weight] : patterns) {
      const auto& [at, set] = conditions.front();
      const auto part = static_cast<std::size_t>(
          std::ranges::find_if(parts_, [site = at.site](const Part& one) { return site < one.end; }) - parts_.begin());
      std::vector<std::uint64_t>& its = weights[{at.row(), at.dx, part}];
      its.resize(std::size_t{1} << parts_[part].bits);
      const Digit& digit = digits_[at.site];
      for (std::size_t value = 0; value < its.size(); ++value)
        if (const std::size_t i = digit.of(static_cast<std::int64_t>(value) << parts_[part].shift);
            i < digit.species.size() && has(set, digit.species[i]))
          its[value] += weight;
    }
    for (const auto& [where, its] : weights) {
      const auto& [row, dx, part] = where;
      tables_.entries.push_back({static_cast<std::int8_t>(dx), static_cast<std::int8_t>(row),
                                 static_cast<std::uint8_t>(parts_[part].shift),
                                 static_cast<std::uint8_t>(its.size() - 1), add_weights(its)});
    }
  }

  void write_joint_tables(const std::vector<JointTable>& all) {
    for (auto one = all.begin(); one != all.end();) {
      JointTables joint{.first_bit = size32(tables_.bits), .first_field = size32(tables_.fields)};
      std::map<Condition, JointBit> bits;
      int used[2] = {0, 0};  // of both words
      for (; one != all.end(); ++one) {
        const auto count = static_cast<int>(one->conditions.size());
        const int word = used[0] + count <= bits_of_word ? 0 : 1;
        if (used[word] + count > bits_of_word) break;
        const auto bit_in = [&](const Condition& condition) {
          return std::uint64_t{1} << std::distance(one->conditions.begin(), one->conditions.find(condition));
        };
        for (const Condition& condition : one->conditions)
          bits.try_emplace(condition, bit_of(condition)).first->second.places[word] |= bit_in(condition) << used[word];
        std::vector<std::uint64_t> weights(std::size_t{1} << count);
        for (const auto& [conditions, weight] : one->patterns) {
          std::uint64_t its = 0;
          for (const Condition& condition : conditions) its |= bit_in(condition);
          for (std::size_t index = 0; index < weights.size(); ++index)
            if ((index & its) == its) weights[index] += weight;
        }
        tables_.fields.push_back({add_weights(weights), static_cast<std::uint16_t>(word),
                                  static_cast<std::uint16_t>(used[word]), size32(weights) - 1});
        used[word] += count;
      }
      for (const auto& [condition, bit] : bits) tables_.bits.push_back(bit);
      joint.end_bit = size32(tables_.bits);
      joint.end_field = size32(tables_.fields);
      tables_.joints.push_back(joint);
    }
  }

  JointBit bit_of(const Condition& condition) const {
    const auto& [at, set] = condition;
    const Digit& digit = digits_[at.site];
    JointBit bit{static_cast<std::int8_t>(at.dx), static_cast<std::int8_t>(at.row()),
                 static_cast<std::uint8_t>(shift_of(digit)), static_cast<std::uint8_t>(digit.base - 1)};
    for (std::size_t i = 0; i < digit.species.size(); ++i)
      if (has(set, digit.species[i])) bit.values |= std::uint64_t{1} << i;
    return bit;
  }

  const std::vector<Digit>& digits_;
  Tables& tables_;
  std::vector<Part> parts_;
  std::uint64_t constant_ = 0;
};

/// The states of a cell of 8 bits that meet the conditions on it of any process.
void find_acting(const std::vector<Group>& groups, CompiledModel& compiled) {
  const auto holds = [&](const Condition& one, std::size_t state) {
    const Digit& digit = compiled.digits[one.at.site];
    const std::size_t value = state / static_cast<std::size_t>(digit.weight) % static_cast<std::size_t>(digit.base);
    return !one.at.is_in_cell() || (value < digit.species.size() && has(one.species, digit.species[value]));
  };
  for (std::size_t state = 0; state < compiled.tables.acting.size(); ++state)
    compiled.tables.acting[state] = std::ranges::any_of(groups, [&](const Group& group) {
      return std::ranges::any_of(group.members, [&](const Group::Member& member) {
        return std::ranges::all_of(member.copy->conditions, [&](const Condition& one) { return holds(one, state); });
      });
    });
}

}  // namespace

void add_sums(const std::vector<Group>& groups, CompiledModel& compiled) {
  Tables& tables = compiled.tables;
  if (tables.in_space) find_acting(groups, compiled);
  SumWriter writer(compiled);
  for (std::size_t g = 0; g < groups.size();) {
    TableSum sum{.first_entry = size32(tables.entries),
                 .first_joint = size32(tables.joints),
                 .first_group = static_cast<std::uint32_t>(g)};
    Patterns patterns;
    std::uint64_t constant = 0;
    for (int used = 0; g < groups.size(); ++g) {
      TableGroup& group = tables.groups[g];
      const int bits = std::bit_width(group.end - group.begin - 1);
      if (used + bits > bits_of_word) break;
      group.shift = static_cast<std::uint32_t>(used);
      group.mask = (std::uint32_t{1} << bits) - 1;
      used += bits;
      for (const Coordinate& one : groups[g].coordinates) {
        const std::uint64_t stride = std::uint64_t{one.stride} << group.shift;
        constant -= stride * static_cast<std::uint64_t>(one.least());
        for (const auto& [conditions, weight] : one.patterns)
          patterns[conditions] += stride * static_cast<std::uint64_t>(weight);
        for (std::size_t value = 1; value < one.values.size(); ++value)
          patterns[{{one.site, one.values[value]}}] += stride * value;
      }
    }
    writer.write(std::move(patterns), constant);
    sum.end_entry = size32(tables.entries);
    sum.end_joint = size32(tables.joints);
    sum.end_group = static_cast<std::uint32_t>(g);
    tables.sums.push_back(sum);
  }
  int reads = 0, writes = 0;
  const auto furthest = [](const auto& one) {
    const kmc::space::Offset by = kmc::space::from_row(one.dx, one.dy);
    return std::max({std::abs(by.x), std::abs(by.y), std::abs(by.z)});
  };
  for (const TableEntry& one : tables.entries) reads = std::max(reads, furthest(one));
  for (const JointBit& one : tables.bits) reads = std::max(reads, furthest(one));
  for (const auto& one : tables.changes) writes = std::max(writes, furthest(one.at));
  tables.reach = reads + writes;
}

void add_differences(const std::map<std::vector<SiteChange>, std::uint32_t>& lists, CompiledModel& compiled) {
  Tables& tables = compiled.tables;
  const auto words = static_cast<std::size_t>(tables.kept_sums()) + 1;
  tables.differences.resize(words * tables.concerned.size());
  for (const auto& [changes, number] : lists)
    for (const auto& [at, before, after] : changes) {
      const Digit& digit = compiled.digits[at.site];
      const std::int64_t from = digit.state(before), to = digit.state(after);
      const OutcomeList& list = tables.lists[number];
      for (std::size_t i = list.concerned; i < list.concerned + static_cast<std::size_t>(list.count); ++i) {
        std::uint64_t* added = &tables.differences[words * i];
        const auto reads = [&cell = tables.concerned[i], &where = at](const auto& one) {
          return cell.dx + one.dx == where.dx && cell.dy + one.dy == where.row();
        };
        if (reads(kmc::Offset{0, 0})) added[words - 1] += static_cast<std::uint64_t>(to - from);
        for (const TableSum& sum : tables.sums) {
          for (std::uint32_t j = sum.first_entry; j < sum.end_entry; ++j)
            if (const TableEntry& one = tables.entries[j]; reads(one))
              *added += tables.weights[one.weights + one.value(to)] - tables.weights[one.weights + one.value(from)];
          ++added;
          for (std::uint32_t k = sum.first_joint; k < sum.end_joint; ++k, added += 2)
            for (std::uint32_t j = tables.joints[k].first_bit; j < tables.joints[k].end_bit; ++j)
              if (const JointBit& one = tables.bits[j]; reads(one))
                for (int word = 0; word < 2; ++word)
                  added[word] += one.places[word] * (std::uint64_t{one.holds(to)} - std::uint64_t{one.holds(from)});
        }
      }
    }
}

}  // namespace tessera::processes
