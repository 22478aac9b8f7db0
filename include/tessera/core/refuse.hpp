// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <sstream>
#include <string>
#include <tessera/core/error.hpp>

namespace tessera {

/// Throws InputError about the value of an option, "--key value: allowed", with texts and numbers that are allowed.
template <class Value, class... Allowed>
[[noreturn]] void refuse(const std::string& key, const Value& value, const Allowed&... allowed) {
  std::ostringstream message;
  message << "--" << key << " " << value << ": ";
  (message << ... << allowed);
  throw InputError(message.str());
}

/// Throws InputError about an entry of a checkpoint; `what` is the condition that it violates.
[[noreturn]] inline void refuse_loaded(const std::string& entry, const std::string& what) {
  throw InputError("invalid checkpoint entry '" + entry + "': " + what);
}

/// The parameters, if validate() of their method does not refuse them.
template <class Parameters, class... Limits>
const Parameters& checked(const Parameters& p, const Limits&... limits) {
  validate(p, limits...);
  return p;
}

}  // namespace tessera
