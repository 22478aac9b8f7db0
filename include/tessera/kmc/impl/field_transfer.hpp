// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <span>
#include <tessera/core/host_array.hpp>
#include <tessera/kmc/impl/subdomains.hpp>
#include <tessera/parallel/rank_zero.hpp>
#include <utility>
#include <vector>

namespace tessera::kmc {

/// Calls what(in_part, in_memory, n) for each row of the `count` cells from number `first` on of a block, all replicas,
/// without its ghost ring: the index of the row's first cell among these cells, its index in memory, and the number of
/// cells.
template <class What>
void for_each_row(const Geometry& block, std::size_t first, std::size_t count, const What& what) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  const std::size_t width = size(block.nx - 2 * block.ghost_x * block.tile),
                    height = size(block.ny - 2 * block.ghost_y * block.tile);
  for (std::size_t at = first, end = first; at < first + count; at = end) {
    const std::size_t row = at / width, x = at % width;
    end = std::min(first + count, (row + 1) * width);
    const std::size_t replica = row / height, y = row % height + size(block.ghost_y * block.tile);
    what(at - first,
         replica * static_cast<std::size_t>(block.sites()) + y * size(block.nx) + size(block.ghost_x * block.tile) + x,
         end - at);
  }
}

/// Transfer of fields of all replicas, [replicas, ny, nx], between the subdomains and rank 0. All functions except
/// shape() are collective. Views are buffers of State.
template <class ExecutionSpace>
class FieldTransfer {
 public:
  FieldTransfer(const ExecutionSpace& space, const Subdomains& subdomains) : space_(space), subdomains_(subdomains) {}

  std::vector<std::size_t> shape() const {
    const Geometry& g = subdomains_.own();
    return {static_cast<std::size_t>(g.replicas), static_cast<std::size_t>(g.whole_ny),
            static_cast<std::size_t>(g.whole_nx)};
  }

  /// Copies `count` values from number `first` on to `to` at rank 0.
  template <class T, class View>
  void read(const View& view, std::size_t first, std::size_t count, std::span<T> to) const {
    const auto copy = [&](std::size_t at, std::span<T> part) {
      copy_and_wait(space_, host_array(part), Kokkos::subview(view, std::make_pair(at, at + part.size())));
    };
    if (subdomains_.is_serial()) return copy(first, to);
    parallel::gather_elements(
        subdomains_.ranks, subdomains_.pieces(), first, count, to, [&](std::size_t from, std::span<T> part) {
          for_each_row(subdomains_.own(), from, part.size(),
                       [&](std::size_t in_part, std::size_t at, std::size_t n) { copy(at, part.subspan(in_part, n)); });
        });
  }

  /// Returns the whole field at rank 0, and an empty one at the other ranks.
  template <class View, class T = typename View::non_const_value_type>
  std::vector<T> gather(const View& view) const {
    std::vector<T> result(size_at_rank_zero());
    read(view, 0, size(), std::span<T>(result));
    return result;
  }

  /// Copies `values`, which are empty except at rank 0, to the subdomains.
  template <class T, class View>
  void write(const std::vector<T>& values, const View& view) const {
    const auto copy = [&](std::size_t at, std::span<const T> part) {
      copy_and_wait(space_, Kokkos::subview(view, std::make_pair(at, at + part.size())), host_array(part));
    };
    if (subdomains_.is_serial()) return copy(0, values);
    parallel::scatter_elements<T>(
        subdomains_.ranks, subdomains_.pieces(), values, [&](std::size_t from, std::span<const T> part) {
          for_each_row(subdomains_.own(), from, part.size(),
                       [&](std::size_t in_part, std::size_t at, std::size_t n) { copy(at, part.subspan(in_part, n)); });
        });
  }

  template <class View>
  void save(io::CheckpointWriter& archive, const char* name, const View& view, const char* unit) const {
    using T = typename View::non_const_value_type;
    parallel::save_gathered<T>(
        subdomains_.ranks, archive, name, shape(), unit,
        [&](std::size_t first, std::size_t count, std::span<T> to) { read(view, first, count, to); });
  }

  template <class View>
  void load(const io::CheckpointReader& archive, const char* name, const View& view) const {
    using T = typename View::non_const_value_type;
    std::vector<T> values(size_at_rank_zero());
    parallel::at_rank_zero(subdomains_.ranks, [&] { archive.array(name, std::span<T>(values), shape()); });
    write(values, view);
  }

 private:
  std::size_t size() const {
    const std::vector<std::size_t> all = shape();
    return all[0] * all[1] * all[2];
  }
  std::size_t size_at_rank_zero() const { return subdomains_.ranks.rank() == 0 ? size() : 0; }

  ExecutionSpace space_;
  Subdomains subdomains_;
};

}  // namespace tessera::kmc
