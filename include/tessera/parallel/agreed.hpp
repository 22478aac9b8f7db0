// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_zero.hpp>

/// Failures of one rank become failures of all ranks, so that none waits for ever.
namespace tessera::parallel {

/// All: returns if no rank has a failure. Otherwise throws the first rank's failure at all ranks, as InputError if it
/// is one, else as RunError. `name` is put before the message of this rank: "rank 2: ".
inline void agree_on_failure(const Communicator& ranks, const std::exception_ptr& mine, const std::string& name = "") {
  const auto first = static_cast<int>(ranks.min(std::int64_t{mine ? ranks.rank() : ranks.size()}));
  if (first == ranks.size()) return;
  std::string message = first == ranks.rank() ? text_of_failure(mine, name) : "";
  share_text(ranks, message, first);
  throw_failure(message);
}

/// Whether a rank can report this failure to the others: InputError or RunError.
inline bool can_be_agreed(const std::exception& failure) {
  return dynamic_cast<const InputError*>(&failure) != nullptr || dynamic_cast<const RunError*>(&failure) != nullptr;
}

/// The InputError or RunError that work() throws, or null. Other exceptions are not caught.
template <class Work>
std::exception_ptr failure_of(const Work& work) {
  try {
    work();
  } catch (const std::exception& error) {
    if (!can_be_agreed(error)) throw;
    return std::current_exception();
  }
  return nullptr;
}

/// All: each rank calls work(). If that throws InputError or RunError at some, all throw as agree_on_failure() does.
template <class Work>
void agreed(const Communicator& ranks, const std::string& name, const Work& work) {
  agree_on_failure(ranks, failure_of(work), name);
}

}  // namespace tessera::parallel
