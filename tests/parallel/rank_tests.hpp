// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <tessera/core/observable.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <vector>

#include "rank_main.hpp"
#include "tests/io/memory_archive.hpp"

/// What rank tests share.
namespace tessera {

inline const parallel::Communicator& ranks() { return world().communicator(); }
/// Whether this is the rank that has what goes to one alone.
inline bool has_all() { return ranks().rank() == 0; }

/// Every grid of all ranks.
inline std::vector<parallel::GridShape> grids() {
  std::vector<parallel::GridShape> all;
  for (int nx = 1; nx <= ranks().size(); ++nx)
    if (ranks().size() % nx == 0) all.push_back({nx, ranks().size() / nx});
  return all;
}

/// "on NX x NY ranks".
inline std::string on_ranks(const parallel::GridShape& grid) {
  return "on " + std::to_string(grid.nx) + " x " + std::to_string(grid.ny) + " ranks";
}

/// NaN equals NaN.
inline std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

inline void expect_equal(const std::vector<Observable>& some, const std::vector<Observable>& others) {
  ASSERT_EQ(some.size(), others.size());
  for (std::size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(some[i].name, others[i].name);
    EXPECT_EQ(bits_of(some[i].values), bits_of(others[i].values)) << some[i].name;
    EXPECT_EQ(bits_of(some[i].errors), bits_of(others[i].errors)) << some[i].name;
  }
}

/// All of these ranks: they have the same values and errors.
inline void expect_agreement(const Observable& mine, const parallel::Communicator& among) {
  Observable of_zero = mine;
  for (auto* values : {&of_zero.values, &of_zero.errors}) {
    ASSERT_EQ(values->size(), among.broadcast(values->size())) << mine.name;
    among.broadcast(std::as_writable_bytes(std::span(*values)));
  }
  expect_equal({mine}, {of_zero});
}

/// What a simulation saves.
io::MemoryArchive saved(const auto& simulation) {
  io::MemoryArchive archive;
  simulation.save(archive);
  return archive;
}

}  // namespace tessera
