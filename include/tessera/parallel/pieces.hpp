// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_zero.hpp>
#include <vector>

/// Arrays of the whole lattice, distributed among ranks.
namespace tessera::parallel {

/// Columns and rows of a table, of which a rank has a rectangle.
struct CutTable {
  std::size_t columns, rows;                                   ///< of the whole table
  std::size_t first_column, own_columns, first_row, own_rows;  ///< of the rank

  std::size_t size() const { return columns * rows; }              ///< elements of the table
  std::size_t own_size() const { return own_columns * own_rows; }  ///< elements of the rank
};

/// An array of consecutive tables, the same for each replica. The part of a rank is its rectangles, in this order.
struct Pieces {
  std::size_t replicas;          ///< each with these tables
  std::vector<CutTable> tables;  ///< of a replica

  std::size_t size() const { return replicas * sum(&CutTable::size); }          ///< elements of the whole
  std::size_t own_size() const { return replicas * sum(&CutTable::own_size); }  ///< elements of the rank

  /// Calls what(in_whole, in_part, count) for the rank's elements among elements begin to end - 1 of the whole, piece
  /// by piece and in order. A piece is contiguous in the whole and in the part.
  template <class What>
  void for_each(std::size_t begin, std::size_t end, const What& what) const {
    std::size_t first = 0, own_first = 0;
    for (std::size_t replica = 0; replica < replicas; ++replica)
      for (const CutTable& table : tables) {
        if (first < end && begin < first + table.size()) rows_of(table, first, own_first, begin, end, what);
        first += table.size();
        own_first += table.own_size();
      }
  }
  /// Their number; count(0, begin) is the index in the part of the first of them.
  std::size_t count(std::size_t begin, std::size_t end) const {
    std::size_t all = 0;
    for_each(begin, end, [&](std::size_t, std::size_t, std::size_t count) { all += count; });
    return all;
  }

 private:
  std::size_t sum(std::size_t (CutTable::*number)() const) const {
    std::size_t all = 0;
    for (const CutTable& table : tables) all += (table.*number)();
    return all;
  }
  template <class What>
  static void rows_of(const CutTable& t, std::size_t first, std::size_t own_first, std::size_t begin, std::size_t end,
                      const What& what) {
    const std::size_t first_row = begin > first ? (begin - first) / t.columns : 0,
                      end_row = std::min(t.rows, (end - first - 1) / t.columns + 1);
    for (std::size_t y = std::max(first_row, t.first_row); y < std::min(end_row, t.first_row + t.own_rows); ++y) {
      const std::size_t row = first + y * t.columns + t.first_column, from = std::max(begin, row),
                        to = std::min(end, row + t.own_columns);
      if (from < to) what(from, own_first + (y - t.first_row) * t.own_columns + (from - row), to - from);
    }
  }
};

/// An array of the whole, read part by part. All ranks: writes `count` elements from number `first` on to `to` at rank
/// 0.
template <class T>
using Gather = std::function<void(std::size_t first, std::size_t count, std::span<T> to)>;

/// The same in bytes.
template <class T>
Gather<std::byte> in_bytes(const Gather<T>& elements) {
  return [elements](std::size_t first, std::size_t count, std::span<std::byte> to) {
    elements(first / sizeof(T), count / sizeof(T), {reinterpret_cast<T*>(to.data()), to.size() / sizeof(T)});
  };
}

/// Number of elements per message between ranks.
template <class T>
inline constexpr std::size_t most_elements = bytes_at_once / sizeof(T);

/// Calls what(begin, end) for consecutive ranges of this size.
template <class T, class What>
void in_stretches(std::size_t first, std::size_t count, const What& what) {
  for (std::size_t begin = first; begin < first + count; begin += most_elements<T>)
    what(begin, std::min(first + count, begin + most_elements<T>));
}

/// All ranks: calls what(rank, its pieces, begin, end, buffer) for each rank's elements in consecutive ranges, begin to
/// end - 1 of the whole, at that rank and at rank 0. The buffer has their size, which is not 0.
template <class T, class What>
void in_turns(const Communicator& ranks, const std::vector<Pieces>& pieces, std::size_t first, std::size_t count,
              const What& what) {
  in_stretches<T>(first, count, [&](std::size_t begin, std::size_t end) {
    for (int rank = 0; rank < ranks.size(); ++rank) {
      if (ranks.rank() != 0 && ranks.rank() != rank) continue;
      const Pieces& of_rank = pieces[static_cast<std::size_t>(rank)];
      std::vector<T> elements(of_rank.count(begin, end));
      if (!elements.empty()) what(rank, of_rank, begin, end, std::span<T>(elements));
    }
  });
}

/// All ranks: gathers `count` elements from number `first` on into `to` at rank 0. Each rank reads its own elements by
/// read(first, span) of its part. `pieces` are those of all ranks.
template <class T, class Read>
void gather_elements(const Communicator& ranks, const std::vector<Pieces>& pieces, std::size_t first, std::size_t count,
                     std::span<T> to, const Read& read) {
  if (ranks.size() == 1) return read(first, to);
  const auto gather = [&](int rank, const Pieces& of_rank, std::size_t begin, std::size_t end, std::span<T> elements) {
    if (ranks.rank() == rank) read(of_rank.count(0, begin), elements);
    if (ranks.rank() != 0) return ranks.send(0, std::as_bytes(elements));
    if (rank != 0) ranks.receive(rank, std::as_writable_bytes(elements));
    const T* next = elements.data();
    of_rank.for_each(begin, end, [&](std::size_t in_whole, std::size_t, std::size_t n) {
      std::copy_n(next, n, to.data() + (in_whole - first));
      next += n;
    });
  };
  in_turns<T>(ranks, pieces, first, count, gather);
}

/// All ranks: scatters `whole` of rank 0. Each rank writes its elements by write(first, span) of its part.
template <class T, class Write>
void scatter_elements(const Communicator& ranks, const std::vector<Pieces>& pieces, std::span<const T> whole,
                      const Write& write) {
  if (ranks.size() == 1) return write(std::size_t{0}, whole);
  const auto scatter = [&](int rank, const Pieces& of_rank, std::size_t begin, std::size_t end, std::span<T> elements) {
    T* next = elements.data();
    if (ranks.rank() == 0)
      of_rank.for_each(begin, end, [&](std::size_t in_whole, std::size_t, std::size_t n) {
        next = std::copy_n(whole.data() + in_whole, n, next);
      });
    else
      ranks.receive(0, std::as_writable_bytes(elements));
    if (ranks.rank() != rank) return ranks.send(rank, std::as_bytes(elements));
    write(of_rank.count(0, begin), std::span<const T>(elements));
  };
  in_turns<T>(ranks, pieces, 0, pieces.front().size(), scatter);
}

}  // namespace tessera::parallel
