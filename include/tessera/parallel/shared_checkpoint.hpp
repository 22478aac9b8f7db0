// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
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

/// A visit of the entries of a checkpoint by ranks that have parts of them. Between entries each rank works alone: its
/// failure is thrown at all ranks at the next entry, or at the end.
class Visit {
 public:
  /// The parts of all ranks in an entry; none if it is the same at all ranks. Changes `shape` from that of this rank's
  /// part to that of the whole. Pieces count an element as `element`.
  using Parts = std::function<std::vector<Pieces>(const std::string& entry, std::vector<std::size_t>& shape,
                                                  std::size_t element)>;

  /// `name` is put before the message of a failure of this rank.
  Visit(const Communicator& of, const std::string& name, Parts parts_of)
      : ranks(of), parts(std::move(parts_of)), name_(name) {}

  /// All: calls work(), which reads or writes the entries.
  template <class Work>
  void entries(const Work& work) {
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      if (at_entry_) throw;  // at all ranks
      failure = std::current_exception();
    }
    agree_on_failure(ranks, failure, name_);
  }
  /// All: calls work() for an entry, which fails at all ranks or at none.
  template <class Work>
  void entry(const Work& work) {
    at_entry_ = true;
    agree_on_failure(ranks, nullptr);
    work();
    at_entry_ = false;
  }

  const Communicator ranks;
  const Parts parts;

 private:
  std::string name_;
  bool at_entry_ = false;
};

/// Common part of SharedWriter and SharedReader.
class SharedEntries {
 protected:
  /// Entries that are the same at all ranks, none of which fails alone.
  explicit SharedEntries(const Communicator& ranks) : ranks_(ranks) {}
  explicit SharedEntries(Visit& visit) : ranks_(visit.ranks), visit_(&visit) {}

  template <class Work>
  void entry(const Work& work) const {
    visit_ == nullptr ? work() : visit_->entry(work);
  }
  template <class Work>
  void at_rank_zero(const Work& work) const {
    entry([&] { parallel::at_rank_zero(ranks_, work); });
  }
  std::vector<Pieces> pieces(const std::string& name, std::vector<std::size_t>& shape, io::ElementType type) const {
    return visit_ == nullptr ? std::vector<Pieces>() : visit_->parts(name, shape, io::element_size(type));
  }

  Communicator ranks_;
  Visit* visit_ = nullptr;
};

class SharedWriter : public io::CheckpointWriter, private SharedEntries {
 public:
  template <class Ranks>
  SharedWriter(io::CheckpointWriter& to, Ranks& ranks) : SharedEntries(ranks), to_(to) {}

  void write(const std::string& name, io::ElementType type, const io::Content& content, std::size_t count,
             const std::vector<std::size_t>& shape, const std::string& unit) override {
    auto whole = shape;
    const auto pieces_of_ranks = pieces(name, whole, type);
    if (pieces_of_ranks.empty()) {
      if (visit_ != nullptr) require_same(name, type, content, count);
      return at_rank_zero([&] { to_.write(name, type, content, count, shape, unit); });
    }
    const std::size_t element = io::element_size(type);
    const auto write_whole = [&](const io::Content& gathered) {
      to_.write(name, type, gathered, pieces_of_ranks[0].size() / element, whole, unit);
    };
    const auto read_part = [&](std::size_t from, std::span<std::byte> part) { read(content, element, from, part); };
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
  /// Copies bytes from number `first` on.
  static void read(const io::Content& content, std::size_t element, std::size_t first, std::span<std::byte> to) {
    if (content.data == nullptr) return content.read(first / element, to.size() / element, to.data());
    std::memcpy(to.data(), static_cast<const std::byte*>(content.data) + first, to.size());
  }
  /// Requires that an entry is the same at all ranks; a difference is a program error.
  void require_same(const std::string& name, io::ElementType type, const io::Content& content,
                    std::size_t count) const {
    std::vector<std::byte> mine(count * io::element_size(type));
    read(content, io::element_size(type), 0, mine);
    std::vector<std::byte> first = mine;
    at_rank_zero([] {});
    ranks_.broadcast(first);
    if (!ranks_.all(first == mine))
      throw RunError("checkpoint entry '" + name + "' differs between ranks; please report this");
  }

  io::CheckpointWriter& to_;
};

class SharedReader : public io::CheckpointReader, private SharedEntries {
 public:
  template <class Ranks>
  SharedReader(const io::CheckpointReader& from, Ranks& ranks) : SharedEntries(ranks), from_(from) {}

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
