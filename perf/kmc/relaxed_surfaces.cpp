// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "relaxed_surfaces.hpp"

namespace tessera::perf {

kmc::Parameters parameters_of(const KmcCase& c, const KmcOptions& options) {
  kmc::Parameters p;
  p.nx = p.ny = c.n;
  p.replicas = c.replicas;
  p.method = c.method;
  p.step_control = c.control;
  p.tile = options.tile;
  p.halo = options.halo;
  for (const Space& one : spaces())
    if (one.name == c.space) p.cores = one.threads;
  p.repair_halo = c.control == kmc::StepControl::repair ? options.repair_halo : 0;
  if (options.repair_fraction > 0) p.repair_fraction = options.repair_fraction;
  return p;
}

const Archive& RelaxedSurfaces::surface_for(const KmcCase& c, const TimeLimit& limit) {
  const Space& space = fastest_.threads > 0 && c.sites() < 65536 ? slowest_ : fastest_;
  KmcCase relaxing = c.on(space.name);
  relaxing.control = kmc::StepControl::repair;
  const std::string name = relaxing.name();
  if (name == refused_) throw DoesNotFit(why_);
  if (name == present_) return *surface_;
  present_.clear();
  surface_.reset();
  try {
    relax(relaxing, limit);
  } catch (const DoesNotFit& reason) {
    refused_ = name;
    why_ = reason.what();
    throw;
  }
  present_ = name;
  return *surface_;
}

void RelaxedSurfaces::relax(const KmcCase& c, const TimeLimit& limit) {
  const std::string what = "relaxing the surface on " + c.space;
  kmc::Parameters parameters = parameters_of(c, options_);
  const double relax = c.in_space() ? options_.relax / 10 : options_.relax;
  if (relax > 0) parameters.until_events_per_site = relax;
  const auto owner = make_kmc_system(c, parameters);
  KmcSystem& system = *owner;
  const double goal = relax * c.sites();
  const Stopwatch watch;
  double seconds = 0, events = 0;  // at the last check
  if (goal > 0)
    system.run([&] {
      const Counts counts = system.counts();
      const double now = watch.seconds(), done = static_cast<double>(counts.events);
      // The first steps are short, each up to ten times as long as the previous one; their durations are not
      // representative.
      const bool telling = counts.steps >= 12 * static_cast<std::uint64_t>(c.replicas) && done > events;
      limit.need(telling ? (goal - done) * (now - seconds) / (done - events) : 0, what);
      seconds = now;
      events = done;
      return true;
    });
  surface_ = std::make_unique<Archive>();
  system.save(*surface_);
}

}  // namespace tessera::perf
