// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <tessera/core/host_array.hpp>
#include <tessera/parallel/distribution.hpp>
#include <tessera/parallel/rank_zero.hpp>
#include <utility>
#include <vector>

namespace tessera::parallel {

/// All `ranks`: the sum of a View of each, on the host, after all earlier work of the space. May overwrite the View.
template <class ExecutionSpace, class View>
auto sum_on_host(const ExecutionSpace& space, const View& view, const Communicator& ranks) {
  space.fence("tessera::parallel::sum_on_host");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  ranks.sum(std::span(host.data(), host.size()));
  return host;
}

/// Position in memory of this rank's entries of a table of each replica.
struct BlockLayout {
  std::size_t replicas, columns, rows;  ///< without ghosts
  std::size_t row, replica;             ///< distance in memory of rows, and of replicas
  std::size_t first = 0;                ///< index in memory of the first entry

  bool is_contiguous() const { return first == 0 && row == columns && replica == row * rows; }
  /// Index in memory of an entry, numbered row by row, replica by replica.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t index(std::size_t number) const {
    const std::size_t y = number / columns;
    return first + y / rows * replica + y % rows * row + number % columns;
  }
};

namespace detail {
/// Copies entries from number `first` on to `part`, or back.
template <bool pack, class ExecutionSpace, class View, class Part>
void copy_entries(const ExecutionSpace& space, const BlockLayout& layout, const View& view, std::size_t first,
                  const Part& part) {
  Kokkos::parallel_for(
      pack ? "tessera::parallel::pack_entries" : "tessera::parallel::unpack_entries",
      Indices<ExecutionSpace, std::size_t>(space, 0, part.size()), KOKKOS_LAMBDA(std::size_t i) {
        auto& entry = view(layout.index(first + i));
        if (pack)
          part(i) = entry;
        else
          entry = part(i);
      });
}
}  // namespace detail

/// Transfer of arrays of all replicas between Views of the ranks and rank 0. All functions are collective.
template <class ExecutionSpace>
class ArrayTransfer {
 public:
  /// Arrays [replicas, rows, columns].
  ArrayTransfer(const ExecutionSpace& space, const Distribution& distribution, const BlockLayout& layout)
      : space_(space),
        ranks_(distribution.ranks),
        pieces_(distribution.pieces(layout.replicas, {{layout.columns, layout.rows}})),
        layout_(layout),
        shape_{layout.replicas, pieces_[0].tables[0].rows, pieces_[0].tables[0].columns} {}
  /// Arrays [replicas, elements] with these tables at this rank, contiguous in memory.
  ArrayTransfer(const ExecutionSpace& space, const Distribution& distribution, std::size_t replicas,
                const std::vector<Extent>& tables)
      : space_(space),
        ranks_(distribution.ranks),
        pieces_(distribution.pieces(replicas, tables)),
        layout_{1, 1, 1, 1, 1},
        shape_{replicas, pieces_[0].size() / replicas} {}

  /// Copies `count` elements from number `first` on to `to` at rank 0.
  template <class T, class View>
  void read(const View& view, std::size_t first, std::size_t count, std::span<T> to) const {
    gather_elements(ranks_, pieces_, first, count, to,
                    [&](std::size_t from, std::span<T> part) { copy_from(view, from, part); });
  }

  /// Returns the whole array at rank 0, and an empty one at the other ranks.
  template <class View, class T = typename View::non_const_value_type>
  std::vector<T> gather(const View& view) const {
    std::vector<T> all(size_at_rank_zero());
    read(view, 0, pieces_[0].size(), std::span<T>(all));
    return all;
  }

  /// Copies `values`, which are empty except at rank 0, to the Views.
  template <class T, class View>
  void write(const std::vector<T>& values, const View& view) const {
    scatter_elements<T>(ranks_, pieces_, values,
                        [&](std::size_t at, std::span<const T> part) { copy_to(view, at, part); });
  }

  /// The archive is that of rank 0.
  template <class View>
  void save(io::CheckpointWriter& archive, const std::string& name, const View& view,
            const std::string& unit = "") const {
    using T = typename View::non_const_value_type;
    if constexpr (runs_on_host<ExecutionSpace>)
      if (ranks_.size() == 1) {
        space_.fence("tessera::parallel::save");
        return archive.array(name, std::span<const T>(view.data(), pieces_[0].size()), shape_, unit);
      }
    write_gathered(
        ranks_, sizeof(T),
        [&](const io::Content& content) {
          archive.write(name, io::element_type_of<T>(), content, pieces_[0].size(), shape_, unit);
        },
        in_bytes<T>([&](std::size_t first, std::size_t count, std::span<T> to) { read(view, first, count, to); }));
  }
  template <class View>
  void load(const io::CheckpointReader& archive, const std::string& name, const View& view) const {
    std::vector<typename View::non_const_value_type> values;
    at_rank_zero(ranks_, [&] {
      values.resize(size_at_rank_zero());
      archive.array(name, std::span(values), shape_);
    });
    write(values, view);
  }

 private:
  std::size_t size_at_rank_zero() const { return ranks_.rank() == 0 ? pieces_[0].size() : 0; }
  template <class T>
  auto buffer(std::size_t size) const {
    return Kokkos::View<T*, typename ExecutionSpace::memory_space>(
        Kokkos::view_alloc(space_, Kokkos::WithoutInitializing, "tessera::parallel::entries"), size);
  }
  template <class T, class View>
  void copy_from(const View& view, std::size_t first, std::span<T> part) const {
    const auto whole = std::pair(first, first + part.size());
    if (layout_.is_contiguous()) return copy_and_wait(space_, host_array(part), Kokkos::subview(view, whole));
    const auto packed = buffer<T>(part.size());
    detail::copy_entries<true>(space_, layout_, view, first, packed);
    copy_and_wait(space_, host_array(part), packed);
  }
  template <class T, class View>
  void copy_to(const View& view, std::size_t first, std::span<const T> part) const {
    const auto whole = std::pair(first, first + part.size());
    if (layout_.is_contiguous()) return copy_and_wait(space_, Kokkos::subview(view, whole), host_array(part));
    const auto packed = buffer<T>(part.size());
    copy_and_wait(space_, packed, host_array(part));
    detail::copy_entries<false>(space_, layout_, view, first, packed);
    space_.fence("tessera::parallel::unpack_entries");
  }

  ExecutionSpace space_;
  Communicator ranks_;
  std::vector<Pieces> pieces_;  ///< of all ranks
  BlockLayout layout_;
  std::vector<std::size_t> shape_;  ///< of the whole array
};

}  // namespace tessera::parallel
