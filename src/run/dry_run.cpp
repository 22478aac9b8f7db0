// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/dry_run.hpp"

#include <cmath>
#include <cstdint>
#include <sstream>

#include "options/number_text.hpp"
#include "run/json.hpp"

namespace tessera::program {
namespace {

std::string as_comments(const std::string& text) {
  std::string comments;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) comments += "# " + line + "\n";
  return comments;
}

std::string of_available(std::size_t needed, const std::optional<std::size_t>& available, const std::string& where) {
  return short_bytes(static_cast<double>(needed)) + " of " + where + " memory" +
         (available ? ", of which " + short_bytes(static_cast<double>(*available)) + " are available" : "");
}

std::string memory_text(const DryRun& dry) {
  if (dry.backend != Backend::cuda)
    return of_available(dry.memory.host + dry.memory.device, dry.available.host, "host") + "\n";
  return of_available(dry.memory.device, dry.available.device, "device") + "; " +
         of_available(dry.memory.host, dry.available.host, "host") + "\n";
}

std::string cost_text(const CostEstimate& cost, const std::string& rate_unit) {
  const auto whole = [](double number, const std::string& noun) {
    return number < 1e15 ? counted(static_cast<long long>(number), noun) : short_number(number) + " " + noun + "s";
  };
  std::string text = "file: at most " + short_bytes(cost.file_bytes) + ", with " +
                     whole(cost.measurements, "measurement") + ", " + whole(cost.fields, "field") +
                     " and a checkpoint of " + short_bytes(cost.checkpoint_bytes) + "\n";
  if (std::isfinite(cost.absorbed_at))
    text += "no event is possible any more after time " + short_number(cost.absorbed_at) + "\n";
  const std::string basis =
      short_number(cost.rate) + " " + rate_unit + ", measured over " + short_duration(cost.measured) + "\n";
  return text + (cost.reaches_its_goal ? "cost: about " + short_duration(cost.seconds) + " here, at " + basis
                                       : "cost: too long to estimate, at " + basis);
}

}  // namespace

std::string text_of(const DryRun& dry) {
  return as_comments(dry.start) + dry.input +
         as_comments(dry.description + (dry.ranks > 1 ? "memory of rank 0, which needs the most: " : "memory: ") +
                     memory_text(dry) +
                     (dry.started ? cost_text(dry.cost, dry.rate_unit)
                                  : "cost: unknown, because the start alone takes longer than a dry run\n") +
                     "nothing was written\n");
}

std::string json_of(const DryRun& dry) {
  JsonObject object;
  object.add("dry_run", true)
      .add("backend", backend_name(dry.backend))
      .add("input", dry.input)
      .add("description", dry.description)
      .add("host_memory", static_cast<std::uint64_t>(dry.memory.host))
      .add("device_memory", static_cast<std::uint64_t>(dry.memory.device));
  if (dry.started)
    object.add("file_bytes", dry.cost.file_bytes)
        .add("seconds", dry.cost.seconds)
        .add("estimate_seconds", dry.cost.spent)
        .add("rate", dry.cost.rate)
        .add("rate_unit", dry.rate_unit);
  if (dry.started && std::isfinite(dry.cost.absorbed_at)) object.add("absorbed_at", dry.cost.absorbed_at);
  return object.text() + "\n";
}

}  // namespace tessera::program
