// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

/// Times of measurement of the octahedron model, in Monte Carlo steps.
namespace tessera::program {

/// Reads increasing times of 0 or more: "1,10,100". Throws InputError; `others`: what else an option may be.
std::vector<double> read_times(const std::string& text, const std::string& others = {});
std::string write_times(const std::vector<double>& times);

/// 0, and 2^k and 3 * 2^(k-1): 1, 2, 3, 4, 6, 8, 12, 16, 24, ...
std::vector<double> logarithmic_times();

/// Times that contain all waiting times: logarithmic_times(), if they do. Otherwise 0, and 1 to the waiting times and
/// from each to the next one in equal ratios near sqrt(2), which beyond the last one is that before it; rounded to
/// whole times.
std::vector<double> times_through(const std::vector<double>& waiting_times);

}  // namespace tessera::program
