// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "option_table.hpp"

namespace tessera::program {

/// Whether the points of a sweep may differ in this option: it decides what is computed, not where or how it is told.
bool can_vary(const Option& option);

/// The values that a word of a sweep stands for, each as the option's set() reads it. Values are separated by `;`, or
/// by commas where no value of this option has any. FROM:TO:COUNT stands for so many values at equal distances, both
/// ends included, FROM:TO:COUNT:log for values at equal ratios. Throws InputError, "must be ...", for a range that is
/// none and for an empty value.
std::vector<std::string> values_of(const Option& option, const std::string& text);

/// A value as the option writes it, so that 0.70 and 0.7 are one; "64,64" of a pair as "64". It is set.
std::string canonical(const Option& option, const std::string& value);

/// One text of several values, as values_of() reads it.
std::string joined_values(const Option& option, const std::vector<std::string>& values);

}  // namespace tessera::program
