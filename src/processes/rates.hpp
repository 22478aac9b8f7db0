// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "options/text.hpp"
#include "processes/expression.hpp"
#include "processes/model_file.hpp"

namespace tessera::processes {

/// Value of an adjustable parameter, `--set NAME=VALUE`: a number or an expression.
struct Setting {
  Setting(double number) : text(program::write_value(number)) {}    // NOLINT
  Setting(std::string expression) : text(std::move(expression)) {}  // NOLINT
  std::string text;
};
using Settings = std::map<std::string, Setting>;

/// An expression whose names are those of Values.
struct Formula {
  Expression expression;
  std::string where;      ///< place and subject of messages: "NAME line N: rate_constant of p"
  std::size_t first = 0;  ///< number of the first of its own names
};

/// Values of a model's parameters, and of expressions that contain them, at a time.
class Values {
 public:
  /// The values at time `begin`, the first one; NaN for an unused parameter that is not a number. Throws InputError:
  /// "--set NAME=VALUE: ..." for a setting, "NAME line N: ..." for the file.
  Values(const ModelFile& model, const Settings& settings, double begin = 0);

  /// Changes the time. Throws InputError if a value does not exist then, or is out of its bounds.
  void at(double time);
  /// Encloses the values in a part of time.
  void enclose(const Span& span);

  /// An expression of the file. `own`: additional names; `what`: subject of messages. Throws InputError.
  Formula formula(const Text& expression, const std::string& what, const std::vector<std::string>& own = {});
  /// Its value, with values of its own names. Throws InputError.
  Value of(const Formula& formula, const std::vector<Value>& own = {});
  /// Encloses it in the part of time of enclose().
  Series in(const Formula& formula, const std::vector<Series>& own = {});
  /// The same if it must not change with time. Throws InputError.
  double fixed(const Formula& formula, const std::vector<Value>& own = {});

  /// Value of a parameter, by index.
  const Value& parameter(std::size_t index) const { return values_[index]; }
  /// Expression of a parameter, by index.
  const std::string& text(std::size_t index) const { return quantities_[index].text; }
  /// Times of tables and pieces.
  const std::set<double>& kinks() const { return kinks_; }
  double begin() const { return begin_; }
  /// " at time = 5"; nothing at time 0.
  std::string at_time() const { return time_ > 0 ? " at time = " + program::write_value(time_) : ""; }

 private:
  /// A parameter or another name; without an expression: the time, a constant, or a chemical potential. `from`: T, of
  /// the latter and beta, and the pressure.
  struct Quantity {
    std::string name, text = {}, where = {}, bounds = {};
    double min = -std::numeric_limits<double>::infinity(), max = -min;
    enum { open, under_way, done, failed } progress = open;
    Formula formula = {};
    std::vector<std::uint32_t> from = {};
    const Gas* gas = nullptr;
  };
  /// Thrown where the value of a parameter is needed that is not known yet.
  struct Unknown {
    std::uint32_t parameter;
  };
  std::set<std::uint32_t> used_parameters(const ModelFile& model);
  std::string free_energy(const std::string& name) const;
  void evaluate_in_order(std::uint32_t first);
  Expression bound(const std::string& text, const std::vector<std::string>& own, std::size_t first);
  std::optional<std::uint32_t> number_of(const std::string& name);
  std::uint32_t add(Quantity quantity, Value value);
  Value evaluated(const Quantity& its);

  Source source_;
  double begin_, time_ = begin_;
  std::vector<Quantity> quantities_;  ///< parameters, then others
  std::vector<Value> values_;         ///< of these
  Span span_{};
  std::vector<Series> series_;  ///< of these, in this part of time
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<std::uint32_t> changing_;  ///< those that change with time, each after those that it depends on
  std::set<double> kinks_;
};

/// The value of a formula of a rate. Throws InputError if negative or not finite; `details` ends "is -1".
Value rate_of(Values& values, const Formula& formula, const std::vector<Value>& own = {},
              const std::function<std::string()>& details = {});

/// The rate of a process as a function of its bystanders and of dE. Sets of their numbers, nr_SPECIES_FLAG for each
/// species and flag, have indices in the order in which they occur; set 0 is that of zeros.
class Rate {
 public:
  /// `scale`: factor of the rate; `unit`: of dE (ClusterEnergies).
  Rate(const ModelFile& model, Values& values, const Process& process, double scale, double unit);

  /// The number that a bystander of this species is counted in; nothing if it is not counted.
  std::optional<std::size_t> count_of(const Bystander& bystander, std::size_t species) const;
  /// The set with one more in `count`.
  std::size_t after(std::size_t set, std::size_t count);
  /// The rate for a set and for dE in units, after set_base(), which is called anew when the time has changed.
  Value at(Values& values, std::size_t set, std::int64_t change) const;
  /// Place and subject of messages.
  const std::string& where() const { return length_ == 0 ? constant_.where : otf_.where; }
  void set_base(Values& values) { base_ = rate_of(values, constant_); }
  /// Encloses it after enclose_base(), likewise.
  Series in(Values& values, std::size_t set, std::int64_t change) const;
  void enclose_base(Values& values) { enclosed_base_ = values.in(constant_); }
  /// Numbers of the rates for a set among all rates (Rates), by dE.
  std::map<std::int64_t, std::uint32_t>& rates(std::size_t set) { return sets_[set].rates; }

 private:
  /// What nr_SPECIES_FLAG counts, and its index in a set.
  struct Count {
    std::size_t index, species;
    std::string flag;
  };
  struct Set {
    std::vector<int> numbers;
    std::vector<std::size_t> next;  // the sets with one more in each count; 0: not known yet
    std::map<std::int64_t, std::uint32_t> rates;
  };
  std::string count_name(const Bystander& bystander, std::size_t species) const;
  std::size_t set_of(const std::vector<int>& numbers);

  std::vector<std::string> species_;
  std::size_t length_;  ///< of otf_rate; 0: there is none
  double scale_, unit_;
  bool has_energy_;
  Formula constant_, energy_, otf_;
  Value base_;
  Series enclosed_base_;
  std::map<std::string, Count> counts_;
  std::vector<Set> sets_;
  std::map<std::vector<int>, std::size_t> indices_;
};

/// The part of the events that is accepted at a time, of those that are drawn with the bound of a rate: a polynomial in
/// (time - begin) / length of the window.
struct Acceptance {
  static constexpr int count = Series::order;
  static constexpr float certain = 2;
  float coefficients[count] = {certain};  ///< the first one is `certain` if every event is accepted

  KOKKOS_FORCEINLINE_FUNCTION bool is_certain() const { return coefficients[0] >= certain; }
  KOKKOS_FORCEINLINE_FUNCTION double at(double part) const {
    double sum = coefficients[count - 1];
    for (int k = count - 2; k >= 0; --k) sum = sum * part + static_cast<double>(coefficients[k]);
    return sum;
  }
};

/// The rates of the processes for the numbers of bystanders that occur, and windows of time, in each of which every
/// rate has an upper bound: events are drawn with the bounds, and accepted with the probability rate / bound (P. A. W.
/// Lewis and G. S. Shedler, Nav. Res. Logist. Q. 26, 403, 1979). In a window the rates are polynomials with errors of
/// less than `accuracy` of the bound, by their Taylor coefficients, apart from rates whose bound makes fewer than
/// `negligible` events per site. Bounds are at most a given fraction above the rates, unless this rejects fewer than
/// `few` events per site. Windows begin with the values, end at the times of tables and pieces, depend on the model
/// alone, and are found on demand, by any thread. Throws InputError if a rate does not exist at a time.
class Rates {
 public:
  static constexpr double accuracy = 1e-6, negligible = 1e-9, few = 0.02;
  static constexpr std::int64_t most_windows = 100'000;
  static constexpr double latest = 1e100;  ///< time

  Rates(Values values, std::vector<Rate> of_processes, double fraction);

  Rate& of(std::size_t process) { return processes_[process]; }
  /// Number of the rate of a process for a set and dE. Nothing if it is always 0.
  std::optional<std::uint32_t> number(std::size_t process, std::size_t set, std::int64_t change);
  /// Rates at the begin, by number, and whether they change with time.
  const std::vector<double>& at_start() const { return now_; }
  bool change() const { return until_ > 0; }

  // After all numbers:

  /// End of a window, infinity for the last one. Throws InputError also if there are more than `most_windows`.
  double end(std::int64_t window);
  double begin(std::int64_t window) { return window == 0 ? values_.begin() : end(window - 1); }
  /// Whether a rate whose bound is 0 in a window remains 0.
  bool is_complete(std::int64_t window);
  /// Bounds of the rates in a window, by number, and which part of the events is accepted.
  struct Bounds {
    double begin = 0, length = 1;
    std::vector<double> rates = {};
    std::vector<Acceptance> acceptances = {};
  };
  Bounds bounds(std::int64_t window);
  /// The time from which on all rates are constant; infinity if they may always change.
  double last_change() const { return until_; }
  /// Value of a parameter at a time.
  double parameter(std::size_t index, double time);
  /// Number of windows until a time.
  std::int64_t count(double until);

 private:
  struct Place {
    std::size_t process, set;
    std::int64_t change;
  };
  static constexpr std::uint32_t never_happens = ~std::uint32_t{0};  ///< number of a rate that is always 0
  /// Sets now_ to the rates at a time, and returns the time from which on they are constant.
  double at(double time);
  /// Encloses the rates in a part of time.
  void enclose(const Span& span);
  /// Sets bounds_, and returns the factor by which the length of a window can be multiplied; less than 1: it is too
  /// long.
  double examine(const Span& span);
  double find_end(double begin);

  Values values_;
  std::vector<Rate> processes_;
  std::vector<Place> places_;  ///< by number, as now_ and series_
  double fraction_, until_ = 0, length_ = 1024;
  std::vector<double> now_;
  std::vector<Series> series_;
  std::vector<std::array<double, Series::order>> nodes_;
  Bounds bounds_;             ///< of the window that was examined last
  std::size_t limit_ = 0;     ///< number of the rate that limits its length
  std::vector<double> ends_;  ///< by window
  std::mutex mutex_;
};

}  // namespace tessera::processes
