// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <limits.h>

#include <cerrno>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace tessera {

/// Invalid input: an option, an input file, or a file to restart from. The message is one line with the place, the
/// error and a valid alternative. The program prints it and exits with status 2; no output is written.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Failure of a run with valid input, such as a full disk. The program prints the message and exits with status 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

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

/// The result of work(). If it throws an InputError, the message gets this prefix.
template <class Work>
auto with_prefix(const std::string& prefix, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw InputError(prefix + error.what());
  }
}

/// The parameters, if validate() of their method does not refuse them.
template <class Parameters, class... Limits>
const Parameters& checked(const Parameters& p, const Limits&... limits) {
  validate(p, limits...);
  return p;
}

/// The system's message for an `errno`, such as "No space left on device", with the limits if a name is too long.
inline std::string system_reason(int error) {
  std::string reason = std::generic_category().message(error);
  if (error == ENAMETOOLONG)
    reason +=
        " (a name has up to " + std::to_string(NAME_MAX) + " bytes, a path up to " + std::to_string(PATH_MAX - 1) + ")";
  return reason;
}

}  // namespace tessera
