// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/rates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tessera/core/error.hpp>
#include <utility>

namespace tessera::processes {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// A process with a smaller rate could wait for longer than the largest number.
constexpr double least_rate = 1e-290;

constexpr std::size_t points = Series::order;
using Numbers = std::array<double, points>;

/// The roots of Chebyshev's polynomial in [0, 1].
constexpr Numbers roots{0.0170370868554658771, 0.146446609406726239, 0.370590477448739761,
                        0.629409522551260239,  0.853553390593273761, 0.982962913144534123};
/// Error of the interpolation between them, for a coefficient of 1 after the last.
constexpr double error_of_interpolation = 1.0 / 2048;

/// Coefficients of the polynomial with these values at the roots, by Newton's divided differences.
Numbers interpolated(Numbers values) {
  for (std::size_t k = 1; k < points; ++k)
    for (std::size_t i = points - 1; i >= k; --i) values[i] = (values[i] - values[i - 1]) / (roots[i] - roots[i - k]);
  Numbers result{};
  for (std::size_t i = points; i-- > 0;) {
    for (std::size_t k = points - 1; k > 0; --k) result[k] = result[k - 1] - roots[i] * result[k];
    result[0] = values[i] - roots[i] * result[0];
  }
  return result;
}

double root(double x, int n) { return portable_exponential(portable_log(x) / n); }

/// Contains the values of a polynomial in [0, 1]: its coefficients in Bernstein's form.
Interval range_of(const Numbers& coefficients) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (std::size_t i = 0; i < points; ++i) {
    double sum = 0, part = 1;  // part: (i over k) / (points - 1 over k)
    for (std::size_t k = 0; k <= i; ++k) {
      sum += part * coefficients[k];
      part *= static_cast<double>(i - k) / static_cast<double>(points - 1 - k);
    }
    least = std::min(least, sum);
    most = std::max(most, sum);
  }
  return {least, most};
}

}  // namespace

Value rate_of(Values& values, const Formula& formula, const std::vector<Value>& own,
              const std::function<std::string()>& details) {
  Value rate = values.of(formula, own);
  if (rate.is_least(0)) rate.value = 0;
  const bool is_small = rate.value > 0 && rate.value < least_rate && rate.until == 0;
  if (rate.value >= 0 && std::isfinite(rate.value) && !is_small) return rate;
  throw InputError(formula.where + ": is " + program::write_value(rate.value) + (details ? details() : "") +
                   values.at_time() + "; it must be " +
                   (is_small ? "0 or at least " + program::write_value(least_rate) : "finite and not negative"));
}

Rate::Rate(const ModelFile& model, Values& values, const Process& process, double scale, double unit)
    : species_(model.species),
      length_(process.otf_rate.text.size()),
      scale_(scale),
      unit_(unit),
      has_energy_(!process.energy.text.empty()),
      constant_(values.formula(process.rate_constant, "rate_constant of " + process.name)) {
  const std::string subject =
      (process.otf_rate.line == process.energy.line ? "energy of " : "otf_rate of ") + process.name;
  const auto refuse = [&](const std::string& what) {
    model.source.refuse(process.otf_rate.line, subject + ": " + what);
  };
  for (const Bystander& one : process.bystanders)
    for (std::size_t species = 0; species < model.species.size(); ++species) {
      if (length_ == 0 || !has(one.species, species)) continue;
      const std::string name = count_name(one, species);
      const auto& [index, of, flag] = counts_.try_emplace(name, Count{counts_.size(), species, one.flag}).first->second;
      if (of != species || flag != one.flag)
        refuse(name + " is the number of " + species_[of] + " with the flag " + flag + " and of " + species_[species] +
               " with the flag " + one.flag + "; rename a flag");
    }
  std::vector<std::string> own(counts_.size() + 1, "base_rate");
  for (const auto& [name, count] : counts_) own[count.index + 1] = name;
  const auto of_energy = model.names_of_energy(process);
  own.insert(own.end(), of_energy.begin(), of_energy.end());
  for (const Parameter& parameter : model.parameters)
    if (length_ != 0 && std::ranges::find(own, parameter.name) != own.end())
      refuse(parameter.name + " is also the name of a parameter in " +
             model.source.place(parameter.value.line, process.otf_rate.line) + "; rename the parameter");
  set_of(std::vector<int>(counts_.size()));
  set_base(values);
  if (length_ == 0) return;
  otf_ = values.formula(process.otf_rate, subject, own);
  if (has_energy_) {
    own.pop_back();
    energy_ = values.formula(process.energy, "energy of " + process.name, own);
  }
  at(values, 0, 0);
}

std::string Rate::count_name(const Bystander& bystander, std::size_t species) const {
  return "nr_" + species_[species] + "_" + bystander.flag;
}

std::optional<std::size_t> Rate::count_of(const Bystander& bystander, std::size_t species) const {
  const auto found = counts_.find(count_name(bystander, species));
  const bool is_counted = has(bystander.species, species) && found != counts_.end();
  return is_counted ? std::optional(found->second.index) : std::nullopt;
}

std::size_t Rate::after(std::size_t set, std::size_t count) {
  if (sets_[set].next[count] == 0) {
    std::vector<int> numbers = sets_[set].numbers;
    ++numbers[count];
    const std::size_t next = set_of(numbers);
    sets_[set].next[count] = next;
  }
  return sets_[set].next[count];
}

std::size_t Rate::set_of(const std::vector<int>& numbers) {
  const auto [known, is_new] = indices_.try_emplace(numbers, sets_.size());
  if (!is_new) return known->second;
  constexpr std::size_t most = 20'000'000;  // characters and numbers, a second
  if (sets_.size() * (length_ + counts_.size()) > most)
    throw InputError(otf_.where + ": has more than " + std::to_string(sets_.size()) +
                     " different values; use fewer bystanders or flags");
  sets_.push_back({numbers, std::vector<std::size_t>(numbers.size()), {}});
  return sets_.size() - 1;
}

Value Rate::at(Values& values, std::size_t set, std::int64_t change) const {
  if (length_ == 0) return {scale_ * base_.value, base_.until};
  const std::vector<int>& numbers = sets_[set].numbers;
  std::vector<Value> own{base_};
  for (const int number : numbers) own.push_back({static_cast<double>(number)});
  own.push_back({static_cast<double>(change) * unit_});
  if (has_energy_) own.push_back(values.of(energy_, own));
  const auto [rate, until, terms] = rate_of(values, otf_, own, [&] {
    std::string where;
    for (const auto& [name, count] : counts_) where += ", " + name + " = " + std::to_string(numbers[count.index]);
    return where + (change == 0 ? "" : ", dE = " + program::write_value(static_cast<double>(change) * unit_));
  });
  return {scale_ * rate, until};
}

Series Rate::in(Values& values, std::size_t set, std::int64_t change) const {
  if (length_ == 0) return times(scale_, enclosed_base_);
  std::vector<Series> own{enclosed_base_};
  for (const int number : sets_[set].numbers) own.emplace_back(static_cast<double>(number));
  own.emplace_back(static_cast<double>(change) * unit_);
  if (has_energy_) own.push_back(values.in(energy_, own));
  return times(scale_, values.in(otf_, own));
}

Rates::Rates(Values values, std::vector<Rate> of_processes, double fraction)
    : values_(std::move(values)), processes_(std::move(of_processes)), fraction_(fraction) {
  for (const Rate& one : processes_) until_ = std::max(until_, one.at(values_, 0, 0).until);
}

std::optional<std::uint32_t> Rates::number(std::size_t process, std::size_t set, std::int64_t change) {
  const auto [its, is_new] = processes_[process].rates(set).try_emplace(change, never_happens);
  if (is_new) {
    const Value rate = processes_[process].at(values_, set, change);
    if (rate.value == 0 && rate.until == 0) return std::nullopt;
    its->second = static_cast<std::uint32_t>(places_.size());
    places_.push_back({process, set, change});
    now_.push_back(rate.value);
  }
  return its->second == never_happens ? std::nullopt : std::optional(its->second);
}

double Rates::at(double time) {
  values_.at(time);
  for (Rate& one : processes_) one.set_base(values_);
  now_.clear();
  double until = 0;
  for (const auto& [process, set, change] : places_) {
    const Value rate = processes_[process].at(values_, set, change);
    now_.push_back(rate.value);
    until = std::max(until, rate.until);
  }
  return until;
}

void Rates::enclose(const Span& span) {
  values_.enclose(span);
  for (Rate& one : processes_) one.enclose_base(values_);
  series_.clear();
  for (const auto& [process, set, change] : places_) series_.push_back(processes_[process].in(values_, set, change));
}

double Rates::examine(const Span& span) {
  const double length = span.end - span.begin;
  enclose(span);
  nodes_.resize(places_.size());
  for (std::size_t i = 0; i < points; ++i) {
    at(span.begin + roots[i] * length);
    for (std::size_t j = 0; j < now_.size(); ++j) nodes_[j][i] = now_[j];
  }
  bounds_ = {span.begin, length};
  double factor = never;
  for (std::size_t j = 0; j < places_.size(); ++j) {
    const Series& series = series_[j];
    const Interval& values = series.at(0);
    Acceptance& acceptance = bounds_.acceptances.emplace_back();
    double& bound = bounds_.rates.emplace_back(nodes_[j][0]);
    if (series.is_constant()) continue;
    const Numbers its = interpolated(nodes_[j]);
    const Interval range = range_of(its);
    double error = boost::numeric::norm(series.at(Series::order)) * error_of_interpolation;
    for (std::size_t k = 0; k < points && error > 0; ++k) error *= length;
    bound = std::max(0.0, std::min(values.upper(), range.upper() + error));
    if (bound * length <= negligible) {
      if (bound < least_rate) bound = 0;
      continue;
    }
    const double least = std::max({0.0, values.lower(), range.lower() - error}), rejected = (bound - least) * length;
    double fits = error == 0 ? never : root(accuracy * bound / error, Series::order);
    if (rejected > few && !(bound <= (1 + fraction_) * least))
      fits = std::min(fits,
                      std::max(std::sqrt(few / rejected), portable_log(1 + fraction_) / portable_log(bound / least)));
    if (!(fits >= factor)) {
      factor = fits >= 0 ? fits : 0;
      limit_ = j;
    }
    for (std::size_t k = 0; k < points; ++k) acceptance.coefficients[k] = static_cast<float>(its[k] / bound);
  }
  return factor;
}

/// The end of a window that is nearly as long as possible, or ends at a kink.
double Rates::find_end(double begin) {
  if (at(begin) <= begin) return never;
  if (begin > latest)
    throw InputError("rates change with time for ever, but nothing has ended the run before time " +
                     program::write_value(latest) + "; it needs --until-time");
  const auto kink = values_.kinks().upper_bound(begin);
  const double last = kink == values_.kinks().end() ? never : *kink;
  for (double length = std::min(length_, last - begin);;) {
    const double end = length < last - begin ? begin + length : last;
    if (!(end > begin)) {
      at(begin + 1e-9 * begin);  // perhaps a rate does not exist
      throw InputError(processes_[places_[limit_].process].where() +
                       ": has no bound at time = " + program::write_value(begin));
    }
    double factor = 0;
    try {
      factor = examine({begin, end});
    } catch (const InputError&) {  // a rate does not exist at some time
    }
    length = std::min(length, end - begin) * std::clamp(0.9 * factor, 0.125, factor >= 1 ? 4 : 0.9);
    if (factor < 1) continue;
    length_ = length;
    return end;
  }
}

double Rates::end(std::int64_t window) {
  const std::lock_guard lock(mutex_);
  while (static_cast<std::int64_t>(ends_.size()) <= window) {
    const double begin = ends_.empty() ? values_.begin() : ends_.back();
    if (std::isinf(begin)) return never;
    if (static_cast<std::int64_t>(ends_.size()) >= most_windows)
      throw InputError(processes_[places_[limit_].process].where() + ": changes so much that more than " +
                       std::to_string(most_windows) + " windows end before time = " + program::write_value(begin));
    ends_.push_back(find_end(begin));
  }
  return ends_[static_cast<std::size_t>(window)];
}

bool Rates::is_complete(std::int64_t window) {
  const Bounds now = bounds(window);
  if (std::isinf(end(window)) || std::ranges::find(now.rates, 0.0) == now.rates.end()) return true;
  const std::lock_guard lock(mutex_);
  enclose({now.begin, never});
  for (std::size_t j = 0; j < places_.size(); ++j)
    if (now.rates[j] == 0 && !(series_[j].at(0).upper() < least_rate)) return false;
  return true;
}

Rates::Bounds Rates::bounds(std::int64_t window) {
  const double last = end(window), first = begin(window);
  const std::lock_guard lock(mutex_);
  if (std::isinf(last)) {
    at(first);
    return {first, 1, now_, std::vector<Acceptance>(now_.size())};
  }
  if (bounds_.begin != first || bounds_.length != last - first) examine({first, last});
  return bounds_;
}

double Rates::parameter(std::size_t index, double time) {
  const std::lock_guard lock(mutex_);
  values_.at(time);
  return values_.parameter(index).value;
}

std::int64_t Rates::count(double until) {
  std::int64_t windows = 0;
  while (end(windows++) < until) {
  }
  return windows;
}

}  // namespace tessera::processes
