// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#ifdef TESSERA_HAVE_KOKKOS_KERNELS
#include <KokkosBlas2_team_gemv.hpp>
#endif
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tessera/core/host_array.hpp>
#include <tessera/kpz/observables/surface_sums.hpp>
#include <vector>

namespace tessera::kpz {

/// Sums over the sites of a surface and an earlier one ('): h, h', slopes that are up in both, heights beyond
/// `largest_difference`, which count as 0 in the other sums, and h h'.
struct Overlaps {
  std::int64_t heights, earlier_heights, slopes_up, too_far;
  analysis::Wide products;

  bool operator==(const Overlaps&) const = default;
};

namespace detail {
struct AddProducts {
  KOKKOS_FUNCTION void operator()(analysis::ExactSums<5>& sums, const Slopes& slopes, int left, const Slopes& other,
                                  int other_left) const {
    std::int64_t first = 0, other_first = 0, products = 0;
    int too_far = 0;
    int other_height = other_left;
    for_each_height(slopes.x, left, [&](int height, int x) {
      other_height += slope(other.x, x);
      const std::int64_t h = is_near(height) ? height : 0, other_h = is_near(other_height) ? other_height : 0;
      too_far += !is_near(height) + !is_near(other_height);
      first += h;
      other_first += other_h;
      products += h * other_h;
    });
    sums.value[0] += static_cast<std::uint64_t>(first);
    sums.value[1] += static_cast<std::uint64_t>(other_first);
    sums.value[2] += static_cast<std::uint64_t>(products);
    sums.value[3] += static_cast<std::uint64_t>(Kokkos::Experimental::popcount_builtin(slopes.x & other.x) +
                                                Kokkos::Experimental::popcount_builtin(slopes.y & other.y));
    sums.value[4] += static_cast<std::uint64_t>(too_far);
  }
};

/// Overlaps as products of a matrix, whose rows are the earlier surfaces, and a vector, the current one, by Kokkos
/// Kernels. A team unpacks strips of a row of words of all surfaces into scratch memory, and multiplies them by the
/// team-level gemv. (The device-level gemv uses only one multiprocessor per waiting time.) Elements are small integers,
/// sums 64-bit integers: results do not depend on the order of summation, and no valid lattice causes overflow.
template <class ExecutionSpace>
struct MultiplyStrips {
  static constexpr int most = 8;
  static constexpr bool on_host = runs_on_host<ExecutionSpace>;
  /// Lanes per surface, and maximum number of words of a strip; they affect speed only.
  static constexpr int lanes = on_host ? 1 : 32, words_of_strip = 16;

  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  using Team = typename Policy::member_type;
  template <class T>
  using InScratch = Kokkos::View<T, Kokkos::LayoutRight, typename ExecutionSpace::scratch_memory_space,
                                 Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Height = std::int16_t;
  using Slope = std::int8_t;
  static_assert((most + 1) * words_of_strip * word_sites * (sizeof(Height) + 2 * sizeof(Slope)) < 28 * 1024,
                "hosts have 32 KiB of scratch memory in level 0");
  static_assert(largest_difference <= std::numeric_limits<Height>::max());
  static_assert(largest_difference <= std::numeric_limits<int>::max() / largest_difference, "products are of type int");

  Lattice lattice;
  int earlier;                                              ///< number of earlier surfaces
  int strip;                                                ///< words of a strip
  Kokkos::Array<Words<ExecutionSpace>, most + 1> surfaces;  ///< the current one first
  Kokkos::Array<RowStarts<ExecutionSpace>, most + 1> starts;
  /// [replicas, most + 1, parts of quantities]
  Kokkos::View<std::uint64_t***, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> totals;

  enum Quantity { height, product, slopes_up, too_far, quantities };

  std::size_t scratch() const {
    const int here = earlier + 1, n = strip * word_sites;
    return InScratch<Height**>::shmem_size(here, n) + InScratch<Slope**>::shmem_size(here, 2 * n) +
           InScratch<int**>::shmem_size(here, strip + 1) + InScratch<std::int64_t**>::shmem_size(quantities, here);
  }
  Policy policy(const ExecutionSpace& space) const {
    Policy policy(space, lattice.all_rows() / rows_of_team, on_host ? 1 : earlier + 1, lanes);
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch())));
    return policy;
  }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int teams_of_replica = lattice.ny / rows_of_team;
    const int replica = static_cast<int>(team.league_rank()) / teams_of_replica;
    const int first_row = static_cast<int>(team.league_rank()) % teams_of_replica * rows_of_team;
    const int n = strip * word_sites;
    const InScratch<Height**> heights(team.team_scratch(0), earlier + 1, n);
    const InScratch<Slope**> slopes(team.team_scratch(0), earlier + 1, 2 * n);
    const InScratch<int**> lefts(team.team_scratch(0), earlier + 1, strip + 1);
    const InScratch<std::int64_t**> sums(team.team_scratch(0), quantities, earlier + 1);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, quantities * (earlier + 1)), [&](int i) { sums.data()[i] = 0; });
    team.team_barrier();
    for (int y = first_row; y < first_row + rows_of_team; ++y)
      for (int first = 0; first < lattice.words_x(); first += strip) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, earlier + 1), [&](int s) {
          find_lefts(team, replica, first, y, s, lefts);
          unpack(team, replica, first, y, s, lefts, heights, slopes, sums);
        });
        team.team_barrier();
        multiply(team, heights, &sums(product, 1));
        multiply(team, slopes, &sums(slopes_up, 1));
        team.team_barrier();
      }
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, quantities * (earlier + 1)), [&](int i) {
      analysis::add_in_parts(&totals(replica, i % (earlier + 1), 2 * (i / (earlier + 1))),
                             static_cast<std::uint64_t>(sums.data()[i]));
    });
  }

 private:
  /// Computes the heights to the left of all words of a strip, and of the next strip.
  KOKKOS_FORCEINLINE_FUNCTION void find_lefts(const Team& team, int replica, int first, int y, int s,
                                              const InScratch<int**>& lefts) const {
    const int start = first == 0 ? starts[s](replica, y) : lefts(s, strip);
    Kokkos::parallel_scan(Kokkos::ThreadVectorRange(team, strip), [&](int i, int& before, bool last_pass) {
      const int rise_of_word = rise(slopes_at(lattice, surfaces[s], replica, first + i, y).x);
      if (last_pass) {
        lefts(s, i) = start + before;
        if (i == strip - 1) lefts(s, strip) = start + before + rise_of_word;
      }
      before += rise_of_word;
    });
  }

  /// Unpacks a strip of surface s, such that lanes write neighbouring elements at the same time, and adds its heights.
  KOKKOS_FORCEINLINE_FUNCTION void unpack(const Team& team, int replica, int first, int y, int s,
                                          const InScratch<int**>& lefts, const InScratch<Height**>& heights,
                                          const InScratch<Slope**>& slopes,
                                          const InScratch<std::int64_t**>& sums) const {
    // Both sums of a strip in one integer: too_far * 2^40 + height.
    constexpr std::int64_t above = std::int64_t{1} << 40;
    std::int64_t both = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, strip),
        [&](int i, std::int64_t& update) {
          const Slopes of_word = slopes_at(lattice, surfaces[s], replica, first + i, y);
          int sum = 0, far = 0;
          for_each_height(of_word.x, lefts(s, i), [&](int h, int x) {
            const int value = is_near(h) ? h : 0;
            far += !is_near(h);
            sum += value;
            heights(s, x * strip + i) = static_cast<Height>(value);
            slopes(s, x * strip + i) = static_cast<Slope>(of_word.x >> x & 1);
            slopes(s, (word_sites + x) * strip + i) = static_cast<Slope>(of_word.y >> x & 1);
          });
          update += far * above + sum;
        },
        both);
    Kokkos::single(Kokkos::PerThread(team), [&]() {
      const std::int64_t low = (both + above / 2) % above - above / 2;
      sums(height, s) += low;
      sums(too_far, s) += (both - low) / above;
    });
  }

  /// Adds the product of the matrix and the vector.
  template <class Matrix>
  KOKKOS_FORCEINLINE_FUNCTION void multiply(const Team& team, const Matrix& all, std::int64_t* sums_of_earlier) const {
    using Element = typename Matrix::value_type;
    const auto n = all.extent(1);
    const InScratch<Element**> matrix(&all(1, 0), static_cast<std::size_t>(earlier), n);
    const InScratch<Element*> vector(all.data(), n);
    const InScratch<std::int64_t*> result(sums_of_earlier, static_cast<std::size_t>(earlier));
#ifdef TESSERA_HAVE_KOKKOS_KERNELS
    constexpr std::int64_t one = 1;
    KokkosBlas::Experimental::teamvector_gemv<KokkosBlas::Algo::Gemv::Unblocked>(team, 'N', one, matrix, vector, one,
                                                                                 result);
#endif
  }
};
}  // namespace detail

#ifdef TESSERA_HAVE_KOKKOS_KERNELS
inline constexpr bool have_kokkos_kernels = true;
#else
inline constexpr bool have_kokkos_kernels = false;
#endif

/// Collective. Overlaps of the surface of each replica with earlier ones, [earlier][replicas], in the whole lattice: by
/// the gemv of Kokkos Kernels or by plain sums, with the same result.
template <bool by_gemv = have_kokkos_kernels, class ExecutionSpace>
std::vector<std::vector<Overlaps>> overlaps(const ExecutionSpace& space, const Lattice& lattice,
                                            const Words<ExecutionSpace>& words,
                                            const std::vector<Words<ExecutionSpace>>& earlier,
                                            const parallel::Distribution& distribution = {}) {
  std::vector<std::vector<Overlaps>> result;
  const int images = lattice.images();
  if constexpr (!by_gemv) {
    for (const auto& other : earlier) {
      result.emplace_back();
      for (const auto& sums : sum_over_surfaces<5>(space, "tessera::kpz::correlate", lattice, words, other,
                                                   detail::AddProducts{}, distribution))
        result.back().push_back({sums.narrow(0) / images, sums.narrow(1) / images, sums.narrow(3) / images,
                                 sums.narrow(4) / images, sums.value[2] / images});
    }
  } else {
    using Multiply = detail::MultiplyStrips<ExecutionSpace>;
    int strip = std::min(Multiply::words_of_strip, lattice.words_x());
    while (lattice.words_x() % strip != 0) --strip;  // a row is a whole number of strips
    const auto starts = row_starts(space, lattice, words, distribution);
    for (std::size_t first = 0; first < earlier.size(); first += Multiply::most) {
      const int count = static_cast<int>(std::min<std::size_t>(Multiply::most, earlier.size() - first));
      Multiply multiply{lattice, count, strip, {words}, {starts}, {}};
      for (int k = 0; k < count; ++k) {
        multiply.surfaces[k + 1] = earlier[first + static_cast<std::size_t>(k)];
        multiply.starts[k + 1] = row_starts(space, lattice, multiply.surfaces[k + 1], distribution);
      }
      multiply.totals = decltype(multiply.totals)(Kokkos::view_alloc(space, "tessera::kpz::overlaps"), lattice.replicas,
                                                  count + 1, 2 * Multiply::quantities);
      Kokkos::parallel_for("tessera::kpz::multiply_strips", multiply.policy(space), multiply);
      const auto here = parallel::sum_on_host(space, multiply.totals, distribution.ranks);
      for (int k = 1; k <= count; ++k) {
        result.emplace_back();
        for (int r = 0; r < lattice.replicas; ++r) {
          const auto of = [&](int s, int quantity) {
            return analysis::sum_of_parts(here(r, s, 2 * quantity), here(r, s, 2 * quantity + 1)) / images;
          };
          const auto narrow = [&](int s, int quantity) { return static_cast<std::int64_t>(of(s, quantity)); };
          result.back().push_back(
              {narrow(0, Multiply::height), narrow(k, Multiply::height), narrow(k, Multiply::slopes_up),
               narrow(0, Multiply::too_far) + narrow(k, Multiply::too_far), of(k, Multiply::product)});
        }
      }
    }
  }
  return result;
}

}  // namespace tessera::kpz
