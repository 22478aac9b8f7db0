// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/without_effect.hpp"

#include <algorithm>
#include <tessera/core/error.hpp>

namespace tessera::program {

std::vector<std::string> check_effects(const std::vector<WithoutEffect>& rows, const std::vector<GivenWord>& given,
                                       const OptionTable& table) {
  std::vector<std::string> messages;
  for (const auto& row : rows) {
    if (!row.now) continue;
    for (const auto& word : given) {
      if (std::find(row.options.begin(), row.options.end(), word.key) == row.options.end()) continue;
      const Option& option = *table.find(word.key);
      if (!word.typed && option.text() == option.initial) continue;
      const std::string message = word.where + ": " + row.reason;
      if (word.typed && row.typed == WithoutEffect::Typed::refused) throw InputError(message);
      messages.push_back(message);
    }
  }
  return messages;
}

}  // namespace tessera::program
