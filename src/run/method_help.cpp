// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/method_help.hpp"

#include "options/read_options.hpp"
#include "run/bound_method.hpp"

namespace tessera::program {

std::string method_help(const MethodEntry& entry, const std::vector<std::string>& words) {
  BoundMethod bound(entry);
  const bool all = words == std::vector<std::string>{"all"};
  const bool chosen = !all && !words.empty();
  if (chosen) read_options(words, entry.name, bound.table, bound.run, {});
  const auto shown = [&](const Option& option) { return all || !option.applies || (chosen && option.applies()); };
  return "tessera " + entry.name + " [--config FILE] [options]: " + entry.summary + "\n" + bound.table.help(shown) +
         (all ? "" : bound.method->help_of_models(chosen));
}

}  // namespace tessera::program
