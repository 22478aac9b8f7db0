// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <tessera/core/history.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::program {

template <class T, class Of>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Of>;

// What is sent of a struct is listed once, in fields() of it.
auto fields(MaybeConst<Observable> auto& o) { return std::tie(o.name, o.unit, o.values, o.errors, o.is_diagnostic); }
auto fields(MaybeConst<History> auto& h) { return std::tie(h.name, h.names, h.units, h.columns); }
auto fields(MaybeConst<parallel::GridShape> auto& g) { return std::tie(g.nx, g.ny); }

template <class T>
concept HasFields = requires(T& value) { fields(value); };

/// Values as bytes, to be sent to another rank: written one after the other, and read in the same order. All ranks are
/// of one build.
class Packed {
 public:
  Packed() = default;
  explicit Packed(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  static Packed of(const auto&... values) {
    Packed packed;
    (packed.put(values), ...);
    return packed;
  }

  std::span<const std::byte> bytes() const { return bytes_; }

  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  void put(T value) {
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), first, first + sizeof(T));
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(values.size());
    for (const T& value : values) put(value);
  }
  void put(const std::string& text) {
    put(text.size());
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    bytes_.insert(bytes_.end(), first, first + text.size());
  }
  template <HasFields T>
  void put(const T& value) {
    std::apply([this](const auto&... field) { (put(field), ...); }, fields(value));
  }
  /// What is packed already.
  void put(const Packed& more) { bytes_.insert(bytes_.end(), more.bytes_.begin(), more.bytes_.end()); }

  /// Reads what was put as a T.
  template <class T>
  T get() {
    T value{};
    get(value);
    return value;
  }
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  void get(T& value) {
    std::memcpy(&value, next(sizeof(T)), sizeof(T));
  }
  template <class T>
  void get(std::vector<T>& values) {
    values.resize(get<std::size_t>());
    for (T& value : values) get(value);
  }
  void get(std::string& text) {
    const auto size = get<std::size_t>();
    text.assign(reinterpret_cast<const char*>(next(size)), size);
  }
  template <HasFields T>
  void get(T& value) {
    std::apply([this](auto&... field) { (get(field), ...); }, fields(value));
  }

 private:
  const std::byte* next(std::size_t count) {
    if (count > bytes_.size() - at_) throw std::logic_error("a message between ranks is shorter than its content");
    at_ += count;
    return bytes_.data() + (at_ - count);
  }

  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace tessera::program
