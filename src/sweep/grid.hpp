// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "option_words.hpp"

namespace tessera::program {

/// An option that the points of a sweep differ in, with its values as the option writes them.
struct Axis {
  std::string option;
  std::vector<std::string> values;
  std::string where;  ///< where it was given
};

/// The points of a sweep: every value of each axis with every value of the others.
struct Grid {
  std::string method;
  std::vector<GivenWord> fixed;  ///< options that all points have alike
  std::vector<Axis> axes;        ///< in the order of the option table; the last one changes first

  std::size_t size() const;

  /// The value of each axis at a point.
  std::vector<std::string> values_at(std::size_t point) const;

  /// The options of a point, those that are fixed first.
  std::vector<GivenWord> words_at(std::size_t point) const;

  /// A name for the files of a point: "phi=1_seed=2". It does not depend on the other values of the axes.
  std::string name_of(std::size_t point) const;

  /// The point for people: "phi = 1, seed = 2".
  std::string title_of(std::size_t point) const;
};

/// The grid that these words span. Throws InputError for a list that cannot be read, for a value that stands twice, if
/// no option has several values, and for more than 100000 points.
Grid read_grid(const std::string& method, const std::vector<GivenWord>& given, const OptionTable& table);

}  // namespace tessera::program
