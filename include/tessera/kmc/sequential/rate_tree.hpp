// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::kmc {

/// A binary tree of sums of rates. Draws a leaf with a probability proportional to its rate in O(log leaves).
///
/// Each node is the rounded sum of its two children. A change recomputes the nodes above a leaf from their children, so
/// that rounding errors do not accumulate: the tree is a function of its leaves alone.
class RateTree {
 public:
  RateTree() = default;

  /// A tree of `leaves` rates, all 0.
  explicit RateTree(std::uint32_t leaves) : first_leaf_(std::bit_ceil(leaves)), nodes_(2 * std::size_t{first_leaf_}) {}

  /// Sets a rate. The sums above it are invalid until update() or update_all().
  void set(std::uint32_t leaf, double rate) { nodes_[first_leaf_ + leaf] = rate; }
  double rate(std::uint32_t leaf) const { return nodes_[first_leaf_ + leaf]; }

  /// Recomputes all sums.
  void update_all() {
    for (std::uint32_t node = first_leaf_; node-- > 1;) add(node);
  }

  /// Recomputes the sums above these leaves; common ancestors only once.
  template <std::size_t Most>
  void update(const std::uint32_t (&leaves)[Most], int count) {
    std::uint32_t nodes[Most];
    for (int i = 0; i < count; ++i) nodes[i] = first_leaf_ + leaves[i];
    while (count > 1 && nodes[0] > 1) {
      int kept = 0;
      for (int i = 0; i < count; ++i) {
        const std::uint32_t parent = nodes[i] / 2;
        bool is_new = true;
        for (int j = 0; j < kept; ++j) is_new = is_new && nodes[j] != parent;
        if (is_new) nodes[kept++] = parent;
      }
      count = kept;
      for (int i = 0; i < count; ++i) add(nodes[i]);
    }
    if (count == 1)
      for (std::uint32_t node = nodes[0] / 2; node > 0; node /= 2) add(node);
  }

  /// The sum of all rates.
  double total() const { return nodes_[1]; }

  /// The leaf at `point` on the concatenated rates, 0 <= point < total(). Its rate is not 0.
  std::uint32_t find(double point) const {
    std::uint32_t node = 1;
    while (node < first_leaf_) {
      node *= 2;
      // Rounding may place the point beyond the last rate that is not 0.
      if (point >= nodes_[node] && nodes_[node + 1] > 0) {
        point -= nodes_[node];
        ++node;
      }
    }
    return node - first_leaf_;
  }

  std::size_t bytes() const { return bytes(first_leaf_); }
  /// Size of a tree with this number of leaves.
  static std::size_t bytes(std::uint32_t leaves) { return 2 * std::size_t{std::bit_ceil(leaves)} * sizeof(double); }

 private:
  void add(std::uint32_t node) { nodes_[node] = nodes_[2 * std::size_t{node}] + nodes_[2 * std::size_t{node} + 1]; }

  std::uint32_t first_leaf_ = 1;  // a power of two
  std::vector<double> nodes_;     // node n has the children 2 n and 2 n + 1; node 1 is the root
};

}  // namespace tessera::kmc
