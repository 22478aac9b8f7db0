// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/state/loaded_entries.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/io/checkpoint.hpp>
#include <vector>

namespace tessera::disks {

/// Radius of the trial moves of each replica: that of the parameters, or tuned to a target acceptance during the
/// equilibration and constant afterwards, as detailed balance requires.
class RadiusTuning {
 public:
  explicit RadiusTuning(const Parameters& p)
      : target_(p.tune_acceptance),
        until_(target_ > 0 ? static_cast<std::int64_t>(p.equilibrate) : 0),
        radii_(static_cast<std::size_t>(p.replicas), p.move_radius),
        last_(static_cast<std::size_t>(p.replicas)) {}

  const std::vector<double>& radii() const { return radii_; }

  bool due(std::int64_t sweep) const { return sweep > 0 && sweep <= until_ && sweep % tuning_interval == 0; }
  /// The next sweep at which the radius is tuned; the largest integer if there is none.
  std::int64_t next(std::int64_t sweep) const {
    const std::int64_t at = (sweep / tuning_interval + 1) * tuning_interval;
    return at <= until_ ? at : std::numeric_limits<std::int64_t>::max();
  }

  /// `moves`: counts since sweep 0.
  void tune(const std::vector<MoveCount>& moves) {
    for (std::size_t r = 0; r < radii_.size(); ++r) {
      const double tried = static_cast<double>(moves[r].tried - last_[r].tried);
      const double accepted = static_cast<double>(moves[r].accepted - last_[r].accepted);
      // The term 1/2 on both sides limits a change to a factor of three, and damps noise.
      const double radius = radii_[r] * (0.5 + accepted / tried) / (0.5 + target_);
      radii_[r] = std::clamp(radius, least_move_radius, largest_move_radius);
    }
    last_ = moves;
  }

  void save(io::CheckpointWriter& archive) const {
    archive.array("radius", radii_, {radii_.size()}, "sigma");
    archive.array("moves_at_tuning", viewed_as<std::uint64_t>(last_), {last_.size(), 2});
  }
  /// `moves`: counts since sweep 0. Throws InputError if the entries are inconsistent.
  void load(const io::CheckpointReader& archive, const std::vector<MoveCount>& moves) {
    const double given = radii_[0];
    archive.array("radius", radii_, {radii_.size()});
    archive.array("moves_at_tuning", viewed_as<std::uint64_t>(last_), {last_.size(), 2});
    for (const double radius : radii_)
      require_of_entry(target_ > 0 ? radius >= least_move_radius && radius <= largest_move_radius : radius == given,
                       "radius", "an impossible move radius of " + std::to_string(radius) + " sigma");
    for (std::size_t r = 0; r < last_.size(); ++r)
      require_of_entry(last_[r].tried <= moves[r].tried && last_[r].accepted <= moves[r].accepted &&
                           last_[r].accepted <= last_[r].tried,
                       "moves_at_tuning", "more moves than were made");
  }

 private:
  double target_;
  std::int64_t until_;
  std::vector<double> radii_;
  std::vector<MoveCount> last_;  ///< counts at the last tuning
};

}  // namespace tessera::disks
