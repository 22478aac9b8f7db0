// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/on_gpu.hpp>
#include <tessera/kmc/kernels/due_times.hpp>
#include <tessera/kmc/kernels/window_frame.hpp>
#include <tessera/kmc/state/scratch.hpp>

namespace tessera::kmc {

/// The smallest word of each block of a window's cells. Functions of all cells have `cells` (TeamCells), which orders
/// those with the same key.
class BlockWords {
 public:
  bool settles_ties = false;  ///< whether ties are settled, if `may_settle`
  int apart = 0;              ///< distance in x or y at which events commute

  /// Updates the block of cell (x, y) after a change of a word.
  template <bool whole, bool may_settle>
  KOKKOS_FORCEINLINE_FUNCTION void refresh_block(int x, int y) const {
    const int column = static_cast<int>(static_cast<unsigned>(x) / width),
              row = static_cast<int>(static_cast<unsigned>(y) / height);
    const std::uint32_t smallest = smallest_of_block<may_settle>(column, row);
    std::uint32_t* const its = block_words_ + (row + 1) * bordered_ + column + 1;
    *its = smallest;
    if constexpr (whole) {  // copies in the periodic border
      const int right = column == 0 ? blocks_x_ : (column == blocks_x_ - 1 ? -blocks_x_ : 0);
      const int up = (row == 0 ? blocks_y_ : (row == blocks_y_ - 1 ? -blocks_y_ : 0)) * bordered_;
      its[right] = its[up] = its[right + up] = smallest;
    }
  }

 protected:
  static constexpr int width = TeamLayout::block_width, height = TeamLayout::block_height;  // of a block

  KOKKOS_FORCEINLINE_FUNCTION BlockWords(const TeamLayout& layout, char* level0, const TeamArrays& at)
      : words_(array_at<std::uint32_t>(level0, at.words)),
        stride_(layout.stride),
        block_words_(array_at<std::uint32_t>(level0, at.block_words)),
        blocks_x_(layout.blocks_x),
        blocks_y_(layout.blocks_y),
        bordered_(layout.bordered_x) {}

  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t smaller(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

  /// The smallest word of a block. If ties are settled, its lowest bit is 1 if another cell has the same key, and may
  /// be 1 if one has the next key.
  template <bool may_settle>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t smallest_of_block(int block_x, int block_y) const {
    const std::uint32_t* const first = words_ + block_y * height * stride_ + block_x * width;
    std::uint32_t smallest = beyond_window;
    for (int row = 0; row < height; ++row) {
      const Row four = *reinterpret_cast<const Row*>(first + row * stride_);
      smallest = smaller(smallest, smaller(smaller(four.word[0], four.word[1]), smaller(four.word[2], four.word[3])));
    }
    if (may_settle && settles_ties) {
      std::uint32_t above = beyond_window;  // smallest difference of another word, less 1
      for (int row = 0; row < height; ++row) {
        const Row four = *reinterpret_cast<const Row*>(first + row * stride_);
        for (const std::uint32_t word : four.word) above = smaller(above, word - smallest - 1);
      }
      smallest = (smallest & ~1u) | (above < 1u << key_shift ? 1u : 0u);
    }
    return smallest;
  }

  /// The packed() cell of a block that has this word.
  KOKKOS_FORCEINLINE_FUNCTION int cell_of(int block_x, int block_y, std::uint32_t word) const {
    const int position = static_cast<int>((word >> 1) % (width * height));
    return packed(block_x * width + position % width, block_y * height + position / width);
  }

  /// The smallest word of the blocks that have cells at most 6 away, in x and y, from the cell with this word of block
  /// (x, y), and are not around its block.
  template <bool whole>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t smallest_further(int x, int y, std::uint32_t word) const {
    const unsigned position = (word >> 1) % (width * height);
    const int further_x = with_border<whole>(x + (position % width < width / 2 ? -2 : 2), blocks_x_),
              further_y = with_border<whole>(y + (position / width < height / 2 ? -2 : 2), blocks_y_);
    const auto of = [&](int block_x, int block_y) { return block_words_[(block_y + 1) * bordered_ + block_x + 1]; };
    std::uint32_t smallest = of(further_x, further_y);
    for (int i = -1; i <= 1; ++i) smallest = smaller(smallest, smaller(of(further_x, y + i), of(x + i, further_y)));
    return smallest;
  }

  /// The smallest word of the blocks at most `away` from block (x, y), in x and y, that are not around it.
  template <bool whole, int away>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t smallest_away(int x, int y) const {
    constexpr int blocks = 2 * away + 1;  // of a side
    std::uint32_t smallest = beyond_window;
    for (int k = 0; k < blocks * blocks; ++k) {
      const int i = k % blocks - away, j = k / blocks - away;
      const bool is_around = i >= -1 && i <= 1 && j >= -1 && j <= 1;
      const std::uint32_t its = block_words_[(with_border<whole>(y + j, blocks_y_) + 1) * bordered_ +
                                             with_border<whole>(x + i, blocks_x_) + 1];
      smallest = is_around ? smallest : smaller(smallest, its);
    }
    return smallest;
  }

  /// The first, packed(), of the cells of blocks (x, y) and (x + 1, y) with this key, the smallest of both blocks, if
  /// it precedes all cells of the blocks at most `away` from its own; otherwise -1.
  template <bool whole, int away, class Cells>
  KOKKOS_FORCEINLINE_FUNCTION int settled(int x, int y, std::uint32_t key, const Cells& cells) const {
    std::uint64_t bits = ~std::uint64_t{0}, rank = bits;
    has_earlier<whole>(x, y, key, cells, bits, rank);
    const int its_x = has_earlier<whole>(x + 1, y, key, cells, bits, rank) ? x + 1 : x;
    const int cell = static_cast<int>(rank & 0xffffu);
    constexpr int blocks = 2 * away + 1;  // of a side of the square around the block
#if defined(TESSERA_ON_GPU)
#pragma unroll 1
#endif
    for (int i = 0; i < blocks * blocks; ++i) {
      int block_x = its_x + i % blocks - away, block_y = y + i / blocks - away;
      if constexpr (away > 1) {
        block_x = with_border<whole>(block_x, blocks_x_);
        block_y = with_border<whole>(block_y, blocks_y_);
      }
      const std::uint32_t its_key = key_of(block_words_[(block_y + 1) * bordered_ + block_x + 1]);
      const bool is_own = i == blocks * blocks / 2;
      if (its_key < key || (!is_own && has_earlier<whole>(block_x, block_y, key, cells, bits, rank))) return -1;
    }
    return its_x < blocks_x_ ? cell : -1;
  }

  const std::uint32_t* words_;  ///< words of the cells, in rows of whole blocks
  int stride_;                  ///< distance of rows of cells
  std::uint32_t* block_words_;  ///< smallest word of each block, with a border; TeamLayout::bordered_x per row
  int blocks_x_, blocks_y_, bordered_;

 private:
  /// Column or row i of `count`, at most three outside the window; of its border if it lies beyond.
  template <bool whole>
  KOKKOS_FORCEINLINE_FUNCTION static int with_border(int i, int count) {
    if constexpr (whole) return wrapped(i, count);
    return i < -1 ? -1 : (i > count ? count : i);
  }

  struct alignas(16) Row {
    std::uint32_t word[width];
  };

  /// Whether a cell of block (x, y) with this key precedes the event with these bits of its time and rank of its site,
  /// which then become those of the first such cell.
  template <bool whole, class Cells>
  KOKKOS_FORCEINLINE_FUNCTION bool has_earlier(int x, int y, std::uint32_t key, const Cells& cells, std::uint64_t& bits,
                                               std::uint64_t& rank) const {
    if (key_of(block_words_[(y + 1) * bordered_ + x + 1]) != key) return false;
    if constexpr (whole) {
      x = wrapped(x, blocks_x_);
      y = wrapped(y, blocks_y_);
    }
    bool result = false;
#if defined(TESSERA_ON_GPU)
#pragma unroll 1
#endif
    for (int i = 0; i < width * height; ++i) {
      const int cell_x = x * width + i % width, cell_y = y * height + i / width;
      if (key_of(words_[cell_y * stride_ + cell_x]) != key) continue;
      const std::uint64_t its_bits = cells.exact_bits(cell_x, cell_y), its_rank = cells.rank_of_site(cell_x, cell_y);
      if (its_bits > bits || (its_bits == bits && its_rank >= rank)) continue;
      bits = its_bits;
      rank = its_rank;
      result = true;
    }
    return result;
  }
};

}  // namespace tessera::kmc
