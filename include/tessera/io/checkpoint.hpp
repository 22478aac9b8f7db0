// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <ranges>
#include <string>
#include <type_traits>
#include <vector>

/// Output files, checkpoints, and lattices from files.
namespace tessera::io {

/// Element types of datasets. Files are little-endian on all machines.
enum class ElementType { float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64 };

/// A C++ type that maps to exactly one ElementType. Booleans and characters do not: use a std::uint8_t or a text.
template <class T>
concept Element = (std::is_integral_v<T> && !std::is_same_v<std::remove_cv_t<T>, bool> &&
                   !std::is_same_v<std::remove_cv_t<T>, char> && !std::is_same_v<std::remove_cv_t<T>, wchar_t> &&
                   sizeof(T) <= 8) ||
                  std::is_same_v<std::remove_cv_t<T>, float> || std::is_same_v<std::remove_cv_t<T>, double>;

/// The ElementType of T, by size and signedness: `long` and `long long` are both int64 where both have 64 bits.
template <Element T>
constexpr ElementType element_type_of() {
  using enum ElementType;
  if (std::is_floating_point_v<T>) return sizeof(T) == 4 ? float32 : float64;
  constexpr ElementType with_sign[] = {int8, int16, int32, int64}, without[] = {uint8, uint16, uint32, uint64};
  return (std::is_signed_v<T> ? with_sign : without)[std::countr_zero(sizeof(T))];
}

/// Bytes of one element.
std::size_t element_size(ElementType type);

/// Name for messages: "float64", "int8", ...
const char* element_name(ElementType type);

/// Elements of an array of any type, row-major, that need not be in host memory as a whole.
struct Content {
  const void* data = nullptr;  ///< all elements; null: call `read`
  /// Writes the elements from number `first` on. It is called for consecutive parts of some millions, each once.
  std::function<void(std::size_t first, std::size_t count, void* to)> read = {};

  /// Copies elements of this size from number `first` on.
  void copy(std::size_t first, std::size_t count, std::size_t element, void* to) const {
    if (data == nullptr) return read(first, count, to);
    std::memcpy(to, static_cast<const std::byte*>(data) + first * element, count * element);
  }
};

/// Largest number of bytes of a text in a file, for writing and reading.
inline constexpr std::size_t longest_text = std::size_t{1} << 26;

/// Writes a checkpoint, to a file, to memory or to another process: named arrays, scalars and texts under
/// `/checkpoint`, each with a checksum of its content, name, type and shape that CheckpointReader verifies.
/// OutputFile::publish() creates the writer of a file and passes it to the caller. This base class writes nothing, as
/// for a rank without the file.
///
/// Names are unique in a checkpoint, not empty, and without '/'; std::invalid_argument otherwise. A failure to write
/// throws an exception, which OutputFile::publish() converts to RunError.
class CheckpointWriter {
 public:
  virtual ~CheckpointWriter() = default;

  /// Writes a contiguous range (span, vector, ...) in host memory, row-major. The product of `shape` must be the number
  /// of elements (std::invalid_argument otherwise). The data are not copied. `unit` becomes an attribute if not empty.
  template <std::ranges::contiguous_range Range>
  requires Element<std::ranges::range_value_t<Range>>
  void array(const std::string& name, const Range& data, const std::vector<std::size_t>& shape,
             const std::string& unit = "") {
    using T = std::remove_cv_t<std::ranges::range_value_t<Range>>;
    write(name, element_type_of<T>(), Content{std::ranges::data(data), {}}, std::ranges::size(data), shape, unit);
  }

  /// Writes a one-dimensional array.
  template <std::ranges::contiguous_range Range>
  requires Element<std::ranges::range_value_t<Range>>
  void array(const std::string& name, const Range& data) {
    array(name, data, {static_cast<std::size_t>(std::ranges::size(data))});
  }

  /// Writes one number.
  template <Element T>
  void scalar(const std::string& name, T value) {
    write(name, element_type_of<T>(), Content{&value, {}}, 1, {}, "");
  }

  /// Writes a text, UTF-8 without null characters.
  virtual void text(const std::string& /*name*/, const std::string& /*value*/) {}

  /// Writes an array of any type, of `count` elements.
  virtual void write(const std::string& /*name*/, ElementType, const Content&, std::size_t /*count*/,
                     const std::vector<std::size_t>& /*shape*/, const std::string& /*unit*/) {}
};

class FileCheckpoint;

/// Reads a checkpoint: of a file, in memory or of another process. This base class has no entries, as for a rank
/// without the file. Every function throws InputError with the file, the entry and the error if the entry is missing,
/// has an unexpected type or shape, or does not match its checksum.
class CheckpointReader {
 public:
  virtual ~CheckpointReader() = default;
  class Source;

  /// Opens the checkpoint of the file at `path`, written by `method` ("kmc", "kpz", "disks"). Throws InputError if the
  /// file has none, is missing, truncated or not HDF5, or was written by another method, format or program.
  static FileCheckpoint open(const std::filesystem::path& path, const std::string& method);

  /// Returns whether the checkpoint has an entry of this name.
  virtual bool has(const std::string& /*name*/) const { return false; }

  /// Reads an array into a contiguous range. Throws std::invalid_argument unless its size is that of `expected_shape`.
  template <std::ranges::contiguous_range Range>
  requires Element<std::ranges::range_value_t<Range>>
  void array(const std::string& name, Range&& data, const std::vector<std::size_t>& expected_shape) const {
    using T = std::ranges::range_value_t<Range>;
    read(name, element_type_of<T>(), std::ranges::data(data), std::ranges::size(data), expected_shape);
  }

  /// Reads a one-dimensional array of exactly this many elements.
  template <std::ranges::contiguous_range Range>
  requires Element<std::ranges::range_value_t<Range>>
  void array(const std::string& name, Range&& data) const {
    array(name, data, {static_cast<std::size_t>(std::ranges::size(data))});
  }

  /// Reads one number.
  template <Element T>
  T scalar(const std::string& name) const {
    T value{};
    read(name, element_type_of<T>(), &value, 1, {});
    return value;
  }

  /// Reads an array of any type, of `count` elements.
  virtual void read(const std::string& /*name*/, ElementType, void* /*data*/, std::size_t /*count*/,
                    const std::vector<std::size_t>& /*expected_shape*/) const {}
};

/// The group `/checkpoint` of an open file.
class FileCheckpoint : public CheckpointReader {
 public:
  /// Throws InputError if there is none.
  explicit FileCheckpoint(std::shared_ptr<const Source> source);

  bool has(const std::string& name) const override;
  /// Shape of an array; empty for a scalar or a text.
  std::vector<std::size_t> shape(const std::string& name) const;
  void read(const std::string& name, ElementType type, void* data, std::size_t count,
            const std::vector<std::size_t>& expected_shape) const override;
  std::string text(const std::string& name) const;

 private:
  std::shared_ptr<const Source> source_;
};

}  // namespace tessera::io
