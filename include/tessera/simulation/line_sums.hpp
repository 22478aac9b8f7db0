// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <tessera/analysis/exact_sums.hpp>
#include <tessera/analysis/fourier_modes.hpp>
#include <tessera/core/host_array.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/parallel/array_transfer.hpp>
#include <tessera/parallel/distribution.hpp>
#include <vector>

namespace tessera {

/// Sums over the nx columns, and then over the ny rows, of the lattice of each replica, exact integers, and the Fourier
/// modes f(k) = N^(-1/2) sum over all N = nx ny sites of f exp(-i k r) along both axes.
template <class ExecutionSpace, bool wide = runs_on_host<ExecutionSpace>>
class LineSums {
 public:
  /// Rows that a team sums, and columns that a lane sums at once, of cells one by one.
  static constexpr int rows = wide ? 64 : 16, columns = wide ? 64 : 1;

  /// Of a rank's block of nx * ny sites.
  LineSums(int replicas, int nx, int ny, const parallel::Distribution& distribution = {})
      : part_(distribution.cut({static_cast<std::size_t>(nx), static_cast<std::size_t>(ny)}, distribution.grid.rank())),
        ranks_(distribution.ranks),
        sums_("tessera::line_sums", static_cast<std::size_t>(replicas), part_.columns + part_.rows) {}

  /// Calls add(replica, x, y, count, of_rows, of_columns) for all strips of `count` <= rows rows from y on, and in each
  /// for all groups x of `width` columns: it adds to the sums of the strip's rows, and of the group's columns.
  template <int width, class Add>
  void sum(const ExecutionSpace& space, const std::string& label, const Add& add) const {
    using Sums = analysis::ExactSums<rows>;
    using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
    const int nx = static_cast<int>(part_.own_columns), ny = static_cast<int>(part_.own_rows);
    const int groups = (nx + width - 1) / width, strips = (ny + rows - 1) / rows;
    const int lanes = runs_on_host<ExecutionSpace>
                          ? 1
                          : std::clamp(static_cast<int>(std::bit_ceil(static_cast<unsigned>(groups))), 32, 256);
    const auto sums = sums_;
    const auto first_column = static_cast<std::int64_t>(part_.first_column),
               first_row = static_cast<std::int64_t>(part_.columns + part_.first_row);
    Kokkos::deep_copy(space, sums, std::uint64_t{0});
    Kokkos::parallel_for(
        label, Policy(space, static_cast<int>(sums.extent(0)) * strips, lanes),
        KOKKOS_LAMBDA(const typename Policy::member_type& team) {
          const int replica = static_cast<int>(team.league_rank()) / strips;
          const int y = (static_cast<int>(team.league_rank()) - replica * strips) * rows;
          const int count = ny - y < rows ? ny - y : rows;
          Sums of_rows;
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, groups),
              [&](int x, Sums& part) {
                std::uint64_t of_columns[width] = {};
                add(replica, x, y, count, part.value, of_columns);
                for (int c = 0; c < width && x * width + c < nx; ++c)
                  Kokkos::atomic_add(&sums(replica, first_column + x * width + c), of_columns[c]);
              },
              Kokkos::Sum<Sums>(of_rows));
          Kokkos::single(Kokkos::PerTeam(team), [&] {
            for (int i = 0; i < count; ++i) sums(replica, first_row + y + i) = of_rows.value[i];
          });
        });
  }

  /// Adds the longest waves of a quantity, k = 2 pi / n, as slow modes, and with `all` S(k) = |f(k)|^2 for all k = 2 pi
  /// j / n, as functions named S. `differences`: a sum less the number of sites of the line is that of f minus that
  /// of the line before. Collective.
  void add_waves(const ExecutionSpace& space, const std::string& quantity, const std::string& unit, bool all,
                 const std::string& s, std::vector<Observable>& to, bool differences = false) const {
    const auto summed = parallel::sum_on_host(space, sums_, ranks_);
    const std::vector<std::string> names = analysis::names_of_waves(quantity);
    const double cells = static_cast<double>(part_.columns) * static_cast<double>(part_.rows),
                 scale = 1 / std::sqrt(cells);
    for (const bool along_x : {true, false}) {
      const std::size_t n = along_x ? part_.columns : part_.rows, first = along_x ? 0 : part_.columns;
      const std::vector<analysis::Mode> phases = analysis::phases(n);
      Observable re{.name = names[first > 0 ? 2 : 0], .unit = unit, .values = {}, .is_slow_mode = true},
          im = re, function{.name = s + (along_x ? "_x" : "_y"), .unit = unit.empty() ? "" : unit + "^2", .values = {}};
      im.name = names[first > 0 ? 3 : 1];
      for (std::size_t r = 0; r < sums_.extent(0); ++r) {
        std::vector<std::int64_t> lines(&summed(r, first), &summed(r, first) + n);
        if (differences) {
          for (std::int64_t& line : lines) line -= static_cast<std::int64_t>(along_x ? part_.rows : part_.columns);
          std::partial_sum(lines.begin(), lines.end(), lines.begin());
        }
        const analysis::Mode longest = analysis::fourier_mode(lines, phases);
        re.values.push_back(scale * longest.re);
        im.values.push_back(scale * longest.im);
        for (std::size_t j = 1; all && j <= n / 2; ++j)
          function.values.push_back(analysis::fourier_mode(lines, phases, j).square() / cells);
      }
      function.arguments = all ? n / 2 : 0;
      to.insert(to.end(), {re, im});
      if (all) to.push_back(function);
    }
  }

 private:
  parallel::CutTable part_;  ///< this rank's block
  parallel::Communicator ranks_;
  Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>
      sums_;  ///< [replicas, nx + ny]
};

}  // namespace tessera
