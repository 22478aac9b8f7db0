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

/// Work that one rank, the one with the files, does for all ranks.
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
      if constexpr (std::is_invocable_v<AtAll>) {
        at_all();
      } else {
        at_all(message.arguments[0], message.arguments[1]);
      }
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

/// All: rank 0 calls write(parts), where parts(first, span) reads a part of an array: it makes all ranks call
/// gather(first, count, to), which writes the elements to `to` at rank 0.
template <class T, class Write, class Gather>
void write_gathered(const Communicator& ranks, const Write& write, const Gather& gather) {
  std::span<T> to;
  at_rank_zero(
      ranks,
      [&](const auto& call_all) {
        write(io::Parts<T>([&](std::size_t first, std::span<T> part) {
          to = part;
          call_all(first, part.size());
        }));
      },
      [&](std::size_t first, std::size_t count) { gather(first, count, to); });
}

/// Largest number of bytes per message.
inline constexpr std::size_t bytes_at_once = std::size_t{64} << 20;

/// All: copies the values of rank 0 to the other ranks, whose ranges have the same size.
template <class T>
void share(const Communicator& ranks, std::span<T> values) {
  ranks.broadcast(std::as_writable_bytes(values));
}

}  // namespace tessera::parallel
