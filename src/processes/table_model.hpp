// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/model.hpp>
#include <type_traits>
#include <vector>

#include "processes/stored_tables.hpp"
#include "processes/tables.hpp"

namespace tessera::processes {

/// What a model of tables looks up, and what its events change.
enum class TableForm {
  pairs,       ///< a number of the cell and 4 neighbours; the cell and one of these
  far_pairs,   ///< a number of the cell and 12 neighbours; the cell and one of the nearest
  listed,      ///< a number of the cell and 8 neighbours; lists of these
  groups,      ///< numbers of groups of processes, from sums that are kept; lists of cells
  far_groups,  ///< the same, at larger distances and with states of up to 63 bits
  space,       ///< the same in three dimensions, with states of 8 bits
};

/// Largest distances of the cells that events read and change, where they are listed.
template <TableForm form>
struct DistancesOf {
  static constexpr GroupReach both = form == TableForm::listed   ? GroupReach{1, 1}
                                     : form == TableForm::groups ? near_reach
                                                                 : far_reach;
  static constexpr int reads = both.reads, writes = both.writes;
};
template <>
struct DistancesOf<TableForm::pairs> {};
template <>
struct DistancesOf<TableForm::far_pairs> {};

/// For rates that do not change.
struct AnyTime {
  KOKKOS_FORCEINLINE_FUNCTION double operator()() const { return 0; }
};

/// A model defined by tables. `changing`: rates change with time. Copies share the tables, which are in host memory and
/// in the memory of the default execution space. Kokkos must be initialised.
template <TableForm form, bool changing>
class TableModelOf : public DistancesOf<form>, StoredTables {
 public:
  static constexpr bool has_groups =
                            form == TableForm::groups || form == TableForm::far_groups || form == TableForm::space,
                        is_listed = form == TableForm::listed || has_groups;
  using State =
      std::conditional_t<form == TableForm::far_groups, std::int64_t,
                         std::conditional_t<form == TableForm::groups, std::int32_t,
                                            std::conditional_t<form == TableForm::space, std::uint8_t, std::int8_t>>>;
  static constexpr int neighbours = is_listed ? 8 : (form == TableForm::pairs ? 4 : 12);
  using Around = std::conditional_t<is_listed, kmc::Surroundings<State>, kmc::Neighbourhood<State, neighbours>>;
  using RateFrom = std::conditional_t<has_groups, kmc::KeptSums, Around>;

  explicit TableModelOf(const Tables& all, UsedOn used_on = UsedOn::both)
      : StoredTables(all, changes_of(all), used_on),
        start_state_(all.start_state),
        starts_(static_cast<std::int32_t>(all.start.size())),
        observables_(static_cast<std::int32_t>(all.observables.size())),
        sites_(static_cast<std::int32_t>(all.digits.size())),
        groups_(static_cast<std::int32_t>(all.groups.size())),
        sums_(static_cast<std::int32_t>(all.sums.size())),
        kept_(all.kept_sums()),
        smallest_side_(all.smallest_side),
        reach_(all.largest_reach()),
        smallest_mean_(1.0 / all.largest_rate()) {
    if (!changing && all.changing) throw InputError("rates change with time, but the model's type has constant ones");
    std::copy_n(all.strides.begin() + 1, neighbours, stride_);
  }

  KOKKOS_FORCEINLINE_FUNCTION double rate(const RateFrom& n) const {
    if constexpr (has_groups) {
      int kept = 0;
      const std::uint64_t first_sum = sum_of(n, 0, kept);
      return rate(n, first_sum, kept);
    } else {
      return table<double>(rates)[number(n)];
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION double mean_waiting_time(const RateFrom& n) const {
    if constexpr (!has_groups) return table<double>(mean)[number(n)];
    const double its = rate(n);  // GPUs divide by 0 slowly
    return its > 0 ? 1.0 / (its > 0 ? its : 1.0) : Kokkos::Experimental::infinity_v<double>;
  }

  KOKKOS_FORCEINLINE_FUNCTION double smallest_mean_waiting_time() const { return smallest_mean_; }
  double largest_rate() const { return 1.0 / smallest_mean_; }

  double window_end(std::int64_t window) const requires changing { return end_of(window); }
  bool window_is_complete(std::int64_t window) const requires changing { return is_complete(window); }
  /// The model with the bounds of the rates in a window of time (Rates). Throws RunError if rates do not exist there.
  TableModelOf at_window(std::int64_t window) const requires changing {
    TableModelOf next = *this;
    if (const auto largest = next.enter(window)) next.smallest_mean_ = 1.0 / *largest;
    return next;
  }

  KOKKOS_FORCEINLINE_FUNCTION bool rejects() const requires changing { return rejects_; }
  /// The outcome with the smallest threshold not below a random number; of several groups, in one that another chooses.
  template <class TimeOf = AnyTime>
  KOKKOS_FORCEINLINE_FUNCTION auto event(const RateFrom& n, Stream& stream, const TimeOf& time = {}) const {
    std::int64_t its_number = 0;
    if constexpr (!has_groups) {
      its_number = number(n);
    } else {
      int kept = 0;
      const std::uint64_t first_sum = sum_of(n, 0, kept);
      const double point = groups_ == 1 ? 0 : stream.uniform() * rate(n, first_sum, kept);
      double before = 0;
      for_each_number(n, first_sum, kept, [&](std::uint32_t one) {
        const double its = table<double>(rates)[one];
        if (its > 0 && before <= point) its_number = one;
        before += its;
      });
    }
    const std::uint64_t random = stream.draw();
    const Outcome* one = table<Outcome>(outcomes) + table<std::uint32_t>(first)[its_number];
    while (random > one->threshold) ++one;
    if (changing && rejects_) {
      const std::uint32_t its_rate = table<std::uint32_t>(numbers)[one - table<Outcome>(outcomes)] & ~last_rate;
      const Acceptance& accepted = table<Acceptance>(acceptances)[its_rate];
      if (!accepted.is_certain() && !(stream.uniform() < accepted.at((time() - begin_) * per_length_)))
        return rejected();
    }
    if constexpr (is_listed)
      return listed(one->change, one->group);
    else
      return one->pair();
  }
  /// What the events of a list of cells change and affect.
  KOKKOS_FORCEINLINE_FUNCTION kmc::ListedChanges<State> listed(std::uint32_t number, std::int32_t group = -1) const {
    const OutcomeList& list = table<OutcomeList>(lists)[number];
    return {table<Change>(changes) + list.changes,
            table<kmc::Offset>(concerned) + list.concerned,
            list.changed,
            list.count,
            number,
            group};
  }
  KOKKOS_FORCEINLINE_FUNCTION int kept_sums() const requires has_groups { return kept_; }
  template <class N = Around>
  KOKKOS_FORCEINLINE_FUNCTION void sum_up(const N& n, std::uint64_t* to) const requires has_groups {
    for (int i = 0; i < kept_; ++i) to[i] = 0;
    for (int i = 0; i < sums_; ++i, ++to) {
      const TableSum its = table<TableSum>(sums)[i];
      for (std::uint32_t j = its.first_entry; j < its.end_entry; ++j) {
        const TableEntry one = table<TableEntry>(entries)[j];
        *to += table<std::uint64_t>(weights)[one.weights + one.value(n(one.dx, one.dy))];
      }
      for (std::uint32_t j = its.first_joint; j < its.end_joint; ++j, to += 2) {
        const JointTables joint = table<JointTables>(joints)[j];
        for (std::uint32_t k = joint.first_bit; k < joint.end_bit; ++k)
          if (const JointBit bit = table<JointBit>(bits)[k]; bit.holds(n(bit.dx, bit.dy)))
            for (int word = 0; word < 2; ++word) to[1 + word] += bit.places[word];
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION const std::uint64_t* change_of_sums(const kmc::ListedChanges<State>& event,
                                                                  int k) const requires has_groups {
    return table<std::uint64_t>(differences) + (event.concerned + k - table<kmc::Offset>(concerned)) * (kept_ + 1);
  }
  const char* time_unit() const { return shared_().time_unit.c_str(); }
  int smallest_side() const requires has_groups { return smallest_side_; }
  KOKKOS_FORCEINLINE_FUNCTION int largest_reach() const requires is_listed { return reach_; }

  KOKKOS_FORCEINLINE_FUNCTION bool valid(State state) const {
    std::int64_t rest = state;
    for (int site = 0; site < sites_; ++site) {
      const TableDigit& digit = table<TableDigit>(digits)[site];
      const std::int64_t value = state / digit.weight % digit.base;
      if (value >= digit.species) return false;
      rest -= value * digit.weight;
    }
    return std::int64_t{state} >= 0 && rest == 0;
  }

  /// The states at time 0 (Start).
  KOKKOS_INLINE_FUNCTION State initial(const kmc::InitialCell& cell) const {
    const Start* const end = table<Start>(start) + starts_;
    std::int64_t state = start_state_;
    for (const Start* next = table<Start>(start); next < end;) {
      const std::uint64_t cells = next->cells_of(cell.nx, cell.ny), seed = hash(cell.seed, next->order);
      auto number = static_cast<std::uint64_t>(std::int64_t{cell.y} * cell.nx + cell.x);
      bool is_inside = true;
      if (next->rows >= 0) {
        const auto* const rows = reinterpret_cast<const StartRow*>(end);
        const StartRow row = rows[next->rows + cell.y];
        const std::uint32_t* const before = reinterpret_cast<const std::uint32_t*>(rows) + row.first + cell.x;
        is_inside = before[1] > before[0];
        number = row.before + before[0];
      }
      std::uint64_t rank = 0;
      if (is_inside) rank = next->by_chance != 0 ? hash(seed, number) >> 11 : permuted(number, cells, seed);
      std::int32_t choice = is_inside ? -1 : -2;
      for (const std::uint32_t order = next->order; next < end && next->order == order; ++next) {
        if (choice == -1 && next->holds(rank, cells)) choice = next->choice;
        if (choice == next->choice) state += (next->digit - state / next->weight % next->digits) * next->weight;
      }
    }
    return static_cast<State>(state);
  }

  /// For io::UnitCell: names of sites and species, shape.
  const std::string& cell_description() const { return shared_().cell; }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t start_state() const {
    return start_state_;
  }  ///< with the species of the file on all sites

  /// The observables: coverages, numbers of configurations, and the energy if there are clusters.
  std::vector<kmc::NamedObservable> observables() const {
    std::vector<kmc::NamedObservable> all;
    for (const std::string& name : shared_().observables) all.push_back({name, ""});
    if (shared_().energy_unit > 0) all.back() = {all.back().name, "eV", shared_().energy_unit};
    return all;
  }
  /// The coverages, of all species of each site.
  std::array<int, 2> cell_observables() const {
    int end = 0;
    for (int site = 0; site < sites_; ++site) end += on_host<TableDigit>(digits)[site].species;
    return {0, end};
  }
  /// Number of orientations of configuration `which` about the cell, or the sum of their weights; 0 for larger `which`.
  template <class At>
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t observe(int which, const At& n) const {
    if (which >= observables_) return 0;
    const ObservedCell* one = table<ObservedCell>(observed) + table<std::uint32_t>(first_observed)[which];
    std::int64_t count = 0;
    for (bool holds = true;; ++one) {
      holds = holds && one->allows(n(one->dx, one->dy));
      if (one->ends == 0) continue;
      count += holds ? one->weight : 0;
      if (one->ends == 2) return count;
      holds = true;
    }
  }

  std::vector<kmc::ClusterKind> clusters() const { return shared_().clusters; }
  KOKKOS_FORCEINLINE_FUNCTION bool in_cluster(int kind, int site, State state) const {
    return table<ObservedCell>(members)[kind * sites_ + site].allows(state);
  }

  std::vector<kmc::CountedEvents> counted_events() const { return shared_().counted; }

 private:
  using Change = kmc::CellChange<State>;

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t number(const Around& n) const {
    std::int64_t sum = 0;
    if constexpr (is_listed) {
      sum = n(0, 0);
      for (int k = 0; k < neighbours; ++k)
        sum += std::int64_t{stride_[k]} * n(kmc::neighbour_dx(k), kmc::neighbour_dy(k));
    } else {
      sum = n.centre;
      for (int k = 0; k < neighbours; ++k) sum += std::int64_t{stride_[k]} * n.around[k];
    }
    return sum;
  }
  /// Sum i of n. `kept`: number of its first kept sum, then of the next sum's.
  template <class N>
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t sum_of(const N& n, int i, int& kept) const {
    const TableSum its = table<TableSum>(sums)[i];
    std::uint64_t sum = n(kept++), words[2];
    for (std::uint32_t j = its.first_joint; j < its.end_joint; ++j) {
      const JointTables joint = table<JointTables>(joints)[j];
      for (std::uint64_t& word : words) word = n(kept++);
      for (std::uint32_t k = joint.first_field; k < joint.end_field; ++k)
        sum += table<std::uint64_t>(weights)[table<JointField>(fields)[k].index(words)];
    }
    return sum;
  }
  /// Calls use(number) for each group. `first_sum`: sum 0 of n; `kept`: number of the next sum's first kept one.
  template <class N, class Use>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_number(const N& n, std::uint64_t first_sum, int kept,
                                                   const Use& use) const {
    const TableGroup *const all = table<TableGroup>(groups), *one = all;
    for (int i = 0; i < sums_; ++i) {
      const std::uint64_t sum = i == 0 ? first_sum : sum_of(n, i, kept);
      for (; one < all + table<TableSum>(sums)[i].end_group; ++one) use(one->number(sum));
    }
  }
  template <class N>
  KOKKOS_FORCEINLINE_FUNCTION double rate(const N& n, std::uint64_t first_sum, int kept) const {
    double rate = 0;
    for_each_number(n, first_sum, kept, [&](std::uint32_t number) { rate += table<double>(rates)[number]; });
    return rate;
  }
  KOKKOS_FORCEINLINE_FUNCTION auto rejected() const {
    if constexpr (is_listed)
      return listed(0, -1);
    else
      return kmc::Event<State>{.centre = 0, .beside = 0, .changes_centre = false};
  }

  static std::vector<Change> changes_of(const Tables& tables) {
    std::vector<Change> all;
    for (const auto& [at, difference] : tables.changes) all.push_back({at, static_cast<State>(difference)});
    return all;
  }

  std::int64_t start_state_;
  std::int32_t starts_, observables_, sites_, groups_, sums_, kept_, smallest_side_, reach_;
  std::int32_t stride_[neighbours];
  double smallest_mean_;
};

using TableModel = TableModelOf<TableForm::pairs, false>;
using ChangingTableModel = TableModelOf<TableForm::pairs, true>;
// Of these, rates may change with time or not.
using FarTableModel = TableModelOf<TableForm::far_pairs, true>;
using ListedTableModel = TableModelOf<TableForm::listed, true>;
using GroupModel = TableModelOf<TableForm::groups, true>;
using FarGroupModel = TableModelOf<TableForm::far_groups, true>;
static_assert(kmc::Model<TableModel> && kmc::ChangesPairs<TableModel> && !kmc::ChangesInTime<TableModel>);
static_assert(kmc::ChangesPairs<FarTableModel> && kmc::RejectsEvents<FarTableModel>);
static_assert(kmc::Model<ListedTableModel> && kmc::ChangesListed<ListedTableModel>);
static_assert(kmc::Model<GroupModel> && kmc::KeepsSums<GroupModel> && kmc::KeepsSums<FarGroupModel>);

/// The result of use(type) for the type of the model of these tables, such as std::type_identity<TableModel>.
template <class Use>
auto visit_table_model(const Tables& tables, const Use& use) {
  if (tables.reads > near_reach.reads) return use(std::type_identity<FarGroupModel>());
  if (tables.reads > 0) return use(std::type_identity<GroupModel>());
  if (tables.neighbours == 12) return use(std::type_identity<FarTableModel>());
  if (tables.neighbours == 8) return use(std::type_identity<ListedTableModel>());
  return tables.changing ? use(std::type_identity<ChangingTableModel>()) : use(std::type_identity<TableModel>());
}

}  // namespace tessera::processes
