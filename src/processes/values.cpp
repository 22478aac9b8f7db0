// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/values.hpp"

#include <algorithm>
#include <cmath>
#include <tessera/core/error.hpp>

#include "options/shown_text.hpp"

namespace tessera::processes {

using program::write_value;

Values::Values(const ModelFile& model, const Settings& settings)
    : source_(model.source), values_(model.parameters.size()) {
  for (const Parameter& one : model.parameters) {
    numbers_[one.name] = static_cast<std::uint32_t>(quantities_.size());
    quantities_.push_back({one.name, one.value.text, source_.place(one.value.line) + ": value of " + one.name});
  }
  for (const auto& [name, setting] : settings) {
    const std::string where = "--set " + name + "=" + program::shown(setting.text, 200);
    const auto found = std::ranges::find(model.parameters, name, &Parameter::name);
    if (found == model.parameters.end()) {
      std::vector<std::string> known;
      for (const Parameter& one : model.parameters)
        if (one.adjustable) known.push_back(one.name);
      throw InputError(where + ": the model has no parameter '" + name + "'" +
                       (known.empty() ? "" : "; adjustable parameters are " + program::joined(known, " and ")));
    }
    const std::string line = source_.place(found->value.line);
    if (!found->adjustable)
      throw InputError(where + ": the parameter is not adjustable; add `adjustable = True` at " + line);
    Quantity& its = quantities_[numbers_[name]];
    its = {name, setting.text, where, "its min and max at " + line, found->min, found->max};
  }
  for (std::uint32_t i = 0; i < model.parameters.size(); ++i)
    if (quantities_[i].progress == Quantity::open) evaluate_in_order(i);
}

/// Without recursion, since each parameter may contain another one.
void Values::evaluate_in_order(std::uint32_t first) {
  for (std::vector<std::uint32_t> path{first}; !path.empty();) {
    const std::uint32_t i = path.back();
    quantities_[i].progress = Quantity::under_way;
    try {
      const Formula formula{bound(quantities_[i].text, {}, 0), quantities_[i].where};
      quantities_[i].formula = formula;
      values_[i] = evaluated(quantities_[i]);
      quantities_[i].progress = Quantity::done;
      if (values_[i].until > 0) changing_.push_back(i);
      path.pop_back();
    } catch (const Unknown& needed) {
      path.push_back(needed.parameter);
      const Quantity& other = quantities_[needed.parameter];
      if (other.progress == Quantity::under_way) throw InputError(other.where + ": depends on itself");
    } catch (const InputError& error) {
      if (std::string_view(error.what()).starts_with(quantities_[i].where)) throw;
      throw InputError(quantities_[i].where + ": " + error.what());
    }
  }
}

Expression Values::bound(const std::string& text, const std::vector<std::string>& own, std::size_t first) {
  Expression expression(text);
  expression.bind([&](const std::string& name) -> std::optional<std::uint32_t> {
    const auto found = std::ranges::find(own, name);
    return found == own.end() ? number_of(name) : static_cast<std::uint32_t>(first + (found - own.begin()));
  });
  return expression;
}

std::uint32_t Values::add(Quantity quantity, Value value) {
  const auto number = static_cast<std::uint32_t>(quantities_.size());
  quantity.progress = Quantity::done;
  if (value.until > 0) changing_.push_back(number);
  if (!quantity.name.empty()) numbers_[quantity.name] = number;
  quantities_.push_back(std::move(quantity));
  values_.push_back(value);
  return number;
}

std::optional<std::uint32_t> Values::number_of(const std::string& name) {
  if (const auto found = numbers_.find(name); found != numbers_.end()) {
    if (quantities_[found->second].progress != Quantity::done) throw Unknown{found->second};
    return found->second;
  }
  Quantity one{name};
  if (name == "time") return add(one, {time_, std::numeric_limits<double>::infinity()});
  if (name == "beta") {
    const auto temperature = number_of("T");
    if (!temperature) throw InputError("'beta' is 1/(kboltzmann*T), but [Parameter T] is not defined");
    one.from = {*temperature};
    return add(one, evaluated(one));
  }
  if (one.gas = gas_of_potential(name); one.gas != nullptr) {
    const std::string needed = "p_" + name.substr(3);
    const auto temperature = number_of("T"), pressure = number_of(needed);
    if (!temperature || !pressure)
      throw InputError("'" + name + "' requires [Parameter T], in K, and [Parameter " + needed + "], in bar");
    one.from = {*temperature, *pressure};
    return add(one, evaluated(one));
  }
  for (const char* of_kmcos : {"mu_", "GibbsGas_", "GibbsAds_"})
    if (name.starts_with(of_kmcos))
      throw InputError("'" + name + "' is not known; define its value in eV as [Parameter " + name +
                       "]. Known chemical potentials are " + program::joined(potential_names(), " and "));
  const auto value = constant(name);
  return value ? std::optional(add(one, {*value})) : std::nullopt;
}

Value Values::evaluated(const Quantity& its) {
  if (its.gas != nullptr) {
    const Value &temperature = values_[its.from[0]], &pressure = values_[its.from[1]];
    try {
      return {its.gas->chemical_potential(temperature.value, pressure.value),
              std::max(temperature.until, pressure.until)};
    } catch (const InputError& error) {
      throw InputError(error.what() + at_time());
    }
  }
  if (its.name == "beta" && !its.from.empty())
    return {1.0 / (*constant("kboltzmann") * values_[its.from[0]].value), values_[its.from[0]].until};
  if (its.text.empty()) return {time_, std::numeric_limits<double>::infinity()};
  const Value value = of(its.formula);
  if (!std::isfinite(value.value))
    throw InputError(its.where + ": is " + write_value(value.value) + at_time() + "; it must be finite");
  if (value.value < its.min || value.value > its.max)
    throw InputError(its.where + ": " + its.name + (value.until > 0 ? " = " + write_value(value.value) : "") +
                     at_time() + " must lie in [" + write_value(its.min) + ", " + write_value(its.max) + "], " +
                     its.bounds);
  return value;
}

void Values::at(double time) {
  time_ = time;
  for (const std::uint32_t i : changing_) values_[i] = evaluated(quantities_[i]);
}

Formula Values::formula(const Text& expression, const std::string& what, const std::vector<std::string>& own) {
  Formula formula{{}, source_.place(expression.line) + ": " + what, quantities_.size()};
  for (std::size_t i = 0; i < own.size(); ++i) add({""}, {});
  try {
    formula.expression = bound(expression.text, own, formula.first);
  } catch (const InputError& error) {
    throw InputError(formula.where + ": " + error.what());
  }
  return formula;
}

Value Values::of(const Formula& formula, const std::vector<Value>& own) {
  std::ranges::copy(own, values_.begin() + static_cast<std::ptrdiff_t>(formula.first));
  try {
    return formula.expression.at(time_, values_, time_ == 0 ? &kinks_ : nullptr);
  } catch (const InputError& error) {
    throw InputError(formula.where + ": " + error.what());
  }
}

double Values::of(const Text& expression, const std::string& what) {
  const Formula its = formula(expression, what);
  const Value value = of(its);
  if (value.until > 0)
    throw InputError(its.where + ": changes with time; only rates, and parameters for them, may depend on time");
  return value.value;
}

}  // namespace tessera::processes
