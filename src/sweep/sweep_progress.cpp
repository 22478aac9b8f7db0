// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "sweep/sweep_progress.hpp"

#include <ostream>

namespace tessera::program {
namespace {

constexpr double line_interval = 0.5;
constexpr double lines_interval = 10;

}  // namespace

std::string describe(const PointsDone& now, std::size_t points) {
  std::string text = std::to_string(now.finished) + " of " + counted(static_cast<long long>(points), "point") +
                     " done, " + std::to_string(now.running) + " running";
  if (now.failed > 0) text += ", " + std::to_string(now.failed) + " failed";
  if (now.finished > 0 && now.running > 0) {
    const auto left = static_cast<double>(points - now.finished - now.failed);
    const double each = now.seconds_of_finished / static_cast<double>(now.finished);
    text += ", " + short_duration(each * left / static_cast<double>(now.running)) + " left";
  }
  return text;
}

SweepProgress::SweepProgress(ProgressStyle style, std::ostream& stream, std::size_t points)
    : style_(style), stream_(stream), points_(points) {}

void SweepProgress::show(const PointsDone& now) {
  if (style_ == ProgressStyle::silent) return;
  if (now.seconds - last_seconds_ < (style_ == ProgressStyle::line ? line_interval : lines_interval)) return;
  const std::size_t ended = now.finished + now.failed;
  if (style_ == ProgressStyle::lines && ended == last_ended_) return;
  last_seconds_ = now.seconds;
  last_ended_ = ended;
  const std::string text = describe(now, points_);
  if (style_ == ProgressStyle::lines) {
    stream_ << text << std::endl;
    return;
  }
  stream_ << '\r' << text << std::string(shown_width_ > text.size() ? shown_width_ - text.size() : 0, ' ')
          << std::flush;
  shown_width_ = text.size();
}

void SweepProgress::clear() {
  if (shown_width_ == 0) return;
  stream_ << '\r' << std::string(shown_width_, ' ') << '\r' << std::flush;
  shown_width_ = 0;
}

}  // namespace tessera::program
