// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <cstddef>
#include <string>

#include "options/number_text.hpp"
#include "options/value_text.hpp"
#include "processes/compile.hpp"
#include "processes/terms.hpp"

namespace tessera::processes {
namespace {

std::string names_of(const ModelFile& model, SpeciesSet set) {
  std::string text;
  for (std::size_t i = 0; i < model.species.size(); ++i)
    if ((set >> i & 1u) != 0) text += (text.empty() ? "" : " or ") + model.species[i];
  return text;
}

std::string site_text(const ModelFile& model, const LatticeSite& at) {
  const std::string offset =
      at.dx == 0 && at.dy == 0 ? "" : ".(" + std::to_string(at.dx) + "," + std::to_string(at.dy) + ")";
  return "@" + model.sites[at.site].name + offset;
}

/// "CO@a + O@a.(1,0)".
std::string conditions_text(const ModelFile& model, const Process& process) {
  std::string text;
  for (const Condition& one : process.conditions)
    text += (text.empty() ? "" : " + ") + names_of(model, one.species) + site_text(model, one.at);
  return text;
}
std::string actions_text(const ModelFile& model, const Process& process) {
  std::string text;
  for (const Action& one : process.actions)
    text += (text.empty() ? "" : " + ") + model.species[one.species] + site_text(model, one.at);
  return text;
}
std::string orientations_text(const Process& process, std::size_t copies) {
  return process.orientations > 1 ? ", " + std::to_string(copies) + " orientations" : "";
}

}  // namespace

std::string description(const ModelFile& model, const CompiledModel& compiled) {
  std::string text;
  for (std::size_t i = 0; i < model.species.size(); ++i)
    if (!model.colours[i].empty()) text += "species " + model.species[i] + ": " + model.colours[i] + "\n";
  for (std::size_t site = 0; site < model.sites.size(); ++site) {
    std::string species;
    for (const std::size_t one : compiled.digits[site].species)
      species += (species.empty() ? "" : ", ") + model.species[one];
    text += "site " + model.sites[site].name + ": " + species + "\n";
  }
  text += "cell";
  for (const auto& side : model.cell)
    for (const double coordinate : side) text += " " + program::write_value(coordinate);
  text += "\n";
  for (std::size_t i = 0; i < model.parameters.size(); ++i)
    text += "parameter " + model.parameters[i].name + " = " + program::write_value(compiled.parameters[i]) +
            (model.parameters[i].adjustable ? ", adjustable" : "") + "\n";
  for (const Compiled& one : compiled.processes) {
    const Process& process = model.processes[one.number];
    text += "process " + process.name + ": " + conditions_text(model, process) + " -> " + actions_text(model, process) +
            ", rate " + program::write_value(one.rate);
    if (!process.otf_rate.text.empty())
      text += " with a factor that depends on " + std::to_string(process.bystanders.size()) + " bystanders";
    text += orientations_text(process, one.copies.size());
    for (const auto& [name, count] : process.tof_count)
      text += ", " + program::write_value(count) + " for turnover_" + name;
    text += one.possible ? "\n" : "; can never happen: no process produces the species of its conditions\n";
  }
  for (const Process& process : model.processes)
    if (!process.enabled) text += "process " + process.name + ": is not enabled\n";
  for (std::size_t i = 0; i < model.configurations.size(); ++i)
    text += "configuration " + model.configurations[i].name + ": " + conditions_text(model, model.configurations[i]) +
            orientations_text(model.configurations[i], compiled.configurations[i].size()) + "\n";
  const Tables& tables = compiled.tables;
  return text + "rates depend on a cell and at most " + std::to_string(tables.neighbours) + " neighbours\n" +
         std::to_string(tables.states) + " states of a unit cell, " + std::to_string(tables.rate.size()) +
         " neighbourhoods, " + std::to_string(tables.outcomes.size()) + " outcomes: tables of " +
         program::short_bytes(static_cast<double>(tables.bytes())) + "\n";
}

}  // namespace tessera::processes
