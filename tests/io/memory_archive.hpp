// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <ranges>
#include <stdexcept>
#include <string>
#include <tessera/io/checkpoint.hpp>
#include <utility>
#include <variant>
#include <vector>

namespace tessera::io {

/// A checkpoint in memory, which a simulation can save to and load from. It stores copies, without units; an entry
/// replaces one of the same name. Throws std::invalid_argument for a missing entry, or another type or shape.
class MemoryArchive : public CheckpointWriter, public CheckpointReader {
 public:
  using CheckpointReader::array;
  /// Stores an array; `unit` is ignored.
  template <std::ranges::contiguous_range Range>
  void array(const std::string& name, const Range& data, const std::vector<std::size_t>& shape,
             const std::string& unit) {
    CheckpointWriter::array(name, data, shape, unit);
  }

  void write(const std::string& name, ElementType type, const Content& content, std::size_t count,
             const std::vector<std::size_t>& shape, const std::string& /*unit*/) override {
    Entry& entry = entries_[name] = {values_of(type, std::make_index_sequence<std::variant_size_v<Values>>()), shape};
    const auto copy = [&](auto& values) {
      values.resize(count);
      if (content.data == nullptr) return content.read(0, count, values.data());
      std::memcpy(values.data(), content.data, count * sizeof values[0]);
    };
    std::visit(copy, entry.values);
  }
  void text(const std::string& name, const std::string& value) override { entries_[name] = {value, {}}; }

  bool has(const std::string& name) const override { return entries_.contains(name); }
  std::vector<std::size_t> shape(const std::string& name) const { return entry(name).shape; }
  void read(const std::string& name, ElementType type, void* data, std::size_t count,
            const std::vector<std::size_t>& expected_shape) const override {
    const auto copy = [&](const auto& values) {
      if (shape(name) != expected_shape || values.size() != count) refuse(name, "has another shape");
      std::memcpy(data, values.data(), count * sizeof values[0]);
    };
    if (entry(name).values.index() != static_cast<std::size_t>(type)) refuse(name, "has another type");
    std::visit(copy, entry(name).values);
  }
  std::string text(const std::string& name) const { return get<std::string>(name); }

  /// The elements of an array.
  template <class T>
  const std::vector<T>& values(const std::string& name) const {
    return get<std::vector<T>>(name);
  }
  /// The elements of an array, which the caller may change.
  template <class T>
  std::vector<T>& values(const std::string& name) {
    return const_cast<std::vector<T>&>(get<std::vector<T>>(name));
  }

  void remove(const std::string& name) { entries_.erase(name); }  ///< the entry, if there is one
  bool operator==(const MemoryArchive& other) const { return entries_ == other.entries_; }  ///< all entries

 private:
  template <class... T>
  using Vectors = std::variant<std::vector<T>..., std::string>;
  /// In the order of ElementType; a text last.
  using Values = Vectors<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                         std::uint16_t, std::uint32_t, std::uint64_t>;
  struct Entry {
    Values values;
    std::vector<std::size_t> shape;
    bool operator==(const Entry&) const = default;
  };

  template <std::size_t... i>
  static Values values_of(ElementType type, std::index_sequence<i...>) {
    Values values;
    ((i == static_cast<std::size_t>(type) ? void(values.emplace<i>()) : void()), ...);
    return values;
  }
  [[noreturn]] static void refuse(const std::string& name, const std::string& why) {
    throw std::invalid_argument("the entry '" + name + "' " + why);
  }
  const Entry& entry(const std::string& name) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) refuse(name, "is missing");
    return found->second;
  }
  template <class T>
  const T& get(const std::string& name) const {
    const T* found = std::get_if<T>(&entry(name).values);
    if (found == nullptr) refuse(name, "has another type");
    return *found;
  }

  std::map<std::string, Entry> entries_;
};

}  // namespace tessera::io
