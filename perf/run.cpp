// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run.hpp"

#include "profiled_range.hpp"

namespace tessera::perf {

void Run::register_cases() {
  for (const Case& c : cases_)
    benchmark::RegisterBenchmark(c.name.c_str(), [this, &c](benchmark::State& state) { repeat(c, state); })
        ->UseManualTime()
        ->Iterations(1)
        ->Repetitions(repetitions_of(c))
        ->Unit(benchmark::kMillisecond);
}

int Run::repetitions_of(const Case& c) const { return options_.repetitions > 0 ? options_.repetitions : c.repetitions; }

TimeLimit Run::limit_of_a_case() const {
  const double left = options_.budget - since_start_.seconds();
  if (left > options_.limit) return TimeLimit(options_.limit);
  if (left > 0) return TimeLimit(left);
  throw DoesNotFit("the run has used up its --budget");
}

void Run::repeat(const Case& c, benchmark::State& state) {
  if (left_out_ == c.name) return state.SkipWithError("left out");
  try {
    if (present_ != c.name) {
      measurement_.reset();
      present_.clear();
      measurement_ = c.begin(limit_of_a_case(), repetitions_of(c));
      present_ = c.name;
    }
    for ([[maybe_unused]] const auto _ : state) {
      const Repetition r = [&] {
        const ProfiledRange profiled;
        return measurement_->repeat();
      }();
      state.SetIterationTime(r.seconds);
      state.SetItemsProcessed(static_cast<std::int64_t>(r.items));
      state.counters[c.rate] = r.items / r.seconds * c.per_second;
      for (const Figure& figure : r.figures) state.counters[figure.name] = figure.value;
      measured_ = true;
    }
  } catch (const std::exception& error) {
    measurement_.reset();
    present_.clear();
    left_out_ = c.name;
    const bool fits = dynamic_cast<const DoesNotFit*>(&error) == nullptr;
    failed_ = failed_ || fits;
    state.SkipWithError(((fits ? "failed: " : "left out: ") + std::string(error.what())).c_str());
  }
}

}  // namespace tessera::perf
