// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tessera/io/checkpoint.hpp"

/// Files to restart from that are damaged, or lie with right checksums. What is done to a file is one line of text,
/// operations separated by "; ":
///
///     set ENTRY INDEX|all VALUE    a number of the entry: 3, -1, 0.5, nan, inf, min or max of its type
///     copy ENTRY FROM TO           an element
///     shape ENTRY N,N,...|scalar   the same elements, repeated or cut, in another shape
///     type ENTRY TYPE              the same numbers as int8 ... uint64, float32, float64
///     text ENTRY TEXT              TEXT has no blanks: _ is one, ~ a line's end
///     key NAME VALUE               of the recorded input
///     long ENTRY N                 a text of N characters
///     drop ENTRY
///     bytes SEED N                 N random bytes of the file
///     cut BYTES                    the first bytes of the file are kept
///
/// An entry is one of the checkpoint, whose checksum is made right, or the path of another dataset.
namespace tessera::testing {

/// Does it to the file. Throws std::runtime_error for a line that means nothing, or an entry that is not there.
void forge(const std::filesystem::path& file, const std::string& line);

/// An entry of a checkpoint or a dataset elsewhere.
struct Entry {
  std::string name;
  bool is_text = false;
  std::size_t count = 1;
  std::vector<std::size_t> shape;
};

/// All entries of the checkpoint, and the datasets of the observables and fields.
std::vector<Entry> entries_of(const std::filesystem::path& file);

/// A random line for a file with these entries, recorded input and size.
class Forger {
 public:
  explicit Forger(const std::filesystem::path& file);
  std::string structured(std::uint64_t seed) const;
  std::string damaged(std::uint64_t seed) const;

 private:
  std::string operation(std::mt19937_64& random, std::set<std::string>& changed) const;

  std::vector<Entry> entries_;
  std::vector<std::string> keys_;
  std::uintmax_t bytes_;
};

}  // namespace tessera::testing
