// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/rates.hpp"

#include <algorithm>
#include <cmath>
#include <tessera/core/error.hpp>

namespace tessera::processes {

using program::write_value;

Values::Values(const ModelFile& model, const Settings& settings, double begin)
    : source_(model.source), begin_(begin), values_(model.parameters.size()) {
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
  const std::set<std::uint32_t> used = used_parameters(model);
  for (std::uint32_t i = 0; i < model.parameters.size(); ++i) {
    if (quantities_[i].progress != Quantity::open) continue;
    const bool is_set = settings.contains(quantities_[i].name);
    try {
      if (!is_set && !used.contains(i)) bound(quantities_[i].text, {}, 0);
    } catch (const Unknown&) {
    } catch (const InputError&) {  // a text, such as 40 40 1, which no expression needs
      quantities_[i].progress = Quantity::failed;
      values_[i].value = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    evaluate_in_order(i);
  }
}

/// The parameters that rates and initial states need. Throws InputError with all names that are not defined.
std::set<std::uint32_t> Values::used_parameters(const ModelFile& model) {
  struct Use {
    Text text;
    std::set<std::string> own = {};
  };
  std::vector<Use> texts;
  for (const Process& one : model.processes) {
    std::set<std::string> own{"base_rate"};
    for (const std::string& name : model.names_of_energy(one)) own.insert(name);
    for (const Bystander& bystander : one.bystanders)
      for (std::size_t i = 0; i < model.species.size(); ++i)
        if (has(bystander.species, i)) own.insert("nr_" + model.species[i] + "_" + bystander.flag);
    texts.insert(texts.end(), {{one.rate_constant}, {one.otf_rate, own}, {one.energy, own}});
  }
  for (const Process& one : model.energies) texts.push_back({one.energy});
  for (const InitialSection& section : model.initial) {
    for (const Initial& one : section.entries) texts.push_back({one.part});
    const std::vector<std::string> axes = model.axes();
    texts.push_back({section.where, {axes.begin(), axes.end()}});
  }
  std::set<std::uint32_t> used;
  std::vector<std::pair<std::string, int>> unknown;
  const auto use = [&](const std::string& name) {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) return false;
    const std::uint32_t i = found->second;
    if (used.insert(i).second) texts.push_back({{quantities_[i].text, model.parameters[i].value.line}});
    return true;
  };
  // Whether a name that is not a parameter is defined, with the parameters that it needs.
  const auto is_known = [&](const std::string& name) {
    if (name == "time") return true;
    if (name == "beta") return use("T");
    if (gas_of_potential(name) != nullptr) return use("T") && use("p_" + name.substr(3));
    if (!free_energy(name).empty())
      return use("T") && use("E_" + name.substr(9)) && (ideal_gas(name) == nullptr || use("p_" + name.substr(9)));
    return constant(name).has_value();
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto [text, own] = Use(texts[i]);
    std::vector<std::string> names;
    try {
      names = Expression(text.text).names();
    } catch (const InputError&) {  // refused where it is evaluated
    }
    for (const std::string& name : names)
      if (!own.contains(name) && !use(name) && !is_known(name) &&
          std::ranges::find(unknown, name, &std::pair<std::string, int>::first) == unknown.end())
        unknown.emplace_back(name, text.line);
  }
  if (unknown.size() < 2) return used;  // the message for a single one is more detailed
  std::ranges::stable_sort(unknown, {}, &std::pair<std::string, int>::second);
  const int first = unknown[0].second;
  const auto written = [&](const auto& one) {
    return "'" + one.first + "' (" + source_.place(one.second, first) + ")";
  };
  throw InputError(source_.place(first) + ": " + program::joined(unknown, " and ", written) +
                   " are not defined; define each as [Parameter NAME]");
}

/// The free energy in eV as an expression, as in kmcos: of an adsorbate, "GibbsAds_CO" with a parameter f_CO, a list of
/// vibrational wave numbers in 1/cm, E_CO and, of each, hw/2 + kT log(1 - exp(-hw/kT)); of a gas, "GibbsGas_COgas", the
/// same and its free energy without vibrations.
std::string Values::free_energy(const std::string& name) const {
  const IdealGas* const gas = ideal_gas(name);
  const std::string of = name.substr(std::min<std::size_t>(9, name.size()));
  const auto found = name.starts_with("GibbsAds_") ? numbers_.find("f_" + of) : numbers_.end();
  if (gas == nullptr && found == numbers_.end()) return "";
  const std::string list = gas == nullptr ? quantities_[found->second].text : std::string("[") + gas->frequencies + "]";
  if (!list.starts_with('[') || !list.ends_with(']')) return "";
  std::string text = "w = 0 kT = kboltzmann*T/eV f = E_" + of + (gas == nullptr ? "" : gas->free_energy());
  for (const std::string& one : parts_of(list.substr(1, list.size() - 2), ','))
    text += " w = (" + one + ")*1.23981e-4 f = f + w/2 + kT*log(1 - exp(-w/kT))";
  return text;
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
  expression.bind([this](const std::string& name) { return number_of(name); }, own, first);
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
    if (quantities_[found->second].progress == Quantity::failed) throw InputError("'" + name + "' is no number");
    if (quantities_[found->second].progress != Quantity::done) throw Unknown{found->second};
    return found->second;
  }
  Quantity one{name};
  if (name == "time") return add(one, {time_, std::numeric_limits<double>::infinity()});
  const auto has = [&](const std::string& parameter) {
    if (const auto its = number_of(parameter)) one.from.push_back(*its);
    return numbers_.contains(parameter);
  };
  if (name == "beta" && !has("T")) throw InputError("'beta' is 1/(kboltzmann*T), but [Parameter T] is not defined");
  one.gas = gas_of_potential(name);
  if (const std::string needed = "p_" + name.substr(std::min<std::size_t>(3, name.size()));
      one.gas != nullptr && !(has("T") && has(needed)))
    throw InputError("'" + name + "' requires [Parameter T], in K, and [Parameter " + needed + "], in bar");
  one.text = name == "beta" ? "1/(" + write_value(*constant("kboltzmann")) + "*T)" : free_energy(name);
  if (!one.text.empty()) one.formula = {bound(one.text, {}, 0), one.where = name};
  if (one.gas != nullptr || !one.text.empty()) return add(one, evaluated(one));
  for (const char* of_kmcos : {"mu_", "GibbsGas_", "GibbsAds_"})
    if (name.starts_with(of_kmcos))
      throw InputError("'" + name + "' is not known; define its value in eV as [Parameter " + name +
                       "]. Known chemical potentials are " + potential_names());
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
  if (!its.from.empty() && !(values_[its.from[0]].value > 0))  // beta
    throw InputError(quantities_[its.from[0]].where + ": T = " + write_value(values_[its.from[0]].value) + at_time() +
                     ": must be positive, because rates contain 1/T");
  if (its.text.empty()) return {time_, std::numeric_limits<double>::infinity()};
  const Value value = of(its.formula);
  if (!std::isfinite(value.value))
    throw InputError(its.where + ": is " + write_value(value.value) + at_time() + "; it must be finite");
  if ((value.value < its.min && !value.is_least(its.min)) || value.value > its.max)
    throw InputError(its.where + ": " + its.name + (value.until > 0 ? " = " + write_value(value.value) : "") +
                     at_time() + " must lie in [" + write_value(its.min) + ", " + write_value(its.max) + "], " +
                     its.bounds);
  return value;
}

void Values::at(double time) {
  time_ = time;
  for (const std::uint32_t i : changing_) values_[i] = evaluated(quantities_[i]);
}

void Values::enclose(const Span& span) {
  span_ = span;
  for (std::size_t i = series_.size(); i < values_.size(); ++i) series_.emplace_back(values_[i].value);
  for (const std::uint32_t i : changing_) {
    const Quantity& its = quantities_[i];
    if (its.gas != nullptr)
      series_[i] = its.gas->chemical_potential(series_[its.from[0]], series_[its.from[1]]);
    else
      series_[i] = its.text.empty() ? Series({span.begin, span.end}, 1) : its.formula.expression.in(span, series_);
  }
}

Series Values::in(const Formula& formula, const std::vector<Series>& own) {
  std::ranges::copy(own, series_.begin() + static_cast<std::ptrdiff_t>(formula.first));
  return formula.expression.in(span_, series_);
}

Formula Values::formula(const Text& expression, const std::string& what, const std::vector<std::string>& own) {
  Formula formula{{}, source_.place(expression.line) + ": " + what, quantities_.size()};
  for (std::size_t i = 0; i < own.size(); ++i) add({""}, {});
  formula.expression = with_prefix(formula.where + ": ", [&] { return bound(expression.text, own, formula.first); });
  return formula;
}

Value Values::of(const Formula& formula, const std::vector<Value>& own) {
  std::ranges::copy(own, values_.begin() + static_cast<std::ptrdiff_t>(formula.first));
  try {
    return formula.expression.at(time_, values_, time_ == begin_ ? &kinks_ : nullptr);
  } catch (const InputError& error) {
    throw InputError(formula.where + ": " + error.what());
  }
}

double Values::fixed(const Formula& formula, const std::vector<Value>& own) {
  const Value value = of(formula, own);
  if (value.until > 0)
    throw InputError(formula.where + ": changes with time; only rates, and parameters for them, may depend on time");
  return value.value;
}

}  // namespace tessera::processes
