// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "results.hpp"
#include "targets.hpp"

namespace tessera::perf {

/// What the figures were measured on and with: names and values.
using Context = std::vector<std::pair<std::string, std::string>>;

/// The table of results, and of targets if there are any, in Markdown.
void write_markdown(std::ostream& out, const Context& context, const std::vector<Result>& results,
                    const std::vector<Verdict>& verdicts);

/// The same as one JSON object: context, results, targets.
void write_json(std::ostream& out, const Context& context, const std::vector<Result>& results,
                const std::vector<Verdict>& verdicts);

}  // namespace tessera::perf
