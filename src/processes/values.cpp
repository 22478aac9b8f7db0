// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/values.hpp"

#include <algorithm>
#include <cmath>
#include <tessera/core/error.hpp>

#include "options/shown_text.hpp"
#include "options/value_text.hpp"
#include "processes/gases.hpp"

namespace tessera::processes {

Values::Values(const ModelFile& model, const Settings& settings)
    : model_(model), values_(model.parameters.size()), progress_(model.parameters.size(), Progress::open) {
  for (std::size_t i = 0; i < values_.size(); ++i) indices_[model.parameters[i].name] = i;
  for (const auto& [name, value] : settings) {
    const std::string setting = "--set " + name + "=" + program::write_value(value) + ": ";
    const auto found = std::ranges::find(model.parameters, name, &Parameter::name);
    if (found == model.parameters.end()) {
      std::vector<std::string> known;
      for (const Parameter& one : model.parameters)
        if (one.adjustable) known.push_back(one.name);
      throw InputError(setting + "the model has no parameter '" + name + "'" +
                       (known.empty() ? "" : "; adjustable parameters are " + program::joined(known, " and ")));
    }
    if (!found->adjustable)
      throw InputError(setting + "the parameter is not adjustable; add `adjustable = True` at " +
                       model.source.place(found->value.line));
    if (value < found->min || value > found->max)
      throw InputError(setting + name + " must lie in [" + program::write_value(found->min) + ", " +
                       program::write_value(found->max) + "], its min and max at " +
                       model.source.place(found->value.line));
    const auto i = static_cast<std::size_t>(found - model.parameters.begin());
    values_[i] = value;
    progress_[i] = Progress::done;
  }
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (progress_[i] == Progress::open) evaluate_in_order(i);
}

/// Without recursion, since each parameter may contain another one.
void Values::evaluate_in_order(std::size_t first) {
  for (std::vector<std::size_t> path{first}; !path.empty();) {
    const std::size_t i = path.back();
    const Parameter& its = model_.parameters[i];
    const std::string what = "value of " + its.name;
    progress_[i] = Progress::under_way;
    try {
      values_[i] = of(its.value, what);
      if (!std::isfinite(values_[i]))
        model_.source.refuse(its.value.line, what + ": is " + program::write_value(values_[i]) + "; it must be finite");
      progress_[i] = Progress::done;
      path.pop_back();
    } catch (const Unknown& needed) {
      path.push_back(needed.parameter);
      const Parameter& other = model_.parameters[needed.parameter];
      if (progress_[needed.parameter] == Progress::under_way)
        model_.source.refuse(other.value.line, "value of " + other.name + ": depends on itself");
    }
  }
}

std::optional<double> Values::named(const std::string& name) const {
  if (const auto found = indices_.find(name); found != indices_.end()) {
    if (progress_[found->second] != Progress::done) throw Unknown{found->second};
    return values_[found->second];
  }
  if (name == "beta") {
    const auto temperature = named("T");
    if (!temperature) throw InputError("'beta' is 1/(kboltzmann*T), but [Parameter T] is not defined");
    return 1.0 / (*constant("kboltzmann") * *temperature);
  }
  if (const Gas* gas = gas_of_potential(name); gas != nullptr) {
    const std::string needed = "p_" + name.substr(3);
    const auto temperature = named("T"), pressure = named(needed);
    if (!temperature || !pressure)
      throw InputError("'" + name + "' requires [Parameter T], in K, and [Parameter " + needed + "], in bar");
    return gas->chemical_potential(*temperature, *pressure);
  }
  for (const char* of_kmcos : {"mu_", "GibbsGas_", "GibbsAds_"})
    if (name.starts_with(of_kmcos))
      throw InputError("'" + name + "' is not known; define its value in eV as [Parameter " + name +
                       "]. Known chemical potentials are " + program::joined(potential_names(), " and "));
  return constant(name);
}

double Values::of(const Text& expression, const std::string& what, const Lookup& own) const {
  try {
    return evaluate(expression.text, [&](const std::string& name) {
      const auto value = own ? own(name) : std::nullopt;
      return value ? value : named(name);
    });
  } catch (const InputError& error) {
    model_.source.refuse(expression.line, what + ": " + error.what());
  }
}

}  // namespace tessera::processes
