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
#include <vector>

namespace tessera::testing {

/// A checkpoint in memory, with what simulations ask of io::CheckpointWriter and io::CheckpointReader.
class MemoryArchive {
 public:
  template <std::ranges::contiguous_range Range>
  void array(const std::string& name, const Range& data, const std::vector<std::size_t>& shape,
             const std::string& = "") {
    using T = std::remove_cv_t<std::ranges::range_value_t<Range>>;
    entries_[name] = {std::vector<T>(std::ranges::begin(data), std::ranges::end(data)), shape};
  }

  template <std::ranges::contiguous_range Range>
  void array(const std::string& name, Range&& data, const std::vector<std::size_t>& shape) const {
    using T = std::ranges::range_value_t<Range>;
    const Entry& entry = entries_.at(name);
    if (entry.shape != shape) throw std::runtime_error(name + " has another shape");
    const auto& values = std::any_cast<const std::vector<T>&>(entry.values);
    if (values.size() != std::ranges::size(data)) throw std::runtime_error(name + " has another size");
    std::ranges::copy(values, std::ranges::begin(data));
  }

  template <class T>
  const std::vector<T>& values(const std::string& name) const {
    return std::any_cast<const std::vector<T>&>(entries_.at(name).values);
  }
  const std::vector<std::size_t>& shape(const std::string& name) const { return entries_.at(name).shape; }

  bool has(const std::string& name) const { return entries_.contains(name); }
  void remove(const std::string& name) { entries_.erase(name); }

  /// The values of an entry, to be changed.
  template <class T>
  std::vector<T>& values(const std::string& name) {
    return *std::any_cast<std::vector<T>>(&entries_.at(name).values);
  }

 private:
  struct Entry {
    std::any values;
    std::vector<std::size_t> shape;
  };
  std::map<std::string, Entry> entries_;
};

}  // namespace tessera::testing
