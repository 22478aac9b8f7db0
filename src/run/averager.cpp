// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/averager.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <tessera/analysis/cumulants.hpp>
#include <utility>

namespace tessera::program {

Averager::Averager(double from, std::function<bool(const std::string&)> steady)
    : from_(from), steady_(std::move(steady)) {}

bool Averager::counts(std::span<const double> times) const {
  return std::ranges::all_of(times, [&](double time) { return time > from_ && time == times[0]; });
}

void Averager::add(const Observable& measured, const std::vector<double>& times) {
  if (steady_(measured.name) && counts(times)) add(measured.name, measured.unit, measured.values);
}

void Averager::add(const std::string& name, const std::string& unit, std::span<const double> row) {
  series_.try_emplace(name, Series{unit, analysis::TimeAverages(row.size())}).first->second.averages.add(row);
}

void Averager::add(const io::InputFile& file) {
  if (std::isinf(from_) || !file.has("/observables")) return;
  constexpr std::size_t numbers_at_once = 1 << 20;
  for (const std::string& name : file.names("/observables")) {
    if (!steady_(name)) continue;
    const std::string group = "/observables/" + name, value = group + "/value";
    const std::string unit = file.has_attribute(value, "unit") ? file.text_attribute(value, "unit") : "";
    const auto shape = file.shape(value);
    const std::size_t rows = shape.at(0), replicas = shape.size() > 1 ? shape[1] : 1;
    const std::size_t apart = file.shape(group + "/time").size() > 1 ? replicas : 1;
    const std::size_t batch = std::max<std::size_t>(1, numbers_at_once / std::max<std::size_t>(1, replicas));
    for (std::size_t first = 0; first < rows; first += batch) {
      const std::size_t count = std::min(batch, rows - first);
      const auto times = file.read_rows<double>(group + "/time", first, count);
      const auto values = file.read_rows<double>(value, first, count);
      for (std::size_t row = 0; row < count; ++row)
        if (counts(std::span(times).subspan(row * apart, apart)))
          add(name, unit, std::span(values).subspan(row * replicas, replicas));
    }
  }
}

io::Averages Averager::averages() const {
  io::Averages result{from_};
  for (const auto& [name, series] : series_) result.rows = std::max(result.rows, series.averages.rows());
  // A file that was begun by an earlier version lacks some observables in its first rows.
  const auto complete = [&](const std::string& name) {
    const auto found = series_.find(name);
    return found != series_.end() && found->second.averages.rows() == result.rows ? &found->second : nullptr;
  };
  for (const auto& [name, series] : series_) {
    if (complete(name) == nullptr) continue;
    const auto [mean, error] = series.averages.estimate();
    result.observables.push_back({name, series.unit, mean, error});
    if (series.averages.replicas() > 1) result.observables.back().values = series.averages.means();
  }
  const std::array moments{complete("roughness"), complete("moment_3"), complete("moment_4")};
  if (std::ranges::find(moments, nullptr) != moments.end()) return result;
  analysis::CentralMoments means;
  std::array<std::vector<double>, 3> samples;
  for (std::size_t k = 0; k < moments.size(); ++k) {
    means[k] = moments[k]->averages.mean();
    samples[k] = moments[k]->averages.samples();
  }
  const auto [skewness, kurtosis] = analysis::cumulants(means, samples);
  result.observables.push_back({"skewness", "", skewness.value, skewness.error});
  result.observables.push_back({"kurtosis", "", kurtosis.value, kurtosis.error});
  return result;
}

}  // namespace tessera::program
