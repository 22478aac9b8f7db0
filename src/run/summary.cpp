// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tessera/analysis/spectrum.hpp>

#include "options/text.hpp"
#include "run/json.hpp"

namespace tessera::program {
namespace {

/// Whether the run was stopped with its replicas at different times. (Replicas that have reached their number of
/// events, or in which no event is possible any more, have different times, too, but are at their ends.)
bool stopped_apart(const Summary& summary) {
  return !is_complete(summary.ending) && !summary.times.empty() &&
         std::ranges::min(summary.times) < std::ranges::max(summary.times);
}

bool has_error(const Summary& summary, const Observable& observable) {
  return !stopped_apart(summary) && (observable.values.size() > 1 || !observable.errors.empty());
}

/// Error of the mean over the replicas, or the stored error of a single value.
double error_of(const Observable& observable, double of_mean) {
  return observable.values.size() > 1 ? of_mean : observable.errors.front();
}

/// Puts averages into the order of the observables, rates in place of counters, and others at the end.
Summary in_order(Summary summary) {
  const auto place = [&](const std::string& name) {
    return std::ranges::find_if(summary.observables,
                                [&](const Observable& one) { return name == one.name || name == one.name + "_rate"; });
  };
  std::ranges::stable_sort(summary.averages.observables, {}, [&](const auto& one) { return place(one.name); });
  std::ranges::stable_sort(summary.averages.stationarity, {}, [&](const auto& one) { return place(one.first); });
  return summary;
}

Json json_stationarity(const Summary& summary) {
  Json all;
  for (const auto& [name, tested] : summary.averages.stationarity) {
    Json& one = all[name];
    one = {{"result", result_text(tested.result)}, {"rows", tested.rows}, {"slow", tested.slow}};
    for (const auto& [of, number] : tested.numbers()) one[of] = number;
  }
  return all;
}

/// What a window that is too short requires: "roughness: at least 3.2 times longer".
std::string required(const Stationarity& tested) {
  const double digits = tested.longer < 10 ? 10 : 1;
  const std::string times = "at least " + short_number(std::ceil(digits * tested.longer) / digits) + " times ";
  return tested.slow.empty() ? times + "as many measurements" : tested.slow + ": " + times + "longer";
}

/// A line for each result of the tests but `stationary`, with the names of the averages that have it.
std::string warnings_of(const Summary& summary) {
  std::string drifting, differing, too_short;
  const Stationarity* shortest = nullptr;
  for (const auto& [name, tested] : summary.averages.stationarity) {
    const auto add = [&](std::string& names, const std::string& numbers) {
      names += (names.empty() ? "" : ", ") + name + numbers;
    };
    if (tested.result == TestResult::drifting)
      add(drifting, " (" + short_number(tested.first) + " and " + short_number(tested.second) + ")");
    if (tested.result == TestResult::replicas_differ)
      add(differing, " (" + short_number(std::sqrt(tested.replica_ratio)) + " times)");
    if (tested.result != TestResult::too_short) continue;
    add(too_short, "");
    if (shortest == nullptr || tested.longer > shortest->longer) shortest = &tested;
  }
  std::string text;
  if (!drifting.empty())
    text += "warning: not stationary, the first quarter and the second half of the window differ: " + drifting + "\n";
  if (!differing.empty())
    text +=
        "warning: the replicas differ, their means scatter more than fluctuations in time explain: " + differing + "\n";
  if (shortest == nullptr) return text;
  const bool few = summary.times.size() <= analysis::few_replicas;
  return text + "warning: too short" + (few ? " for errors" : ", errors are those of replicas") + ", " +
         required(*shortest) + (few ? " or more than 8 replicas: " : ": ") + too_short + "\n";
}

/// Events of a process and of its reverse, means over the replicas.
struct PairOfProcesses {
  std::string name, reverse;
  double forward = 0, backward = 0;

  double events() const { return forward + (reverse == name ? 0 : backward); }
  /// Of each process that has another one as its reverse, if there were events.
  bool has_balance() const { return !reverse.empty() && reverse != name && events() > 0; }
  double balance() const { return (forward - backward) / events(); }
};

/// The processes in pairs, each of which is in one, the most frequent ones first.
std::vector<PairOfProcesses> pairs_of_processes(const Summary& summary) {
  std::map<std::string, double> events;
  for (const Observable& one : summary.observables) events[one.name] = analysis::mean_of(one.values).value;
  std::vector<PairOfProcesses> pairs;
  std::set<std::string> named;
  for (const auto& [name, reverse] : summary.processes) {
    if (named.contains(name)) continue;
    pairs.push_back({name, reverse, events["events_" + name], reverse.empty() ? 0 : events["events_" + reverse]});
    named.insert({name, reverse});
  }
  std::ranges::stable_sort(pairs, std::greater(), &PairOfProcesses::events);
  return pairs;
}

double events_of(std::span<const PairOfProcesses> pairs) {
  return std::accumulate(pairs.begin(), pairs.end(), 0.0,
                         [](double sum, const auto& one) { return sum + one.events(); });
}

std::string table_of_processes(const std::vector<PairOfProcesses>& pairs, std::size_t rows) {
  std::vector<std::array<std::string, 4>> lines{{"events of processes", "number", "fraction", "balance"}};
  const double all = events_of(pairs);
  const auto add = [&](const std::string& name, double events, const std::string& balance) {
    lines.push_back(
        {"  " + name, short_number(events), short_number(all > 0 ? 100 * events / all : 0) + " %", balance});
  };
  for (const PairOfProcesses& one : std::span(pairs).first(rows))
    add(one.name + (one.reverse.empty() || one.reverse == one.name ? "" : ", " + one.reverse), one.events(),
        one.has_balance() ? short_number(one.balance()) : "");
  if (rows < pairs.size())
    add(std::to_string(pairs.size() - rows) + " others", events_of(std::span(pairs).subspan(rows)), "");
  std::array<std::size_t, 4> widths{};
  for (const auto& line : lines)
    for (std::size_t i = 0; i < 4; ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (const auto& line : lines) {
    std::string row = line[0] + std::string(widths[0] - line[0].size(), ' ');
    for (std::size_t i = 1; i < 4; ++i) row += std::string(2 + widths[i] - line[i].size(), ' ') + line[i];
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

std::string json_summary(const Summary& of_run) {
  const Summary summary = in_order(of_run);
  Json observables = Json::object(), units = observables, averaged = observables;
  for (const auto& observable : summary.observables) {
    units[observable.name] = observable.unit;
    const auto [mean, error] = analysis::mean_of(observable.values);
    observables[observable.name] = mean;
    if (has_error(summary, observable)) observables[observable.name + "_error"] = error_of(observable, error);
  }
  for (const auto& average : summary.averages.observables) {
    if (!units.contains(average.name)) units[average.name] = average.unit;
    averaged.update({{average.name, average.mean},
                     {average.name + "_error", average.error},
                     {average.name + "_tau", average.tau},
                     {average.name + "_tau_error", average.tau_error}});
  }
  constexpr std::array endings{"stopping-time", "absorbed", "wall-limit", "signal", "error"};
  Json object{{"method", summary.method},
              {"algorithm", summary.algorithm},
              {"backend", summary.backend},
              {"device", summary.device},
              {"seed", summary.seed},
              {"finished", is_complete(summary.ending)},
              {"ended_by", endings[static_cast<std::size_t>(summary.ending)]},
              {"time", summary.time}};
  if (stopped_apart(summary))
    object.update(
        {{"earliest_time", std::ranges::min(summary.times)}, {"latest_time", std::ranges::max(summary.times)}});
  if (!summary.absorbed.empty())
    object.update({{"absorbed_replicas", summary.absorbed.size()},
                   {"absorbed_at", std::ranges::max(summary.absorbed)},
                   {"fraction", summary.fraction}});
  object.update({{"wall_seconds", summary.wall_seconds},
                 {"rate", summary.rate},
                 {"rate_unit", summary.rate_unit},
                 {"output", summary.output},
                 {"observables", observables},
                 {"units", units}});
  const auto pairs = pairs_of_processes(summary);
  for (const PairOfProcesses& one : pairs) {
    Json& its = object["processes"][one.name];
    const double all = events_of(pairs);
    its = {{"events", one.events()}, {"fraction", all > 0 ? one.events() / all : 0}};
    if (!one.reverse.empty()) its["reverse"] = one.reverse;
    if (one.has_balance()) its["balance"] = one.balance();
  }
  if (!summary.known_biases.empty()) object["known_bias"] = json_of(summary.known_biases);
  if (!averaged.empty())
    object["averages"] = {{"from", summary.averages.from},
                          {"from_chosen_by", summary.averages.from_is_chosen ? "auto" : "user"},
                          {"rows", summary.averages.rows},
                          {"observables", averaged}};
  if (!summary.averages.stationarity.empty()) object["stationarity"] = json_stationarity(summary);
  return text_of(object) + "\n";
}

std::string json_row(const std::vector<Observable>& measured, std::int64_t step, const std::vector<double>& times) {
  const auto one_or_all = [](const std::vector<double>& values) {
    return values.size() == 1 ? Json(values.front()) : Json(values);
  };
  Json observables = Json::object(), errors = observables;
  for (const auto& one : measured) {
    if (one.is_slow_mode || one.arguments > 0) continue;
    observables[one.name] = one_or_all(one.values);
    if (!one.errors.empty()) errors[one.name] = one_or_all(one.errors);
  }
  const bool same_times = std::ranges::min(times) == std::ranges::max(times);
  const Json time = one_or_all(same_times ? std::vector{times.front()} : times);
  return text_of({{"row", {{"time", time}, {"step", step}, {"observables", observables}, {"errors", errors}}}}, -1) +
         "\n";
}

std::string text_summary(const Summary& of_run, bool with_system) {
  const Summary summary = in_order(of_run);
  std::string text;
  if (with_system)
    text = summary.method + " (" + summary.algorithm + "): " + summary.system + ", seed " +
           std::to_string(summary.seed) + "\n";
  const auto time = [&](double value) { return with_unit(value, summary.time_unit); };
  text += "time " + time(summary.time) + ", " + short_number(summary.rate) + " " + summary.rate_unit + " for " +
          short_duration(summary.wall_seconds) + " on " + summary.backend + " (" + summary.device + ")\n";
  if (!summary.absorbed.empty()) {
    text += "no event is possible any more after time " + time(std::ranges::max(summary.absorbed));
    if (const auto all = summary.times.size(); all > 1)
      text += " in " + std::to_string(summary.absorbed.size()) + " of " + std::to_string(all) + " replicas";
    text += summary.ending == Ending::absorbed ? "; " + short_number(100 * summary.fraction) + " % of the run is done\n"
                                               : "\n";
  }
  if (stopped_apart(summary))
    text += "means over replicas stopped at different times, from " + time(std::ranges::min(summary.times)) + " to " +
            time(std::ranges::max(summary.times)) + ", therefore without errors\n";
  const auto pairs = pairs_of_processes(summary);
  const std::size_t rows = std::min<std::size_t>(pairs.size(), 16);
  std::set<std::string> rates;  // of the processes in the table
  for (const PairOfProcesses& one : std::span(pairs).first(rows))
    rates.insert({"events_" + one.name + "_rate", "events_" + one.reverse + "_rate"});
  const bool has_molecules = std::ranges::any_of(
      summary.observables, [](const Observable& one) { return one.name.starts_with("molecules_"); });
  const auto left_out = [&](const std::string& name) {
    return (!pairs.empty() && name.starts_with("events_") && !rates.contains(name)) ||
           (has_molecules && name.starts_with("coverage_"));
  };
  for (const auto& observable : summary.observables) {
    if (left_out(observable.name)) continue;
    const auto [mean, error] = analysis::mean_of(observable.values);
    const double known = has_error(summary, observable) ? error_of(observable, error) : std::nan("");
    text += "  " + observable.name + " " + with_error(mean, known);
    text += observable.unit.empty() ? "\n" : " " + observable.unit + "\n";
  }
  if (!pairs.empty()) text += table_of_processes(pairs, rows);
  if (summary.averages.rows > 0) {
    const bool none = summary.averages.observables.empty();
    text +=
        (none ? "warning: no means over " : "means over ") +
        counted(static_cast<long long>(summary.averages.rows), "measurement") + " after time " +
        time(summary.averages.from) + (summary.averages.from_is_chosen ? ", chosen automatically" : "") +
        (none ? ": an average needs at least 32 of all replicas together; measure more often or run longer\n" : "\n");
    for (const auto& average : summary.averages.observables) {
      if (left_out(average.name)) continue;
      text += "  " + average.name + " " + with_error(average.mean, average.error);
      text += average.unit.empty() ? "" : " " + average.unit;
      if (!std::isnan(average.error) && average.tau_error > 0)
        text += ", tau " + with_error(average.tau, average.tau_error);
      text += "\n";
    }
  }
  text += warnings_of(summary) + "output in " + summary.output + "\n";
  return text;
}

}  // namespace tessera::program
