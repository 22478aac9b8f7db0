// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

/// What a test program allocates. One file of the program includes this.
namespace tessera::testing {

/// Bytes that this program holds on the host, and the most that it has held.
inline std::atomic<std::size_t> held{0}, most{0};

inline void* take(std::size_t size, std::size_t alignment) {
  alignment = std::max(alignment, 2 * sizeof(std::size_t));
  const std::size_t rounded = (size + 2 * alignment - 1) / alignment * alignment;  // with room before what is given
  auto* const base = static_cast<char*>(std::aligned_alloc(alignment, rounded));
  if (base == nullptr) throw std::bad_alloc();
  auto* const given = base + alignment;
  reinterpret_cast<std::size_t*>(given)[-1] = size;
  reinterpret_cast<std::size_t*>(given)[-2] = alignment;
  const std::size_t now = held += size;
  for (std::size_t before = most; before < now && !most.compare_exchange_weak(before, now);) continue;
  return given;
}

inline void give_back(void* given) {
  if (given == nullptr) return;
  held -= static_cast<std::size_t*>(given)[-1];
  std::free(static_cast<char*>(given) - static_cast<std::size_t*>(given)[-2]);
}

}  // namespace tessera::testing

#if defined(__NVCC__)  // which takes these for functions of devices, too
#pragma nv_diag_suppress 20011, 20014
#endif
void* operator new(std::size_t size) { return tessera::testing::take(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return tessera::testing::take(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { tessera::testing::give_back(p); }
void operator delete(void* p, std::size_t) noexcept { tessera::testing::give_back(p); }
void operator delete(void* p, std::align_val_t) noexcept { tessera::testing::give_back(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { tessera::testing::give_back(p); }
