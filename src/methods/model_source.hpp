// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tessera/analysis/moments.hpp>
#include <tessera/core/backend.hpp>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/observables/order.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "options/read_options.hpp"
#include "options/text.hpp"
#include "processes/given_model.hpp"
#include "processes/table_model.hpp"

namespace tessera::program {

/// The model of a run: one of the list, kmc::Models, by --model and its parameters, or a file, by --processes and
/// --set.
class ModelSource {
 public:
  processes::GivenModel file;

  /// Adds the options of the model to `table`. These and those of the parameters refer to this object.
  void add_options(OptionTable& table) {
    std::vector<std::pair<std::string, std::size_t>> models;
    for (const kmc::ModelEntry& model : kmc::Models::models) models.emplace_back(model.name, models.size());
    table.add_choice("model", "the model", Role::trajectory, listed_.index, models).without_value_if([this] {
      return from_file();
    });
    file.add_options(table);
  }

  void add_parameters(OptionTable& table) {
    for (const kmc::ModelParameter& parameter : kmc::Models::parameters()) {
      Option& option =
          table.add(parameter.name, parameter.argument, joined(models_with(parameter), ", ") + ": " + parameter.help,
                    Role::trajectory, listed_[parameter.name]);
      option.can_change = !parameter.of_start;
      option.set = [set = option.set](const std::string& text) {
        if (text.find("time") != std::string::npos)
          throw InputError("must be a number; rates that change with time require a model from a file, --processes");
        set(text);
      };
      option.without_value_if([this] { return from_file(); });
      option.applies = [this, &parameter] { return has(parameter); };
    }
  }

  bool from_file() const { return file.given(); }
  /// Of the file.
  const processes::Tables& tables() const { return file.compiled().tables; }
  /// The listed model and its parameters.
  const kmc::ModelChoice& listed() const { return listed_; }

  /// The result of use(model), which is used on the host or also on a device. Requires Kokkos.
  template <class Use>
  auto visit(bool on_device, const Use& use) const {
    if (!from_file()) return kmc::visit_model(listed_, use);
    return processes::visit_table_model(tables(), [&]<class M>(std::type_identity<M>) {
      return use(M(tables(), on_device ? processes::UsedOn::both : processes::UsedOn::host));
    });
  }

  /// The result of use(std::type_identity<M>()), M the type of the model.
  template <class Use>
  auto visit_type(const Use& use) const {
    if (from_file()) return processes::visit_table_model(tables(), use);
    return kmc::visit_model(listed_, [&]<class M>(const M&) { return use(std::type_identity<M>()); });
  }

  /// Throws InputError if a parameter is out of bounds, or the file contains no model for the lattice, or rates do not
  /// exist at a time before `until`, if that is finite and this is known within a second.
  void check(double until) const {
    listed_.check();
    if (from_file()) file.check_start();
    processes::Rates* const rates = from_file() ? tables().changing.get() : nullptr;
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; rates != nullptr && std::isfinite(until) && rates->end(i) < until; ++i)
      if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(1)) break;
  }

  /// The time from which on all rates are constant.
  double last_change() const { return changes_in_time() ? tables().changing->last_change() : 0; }

  /// Options of models without effect in this run; `starts`: the files of --start or --starts.
  std::vector<WithoutEffect> without_effect(const std::vector<std::string>& starts) const {
    const bool phases =
        starts.size() > 1 && std::ranges::count(starts, "ordered") + std::ranges::count(starts, "random") > 0;
    std::vector<WithoutEffect> rows;
    for (const kmc::ModelParameter& parameter : kmc::Models::parameters()) {
      rows.push_back({{parameter.name},
                      !has(parameter),
                      "has no effect; it requires --model " + joined(models_with(parameter), " or ")});
      if (parameter.of_start)  // the phases of lattice gases have a coverage
        rows.push_back({{parameter.name},
                        !starts.empty() && !(phases && std::string_view(parameter.name) == "coverage"),
                        std::string("has no effect: --start") + (phases ? "s" : "") + " gives the states at time 0"});
    }
    rows.push_back({{"model"}, from_file(), "has no effect: --processes gives the model"});
    rows.push_back({{"set", "scale-processes"}, !from_file(), "has no effect; it requires --processes"});
    rows.push_back({{"rate-window"}, !changes_in_time(), "has no effect: no rate changes with time"});
    if (from_file())
      for (const std::string& note : file.notes())
        rows.push_back({{"processes"}, true, note, WithoutEffect::Typed::reported});
    return rows;
  }

  /// Name and parameters, for summaries and plots: "sos, phi = 1".
  std::string title() const {
    if (from_file()) return file.title();
    std::string text(listed_.model().title);
    for (const kmc::ModelParameter& parameter : listed_.model().parameters)
      if (*parameter.symbol != 0 && !parameter.of_start)
        text += std::string(", ") + parameter.symbol + " = " + write_value(listed_[parameter.name]);
    return text;
  }

  /// What readers of an output file need: title, parameters with symbols and units, unit cell; see Method::model().
  Json data(double until) const {
    if (from_file()) return file.data(until);
    Json data{{"title", listed_.model().title}};
    for (const kmc::ModelParameter& one : listed_.model().parameters)
      data["parameters"][one.name] = {{"symbol", one.symbol}, {"unit", one.unit}};
    for (const kmc::ModelParameter& one : kmc::Models::parameters())
      if (!has(one)) data["without_effect"].push_back(one.name);
    const std::string cell = kmc::visit_model(listed_, [](const auto& model) { return kmc::cell_of(model); });
    if (!cell.empty()) data.update(Json::parse(cell));
    return data;
  }

  /// Observables with their units, "energy (J)".
  std::vector<std::string> observables() const {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name, const std::string& unit) {
      names.push_back(unit.empty() ? name : name + " (" + unit + ")");
    };
    const auto add_all = [&](const auto& all, const auto& name) {
      for (const auto& one : all) names.emplace_back(name(one));
    };
    const auto density = [](const kmc::ClusterKind& kind) { return kind.density; };
    if (from_file()) {
      names = tables().observables;
      if (tables().energy_unit > 0) names.back() += " (eV)";
      add_all(tables().clusters, density);
      names.emplace_back("events");
      add_all(tables().counted, [](const kmc::CountedEvents& one) { return one.name; });
      return names;
    }
    kmc::visit_model(listed_, [&]<class M>(const M& model) {
      if constexpr (requires { M::state_is_height; })
        for (const Observable& one : analysis::height_observables(kmc::state_unit_of<M>(), {}, {}))
          add(one.name, one.unit);
      for (const kmc::NamedObservable& one : kmc::named_observables(model)) add(one.name, one.unit);
      if constexpr (kmc::has_order<M>)
        for (const Observable& one : kmc::order_observables<M>(std::vector<Observable>(1))) add(one.name, one.unit);
      if constexpr (kmc::has_clusters<M>) add_all(model.clusters(), density);
      names.emplace_back("events");
      if constexpr (requires { M::counted; }) add_all(M::counted, [](const char* name) { return name; });
    });
    return names;
  }

  /// Part of the help after the options: the list of models, or details of the model if one is `chosen`.
  std::string help(bool chosen) const {
    if (chosen) {
      const std::string parameters = joined(file.adjustable(), ", ");
      return (parameters.empty() ? "" : "Adjustable parameters, for --set:\n  " + filled(parameters, 2, 2) + "\n") +
             "Observables:\n  " + filled(joined(observables(), ", "), 2, 2) + "\n";
    }
    std::string text = "Models and their options (described by tessera kmc --model NAME --help):\n";
    for (const kmc::ModelEntry& model : kmc::Models::models) {
      const auto option = [](const kmc::ModelParameter& one) { return std::string("--") + one.name; };
      text += help_line(std::string(model.name),
                        std::string(model.title) + ": " + joined(model.parameters, ", ", option), 16);
    }
    return text;
  }

  /// Reach of its events, and whether both sides of the lattice must be even.
  kmc::EventReach reach() const {
    kmc::EventReach reach = visit_type([]<class M>(std::type_identity<M>) { return kmc::event_reach<M>; });
    if (!from_file()) return reach;
    reach.least_side = tables().smallest_side;
    reach.reach = tables().largest_reach();
    reach.sums = tables().kept_sums();
    return reach;
  }
  bool even_sides() const {
    return visit_type([]<class M>(std::type_identity<M>) { return kmc::needs_even_sides<M>(); });
  }

  /// Number of groups of events that are counted.
  int groups() const {
    if (from_file()) return static_cast<int>(file.compiled().processes.size());
    return kmc::visit_model(listed_, [](const auto& model) { return kmc::groups_of(model); });
  }

  /// Memory of the tables of a file.
  MemoryNeeded memory() const {
    if (!from_file()) return {};
    const std::size_t bytes = tables().bytes();
    // One copy is for simulations on the host; outcomes are stored in the form of the file's model, too.
    return {2 * bytes + tables().outcomes.size() * sizeof(processes::Outcome), bytes};
  }

 private:
  bool changes_in_time() const { return from_file() && tables().changing != nullptr; }
  /// Names of the models that have a parameter.
  static std::vector<std::string> models_with(const kmc::ModelParameter& parameter) {
    std::vector<std::string> names;
    for (const kmc::ModelEntry& model : kmc::Models::models)
      if (model.takes(parameter.name)) names.emplace_back(model.name);
    return names;
  }
  bool has(const kmc::ModelParameter& parameter) const { return !from_file() && listed_.model().takes(parameter.name); }

  kmc::ModelChoice listed_;
};

}  // namespace tessera::program
