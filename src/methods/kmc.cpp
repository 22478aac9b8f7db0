// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/core/kokkos_ext/visit_backend.hpp>
#include <tessera/kmc/any_simulation.hpp>
#include <tessera/kmc/memory.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/state/displacements.hpp>
#include <tessera/kmc/state/tile_sizes.hpp>
#include <type_traits>
#include <vector>

#include "machine/stop_signal.hpp"
#include "methods/faster_of.hpp"
#include "methods/kmc_space.hpp"
#include "methods/model_source.hpp"
#include "options/text.hpp"
#include "run/method.hpp"

namespace tessera::program {
namespace {

int lanes(Backend backend) {
  return visit_backend(backend, []<class Space>(std::type_identity<Space>) { return lanes_per_tile<Space>; });
}

class Kmc : public Method {
 public:
  void add_options(OptionTable& table) override {
    add_system(table);
    add_stopping_time(table);
    add_step_control(table);
  }

  void read_files(const parallel::Communicator& ranks) override { model_.file.read_start(ranks); }
  void parameters_changed(double time, bool now) override {
    p_.redraw = now;
    model_.file.begin_at(time);
  }
  /// The history of steps depends on the tile, but not on the number of cores.
  void use_cores(int cores) override { p_.cores = p_.record_steps || cores == 0 ? kmc::Parameters::any_cores : cores; }
  /// A core makes some 3e6 events/s. A GPU makes one per site in 250 us, in many lattices at once (H100).
  bool is_faster_on_host(int cores) const override {
    return !sequential() && !in_space() &&
           static_cast<double>(p_.nx) * p_.ny * std::max(1.0, 1.0 * p_.replicas / cores) < 750;
  }
  int useful_threads(Backend backend, int threads) const override {
    if (sequential() || in_space() || is_gpu(backend) || !sizes(backend).whole()) return threads;
    return std::min(threads, p_.replicas);
  }

  void choose_interval() override {
    const AverageFrom& from = schedule_.average_from;
    if ((!from.is_chosen && std::isinf(from.time)) || schedule_.measure_every > 0 || measure_every_events_ > 0) return;
    if (std::isfinite(p_.until_time))
      schedule_.measure_every = thousandth_of(p_.until_time);
    else if (std::isfinite(p_.until_events_per_site))
      measure_every_events_ = thousandth_of(p_.until_events_per_site) / 4;  // at least so many, mostly more
  }

  void check(Backend backend) const override {
    if (!std::isfinite(p_.until_time) && !std::isfinite(p_.until_events_per_site))
      throw InputError("no stopping time given; use --until-time or --until-events-per-site");
    if (model_.from_file() && std::min(p_.nx, p_.ny) == 1)
      throw InputError(
          "--size: both sides must be larger than 1; rows without processes along y are independent chains: use "
          "--size " +
          write_value(std::max(p_.nx, p_.ny)) + ",16 for 16 of them");
    const bool twice = measure_every_events_ > 0 && schedule_.measure_every > 0;
    if (twice || !(measure_every_events_ >= 0 && std::isfinite(measure_every_events_)))
      throw InputError("--measure-every-events " + write_value(measure_every_events_) +
                       (twice ? ": cannot be combined with --measure-every"
                              : ": must be a finite number of events per site, 0 or more"));
    if (model_.from_file())
      for (const std::string& species : track_) model_.file.check_tracked(species);
    if (in_space()) {
      space_.check(parameters(), model_);
    } else {
      if (!track_.empty() && !sequential())
        throw InputError("--method tile: does not track particles in the plane; use bkl or waiting-time");
      if (model_.from_file() && model_.tables().in_space)
        throw InputError("--size: the model has three dimensions; use --size NX,NY,NZ");
      model_.check(p_.until_time);
      kmc::validate(parameters(), lanes(backend), model_.reach(), model_.even_sides());
    }
    if (static_cast<int>(p_.starts.size()) > p_.replicas)
      throw InputError("--starts " + starts() + ": requires at least as many --replicas, which take them in turn");
    check_averages(schedule(), p_.until_time, p_.replicas);
    if (in_space()) return;
    const AverageFrom& from = schedule_.average_from;
    const double last = model_.last_change();
    if (last > 0 && !std::isinf(from.time) && (from.is_chosen || from.time < last))
      throw InputError("--average-from " + write_value(from) + ": rates change with time" +
                       (std::isinf(last) ? ", so that the run is never stationary; use inf"
                                         : " until " + write_value(last) + "; use this time or a later one"));
  }

  std::vector<WithoutEffect> without_effect() const override {
    std::vector<WithoutEffect> rows{
        {{"tile", "halo", "step-control", "grow-first", "grow", "shrink", "record-steps"},
         sequential() || in_space(),
         in_space() ? "has no effect in three dimensions" : "has no effect; it requires --method tile"},
        {{"relax", "repair-fraction", "repair-halo", "repair-rounds"},
         !repairs(),
         "has no effect; it requires --method tile with --step-control repair"},
    };
    std::ranges::move(space_.without_effect(in_space(), model_), std::back_inserter(rows));
    rows.push_back({{"track"}, !model_.from_file(), "has no effect; it requires --processes"});
    std::ranges::move(model_.without_effect(p_.starts), std::back_inserter(rows));
    return rows;
  }

  std::string algorithm() const override {
    if (may_exchange()) return "auto";
    return method() == kmc::Method::tile ? "tile" : method() == kmc::Method::bkl ? "bkl" : "waiting-time";
  }

  bool sequential() const override { return method() != kmc::Method::tile; }

  std::string system() const override {
    return title() + (p_.starts.empty() ? "" : " from " + quoted_word(joined(p_.starts, " and "))) + ", " +
           (listed_in_space() ? space_.lattice() + ", " : "") + write_value(p_.nx) + " x " + write_value(p_.ny) +
           (in_space() ? " x " + write_value(p_.nz) : "") +
           (p_.replicas > 1 ? ", " + write_value(p_.replicas) + " replicas" : "");
  }

  Json model() const override {
    Json model{{"method", "kinetic Monte Carlo"}};
    model.update(model_.data(p_.until_time));
    if (listed_in_space()) model["title"] = space_.title(std::string(model_.listed().model().title));
    return model;
  }
  std::vector<std::pair<std::string, double>> changing_parameters(double time,
                                                                  const std::set<std::string>& others) const override {
    return model_.file.changing(time, others);
  }
  std::string help_of_models(bool chosen) const override { return model_.help(chosen); }

  std::uint64_t seed() const override { return p_.seed; }
  int replicas() const override { return p_.replicas; }
  std::unique_ptr<Method> part(Backend backend, int first, int count) const override {
    auto part = std::make_unique<Kmc>(*this);
    // The default tile may depend on the number of replicas, and the recorded steps depend on the tile.
    if (const kmc::TileSizes all = sizes(backend); !sequential() && !in_space() && (all.whole() || all.lanes == 1))
      part->p_.tile = all.tile;
    part->p_.seed += static_cast<std::uint64_t>(first);
    part->p_.first_replica += first;
    part->p_.replicas = count;
    return part;
  }
  Schedule schedule() const override {
    Schedule schedule = schedule_;
    schedule.measure_work = measure_every_events_ * static_cast<double>(sites()) * p_.replicas;
    if (measure_every_events_ > 0 && model_.last_change() > 0) schedule.follows_until = schedule.average_from.time;
    return schedule;
  }
  std::pair<std::string, std::int64_t> largest_entry() const override { return {"state", p_.replicas * sites()}; }
  double stopping_time() const override { return p_.until_time; }

  /// A single-tile lattice is advanced by one team.
  bool can_be_shared(Backend backend) const override {
    return !sequential() && (in_space() || !sizes(backend).whole());
  }
  parallel::Distribution distribution(const Execution& execution) const override {
    if (in_space()) return space_.distribution(p_, execution);
    return kmc::distribute(p_, sizes(execution.backend), execution.ranks(), execution.grid);
  }

  MemoryNeeded memory(const Execution& execution) const override {
    if (in_space()) return space_.memory(parameters(), model_, execution);
    MemoryNeeded memory = model_.visit_type([&]<class Model>(std::type_identity<Model>) {
      const int groups = model_.groups(), sums = model_.reach().sums;
      if (execution.ranks().size() == 1)
        return kmc::memory_needed<Model>(parameters(), lanes(execution.backend), groups, sums);
      return kmc::memory_needed<Model>(p_, kmc::block_of(p_, sizes(execution.backend), distribution(execution)), groups,
                                       sums);
    });
    const MemoryNeeded tables = model_.memory();
    memory.host += tables.host;
    for (const kmc::TrackedSpecies& one : parameters().tracked)
      memory.host += static_cast<std::size_t>(p_.replicas * sites()) *
                     kmc::Displacements::bytes_of_cell(one, model_.tables().start_state);
    if (may_exchange())  // by waiting times, and the state on its way there
      memory.host += static_cast<std::size_t>(p_.nx * p_.ny * (80 + 8 * model_.reach().sums));
    if (is_gpu(execution.backend)) memory.device += tables.device;
    return memory;
  }

  std::unique_ptr<SimulationInterface> make_simulation(const Execution& execution) const override {
    if (in_space()) return space_.make(parameters(), model_, execution);
    const bool on_device = !sequential() && is_gpu(execution.backend), exchanges = may_exchange();
    kmc::Parameters first = parameters();
    first.keep_going = [] { return stop_signal() == 0; };
    return model_.visit(on_device, [&]<class Model>(const Model& model) -> std::unique_ptr<SimulationInterface> {
      using Part = std::unique_ptr<kmc::AnySimulation<Model>>;
      const auto make = [=](kmc::Method method, bool redraw = false) -> Part {
        kmc::Parameters p = first;
        p.method = method;
        p.redraw = redraw;
        if (method == kmc::Method::bkl) return kmc::make_bkl(p, model);
        if (method == kmc::Method::waiting_time) return kmc::make_waiting_time(p, model);
        return visit_backend(execution.backend, [&]<class Space>(std::type_identity<Space>) -> Part {
          return kmc::make_tile_method<Space>(p, model, execution.ranks(), execution.grid);
        });
      };
      try {
        Part made = make(first.method, first.redraw);
        if (exchanges) return std::make_unique<FasterOf<Model>>(std::move(made), make, execution.note);
        return made;
      } catch (const kmc::Interrupted&) {
        return nullptr;
      }
    });
  }

 private:
  bool in_space() const { return p_.nz != 0; }
  bool listed_in_space() const { return in_space() && !model_.from_file(); }
  std::string title() const { return listed_in_space() ? space_.title(model_.title()) : model_.title(); }
  /// Number of sites of a replica.
  std::int64_t sites() const { return in_space() ? space_.sites(p_) : std::int64_t{p_.nx} * p_.ny; }
  /// Whether the tile method and waiting times take turns: neither is chosen, nor what only tiles have, and a change of
  /// the method, which copies the lattice, takes less than a tenth of a second.
  bool may_exchange() const {
    return !in_space() && !method_ && method() == kmc::Method::tile && p_.replicas == 1 && p_.tile == 0 &&
           p_.halo == 0 && p_.cores != kmc::Parameters::any_cores && std::int64_t{p_.nx} * p_.ny <= 1 << 18;
  }
  /// The method chosen; where the default tile does not exist, waiting times one after the other: the same trajectory.
  kmc::Method method() const {
    if (in_space()) return method_.value_or(space_.default_method(p_, model_.from_file()));
    if (method_.value_or(kmc::Method::tile) != kmc::Method::tile) return *method_;
    if (p_.tile != 0 || p_.record_steps) return kmc::Method::tile;
    if (!method_ && !track_.empty()) return kmc::Method::waiting_time;
    kmc::Parameters on_core = p_;
    on_core.cores = 1;
    const kmc::EventReach reach = model_.reach();
    return kmc::tile_sizes(on_core, 1, reach).tile < reach.smallest_tile() ? kmc::Method::waiting_time
                                                                           : kmc::Method::tile;
  }
  kmc::Parameters parameters() const {
    kmc::Parameters p = p_;
    p.method = method();
    if (model_.from_file()) p.tracked = processes::tracked_species(model_.tables(), track_);
    p.track_every = schedule_.measure_every;
    return p;
  }
  /// Value of --starts.
  std::string starts() const { return p_.starts.size() > 1 ? joined(p_.starts, ",", std::identity(), ",") : ""; }
  bool repairs() const { return !sequential() && p_.step_control == kmc::StepControl::repair; }
  kmc::TileSizes sizes(Backend backend) const { return kmc::tile_sizes(p_, lanes(backend), model_.reach()); }

  void add_system(OptionTable& table) {
    table.group("System");
    model_.add_options(table);
    const auto set_size = [this](const std::string& text) {
      const std::vector<std::string> parts = processes::parts_of(text, ',');
      std::array<int, 3> sides{};
      try {
        if (parts.empty() || parts.size() > sides.size()) throw InputError("");
        for (std::size_t i = 0; i < parts.size(); ++i) read_value(parts[i], sides[i]);
        if (parts.size() == 3 && sides[2] < 1) throw InputError("");
      } catch (const InputError&) {
        throw InputError("must be NX or NX,NY or NX,NY,NZ: one to three whole numbers of sites");
      }
      p_.nx = sides[0];
      p_.ny = parts.size() > 1 ? sides[1] : sides[0];
      p_.nz = sides[2];
    };
    Option& size =
        table.add({"size", "NX[,NY[,NZ]]", "sites; in three dimensions cubic cells", "", Role::trajectory, set_size,
                   [this] { return write_pair(p_.nx, p_.ny) + (in_space() ? "," + write_value(p_.nz) : ""); }});
    size.has_commas = true;
    space_.add_options(table, [this] { return listed_in_space(); });
    model_.add_parameters(table);
    const auto start = [this] { return p_.starts.size() == 1 ? p_.starts[0] : ""; };
    const auto set_starts = [this](const std::vector<std::string>& files) {
      if (!p_.starts.empty() && (p_.starts.size() > 1) != (files.size() > 1))
        throw InputError("--start and --starts cannot be combined");
      p_.starts = files;
    };
    const auto set_several = [set_starts](const std::string& text) {
      if (text.find(',') == std::string::npos) throw InputError("must be several, separated by commas");
      set_starts(processes::parts_of(text, ','));
    };
    table.add({"start", "FILE", "states at time 0: output file of kmc, .npy file or text matrix", "", Role::trajectory,
               [set_starts](const std::string& text) { set_starts({text}); }, start});
    Option& several =
        table.add({"starts", "FILE,FILE[,...]", "the same for replicas in turn: files, or the words ordered and random",
                   "", Role::trajectory, set_several, [this] { return starts(); }});
    several.has_commas = true;
    several.applies = [this] { return p_.replicas > 1; };
    model_.file.add_start(
        table, [this] { return p_.starts; },
        [this] {
          return processes::Lattice{p_.nx, p_.ny, p_.nz};
        });
    table.add("seed", "N", "replica r has seed N + r; independent runs need seeds R apart", Role::trajectory, p_.seed);
    table.add("replicas", "R", "number of independent systems", Role::trajectory, p_.replicas);
  }

  void add_stopping_time(OptionTable& table) {
    table.group("Run (in simulated time; it ends at the stopping time that is reached first)");
    table.add("until-time", "TIME", "simulated time at which the run ends", Role::course, p_.until_time);
    table.add("until-events-per-site", "N", "events per site at which the run ends", Role::course,
              p_.until_events_per_site);
    table.add("measure-every", "TIME", "time between measurements; 0: start and end, 1000 for averages",
              Role::trajectory, schedule_.measure_every);
    table.add("measure-every-events", "N", "instead of --measure-every: at least N events per site", Role::trajectory,
              measure_every_events_);
    table.add("average-from", "TIME|auto", "average over later measurements; auto: chosen; inf: none", Role::course,
              schedule_.average_from);
    table.add("field-every", "TIME", "time between lattice fields; 0: only at the end", Role::trajectory,
              schedule_.field_every);
    const auto set_track = [this](const std::string& text) {
      track_ = processes::parts_of(text, ',');
      if (std::set(track_.begin(), track_.end()).size() < track_.size()) throw InputError("names a species twice");
    };
    Option& track = table.add({"track", "SPECIES[,...]", "measure the diffusion of species", "", Role::trajectory,
                               set_track, [this] { return joined(track_, ",", std::identity(), ","); }});
    track.has_commas = true;
    track.applies = [this] { return model_.from_file(); };
    table
        .add("structure-factor", "", "measure S(k) of all wave vectors along the axes", Role::course,
             p_.structure_factor)
        .applies = [] { return true; };
    table.add_switch("record-steps", "record the history of the step size", Role::course, p_.record_steps);
  }

  void add_step_control(OptionTable& table) {
    table.group("Method (only --method bkl changes the trajectory)");
    using enum kmc::Method;
    table
        .add_choice("method", "auto: tile or waiting-time, whichever is faster", Role::trajectory, method_,
                    {{"auto", {}}, {"tile", tile}, {"bkl", bkl}, {"waiting-time", waiting_time}})
        .difference = [this](const std::string& before) {
      return (before == "bkl") == (method_ == bkl) ? "" : "method = " + before;
    };
    table.add("tile", "N", "side of a tile; 0: the backend's default", Role::course, p_.tile);
    table.add("halo", "N", "width of the halo around a tile; 0: default", Role::course, p_.halo);
    table.add_choice("step-control", "how to treat a step that was too long", Role::course, p_.step_control,
                     {{"repair", kmc::StepControl::repair}, {"reject", kmc::StepControl::reject}});
    const auto add_if = [&](const std::function<bool()>& applies, const char* name, const char* argument,
                            const char* help,
                            auto& value) { table.add(name, argument, help, Role::course, value).applies = applies; };
    const auto has_steps = [this] { return !sequential(); };
    add_if(has_steps, "grow-first", "X", "growth factor of the step until one is too long", p_.grow_first);
    add_if(has_steps, "grow", "X", "growth factor of the step afterwards; 0: default", p_.grow);
    add_if(has_steps, "shrink", "X", "factor of the step after a rejection", p_.shrink);
    const auto repairs = [this] { return this->repairs(); };
    add_if(repairs, "relax", "X", "repair: factor of the step after too many repairs; 0: default", p_.relax);
    add_if(repairs, "repair-fraction", "X", "repair: largest fraction of repaired tiles in a step; 0: default",
           p_.repair_fraction);
    add_if(repairs, "repair-halo", "N", "repair: halo of a repaired tile; 0: default", p_.repair_halo);
    add_if(repairs, "repair-rounds", "N", "repair: rounds before the step is rejected", p_.repair_rounds);
  }

  kmc::Parameters p_;
  std::vector<std::string> track_;  ///< species
  KmcInSpace space_;
  std::optional<kmc::Method> method_;  ///< empty: chosen by the run
  ModelSource model_;
  Schedule schedule_;
  double measure_every_events_ = 0;  ///< per site
};

}  // namespace

std::unique_ptr<Method> make_kmc() { return std::make_unique<Kmc>(); }

}  // namespace tessera::program
