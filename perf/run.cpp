// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run.hpp"

#include <algorithm>
#include <regex>

#include "profiled_range.hpp"
#include "reporters.hpp"

namespace tessera::perf {
namespace {

/// How many of the cases google-benchmark's filter selects.
int count_selected(const std::vector<Case>& cases, const Options& options) {
  const bool others = options.filter.rfind('-', 0) == 0;
  const std::regex filter(options.filter.substr(others ? 1 : 0), std::regex::extended);
  return static_cast<int>(std::count_if(cases.begin(), cases.end(), [&](const Case& c) {
    const int repetitions = options.repetitions > 0 ? options.repetitions : c.repetitions;
    const std::string suffix = "/iterations:1/repeats:" + std::to_string(repetitions) + "/manual_time";
    return std::regex_search(c.name + suffix, filter) != others;
  }));
}

}  // namespace

Run::Run(const Options& options, const std::vector<Method>& methods, const Stopwatch& since_start)
    : options_(options), methods_(methods), since_start_(since_start) {
  for (const Method& method : methods)
    if (const int cases = count_selected(method.cases, options); cases > 0) to_come_.push_back({&method, cases});
}

/// As many as an even share of the budget has time for, 50 ms each, but five if the user does not ask for fewer.
int Run::repetitions_of(const Case& c, int selected) const {
  const double share = options_.budget / static_cast<double>(to_come_.size()) / selected;
  const int wanted = options_.repetitions > 0 ? options_.repetitions : c.repetitions;
  return std::clamp(static_cast<int>(0.6 * share / 0.05), std::min(5, wanted), wanted);
}

void Run::register_cases() {
  for (const Selected& selected : to_come_)
    for (const Case& c : selected.method->cases) {
      const int repetitions = repetitions_of(c, selected.cases);
      const Method& method = *selected.method;
      benchmark::RegisterBenchmark(
          c.name.c_str(),
          [this, &method, &c, repetitions](benchmark::State& state) { repeat(method, c, repetitions, state); })
          ->UseManualTime()
          ->Iterations(1)
          ->Repetitions(repetitions)
          ->DisplayAggregatesOnly()
          ->Unit(benchmark::kMillisecond);
    }
}

const Results& Run::measure() {
  Table table;
  const auto complete = [this](benchmark::BenchmarkReporter::Run& run) { add_speedups(run); };
  Json json(complete), json_file(complete);
  benchmark::BenchmarkReporter* display = nullptr;  // another format is left to google-benchmark
  if (options_.format == "console") display = &table;
  if (options_.format == "json") display = &json;
  benchmark::RunSpecifiedBenchmarks(display, options_.json_in_file ? &json_file : nullptr);
  results_.conclude();
  return results_;
}

void Run::repeat(const Method& method, const Case& c, int repetitions, benchmark::State& state) {
  if (left_out_ == c.name) return state.SkipWithError("left out");
  try {
    if (measured_ != c.name) begin(method, c, repetitions);
    for ([[maybe_unused]] const auto _ : state) {
      const Repetition r = [&] {
        const ProfiledRange profiled;
        return measurement_->repeat();
      }();
      results_.add(c, r);
      state.SetIterationTime(r.seconds);
      state.SetItemsProcessed(static_cast<std::int64_t>(r.items));
      state.counters[c.unit.counter] = r.items / r.seconds * c.unit.per_second;
      for (const Figure& figure : r.figures) state.counters[figure.name] = figure.value;
    }
  } catch (const std::exception& error) {
    measurement_.reset();
    measured_.clear();
    left_out_ = c.name;
    const bool failed = dynamic_cast<const DoesNotFit*>(&error) == nullptr;
    results_.leave_out(c, error.what(), failed);
    state.SkipWithError(error.what());
  }
}

void Run::begin(const Method& method, const Case& c, int repetitions) {
  measurement_.reset();
  measured_.clear();
  if (present_ != &method) {
    const auto here =
        std::find_if(to_come_.begin(), to_come_.end(), [&](const Selected& s) { return s.method == &method; });
    const double left = options_.budget - since_start_.seconds();
    budget_.emplace(left / static_cast<double>(to_come_.end() - here), here->cases);
    to_come_.erase(to_come_.begin(), here + 1);
    present_ = &method;
  }
  budget_->begin_case();
  measurement_ = c.begin(*budget_, repetitions);
  measured_ = c.name;
}

/// To the counters of a repetition and of the median over the repetitions.
void Run::add_speedups(benchmark::BenchmarkReporter::Run& run) {
  if (results_.all().empty()) results_.conclude();
  const bool repetition = run.run_type == benchmark::BenchmarkReporter::Run::RT_Iteration;
  const Result* result = results_.find(run.run_name.function_name);
  if (!result || (!repetition && run.aggregate_name != "median")) return;
  const auto rate = run.counters.find(result->what.unit.counter);
  if (rate == run.counters.end()) return;
  const double share = rate->second.value / result->rate;
  if (result->over_serial > 0) run.counters["over_serial"] = result->over_serial * share;
  if (result->over_reference > 0) run.counters["over_reference"] = result->over_reference * share;
}

}  // namespace tessera::perf
