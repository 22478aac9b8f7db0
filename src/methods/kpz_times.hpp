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

/// Whether --measure-times is a list, and not `log` or `auto`.
bool is_list_of_times(const std::string& text);
/// The times of --measure-times: a list; `log`: 0, and 2^k and 3 * 2^(k-1); `auto`: these, or similar times that
/// contain all waiting times.
std::vector<double> measurement_times(const std::string& text, const std::vector<double>& waiting_times);

}  // namespace tessera::program
