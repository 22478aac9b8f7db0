// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <tessera/core/observable.hpp>
#include <tessera/kmc/state/clock.hpp>
#include <tessera/kmc/steps/step_state.hpp>
#include <utility>

namespace tessera::kmc {

/// History of the steps of all replicas, one row per step: start, length, fraction of repaired tiles, events, whether
/// accepted.
class StepHistory {
 public:
  explicit StepHistory(const char* time_unit) : time_unit_(time_unit), rows_(none()) {}

  /// Adds the first `count` columns of `records` [replicas, steps], in host memory, up to the times `ends` of the
  /// replicas. `origins`: of the times of the records.
  template <class Records>
  void add(const Records& records, int count, const std::vector<double>& ends, const std::vector<Origin>& origins) {
    for (int i = 0; i < count; ++i)
      for (int r = 0; r < static_cast<int>(records.extent(0)); ++r) {
        const StepRecord& line = records(r, i);
        const double time = origins[static_cast<std::size_t>(r)].total(line.time);
        if (line.accepted < 0 || time > ends[static_cast<std::size_t>(r)]) continue;
        const double values[] = {double(r), time, line.step, line.repaired, double(line.events), double(line.accepted)};
        for (std::size_t c = 0; c < 6; ++c) rows_.columns[c].push_back(values[c]);
      }
  }

  /// Returns the rows since the last call.
  History drain() { return std::exchange(rows_, none()); }

 private:
  History none() const {
    return {"steps",
            {"replica", "time", "step", "repaired_fraction", "events", "accepted"},
            {"", time_unit_, time_unit_, "", "", ""},
            std::vector<std::vector<double>>(6),
            true};
  }

  const char* time_unit_;
  History rows_;
};

}  // namespace tessera::kmc
