// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "sweep/sweep_progress.hpp"

namespace tessera::program {

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
    : text_(style, stream), points_(points) {}

void SweepProgress::show(const PointsDone& now) {
  if (text_.silence(now.seconds) < text_.interval()) return;
  const std::size_t ended = now.finished + now.failed;
  if (text_.style() == ProgressStyle::lines && ended == last_ended_) return;
  last_ended_ = ended;
  text_.write(describe(now, points_), now.seconds);
}

}  // namespace tessera::program
