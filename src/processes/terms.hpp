// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "processes/model_file.hpp"

/// Grammar of conditions and actions: Species@site.(dx,dy,dz).layer, joined by +.
namespace tessera::processes {

/// Numbers of a tuple such as "(1, 0, 0)"; nullopt if the text is not a tuple.
std::optional<std::vector<double>> read_tuple(const std::string& text);

/// Parser of the terms in a file whose species and sites are defined. All functions throw InputError with the line.
class TermReader {
 public:
  TermReader(const ModelFile& model, std::string layer) : model_(model), layer_(std::move(layer)) {}

  std::size_t species(const std::string& name, int line) const;
  std::size_t site(const std::string& name, int line) const;
  /// "site.(dx,dy,dz).layer".
  LatticeSite lattice_site(const std::string& text, int line) const;
  /// "CO@a + empty@a.(1,0,0)"; alternatives are written "CO or O".
  std::vector<Condition> conditions(const Text& text) const;
  std::vector<Action> actions(const Text& text) const;
  /// "['CO', 'O']@a.(1,0,0)|flag + ...".
  std::vector<Bystander> bystanders(const Text& text) const;
  /// "{'CO2': 1, 'CO': -1}".
  TurnoverCounts turnover_counts(const Text& text) const;

 private:
  /// A term "LEFT@RIGHT".
  struct Term {
    std::string left, right;
  };
  std::vector<Term> terms(const Text& text) const;

  const ModelFile& model_;
  std::string layer_;
};

}  // namespace tessera::processes
