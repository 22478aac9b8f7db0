// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <cmath>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/core/kokkos_ext/visit_backend.hpp>
#include <tessera/disks/any_simulation.hpp>
#include <tessera/disks/memory.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/state/geometry.hpp>
#include <tessera/disks/state/subdomains.hpp>

#include "run/method.hpp"

namespace tessera::program {
namespace {

class Disks : public Method {
 public:
  void add_options(OptionTable& table) override {
    add_system(table);
    add_course(table);
    add_method(table);
  }

  void check(Backend) const override {
    for (const auto& [key, every] :
         {std::pair{"--measure-every ", schedule_.measure_every}, {"--field-every ", schedule_.field_every}})
      if (!(every >= 0 && std::isfinite(every) && every == std::floor(every)))
        throw InputError(key + write_value(every) + ": must be a whole number of sweeps, 0 or more");
    disks::validate(p_);
    if (schedule_.average_from.is_chosen) return;  // the default, also of runs with few samples
    Schedule samples = schedule_;
    samples.measure_every = p_.sample_every;
    check_averages(samples, p_.sweeps, p_.replicas);
  }

  std::vector<WithoutEffect> without_effect() const override {
    const std::vector<std::string> of_mpmc{"moves-per-cell", "shuffle-particles", "shuffle-checkerboard"};
    return {
        {of_mpmc, p_.method == disks::Method::sequential, "has no effect; it requires --method mpmc"},
        {of_mpmc, p_.method == disks::Method::mpmc && sequential(),
         "has no effect: no checkerboard of cells fits this small box, so the sequential method is used",
         WithoutEffect::Typed::reported},
        {{"packing-fraction"},
         !sequential() && p_.packing_fraction < 1e-3,
         "almost all cells of the checkerboard are empty; --method sequential is faster and needs less memory",
         WithoutEffect::Typed::reported},
        {{"g-bins"}, p_.r_max == 0, "has no effect; it requires --r-max"},
        {{"start-row"}, p_.start != disks::Start::file, "has no effect; it requires --start FILE"},
        {{"equilibrate", "sample-every"},
         p_.sweeps < p_.equilibrate + p_.sample_every,
         "the run ends before its first sample at sweep " + write_value(p_.equilibrate + p_.sample_every),
         WithoutEffect::Typed::reported},
    };
  }

  std::string algorithm() const override { return sequential() ? "sequential" : "mpmc"; }

  /// True also if no checkerboard of cells fits the box: the sequential method is used then.
  bool sequential() const override { return p_.method == disks::Method::sequential || !has_checkerboard(); }

  std::string system() const override {
    return write_value(p_.particles) + " disks, eta = " + write_value(p_.packing_fraction) +
           (p_.replicas > 1 ? ", " + write_value(p_.replicas) + " replicas" : "") +
           (p_.method == disks::Method::mpmc && !has_checkerboard()
                ? ", sequential because no checkerboard of cells fits this small box"
                : "") +
           (p_.sweeps < p_.equilibrate + p_.sample_every
                ? ", no samples: the first would be at sweep " + write_value(p_.equilibrate + p_.sample_every)
                : "");
  }

  Json model() const override {
    return {{"method", "hard disks"},
            {"parameters", {{"packing-fraction", {{"symbol", "eta"}}}, {"particles", {{"symbol", "N"}}}}}};
  }
  std::uint64_t seed() const override { return p_.seed; }
  int replicas() const override { return p_.replicas; }
  std::unique_ptr<Method> part(Backend, int first, int count) const override {
    auto part = std::make_unique<Disks>(*this);
    part->p_.seed += static_cast<std::uint64_t>(first);
    part->p_.first_replica += first;
    part->p_.replicas_of_run = p_.all_replicas();
    part->p_.replicas = count;
    return part;
  }
  Schedule schedule() const override {
    Schedule schedule = schedule_;
    schedule.average_from.time = std::max(schedule_.average_from.time, p_.equilibrate);
    return schedule;
  }
  double stopping_time() const override { return p_.sweeps; }

  bool can_be_shared(Backend) const override { return !sequential(); }
  parallel::Distribution distribution(const Execution& execution) const override {
    if (execution.ranks().size() > 1 && p_.r_max > disks::any_r_max)
      throw InputError(
          "--r-max " + write_value(p_.r_max) +
          ": ranks that share a replica count pairs up to 5 diameters; use at most 5, or one rank for each "
          "replica");
    return disks::distribute(disks::checkerboard(p_), execution.ranks(), execution.grid);
  }

  std::pair<std::string, std::int64_t> largest_entry() const override {
    return {"position", 2 * p_.replicas * p_.particles};
  }
  MemoryNeeded memory(const Execution& execution) const override {
    return sequential() ? disks::memory_needed(p_) : disks::memory_needed(p_, distribution(execution));
  }

  /// Contains no disks before start() or load(): a random one takes long, and a signal can interrupt its construction.
  std::unique_ptr<SimulationInterface> make_simulation(const Execution& execution) const override {
    if (sequential()) return disks::make_sequential(p_, {});
    return visit_backend(execution.backend, [&]<class Space>(std::type_identity<Space>) {
      return disks::make_simulation<Space>(p_, {}, execution.ranks(), execution.grid);
    });
  }

 private:
  bool has_checkerboard() const {
    disks::validate(p_);
    return disks::fit_cells(disks::box_width(p_), disks::box_height(p_), p_.replicas).has_value();
  }

  void add_system(OptionTable& table) {
    table.group("System (lengths in diameters sigma)");
    table.add("particles", "N", "number of disks in the periodic box", Role::trajectory, p_.particles);
    table.add("packing-fraction", "ETA", "area of the disks divided by the area of the box", Role::trajectory,
              p_.packing_fraction);
    table.add("aspect", "X", "width of the box divided by its height", Role::trajectory, p_.aspect);
    using disks::Start;
    const auto read_start = [this](const std::string& text) {
      if (text.empty()) throw InputError("must be lattice, random or a file with disks");
      p_.start = text == "lattice" ? Start::lattice : text == "random" ? Start::random : Start::file;
      p_.start_file = p_.start == Start::file ? text : "";
    };
    const auto write_start = [this]() -> std::string {
      return p_.start == Start::file ? p_.start_file : p_.start == Start::lattice ? "lattice" : "random";
    };
    table.add({"start", "lattice|random|FILE",
               "triangular lattice, random positions that are compressed, or a file: output of disks, extended XYZ, or "
               "lines 'x y'",
               "", Role::trajectory, read_start, write_start});
    table.add("start-row", "N", "snapshot of this file, from 0, or from the end as -1, -2", Role::trajectory,
              p_.start_row);
    table.add("seed", "N", "replica r has seed N + r; independent runs need seeds R apart", Role::trajectory, p_.seed);
    table.add("replicas", "R", "number of independent systems", Role::trajectory, p_.replicas);
  }

  void add_course(OptionTable& table) {
    table.group("Run (times in sweeps)");
    table.add("sweeps", "N", "length of the run, including the equilibration", Role::course, p_.sweeps);
    table.add("equilibrate", "N", "sweeps before the first sample", Role::trajectory, p_.equilibrate);
    table.add("sample-every", "N", "sweeps between samples of pressure and order", Role::trajectory, p_.sample_every);
    table.add("r-max", "X", "average g(r) over the samples up to this distance; 0: no", Role::trajectory, p_.r_max);
    table.add("g-bins", "N", "bins of this g(r) per diameter", Role::trajectory, p_.g_bins);
    table.add("g6", "true|false", "average the bond-orientational correlation g6(r), too", Role::trajectory, p_.g6);
    table.add("q-max", "Q", "average S(q) over the samples up to this wave number; 0: no", Role::trajectory, p_.q_max);
    table.add("average-from", "SWEEP|auto", "average over later samples; auto: chosen; inf: none", Role::course,
              schedule_.average_from);
    table.add("measure-every", "N", "sweeps between rows of observables; 0: only at start and end", Role::trajectory,
              schedule_.measure_every);
    table.add("field-every", "N", "sweeps between snapshots of disks and g(r); 0: only at the end", Role::trajectory,
              schedule_.field_every);
  }

  void add_method(OptionTable& table) {
    table.group("Method");
    table.add_choice("method", "massively parallel or sequential Metropolis Monte Carlo", Role::trajectory, p_.method,
                     {{"mpmc", disks::Method::mpmc}, {"sequential", disks::Method::sequential}});
    table.add_choice("pressure-fit", "range of g(r): from the data, or up to 1.02 as in the paper", Role::trajectory,
                     p_.pressure_fit, {{"auto", disks::PressureFit::automatic}, {"paper", disks::PressureFit::paper}});
    table.add("moves-per-cell", "N", "mpmc: trial moves per active cell", Role::trajectory, p_.moves_per_cell);
    table.add("move-radius", "X", "trial moves are uniform in a circle of this radius", Role::trajectory,
              p_.move_radius);
    table.add("tune-acceptance", "A", "acceptance to which the equilibration tunes the radius; 0: no", Role::trajectory,
              p_.tune_acceptance);
    table.add("shuffle-particles", "true|false", "mpmc: shuffle disks of a cell before its moves (table 1)",
              Role::trajectory, p_.shuffle_particles);
    table.add("shuffle-checkerboard", "true|false", "mpmc: shuffle the order of the sub-sweeps (table 1)",
              Role::trajectory, p_.shuffle_checkerboard);
  }

  disks::Parameters p_;
  Schedule schedule_{.average_from = {0, true}};
};

}  // namespace

std::unique_ptr<Method> make_disks() { return std::make_unique<Disks>(); }

}  // namespace tessera::program
