// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <any>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tessera/io/parts.hpp"

namespace tessera::io {

/// A checkpoint in memory, which a simulation can save to and load from without a file. It has the functions of
/// CheckpointWriter and CheckpointReader that simulations call, and stores copies. Throws std::invalid_argument if an
/// entry is missing, or has another type or shape.
class MemoryArchive {
 public:
  /// Stores a contiguous range, row-major, of the given shape; replaces an entry of the same name. Units are not
  /// stored.
  template <std::ranges::contiguous_range Range>
  void array(const std::string& name, const Range& data, const std::vector<std::size_t>& shape,
             const std::string& /*unit*/) {
    using T = std::remove_cv_t<std::ranges::range_value_t<Range>>;
    entries_[name] = {std::vector<T>(std::ranges::begin(data), std::ranges::end(data)), shape};
  }

  /// Stores an array that is read part by part.
  template <class T>
  void array_in_parts(const std::string& name, const Parts<T>& parts, const std::vector<std::size_t>& shape,
                      const std::string& unit) {
    std::vector<T> all(std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()));
    parts(0, all);
    array(name, all, shape, unit);
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
