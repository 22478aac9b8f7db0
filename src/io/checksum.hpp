// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::io {

/// A 64-bit checksum against accidental damage: FNV-1a over 64-bit words, with the high half folded in so that every
/// bit contributes. Each step is a bijection of the state, so that a change within one word always changes the sum.
class Checksum {
 public:
  void add(const void* data, std::size_t bytes) {
    static_assert(std::endian::native == std::endian::little, "the words are summed as files hold them: little-endian");
    const auto* byte = static_cast<const unsigned char*>(data);
    for (; bytes >= sizeof(std::uint64_t); bytes -= sizeof(std::uint64_t), byte += sizeof(std::uint64_t)) {
      std::uint64_t word;
      std::memcpy(&word, byte, sizeof word);
      add(word);
    }
    if (bytes > 0) {
      std::uint64_t word = 0;
      std::memcpy(&word, byte, bytes);
      add(word);
    }
  }

  void add(std::uint64_t word) {
    sum_ = (sum_ ^ word) * 0x100000001b3u;
    sum_ ^= sum_ >> 32;
  }

  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    add(text.data(), text.size());
  }

  std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325u;
};

/// Checksum of content in parts of any lengths, equal to that of the whole content.
class ChecksumInParts {
 public:
  explicit ChecksumInParts(const Checksum& head) : sum_(head) {}

  void add(const void* data, std::size_t bytes) {
    const auto* byte = static_cast<const unsigned char*>(data);
    for (; left_ > 0 && left_ < sizeof word_ && bytes > 0; --bytes) word_[left_++] = *byte++;
    if (left_ == sizeof word_) sum_.add(word_, std::exchange(left_, 0));
    const std::size_t whole = bytes - bytes % sizeof word_;
    if (whole > 0) sum_.add(byte, whole);
    for (std::size_t i = whole; i < bytes; ++i) word_[left_++] = byte[i];
  }

  std::uint64_t value() const {
    Checksum sum = sum_;
    sum.add(word_, left_);
    return sum.value();
  }

 private:
  Checksum sum_;
  unsigned char word_[sizeof(std::uint64_t)] = {};
  std::size_t left_ = 0;  ///< bytes of an incomplete word
};

/// Initial value of the checksum of a checkpoint entry: its name, type ("float64", ..., "text") and shape.
inline Checksum head_of_entry(std::string_view name, std::string_view type, const std::vector<std::size_t>& shape) {
  Checksum sum;
  sum.add(name);
  sum.add(type);
  sum.add(std::uint64_t{shape.size()});
  for (const auto extent : shape) sum.add(std::uint64_t{extent});
  return sum;
}

/// Checksum of a checkpoint entry: over its name, type, shape and content.
inline std::uint64_t entry_checksum(std::string_view name, std::string_view type, const std::vector<std::size_t>& shape,
                                    const void* data, std::size_t bytes) {
  Checksum sum = head_of_entry(name, type, shape);
  sum.add(data, bytes);
  return sum.value();
}

}  // namespace tessera::io
