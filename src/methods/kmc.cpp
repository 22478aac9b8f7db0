// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "methods/methods.hpp"

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <tessera/analysis/cumulants.hpp>
#include <tessera/core/error.hpp>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/core/kokkos_ext/visit_backend.hpp>
#include <tessera/kmc/any_simulation.hpp>
#include <tessera/kmc/memory.hpp>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/observables/order.hpp>
#include <tessera/kmc/parameters.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "options/shown_text.hpp"
#include "processes/given_model.hpp"
#include "processes/table_model.hpp"

namespace tessera::program {
namespace {

int lanes(Backend backend) {
  return visit_backend(backend, []<class Space>(std::type_identity<Space>) { return lanes_per_tile<Space>; });
}

/// Names of the models that have a parameter.
std::vector<std::string> models_with(const kmc::ModelParameter& parameter) {
  std::vector<std::string> names;
  for (const kmc::ModelEntry& model : kmc::Models::models)
    if (model.takes(parameter.name)) names.emplace_back(model.name);
  return names;
}

std::vector<std::string> names_with(const std::vector<kmc::ClusterKind>& clusters, std::vector<std::string> names) {
  for (const kmc::ClusterKind& kind : clusters) names.push_back(kind.density);
  return names;
}

/// Observables of a model with their units, "energy (J)". `own`, `counted`: names that are known at run time only.
template <kmc::Model M>
std::vector<std::string> observables_of(std::vector<std::string> own = {}, std::vector<std::string> counted = {}) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name, const std::string& unit) {
    names.push_back(unit.empty() ? name : name + " (" + unit + ")");
  };
  if constexpr (requires { M::state_is_height; })
    for (const Observable& one : analysis::height_observables(kmc::state_unit_of<M>(), {}, {})) add(one.name, one.unit);
  if constexpr (requires { M::site_observables; })
    for (const kmc::SiteObservable& one : M::site_observables) add(one.name, one.unit);
  if constexpr (kmc::has_order<M>)
    for (const Observable& one : kmc::order_observables<M>(std::vector<Observable>(1))) add(one.name, one.unit);
  std::ranges::move(own, std::back_inserter(names));
  names.emplace_back("events");
  if constexpr (requires { M::counted; }) names.insert(names.end(), std::begin(M::counted), std::end(M::counted));
  std::ranges::move(counted, std::back_inserter(names));
  return names;
}

class Kmc : public Method {
 public:
  void add_options(OptionTable& table) override {
    add_system(table);
    add_goal(table);
    add_step_control(table);
  }

  void parameters_changed() override { p_.redraw = true; }
  /// The history of steps depends on the tile, but not on the number of cores.
  void use_cores(int cores) override { p_.cores = p_.record_steps ? 0 : cores; }
  /// A core makes some 3e6 events/s. A GPU makes one per site in 250 us, in many lattices at once (H100).
  bool is_faster_on_host(int cores) const override {
    return !sequential() && static_cast<double>(p_.nx) * p_.ny * std::max(1.0, 1.0 * p_.replicas / cores) < 750;
  }
  int useful_threads(Backend backend, int threads) const override {
    if (sequential() || backend == Backend::cuda || !sizes(backend).whole()) return threads;
    return std::min(threads, p_.replicas);
  }

  void check(Backend backend) const override {
    if (!std::isfinite(p_.until_time) && !std::isfinite(p_.until_events_per_site))
      throw InputError("no goal given; use --until-time or --until-events-per-site");
    if (file_.given() && std::min(p_.nx, p_.ny) == 1)
      throw InputError(
          "--size: both sides must be larger than 1; rows without processes along y are independent chains: use "
          "--size " +
          write_value(std::max(p_.nx, p_.ny)) + ",16 for 16 of them");
    const bool twice = measure_every_events_ > 0 && schedule_.measure_every > 0;
    if (twice || !(measure_every_events_ >= 0 && std::isfinite(measure_every_events_)))
      throw InputError("--measure-every-events " + write_value(measure_every_events_) +
                       (twice ? ": cannot be combined with --measure-every"
                              : ": must be a finite number of events per site, 0 or more"));
    kmc::validate(p_, lanes(backend), event_reach(), !file_.given() && p_.model.model().even_sides);
    if (file_.given()) file_.compiled();
    check_averages(schedule(), p_.until_time, p_.replicas);
  }

  std::vector<WithoutEffect> without_effect() const override {
    std::vector<WithoutEffect> rows{
        {{"tile", "halo", "step-control", "grow-first", "grow", "shrink", "record-steps"},
         sequential(),
         "has no effect; it requires --method tile"},
        {{"relax", "repair-fraction", "repair-halo", "repair-rounds"},
         !repairs(),
         "has no effect; it requires --method tile with --step-control repair"},
    };
    for (const kmc::ModelParameter& parameter : kmc::Models::parameters) {
      rows.push_back({{parameter.name},
                      !has(parameter),
                      "has no effect; it requires --model " + joined(models_with(parameter), " or ")});
      if (parameter.of_start)
        rows.push_back({{parameter.name}, !p_.start.empty(), "has no effect: --start gives the states at time 0"});
    }
    rows.push_back({{"model"}, file_.given(), "has no effect: --processes gives the model"});
    rows.push_back({{"set"}, !file_.given(), "has no effect; it requires --processes"});
    if (file_.given())
      for (const std::string& note : file_.notes())
        rows.push_back({{"processes"}, true, note, WithoutEffect::Typed::reported});
    return rows;
  }

  std::string algorithm() const override {
    return p_.method == kmc::Method::tile ? "tile" : p_.method == kmc::Method::bkl ? "bkl" : "waiting-time";
  }

  bool sequential() const override { return p_.method != kmc::Method::tile; }

  std::string system() const override {
    std::string model = file_.given() ? file_.title() : std::string(p_.model.model().title);
    for (const kmc::ModelParameter& parameter : p_.model.model().parameters)
      if (!file_.given() && *parameter.symbol != 0)
        model += std::string(", ") + parameter.symbol + " = " + write_value(p_.model[parameter.name]);
    if (!p_.start.empty()) model += " from " + quoted_word(p_.start);
    return model + ", " + write_value(p_.nx) + " x " + write_value(p_.ny) +
           (p_.replicas > 1 ? ", " + write_value(p_.replicas) + " replicas" : "");
  }

  /// A triangular lattice has a line as that of a model from a file.
  std::string description() const override {
    if (file_.given()) return file_.description();
    const auto neighbours = []<class Model>(const Model&) { return Model::neighbours; };
    return kmc::visit_model(p_.model, neighbours) == 6
               ? "cell 1 0 0 0.5 0.8660254037844386 0 0 0 1\nposition 0.5 0.5 0\n"
               : "";
  }

  std::string help_of_models(bool chosen) const override {
    if (chosen) {
      const std::string parameters = joined(file_.adjustable(), ", ");
      return (parameters.empty() ? "" : "Adjustable parameters, for --set:\n  " + filled(parameters, 2, 2) + "\n") +
             "Observables:\n  " + filled(joined(observables(), ", "), 2, 2) + "\n";
    }
    std::string text = "Models and their options (described by tessera kmc --model NAME --help):\n";
    for (const kmc::ModelEntry& model : kmc::Models::models) {
      std::vector<std::string> options;
      for (const kmc::ModelParameter& parameter : model.parameters)
        options.push_back(std::string("--") + parameter.name);
      text += help_line(std::string(model.name), std::string(model.title) + ": " + joined(options, ", "), 16);
    }
    return text;
  }

  std::uint64_t seed() const override { return p_.seed; }
  int replicas() const override { return p_.replicas; }
  std::unique_ptr<Method> part(Backend backend, int first, int count) const override {
    auto part = std::make_unique<Kmc>(*this);
    // The default tile may depend on the number of replicas, and the recorded steps depend on the tile.
    if (const kmc::TileSizes all = sizes(backend); !sequential() && (all.whole() || all.lanes == 1))
      part->p_.tile = all.tile;
    part->p_.seed += static_cast<std::uint64_t>(first);
    part->p_.first_replica += first;
    part->p_.replicas = count;
    return part;
  }
  Schedule schedule() const override {
    Schedule schedule = schedule_;
    schedule.measure_work = measure_every_events_ * p_.nx * p_.ny * p_.replicas;
    return schedule;
  }
  double time_goal() const override { return p_.until_time; }

  /// A lattice that is one window is advanced by a single team.
  bool can_be_shared(Backend backend) const override { return !sequential() && !sizes(backend).whole(); }
  parallel::GridShape rank_grid(const Sharing& sharing) const override { return subdomains_of(sharing).grid.shape(); }

  MemoryNeeded memory(const Sharing& sharing) const override {
    const auto needed = [&]<class Model>(std::type_identity<Model>) {
      if (sharing.ranks.size() == 1) return kmc::memory_needed<Model>(p_, lanes(sharing.backend));
      return kmc::memory_needed<Model>(p_, subdomains_of(sharing));
    };
    if (!file_.given())
      return kmc::visit_model(p_.model, [&]<class Model>(const Model&) { return needed(std::type_identity<Model>()); });
    MemoryNeeded memory = processes::visit_table_model(file_.compiled().tables, needed);
    const std::size_t tables = file_.compiled().tables.bytes();
    // One copy is for simulations on the host; outcomes are stored in the form of the file's model, too.
    memory.host += 2 * tables + file_.compiled().tables.outcomes.size() * sizeof(processes::Outcome);
    if (sharing.backend == Backend::cuda) memory.device += tables;
    return memory;
  }

  std::unique_ptr<SimulationInterface> make_simulation(const Sharing& sharing) const override {
    using Simulation = std::unique_ptr<SimulationInterface>;
    const auto make = [&]<class Model>(const Model& model) -> Simulation {
      if (p_.method == kmc::Method::bkl) return kmc::make_bkl(p_, model);
      if (p_.method == kmc::Method::waiting_time) return kmc::make_waiting_time(p_, model);
      return visit_backend(sharing.backend, [&]<class Space>(std::type_identity<Space>) -> Simulation {
        return kmc::make_tile_method<Space>(p_, model, sharing.ranks, sharing.grid);
      });
    };
    if (!file_.given()) return kmc::visit_model(p_.model, make);
    const processes::Tables& tables = file_.compiled().tables;
    return processes::visit_table_model(tables,
                                        [&]<class Model>(std::type_identity<Model>) { return make(Model(tables)); });
  }

 private:
  /// Whether the chosen model takes a parameter.
  bool has(const kmc::ModelParameter& parameter) const {
    return !file_.given() && p_.model.model().takes(parameter.name);
  }
  bool repairs() const { return !sequential() && p_.step_control == kmc::StepControl::repair; }
  /// Observables of the chosen model.
  std::vector<std::string> observables() const {
    if (file_.given()) {
      const processes::Tables& tables = file_.compiled().tables;
      std::vector<std::string> counted;
      for (const kmc::CountedEvents& one : tables.counted) counted.push_back(one.name);
      return observables_of<processes::TableModel>(names_with(tables.clusters, tables.observables), counted);
    }
    return kmc::visit_model(p_.model, []<class Model>(const Model& model) {
      if constexpr (kmc::has_clusters<Model>) return observables_of<Model>(names_with(model.clusters(), {}));
      return observables_of<Model>();
    });
  }
  kmc::EventReach event_reach() const {
    if (!file_.given()) return p_.model.model().reach;
    return processes::visit_table_model(file_.compiled().tables,
                                        []<class Model>(std::type_identity<Model>) { return kmc::event_reach<Model>; });
  }
  kmc::TileSizes sizes(Backend backend) const { return kmc::tile_sizes(p_, lanes(backend), event_reach()); }
  kmc::Subdomains subdomains_of(const Sharing& sharing) const {
    return {p_, sizes(sharing.backend), sharing.ranks, sharing.grid};
  }

  void add_system(OptionTable& table) {
    table.group("System");
    std::vector<std::pair<std::string, std::size_t>> models;
    for (const kmc::ModelEntry& model : kmc::Models::models) models.emplace_back(model.name, models.size());
    table.add_choice("model", "the model", Role::trajectory, p_.model.index, models);
    const auto is_from_file = [this] { return file_.given(); };
    table.without_value_if(is_from_file);
    file_.add_options(table);
    table.applies_if(is_from_file);  // --set
    table.can_change();
    table.add(pair_option("size", "NX[,NY]", "sides of the periodic lattice, multiples of the tile",
                          "NX or NX,NY: one or two whole numbers of sites", p_.nx, p_.ny));
    for (const kmc::ModelParameter& parameter : kmc::Models::parameters) {
      table.add(parameter.name, parameter.argument, joined(models_with(parameter), ", ") + ": " + parameter.help,
                Role::trajectory, p_.model[parameter.name]);
      if (!parameter.of_start) table.can_change();
      table.without_value_if(is_from_file);
      table.applies_if([this, &parameter] { return has(parameter); });
    }
    table.add("start", "FILE", "states at time 0: output file of kmc, .npy file or text matrix", Role::trajectory,
              p_.start);
    table.add("seed", "N", "replica r has seed N + r; independent runs need seeds R apart", Role::trajectory, p_.seed);
    table.add("replicas", "R", "number of independent systems", Role::trajectory, p_.replicas);
  }

  void add_goal(OptionTable& table) {
    table.group("Run (in simulated time; the run ends at the goal that is reached first)");
    table.add("until-time", "TIME", "simulated time at which the run ends", Role::course, p_.until_time);
    table.add("until-events-per-site", "N", "events per site at which the run ends", Role::course,
              p_.until_events_per_site);
    table.add("measure-every", "TIME", "time between measurements; 0: only at start and end", Role::trajectory,
              schedule_.measure_every);
    table.add("measure-every-events", "N", "instead of --measure-every: at least N events per site", Role::trajectory,
              measure_every_events_);
    table.add("average-from", "TIME|auto", "average over later measurements; auto: chosen; inf: none", Role::course,
              schedule_.average_from);
    table.add("field-every", "TIME", "time between lattice fields; 0: only at the end", Role::trajectory,
              schedule_.field_every);
    table.add_switch("record-steps", "record the history of the step size", Role::course, p_.record_steps);
  }

  void add_step_control(OptionTable& table) {
    table.group("Method (only --method changes the trajectory)");
    table.add_choice(
        "method", "tile: parallel; bkl and waiting-time: sequential", Role::trajectory, p_.method,
        {{"tile", kmc::Method::tile}, {"bkl", kmc::Method::bkl}, {"waiting-time", kmc::Method::waiting_time}});
    table.add("tile", "N", "side of a tile; 0: the backend's default", Role::course, p_.tile);
    table.add("halo", "N", "width of the halo around a tile; 0: default", Role::course, p_.halo);
    table.add_choice("step-control", "how to treat a step that was too long", Role::course, p_.step_control,
                     {{"repair", kmc::StepControl::repair}, {"reject", kmc::StepControl::reject}});
    const auto has_steps = [this] { return !sequential(); };
    table.add("grow-first", "X", "growth factor of the step until one is too long", Role::course, p_.grow_first);
    table.applies_if(has_steps);
    table.add("grow", "X", "growth factor of the step afterwards", Role::course, p_.grow);
    table.applies_if(has_steps);
    table.add("shrink", "X", "factor of the step after a rejection", Role::course, p_.shrink);
    table.applies_if(has_steps);
    const auto repairs = [this] { return this->repairs(); };
    table.add("relax", "X", "repair: factor of the step after too many repairs", Role::course, p_.relax);
    table.applies_if(repairs);
    table.add("repair-fraction", "X", "repair: largest fraction of repaired tiles in a step; 0: default", Role::course,
              p_.repair_fraction);
    table.applies_if(repairs);
    table.add("repair-halo", "N", "repair: halo of a repaired tile; 0: default", Role::course, p_.repair_halo);
    table.applies_if(repairs);
    table.add("repair-rounds", "N", "repair: rounds before the step is rejected", Role::course, p_.repair_rounds);
    table.applies_if(repairs);
  }

  kmc::Parameters p_;
  processes::GivenModel file_;
  Schedule schedule_;
  double measure_every_events_ = 0;  ///< per site
};

}  // namespace

std::unique_ptr<Method> make_kmc() { return std::make_unique<Kmc>(); }

}  // namespace tessera::program
