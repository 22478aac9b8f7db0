// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/nearest_word.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace tessera::program {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({replaced, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

std::string nearest_word(const std::string& word, const std::vector<std::string>& known) {
  constexpr std::size_t shortest_start = 3;  // "p" starts too many words to mean one of them
  if (word.size() >= shortest_start) {
    for (const auto& candidate : known)
      if (candidate.starts_with(word)) return candidate;
  }
  constexpr std::size_t letters_to_a_mistake = 3;
  std::string nearest;
  std::size_t smallest = std::numeric_limits<std::size_t>::max();
  for (const auto& candidate : known) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (word.size() > 2 * candidate.size()) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (letters_to_a_mistake * distance <= longer && distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace tessera::program
