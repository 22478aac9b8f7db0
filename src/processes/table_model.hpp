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
#include <tessera/core/permutation.hpp>
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

/// An outcome that changes any cells.
struct SquareOutcome : Outcome {
  explicit SquareOutcome(const Outcome& of) : Outcome(of) {}
  KOKKOS_FORCEINLINE_FUNCTION kmc::Changes<std::int8_t, 8> result() const {
    return {
        .states = {states[0], states[1], states[2], states[3], states[4], states[5], states[6], states[7], states[8]},
        .changed = changed,
        .group = group};
  }
};

/// Sets what tables have of rates with the given values, of the processes, and returns the largest rate of a cell.
template <class Space, class One>
double fill_rates(const Space& space, const double* values, const std::uint32_t* numbers, std::size_t outcomes,
                  One* outcome, const std::uint32_t* first, std::size_t neighbourhoods, double* rate, double* mean) {
  Kokkos::parallel_for(
      "tessera::processes::thresholds", Kokkos::RangePolicy<Space>(space, 1, outcomes), KOKKOS_LAMBDA(std::size_t i) {
        if ((numbers[i - 1] & last_rate) != 0) set_thresholds(numbers + i, values, outcome + i);
      });
  double largest = 0;
  Kokkos::parallel_reduce(
      "tessera::processes::rates", Kokkos::RangePolicy<Space>(space, 0, neighbourhoods),
      KOKKOS_LAMBDA(std::size_t i, double& most) {
        const double total = first[i] == 0 ? 0 : total_rate(numbers + first[i], values);
        rate[i] = total;
        mean[i] = 1.0 / total;
        most = total > most ? total : most;
      },
      Kokkos::Max<double>(largest));
  return largest;
}

/// Where a model whose rates change with time is used after the first window.
enum class UsedOn { both, host, device };

/// A model defined by tables for this number of neighbours, 4, 8 or 12. Copies share the tables, which are in host
/// memory and in the memory of the default execution space. Kokkos must be initialised.
template <int Neighbours>
class TableModelOf {
 public:
  using State = std::int8_t;
  static constexpr int neighbours = Neighbours;
  using Around = kmc::Neighbourhood<State, neighbours>;
  static constexpr const char* time_unit = "s";  // as in kmcos, whose constants have SI units

  explicit TableModelOf(const Tables& tables, UsedOn used_on = UsedOn::both);

  KOKKOS_FORCEINLINE_FUNCTION double rate(const Around& n) const { return table<double>(rates)[number(n)]; }
  KOKKOS_FORCEINLINE_FUNCTION double mean_waiting_time(const Around& n) const { return table<double>(mean)[number(n)]; }

  KOKKOS_FORCEINLINE_FUNCTION double smallest_mean_waiting_time() const { return smallest_mean_; }
  double largest_rate() const { return 1.0 / smallest_mean_; }

  /// End of a window of time, and the model with its rates (Rates). Throw RunError if rates do not exist there.
  double window_end(std::int64_t window) const {
    Rates* const changing = shared_().changing.get();
    return changing == nullptr ? std::numeric_limits<double>::infinity()
                               : while_running([&] { return changing->end(window); });
  }
  TableModelOf at_window(std::int64_t window) const;

  /// The outcome with the smallest threshold that is not less than a random number.
  KOKKOS_FORCEINLINE_FUNCTION auto event(const Around& n, Stream& stream) const {
    const std::uint64_t random = stream.draw();
    const StoredOutcome* one = table<StoredOutcome>(outcomes) + table<std::uint32_t>(first)[number(n)];
    while (random > one->threshold) ++one;
    return one->result();
  }

  KOKKOS_FORCEINLINE_FUNCTION bool valid(State state) const { return state >= 0 && state < states_; }

  /// The states at time 0 (Start).
  KOKKOS_INLINE_FUNCTION State initial(const kmc::InitialCell& cell) const {
    const Start* const end = table<Start>(start) + starts_;
    std::int32_t state = start_state_;
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
  std::int32_t state_named(const std::string& name) const {
    std::int32_t state = 0, weight = 1;
    std::istringstream words(name + "/");
    for (const std::string& one : texts(sites)) {
      std::istringstream parts(one);
      std::string site, wanted, species, valid;
      std::getline(parts, site, '/');
      std::getline(words, wanted, '/');
      std::int32_t digits = 0, digit = -1;
      for (; std::getline(parts, species, '/'); ++digits) {
        if (species == wanted) digit = digits;
        valid += (digits == 0 ? "" : ", ") + species;
      }
      if (digit < 0) throw InputError("must be a species for site " + site + " of each cell; valid are " + valid);
      state += digit * weight;
      weight *= digits;
    }
    if (words.peek() != std::istringstream::traits_type::eof())
      throw InputError("has more species than a unit cell has sites");
    return state;
  }

  /// Names of the observables: coverages and numbers of configurations.
  std::vector<std::string> observables() const { return texts(names); }
  /// Number of orientations of configuration `which` that hold about the cell; 0 beyond the last observable.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t observe(int which, const kmc::Neighbourhood<State, 8>& n) const {
    if (which >= observables_) return 0;
    const ObservedCell* one = table<ObservedCell>(observed) + table<std::uint32_t>(first_observed)[which];
    std::int64_t count = 0;
    for (bool holds = true;; ++one) {
      holds = holds && one->allows(one->cell == 0 ? n.centre : n.around[one->cell - 1]);
      if (one->ends == 0) continue;
      count += holds ? 1 : 0;
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
  using StoredOutcome = std::conditional_t<neighbours == 8, SquareOutcome, PairOutcome>;
  using DeviceMemory = Kokkos::DefaultExecutionSpace::memory_space;
  enum Table {
    mean,
    rates,
    outcomes,
    values,  // of the rates of processes
    first,   // this and the following do not change with the rates
    numbers,
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
  /// What copies share on the host.
  struct Shared {
    std::vector<kmc::ClusterKind> clusters;
    std::vector<kmc::CountedEvents> counted;
    std::shared_ptr<Rates> changing;
    UsedOn used_on = UsedOn::both;
    std::size_t neighbourhoods = 0, outcomes = 0;
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
  const Generation& free_generation() const;
  template <class Space, class Bytes>
  double fill(const std::vector<double>& means, const Bytes& to, const Bytes& fixed) const;

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

  static constexpr std::size_t sixteen = 16;  ///< bytes; alignment of the tables
  std::int32_t states_, start_state_, starts_, observables_, sites_;
  std::int32_t stride_[neighbours];
  double smallest_mean_;
  std::uint32_t at_[tables];
  std::int64_t window_ = 0;
  Kokkos::View<Shared, Kokkos::HostSpace> shared_;
  HostBytes on_host_, rates_on_host_;
  DeviceBytes on_device_, rates_on_device_;
};

template <int Neighbours>
TableModelOf<Neighbours>::TableModelOf(const Tables& tables_, UsedOn used_on)
    : states_(tables_.states),
      start_state_(tables_.start_state),
      starts_(static_cast<std::int32_t>(tables_.start.size())),
      observables_(static_cast<std::int32_t>(tables_.observables.size())),
      sites_(tables_.clusters.empty() ? 1 : tables_.clusters[0].sites),
      shared_(Kokkos::view_alloc("tessera::processes::shared", Kokkos::SequentialHostInit)) {
  shared_() = {
      tables_.clusters, tables_.counted, tables_.changing, used_on, tables_.rate.size(), tables_.outcomes.size(), {}};
  std::copy_n(tables_.strides.begin() + 1, neighbours, stride_);
  std::vector<double> means;
  means.reserve(tables_.rate.size());
  for (const double rate : tables_.rate) means.push_back(1.0 / rate);
  smallest_mean_ = *std::min_element(means.begin(), means.end());
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

/// Memory for the tables of a window: that of a window that no model has any more, or new.
template <int Neighbours>
auto TableModelOf<Neighbours>::free_generation() const -> const Generation& {
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

template <int Neighbours>
template <class Space, class Bytes>
double TableModelOf<Neighbours>::fill(const std::vector<double>& means, const Bytes& to, const Bytes& fixed) const {
  const Space space;
  const auto at = [&](const Bytes& bytes, Table which) { return bytes.data() + sixteen * at_[which]; };
  const auto values_on_device = reinterpret_cast<double*>(at(to, values));
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::deep_copy(space,
                    Kokkos::View<double*, typename Space::memory_space, Unmanaged>(values_on_device, means.size()),
                    Kokkos::View<const double*, Kokkos::HostSpace, Unmanaged>(means.data(), means.size()));
  return fill_rates(space, values_on_device, reinterpret_cast<const std::uint32_t*>(at(fixed, numbers)),
                    shared_().outcomes, reinterpret_cast<StoredOutcome*>(at(to, outcomes)),
                    reinterpret_cast<const std::uint32_t*>(at(fixed, first)), shared_().neighbourhoods,
                    reinterpret_cast<double*>(at(to, rates)), reinterpret_cast<double*>(at(to, mean)));
}

template <int Neighbours>
TableModelOf<Neighbours> TableModelOf<Neighbours>::at_window(std::int64_t window) const {
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
    if (to.on_device.data() != nullptr) largest = fill<Kokkos::DefaultExecutionSpace>(means, to.on_device, on_device_);
  if (!std::isfinite(largest)) throw RunError("the rates of all processes of a unit cell add up to infinity");
  next.smallest_mean_ = 1.0 / largest;
  return next;
}

using TableModel = TableModelOf<4>;
using SquareTableModel = TableModelOf<8>;
using FarTableModel = TableModelOf<12>;
static_assert(kmc::ChangesInTime<TableModel>);
static_assert(kmc::Model<TableModel> && kmc::ChangesPairs<TableModel>);
static_assert(kmc::Model<SquareTableModel> && kmc::ChangesSeveral<SquareTableModel>);
static_assert(kmc::Model<FarTableModel> && kmc::ChangesPairs<FarTableModel>);

/// The result of use(type) for the type of the model of these tables, such as std::type_identity<TableModel>.
template <class Use>
auto visit_table_model(const Tables& tables, const Use& use) {
  if (tables.neighbours == 12) return use(std::type_identity<FarTableModel>());
  return tables.neighbours == 4 ? use(std::type_identity<TableModel>()) : use(std::type_identity<SquareTableModel>());
}

}  // namespace tessera::processes
