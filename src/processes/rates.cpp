// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/rates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tessera/core/error.hpp>
#include <utility>

#include "processes/energies.hpp"

namespace tessera::processes {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Points of Gauss and Legendre in [0, 1], with weights.
constexpr std::pair<double, double> gauss[] = {{0.0694318442029737124, 0.173927422568726929},
                                               {0.3300094782075718676, 0.326072577431273071},
                                               {0.6699905217924281324, 0.326072577431273071},
                                               {0.9305681557970262876, 0.173927422568726929}};
constexpr std::size_t points = 4;

}  // namespace

Value rate_of(Values& values, const Formula& formula, const std::vector<Value>& own,
              const std::function<std::string()>& details) {
  const Value rate = values.of(formula, own);
  if (!(rate.value >= 0) || !std::isfinite(rate.value))
    throw InputError(formula.where + ": is " + program::write_value(rate.value) + (details ? details() : "") +
                     values.at_time() + "; it must be finite and not negative");
  return rate;
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
  const auto of_energy = names_of_energy(model, process);
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
  const auto [rate, until] = rate_of(values, otf_, own, [&] {
    std::string where;
    for (const auto& [name, count] : counts_) where += ", " + name + " = " + std::to_string(numbers[count.index]);
    return where + (change == 0 ? "" : ", dE = " + program::write_value(static_cast<double>(change) * unit_));
  });
  return {scale_ * rate, until};
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

/// The first and the last node are the ends; the others are those of the quadrature.
void Rates::sample(double begin, double end, std::size_t i) {
  const double inside = i == 0 || i > points ? 0 : gauss[i - 1].first * (end - begin);
  at(i > points ? std::nextafter(end, begin) : begin + inside);
}

/// The largest relative change of a rate in a window; infinity if a rate does not exist.
double Rates::change(double begin, double end) {
  for (std::size_t i = 0; i <= points + 1; ++i) {
    try {
      sample(begin, end, i);
    } catch (const InputError&) {
      if (i == 0) throw;
      return never;
    }
    if (i == 0) least_ = most_ = now_;
    for (std::size_t j = 0; j < now_.size(); ++j) {
      least_[j] = std::min(least_[j], now_[j]);
      most_[j] = std::max(most_[j], now_[j]);
    }
  }
  double largest = 0;
  for (std::size_t j = 0; j < now_.size(); ++j)
    if (const double change = most_[j] - least_[j]; change * (end - begin) > negligible)
      largest = std::max(largest, change / least_[j]);
  return largest;
}

/// The end of a window in which rates change by nearly the fraction, or which ends at a kink.
double Rates::find_end(double begin) {
  if (at(begin) <= begin) return never;
  const auto kink = values_.kinks().upper_bound(begin);
  const double latest = kink == values_.kinks().end() ? never : *kink;
  const double earliest = std::nextafter(begin, never);
  double length = ends_.empty() ? 1 : ends_.back() - (ends_.size() == 1 ? 0 : ends_[ends_.size() - 2]);
  double good = begin, bad = never;  // ends of windows with less and with more change
  for (;;) {
    const double end = std::clamp(begin + length, earliest, latest);
    if (std::isinf(end)) return never;
    const double part = change(begin, end) / fraction_;
    if (part <= 1) {
      good = end;
      changes_.resize(ends_.size() + 1);
      changes_.back() = part * fraction_;
      if (part >= 0.8 || end == latest) return good;
    } else {
      bad = end;
      if (bad <= earliest) return earliest;
    }
    length = (end - begin) * std::clamp(0.9 / part, 0.0625, 2.0);
    if (std::isinf(bad) && begin + length > good) continue;
    const double middle = good + (bad - good) / 2;
    if (bad - good <= 0.01 * (good - begin) || middle <= good || middle >= bad) return std::max(good, earliest);
    if (begin + length <= good || begin + length >= bad) length = middle - begin;
  }
}

double Rates::end(std::int64_t window) {
  const std::lock_guard lock(mutex_);
  while (static_cast<std::int64_t>(ends_.size()) <= window) {
    const double begin = ends_.empty() ? 0 : ends_.back();
    if (std::isinf(begin)) return never;
    if (static_cast<std::int64_t>(ends_.size()) >= most_windows)
      throw InputError("--rate-window " + program::write_value(fraction_) +
                       ": the rates change so much that more than " + std::to_string(most_windows) +
                       " windows end before time " + program::write_value(begin) + "; use a larger fraction");
    ends_.push_back(find_end(begin));
    changes_.resize(ends_.size());
  }
  return ends_[static_cast<std::size_t>(window)];
}

std::vector<double> Rates::means(std::int64_t window) {
  const double last = end(window), first = begin(window);
  const std::lock_guard lock(mutex_);
  sample(first, last, 0);
  if (std::isinf(last)) return now_;
  std::vector<double> means(now_.size());
  for (std::size_t i = 1; i <= points; ++i) {
    sample(first, last, i);
    for (std::size_t j = 0; j < means.size(); ++j) means[j] += gauss[i - 1].second * now_[j];
  }
  return means;
}

double Rates::parameter(std::size_t index, double time) {
  const std::lock_guard lock(mutex_);
  values_.at(time);
  return values_.parameter(index).value;
}

/// Two processes that have x and y events in a window, and whose relative changes s and t differ, make an error of
/// x y |s - t| / 12 there if y < |s| + |t|, otherwise |s| + |t| in place of y. The errors of a process add up, in the
/// part exp(-sum of x) of the sites in which it has not happened. Each process is taken with the fastest one.
Rates::Summary Rates::summary(double until) {
  Summary summary;
  std::vector<double> errors, passed, slopes;
  for (double from = 0; from < until; from = end(summary.windows++)) {
    const double to = end(summary.windows);
    const std::vector<double> mean = means(summary.windows);
    const std::lock_guard lock(mutex_);
    summary.change = std::max(summary.change, changes_[static_cast<std::size_t>(summary.windows)]);
    if (std::isinf(to)) return ++summary.windows, summary;
    sample(from, to, points + 1);
    slopes = now_;
    sample(from, to, 0);
    errors.resize(mean.size());
    passed.resize(mean.size());
    for (std::size_t j = 0; j < mean.size(); ++j) slopes[j] = mean[j] > 0 ? (slopes[j] - now_[j]) / mean[j] : 0;
    const auto k = static_cast<std::size_t>(std::ranges::max_element(mean) - mean.begin());
    for (std::size_t j = 0; j < mean.size(); ++j) {
      const double x = mean[j] * (to - from), y = mean[k] * (to - from);
      errors[j] += std::exp(-passed[j]) * std::min(1.0, x) * std::min(y, std::abs(slopes[j]) + std::abs(slopes[k])) *
                   std::abs(slopes[j] - slopes[k]) / 12;
      passed[j] += x;
      summary.error = std::max(summary.error, errors[j]);
    }
  }
  return summary;
}

}  // namespace tessera::processes
