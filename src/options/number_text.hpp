// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <string>

namespace tessera::program {

/// A positive number in four significant digits: "12.34", "8.213e+08".
std::string short_number(double value);

/// With its unit: "12.34 s", "12.34/k_2" for 1/k_2.
std::string with_unit(double value, const std::string& unit);

/// With its error, which has one digit, or two if the first one is 1, and up to the same digit: "178.50 +- 0.02".
/// Without an error that is NaN.
std::string with_error(double value, double error);

/// "12.5 MiB"
std::string short_bytes(double bytes);

/// A number of GiB.
std::string gibibytes(std::size_t bytes);

/// A wall duration for people: "4.2 s", "3 min 20 s", "5 h 12 min", "2 d 3 h".
std::string short_duration(double seconds);

/// A number with its noun: "1 thread", "2 threads".
std::string counted(long long number, const std::string& noun);

}  // namespace tessera::program
