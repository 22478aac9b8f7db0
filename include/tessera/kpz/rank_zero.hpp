// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/parallel/communicator.hpp>
#include <vector>

/// What one rank, the one with the file, does for all.
namespace tessera::kpz {

/// All ranks: rank 0 calls work(ask), in which each ask(first, count) has all ranks call serve(first, count), rank 0 as
/// well. Returns everywhere when the work is done. What it throws is thrown at all ranks, so that none waits for ever; at
/// the others as InputError or RunError.
template <class Work, class Serve>
void at_rank_zero(const parallel::Communicator& ranks, const Work& work, const Serve& serve) {
  enum Kind : std::int64_t { request, done, input_error, run_error };
  struct Message {
    std::int64_t kind;
    std::uint64_t first, count;
  };
  const auto ask = [&](std::size_t first, std::size_t count) {
    ranks.broadcast(Message{request, first, count});
    serve(first, count);
  };
  if (ranks.size() == 1) return work(serve);
  if (ranks.rank() == 0) {
    const auto tell = [&](Kind kind, const std::string& text) {
      ranks.broadcast(Message{kind, 0, text.size()});
      std::string bytes = text;
      ranks.broadcast(std::as_writable_bytes(std::span(bytes)));
    };
    try {
      work(ask);
    } catch (const InputError& error) {
      tell(input_error, error.what());
      throw;
    } catch (const std::exception& error) {
      tell(run_error, error.what());
      throw;
    }
    return tell(done, {});
  }
  for (;;) {
    const Message message = ranks.broadcast(Message{});
    if (message.kind == request) {
      serve(message.first, message.count);
      continue;
    }
    std::string text(message.count, ' ');
    ranks.broadcast(std::as_writable_bytes(std::span(text)));
    if (message.kind == input_error) throw InputError(text);
    if (message.kind == run_error) throw RunError(text);
    return;
  }
}

/// The same of work that needs nothing of the other ranks.
template <class Work>
void at_rank_zero(const parallel::Communicator& ranks, const Work& work) {
  at_rank_zero(ranks, [&](const auto&) { work(); }, [](std::size_t, std::size_t) {});
}

/// All ranks: writes an array that is the same at all of them; the archive is rank 0's.
template <class Archive, class T>
void save_array(Archive& archive, const std::string& name, std::span<T> values, const std::vector<std::size_t>& shape,
                const std::string& unit, const parallel::Communicator& ranks) {
  at_rank_zero(ranks, [&] { archive.array(name, std::span<const T>(values), shape, unit); });
}
/// All ranks: reads one, for all.
template <class Archive, class T>
void load_array(const Archive& archive, const std::string& name, std::span<T> values,
                const std::vector<std::size_t>& shape, const parallel::Communicator& ranks) {
  at_rank_zero(ranks, [&] { archive.array(name, values, shape); });
  ranks.broadcast(std::as_writable_bytes(values));
}

}  // namespace tessera::kpz
