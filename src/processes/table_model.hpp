// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/model.hpp>
#include <type_traits>
#include <vector>

#include "processes/tables.hpp"

namespace tessera::processes {

/// An outcome that changes at most the cell and one of four neighbours.
struct alignas(16) PairOutcome {
  explicit PairOutcome(const Outcome& of) : threshold(of.threshold), centre(of.states[0]), changed(of.changed & 1u) {
    for (unsigned k = 1; k < most_changed; ++k)
      if ((of.changed >> k & 1u) != 0) {
        beside = of.states[k];
        direction = static_cast<std::uint8_t>(k - 1);
        changed |= 2u;
      }
    group = of.group;
  }
  KOKKOS_FORCEINLINE_FUNCTION kmc::Event<std::int8_t> result() const {
    return {.centre = centre,
            .beside = beside,
            .direction = direction,
            .changes_centre = (changed & 1u) != 0,
            .changes_beside = (changed & 2u) != 0,
            .group = group};
  }

  std::uint64_t threshold;
  std::int8_t centre, beside = 0;
  std::uint8_t direction = 0, changed;
  std::int32_t group = -1;
};
static_assert(sizeof(PairOutcome) == 16);

/// An outcome that changes any cells of a neighbourhood.
struct SquareOutcome {
  explicit SquareOutcome(const Outcome& of) : threshold(of.threshold), changed(of.changed), group(of.group) {
    std::copy_n(of.states, most_changed, states);
  }
  KOKKOS_FORCEINLINE_FUNCTION kmc::Changes<std::int8_t, 8> result() const {
    return {
        .states = {states[0], states[1], states[2], states[3], states[4], states[5], states[6], states[7], states[8]},
        .changed = changed,
        .group = group};
  }

  std::uint64_t threshold;
  std::int8_t states[most_changed];
  std::uint16_t changed;
  std::int32_t group;
};
static_assert(sizeof(SquareOutcome) == 24);

/// An outcome with a list (Tables::lists).
struct ListedOutcome {
  explicit ListedOutcome(const Outcome& of) : threshold(of.threshold), list(of.list), group(of.group) {}

  std::uint64_t threshold;
  std::uint32_t list;
  std::int32_t group;
};

/// Entries of tables that one thread of a host fills before others have started.
constexpr std::size_t few_entries = 4096;

/// Sets the entries of tables that follow from these rates of the processes. Returns an upper bound of the rate of a
/// cell, the largest one if there is one group. `mean`: not used by models of several groups.
template <class Space, class One>
double fill_rates(const Space& space, const double* values, const std::uint32_t* numbers, std::size_t outcomes,
                  One* outcome, const std::uint32_t* first, const std::vector<TableGroup>& groups, double* rate,
                  double* mean) {
  const auto set_outcomes = KOKKOS_LAMBDA(std::size_t i) {
    if ((numbers[i - 1] & last_rate) != 0) set_thresholds(numbers + i, values, outcome + i);
  };
  const auto set_rate = KOKKOS_LAMBDA(std::size_t i, double& most) {
    const double total = first[i] == 0 ? 0 : total_rate(numbers + first[i], values);
    rate[i] = total;
    if (mean != nullptr) mean[i] = 1.0 / total;
    most = total > most ? total : most;
  };
  const bool on_host = std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>;
  const bool by_one_thread = on_host && outcomes + groups.back().end <= few_entries;
  if (by_one_thread)
    for (std::size_t i = 1; i < outcomes; ++i) set_outcomes(i);
  else
    Kokkos::parallel_for("tessera::processes::thresholds", Kokkos::RangePolicy<Space>(space, 1, outcomes),
                         set_outcomes);
  double sum = 0;
  for (const TableGroup& group : groups) {
    double largest = 0;
    if (by_one_thread)
      for (std::size_t i = group.begin; i < group.end; ++i) set_rate(i, largest);
    else
      Kokkos::parallel_reduce("tessera::processes::rates", Kokkos::RangePolicy<Space>(space, group.begin, group.end),
                              set_rate, Kokkos::Max<double>(largest));
    sum += largest;
  }
  return sum;
}

/// Where a model whose rates change with time is used after the first window.
enum class UsedOn { both, host, device };

/// Distances of the cells that groups of processes read and change; 0: the model has no groups.
template <int Reads, int Writes>
struct ReachOfGroups {
  static constexpr int reads = Reads, writes = Writes;
};
template <>
struct ReachOfGroups<0, 0> {};

/// A model defined by tables for this number of neighbours, 4, 8 or 12, or for groups of processes. Copies share the
/// tables, which are in host memory and in the memory of the default execution space. Kokkos must be initialised.
template <class StateType, int Neighbours, int Reads = 0, int Writes = 0>
class TableModelOf : public ReachOfGroups<Reads, Writes> {
 public:
  using State = StateType;
  static constexpr int neighbours = Neighbours;
  static constexpr bool has_groups = Reads > 0;
  using Around = std::conditional_t<has_groups, kmc::Surroundings<State>, kmc::Neighbourhood<State, neighbours>>;
  static constexpr const char* time_unit = "s";  // as in kmcos, whose constants have SI units

  explicit TableModelOf(const Tables& tables, UsedOn used_on = UsedOn::both);

  KOKKOS_FORCEINLINE_FUNCTION double rate(const Around& n) const {
    if constexpr (has_groups) {
      return rate(n, sum_of(n, 0));
    } else {
      return table<double>(rates)[number(n)];
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION double mean_waiting_time(const Around& n) const {
    if constexpr (has_groups)
      return 1.0 / rate(n);
    else
      return table<double>(mean)[number(n)];
  }

  KOKKOS_FORCEINLINE_FUNCTION double smallest_mean_waiting_time() const { return smallest_mean_; }
  double largest_rate() const { return 1.0 / smallest_mean_; }

  /// End of a window of time, and the model with its rates (Rates). Throw RunError if rates do not exist there.
  double window_end(std::int64_t window) const {
    Rates* const changing = shared_().changing.get();
    return changing == nullptr ? std::numeric_limits<double>::infinity()
                               : while_running([&] { return changing->end(window); });
  }
  TableModelOf at_window(std::int64_t window) const {
    TableModelOf next = *this;
    if (window == window_ || !shared_().changing) return next;
    const std::vector<double> means = while_running([&] { return shared_().changing->means(window); });
    Kokkos::fence("tessera::processes::at_window");  // kernels may still read the tables of an earlier window
    const Generation& to = free_generation();
    next.window_ = window;
    next.rates_on_host_ = to.on_host;
    next.rates_on_device_ = to.on_device;
    double largest = 0;
    if (to.on_host.data() != nullptr) largest = fill<Kokkos::DefaultHostExecutionSpace>(means, to.on_host, on_host_);
    if constexpr (!std::is_same_v<DeviceMemory, Kokkos::HostSpace>)
      if (to.on_device.data() != nullptr)
        largest = fill<Kokkos::DefaultExecutionSpace>(means, to.on_device, on_device_);
    if (!std::isfinite(largest)) throw RunError("the rates of all processes of a unit cell add up to infinity");
    next.smallest_mean_ = 1.0 / largest;
    return next;
  }

  /// The outcome with the smallest threshold not below a random number; of several groups, in one that another chooses.
  KOKKOS_FORCEINLINE_FUNCTION auto event(const Around& n, Stream& stream) const {
    std::int64_t its_number = 0;
    if constexpr (!has_groups) {
      its_number = number(n);
    } else {
      const std::uint64_t first_sum = sum_of(n, 0);
      const double point = groups_ == 1 ? 0 : stream.uniform() * rate(n, first_sum);
      double before = 0;
      for_each_number(n, first_sum, [&](std::uint32_t one) {
        const double its = table<double>(rates)[one];
        if (its > 0 && before <= point) its_number = one;
        before += its;
      });
    }
    const std::uint64_t random = stream.draw();
    const StoredOutcome* one = table<StoredOutcome>(outcomes) + table<std::uint32_t>(first)[its_number];
    while (random > one->threshold) ++one;
    if constexpr (has_groups)
      return listed(n, *one);
    else
      return one->result();
  }
  int smallest_side() const requires has_groups { return smallest_side_; }
  KOKKOS_FORCEINLINE_FUNCTION int largest_reach() const requires has_groups { return reach_; }

  KOKKOS_FORCEINLINE_FUNCTION bool valid(State state) const {
    std::int64_t rest = state;
    for (int site = 0; site < sites_; ++site) {
      const TableDigit& digit = table<TableDigit>(digits)[site];
      const std::int64_t value = state / digit.weight % digit.base;
      if (value >= digit.species) return false;
      rest -= value * digit.weight;
    }
    return state >= 0 && rest == 0;
  }

  /// The states at time 0 (Start).
  KOKKOS_INLINE_FUNCTION State initial(const kmc::InitialCell& cell) const {
    const Start* const end = table<Start>(start) + starts_;
    std::int64_t state = start_state_;
    for (const Start* next = table<Start>(start); next < end;) {
      const StartRegion its = next->region.within(cell.nx, cell.ny);
      const bool is_inside = cell.x >= its.x.from && cell.x < its.x.to && cell.y >= its.y.from && cell.y < its.y.to;
      const std::uint64_t cells = its.cells(), seed = hash(cell.seed, next->order);
      const auto number =
          static_cast<std::uint64_t>(std::int64_t{cell.y - its.y.from} * (its.x.to - its.x.from) + cell.x - its.x.from);
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

  /// The state of a cell with these species on its sites, "CO/empty". Throws InputError.
  std::int64_t state_named(const std::string& name) const {
    std::int64_t state = 0;
    const TableDigit* its = on_host<TableDigit>(digits);
    std::istringstream words(name + "/");
    for (const std::string& one : texts(sites)) {
      std::istringstream parts(one);
      std::string site, wanted, species, valid;
      std::getline(parts, site, '/');
      std::getline(words, wanted, '/');
      std::int64_t digit = -1;
      for (std::int64_t i = 0; std::getline(parts, species, '/'); ++i) {
        if (species == wanted) digit = i;
        valid += (i == 0 ? "" : ", ") + species;
      }
      if (digit < 0) throw InputError("must be a species for site " + site + " of each cell; valid are " + valid);
      state += digit * its++->weight;
    }
    if (words.peek() != std::istringstream::traits_type::eof())
      throw InputError("has more species than a unit cell has sites");
    return state;
  }

  /// The observables: coverages, numbers of configurations, and the energy if there are clusters.
  std::vector<kmc::NamedObservable> observables() const {
    std::vector<kmc::NamedObservable> all;
    for (const std::string& name : texts(names)) all.push_back({name, ""});
    if (shared_().energy_unit > 0) all.back() = {all.back().name, "eV", shared_().energy_unit};
    return all;
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
  using StoredOutcome =
      std::conditional_t<has_groups, ListedOutcome, std::conditional_t<neighbours == 8, SquareOutcome, PairOutcome>>;
  using Change = kmc::CellChange<State>;
  using DeviceMemory = Kokkos::DefaultExecutionSpace::memory_space;
  enum Table {
    mean,
    rates,
    outcomes,
    values,  // of the rates of processes
    first,   // this and the following do not change with the rates
    numbers,
    groups,
    sums,
    entries,
    joints,
    bits,
    fields,
    weights,
    lists,
    changes,
    concerned,
    digits,
    start,
    observed,
    first_observed,
    members,
    sites,
    names,
    tables
  };

  using HostBytes = Kokkos::View<std::byte*, Kokkos::HostSpace>;
  using DeviceBytes = Kokkos::View<std::byte*, DeviceMemory>;
  /// Tables of the rates in a window; `uses`: use counts of the views while no model has them.
  struct Generation {
    HostBytes on_host;
    DeviceBytes on_device;
    long uses = 0;
    long present_uses() const { return on_host.use_count() + on_device.use_count(); }
  };
  /// Host data shared by all copies.
  struct Shared {
    std::vector<kmc::ClusterKind> clusters;
    std::vector<kmc::CountedEvents> counted;
    std::shared_ptr<Rates> changing;
    UsedOn used_on = UsedOn::both;
    std::vector<TableGroup> groups;
    std::size_t outcomes = 0;
    double energy_unit = 0;
    std::vector<Generation> generations;
  };
  template <class Work>
  static auto while_running(const Work& work) {
    try {
      return work();
    } catch (const InputError& error) {
      throw RunError(error.what());
    }
  }
  /// Memory for the tables of a window: that of a window that no model has any more, or new.
  const Generation& free_generation() const {
    auto& all = shared_().generations;
    for (const Generation& one : all)
      if (one.present_uses() == one.uses) return one;
    Generation& made = all.emplace_back();
    if (shared_().used_on != UsedOn::device || std::is_same_v<DeviceMemory, Kokkos::HostSpace>) {
      made.on_host = HostBytes("tessera::processes::tables of rates", rates_on_host_.size());
      Kokkos::deep_copy(made.on_host, rates_on_host_);
    }
    if constexpr (std::is_same_v<DeviceMemory, Kokkos::HostSpace>) {
      made.on_device = made.on_host;
    } else if (shared_().used_on != UsedOn::host) {
      made.on_device = DeviceBytes("tessera::processes::tables of rates", rates_on_device_.size());
      Kokkos::deep_copy(made.on_device, rates_on_device_);
    }
    made.uses = made.present_uses();
    return made;
  }
  template <class Space, class Bytes>
  double fill(const std::vector<double>& means, const Bytes& to, const Bytes& fixed) const {
    const Space space;
    const auto at = [&](const Bytes& bytes, Table which) { return bytes.data() + sixteen * at_[which]; };
    const auto values_on_device = reinterpret_cast<double*>(at(to, values));
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    Kokkos::deep_copy(space,
                      Kokkos::View<double*, typename Space::memory_space, Unmanaged>(values_on_device, means.size()),
                      Kokkos::View<const double*, Kokkos::HostSpace, Unmanaged>(means.data(), means.size()));
    return fill_rates(space, values_on_device, reinterpret_cast<const std::uint32_t*>(at(fixed, numbers)),
                      shared_().outcomes, reinterpret_cast<StoredOutcome*>(at(to, outcomes)),
                      reinterpret_cast<const std::uint32_t*>(at(fixed, first)), shared_().groups,
                      reinterpret_cast<double*>(at(to, rates)),
                      has_groups ? nullptr : reinterpret_cast<double*>(at(to, mean)));
  }

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION const T* table(Table which) const {
    KOKKOS_IF_ON_DEVICE((return reinterpret_cast<const T*>((which < first ? rates_on_device_ : on_device_).data() +
                                                           sixteen * at_[which]);))
    KOKKOS_IF_ON_HOST((return on_host<T>(which);))
  }
  template <class T>
  const T* on_host(Table which) const {
    return reinterpret_cast<const T*>((which < first ? rates_on_host_ : on_host_).data() + sixteen * at_[which]);
  }
  std::vector<std::string> texts(Table which) const {
    std::vector<std::string> list;
    for (const char* text = on_host<char>(which); *text != 0; text += list.back().size() + 1) list.emplace_back(text);
    return list;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t number(const Around& n) const {
    std::int64_t sum = n.centre;
    for (int k = 0; k < neighbours; ++k) sum += std::int64_t{stride_[k]} * n.around[k];
    return sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t sum_of(const Around& n, int which) const {
    const TableSum its = table<TableSum>(sums)[which];
    const TableEntry* const all = table<TableEntry>(entries);
    const std::uint64_t* const its_weights = table<std::uint64_t>(weights);
    std::uint64_t sum = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
    for (std::uint32_t i = its.first_entry; i < its.end_entry; ++i)
      sum += its_weights[all[i].weights +
                         (static_cast<std::uint32_t>(n(all[i].dx, all[i].dy) >> all[i].shift) & all[i].mask)];
    for (std::uint32_t i = its.first_joint; i < its.end_joint; ++i) {
      const JointTables joint = table<JointTables>(joints)[i];
      std::uint64_t words[2] = {0, 0};
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
      for (std::uint32_t j = joint.first_bit; j < joint.end_bit; ++j) {
        const JointBit bit = table<JointBit>(bits)[j];
        const auto value = static_cast<std::uint32_t>(n(bit.dx, bit.dy) >> bit.shift) & bit.mask;
        const std::uint64_t holds = 0 - (bit.values >> value & 1u);
        words[0] |= bit.places[0] & holds;
        words[1] |= bit.places[1] & holds;
      }
      for (std::uint32_t j = joint.first_field; j < joint.end_field; ++j)
        sum += its_weights[table<JointField>(fields)[j].index(words)];
    }
    return sum;
  }
  /// Calls use(number) for each group. `first_sum`: sum 0 of n.
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_number(const Around& n, std::uint64_t first_sum, const Use& use) const {
    const TableGroup* one = table<TableGroup>(groups);
    for (int i = 0; i < sums_; ++i) {
      const std::uint64_t sum = i == 0 ? first_sum : sum_of(n, i);
      for (const TableGroup* const end = table<TableGroup>(groups) + table<TableSum>(sums)[i].end_group; one < end;
           ++one)
        use(one->number(sum));
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION double rate(const Around& n, std::uint64_t first_sum) const {
    double rate = 0;
    for_each_number(n, first_sum, [&](std::uint32_t number) { rate += table<double>(rates)[number]; });
    return rate;
  }
  KOKKOS_FORCEINLINE_FUNCTION kmc::ListedChanges<State> listed(const Around& n, const ListedOutcome& outcome) const {
    const OutcomeList& list = table<OutcomeList>(lists)[outcome.list];
    const Change* const its = table<Change>(changes) + list.changes;
    std::uint64_t what = outcome.list;
    for (int i = 0; i < list.changed; ++i)
      what = what * golden + static_cast<std::uint64_t>(n(its[i].at.dx, its[i].at.dy) + its[i].difference);
    return {its,
            table<kmc::Offset>(concerned) + list.concerned,
            list.changed,
            list.count,
            static_cast<std::int64_t>(what),
            outcome.group};
  }

  static constexpr std::size_t sixteen = 16;  ///< bytes; alignment of the tables
  std::int64_t start_state_;
  std::int32_t starts_, observables_, sites_, groups_, sums_, smallest_side_, reach_;
  std::int32_t stride_[neighbours];
  double smallest_mean_;
  std::uint32_t at_[tables];
  std::int64_t window_ = 0;
  Kokkos::View<Shared, Kokkos::HostSpace> shared_;
  HostBytes on_host_, rates_on_host_;
  DeviceBytes on_device_, rates_on_device_;
};

template <class StateType, int Neighbours, int Reads, int Writes>
TableModelOf<StateType, Neighbours, Reads, Writes>::TableModelOf(const Tables& tables_, UsedOn used_on)
    : start_state_(tables_.start_state),
      starts_(static_cast<std::int32_t>(tables_.start.size())),
      observables_(static_cast<std::int32_t>(tables_.observables.size())),
      sites_(static_cast<std::int32_t>(tables_.digits.size())),
      groups_(static_cast<std::int32_t>(tables_.groups.size())),
      sums_(static_cast<std::int32_t>(tables_.sums.size())),
      smallest_side_(tables_.smallest_side),
      reach_(tables_.reach),
      shared_(Kokkos::view_alloc("tessera::processes::shared", Kokkos::SequentialHostInit)) {
  shared_() = {tables_.clusters, tables_.counted,         tables_.changing,    used_on,
               tables_.groups,   tables_.outcomes.size(), tables_.energy_unit, {}};
  std::copy_n(tables_.strides.begin() + 1, neighbours, stride_);
  smallest_mean_ = 1.0 / tables_.largest_rate();
  std::vector<double> means;
  for (std::size_t i = 0; !has_groups && i < tables_.rate.size(); ++i) means.push_back(1.0 / tables_.rate[i]);
  std::vector<Change> all_changes;
  for (const auto& [at, difference] : tables_.changes) all_changes.push_back({at, static_cast<State>(difference)});
  const std::vector<StoredOutcome> all_outcomes(tables_.outcomes.begin(), tables_.outcomes.end());
  const auto in_one = [](const std::vector<std::string>& list) {
    std::string all;
    for (const std::string& one : list) all += one + '\0';
    return all + '\0';
  };
  const std::string all_sites = in_one(tables_.sites), all_names = in_one(tables_.observables);
  std::size_t blocks = 0, blocks_of_rates = 0;
  const auto place = [&](Table which, const auto& table) {
    std::size_t& used = which < first ? blocks_of_rates : blocks;
    at_[which] = static_cast<std::uint32_t>(used);
    used += (table.size() * sizeof(table[0]) + sixteen - 1) / sixteen;
  };
  const auto put = [&](Table which, const auto& table) {
    const HostBytes& to = which < first ? rates_on_host_ : on_host_;
    std::memcpy(to.data() + sixteen * at_[which], table.data(), table.size() * sizeof(table[0]));
  };
  const auto each = [&](const auto& use) {
    use(mean, means);
    use(rates, tables_.rate);
    use(outcomes, all_outcomes);
    use(values, tables_.changing ? tables_.changing->means(0) : std::vector<double>());
    use(first, tables_.first);
    use(numbers, tables_.numbers);
    use(groups, tables_.groups);
    use(sums, tables_.sums);
    use(entries, tables_.entries);
    use(joints, tables_.joints);
    use(bits, tables_.bits);
    use(fields, tables_.fields);
    use(weights, tables_.weights);
    use(lists, tables_.lists);
    use(changes, all_changes);
    use(concerned, tables_.concerned);
    use(digits, tables_.digits);
    use(start, tables_.start);
    use(observed, tables_.observed);
    use(first_observed, tables_.first_observed);
    use(members, tables_.members);
    use(sites, all_sites);
    use(names, all_names);
  };
  each(place);
  on_host_ = HostBytes("tessera::processes::tables", sixteen * blocks);
  rates_on_host_ = HostBytes("tessera::processes::tables of rates", sixteen * blocks_of_rates);
  each(put);
  on_device_ = Kokkos::create_mirror_view_and_copy(DeviceMemory(), on_host_);
  rates_on_device_ = Kokkos::create_mirror_view_and_copy(DeviceMemory(), rates_on_host_);
}

using TableModel = TableModelOf<std::int8_t, 4>;
using SquareTableModel = TableModelOf<std::int8_t, 8>;
using FarTableModel = TableModelOf<std::int8_t, 12>;
using GroupModel = TableModelOf<std::int32_t, 8, near_reach.reads, near_reach.writes>;
using FarGroupModel = TableModelOf<std::int64_t, 8, far_reach.reads, far_reach.writes>;
static_assert(kmc::ChangesInTime<TableModel>);
static_assert(kmc::Model<TableModel> && kmc::ChangesPairs<TableModel>);
static_assert(kmc::Model<SquareTableModel> && kmc::ChangesSeveral<SquareTableModel>);
static_assert(kmc::Model<FarTableModel> && kmc::ChangesPairs<FarTableModel>);
static_assert(kmc::Model<GroupModel> && kmc::ChangesListed<GroupModel> && kmc::ChangesListed<FarGroupModel>);

/// The result of use(type) for the type of the model of these tables, such as std::type_identity<TableModel>.
template <class Use>
auto visit_table_model(const Tables& tables, const Use& use) {
  if (tables.reads > near_reach.reads) return use(std::type_identity<FarGroupModel>());
  if (tables.reads > 0) return use(std::type_identity<GroupModel>());
  if (tables.neighbours == 12) return use(std::type_identity<FarTableModel>());
  return tables.neighbours == 4 ? use(std::type_identity<TableModel>()) : use(std::type_identity<SquareTableModel>());
}

}  // namespace tessera::processes
