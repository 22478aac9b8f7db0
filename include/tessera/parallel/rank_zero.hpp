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

/// All: rank 0 calls work(ask); the other ranks wait for its requests. In work(), ask(first, count) calls serve(first,
/// count) at all ranks, rank 0 included. Returns at all ranks when the work is done. An exception of work() is thrown
/// at all ranks, at the others as InputError or RunError, so that none waits for ever.
template <class Work, class Serve>
void at_rank_zero(const Communicator& ranks, const Work& work, const Serve& serve) {
  if (ranks.size() == 1) return work(serve);
  enum Kind : std::int64_t { request, done, failed };
  struct Message {
    std::int64_t kind;
    std::uint64_t first, count;
  };
  std::exception_ptr failure;
  std::string text;
  if (ranks.rank() == 0) {
    try {
      work([&](std::size_t first, std::size_t count) {
        ranks.broadcast(Message{request, first, count});
        serve(first, count);
      });
    } catch (const std::exception&) {
      failure = std::current_exception();
      text = text_of_failure(failure);
    }
    ranks.broadcast(Message{failure ? failed : done, 0, 0});
    if (!failure) return;
  } else {
    Message message{};
    while ((message = ranks.broadcast(message)).kind == request) serve(message.first, message.count);
    if (message.kind == done) return;
  }
  share_text(ranks, text);
  if (failure) std::rethrow_exception(failure);
  throw_failure(text);
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

/// All: rank 0 calls write(parts), and reads an array by parts(first, span). For each part all ranks call gather(first,
/// count, to), which writes the elements to `to` at rank 0.
template <class T, class Write, class Gather>
void write_gathered(const Communicator& ranks, const Write& write, const Gather& gather) {
  std::span<T> to;
  at_rank_zero(
      ranks,
      [&](const auto& ask) {
        write(io::Parts<T>([&](std::size_t first, std::span<T> part) {
          to = part;
          ask(first, part.size());
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
