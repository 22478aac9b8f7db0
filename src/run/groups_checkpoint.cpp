// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/groups_checkpoint.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/parallel/agreed.hpp>
#include <tessera/parallel/rank_zero.hpp>

namespace tessera::program {
namespace {

std::size_t count_of(const std::vector<std::size_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

/// The heads of groups visit the entries of a checkpoint in the same order. A failure at one head is exchanged at the
/// next entry, or at the end, and thrown at all heads.
class EntriesOfHeads {
 public:
  EntriesOfHeads(const SimulationInterface& part, const RankGroups& groups) : part_(part), groups_(groups) {}

  /// All heads: visits the entries by work().
  template <class Work>
  void pass(const Work& work) const {
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      if (in_entry_) throw;  // by all heads
      failure = std::current_exception();
    }
    parallel::agree_on_failure(heads(), failure, groups_.name());
  }

 protected:
  const parallel::Communicator& heads() const { return groups_.heads; }

  /// All heads: an action of all heads on an entry, whose failure they all throw, as that of a head before.
  template <class Work>
  auto by_all(const Work& work) const {
    in_entry_ = true;
    parallel::agree_on_failure(heads(), nullptr);
    auto result = work();
    in_entry_ = false;
    return result;
  }
  /// All heads: calls an action at rank 0 (parallel::at_rank_zero()).
  template <class... Work>
  void at_rank_zero(const Work&... work) const {
    by_all([&] { return parallel::at_rank_zero(heads(), work...), true; });
  }

  const SimulationInterface& part_;
  const RankGroups& groups_;

 private:
  mutable bool in_entry_ = false;
};

class EntriesToSave : public io::CheckpointWriter, public EntriesOfHeads {
 public:
  EntriesToSave(const SimulationInterface& part, const RankGroups& groups, io::CheckpointWriter& to)
      : EntriesOfHeads(part, groups), to_(to) {}

  void write(const std::string& name, io::ElementType type, const io::Content& content, std::size_t count,
             const std::vector<std::size_t>& shape, const std::string& unit) override {
    const std::size_t element = io::element_size(type);
    const auto read = [&](std::size_t first, std::span<std::byte> part) {
      if (content.data != nullptr) {
        std::memcpy(part.data(), static_cast<const std::byte*>(content.data) + first, part.size());
      } else {
        content.read(first / element, part.size() / element, part.data());
      }
    };
    const auto dimension = part_.replica_dimension(name);
    if (!dimension) {
      std::vector<std::byte> mine(count * element);
      read(0, mine);
      require_same(name, mine);
      return at_rank_zero([&] { to_.write(name, type, {mine.data(), {}}, count, shape, unit); });
    }
    auto all = shape;
    const auto pieces = pieces_of_groups(groups_, all, *dimension, element);
    std::span<std::byte> to;
    at_rank_zero(
        [&](const auto& ask) {
          const auto read_whole = [&](std::size_t first, std::size_t number, void* elements) {
            to = {static_cast<std::byte*>(elements), number * element};
            ask(first * element, to.size());
          };
          to_.write(name, type, {nullptr, read_whole}, count_of(all), all, unit);
        },
        [&](std::size_t first, std::size_t bytes) {
          parallel::gather_elements(heads(), pieces, first, bytes, to, read);
        });
  }
  void text(const std::string& name, const std::string& value) override {
    at_rank_zero([&] { to_.text(name, value); });
  }

 private:
  /// Requires that an entry of all replicas together is the same at all heads; a difference is a program error.
  void require_same(const std::string& name, const std::vector<std::byte>& mine) const {
    std::vector<std::byte> first = mine;
    at_rank_zero([] {});
    parallel::share(heads(), std::span(first));
    if (!heads().all(first == mine))
      throw RunError("checkpoint entry '" + name + "' differs between ranks; please report this");
  }

  io::CheckpointWriter& to_;
};

class EntriesToLoad : public parallel::SharedReader, public EntriesOfHeads {
 public:
  EntriesToLoad(const SimulationInterface& part, const RankGroups& groups, const io::CheckpointReader& from)
      : SharedReader(from, groups.heads), EntriesOfHeads(part, groups), from_(from) {}

  bool has(const std::string& name) const override {
    return by_all([&] { return SharedReader::has(name); });
  }
  std::vector<std::size_t> shape(const std::string& name) const override {
    return by_all([&] { return SharedReader::shape(name); });
  }
  std::string text(const std::string& name) const override {
    return by_all([&] { return SharedReader::text(name); });
  }
  void read(const std::string& name, io::ElementType type, void* data, std::size_t count,
            const std::vector<std::size_t>& expected_shape) const override {
    const std::size_t element = io::element_size(type);
    auto* const mine = static_cast<std::byte*>(data);
    const auto dimension = part_.replica_dimension(name);
    auto all = expected_shape;
    std::vector<parallel::Pieces> pieces;
    if (dimension) pieces = pieces_of_groups(groups_, all, *dimension, element);
    std::vector<std::byte> whole;
    at_rank_zero([&] {
      whole.resize(count_of(all) * element);
      from_.read(name, type, whole.data(), count_of(all), all);
    });
    if (!dimension) {
      std::ranges::copy(whole, mine);
      return parallel::share(heads(), std::span(mine, count * element));
    }
    parallel::scatter_elements(
        heads(), pieces, std::span<const std::byte>(whole),
        [&](std::size_t first, std::span<const std::byte> part) { std::ranges::copy(part, mine + first); });
  }

 private:
  const io::CheckpointReader& from_;
};

}  // namespace

std::vector<parallel::Pieces> pieces_of_groups(const RankGroups& groups, std::vector<std::size_t>& shape,
                                               std::size_t dimension, std::size_t size) {
  const auto number = [](int n) { return static_cast<std::size_t>(n); };
  const std::size_t of_one = shape.at(dimension) / number(groups.share()), replicas = number(groups.replicas());
  const auto at = shape.begin() + static_cast<std::ptrdiff_t>(dimension);
  const std::size_t blocks = count_of({shape.begin(), at}),
                    of_a_replica = of_one * count_of({at + 1, shape.end()}) * size;
  *at = of_one * replicas;
  std::vector<parallel::Pieces> pieces;
  for (std::size_t group = 0; group < groups.shares.size(); ++group)
    pieces.push_back({blocks,
                      {{replicas * of_a_replica, 1, number(groups.firsts()[group]) * of_a_replica,
                        number(groups.shares[group]) * of_a_replica, 0, 1}}});
  return pieces;
}

void save_groups(const SimulationInterface& part, const RankGroups& groups, io::CheckpointWriter& checkpoint) {
  EntriesToSave entries(part, groups, checkpoint);
  entries.pass([&] { part.save(entries); });
}

void load_groups(SimulationInterface& part, const RankGroups& groups, const io::CheckpointReader& checkpoint) {
  const EntriesToLoad entries(part, groups, checkpoint);
  entries.pass([&] { part.load(entries); });
}

}  // namespace tessera::program
