// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/io/checkpoint.hpp>
#include <tessera/parallel/pieces.hpp>
#include <tessera/parallel/rank_zero.hpp>
#include <utility>
#include <vector>

/// The checkpoint of rank 0 for all ranks, which write or read the same entries in the same order.
namespace tessera::parallel {

/// The parts of all ranks in an entry; none if it is the same at all ranks. Changes `shape` from that of this rank's
/// part to that of the whole. Pieces count an element as `element`.
using PartsOfEntry =
    std::function<std::vector<Pieces>(const std::string& entry, std::vector<std::size_t>& shape, std::size_t element)>;

/// Common part of SharedWriter and SharedReader. Without `parts`, entries are the same at all ranks, none of which
/// fails alone. With them each rank works alone between entries: its failure, with `name` before its message, is thrown
/// at all ranks at the next entry, or at the end.
class SharedEntries {
 public:
  /// All: calls work(), which reads or writes the entries.
  template <class Work>
  void entries(const Work& work) const {
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      if (at_entry_) throw;  // at all ranks
      failure = std::current_exception();
    }
    agree_on_failure(ranks_, failure, name_);
  }

 protected:
  SharedEntries(const Communicator& ranks, PartsOfEntry parts, const std::string& name)
      : ranks_(ranks), parts_(std::move(parts)), name_(name) {}

  /// All: calls work() for an entry, which fails at all ranks or at none.
  template <class Work>
  void entry(const Work& work) const {
    if (!parts_) return work();
    at_entry_ = true;
    agree_on_failure(ranks_, nullptr);
    work();
    at_entry_ = false;
  }
  template <class Work>
  void at_rank_zero(const Work& work) const {
    entry([&] { parallel::at_rank_zero(ranks_, work); });
  }
  std::vector<Pieces> pieces(const std::string& name, std::vector<std::size_t>& shape, io::ElementType type) const {
    return parts_ ? parts_(name, shape, io::element_size(type)) : std::vector<Pieces>();
  }
  bool has_parts() const { return parts_ != nullptr; }

  Communicator ranks_;

 private:
  PartsOfEntry parts_;
  std::string name_;
  mutable bool at_entry_ = false;
};

class SharedWriter : public io::CheckpointWriter, public SharedEntries {
 public:
  SharedWriter(io::CheckpointWriter& to, const Communicator& ranks, const PartsOfEntry& parts = {},
               const std::string& name = "")
      : SharedEntries(ranks, parts, name), to_(to) {}

  void write(const std::string& name, io::ElementType type, const io::Content& content, std::size_t count,
             const std::vector<std::size_t>& shape, const std::string& unit) override {
    auto whole = shape;
    const auto pieces_of_ranks = pieces(name, whole, type);
    if (pieces_of_ranks.empty()) {
      if (has_parts()) require_same(name, type, content, count);
      return at_rank_zero([&] { to_.write(name, type, content, count, shape, unit); });
    }
    const std::size_t element = io::element_size(type);
    const auto write_whole = [&](const io::Content& gathered) {
      to_.write(name, type, gathered, pieces_of_ranks[0].size() / element, whole, unit);
    };
    const auto read_part = [&](std::size_t from, std::span<std::byte> part) {
      content.copy(from / element, part.size() / element, element, part.data());
    };
    entry([&] {
      write_gathered(ranks_, element, write_whole, [&](std::size_t first, std::size_t bytes, std::span<std::byte> to) {
        gather_elements(ranks_, pieces_of_ranks, first, bytes, to, read_part);
      });
    });
  }
  void text(const std::string& name, const std::string& value) override {
    at_rank_zero([&] { to_.text(name, value); });
  }

 private:
  /// Requires that an entry is the same at all ranks; a difference is a program error.
  void require_same(const std::string& name, io::ElementType type, const io::Content& content,
                    std::size_t count) const {
    std::vector<std::byte> mine(count * io::element_size(type));
    content.copy(0, count, io::element_size(type), mine.data());
    std::vector<std::byte> first = mine;
    at_rank_zero([] {});
    ranks_.broadcast(first);
    if (!ranks_.all(first == mine))
      throw RunError("checkpoint entry '" + name + "' differs between ranks; please report this");
  }

  io::CheckpointWriter& to_;
};

class SharedReader : public io::CheckpointReader, public SharedEntries {
 public:
  SharedReader(const io::CheckpointReader& from, const Communicator& ranks, const PartsOfEntry& parts = {},
               const std::string& name = "")
      : SharedEntries(ranks, parts, name), from_(from) {}

  bool has(const std::string& name) const override {
    bool found = false;
    at_rank_zero([&] { found = from_.has(name); });
    return ranks_.broadcast(found);
  }
  void read(const std::string& name, io::ElementType type, void* data, std::size_t count,
            const std::vector<std::size_t>& expected_shape) const override {
    const std::span mine(static_cast<std::byte*>(data), count * io::element_size(type));
    auto whole_shape = expected_shape;
    const auto pieces_of_ranks = pieces(name, whole_shape, type);
    if (pieces_of_ranks.empty()) {
      at_rank_zero([&] { from_.read(name, type, data, count, expected_shape); });
      return ranks_.broadcast(mine);
    }
    std::vector<std::byte> whole;
    at_rank_zero([&] {
      whole.resize(pieces_of_ranks[0].size());
      from_.read(name, type, whole.data(), whole.size() / io::element_size(type), whole_shape);
    });
    scatter_elements<std::byte>(
        ranks_, pieces_of_ranks, whole,
        [&](std::size_t first, std::span<const std::byte> part) { std::ranges::copy(part, mine.begin() + first); });
  }

 private:
  const io::CheckpointReader& from_;
};

}  // namespace tessera::parallel
