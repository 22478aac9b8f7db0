// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "measurement.hpp"

#include <algorithm>

namespace tessera::perf {

Measurement::Measurement(const Case& c, const Options& options, const Space* space, RelaxedSurfaces& surfaces,
                         Affordable& affordable)
    : case_(c), window_seconds_(std::min(options.window, 0.6 * affordable.share() / options.repetitions)) {
  affordable.begin_case();
  affordable.need(window_seconds_ * options.repetitions, "the repetitions");
  affordable.need(affordable.foretell("settle", c), "ten steps and the repetitions");
  const Archive& surface = surfaces.surface_for(c);
  const kmc::Parameters parameters = parameters_of(c, options);
  system_ = space ? space->make_tile(parameters) : make_sequential(parameters);
  system_->load(surface);
  settle(options, affordable);
}

/// The surface comes with the step size at which the relaxing system left off. The step control gets all the steps that
/// it is to have, or, where a step takes long, ten, or as many as make a hundred with those of the relaxing; a
/// sequential method warms the caches.
void Measurement::settle(const Options& options, Affordable& affordable) {
  const Stopwatch watch;
  const Counts before = system_->counts();
  const auto replicas = static_cast<std::uint64_t>(case_.replicas);
  const std::uint64_t wanted = static_cast<std::uint64_t>(options.settle) * replicas;
  const std::uint64_t hundred = 100 * replicas;
  const std::uint64_t enough = std::min(wanted, std::max(10 * replicas, hundred - std::min(hundred, before.steps)));
  system_->run([&] {
    const double seconds = watch.seconds();
    const std::uint64_t steps = system_->counts().steps - before.steps;
    if (system_->tiles() == 0) return seconds < window_seconds_;
    if (steps >= wanted || (steps >= enough && seconds > 5 * window_seconds_)) return false;
    if (steps == 0) return true;
    const double step = seconds * case_.replicas / static_cast<double>(steps);
    const double repetitions = options.repetitions * std::max(window_seconds_, 4 * step);
    affordable.learn("settle", case_, (10 * step + repetitions) / case_.sites());
    const double to_go = static_cast<double>(enough) / case_.replicas * step - seconds;
    affordable.need(std::max(to_go, 0.0) + repetitions, "settling and the repetitions");
    return true;
  });
}

Window Measurement::repeat() {
  const Counts before = system_->counts();
  const Stopwatch watch;
  system_->run([&] { return watch.seconds() < window_seconds_; });
  Window window;
  window.seconds = watch.seconds();
  const Counts after = system_->counts();
  window.counts.events = after.events - before.events;
  window.counts.steps = after.steps - before.steps;
  window.counts.rejected = after.rejected - before.rejected;
  window.counts.repaired = after.repaired - before.repaired;
  return window;
}

}  // namespace tessera::perf
