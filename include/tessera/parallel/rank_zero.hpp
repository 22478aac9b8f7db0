// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/io/checkpoint.hpp>
#include <tessera/parallel/communicator.hpp>
#include <vector>

/// Work that one rank, the one with the files, does for all ranks.
namespace tessera::parallel {

/// All: sets `text` to that of rank 0.
inline void share_text(const Communicator& ranks, std::string& text) {
  text.resize(ranks.broadcast(text.size()));
  ranks.broadcast(std::as_writable_bytes(std::span(text)));
}

/// All: rank 0 calls work(ask). Each ask(first, count) calls serve(first, count) at all ranks, rank 0 included. Returns
/// at all ranks when the work is done. An exception of work() is thrown at all ranks, at the others as InputError or
/// RunError, so that none waits for ever.
template <class Work, class Serve>
void at_rank_zero(const Communicator& ranks, const Work& work, const Serve& serve) {
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
    const auto refuse = [&](Kind kind, std::string text) {
      ranks.broadcast(Message{kind, 0, 0});
      share_text(ranks, text);
    };
    try {
      work(ask);
    } catch (const InputError& error) {
      refuse(input_error, error.what());
      throw;
    } catch (const std::exception& error) {
      refuse(run_error, error.what());
      throw;
    }
    ranks.broadcast(Message{done, 0, 0});
    return;
  }
  for (;;) {
    const Message message = ranks.broadcast(Message{});
    if (message.kind == request) {
      serve(message.first, message.count);
      continue;
    }
    if (message.kind == done) return;
    std::string text;
    share_text(ranks, text);
    if (message.kind == input_error) throw InputError(text);
    throw RunError(text);
  }
}

/// The same for work() without arguments, which needs no other rank.
template <class Work>
void at_rank_zero(const Communicator& ranks, const Work& work) {
  at_rank_zero(
      ranks, [&](const auto&) { work(); }, [](std::size_t, std::size_t) {});
}

/// All: returns the result of read() at rank 0.
template <class Read>
std::string text_of_rank_zero(const Communicator& ranks, const Read& read) {
  std::string text;
  at_rank_zero(ranks, [&] { text = read(); });
  share_text(ranks, text);
  return text;
}

/// All: writes an array to rank 0's archive, part by part. gather(first, count, to), called by all ranks, writes
/// elements to `to` at rank 0.
template <class T, class Gather>
void save_gathered(const Communicator& ranks, io::CheckpointWriter& archive, const std::string& name,
                   const std::vector<std::size_t>& shape, const std::string& unit, const Gather& gather) {
  std::span<T> to;
  at_rank_zero(
      ranks,
      [&](const auto& ask) {
        const auto parts = [&](std::size_t first, std::span<T> part) {
          to = part;
          ask(first, part.size());
        };
        archive.array_in_parts<T>(name, parts, shape, unit);
      },
      [&](std::size_t first, std::size_t count) { gather(first, count, to); });
}

/// Largest number of bytes per message.
inline constexpr std::size_t bytes_at_once = std::size_t{64} << 20;

/// Calls what(part) for consecutive parts of `values` of this size.
template <class T, class What>
void in_parts(std::span<T> values, const What& what) {
  constexpr std::size_t most = bytes_at_once / sizeof(T);
  for (std::size_t first = 0; first < values.size(); first += most)
    what(values.subspan(first, std::min(most, values.size() - first)));
}

/// All: copies the values of rank 0 to the other ranks, whose ranges have the same size.
template <class T>
void share(const Communicator& ranks, std::span<T> values) {
  in_parts(values, [&](std::span<T> part) { ranks.broadcast(std::as_writable_bytes(part)); });
}

/// The checkpoint of rank 0 for all ranks, which write the same entries.
class SharedWriter : public io::CheckpointWriter {
 public:
  SharedWriter(io::CheckpointWriter& to, const Communicator& ranks) : to_(to), ranks_(ranks) {}

  void write(const std::string& name, io::ElementType type, const io::Content& content, std::size_t count,
             const std::vector<std::size_t>& shape, const std::string& unit) override {
    at_rank_zero(ranks_, [&] { to_.write(name, type, content, count, shape, unit); });
  }
  void text(const std::string& name, const std::string& value) override {
    at_rank_zero(ranks_, [&] { to_.text(name, value); });
  }

 private:
  io::CheckpointWriter& to_;
  Communicator ranks_;
};

/// The checkpoint of rank 0 for all ranks, which read the same entries.
class SharedReader : public io::CheckpointReader {
 public:
  SharedReader(const io::CheckpointReader& from, const Communicator& ranks) : from_(from), ranks_(ranks) {}

  bool has(const std::string& name) const override {
    bool found = false;
    at_rank_zero(ranks_, [&] { found = from_.has(name); });
    return ranks_.broadcast(found);
  }
  std::vector<std::size_t> shape(const std::string& name) const override {
    std::vector<std::size_t> shape;
    at_rank_zero(ranks_, [&] { shape = from_.shape(name); });
    shape.resize(ranks_.broadcast(shape.size()));
    share(ranks_, std::span(shape));
    return shape;
  }
  void read(const std::string& name, io::ElementType type, void* data, std::size_t count,
            const std::vector<std::size_t>& expected_shape) const override {
    at_rank_zero(ranks_, [&] { from_.read(name, type, data, count, expected_shape); });
    share(ranks_, std::span(static_cast<std::byte*>(data), count * io::element_size(type)));
  }
  std::string text(const std::string& name) const override {
    return text_of_rank_zero(ranks_, [&] { return from_.text(name); });
  }

 private:
  const io::CheckpointReader& from_;
  Communicator ranks_;
};

}  // namespace tessera::parallel
