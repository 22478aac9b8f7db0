// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <boost/numeric/interval.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// Expressions, with the same bits on all machines.
namespace tessera::processes {

/// Without directed rounding: what it encloses may lie outside by errors of rounding. The same bits on all machines.
using Interval = boost::numeric::interval<
    double, boost::numeric::interval_lib::policies<
                boost::numeric::interval_lib::save_state_nothing<boost::numeric::interval_lib::rounded_transc_exact<
                    double, boost::numeric::interval_lib::rounded_arith_exact<double>>>,
                boost::numeric::interval_lib::checking_base<double>>>;

/// Taylor coefficients of a function of time at all times of an interval: at(k) contains its k-th derivative / k!
/// (R. E. Moore, Interval Analysis, 1966).
class Series {
 public:
  static constexpr int order = 6;

  Series(double value = 0) { at_[0] = value; }                       // NOLINT
  Series(const Interval& values, const Interval& slope) : last(1) {  // of higher order 0
    at_[0] = values;
    at_[1] = slope;
  }
  /// A function of which nothing is known but the values.
  static Series unknown(const Interval& values = Interval::whole());

  bool is_constant() const { return last == 0 && boost::numeric::singleton(at_[0]); }
  const Interval& at(int k) const { return at_[static_cast<std::size_t>(k)]; }
  Interval& at(int k) { return at_[static_cast<std::size_t>(k)]; }

  int last = 0;  ///< coefficients after it are 0

 private:
  std::array<Interval, order + 1> at_{};
};

/// What a Function does, for functions of time; the second operand of those that have one is any.
using Enclose = Series (*)(const Series&, const Series&);
Series plus(const Series& a, const Series& b);
Series minus(const Series& a, const Series& b);
Series times(const Series& a, const Series& b);
Series divided(const Series& a, const Series& b);
Series raised(const Series& a, const Series& b);
Series exponential(const Series& a, const Series& = {});
Series logarithm(const Series& a, const Series& = {});
Series square_root(const Series& a, const Series& = {});
Series absolute(const Series& a, const Series& = {});
Series smaller(const Series& a, const Series& b);
Series larger(const Series& a, const Series& b);
Series sine(const Series& a, const Series& = {});
Series cosine(const Series& a, const Series& = {});
Series arctangent(const Series& a, const Series& = {});
/// One of the two.
Series either(const Series& a, const Series& b);

/// Applies a function or an operator; unary ones ignore the second argument.
using Apply = double (*)(double, double);

/// Precedence of operators, as in Python; `a if c else b` has of_choice.
constexpr int of_choice = 1, of_or = 2, of_and = 3, of_not = 4, of_comparison = 5, of_sum = 6, of_product = 7,
              of_sign = 8, of_power = 9;

/// A function or an operator.
struct Function {
  const char* name;
  std::uint32_t least, most;  ///< number of arguments; more than two are taken one after the other
  Apply apply;
  Enclose enclose;     ///< null if it jumps where its arguments change continuously
  int precedence = 0;  ///< of an operator
};
extern const std::vector<Function> functions;
extern const std::vector<Function> operators;  ///< between two operands; of those that begin alike the longer one first
extern const Function negative, negation;      ///< before an operand

/// exp(x), 0 for x < -708 and infinity from 709 on.
double portable_exponential(double x);

/// Integer powers up to this one are products.
constexpr double largest_whole_power = 1 << 20;

/// ln(x) from basic arithmetic, for x = m 2^k, 1/sqrt(2) <= m < sqrt(2), by the series of artanh((m - 1)/(m + 1)).
double portable_log(double x);

/// The angle with tangent x, by its series.
double portable_atan(double x);

/// A value at a time, and the time from which on it is constant: 0 if it does not change, infinity if it always may.
struct Value {
  double value = 0, until = 0;
  double terms = 0;  ///< size of the terms of sums, which may cancel each other

  /// Whether the value may lie below a bound only because the terms are rounded.
  bool is_least(double bound) const { return value < bound && value >= bound - 1e-12 * terms; }
};

/// A part of time, from its begin up to, but not including, its end.
struct Span {
  double begin, end;
};

/// An expression in Python's syntax, with the functions of time table() and piecewise() (docs/model_files).
/// Assignments NAME = EXPRESSION may precede it. Operations are carried out as written, each rounded once; integer
/// powers are products, and functions are portable: values have the same bits on all machines. Nesting uses no stack.
class Expression {
 public:
  Expression() = default;
  /// Throws InputError, "'expression': what".
  explicit Expression(const std::string& text);

  /// Number of the value of a name; nullopt if the name is not defined.
  using Number = std::function<std::optional<std::uint32_t>(const std::string&)>;
  /// Replaces names by numbers of values; those of the names `own` are `first` and the following ones. Throws
  /// InputError for other names.
  void bind(const Number& number, const std::vector<std::string>& own = {}, std::size_t first = 0);
  /// The names that are not bound, without those that are assigned.
  const std::vector<std::string>& names() const { return names_; }

  /// The value at a time, given those of the names by number. `kinks`: receives the times of tables and pieces. Throws
  /// InputError if these times change or decrease.
  Value at(double time, const std::vector<Value>& named, std::set<double>* kinks = nullptr) const;
  /// Its Taylor coefficients in a part of time.
  Series in(const Span& span, const std::vector<Series>& named) const;

 private:
  friend class Parser;
  struct Operation {
    /// '#': a number; 'n', 'v', 'w': a name, one that is assigned, its assignment; 'f': a function of one or two
    /// operands; '?': a choice; 't', 'p': a table, pieces; 'l': a table of the numbers 'd' that follow
    char code;
    std::uint32_t count = 0;  ///< number of the name, or of arguments
    double number = 0;
    const Function* what = nullptr;
  };
  template <class Numbers>
  typename Numbers::Number evaluate(const Numbers& numbers) const;
  std::string text_;
  std::vector<std::string> names_;
  std::vector<Operation> operations_;  ///< each after its operands
};

/// Value of a constant of kmcos or of m_X, the mass of molecule X in umass; nothing if it is not known.
std::optional<double> constant(const std::string& name);
/// The names of the constants apart from masses: "pi, c, ...".
std::string constant_names();

/// A gas whose chemical potential is known between two temperatures.
struct Gas {
  const char* name;  ///< such as "CO"
  double enthalpy;   ///< H(0 K) - H(298.15 K) in kJ/mol
  /// Parameters A to H of the Shomate equation, below a temperature in K and from there on.
  struct Range {
    double up_to, a, b, c, d, e, f, g, h;
  } ranges[2];

  /// Chemical potential in eV at a temperature in K and a pressure in bar, relative to the enthalpy at 0 K. The result
  /// has the same bits on all machines. Throws InputError if the temperature is out of range.
  double chemical_potential(double temperature, double pressure) const;
  /// Its Taylor coefficients.
  Series chemical_potential(const Series& temperature, const Series& pressure) const;
};

/// The gas of a name such as "mu_COgas"; null if it is not known.
const Gas* gas_of_potential(const std::string& name);

/// The names of the chemical potentials of all gases: "mu_H2gas, ... and mu_Cl2gas".
std::string potential_names();

/// A molecule of an ideal gas, as in kmcos.
struct IdealGas {
  const char* name;         ///< such as "CO"
  const char* frequencies;  ///< wave numbers of its vibrations in 1/cm, such as "3657, 1595, 3756"
  double inertia;  ///< its moment of inertia in umass angstrom^2; of a molecule that is not linear their product
  int symmetry_number, spins = 1;
  bool is_linear = true;

  /// The expression in eV of its free energy without vibrations, less its energy: -kT log(z kT/p) with the partition
  /// function z of translations, rotations and spins per volume.
  std::string free_energy() const;
};

/// The gas of a name such as "GibbsGas_COgas"; null if it is not known.
const IdealGas* ideal_gas(const std::string& name);

}  // namespace tessera::processes
