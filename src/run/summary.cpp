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

#include "options/json.hpp"
#include "options/text.hpp"

namespace tessera::program {
namespace {

/// Whether the run was stopped with its replicas at different times. (Replicas that have reached their number of
/// events, or in which no event is possible any more, have different times, too, but are at their ends.)
bool stopped_apart(const Summary& summary) {
  return !is_complete(summary.ending) && !summary.times.empty() &&
         std::ranges::min(summary.times) < std::ranges::max(summary.times);
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
  const Json processes = summary.model.contains("processes") ? summary.model.at("processes") : Json();
  std::map<std::string, std::string> steps{{"", ""}};
  for (const Json& one : processes) steps[one.at("name").get<std::string>()] = one.at("step");
  for (const Json& one : processes) {
    const std::string name = one.at("step"), reverse = steps[one.value("reverse", "")];
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

/// The facts about a run, each of which is stated once: as members of the JSON object, and as a part of the text.
class Report {
 public:
  explicit Report(const Summary& summary) : of_run_(in_order(summary)), pairs_(pairs_of_processes(of_run_)) {
    for (const PairOfProcesses& one : std::span(pairs_).first(rows()))
      rates_.insert({"events_" + one.name + "_rate", "events_" + one.reverse + "_rate"});
    add_course();
    add_observables();
    add_processes();
    if (!of_run_.known_biases.empty()) object_["known_bias"] = json_of(of_run_.known_biases);
    add_averages();
    text_ += warnings_of(of_run_) + "output in " + of_run_.output + "\n";
  }
  const Json& object() const { return object_; }
  const std::string& text() const { return text_; }

 private:
  std::size_t rows() const { return std::min<std::size_t>(pairs_.size(), 16); }
  std::string time(double value) const { return with_unit(value, of_run_.time_unit); }
  /// Whether the text leaves out a quantity: diagnostics, events of processes in the table, coverages where molecules
  /// are counted.
  bool left_out(const std::string& name) const {
    const auto is_hidden = [&](const Observable& one) { return one.is_diagnostic && one.name == name; };
    const auto is_of_molecules = [](const Observable& one) { return one.name.starts_with("molecules_"); };
    return std::ranges::any_of(of_run_.observables, is_hidden) ||
           (!pairs_.empty() && name.starts_with("events_") && !rates_.contains(name)) ||
           (name.starts_with("coverage_") && std::ranges::any_of(of_run_.observables, is_of_molecules));
  }

  /// A quantity with its error and its autocorrelation time, as far as these are given.
  void add(Json& values, const std::string& name, const std::string& unit, double value,
           const std::vector<std::pair<const char*, double>>& errors) {
    values[name] = value;
    for (const auto& [ending, number] : errors) values[name + ending] = number;
    if (Json& units = object_["units"]; !units.contains(name)) units[name] = unit;
    if (left_out(name)) return;
    const double error = errors.empty() ? std::nan("") : errors[0].second;
    text_ += "  " + name + " " + with_error(value, error) + (unit.empty() ? "" : " " + unit);
    if (errors.size() > 1 && !std::isnan(error) && errors[1].second > 0)
      text_ += ", tau " + with_error(errors[1].second, errors[2].second);
    text_ += "\n";
  }

  void add_course() {
    constexpr std::array endings{"stopping-time", "absorbed", "wall-limit", "signal", "error"};
    object_ = {{"method", of_run_.method},
               {"algorithm", of_run_.algorithm},
               {"backend", of_run_.backend},
               {"device", of_run_.device},
               {"seed", of_run_.seed},
               {"finished", is_complete(of_run_.ending)},
               {"ended_by", endings[static_cast<std::size_t>(of_run_.ending)]},
               {"time", of_run_.time},
               {"wall_seconds", of_run_.wall_seconds},
               {"rate", of_run_.rate},
               {"rate_unit", of_run_.rate_unit},
               {"output", of_run_.output},
               {"observables", Json::object()},
               {"units", Json::object()}};
    text_ = "time " + time(of_run_.time) + ", " + short_number(of_run_.rate) + " " + of_run_.rate_unit + " over " +
            short_duration(of_run_.wall_seconds) + " (" + of_run_.backend + ", " + of_run_.device + ")\n";
    if (!of_run_.absorbed.empty()) {
      const double last = std::ranges::max(of_run_.absorbed);
      const std::size_t count = of_run_.absorbed.size(), all = of_run_.times.size();
      object_.update({{"absorbed_replicas", count}, {"absorbed_at", last}, {"fraction", of_run_.fraction}});
      text_ += "no event is possible any more after time " + time(last);
      if (all > 1) text_ += " in " + std::to_string(count) + " of " + std::to_string(all) + " replicas";
      if (of_run_.ending == Ending::absorbed)
        text_ += "; " + short_number(100 * of_run_.fraction) + " % of the run is done";
      text_ += "\n";
    }
    if (stopped_apart(of_run_)) {
      const auto [first, last] = std::ranges::minmax(of_run_.times);
      object_.update({{"earliest_time", first}, {"latest_time", last}});
      text_ += "means over replicas stopped at different times, from " + time(first) + " to " + time(last) +
               ", therefore without errors\n";
    }
  }

  void add_observables() {
    for (const auto& one : of_run_.observables) {
      const auto [mean, error] = analysis::mean_of(one.values);
      const bool several = one.values.size() > 1, known = !stopped_apart(of_run_) && (several || !one.errors.empty());
      add(object_["observables"], one.name, one.unit, mean,
          known ? std::vector{std::pair("_error", several ? error : one.errors.front())}
                : std::vector<std::pair<const char*, double>>());
    }
  }

  void add_processes() {
    const double all = events_of(pairs_);
    for (const PairOfProcesses& one : pairs_) {
      Json& its = object_["processes"][one.name];
      its = {{"events", one.events()}, {"fraction", all > 0 ? one.events() / all : 0}};
      if (!one.reverse.empty()) its["reverse"] = one.reverse;
      if (one.has_balance()) its["balance"] = one.balance();
    }
    if (!pairs_.empty()) text_ += table_of_processes(pairs_, rows());
  }

  void add_averages() {
    const io::Averages& averages = of_run_.averages;
    const bool none = averages.observables.empty();
    if (averages.rows > 0)
      text_ += (none ? "warning: no averages: only " : "means over ") +
               counted(static_cast<long long>(averages.rows), "measurement") + " after time " + time(averages.from) +
               (averages.from_is_chosen ? ", chosen automatically" : "") +
               (none ? "; all replicas together need at least 32; measure more often or run longer\n" : "\n");
    Json averaged = Json::object();
    for (const auto& one : averages.observables)
      add(averaged, one.name, one.unit, one.mean,
          {{"_error", one.error}, {"_tau", one.tau}, {"_tau_error", one.tau_error}});
    if (!none)
      object_["averages"] = {{"from", averages.from},
                             {"from_chosen_by", averages.from_is_chosen ? "auto" : "user"},
                             {"rows", averages.rows},
                             {"observables", averaged}};
    if (!averages.stationarity.empty()) object_["stationarity"] = json_stationarity(of_run_);
  }

  const Summary of_run_;
  const std::vector<PairOfProcesses> pairs_;
  std::set<std::string> rates_;  // of the processes in the table
  Json object_;
  std::string text_;
};

}  // namespace

std::string json_summary(const Summary& of_run) { return text_of(Report(of_run).object()) + "\n"; }

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
  const std::string system =
      of_run.method + " (" + of_run.algorithm + "): " + of_run.system + ", seed " + std::to_string(of_run.seed) + "\n";
  return (with_system ? system : "") + Report(of_run).text();
}

}  // namespace tessera::program
