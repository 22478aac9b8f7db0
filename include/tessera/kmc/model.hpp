// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <string>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/core/streams.hpp>
#include <vector>

/// What a model of kinetic Monte Carlo on a 2-d lattice has to say.
///
/// Every cell has a state x. A model gives the rate A of a cell's events, from the cell's neighbourhood, and what an
/// event changes: the state of the cell, or, as a hop does, that of the cell and of one of its nearest neighbours.
/// Everything else (waiting times, tiles, exactness) is the library's.
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

/// The outcome of an event that may change two cells: a hop, a reaction of a pair, adsorption.
template <class StateType>
struct Event {
  StateType centre;             ///< new state of the cell, where it changes
  StateType beside;             ///< new state of the neighbour, likewise
  int direction = 0;            ///< number of the neighbour, in the order of Neighbourhood::around
  bool changes_centre = true;   ///< whether the cell changes
  bool changes_beside = false;  ///< whether the neighbour changes
  int group = -1;               ///< number of the group of processes that it is counted in; -1: in none
};

/// A cell of the lattice at time 0.
struct InitialCell {
  int x, y;              ///< in the lattice
  int nx, ny;            ///< size of the lattice
  std::uint64_t seed;    ///< of the replica
  std::uint64_t random;  ///< 64 bits of the cell's own
};

/// A quantity that a model measures; its value is a mean over cells.
struct SiteObservable {
  const char* name;
  const char* unit;
};

/// Numbers of events that a model counts.
struct CountedEvents {
  std::string name;
  std::vector<double> weights;  ///< of an event of group 0, 1, ... (Event::group)
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
///     State next(n, stream) const;             the state after the event; may draw from `stream`, the cell's own
///
/// or, with 4 neighbours and instead of next(),
///
///     Event<State> event(n, stream) const;     the outcome of the event, for the cell and one of its neighbours; the
///                                              clock that runs is the cell's, at the sum of the rates of all processes
///                                              that belong to it
///
/// These are const, KOKKOS_FUNCTIONs and depend on their arguments alone. To give the same bits on all backends they
/// must not call mathematical functions: keep rates in a table, made with portable_exp(). Optional:
///
///     double mean_waiting_time(n) const;       1 / rate(n), where a table saves the division; it must be the same
///     State initial(random) const;             the state at time 0 from 64 random bits of the cell, or
///     State initial(cell) const;               from an InitialCell; State{} if there is neither
///     static constexpr const char* counted[] = {"hops", "depositions"};
///                                              with event(): count the events of each group, and call them this
///     static constexpr int most_groups = 16;
///     std::vector<CountedEvents> counted_events() const;
///                                              the same where only the host knows names and number of the groups
///     bool valid(x) const;                     whether x is a state of this model: no other one is taken from a file
///     static constexpr bool even_sides = true; its lattices have sides of an even number of cells
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
///     std::vector<std::string> observables() const;
///                                              their names instead, pure numbers, where only the host knows them
template <class M>
concept ChangesPairs = M::neighbours == 4 && requires(const M model, const NeighbourhoodOf<M> n, Stream stream) {
  { model.event(n, stream) } -> std::same_as<Event<typename M::State>>;
};
template <class M>
concept ChangesOneCell = requires(const M model, const NeighbourhoodOf<M> n, Stream stream) {
  { model.next(n, stream) } -> std::same_as<typename M::State>;
};
template <class M>
concept Model =
    std::copyable<M> && std::integral<typename M::State> && sizeof(typename M::State) <= 4 &&
    (ChangesOneCell<M> || ChangesPairs<M>) && requires(const M model, const NeighbourhoodOf<M> n) {
      { model.rate(n) } -> std::same_as<double>;
    };

/// How many groups of events a model counts (Event::group), at most.
template <class M>
constexpr int most_groups_of() {
  if constexpr (requires { M::most_groups; }) {
    return M::most_groups;
  } else if constexpr (requires { M::counted; }) {
    return static_cast<int>(std::size(M::counted));
  } else {
    return 0;
  }
}
template <class M>
inline constexpr int groups = most_groups_of<M>();

/// What it counts.
template <Model M>
std::vector<CountedEvents> counted_events_of([[maybe_unused]] const M& model) {
  static_assert(groups<M> == 0 || ChangesPairs<M>, "only a model with event() counts groups of events");
  if constexpr (requires { model.counted_events(); }) {
    return model.counted_events();
  } else {
    std::vector<CountedEvents> all;
    if constexpr (groups<M> != 0)
      for (const char* name : M::counted) {
        std::vector<double> weights(all.size());
        weights.push_back(1);
        all.push_back({name, weights});
      }
    return all;
  }
}

/// How many groups it counts.
template <Model M>
int groups_of(const M& model) {
  std::size_t count = 0;
  for (const CountedEvents& one : counted_events_of(model)) count = std::max(count, one.weights.size());
  return static_cast<int>(count);
}

/// Whether a model needs sides of an even number of cells.
template <class M>
constexpr bool needs_even_sides() {
  if constexpr (requires { M::even_sides; }) {
    return M::even_sides;
  } else {
    return false;
  }
}

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

/// The state of a cell at time 0.
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION typename M::State initial_state(const M& model, const InitialCell& cell) {
  if constexpr (requires { model.initial(cell); }) {
    return model.initial(cell);
  } else if constexpr (requires { model.initial(cell.random); }) {
    return model.initial(cell.random);
  } else {
    return typename M::State{};
  }
}

}  // namespace tessera::kmc
