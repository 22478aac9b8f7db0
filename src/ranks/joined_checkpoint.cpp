// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "ranks/joined_checkpoint.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <tessera/core/error.hpp>
#include <utility>

namespace tessera::program {
namespace {

std::size_t count_of(const std::vector<std::size_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

std::size_t size(int number) { return static_cast<std::size_t>(number); }

/// The entries of rank 0 as they are written, each with its followers' parts.
class JoinedTarget : public io::CheckpointWriter::Target {
 public:
  JoinedTarget(const SimulationInterface& own, Followers& followers, const Shares& shares, io::CheckpointWriter& to)
      : own_(own), followers_(followers), shares_(shares), to_(to), saving_(shares.size() - 1, true) {}

  void write(const std::string& name, io::ElementType type, const io::Content& content, std::size_t count,
             const std::vector<std::size_t>& shape, const std::string& unit) override {
    const auto dimension = own_.replica_dimension(name);
    for (int follower = 0; follower < followers_.count(); ++follower) expect(follower, name);
    const std::size_t element = io::element_size(type);
    if (!dimension) {
      require_same(name, element, content, count);
      to_.write(name, type, content, count, shape, unit);
    } else {
      auto joined = shape;
      const JoinedShape all(joined, *dimension, shares_.front(), std::accumulate(shares_.begin(), shares_.end(), 0));
      const io::Content parts{nullptr, [&](std::size_t first, std::size_t wanted, void* to) {
                                read(all, element, content, first, wanted, static_cast<std::byte*>(to));
                              }};
      to_.write(name, type, parts, count_of(joined), joined, unit);
    }
    followers_.tell(Command::next);
  }

  void write_text(const std::string& name, const std::string& value) override {
    for (int follower = 0; follower < followers_.count(); ++follower) expect(follower, name);
    to_.text(name, value);
    followers_.tell(Command::next);
  }

  /// Once the simulation of rank 0 has no more entries, or if not all of them can be written.
  void finish(bool complete) {
    for (int follower = 0; follower < followers_.count(); ++follower) {
      if (!saving_[size(follower)]) continue;
      if (!complete) followers_.tell(follower, Command::give_up);
      auto answer = followers_.answer(follower);
      while (!complete && answer.first == Answer::entry) answer = followers_.answer(follower);
      saving_[size(follower)] = false;
      if (complete) followers_.require_done(follower, answer);
    }
  }

 private:
  void expect(int follower, const std::string& name) {
    auto answer = followers_.answer(follower);
    if (answer.first != Answer::entry) {
      saving_[size(follower)] = false;
      followers_.require_done(follower, answer);
      throw RunError("the checkpoints of the ranks differ");
    }
    if (answer.second.get<std::string>() != name) throw RunError("the checkpoints of the ranks differ");
  }

  std::vector<std::byte> ask(int follower, std::size_t first, std::size_t count) {
    followers_.tell(follower, Command::entry_part, Packed::of(first, count));
    auto answer = followers_.answer(follower);
    if (answer.first != Answer::done) saving_[size(follower)] = false;
    followers_.require_done(follower, answer);
    return followers_.communicator().receive(follower + 1);
  }

  /// What is of all replicas together is the same at all ranks, or they have not computed the same.
  void require_same(const std::string& name, std::size_t element, const io::Content& content, std::size_t count) {
    std::vector<std::byte> mine(count * element);
    copy(content, element, 0, count, mine.data());
    for (int follower = 0; follower < followers_.count(); ++follower)
      if (ask(follower, 0, count) != mine)
        throw RunError("the checkpoint's entry '" + name + "' is not the same at all ranks; please report this");
  }

  static void copy(const io::Content& content, std::size_t element, std::size_t first, std::size_t count,
                   std::byte* to) {
    if (content.data != nullptr) {
      std::memcpy(to, static_cast<const std::byte*>(content.data) + first * element, count * element);
    } else {
      content.read(first, count, to);
    }
  }

  /// Elements first to first + wanted - 1 of the joined array: pieces of blocks, each of the rank that has it.
  void read(const JoinedShape& all, std::size_t element, const io::Content& own, std::size_t first, std::size_t wanted,
            std::byte* to) {
    const std::size_t block = all.replicas * all.of_a_replica;
    while (wanted > 0) {
      std::size_t begin = 0;  // of the rank's part of the block
      int rank = 0;
      const std::size_t at = first % block;
      while (at >= begin + size(shares_[size(rank)]) * all.of_a_replica)
        begin += size(shares_[size(rank++)]) * all.of_a_replica;
      const std::size_t part = size(shares_[size(rank)]) * all.of_a_replica;
      const std::size_t count = std::min(wanted, begin + part - at);
      const std::size_t from = first / block * part + at - begin;
      if (rank == 0) {
        copy(own, element, from, count, to);
      } else {
        const auto bytes = ask(rank - 1, from, count);
        std::memcpy(to, bytes.data(), bytes.size());
      }
      first += count;
      wanted -= count;
      to += count * element;
    }
  }

  const SimulationInterface& own_;
  Followers& followers_;
  const Shares& shares_;
  io::CheckpointWriter& to_;
  std::vector<bool> saving_;  ///< each follower is still at it
};

/// A rank's part of what the file holds of all replicas.
class PartsOfFile {
 public:
  PartsOfFile(const SimulationInterface& own, const Shares& shares, const io::CheckpointReader& file)
      : own_(own), shares_(shares), file_(file) {}

  const io::CheckpointReader& file() const { return file_; }

  /// Reads the part of a rank, which asks for it in this shape.
  void read(int rank, const std::string& name, io::ElementType type, const std::vector<std::size_t>& shape,
            std::byte* to) {
    const std::size_t element = io::element_size(type);
    const auto dimension = own_.replica_dimension(name);
    const int share = shares_[size(rank)];
    auto joined = shape;
    if (!dimension) {
      keep(name, type, joined);
      std::memcpy(to, kept_.data(), kept_.size());
      return;
    }
    const JoinedShape all(joined, *dimension, share, std::accumulate(shares_.begin(), shares_.end(), 0));
    keep(name, type, joined);
    const std::size_t before = size(std::accumulate(shares_.begin(), shares_.begin() + rank, 0));
    const std::size_t block = all.replicas * all.of_a_replica * element;
    const std::size_t part = size(share) * all.of_a_replica * element;
    for (std::size_t i = 0; i < all.outer; ++i)
      std::memcpy(to + i * part, kept_.data() + i * block + before * all.of_a_replica * element, part);
  }

 private:
  /// Ranks ask for the same entries in the same order, as a rule at the same time.
  void keep(const std::string& name, io::ElementType type, const std::vector<std::size_t>& shape) {
    if (name == name_ && shape == shape_ && type == type_) return;
    name_.clear();
    kept_.resize(count_of(shape) * io::element_size(type));
    file_.read(name, type, kept_.data(), count_of(shape), shape);
    name_ = name;
    type_ = type;
    shape_ = shape;
  }

  const SimulationInterface& own_;
  const Shares& shares_;
  const io::CheckpointReader& file_;
  std::string name_;
  io::ElementType type_{};
  std::vector<std::size_t> shape_;
  std::vector<std::byte> kept_;
};

/// The part of rank 0.
class OwnEntries : public io::CheckpointReader::Entries {
 public:
  explicit OwnEntries(PartsOfFile& parts) : parts_(parts) {}
  bool has(const std::string& name) const override { return parts_.file().has(name); }
  std::vector<std::size_t> shape(const std::string& name) const override { return parts_.file().shape(name); }
  void read(const std::string& name, io::ElementType type, void* data, std::size_t,
            const std::vector<std::size_t>& expected_shape) const override {
    parts_.read(0, name, type, expected_shape, static_cast<std::byte*>(data));
  }
  std::string text(const std::string& name) const override { return parts_.file().text(name); }

 private:
  PartsOfFile& parts_;
};

/// Gives a follower what it asks for: "has" a name, "shape", "read" or "text".
void serve(PartsOfFile& parts, Followers& followers, int follower, Packed request) {
  Packed given;
  std::vector<std::byte> bytes;
  try {
    const auto what = request.get<std::string>();
    const auto name = request.get<std::string>();
    given.put(true);
    if (what == "has") {
      given.put(parts.file().has(name));
    } else if (what == "shape") {
      given.put(parts.file().shape(name));
    } else if (what == "text") {
      given.put(parts.file().text(name));
    } else {
      const auto type = request.get<io::ElementType>();
      const auto shape = request.get<std::vector<std::size_t>>();
      bytes.resize(count_of(shape) * io::element_size(type));
      parts.read(follower + 1, name, type, shape, bytes.data());
    }
  } catch (const InputError& error) {
    given = Packed::of(false, std::string(error.what()));
    bytes.clear();
  }
  const auto& communicator = followers.communicator();
  communicator.send(follower + 1, given.bytes());
  communicator.send(follower + 1, bytes);
}

}  // namespace

JoinedShape::JoinedShape(std::vector<std::size_t>& joined, std::size_t dimension, int share, int all)
    : replicas(size(all)) {
  for (std::size_t d = 0; d < dimension; ++d) outer *= joined[d];
  const std::size_t of_one = joined.at(dimension) / size(share);
  for (std::size_t d = dimension + 1; d < joined.size(); ++d) of_a_replica *= joined[d];
  of_a_replica *= of_one;
  joined[dimension] = of_one * replicas;
}

void save_joined(const SimulationInterface& own, Followers& followers, const Shares& shares,
                 io::CheckpointWriter& checkpoint) {
  JoinedTarget target(own, followers, shares, checkpoint);
  io::CheckpointWriter writer(target);
  try {
    own.save(writer);
  } catch (...) {
    target.finish(false);
    throw;
  }
  target.finish(true);
}

std::vector<Packed> load_joined(SimulationInterface& own, Followers& followers, const Shares& shares,
                                const io::CheckpointReader& checkpoint) {
  PartsOfFile parts(own, shares, checkpoint);
  std::vector<std::pair<Answer, Packed>> answers(size(followers.count()));
  std::set<int> loading;
  for (int follower = 0; follower < followers.count(); ++follower) loading.insert(follower);
  while (!loading.empty())
    for (auto at = loading.begin(); at != loading.end();) {
      auto answer = followers.answer(*at);
      if (answer.first == Answer::request) {
        serve(parts, followers, *at, std::move(answer.second));
        ++at;
      } else {
        answers[size(*at)] = std::move(answer);
        at = loading.erase(at);
      }
    }
  own.load(io::CheckpointReader(std::make_shared<OwnEntries>(parts)));
  std::vector<Packed> contents;
  for (int follower = 0; follower < followers.count(); ++follower) {
    followers.require_done(follower, answers[size(follower)]);
    contents.push_back(std::move(answers[size(follower)].second));
  }
  return contents;
}

}  // namespace tessera::program
