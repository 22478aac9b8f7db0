// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tessera::testing {

/// Bytes of Tessera's Views in all memory spaces, of those allocated since the first call.
inline std::size_t bytes_of_views() {
  namespace tools = Kokkos::Tools::Experimental;
  using Space = Kokkos::Tools::SpaceHandle;
  static std::atomic<std::size_t> bytes{0};
  static constexpr auto is_ours = [](const char* label) { return std::string_view(label).starts_with("tessera"); };
  [[maybe_unused]] static const bool counts = [] {
    tools::set_allocate_data_callback([](Space, const char* label, const void*, const std::uint64_t size) {
      if (is_ours(label)) bytes += size;
    });
    tools::set_deallocate_data_callback([](Space, const char* label, const void*, const std::uint64_t size) {
      if (is_ours(label)) bytes -= size;
    });
    return true;
  }();
  return bytes;
}

/// Calls make(), and expects that the Views of what it returns take these bytes, but for a part and a few KiB.
template <class Make>
void expect_bytes_of_views(std::size_t expected, const Make& make, double part = 0) {
  const std::size_t before = bytes_of_views();
  const auto made = make();
  EXPECT_NEAR(static_cast<double>(bytes_of_views() - before), static_cast<double>(expected),
              part * static_cast<double>(expected) + 3000);
}

}  // namespace tessera::testing
