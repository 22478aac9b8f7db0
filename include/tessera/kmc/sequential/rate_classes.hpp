// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tessera/core/streams.hpp>
#include <utility>
#include <vector>

namespace tessera::kmc {

/// Keys of rates: their exponents, in a double, rounded up to powers of two, or 0.
struct PowersOfTwo {
  static constexpr std::size_t count = 2049;  ///< of keys
  /// The sum with 0 is never -0.
  static std::uint16_t key_of(double rate) {
    return static_cast<std::uint16_t>((Kokkos::bit_cast<std::uint64_t>(rate + 0.0) + 0xfffffffffffff) >> 52);
  }
  static double bound_of(std::uint16_t key) { return Kokkos::bit_cast<double>(std::uint64_t{key} << 52); }
};
/// Keys of kinds, with few rates, and 0.
struct KindsOfRates {
  static constexpr std::size_t count = 17;  ///< likewise
  double rates[16] = {};                    ///< by kind
  std::uint16_t key_of(int kind) const { return static_cast<std::uint16_t>(rates[kind] > 0 ? kind + 1 : 0); }
  double bound_of(std::uint16_t key) const { return key == 0 ? 0 : rates[key - 1]; }
};

/// All cells, in classes by keys of their rates, which are at most the bound of the class. Draws a cell with a
/// probability proportional to its bound, and changes a rate, in times that do not depend on the number of cells (A.
/// Slepoy, A. P. Thompson and S. J. Plimpton, J. Chem. Phys. 128, 205101, 2008).
template <class Keys>
class RateClassesOf {
 public:
  /// Rates of 0.
  explicit RateClassesOf(std::uint32_t cells, const Keys& keys = {})
      : all_keys_(keys), keys_(cells), order_(cells), classes_(1), class_of_(Keys::count) {
    std::iota(order_.begin(), order_.end(), 0u);
    places_ = order_;
  }

  /// Sets the rate, or the kind, of a cell.
  template <class Rate>
  void set(std::uint32_t cell, Rate rate) {
    const std::uint16_t key = all_keys_.key_of(rate);
    if (key != keys_[cell]) move(cell, key);
  }

  /// The sum of the bounds of all cells.
  double total() const {
    double total = 0;
    for (const Class* one = classes_.data(); one->bound > 0; ++one) total += sum_of(*one);
    return total;
  }

  /// A cell, and a uniform number below its bound: with the probability rate / bound it is below the rate.
  struct Drawn {
    std::uint32_t cell;  ///< number
    double height;       ///< uniform number
  };
  /// Draws a cell. `total`: total(), not 0.
  Drawn draw(double total, Stream& stream) const {
    double point = stream.uniform() * total;
    const Class* its = nullptr;
    for (const Class* one = classes_.data(); one->bound > 0; ++one) {
      const double sum = sum_of(*one);
      if (sum > 0) its = one;  // rounding may place the point beyond the last one
      if (point < sum) break;
      point -= sum;
    }
    const double at = stream.uniform() * (its[1].begin - its->begin);
    const auto place = static_cast<std::uint32_t>(at);
    return {order_[its->begin + place], (at - place) * its->bound};
  }

  /// The cells, class by class. Cells of a class have an order that depends on earlier changes.
  const std::vector<std::uint32_t>& order() const { return order_; }
  /// Sets an order from order(). Returns false if it is none of cells with these rates.
  bool set_order(std::span<const std::uint32_t> order) {
    std::vector<bool> known(order_.size());
    for (std::uint32_t place = 0; place < order.size(); ++place) {
      const std::uint32_t cell = order[place];
      if (cell >= known.size() || known[cell] || keys_[cell] != keys_[order_[place]]) return false;
      known[cell] = true;
      places_[cell] = place;
    }
    order_.assign(order.begin(), order.end());
    return true;
  }

  /// Bytes in memory for this number of cells.
  static std::size_t bytes(std::size_t cells) { return 10 * cells + 2 * Keys::count; }

 private:
  struct Class {
    double bound = 0;         // of a cell
    std::uint32_t begin = 0;  // place of the first cell; the last class, of the rates 0, has all from there on
    std::uint16_t key = 0;
  };
  /// Of the bounds of all cells, exact for powers of two.
  static double sum_of(const Class& one) { return one.bound * ((&one)[1].begin - one.begin); }

  /// Moves a cell to another class.
  void move(std::uint32_t cell, std::uint16_t key) {
    if (classes_[class_of_[key]].key != key) add_class(key);
    std::size_t at = class_of_[keys_[cell]];
    const std::size_t to = class_of_[key];
    keys_[cell] = key;
    std::uint32_t place = places_[cell];
    const auto exchange = [&](std::uint32_t with) {
      std::swap(order_[place], order_[with]);
      places_[order_[place]] = place;
      place = with;
    };
    for (; at < to; ++at) exchange(--classes_[at + 1].begin);
    for (; at > to; --at) exchange(classes_[at].begin++);
    places_[cell] = place;
  }

  void add_class(std::uint16_t key) {
    const double bound = all_keys_.bound_of(key);
    std::size_t before = 0;
    while (classes_[before].bound > bound) ++before;
    classes_.insert(classes_.begin() + static_cast<std::ptrdiff_t>(before), Class{bound, classes_[before].begin, key});
    for (std::size_t i = before; i < classes_.size(); ++i) class_of_[classes_[i].key] = static_cast<std::uint16_t>(i);
  }

  Keys all_keys_;
  std::vector<std::uint16_t> keys_;      // by cell
  std::vector<std::uint32_t> places_;    // in order_, by cell
  std::vector<std::uint32_t> order_;     // all cells, class by class
  std::vector<Class> classes_;           // from the largest bound to 0
  std::vector<std::uint16_t> class_of_;  // by key
};

/// In classes of which the rates are more than half of the bounds.
using RateClasses = RateClassesOf<PowersOfTwo>;

}  // namespace tessera::kmc
