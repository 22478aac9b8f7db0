// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <cmath>

#include "options/text.hpp"
#include "processes/compile.hpp"

namespace tessera::processes {
namespace {

std::string species_of(const ModelFile& model, const Condition& condition) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.species.size(); ++i)
    if (has(condition.species, i)) names.push_back(model.species[i]);
  return program::joined(names, " or ");
}
std::string species_of(const ModelFile& model, const Action& action) { return model.species[action.species]; }

/// "CO@a + O@a.(1,0)".
template <class Terms>
std::string terms_text(const ModelFile& model, const Terms& terms) {
  std::string text;
  for (const auto& one : terms) {
    text += (text.empty() ? "" : " + ") + species_of(model, one) + "@" + model.sites[one.at.site].name;
    if (!one.at.is_in_cell()) text += "." + one.at.offset(model.in_space);
  }
  return text;
}
std::string orientations_text(const Process& process, std::ptrdiff_t copies) {
  return process.orientations > 1 ? ", " + std::to_string(copies) + " orientations" : "";
}

}  // namespace

program::Json cell_data(const ModelFile& model, const CompiledModel& compiled) {
  program::Json data{{"cell", model.cell}, {"sites", program::Json::array()}};
  for (std::size_t i = 0; i < model.sites.size(); ++i) {
    program::Json& site = data["sites"].emplace_back();
    site = {{"name", model.sites[i].name}, {"position", model.sites[i].position}};
    for (const std::size_t species : compiled.digits[i].species) site["species"].push_back(model.species[species]);
    if (compiled.tables.states == 0) site["base"] = compiled.digits[i].base;
  }
  return data;
}

std::vector<kmc::TrackedSpecies> tracked_species(const Tables& all, const std::vector<std::string>& names) {
  std::vector<kmc::TrackedSpecies> tracked;
  const auto cell = program::Json::parse(all.cell);
  for (const std::string& species : names) {
    kmc::TrackedSpecies& one = tracked.emplace_back();
    one.name = species;
    one.sides = cell["cell"];
    if (!all.in_space) one.sides[2] = {};
    for (std::size_t i = 0; i < cell["sites"].size(); ++i) {
      const auto& site = cell["sites"][i];
      const std::vector<std::string> on_it = site["species"];
      const auto found = std::ranges::find(on_it, species);
      if (found != on_it.end())
        one.sites.push_back(
            {all.digits[i].weight, all.digits[i].base, static_cast<int>(found - on_it.begin()), site["position"]});
    }
  }
  return tracked;
}

program::Json model_data(const ModelFile& model, const CompiledModel& compiled) {
  program::Json data = cell_data(model, compiled);
  for (std::size_t i = 0; i < model.species.size(); ++i)
    if (!model.colours[i].empty()) data["colours"][model.species[i]] = model.colours[i];
  for (const Compiled& one : compiled.processes) {
    program::Json& its = data["processes"].emplace_back();
    its = {{"name", one.name}, {"step", one.step}, {"possible", one.possible}};
    if (one.reverse) its["reverse"] = compiled.processes[*one.reverse].name;
    for (const Condition& condition : one.conditions) its["sites"].push_back(model.sites[condition.at.site].name);
  }
  return data;
}

std::string description(const ModelFile& model, const CompiledModel& compiled) {
  std::string text;
  const std::string at_begin = " at time " + program::write_value(compiled.begin);
  for (std::size_t i = 0; i < model.species.size(); ++i)
    if (!model.colours[i].empty()) text += "species " + model.species[i] + ": " + model.colours[i] + "\n";
  for (std::size_t i = 0; i < model.sites.size(); ++i)
    text += "site " + model.sites[i].name + ": " +
            program::joined(compiled.digits[i].species, ", ", [&](std::size_t one) { return model.species[one]; }) +
            "\n";
  for (std::size_t i = 0; i < model.parameters.size(); ++i)
    text += "parameter " + model.parameters[i].name +
            (std::isnan(compiled.parameters[i].value) ? ": no number, and not used"
                                                      : " = " + program::write_value(compiled.parameters[i].value)) +
            (compiled.parameters[i].until > 0 ? at_begin + ", " + compiled.expressions[i] : "") +
            (model.parameters[i].adjustable ? ", adjustable" : "") + "\n";
  for (std::size_t i = 0; i < compiled.processes.size(); ++i) {
    const Compiled& one = compiled.processes[i];
    text += "process " + one.name + ": " + terms_text(model, one.conditions) + " -> " + terms_text(model, one.actions) +
            ", rate " + program::write_value(one.rate.value) + (one.rate.until > 0 ? at_begin : "");
    if (!one.otf_rate.text.empty() && (one.energy.text.empty() || !one.bystanders.empty()))
      text += " with a factor that depends on " + std::to_string(one.bystanders.size()) + " bystanders";
    if (!one.energy.text.empty()) text += ", barrier " + one.energy.text + " eV";
    text += orientations_text(one, std::ranges::ssize(one.copies));
    if (one.scale != 1) text += ", multiplied by " + program::write_value(one.scale);
    if (one.step != one.name) text += ", step " + one.step;
    if (one.reverse && *one.reverse != i) text += ", reverse of " + compiled.processes[*one.reverse].name;
    for (const auto& [name, count] : one.tof_count)
      text += ", " + program::write_value(count) + " for turnover_" + name;
    text += one.possible ? "\n" : "; can never happen: no process produces the species of its conditions\n";
  }
  for (const Process& process : model.processes)
    if (!process.enabled) text += "process " + process.name + ": is not enabled\n";
  const auto add = [&](const std::string& kind, const Process& its, std::ptrdiff_t copies,
                       const std::string& more = "") {
    text += kind + its.name + ": " + terms_text(model, its.conditions) + more + orientations_text(its, copies) + "\n";
  };
  for (const Process& cluster : model.energies) {
    const auto copies = std::ranges::equal_range(compiled.energies.clusters, cluster.line, {}, &Process::line);
    const double units = static_cast<double>(copies.front().change.patterns.front().weight);
    add("cluster ", cluster, std::ranges::ssize(copies),
        ", " + program::write_value(std::round(units * compiled.energies.unit * 1e9) / 1e9) + " eV");
  }
  for (std::size_t i = 0; i < model.configurations.size(); ++i)
    add("configuration ", model.configurations[i], std::ranges::ssize(compiled.configurations[i]));
  for (const Process& molecules : model.molecules) add("molecules ", molecules, 1);
  const Tables& tables = compiled.tables;
  for (std::size_t i = 0; i < model.clusters.size(); ++i)
    text += "clusters " + model.clusters[i].name + ": " + terms_text(model, model.clusters[i].members) + ", " +
            std::to_string(tables.clusters[i].links.size()) + " pairs of neighbours, at least " +
            std::to_string(model.clusters[i].least) + " sites\n";
  double states = 1;
  for (const Digit& digit : compiled.digits) states *= static_cast<double>(digit.species.size());
  text += tables.reads == 0
              ? "rates depend on a cell and at most " + std::to_string(tables.neighbours) + " neighbours\n"
              : "rates are sums over " + program::counted(static_cast<long long>(tables.groups.size()), "group") +
                    " of processes, which depend on cells at most " + std::to_string(tables.reads) + " away\n";
  return text + program::short_number(states) + " states of a unit cell, " + std::to_string(tables.rate.size()) +
         " neighbourhoods, " + std::to_string(tables.outcomes.size()) + " outcomes: tables of " +
         program::short_bytes(static_cast<double>(tables.bytes())) + "\n";
}

}  // namespace tessera::processes
