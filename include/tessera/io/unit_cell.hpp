// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera::io {

/// The unit cell of a model: its shape, and its states by the names of sites and species.
class UnitCell {
 public:
  /// From a JSON object as in /provenance/model, {"cell": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "sites": [{"name": "a",
  /// "species": ["empty", "CO"], "base": 2}]}: the sides, and for each site the species on it and the number of values
  /// that a state has room for. Without these a square whose states have no names. Earlier files have a text instead.
  explicit UnitCell(const std::string& description);

  bool has_sites() const { return !sites_.empty(); }
  /// Its sides, x, y and z of each.
  const std::array<std::array<double, 3>, 3>& sides() const { return sides_; }

  /// The state with these species: "CO/empty" in the order of the sites, or "empty@cus/CO@bridge". Throws InputError.
  std::int64_t state(const std::string& name) const;

  /// Replaces states of the cell `from` by those of this one with the same species on the sites of the same names;
  /// sites that `from` lacks are as in the state `others`. Throws InputError with the number of cells that hold a
  /// species which this cell lacks, and if the sides have another angle or another ratio, by 2 degrees or 5 %.
  void take_states(const UnitCell& from, std::int64_t others, std::vector<std::int64_t>& states) const;
  void require_shape_of(const UnitCell& from) const;

  /// Numbers of cells by what they hold, "CO@bridge". Throws InputError if a state is not one of this cell.
  std::map<std::string, std::size_t> held(const std::vector<std::int64_t>& states) const;

 private:
  struct Site {
    std::string name;
    std::vector<std::string> species;
    std::int64_t weight = 1, base = 1;  ///< of its species in a state

    std::size_t of(std::int64_t state) const { return static_cast<std::size_t>(state / weight % base); }
  };
  /// What "CO@bridge" adds to a state. Throws InputError.
  std::int64_t term(const std::string& name) const;

  /// Ratio of the second side to the first, and the angle between them in degrees.
  std::array<double, 2> shape() const;

  std::vector<Site> sites_;
  static constexpr std::array<std::array<double, 3>, 3> unit_sides{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  std::array<std::array<double, 3>, 3> sides_ = unit_sides;
};

}  // namespace tessera::io
