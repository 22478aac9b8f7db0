// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera::io {

/// The unit cell of a model: its shape, and its states by the names of sites and species.
class UnitCell {
 public:
  /// From a description as in /provenance/model, with lines `cell`, `site NAME: SPECIES, ...` and `base N`; without
  /// them a square whose states have no names.
  explicit UnitCell(const std::string& description);

  bool has_sites() const { return !sites_.empty(); }

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

  std::vector<Site> sites_;
  double ratio_ = 1, angle_ = 90;  ///< of the second side to the first; between them, in degrees
};

}  // namespace tessera::io
