// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <map>
#include <string>
#include <vector>

#include "processes/expression.hpp"
#include "processes/model_file.hpp"

namespace tessera::processes {

/// Values of adjustable parameters, `--set NAME=VALUE`.
using Settings = std::map<std::string, double>;

/// Values of a model's parameters, and of expressions that contain them.
class Values {
 public:
  /// Throws InputError: "--set NAME=VALUE: ..." for a setting, "NAME line N: ..." for the file.
  Values(const ModelFile& model, const Settings& settings);

  /// Value of an expression. `own`: additional names; `what`: subject of messages. Throws InputError.
  double of(const Text& expression, const std::string& what, const Lookup& own = {}) const;

  /// Values by index of the parameter.
  const std::vector<double>& parameters() const { return values_; }

 private:
  enum class Progress { open, under_way, done };
  /// Thrown where the value of a parameter is needed that is not known yet.
  struct Unknown {
    std::size_t parameter;
  };
  void evaluate_in_order(std::size_t first);
  std::optional<double> named(const std::string& name) const;

  const ModelFile& model_;
  std::map<std::string, std::size_t> indices_;  // of the parameters
  std::vector<double> values_;
  std::vector<Progress> progress_;
};

}  // namespace tessera::processes
