// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tessera/core/error.hpp>
#include <tessera/core/kokkos_ext/visit_backend.hpp>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/state/displacements.hpp>
#include <tessera/kmc/state/tile_sizes.hpp>
#include <type_traits>
#include <vector>

#include "machine/backend.hpp"
#include "machine/machine.hpp"
#include "methods/model_source.hpp"
#include "options/option_table.hpp"
#include "options/text.hpp"
#include "processes/space_model.hpp"
#include "run/method.hpp"
#include "simulations/kmc_space.hpp"

namespace tessera::program {

/// What `tessera kmc` does in three dimensions: with Parameters::nz, the sides are numbers of cubic cells.
class KmcInSpace {
 public:
  /// Adds the options of the lattice; `applies`: whether a listed model has three dimensions.
  void add_options(OptionTable& table, const std::function<bool()>& applies) {
    table
        .add_choice("lattice", "in three dimensions: simple, body-centred or face-centred cubic", Role::trajectory,
                    choice_.lattice, {{"sc", "sc"}, {"bcc", "bcc"}, {"fcc", "fcc"}})
        .applies = applies;
    table.add("states", "Q", "potts in three dimensions: number of states, 2 to 255", Role::trajectory, choice_.states)
        .applies = applies;
  }
  std::vector<WithoutEffect> without_effect(bool in_space, const ModelSource& source) const {
    return {{{"lattice"}, !in_space, "has no effect; it requires --size NX,NY,NZ"},
            {{"states"},
             !in_space || source.from_file() || source.listed().model().name != "potts",
             "has no effect; it requires --size NX,NY,NZ and --model potts"}};
  }
  /// Name and parameters, from those of the model in the plane.
  std::string title(const std::string& of_plane) const {
    const std::string three = "three-state Potts";
    return of_plane.starts_with(three) ? write_value(choice_.states) + of_plane.substr(5) : of_plane;
  }
  const std::string& lattice() const { return choice_.lattice; }

  /// The parameters with the sides of the array of sites.
  kmc::Parameters of_array(kmc::Parameters p) const {
    const std::array<int, 3> of_cell = choice_.sites_of_cell();
    p.nx *= of_cell[0];
    p.ny *= of_cell[1];
    p.nz *= of_cell[2];
    return p;
  }
  std::int64_t sites(const kmc::Parameters& p) const {
    const std::array<int, 3> of_cell = choice_.sites_of_cell();
    return std::int64_t{p.nx} * of_cell[0] * p.ny * of_cell[1] * p.nz * of_cell[2];
  }
  /// The method if none is chosen: tiles on a GPU, or on more than four cores, for listed models that have room.
  kmc::Method default_method(const kmc::Parameters& p, bool from_file) const {
    const bool has_tiles = !from_file && std::min({p.nx, p.ny, p.nz}) >= kmc::space::least_side_for_tiles;
    const bool pays = is_gpu(built_backends().back()) || available_cores() > 4;
    return has_tiles && pays ? kmc::Method::tile : kmc::Method::waiting_time;
  }

  /// Throws InputError if the parameters, with a chosen or default method, cannot be run.
  void check(const kmc::Parameters& p, const ModelSource& source) const {
    const std::string size = write_value(p.nx) + "," + write_value(p.ny) + "," + write_value(p.nz);
    int least = 4;
    if (source.from_file()) {
      source.check(p.until_time);
      const processes::Tables& tables = source.tables();
      if (!tables.in_space)
        refuse("size", size, "the model has two dimensions; use NX,NY, or model_dimension = 3 in the file");
      if (tables.changing) throw InputError("--processes: in three dimensions rates must not change with time");
      if (const std::string why = why_no_tiles(tables); p.method == kmc::Method::tile && !why.empty())
        throw InputError("--method tile: in three dimensions " + why + "; use bkl or waiting-time");
      if (choice_.lattice != "sc") refuse("lattice", choice_.lattice, "has no effect: --processes gives the unit cell");
      least = std::max(least, (tables.smallest_side + 1) / 2 * 2);
    } else {
      check_listed(source.listed());
    }
    for (const int side : {p.nx, p.ny, p.nz})
      if (side < least || side % 2 != 0)
        refuse("size", size, source.from_file() ? "numbers of unit cells" : "numbers of cubic cells",
               " must be even and at least ", least);
    if (std::max({p.nx, p.ny, p.nz}) > 1 << 20 || sites(p) > std::int64_t{1} << 30)
      refuse("size", size, "must have at most 2^30 sites");
    if (p.method == kmc::Method::tile && std::min({p.nx, p.ny, p.nz}) < kmc::space::least_side_for_tiles)
      refuse("size", size, "tiles need sides of at least ", kmc::space::least_side_for_tiles,
             "; use --method waiting-time");
    if (p.structure_factor) throw InputError("--structure-factor: requires a lattice in the plane");
    if (choice_.states < 2 || choice_.states > 255) refuse("states", choice_.states, "must lie in [2, 255]");
    kmc::validate_extent(p, sites(p));
  }

  parallel::Distribution distribution(const kmc::Parameters& p, const Execution& execution) const {
    return kmc::space::distribute(of_array(p), execution.ranks(), execution.grid);
  }
  /// With what a checkpoint has, or a file of states, on the host, which all ranks have.
  MemoryNeeded memory(const kmc::Parameters& p, const ModelSource& source, const Execution& execution) const {
    const bool on_device = p.method == kmc::Method::tile && is_gpu(execution.backend);
    const auto ranks = static_cast<std::size_t>(execution.ranks().size()),
               all = static_cast<std::size_t>(p.replicas * sites(p));
    std::size_t of_site = kmc::space::bytes_of_site(p.method);
    if (source.from_file() && p.method != kmc::Method::tile)
      of_site += 8 * static_cast<std::size_t>(source.tables().kept_sums());
    std::size_t in_use = all * of_site;
    if (ranks > 1) {
      const std::size_t nz = static_cast<std::size_t>(of_array(p).nz);
      in_use = in_use / nz * (nz / ranks + 2 + 2 * kmc::space::most_ghosts);
      distribution(p, execution);
    }
    in_use += source.memory().host;
    std::size_t on_host = all * (p.starts.empty() ? 6 : 14);
    for (const kmc::TrackedSpecies& one : p.tracked)
      on_host += all * kmc::Displacements::bytes_of_cell(one, source.tables().start_state);
    if (!p.tracked.empty() && p.method == kmc::Method::tile) {
      on_host += all;
      in_use += kmc::space::bytes_of_records;
    }
    return {ranks * (on_host + (on_device ? 0 : in_use)), on_device ? in_use : 0};
  }

  std::unique_ptr<SimulationInterface> make(const kmc::Parameters& p, const ModelSource& source,
                                            const Execution& execution) const {
    const Backend backend = execution.backend;
    if (source.from_file() && p.method == kmc::Method::tile)
      return visit_backend(backend, [&]<class Space>(std::type_identity<Space>) {
        return kmc::space::make_tiles<Space>(source.tables(), p, distribution(p, execution));
      });
    if (source.from_file()) return kmc::space::make_sequential(source.tables(), p);
    const kmc::ModelChoice& listed = source.listed();
    kmc::space::Choice choice = choice_;
    choice.model = listed.model().name;
    const auto value = [&](const char* name, double& to) {
      if (listed.model().takes(name)) to = listed[name];
    };
    value("coupling", choice.coupling);
    value("magnetisation", choice.order);
    value("order", choice.order);
    value("attraction", choice.attraction);
    value("coverage", choice.coverage);
    if (p.method != kmc::Method::tile) return kmc::space::make_sequential(choice, of_array(p));
    return visit_backend(backend, [&]<class Space>(std::type_identity<Space>) {
      return kmc::space::make_tiles<Space>(choice, of_array(p), distribution(p, execution));
    });
  }

 private:
  /// Why a model from a file does not run by tiles; empty if it does.
  static std::string why_no_tiles(const processes::Tables& tables) {
    const processes::ReachInSpace reach(tables);
    if (reach.reads + reach.concerns > kmc::space::largest_reach_for_tiles)
      return "rates depend on cells up to " + std::to_string(reach.reads) + " away, and events change rates up to " +
             std::to_string(reach.concerns) + " away, too far for tiles";
    if (tables.kept_sums() > kmc::space::most_kept_sums)
      return "rates depend on " + std::to_string(tables.kept_sums()) + " sums over the sites around, more than " +
             std::to_string(kmc::space::most_kept_sums) + ", too many for tiles";
    return "";
  }
  void check_listed(const kmc::ModelChoice& listed) const {
    const std::string_view model = listed.model().name;
    if (model != "ising" && model != "potts" && model != "hopping")
      throw InputError("--size: three dimensions have --model ising, potts and hopping, and --processes");
    listed.check();
    for (const char* name : {"adsorption", "desorption"})
      if (listed.model().takes(name) && listed[name] != 0) refuse(name, listed[name], "must be 0 in three dimensions");
  }

  kmc::space::Choice choice_;  ///< lattice and states
};

}  // namespace tessera::program
