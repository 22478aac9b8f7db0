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

/// All cells, in classes by their rates, which are at most a power of two, the bound of the class, and more than half
/// of it. Draws a cell with a probability proportional to its bound, and changes a rate, in times that do not depend on
/// the number of cells (A. Slepoy, A. P. Thompson and S. J. Plimpton, J. Chem. Phys. 128, 205101, 2008).
class RateClasses {
 public:
  /// Rates of 0.
  explicit RateClasses(std::uint32_t cells) : exponents_(cells), order_(cells), classes_(1), class_of_(exponents) {
    std::iota(order_.begin(), order_.end(), 0u);
    places_ = order_;
  }

  /// Sets the rate of a cell.
  void set(std::uint32_t cell, double rate) {
    const std::uint16_t exponent = exponent_of(rate);
    if (exponent != exponents_[cell]) move(cell, exponent);
  }

  /// The sum of the bounds of all cells.
  double total() const {
    double total = 0;
    for (const Class& one : classes_) total += one.sum;
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
      if (one->sum > 0) its = one;  // rounding may place the point beyond the last one
      if (point < one->sum) break;
      point -= one->sum;
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
      if (cell >= known.size() || known[cell] || exponents_[cell] != exponents_[order_[place]]) return false;
      known[cell] = true;
      places_[cell] = place;
    }
    order_.assign(order.begin(), order.end());
    return true;
  }

  /// Bytes in memory for this number of cells.
  static std::size_t bytes(std::size_t cells) { return 10 * cells + 2 * exponents; }

 private:
  struct Class {
    double bound = 0, sum = 0;  // of a cell and of all cells
    std::uint32_t begin = 0;    // place of the first cell; the last class, of the rates 0, has all from there on
  };

  static constexpr std::size_t exponents = 2049;
  /// Exponent, in a double, of the rate rounded up to a power of two, or 0. The sum with 0 is never -0.
  static std::uint16_t exponent_of(double rate) {
    return static_cast<std::uint16_t>((Kokkos::bit_cast<std::uint64_t>(rate + 0.0) + 0xfffffffffffff) >> 52);
  }
  static double bound_of(std::uint16_t exponent) { return Kokkos::bit_cast<double>(std::uint64_t{exponent} << 52); }

  /// Moves a cell to another class.
  void move(std::uint32_t cell, std::uint16_t exponent) {
    if (classes_[class_of_[exponent]].bound != bound_of(exponent)) add_class(exponent);
    std::size_t at = class_of_[exponents_[cell]];
    const std::size_t to = class_of_[exponent];
    exponents_[cell] = exponent;
    classes_[at].sum -= classes_[at].bound;
    classes_[to].sum += classes_[to].bound;
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

  void add_class(std::uint16_t exponent) {
    std::size_t before = 0;
    while (classes_[before].bound > bound_of(exponent)) ++before;
    classes_.insert(classes_.begin() + static_cast<std::ptrdiff_t>(before),
                    Class{bound_of(exponent), 0, classes_[before].begin});
    for (std::size_t i = before; i < classes_.size(); ++i)
      class_of_[exponent_of(classes_[i].bound)] = static_cast<std::uint16_t>(i);
  }

  std::vector<std::uint16_t> exponents_;  // of the bound, by cell
  std::vector<std::uint32_t> places_;     // in order_, by cell
  std::vector<std::uint32_t> order_;      // all cells, class by class
  std::vector<Class> classes_;            // from the largest bound to 0
  std::vector<std::uint16_t> class_of_;   // by exponent
};

}  // namespace tessera::kmc
