// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <tessera/core/error.hpp>
#include <tessera/kmc/model.hpp>
#include <type_traits>
#include <vector>

#include "processes/tables.hpp"

/// The tables of a model in memory.
namespace tessera::processes {

/// Entries of tables that one thread of a host fills before others have started.
constexpr std::size_t few_entries = 4096;

/// Sets the entries of tables that follow from these rates of the processes. Returns an upper bound of the rate of a
/// cell, the largest one if there is one group. `mean`: not used by models of several groups.
template <class Space>
double fill_rates(const Space& space, const double* values, const std::uint32_t* numbers, std::size_t outcomes,
                  Outcome* outcome, const std::uint32_t* first, const std::vector<TableGroup>& groups, double* rate,
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
enum class UsedOn { both, host };

/// The tables of a model, in host memory and in the memory of the default execution space. Copies share them, but each
/// is in a window of time, and has the tables of the rates in this window.
class StoredTables {
  using DeviceMemory = Kokkos::DefaultExecutionSpace::memory_space;
  using HostBytes = Kokkos::View<std::byte*, Kokkos::HostSpace>;
  using DeviceBytes = Kokkos::View<std::byte*, DeviceMemory>;
  struct Memory {
    HostBytes on_host;
    DeviceBytes on_device;
    long uses() const { return on_host.use_count() + on_device.use_count(); }
  };
  /// Memory for the rates in a window.
  struct Generation {
    Memory memory;
    long uses_if_free = 0;
  };
  template <class Work>
  static auto while_running(const Work& work) {
    try {
      return work();
    } catch (const InputError& error) {
      throw RunError(error.what());
    }
  }

 protected:
  enum Table {
    mean,
    rates,
    outcomes,
    values,       // bounds of the rates of processes
    acceptances,  // of these
    first,        // this and the following do not change with the rates
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
    differences,
    digits,
    start,  // followed by the rows of regions and what their columns have
    observed,
    first_observed,
    members,
    tables
  };

  /// Host data shared by all copies.
  struct Shared : TableInfo {
    UsedOn used_on = UsedOn::both;
    std::size_t outcomes = 0;
    bool has_means = false;
    std::vector<Generation> generations = {};
  };

  /// `stored_changes`: those of `all`, in the type of the model.
  template <class Change>
  StoredTables(const Tables& all, const std::vector<Change>& stored_changes, UsedOn used_on)
      : shared_(Kokkos::view_alloc("tessera::processes::shared", Kokkos::SequentialHostInit)) {
    shared_() = {all, used_on, all.outcomes.size(), all.reads == 0};
    const Rates::Bounds bounds = all.changing ? all.changing->bounds(0) : Rates::Bounds();
    set_time(bounds);
    std::vector<double> means;
    for (std::size_t i = 0; shared_().has_means && i < all.rate.size(); ++i) means.push_back(1.0 / all.rate[i]);
    const auto bytes_of = [](const auto&... table) { return std::array{std::as_bytes(std::span(table))...}; };
    std::vector<StartRow> rows = all.start_rows;
    for (StartRow& row : rows) row.first += sizeof(StartRow) / sizeof(std::uint32_t) * rows.size();
    std::vector<std::byte> starts;
    for (const auto& part : bytes_of(all.start, rows, all.start_columns))
      starts.insert(starts.end(), part.begin(), part.end());
    const auto contents = bytes_of(  // in the order of Table
        means, all.rate, all.outcomes, bounds.rates, bounds.acceptances, all.first, all.numbers, all.groups, all.sums,
        all.entries, all.joints, all.bits, all.fields, all.weights, all.lists, stored_changes, all.concerned,
        all.differences, all.digits, starts, all.observed, all.first_observed, all.members);
    static_assert(std::tuple_size_v<decltype(contents)> == tables);
    std::size_t blocks[] = {0, 0};  // of the tables that change with the rates, and of the others
    for (std::size_t which = 0; which < tables; ++which) {
      std::size_t& used = blocks[which < first ? 0 : 1];
      at_[which] = static_cast<std::uint32_t>(used);
      used += (contents[which].size() + sixteen - 1) / sixteen;
    }
    of_rates_.on_host = HostBytes("tessera::processes::tables of rates", sixteen * blocks[0]);
    fixed_.on_host = HostBytes("tessera::processes::tables", sixteen * blocks[1]);
    for (std::size_t which = 0; which < tables; ++which)
      std::ranges::copy(contents[which], (which < first ? of_rates_ : fixed_).on_host.data() + sixteen * at_[which]);
    for (Memory* memory : {&fixed_, &of_rates_})
      memory->on_device = Kokkos::create_mirror_view_and_copy(DeviceMemory(), memory->on_host);
  }

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION const T* table(Table which) const {
    KOKKOS_IF_ON_DEVICE((return reinterpret_cast<const T*>((which < first ? of_rates_ : fixed_).on_device.data() +
                                                           sixteen * at_[which]);))
    KOKKOS_IF_ON_HOST((return on_host<T>(which);))
  }
  template <class T>
  const T* on_host(Table which) const {
    return reinterpret_cast<const T*>((which < first ? of_rates_ : fixed_).on_host.data() + sixteen * at_[which]);
  }

  /// End of a window of time. Throws RunError if rates do not exist there, as enter() does.
  double end_of(std::int64_t window) const {
    return shared_().changing ? while_running([&] { return shared_().changing->end(window); })
                              : std::numeric_limits<double>::infinity();
  }
  /// Changes to the tables of the rates in a window, and returns an upper bound of the rate of a cell; nothing if they
  /// are the same.
  std::optional<double> enter(std::int64_t window) {
    if (window == window_ || !shared_().changing) return std::nullopt;
    const Rates::Bounds bounds = while_running([&] { return shared_().changing->bounds(window); });
    Kokkos::fence("tessera::processes::at_window");  // kernels may still read the tables of an earlier window
    const Memory next = free_memory();
    window_ = window;
    set_time(bounds);
    of_rates_ = next;
    double largest = fill<Kokkos::DefaultHostExecutionSpace>(bounds, next.on_host, fixed_.on_host);
    if constexpr (!std::is_same_v<DeviceMemory, Kokkos::HostSpace>)
      if (next.on_device.data() != nullptr)
        largest = fill<Kokkos::DefaultExecutionSpace>(bounds, next.on_device, fixed_.on_device);
    if (!std::isfinite(largest)) throw RunError("the rates of all processes of a unit cell add up to infinity");
    return largest;
  }

  /// Whether a rate whose bound is 0 in a window remains 0.
  bool is_complete(std::int64_t window) const {
    return !shared_().changing || while_running([&] { return shared_().changing->is_complete(window); });
  }

  Kokkos::View<Shared, Kokkos::HostSpace> shared_;
  double begin_ = 0, per_length_ = 1;  ///< of the window, if rates change in it
  bool rejects_ = false;               ///< whether they do

 private:
  void set_time(const Rates::Bounds& bounds) {
    begin_ = bounds.begin;
    per_length_ = 1 / bounds.length;
    rejects_ = !std::ranges::all_of(bounds.acceptances, &Acceptance::is_certain);
  }
  /// Memory for the tables of a window: that of a window that no model has any more, or new.
  Memory free_memory() const {
    auto& all = shared_().generations;
    for (const Generation& one : all)
      if (one.memory.uses() == one.uses_if_free) return one.memory;
    Memory& made = all.emplace_back().memory;
    made.on_host = HostBytes("tessera::processes::tables of rates", of_rates_.on_host.size());
    Kokkos::deep_copy(made.on_host, of_rates_.on_host);
    if (shared_().used_on == UsedOn::both || std::is_same_v<DeviceMemory, Kokkos::HostSpace>)
      made.on_device = Kokkos::create_mirror_view_and_copy(DeviceMemory(), made.on_host);
    all.back().uses_if_free = made.uses();
    return made;
  }
  template <class Space, class Bytes>
  double fill(const Rates::Bounds& bounds, const Bytes& to, const Bytes& fixed) const {
    const Space space;
    const auto at = [&](const Bytes& bytes, Table which) { return bytes.data() + sixteen * at_[which]; };
    const auto copy = [&](Table which, const auto& from) {
      using T = std::remove_cvref_t<decltype(from[0])>;
      using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
      const Kokkos::View<T*, typename Space::memory_space, Unmanaged> view(reinterpret_cast<T*>(at(to, which)),
                                                                           from.size());
      Kokkos::deep_copy(space, view, Kokkos::View<const T*, Kokkos::HostSpace, Unmanaged>(from.data(), from.size()));
      return view.data();
    };
    copy(acceptances, bounds.acceptances);
    const double* const values_on_device = copy(values, bounds.rates);
    return fill_rates(space, values_on_device, reinterpret_cast<const std::uint32_t*>(at(fixed, numbers)),
                      shared_().outcomes, reinterpret_cast<Outcome*>(at(to, outcomes)),
                      reinterpret_cast<const std::uint32_t*>(at(fixed, first)), shared_().groups,
                      reinterpret_cast<double*>(at(to, rates)),
                      shared_().has_means ? reinterpret_cast<double*>(at(to, mean)) : nullptr);
  }

  static constexpr std::size_t sixteen = 16;  ///< bytes; alignment of the tables
  std::uint32_t at_[tables];
  std::int64_t window_ = 0;
  Memory fixed_, of_rates_;
};

}  // namespace tessera::processes
