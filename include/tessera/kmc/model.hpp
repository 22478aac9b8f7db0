// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/neighbourhood.hpp>
#include <type_traits>
#include <vector>

/// Concept of a model for kinetic Monte Carlo on two-dimensional lattices.
///
/// Each cell has a state x. A model defines the rate A of a cell's events as a function of its neighbourhood, and the
/// outcome of an event: the new state of the cell, or of the cell and one of its nearest neighbours, for example for a
/// hop, or of the cell and several neighbours. Waiting times, tiles and exactness are independent of the model.
namespace tessera::kmc {

/// Whether a model reads states at any offsets, and lists the cells that an event changes and affects.
template <class M>
concept ReadsSurroundings = requires {
  M::reads;
  M::writes;
};

/// The neighbourhood type of a model.
template <class M>
using NeighbourhoodOf = std::conditional_t<ReadsSurroundings<M>, Surroundings<typename M::State>,
                                           Neighbourhood<typename M::State, M::neighbours>>;

/// Outcome of an event that may change two cells, such as a hop, a reaction of a pair, or adsorption.
template <class StateType>
struct Event {
  StateType centre;             ///< new state of the cell, if it changes
  StateType beside;             ///< new state of the neighbour, if it changes
  int direction = 0;            ///< number of the neighbour, 0 to 3, in the order of Neighbourhood::around
  bool changes_centre = true;   ///< whether the cell changes
  bool changes_beside = false;  ///< whether the neighbour changes
  int group = -1;               ///< group in which the event is counted; -1: none
};

/// A cell that an event changes.
template <class StateType>
struct CellChange {
  Offset at;             ///< from the cell of the event
  StateType difference;  ///< of the new state and the old one
};

/// Outcome of an event that may change and affect any cells within the reach of its model, in lists of the model.
template <class StateType>
struct ListedChanges {
  const CellChange<StateType>* changes = nullptr;  ///< of different cells
  const Offset* concerned = nullptr;               ///< different cells, of which the event's own cell is the first
  int changed = 0, count = 0;                      ///< their numbers
  std::int64_t what = 0;                           ///< of outcomes that make other states, another number
  int group = -1;                                  ///< group in which the event is counted; -1: none
};

/// A cell of the lattice at time 0.
struct InitialCell {
  int x, y;              ///< position in the lattice
  int nx, ny;            ///< size of the lattice
  std::uint64_t seed;    ///< seed of the replica
  std::uint64_t random;  ///< 64 random bits of the cell
};

/// An observable of a model. Its value is the mean over the cells.
struct SiteObservable {
  const char* name;  ///< in files and plots
  const char* unit;  ///< empty for pure numbers
};

/// An observable whose name is known only at run time. Its value is the mean over the cells times a factor.
struct NamedObservable {
  std::string name, unit;  ///< in files and plots
  double factor = 1;       ///< of the mean
};

/// The observables of a model, of either kind.
template <class M>
std::vector<NamedObservable> named_observables([[maybe_unused]] const M& model) {
  std::vector<NamedObservable> all;
  if constexpr (requires { model.observables(); })
    return model.observables();
  else if constexpr (requires { M::site_observables; })
    for (const SiteObservable& one : M::site_observables) all.push_back({one.name, one.unit});
  return all;
}

/// Whether a model has an order parameter.
template <class M>
inline constexpr bool has_order = requires {
  M::order_names;
};

/// Sites of two cells that belong to one cluster if both are occupied: a site of a cell, and a site of another one.
struct ClusterLink {
  int site = 0, other = 0;  ///< numbers of the sites in their cells
  int dx = 0, dy = 0;       ///< offset of the other cell
};

/// A kind of clusters, the connected components of occupied sites.
struct ClusterKind {
  std::string density;                  ///< name of the observable: number of clusters per cell
  std::string sizes;                    ///< name of the table of their sizes
  int sites = 1;                        ///< sites of a cell
  int least = 2;                        ///< sites of the smallest cluster that the density counts
  std::vector<ClusterLink> links = {};  ///< each in one direction
};

/// Whether a model defines clusters.
template <class M>
concept has_clusters = requires(const M model) {
  model.clusters();
};

/// A number of events that a model reports, as a weighted sum over groups.
struct CountedEvents {
  std::string name;                             ///< of the observable
  std::vector<std::pair<int, double>> weights;  ///< groups (Event::group) with their weights; 0 of the others
};

/// A constructor argument of a model on a list (model_list.hpp), and an option of the program.
struct ModelParameter {
  const char* name;             ///< name of the option, such as "coupling"
  const char* argument;         ///< name of its value in the help
  const char* help;             ///< line of the help
  double initial, least, most;  ///< default, and bounds
  const char* symbol = "";      ///< symbol in the summary of a run and in plots; empty: not shown
  bool of_start = false;        ///< whether it determines the initial state only, so that a restart cannot change it
  const char* unit = "";        ///< in plots
};

/// A model with kept_sums(), sum_up() and change_of_sums().
template <class M>
concept KeepsSums = ReadsSurroundings<M> && requires(const M model, const NeighbourhoodOf<M> n, std::uint64_t* to,
                                                     const ListedChanges<typename M::State> event) {
  { model.kept_sums() } -> std::same_as<int>;
  model.sum_up(n, to);
  { model.change_of_sums(event, 0) } -> std::same_as<const std::uint64_t*>;
};
/// What the rates and events of a model are computed from: the cell's sums, if it keeps them, or the neighbourhood.
template <class M>
using RatesFrom = std::conditional_t<KeepsSums<M>, KeptSums, NeighbourhoodOf<M>>;
/// A model whose event() returns ListedChanges.
template <class M>
concept ChangesListed = ReadsSurroundings<M> && requires(const M model, const RatesFrom<M> n, Stream stream) {
  { model.event(n, stream) } -> std::same_as<ListedChanges<typename M::State>>;
};
/// Number of sums that a model keeps for each cell.
template <class M>
int kept_sums_of([[maybe_unused]] const M& model) {
  if constexpr (KeepsSums<M>)
    return model.kept_sums();
  else
    return 0;
}
/// A model whose event() returns an Event.
template <class M>
concept ChangesPairs = (M::neighbours == 4 || M::neighbours == 12 || M::neighbours == 24) && !ReadsSurroundings<M> &&
                       requires(const M model, const NeighbourhoodOf<M> n, Stream stream) {
  { model.event(n, stream) } -> std::same_as<Event<typename M::State>>;
};
/// A model with next().
template <class M>
concept ChangesOneCell = requires(const M model, const NeighbourhoodOf<M> n, Stream stream) {
  { model.next(n, stream) } -> std::same_as<typename M::State>;
};
/// A model is a small value type that can be copied to a device. rate(n) is the number of events of a cell per unit
/// time, and largest_rate() an upper bound of the right order of magnitude, because the resolution of the clock follows
/// from it. next(n, stream) is the state after the event; or event(n, stream) returns an Event for the cell and one of
/// its nearest neighbours, or ListedChanges. docs/writing_a_model.md describes these functions and optional ones.
template <class M>
concept Model = std::copyable<M> && std::integral<typename M::State> && requires(const M model, const RatesFrom<M> n) {
  { model.rate(n) } -> std::same_as<double>;
  { model.largest_rate() } -> std::same_as<double>;
} &&(ChangesOneCell<M> || ChangesPairs<M> || ChangesListed<M>);

/// A model whose rates change with time.
template <class M>
concept ChangesInTime = requires(const M model, std::int64_t window) {
  { model.window_end(window) } -> std::same_as<double>;
  { model.at_window(window) } -> std::same_as<M>;
};

/// A model whose rates in a window are upper bounds (thinning).
template <class M>
concept RejectsEvents = ChangesInTime<M> && requires(const M model) {
  { model.rejects() } -> std::same_as<bool>;
};
/// Whether an event of the model is rejected: it changes nothing, and its cell alone draws a new waiting time.
template <class M, class Event>
KOKKOS_FORCEINLINE_FUNCTION bool is_rejected([[maybe_unused]] const M& model, [[maybe_unused]] const Event& event) {
  if constexpr (RejectsEvents<M>)
    return event.group < 0 && model.rejects();
  else
    return false;
}
/// End of a window; infinity without windows.
template <class M>
double end_of_window([[maybe_unused]] const M& model, [[maybe_unused]] std::int64_t window) {
  if constexpr (ChangesInTime<M>) return model.window_end(window);
  return std::numeric_limits<double>::infinity();
}
/// Whether cells without events in a window have none in later windows either, while their neighbourhoods are the same.
template <class M>
bool window_is_complete(const M& model, std::int64_t window) {
  if constexpr (requires { model.window_is_complete(window); })
    return model.window_is_complete(window);
  else
    return end_of_window(model, window) == std::numeric_limits<double>::infinity();
}

/// A model with smallest_mean_waiting_time().
template <class M>
concept HasSmallestMean = requires(const M model) {
  { model.smallest_mean_waiting_time() } -> std::same_as<double>;
};

/// Whether a model counts events in groups (Event::group).
template <class M>
inline constexpr bool counts_events = requires(const M model) {
  model.counted_events();
}
|| requires { M::counted; };

/// The numbers of events that a model reports.
template <Model M>
std::vector<CountedEvents> counted_events_of([[maybe_unused]] const M& model) {
  static_assert(!counts_events<M> || !ChangesOneCell<M>, "only a model with event() counts groups of events");
  if constexpr (requires { model.counted_events(); }) {
    return model.counted_events();
  } else {
    std::vector<CountedEvents> all;
    if constexpr (counts_events<M>) {
      const auto& names = M::counted;  // nvcc 13 does not complete an array of a class template in a loop's head
      for (const char* name : names) all.push_back({name, {{static_cast<int>(all.size()), 1.0}}});
    }
    return all;
  }
}

/// Number of groups that a model counts.
template <Model M>
int groups_of(const M& model) {
  int count = 0;
  for (const CountedEvents& one : counted_events_of(model))
    for (const auto& [group, weight] : one.weights) count = std::max(count, group + 1);
  return count;
}

/// Whether a model requires lattices with even sides.
template <class M>
constexpr bool needs_even_sides() {
  if constexpr (requires { M::even_sides; }) return M::even_sides;
  return false;
}

/// Unit of a model's times; empty if not defined.
template <class M>
const char* time_unit_of(const M& model) {
  if constexpr (requires { model.time_unit(); })
    return model.time_unit();
  else if constexpr (requires { M::time_unit; })
    return M::time_unit;
  return "";
}

/// Unit of the growth of a quantity with a unit, which may be empty.
inline std::string unit_of_growth(const std::string& quantity, const std::string& time) {
  if (time.empty()) return quantity;
  if (time.starts_with("1/")) return quantity + (quantity.empty() ? "" : " ") + time.substr(2);
  return (quantity.empty() ? "1" : quantity) + "/" + time;
}

/// Name of a model's states; "state" if not defined.
template <class M>
constexpr const char* state_name_of() {
  if constexpr (requires { M::state_name; }) return M::state_name;
  return "state";
}

/// Unit of a model's states; empty if not defined.
template <class M>
constexpr const char* state_unit_of() {
  if constexpr (requires { M::state_unit; }) return M::state_unit;
  return "";
}

/// Mean waiting time 1/A of a cell with neighbourhood n; infinite if the rate is 0.
template <Model M, class Around = RatesFrom<M>>
KOKKOS_FORCEINLINE_FUNCTION double mean_waiting_time(const M& model, const Around& n) {
  if constexpr (requires { model.mean_waiting_time(n); })
    return model.mean_waiting_time(n);
  else
    return 1.0 / model.rate(n);
}

/// Whether a state is valid in this model.
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION bool valid_state(const M& model, typename M::State state) {
  if constexpr (requires { model.valid(state); })
    return model.valid(state);
  else
    return true;
}

/// The unit cell of a model, for io::UnitCell; empty if it is a square without named sites.
template <Model M>
std::string cell_of([[maybe_unused]] const M& model) {
  if constexpr (requires { model.cell_description(); }) return model.cell_description();
  return M::neighbours == 6 ? R"({"cell": [[1, 0, 0], [0.5, 0.8660254037844386, 0], [0, 0, 1]]})" : "";
}

/// State of a cell at time 0.
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION typename M::State initial_state(const M& model, const InitialCell& cell) {
  if constexpr (requires { model.initial(cell); })
    return model.initial(cell);
  else if constexpr (requires { model.initial(cell.random); })
    return model.initial(cell.random);
  else
    return typename M::State{};
}

}  // namespace tessera::kmc
