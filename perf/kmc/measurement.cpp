// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "measurement.hpp"

#include <algorithm>

namespace tessera::perf {

KmcMeasurement::KmcMeasurement(const KmcCase& c, const Options& options, int repetitions, RelaxedSurfaces& surfaces,
                               const TimeLimit& limit)
    : case_(c), repetitions_(repetitions), window_seconds_(options.window) {
  limit.need(window_seconds_ * repetitions_, "the repetitions");
  const Archive& surface = surfaces.surface_for(c, limit);
  system_ = make_kmc_system(c, parameters_of(c, options.kmc));
  system_->load(surface);
  settle(options.kmc.settle, limit);
}

/// Settles the step control, which starts from the last step size of the relaxation. It makes all steps of the options;
/// if steps take long, ten, or as many as make a hundred together with those of the relaxation. A sequential method
/// only warms the caches.
void KmcMeasurement::settle(int wanted_steps, const TimeLimit& limit) {
  const Stopwatch watch;
  const Counts before = system_->counts();
  const auto replicas = static_cast<std::uint64_t>(case_.replicas);
  const std::uint64_t wanted = static_cast<std::uint64_t>(wanted_steps) * replicas;
  const std::uint64_t hundred = 100 * replicas;
  const std::uint64_t enough = std::min(wanted, std::max(10 * replicas, hundred - std::min(hundred, before.steps)));
  system_->run([&] {
    const double seconds = watch.seconds();
    const std::uint64_t steps = system_->counts().steps - before.steps;
    if (system_->tiles() == 0) return seconds < window_seconds_;
    if (steps >= wanted || (steps >= enough && seconds > 5 * window_seconds_)) return false;
    if (steps == 0) return true;
    const double step = seconds * case_.replicas / static_cast<double>(steps);
    const double repetitions = repetitions_ * std::max(window_seconds_, 4 * step);
    const double to_go = static_cast<double>(enough) / case_.replicas * step - seconds;
    limit.need(std::max(to_go, 0.0) + repetitions, "settling and the repetitions");
    return true;
  });
}

Repetition KmcMeasurement::repeat() {
  const Counts before = system_->counts();
  const Stopwatch watch;
  const auto nothing_yet = [&] { return system_->counts().events == before.events; };  // as under a profiler
  system_->run([&] { return watch.seconds() < window_seconds_ || nothing_yet(); });
  const double seconds = watch.seconds();
  const Counts after = system_->counts();
  const auto events = static_cast<double>(after.events - before.events);
  const auto steps = static_cast<double>(after.steps - before.steps);  // of all replicas
  const auto rejected = static_cast<double>(after.rejected - before.rejected);
  const auto repaired = static_cast<double>(after.repaired - before.repaired);
  const double replicas = case_.replicas;

  Repetition repetition{seconds, events, {}};
  if (steps > 0)
    repetition.figures = {
        {"ms_per_step", 1e3 * seconds * replicas / steps},
        {"events_per_site_and_step", events * replicas / (case_.sites() * steps)},
        {"repaired_percent", 100 * repaired * replicas / (system_->tiles() * steps)},
        {"rejected_percent", 100 * rejected / steps},
    };
  repetition.figures.push_back({"bytes_per_site", static_cast<double>(system_->bytes()) / case_.sites()});
  return repetition;
}

}  // namespace tessera::perf
