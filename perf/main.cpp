// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
// Exact kinetic Monte Carlo on every execution space of the Kokkos at hand: true events per second on relaxed surfaces.
#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <tessera/core/error.hpp>
#include <vector>

#include "affordable.hpp"
#include "cases.hpp"
#include "context.hpp"
#include "measurement.hpp"
#include "options.hpp"
#include "relaxed_surfaces.hpp"
#include "reporters.hpp"
#include "results.hpp"
#include "spaces.hpp"
#include "summary.hpp"
#include "targets.hpp"

namespace {

using namespace tessera::perf;

/// What the benchmarks of a run share. google-benchmark calls a benchmark anew for each repetition; the system lives
/// on from one to the next.
class Run {
 public:
  Run(const Options& options, std::vector<Space> spaces, const Affordable& affordable)
      : options_(options),
        spaces_(std::move(spaces)),
        affordable_(affordable),
        surfaces_(options, spaces_, affordable_) {}

  void repeat(const Case& c, benchmark::State& state) {
    if (left_out_ == c.name()) return state.SkipWithError("left out");
    try {
      if (!measurement_ || measurement_->what().name() != c.name()) begin(c);
      for ([[maybe_unused]] const auto _ : state) report(measurement_->repeat(), state);
    } catch (const std::exception& error) {
      measurement_.reset();
      left_out_ = c.name();
      const bool failed = dynamic_cast<const DoesNotFit*>(&error) == nullptr;
      results.leave_out(c, error.what(), failed);
      state.SkipWithError(error.what());
    }
  }

  Results results;

 private:
  void begin(const Case& c) {
    measurement_.reset();
    const auto space = std::find_if(spaces_.begin(), spaces_.end(), [&](const Space& s) { return s.name == c.space; });
    measurement_.emplace(c, options_, space == spaces_.end() ? nullptr : &*space, surfaces_, affordable_);
  }

  void report(const Window& window, benchmark::State& state) {
    const Result r = result_of(measurement_->what(), window, measurement_->bytes(), measurement_->tiles());
    results.add(r);
    state.SetIterationTime(window.seconds);
    state.SetItemsProcessed(static_cast<std::int64_t>(window.counts.events));
    state.counters["bytes_per_site"] = r.bytes_per_site;
    if (window.counts.steps == 0) return;
    state.counters["events_per_site_and_step"] = r.events_per_site_and_step;
    state.counters["steps_per_second"] = r.steps_per_second;
    state.counters["ms_per_step"] = 1e3 / r.steps_per_second;
    state.counters["repaired_percent"] = r.repaired_percent;
    state.counters["rejected"] = static_cast<double>(window.counts.rejected);
  }

  const Options& options_;
  std::vector<Space> spaces_;
  Affordable affordable_;
  RelaxedSurfaces surfaces_;
  std::optional<Measurement> measurement_;
  std::string left_out_;
};

/// How many of the cases google-benchmark's filter selects.
int count_selected(const std::vector<Case>& cases, const Options& options) {
  const bool others = options.filter.rfind('-', 0) == 0;
  const std::regex filter(options.filter.substr(others ? 1 : 0), std::regex::extended);
  const std::string suffix = "/iterations:1/repeats:" + std::to_string(options.repetitions) + "/manual_time";
  return static_cast<int>(std::count_if(cases.begin(), cases.end(), [&](const Case& c) {
    return std::regex_search(c.name() + suffix, filter) != others;
  }));
}

/// Repetitions that an even share of the budget has time for; one takes at least 50 ms.
int affordable_repetitions(const Options& options, int selected) {
  const double share = options.budget / std::max(selected, 1);
  return std::clamp(static_cast<int>(0.6 * share / 0.05), 1, options.repetitions);
}

/// By google-benchmark; a format other than JSON is left to it.
void run_benchmarks(const Options& options) {
  Table table;
  JsonWithoutHost json, json_file;
  benchmark::BenchmarkReporter* display = nullptr;
  if (options.format == "console") display = &table;
  if (options.format == "json") display = &json;
  benchmark::RunSpecifiedBenchmarks(display, options.json_in_file ? &json_file : nullptr);
}

/// Writes the tables and says whether all went well.
bool conclude(const Options& options, const std::vector<Space>& spaces, const Context& context,
              const std::vector<Result>& results) {
  Machine machine{spaces.back().device, spaces.back().name, 0};
  for (const Space& space : spaces)
    if (space.name == "OpenMP") machine.threads = space.threads;
  std::vector<Verdict> verdicts;
  if (options.check_targets || options.strict) verdicts = check_targets(results, machine);

  if (results.empty()) {
    std::cerr << "nothing was measured\n";
    return false;
  }
  std::cerr << '\n';
  write_markdown(std::cerr, context, results, verdicts);
  if (!options.summary.empty()) {
    std::ofstream file(options.summary);
    const bool markdown = options.summary.back() == 'd';
    (markdown ? write_markdown : write_json)(file, context, results, verdicts);
    file.close();
    if (!file) throw tessera::RunError("--summary=" + options.summary + ": cannot be written");
  }
  const bool missed =
      std::any_of(verdicts.begin(), verdicts.end(), [](const Verdict& v) { return v.applies && !v.met(); });
  const bool failed = std::any_of(results.begin(), results.end(), [](const Result& r) { return r.failed; });
  const bool measured = std::any_of(results.begin(), results.end(), [](const Result& r) { return r.left_out.empty(); });
  return measured && !failed && !(options.strict && missed);
}

int measure(Options options, const Stopwatch& since_start, int argc, char** argv) {
  const std::vector<Space> all_spaces = spaces();
  std::vector<std::string> names;
  for (const Space& space : all_spaces) names.push_back(space.name);
  const std::vector<Case> cases = options.preset_h200 ? h200_cases(names) : all_cases(names);

  const int selected = count_selected(cases, options);
  options.repetitions = affordable_repetitions(options, selected);
  Run run(options, all_spaces, Affordable(options.budget - since_start.seconds(), selected));
  for (const Case& c : cases)
    benchmark::RegisterBenchmark(c.name().c_str(), [&run, c](benchmark::State& state) { run.repeat(c, state); })
        ->UseManualTime()
        ->Iterations(1)
        ->Repetitions(options.repetitions)
        ->DisplayAggregatesOnly()
        ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const Context context = describe_run(options, all_spaces);
  for (const auto& [name, value] : context) benchmark::AddCustomContext(name, value);
  run_benchmarks(options);
  const std::vector<Result> results = run.results.all();
  benchmark::Shutdown();
  if (options.only_list) return 0;
  return conclude(options, all_spaces, context, results) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const Stopwatch since_start;
  try {
    const Options options = read_options(argc, argv);
    if (options.help) {
      std::cout << help_text();
      return 0;
    }
    const Kokkos::ScopeGuard kokkos(argc, argv);
    return measure(options, since_start, argc, argv);
  } catch (const tessera::InputError& error) {
    std::cerr << "tessera_perf: " << error.what() << '\n';
    return 2;
  } catch (const std::regex_error&) {
    std::cerr << "tessera_perf: --benchmark_filter: is no regular expression\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "tessera_perf: " << error.what() << '\n';
    return 1;
  }
}
