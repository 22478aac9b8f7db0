// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/io/checkpoint_reader.hpp>
#include <tessera/io/checkpoint_writer.hpp>
#include <tessera/parallel/communicator.hpp>
#include <utility>
#include <vector>

#include "ranks/packed.hpp"
#include "ranks/protocol.hpp"
#include "stop_signal.hpp"

namespace tessera::program {

/// Rank 0 of a communicator, as a follower sees it.
class Leader {
 public:
  explicit Leader(const parallel::Communicator& communicator) : communicator_(communicator) {}

  std::pair<Command, Packed> command() const {
    Packed message(communicator_.receive(0));
    const auto kind = message.get<Command>();
    return {kind, std::move(message)};
  }
  bool has_command() const { return communicator_.waits(0); }

  void answer(Answer kind, const Packed& content = {}) const {
    communicator_.send(0, Packed::of(kind, content).bytes());
  }
  void answer(Answer kind, const std::string& text) const { answer(kind, Packed::of(text)); }
  void send(std::span<const std::byte> bytes) const { communicator_.send(0, bytes); }
  std::vector<std::byte> receive() const { return communicator_.receive(0); }

  /// Passes on the signals that this rank was sent, or heard of.
  void note_signals() {
    if (stop_signal() != 0 && !std::exchange(noted_, true)) note(stop_signal());
    if (!checkpoint_asked_for()) return;
    checkpoint_begins();
    note(0);
  }
  bool noted_stop() const { return noted_; }

 private:
  void note(int number) const { answer(Answer::note, Packed::of(number)); }

  parallel::Communicator communicator_;
  bool noted_ = false;
};

/// Rank 0 gave up saving.
struct SavingGivenUp {};

/// Gives rank 0 elements of an array.
inline void send_part(const Leader& leader, const io::Content& content, std::size_t element, std::size_t first,
                      std::size_t count) {
  std::vector<std::byte> bytes(count * element);
  if (content.data != nullptr) {
    std::memcpy(bytes.data(), static_cast<const std::byte*>(content.data) + first * element, bytes.size());
  } else {
    content.read(first, count, bytes.data());
  }
  leader.answer(Answer::done);
  leader.send(bytes);
}

/// The entries of a checkpoint, of which rank 0 fetches what it writes.
class EntriesForLeader : public io::CheckpointWriter::Target {
 public:
  explicit EntriesForLeader(const Leader& leader) : leader_(leader) {}

  void write(const std::string& name, io::ElementType type, const io::Content& content, std::size_t,
             const std::vector<std::size_t>&, const std::string&) override {
    leader_.answer(Answer::entry, name);
    while (true) {
      auto [command, part] = leader_.command();
      if (command == Command::next) return;
      if (command != Command::entry_part) throw SavingGivenUp();
      const auto first = part.get<std::size_t>();
      send_part(leader_, content, io::element_size(type), first, part.get<std::size_t>());
    }
  }
  void write_text(const std::string& name, const std::string&) override { write(name, {}, {}, 0, {}, ""); }

 private:
  const Leader& leader_;
};

/// Those that rank 0 reads.
class EntriesOfLeader : public io::CheckpointReader::Entries {
 public:
  explicit EntriesOfLeader(const Leader& leader) : leader_(leader) {}

  bool has(const std::string& name) const override { return ask("has", name).first.get<bool>(); }
  std::vector<std::size_t> shape(const std::string& name) const override {
    return ask("shape", name).first.get<std::vector<std::size_t>>();
  }
  std::string text(const std::string& name) const override { return ask("text", name).first.get<std::string>(); }
  void read(const std::string& name, io::ElementType type, void* data, std::size_t,
            const std::vector<std::size_t>& expected_shape) const override {
    const auto bytes = ask("read", name, Packed::of(type, expected_shape)).second;
    std::memcpy(data, bytes.data(), bytes.size());
  }

 private:
  std::pair<Packed, std::vector<std::byte>> ask(const std::string& what, const std::string& name,
                                                const Packed& more = {}) const {
    leader_.answer(Answer::request, Packed::of(what, name, more));
    Packed given(leader_.receive());
    auto content = leader_.receive();
    if (!given.get<bool>()) throw InputError(given.get<std::string>());
    return {std::move(given), std::move(content)};
  }

  const Leader& leader_;
};

}  // namespace tessera::program
