// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/parallel/communicator.hpp>
#include <vector>

/// What one rank, the one with the files, does for all.
namespace tessera::disks {

/// All ranks: rank 0 calls work(). What it throws is thrown at all ranks, so that none waits for ever.
template <class Work>
void at_rank_zero(const parallel::Communicator& ranks, const Work& work) {
  if (ranks.size() == 1) return work();
  enum Kind : std::int64_t { done, input_error, run_error, other_error };
  struct End {
    std::int64_t kind;
    std::uint64_t length;
  };
  const auto tell = [&](Kind kind, const std::string& text) {
    ranks.broadcast(End{kind, text.size()});
    std::string bytes = text;
    ranks.broadcast(std::as_writable_bytes(std::span(bytes)));
  };
  if (ranks.rank() == 0) {
    try {
      work();
    } catch (const InputError& error) {
      tell(input_error, error.what());
      throw;
    } catch (const RunError& error) {
      tell(run_error, error.what());
      throw;
    } catch (const std::exception& error) {
      tell(other_error, error.what());
      throw;
    }
    return tell(done, {});
  }
  const End end = ranks.broadcast(End{});
  std::string text(end.length, ' ');
  ranks.broadcast(std::as_writable_bytes(std::span(text)));
  if (end.kind == input_error) throw InputError(text);
  if (end.kind == run_error) throw RunError(text);
  if (end.kind == other_error) throw std::runtime_error(text);
}

/// Calls what(bytes) for parts of `values` of at most 64 MiB, in order: what travels between ranks at once.
template <class T, class What>
void in_parts(std::span<T> values, const What& what) {
  constexpr std::size_t most = (std::size_t{64} << 20) / sizeof(T);
  for (std::size_t first = 0; first < values.size(); first += most)
    what(values.subspan(first, std::min(most, values.size() - first)));
}

/// All ranks: gives what rank 0 has to the others, which have room for as much.
template <class T>
void share(const parallel::Communicator& ranks, std::span<T> values) {
  in_parts(values, [&](std::span<T> part) { ranks.broadcast(std::as_writable_bytes(part)); });
}

/// An archive of rank 0 for all ranks, which call the same functions: what is written is the same at all of them, and
/// all get what is read.
template <class Archive>
class SharedArchive {
 public:
  SharedArchive(Archive& archive, const parallel::Communicator& ranks) : archive_(archive), ranks_(ranks) {}

  template <class Values>
  void array(const std::string& name, const Values& values, const std::vector<std::size_t>& shape,
             const std::string& unit) const {
    at_rank_zero(ranks_, [&] { archive_.array(name, values, shape, unit); });
  }
  template <class Values>
  void array(const std::string& name, Values& values, const std::vector<std::size_t>& shape) const {
    at_rank_zero(ranks_, [&] { archive_.array(name, values, shape); });
    share(ranks_, std::span(values));
  }

 private:
  Archive& archive_;
  parallel::Communicator ranks_;
};

}  // namespace tessera::disks
