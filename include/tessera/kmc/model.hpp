// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <concepts>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/core/streams.hpp>

/// What a model of kinetic Monte Carlo on a 2-d lattice has to say.
///
/// Every cell has a state x. A model gives the rate A at which a cell changes, from the cell's neighbourhood, and the
/// state that it then takes. Everything else (waiting times, tiles, exactness) is the library's.
namespace tessera::kmc {

/// The states that a rate may depend on: a cell and the cells around it.
/// `around`: west, east, south, north (y - 1, y + 1), and with 8 neighbours also south-west, south-east, north-west,
/// north-east.
template <class StateType, int Count>
struct Neighbourhood {
  static_assert(Count == 4 || Count == 8, "a cell has 4 or 8 neighbours");
  StateType centre;
  StateType around[Count];
};

/// Offset in x of neighbour k, in the order of Neighbourhood::around.
KOKKOS_FORCEINLINE_FUNCTION constexpr int neighbour_dx(int k) {
  return k < 4 ? (k == 0 ? -1 : (k == 1 ? 1 : 0)) : ((k & 1) == 0 ? -1 : 1);
}

/// Offset in y of neighbour k, in the order of Neighbourhood::around.
KOKKOS_FORCEINLINE_FUNCTION constexpr int neighbour_dy(int k) {
  return k < 4 ? (k == 2 ? -1 : (k == 3 ? 1 : 0)) : (k < 6 ? -1 : 1);
}

/// The neighbourhood type of a model.
template <class M>
using NeighbourhoodOf = Neighbourhood<typename M::State, M::neighbours>;

/// A quantity that a model measures; its value is a mean over cells.
struct SiteObservable {
  const char* name;
  const char* unit;
};

/// A number that a model on a list (model_list.hpp) is constructed from: an option of the program.
struct ModelParameter {
  const char* name;      ///< of the option, such as "coupling"
  const char* argument;  ///< what the help calls its value
  const char* help;
  double initial, least, most;
  const char* symbol = "";  ///< what the summary of a run calls it; empty: it is left out there
};

/// A model: a small value type that can be copied to a device.
///
///     using State = ...;                       an integer type of at most 32 bits
///     static constexpr int neighbours = 4;     or 8
///     double rate(n) const;                    A >= 0, events per unit time; 0: no event until a neighbour changes
///     State next(n, stream) const;             the state after the event; may draw from `stream`, which is the cell's
///     own
///
/// Both are const, KOKKOS_FUNCTIONs and depend on their arguments alone. To give the same bits on all backends they
/// must not call mathematical functions: keep rates in a table, made with portable_exp(). Optional:
///
///     double mean_waiting_time(n) const;       1 / rate(n), where a table saves the division; it must be the same
///     State initial(random) const;             the state at time 0 from 64 random bits of the cell; State{} if absent
///     bool valid(x) const;                     whether x is a state of this model: no other one is taken from a file
///     static constexpr const char* time_unit = "1/k_2";
///     static constexpr const char* state_name = "height";
///     static constexpr const char* state_unit = "layers";
///                                              what files and pictures call them
///     static constexpr bool state_is_height = true;
///                                              measure mean, moments, skewness and kurtosis of the state
///     static constexpr SiteObservable site_observables[] = {{"coverage", ""}, ...};
///     std::int64_t observe(int which, n) const;
///                                              measure, under these names and units, the mean over all cells of
///                                              observe(0, n), observe(1, n), ...: small integers, so that sums are
///                                              exact
template <class M>
concept Model = std::copyable<M> && std::integral<typename M::State> && sizeof(typename M::State) <= 4 &&
                requires(const M model, const NeighbourhoodOf<M> n, Stream stream) {
                  { model.rate(n) } -> std::same_as<double>;
                  { model.next(n, stream) } -> std::same_as<typename M::State>;
                };

/// The unit of a model's times; empty if the model names none.
template <class M>
constexpr const char* time_unit_of() {
  if constexpr (requires { M::time_unit; }) {
    return M::time_unit;
  } else {
    return "";
  }
}

/// What a model calls its states, "state" if it has no word for them.
template <class M>
constexpr const char* state_name_of() {
  if constexpr (requires { M::state_name; }) {
    return M::state_name;
  } else {
    return "state";
  }
}

/// The unit of a model's states; empty if the model names none: a plain number.
template <class M>
constexpr const char* state_unit_of() {
  if constexpr (requires { M::state_unit; }) {
    return M::state_unit;
  } else {
    return "";
  }
}

/// The mean waiting time 1/A of a cell with neighbourhood n; infinite where the rate is 0.
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION double mean_waiting_time(const M& model, const NeighbourhoodOf<M>& n) {
  if constexpr (requires { model.mean_waiting_time(n); }) {
    return model.mean_waiting_time(n);
  } else {
    return 1.0 / model.rate(n);
  }
}

/// Whether a cell can have this state.
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION bool valid_state(const M& model, typename M::State state) {
  if constexpr (requires { model.valid(state); }) {
    return model.valid(state);
  } else {
    return true;
  }
}

/// The state of a cell at time 0 from 64 random bits of its own.
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION typename M::State initial_state(const M& model, std::uint64_t random) {
  if constexpr (requires { model.initial(random); }) {
    return model.initial(random);
  } else {
    return typename M::State{};
  }
}

}  // namespace tessera::kmc
