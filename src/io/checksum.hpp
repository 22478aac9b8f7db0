// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace tessera::io {

/// A 64-bit checksum against accidental damage: FNV-1a over 64-bit words, with the high half folded in so that every
/// bit contributes. Each step is a bijection of the state, so that a change within one word always changes the sum.
class Checksum {
 public:
  /// Adds content in parts of any lengths: the sum is that of the whole content.
  void add(const void* data, std::size_t bytes) {
    static_assert(std::endian::native == std::endian::little, "the words are summed as files hold them: little-endian");
    const auto* byte = static_cast<const unsigned char*>(data);
    for (; left_ > 0 && bytes > 0; --bytes) add_byte(*byte++);
    for (; bytes >= sizeof word_; bytes -= sizeof word_, byte += sizeof word_) {
      std::memcpy(&word_, byte, sizeof word_);
      end_word();
    }
    for (; bytes > 0; --bytes) add_byte(*byte++);
  }

  void add(std::uint64_t word) {
    if (left_ > 0) end_word();
    word_ = word;
    end_word();
  }

  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    add(text.data(), text.size());
  }

  std::uint64_t value() const {
    Checksum whole = *this;
    if (left_ > 0) whole.end_word();
    return whole.sum_;
  }

 private:
  void add_byte(unsigned char byte) {
    word_ |= std::uint64_t{byte} << (8 * left_);
    if (++left_ == sizeof word_) end_word();
  }
  void end_word() {
    sum_ = (sum_ ^ word_) * 0x100000001b3u;
    sum_ ^= sum_ >> 32;
    word_ = left_ = 0;
  }

  std::uint64_t sum_ = 0xcbf29ce484222325u;
  std::uint64_t word_ = 0;  ///< filled up with zeros
  std::size_t left_ = 0;    ///< bytes of an incomplete word
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
