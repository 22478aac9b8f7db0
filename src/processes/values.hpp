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

/// The values of the parameters of a model, and of the expressions that have them.
class Values {
 public:
  /// Throws InputError, "--set NAME=VALUE: ..." about a setting, "NAME line N: ..." about the file.
  Values(const ModelFile& model, const Settings& settings);

  /// The value of an expression; `own`: names that it alone may have. Throws InputError with `what` in it.
  double of(const Text& expression, const std::string& what, const Lookup& own = {}) const;

  /// By the number of the parameter.
  const std::vector<double>& parameters() const { return values_; }

 private:
  enum class Progress { open, under_way, done };
  double parameter(std::size_t i);
  std::optional<double> named(const std::string& name, const std::function<double(std::size_t)>& parameter) const;

  const ModelFile& model_;
  std::vector<double> values_;
  std::vector<Progress> progress_;
};

}  // namespace tessera::processes
