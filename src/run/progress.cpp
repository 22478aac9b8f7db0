// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/progress.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <limits>
#include <ostream>
#include <utility>

#include "options/option_table.hpp"
#include "options/text.hpp"

namespace tessera::program {
namespace {

constexpr double line_interval = 0.5;
constexpr double lines_interval = 10;
constexpr double longest_silence = 60;
constexpr double lines_step = 0.1;

std::string describe(const Advancement& now, const std::string& rate_unit, const std::string& time_unit) {
  std::array<char, 16> percent{};
  std::snprintf(percent.data(), percent.size(), "%5.1f %%", 100 * now.fraction);
  std::string text = std::string(percent.data()) + "  time " + with_unit(now.time, time_unit);
  if (now.rate > 0) text += "  " + short_number(now.rate) + " " + rate_unit;
  if (now.completed > 0 && now.fraction < 1)
    text += "  " + short_duration(now.seconds * (1 - now.fraction) / now.completed) + " left";
  return text;
}

}  // namespace

ProgressStyle progress_style(const RunOptions& run) {
  if (run.quiet || run.progress == "never") return ProgressStyle::silent;
  return run.progress == "always" || isatty(STDERR_FILENO) != 0 ? ProgressStyle::line : ProgressStyle::lines;
}

Progress::Progress(ProgressStyle style, std::ostream& stream, std::string rate_unit, std::string time_unit)
    : style_(style), stream_(stream), rate_unit_(std::move(rate_unit)), time_unit_(std::move(time_unit)) {}

double Progress::interval() const {
  if (style_ == ProgressStyle::silent) return std::numeric_limits<double>::infinity();
  return style_ == ProgressStyle::line ? line_interval : lines_interval;
}

void Progress::show(const Advancement& now) {
  const double silence = now.seconds - last_seconds_;
  if (silence < interval()) return;
  if (style_ == ProgressStyle::lines && now.fraction - last_fraction_ < lines_step && silence < longest_silence) return;
  last_seconds_ = now.seconds;
  last_fraction_ = now.fraction;
  const std::string text = describe(now, rate_unit_, time_unit_);
  if (style_ == ProgressStyle::lines) {
    stream_ << text << std::endl;
    return;
  }
  const std::size_t blanks = shown_width_ > text.size() ? shown_width_ - text.size() : 0;
  stream_ << '\r' << text << std::string(blanks, ' ') << std::flush;
  shown_width_ = text.size();
}

void Progress::clear() {
  if (shown_width_ == 0) return;
  stream_ << '\r' << std::string(shown_width_, ' ') << '\r' << std::flush;
  shown_width_ = 0;
}

}  // namespace tessera::program
