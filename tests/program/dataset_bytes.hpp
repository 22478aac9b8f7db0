// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <tessera/io/input_file.hpp>
#include <vector>

namespace tessera::testing {

/// The bytes of a dataset of any of the types that runs write.
inline std::vector<std::byte> dataset_bytes(const io::InputFile& file, const std::string& dataset) {
  const auto copy = [](const auto& values) {
    const auto* first = reinterpret_cast<const std::byte*>(values.data());
    return std::vector<std::byte>(first, first + values.size() * sizeof(values[0]));
  };
  switch (file.type(dataset)) {
    case io::ElementType::float64:
      return copy(file.read<double>(dataset));
    case io::ElementType::int64:
      return copy(file.read<std::int64_t>(dataset));
    case io::ElementType::uint64:
      return copy(file.read<std::uint64_t>(dataset));
    case io::ElementType::uint32:
      return copy(file.read<std::uint32_t>(dataset));
    case io::ElementType::int32:
      return copy(file.read<std::int32_t>(dataset));
    case io::ElementType::int8:
      return copy(file.read<std::int8_t>(dataset));
    default:
      ADD_FAILURE() << dataset << " has a type that the tests do not know";
      return {};
  }
}

}  // namespace tessera::testing
