// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <any>
#include <cstddef>
#include <map>
#include <ranges>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::io {

/// A checkpoint in memory: what a simulation saves and loads, without a file. It has what simulations ask of
/// CheckpointWriter and CheckpointReader, and keeps copies. Reading what it does not have, or with another type or
/// shape, is a mistake of the caller: std::invalid_argument.
class MemoryArchive {
 public:
  /// Keeps a contiguous range, row-major, of the given shape, in place of what the name stood for. Units are not kept.
  template <std::ranges::contiguous_range Range>
  void array(const std::string& name, const Range& data, const std::vector<std::size_t>& shape,
             const std::string& /*unit*/) {
    using T = std::remove_cv_t<std::ranges::range_value_t<Range>>;
    entries_[name] = {std::vector<T>(std::ranges::begin(data), std::ranges::end(data)), shape};
  }

  /// Reads an array of this shape into a contiguous range of its size.
  template <std::ranges::contiguous_range Range>
  void array(const std::string& name, Range&& data, const std::vector<std::size_t>& shape) const {
    const auto& read = values<std::ranges::range_value_t<Range>>(name);
    if (this->shape(name) != shape || read.size() != std::ranges::size(data)) refuse(name, "has another shape");
    std::ranges::copy(read, std::ranges::begin(data));
  }

  bool has(const std::string& name) const { return entries_.contains(name); }
  const std::vector<std::size_t>& shape(const std::string& name) const { return entry(name).shape; }

  /// The elements of an array, which the caller may change.
  template <class T>
  const std::vector<T>& values(const std::string& name) const {
    const auto* found = std::any_cast<std::vector<T>>(&entry(name).values);
    if (found == nullptr) refuse(name, "has another type");
    return *found;
  }
  template <class T>
  std::vector<T>& values(const std::string& name) {
    return const_cast<std::vector<T>&>(std::as_const(*this).template values<T>(name));
  }

  void remove(const std::string& name) { entries_.erase(name); }

 private:
  struct Entry {
    std::any values;  ///< std::vector<T>
    std::vector<std::size_t> shape;
  };

  [[noreturn]] static void refuse(const std::string& name, const std::string& why) {
    throw std::invalid_argument("the entry '" + name + "' " + why);
  }
  const Entry& entry(const std::string& name) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) refuse(name, "is missing");
    return found->second;
  }

  std::map<std::string, Entry> entries_;
};

}  // namespace tessera::io
