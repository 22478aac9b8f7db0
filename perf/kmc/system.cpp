// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "system.hpp"

#include <array>
#include <limits>
#include <memory>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/core/kokkos_ext/visit_backend.hpp>
#include <tessera/kmc/any_simulation.hpp>
#include <tessera/kmc/memory.hpp>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/space/simulation.hpp>
#include <utility>
#include <vector>

#include "../spaces.hpp"
#include "processes/compile.hpp"
#include "processes/model_file.hpp"
#include "processes/table_model.hpp"

namespace tessera::perf {

namespace {

/// The rejection-free method has its own generator, which no other method saves: it keeps its generator and takes over
/// the states, on which alone the future depends.
template <class State>
void load_states(SimulationInterface& simulation, const Archive& from) {
  Archive own;
  simulation.save(own);
  own.array("state", from.values<State>("state"), from.shape("state"), "");
  simulation.load(own);
}

template <kmc::Model M>
class SystemOf : public KmcSystem {
 public:
  SystemOf(const KmcCase& c, const kmc::Parameters& parameters, const M& model) {
    const int groups = kmc::groups_of(model), sums = kmc::kept_sums_of(model);
    if (const auto backend = backend_called(c.space)) {
      auto tiles = visit_backend(*backend, [&]<class Space>(std::type_identity<Space>) {
        bytes_ = kmc::tile_method_bytes<M>(parameters, lanes_per_tile<Space>, groups, sums);
        return kmc::make_tile_method<Space>(parameters, model);
      });
      tiles_ = tiles.get();
      simulation_ = std::move(tiles);
    } else if (parameters.method == kmc::Method::bkl) {
      kmc::Parameters p = parameters;
      p.redraw = true;  // load() has the states of another method
      simulation_ = kmc::make_bkl(p, model);
    } else {
      simulation_ = kmc::make_waiting_time(parameters, model);
    }
    if (tiles_ == nullptr) bytes_ = kmc::sequential_bytes<M>(parameters, sums);
  }

  void run(const std::function<bool()>& keep_going) override {
    simulation_->advance(std::numeric_limits<double>::infinity(), keep_going);
  }

  Counts counts() const override {
    Counts sum;
    if (tiles_ == nullptr) {
      for (const std::uint64_t events : simulation_->events()) sum.events += events;
      return sum;
    }
    for (const kmc::StepState& s : tiles_->step_states()) {
      sum.events += s.events;
      sum.steps += s.accepted + s.rejected;
      sum.rejected += s.rejected;
      sum.repaired += s.repaired;
    }
    return sum;
  }

  void save(Archive& archive) const override { simulation_->save(archive); }

  void load(const Archive& state) override {
    if (simulation_->parameters().method == kmc::Method::bkl)
      return load_states<typename M::State>(*simulation_, state);
    simulation_->load(state);
  }

  std::size_t bytes() const override { return bytes_; }

  double tiles() const override {
    if (tiles_ == nullptr) return 0;
    const kmc::Parameters& p = tiles_->parameters();
    const int tile = tiles_->tile_sizes().tile;
    return static_cast<double>(p.nx / tile) * (p.ny / tile) * p.replicas;
  }

 private:
  std::unique_ptr<kmc::AnySimulation<M>> simulation_;
  const kmc::AnyTileMethod<M>* tiles_ = nullptr;  ///< the same object, if it is of this type
  std::size_t bytes_ = 0;
};

/// In three dimensions.
class SystemInSpace : public KmcSystem {
 public:
  SystemInSpace(const KmcCase& c, kmc::Parameters p) : is_bkl_(p.method == kmc::Method::bkl) {
    const kmc::space::Choice choice = c.choice();
    const std::array<int, 3> of_cell = choice.sites_of_cell();
    p.nx = of_cell[0] * c.n;
    p.ny = of_cell[1] * c.n;
    p.nz = of_cell[2] * c.n;
    p.redraw = is_bkl_;  // load() has the states of another method
    bytes_ = static_cast<std::size_t>(c.sites()) * kmc::space::bytes_of_site(p.method);
    const auto backend = backend_called(c.space);
    simulation_ = backend ? visit_backend(*backend,
                                          [&]<class Space>(std::type_identity<Space>) {
                                            return kmc::space::make_tiles<Space>(choice, p);
                                          })
                          : kmc::space::make_sequential(choice, p);
    choice.visit([&]<class M>(const M&) {
      const auto& its = dynamic_cast<const kmc::space::Simulation<M>&>(*simulation_);
      progress_ = &its.progress();
      tiles_ = backend ? static_cast<double>(its.box().all_tiles()) * p.replicas : 0;
    });
  }
  void run(const std::function<bool()>& keep_going) override {
    simulation_->advance(std::numeric_limits<double>::infinity(), keep_going);
  }
  Counts counts() const override {
    Counts sum;
    for (const kmc::space::Progress& one : *progress_) {
      sum.events += one.events;
      sum.steps += one.accepted + one.rejected;
      sum.rejected += one.rejected;
      sum.repaired += one.repaired;
    }
    return sum;
  }
  void save(Archive& archive) const override { simulation_->save(archive); }
  void load(const Archive& state) override {
    if (is_bkl_) return load_states<std::uint8_t>(*simulation_, state);
    simulation_->load(state);
  }
  std::size_t bytes() const override { return bytes_; }
  double tiles() const override { return tiles_; }

 private:
  bool is_bkl_;
  std::unique_ptr<SimulationInterface> simulation_;
  const std::vector<kmc::space::Progress>* progress_ = nullptr;  ///< of the replicas
  std::size_t bytes_ = 0;
  double tiles_ = 0;
};

}  // namespace

std::unique_ptr<KmcSystem> make_kmc_system(const KmcCase& c, const kmc::Parameters& parameters) {
  if (c.in_space()) return std::make_unique<SystemInSpace>(c, parameters);
  for (const FileModel& one : file_models)
    if (c.model == one.name) {
      const std::string text = processes::text_with_includes(std::string(TESSERA_MODEL_FILES) + "/" + one.file);
      const processes::Settings settings(one.settings.begin(), one.settings.end());
      const auto tables = processes::compile(processes::read_model(text, one.file), settings).tables;
      return processes::visit_table_model(tables, [&]<class M>(std::type_identity<M>) -> std::unique_ptr<KmcSystem> {
        return std::make_unique<SystemOf<M>>(c, parameters, M(tables));
      });
    }
  return kmc::visit_model(c.model_of(), [&]<class M>(const M& model) -> std::unique_ptr<KmcSystem> {
    return std::make_unique<SystemOf<M>>(c, parameters, model);
  });
}

}  // namespace tessera::perf
