// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/io/checkpoint.hpp>
#include <tessera/parallel/communicator.hpp>
#include <type_traits>

/// Work that rank 0, which has the files, does for all ranks; and failures of one rank, which become those of all.
namespace tessera::parallel {

/// All: sets `text` to that of rank `from`.
inline void share_text(const Communicator& ranks, std::string& text, int from = 0) {
  text.resize(ranks.broadcast(text.size(), from));
  ranks.broadcast(std::as_writable_bytes(std::span(text)), from);
}

/// A failure as text, for other ranks: whether it is an InputError, and its message after `name`.
inline std::string text_of_failure(const std::exception_ptr& failure, const std::string& name = "") {
  try {
    std::rethrow_exception(failure);
  } catch (const InputError& error) {
    return "i" + name + error.what();
  } catch (const std::exception& error) {
    return "r" + name + error.what();
  }
}
/// Throws InputError or RunError.
[[noreturn]] inline void throw_failure(const std::string& text) {
  if (text.front() == 'i') throw InputError(text.substr(1));
  throw RunError(text.substr(1));
}

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

/// All: rank 0 calls work(call_all), in which call_all(first, count) makes all ranks call at_all(first, count), rank 0
/// included; or both without arguments. Returns at all ranks when work() has. An exception of work() is thrown at all
/// ranks, at the others as InputError or RunError, so that none waits for ever.
template <class Work, class AtAll>
void at_rank_zero(const Communicator& ranks, const Work& work, const AtAll& at_all) {
  if (ranks.size() == 1) return work(at_all);
  enum Kind : std::int64_t { call, done, failed };
  struct Message {
    std::int64_t kind;
    std::array<std::size_t, 2> arguments;
  };
  if (ranks.rank() != 0) {
    Message message{};
    while ((message = ranks.broadcast(message)).kind == call)
      if constexpr (std::is_invocable_v<AtAll>)
        at_all();
      else
        at_all(message.arguments[0], message.arguments[1]);
    if (message.kind == done) return;
    std::string failure;
    share_text(ranks, failure);
    throw_failure(failure);
  }
  try {
    work([&](auto... arguments) {
      ranks.broadcast(Message{call, {arguments...}});
      at_all(arguments...);
    });
  } catch (const std::exception&) {
    std::string failure = text_of_failure(std::current_exception());
    ranks.broadcast(Message{failed, {}});
    share_text(ranks, failure);
    throw;
  }
  ranks.broadcast(Message{done, {}});
}

/// All: the same for work() that no other rank takes part in.
template <class Work>
void at_rank_zero(const Communicator& ranks, const Work& work) {
  at_rank_zero(
      ranks, [&](const auto&) { work(); }, [] {});
}

/// All: returns the result of read() at rank 0.
template <class Read>
std::string text_of_rank_zero(const Communicator& ranks, const Read& read) {
  std::string text;
  at_rank_zero(ranks, [&] { text = read(); });
  share_text(ranks, text);
  return text;
}

/// All: rank 0 calls write(content) for an array with elements of `element` bytes, which it reads part by part: that
/// makes all ranks call gather(first, count, to), which writes bytes number `first` and up to `to` at rank 0.
template <class Write, class Gather>
void write_gathered(const Communicator& ranks, std::size_t element, const Write& write, const Gather& gather) {
  std::span<std::byte> to;
  at_rank_zero(
      ranks,
      [&](const auto& call_all) {
        write(io::Content{nullptr, [&](std::size_t first, std::size_t count, void* elements) {
                            to = {static_cast<std::byte*>(elements), count * element};
                            call_all(first * element, to.size());
                          }});
      },
      [&](std::size_t first, std::size_t count) { gather(first, count, to); });
}

/// Largest number of bytes per message.
inline constexpr std::size_t bytes_at_once = std::size_t{64} << 20;

}  // namespace tessera::parallel
