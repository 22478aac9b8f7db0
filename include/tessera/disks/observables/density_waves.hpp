// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/on_gpu.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/observables/structure_factor.hpp>
#include <tessera/disks/state/points.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/parallel/array_transfer.hpp>
#include <utility>
#include <vector>
#if defined(TESSERA_HAVE_KOKKOS_KERNELS)
#include <KokkosBlas3_gemm.hpp>
#endif

/// S(q) of all wave vectors by a product of two matrices. Each has a row for each disk of a strip, and the cosine and
/// the sine of each wave number along its axis, from 0 on, as adjacent columns. The sums of a strip are exact as
/// doubles, and are added up as integers.
namespace tessera::disks {

/// Shapes of the matrices. A part of the product has a tile of columns along x.
struct WaveTable {
  static constexpr int tile = 64, most_tiles = 32;
  static constexpr std::int64_t factors = std::int64_t{1} << 23;

  std::vector<int> heights;  ///< columns along y of the wave vectors of each part
  int columns_x = 0, columns_y = 0;

  explicit WaveTable(const std::vector<WaveNumber>& waves) {
    for (const WaveNumber& q : waves) {
      const auto part = static_cast<std::size_t>(2 * std::abs(q.x) / tile);
      heights.resize(std::max(heights.size(), part + 1));
      heights[part] = std::max(heights[part], 2 * q.y + 2);
      columns_y = std::max(columns_y, (2 * q.y / tile + 1) * tile);
    }
    columns_x = static_cast<int>(heights.size()) * tile;
  }

  int columns() const { return columns_x + columns_y; }                              ///< of both matrices
  int columns_of_product() const { return std::min(columns_x, most_tiles * tile); }  ///< along x, of several parts
  /// Disks of a strip: about `factors` over the columns, at least 256, and so few that sums of products are exact.
  std::int64_t rows(std::int64_t disks) const {
    return std::min(disks, std::max(std::int64_t{256}, factors / std::max(1, columns())));
  }
  /// Bytes of DensityWaves for this number of disks of all replicas.
  std::size_t bytes(std::int64_t disks, std::int64_t replicas) const {
    if (heights.empty()) return 0;
    std::int64_t numbers = 2 * disks + rows(disks) * columns() + replicas * columns_x * columns_y;
#if defined(KOKKOSKERNELS_ENABLE_TPL_CUBLAS)
    numbers += std::int64_t{columns_of_product()} * columns_y;
#endif
    return static_cast<std::size_t>(numbers) * sizeof(double);
  }
};

/// a b + c where this is exact.
KOKKOS_FORCEINLINE_FUNCTION double exact_sum(double a, double b, double c) {
#if defined(TESSERA_ON_GPU)
  return __fma_rn(a, b, c);
#else
  return a * b + c;
#endif
}

/// Sums of the products over the disks that a rank owns, computed in parts.
template <class ExecutionSpace>
class DensityWaves {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::device_type>;

  DensityWaves(const ExecutionSpace& space, const std::vector<WaveNumber>& waves, int replicas)
      : space_(space),
        waves_(waves),
        table_(waves),
        starts_("tessera::disks::starts", static_cast<std::size_t>(replicas) + 1),
        sums_("tessera::disks::density_waves", static_cast<std::size_t>(replicas),
              static_cast<std::size_t>(table_.columns_x), static_cast<std::size_t>(table_.columns_y)) {}

  /// Begins a sample: lists the disks, replica by replica. Returns the number of parts.
  std::int64_t begin(const State<MemorySpace>& state) {
    if (waves_.empty()) return 0;
    Kokkos::deep_copy(space_, sums_, std::int64_t{0});
    const Cells<MemorySpace> cells = state.cells;
    const Geometry g = cells.geometry;
    const auto origins = state.origins;
    const auto starts = starts_;
    const std::int64_t all = g.all_own_cells(), of_replica = all / g.replicas;
    for (std::int64_t disks = 0;;) {
      const auto points = points_;
      const auto room = static_cast<std::int64_t>(points.size());
      Kokkos::parallel_scan(
          "tessera::disks::list_disks", Indices<ExecutionSpace>(space_, 0, all),
          KOKKOS_LAMBDA(std::int64_t number, std::int64_t & before, bool last) {
            const NumberedCell at(g, number);
            const int n = cells.counts(at.stored);
            for (int slot = 0; slot < n && last && before + slot < room; ++slot) {
              const Origin p = steps_in_box(g, g.column_in_grid(at.x), g.row_in_grid(at.y),
                                            cells.position(slot, at.stored), origins(at.replica));
              points(before + slot) = {static_cast<double>(p.x) / static_cast<double>(g.steps_x()),
                                       static_cast<double>(p.y) / static_cast<double>(g.steps_y())};
            }
            if (last && number % of_replica == 0) starts(at.replica) = before;
            before += n;
            if (last && number == all - 1) starts(g.replicas) = before;
          },
          disks);
      if (disks <= room) break;
      Kokkos::realloc(Kokkos::WithoutInitializing, points_, static_cast<std::size_t>(disks));
      Kokkos::realloc(Kokkos::WithoutInitializing, factors_, static_cast<std::size_t>(table_.rows(disks)),
                      static_cast<std::size_t>(table_.columns()));
#if defined(KOKKOSKERNELS_ENABLE_TPL_CUBLAS)
      Kokkos::realloc(Kokkos::WithoutInitializing, product_, static_cast<std::size_t>(table_.columns_of_product()),
                      static_cast<std::size_t>(table_.columns_y));
#endif
    }
    first_ = to_host(space_, starts_);
    const std::int64_t rows = factors_.extent_int(0);
    return rows == 0 ? 0 : (first_.back() + rows - 1) / rows * std::ssize(table_.heights);
  }

  /// Launches the kernels of `count` parts from number `first` on.
  void add(std::int64_t first, std::int64_t count) {
    const std::int64_t tiles = std::ssize(table_.heights), rows = factors_.extent_int(0);
    for (std::int64_t part = first, more; part < first + count; part += more) {
      const std::int64_t tile = part % tiles, begin = part / tiles * rows, end = std::min(begin + rows, first_.back());
      more = std::min({tiles - tile, first + count - part, std::int64_t{WaveTable::most_tiles}});
      if (tile == 0) set_factors(begin, end);
      multiply(begin, end, static_cast<int>(tile), static_cast<int>(more));
    }
  }

  /// Factors of the listed disks from `begin` to `end`.
  void set_factors(std::int64_t begin, std::int64_t end) {
    const auto points = points_;
    const auto factors = factors_;
    const int along_x = table_.columns_x / 2, all = table_.columns() / 2;
    Kokkos::parallel_for(
        "tessera::disks::factors", Indices<ExecutionSpace>(space_, 0, (end - begin) * all),
        KOKKOS_LAMBDA(std::int64_t number) {
          const std::int64_t row = number / all;
          const int k = static_cast<int>(number - row * all);
          const BoxPoint at = points(begin + row);
          const Phase phase(k < along_x ? k * at.x : (k - along_x) * at.y);
          factors(row, 2 * k) = phase.cosine;
          factors(row, 2 * k + 1) = phase.sine;
        });
  }

  /// Adds the products of these disks for `tiles` parts of the columns along x.
  void multiply(std::int64_t begin, std::int64_t end, int tile, int tiles) {
    const auto sums = sums_;
    const auto factors = factors_;
    const int first_x = tile * WaveTable::tile, columns_x = tiles * WaveTable::tile, first_y = table_.columns_x;
    const auto replica = static_cast<int>(std::upper_bound(first_.begin(), first_.end(), begin) - first_.begin()) - 1;
    const int height = table_.heights[static_cast<std::size_t>(tile)];
#if defined(KOKKOSKERNELS_ENABLE_TPL_CUBLAS)  // on CPUs, and without a BLAS, the kernel below is twice as fast
    if (!runs_on_host<ExecutionSpace> && first_[static_cast<std::size_t>(replica) + 1] >= end) {
      const std::pair rows(std::int64_t{0}, end - begin);
      const auto product = Kokkos::subview(product_, std::pair(0, columns_x), std::pair(0, height));
      KokkosBlas::gemm(space_, "T", "N", 1.0, Kokkos::subview(factors, rows, std::pair(first_x, first_x + columns_x)),
                       Kokkos::subview(factors, rows, std::pair(first_y, first_y + height)), 0.0, product);
      Kokkos::parallel_for(
          "tessera::disks::add_product", Indices<ExecutionSpace>(space_, 0, std::int64_t{columns_x} * height),
          KOKKOS_LAMBDA(std::int64_t number) {
            const std::int64_t x = number / height, y = number - x * height;
            sums(replica, first_x + x, y) += static_cast<std::int64_t>(product(x, y) / product_unit);
          });
      return;
    }
#endif
    // A lane has 4 columns along each axis, at a distance on GPUs, so that lanes read adjacent ones together.
    constexpr int side = runs_on_host<ExecutionSpace> ? 1 : 16, block = 4 * side;
    constexpr std::int64_t rows_of_lane = 512;
    const auto starts = starts_;
    const int across = columns_x / block, up = (height + block - 1) / block;
    const std::int64_t lanes = std::int64_t{across} * up * side * side;
    Kokkos::parallel_for(
        "tessera::disks::density_waves",
        Indices<ExecutionSpace>(space_, 0, lanes * ((end - begin + rows_of_lane - 1) / rows_of_lane)),
        KOKKOS_LAMBDA(std::int64_t number) {
          const std::int64_t part = number / lanes;
          const int lane = static_cast<int>(number - part * lanes), in_block = lane % (side * side);
          const int x = first_x + lane / (side * side) % across * block + in_block / side;
          const int y = lane / (side * side) / across * block + in_block % side;
          const std::int64_t from = begin + part * rows_of_lane, to = Kokkos::min(end, from + rows_of_lane);
          int r = replica;
          for (std::int64_t disk = from; disk < to; ++r) {
            double sum[4][4] = {};
            for (const std::int64_t last = Kokkos::min(to, starts(r + 1)); disk < last; ++disk)
              for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                  sum[i][j] = exact_sum(factors(disk - begin, x + i * side),
                                        factors(disk - begin, first_y + y + j * side), sum[i][j]);
            for (int i = 0; i < 4; ++i)
              for (int j = 0; j < 4; ++j)
                if (sum[i][j] != 0)
                  Kokkos::atomic_add(&sums(r, x + i * side, y + j * side),
                                     static_cast<std::int64_t>(sum[i][j] / product_unit));
          }
        });
  }

  /// Collective, when all ranks have added all parts. Appends S(q) of each wave vector to the sample of each replica.
  void append_to(std::vector<std::vector<double>>& samples, std::int64_t particles,
                 const parallel::Communicator& ranks) const {
    if (waves_.empty()) return;
    const auto sums = parallel::sum_on_host(space_, sums_, ranks);
    for (std::size_t r = 0; r < samples.size(); ++r) {
      samples[r].reserve(samples[r].size() + waves_.size());
      for (const WaveNumber& q : waves_) {
        const int x = 2 * std::abs(q.x), y = 2 * q.y, sign = q.x < 0 ? -1 : 1;
        const auto re = static_cast<double>(sums(r, x, y) - sign * sums(r, x + 1, y + 1)) * product_unit;
        const auto im = static_cast<double>(sums(r, x, y + 1) + sign * sums(r, x + 1, y)) * product_unit;
        samples[r].push_back((re * re + im * im) / static_cast<double>(particles));
      }
    }
  }

 private:
  ExecutionSpace space_;
  std::vector<WaveNumber> waves_;
  WaveTable table_;
  Kokkos::View<std::int64_t*, MemorySpace> starts_;                           ///< of replicas in the list
  std::vector<std::int64_t> first_;                                           ///< copy of starts_
  Kokkos::View<std::int64_t***, Kokkos::LayoutRight, MemorySpace> sums_;      ///< [replica, column along x, along y]
  Kokkos::View<BoxPoint*, MemorySpace> points_{"tessera::disks::listed", 0};  ///< disks, in units of the sides
  Matrix factors_{"tessera::disks::factors", 0, 0}, product_{"tessera::disks::product", 0, 0};
};

}  // namespace tessera::disks
