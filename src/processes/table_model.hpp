// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
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

/// A model defined by tables for this number of neighbours, 4, 8 or 12. Copies share the tables, which are in host
/// memory and in the memory of the default execution space. Kokkos must be initialised.
template <int Neighbours>
class TableModelOf {
 public:
  using State = std::int8_t;
  static constexpr int neighbours = Neighbours;
  using Around = kmc::Neighbourhood<State, neighbours>;
  static constexpr const char* time_unit = "s";  // as in kmcos, whose constants have SI units

  explicit TableModelOf(const Tables& tables);

  KOKKOS_FORCEINLINE_FUNCTION double rate(const Around& n) const { return table<double>(rates)[number(n)]; }
  KOKKOS_FORCEINLINE_FUNCTION double mean_waiting_time(const Around& n) const { return table<double>(mean)[number(n)]; }

  KOKKOS_FORCEINLINE_FUNCTION double smallest_mean_waiting_time() const { return smallest_mean_; }
  double largest_rate() const { return 1.0 / smallest_mean_; }

  /// The outcome with the smallest threshold that is not less than a random number.
  KOKKOS_FORCEINLINE_FUNCTION auto event(const Around& n, Stream& stream) const {
    const std::uint64_t random = stream.draw();
    const StoredOutcome* one = table<StoredOutcome>(outcomes) + table<std::uint32_t>(first)[number(n)];
    while (random > one->threshold) ++one;
    return one->result();
  }

  KOKKOS_FORCEINLINE_FUNCTION bool valid(State state) const { return state >= 0 && state < states_; }

  /// A site has a species in a fraction of the cells, rounded to a whole number of cells, which are the first ones of a
  /// random order of the cells that depends on the site.
  KOKKOS_INLINE_FUNCTION State initial(const kmc::InitialCell& cell) const {
    const auto cells = static_cast<std::uint64_t>(std::int64_t{cell.nx} * cell.ny);
    const auto number = static_cast<std::uint64_t>(std::int64_t{cell.y} * cell.nx + cell.x);
    const Start* const end = table<Start>(start) + starts_;
    std::int32_t state = 0;
    for (const Start* next = table<Start>(start); next < end;) {
      const std::uint32_t site = next->site;
      const std::uint64_t rank = permuted(number, cells, hash(cell.seed, site));
      while (rank >= static_cast<std::uint64_t>(next->below * static_cast<double>(cells) + 0.5)) ++next;
      state += next->state;
      while (next < end && next->site == site) ++next;
    }
    return static_cast<State>(state);
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

  std::vector<kmc::ClusterKind> clusters() const { return {clusters_.data(), clusters_.data() + clusters_.size()}; }
  KOKKOS_FORCEINLINE_FUNCTION bool in_cluster(int kind, int site, State state) const {
    return table<ObservedCell>(members)[kind * sites_ + site].allows(state);
  }

  std::vector<kmc::CountedEvents> counted_events() const {
    return {counted_.data(), counted_.data() + counted_.size()};
  }

 private:
  using StoredOutcome = std::conditional_t<neighbours == 8, SquareOutcome, PairOutcome>;
  using DeviceMemory = Kokkos::DefaultExecutionSpace::memory_space;
  enum Table { mean, rates, first, outcomes, start, observed, first_observed, members, names, tables };

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION const T* table(Table which) const {
    KOKKOS_IF_ON_DEVICE((return reinterpret_cast<const T*>(on_device_.data() + sixteen * at_[which]);))
    KOKKOS_IF_ON_HOST((return on_host<T>(which);))
  }
  template <class T>
  const T* on_host(Table which) const {
    return reinterpret_cast<const T*>(on_host_.data() + sixteen * at_[which]);
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
  std::int32_t states_, starts_, observables_, sites_;
  std::int32_t stride_[neighbours];
  double smallest_mean_;
  std::uint32_t at_[tables];
  Kokkos::View<kmc::ClusterKind*, Kokkos::HostSpace> clusters_;
  Kokkos::View<kmc::CountedEvents*, Kokkos::HostSpace> counted_;
  Kokkos::View<std::byte*, Kokkos::HostSpace> on_host_;
  Kokkos::View<std::byte*, DeviceMemory> on_device_;
};

template <int Neighbours>
TableModelOf<Neighbours>::TableModelOf(const Tables& tables_)
    : states_(tables_.states),
      starts_(static_cast<std::int32_t>(tables_.start.size())),
      observables_(static_cast<std::int32_t>(tables_.observables.size())),
      sites_(tables_.clusters.empty() ? 1 : tables_.clusters[0].sites),
      clusters_("tessera::processes::clusters", tables_.clusters.size()),
      counted_("tessera::processes::counted", tables_.counted.size()) {
  std::ranges::copy(tables_.clusters, clusters_.data());
  std::ranges::copy(tables_.counted, counted_.data());
  std::copy_n(tables_.strides.begin() + 1, neighbours, stride_);
  std::vector<double> means;
  means.reserve(tables_.rate.size());
  for (const double rate : tables_.rate) means.push_back(1.0 / rate);
  smallest_mean_ = *std::min_element(means.begin(), means.end());
  const std::vector<StoredOutcome> all_outcomes(tables_.outcomes.begin(), tables_.outcomes.end());
  std::string all_names;
  for (const std::string& name : tables_.observables) all_names += name + '\0';
  all_names += '\0';
  std::size_t blocks = 0;
  const auto place = [&](Table which, const auto& table) {
    at_[which] = static_cast<std::uint32_t>(blocks);
    blocks += (table.size() * sizeof(table[0]) + sixteen - 1) / sixteen;
  };
  const auto put = [&](Table which, const auto& table) {
    std::memcpy(on_host_.data() + sixteen * at_[which], table.data(), table.size() * sizeof(table[0]));
  };
  const auto each = [&](const auto& use) {
    use(mean, means);
    use(rates, tables_.rate);
    use(first, tables_.first);
    use(outcomes, all_outcomes);
    use(start, tables_.start);
    use(observed, tables_.observed);
    use(first_observed, tables_.first_observed);
    use(members, tables_.members);
    use(names, all_names);
  };
  each(place);
  on_host_ = Kokkos::View<std::byte*, Kokkos::HostSpace>("tessera::processes::tables", sixteen * blocks);
  each(put);
  on_device_ = Kokkos::create_mirror_view_and_copy(DeviceMemory(), on_host_);
}

using TableModel = TableModelOf<4>;
using SquareTableModel = TableModelOf<8>;
using FarTableModel = TableModelOf<12>;
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
