// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "ranks/follow.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/io/checkpoint_reader.hpp>
#include <tessera/io/checkpoint_writer.hpp>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "method.hpp"
#include "ranks/leader.hpp"
#include "ranks/packed.hpp"
#include "ranks/protocol.hpp"
#include "ranks/rank_settings.hpp"
#include "stop_signal.hpp"

namespace tessera::program {
namespace {

class Follower {
 public:
  explicit Follower(const parallel::World& world) : world_(world), leader_(world.communicator()) {}

  int run() {
    while (true) {
      auto [command, content] = leader_.command();
      leader_.note_signals();
      if (command == Command::end) return content.get<int>();
      try {
        obey(command, std::move(content));
      } catch (const InputError& error) {
        leader_.answer(Answer::input_error, error.what());
      } catch (const SavingGivenUp&) {
        leader_.answer(Answer::run_error, "");
      } catch (const std::exception& error) {
        leader_.answer(Answer::run_error, error.what());
      }
    }
  }

 private:
  void obey(Command command, Packed content) {
    switch (command) {
      case Command::check:
        return check(std::move(content));
      case Command::make:
        return make();
      case Command::start:
        return begin(true, [this](const auto& look) { return simulation_->start(look); });
      case Command::load:
        return load();
      case Command::advance: {
        const auto until = content.get<double>();
        return begin(content.get<bool>(), [this, until](const auto& look) {
          return simulation_->time() >= until || simulation_->advance(until, look);
        });
      }
      case Command::measure:
        return give(simulation_->measure());
      case Command::history:
        return give(simulation_->drain_history());
      case Command::fields:
        fields_ = simulation_->fields();
        return leader_.answer(Answer::done);
      case Command::field_part:
        return give_field(std::move(content));
      case Command::particles:
        return give_particles();
      case Command::save: {
        EntriesForLeader entries(leader_);
        io::CheckpointWriter writer(entries);
        simulation_->save(writer);
        return leader_.answer(Answer::done);
      }
      default:
        throw std::logic_error("rank 0 tells what makes no sense");
    }
  }

  template <class T>
  void give(const std::vector<T>& values) {
    Packed content;
    content.put(values);
    leader_.answer(Answer::done, content);
  }

  void check(Packed content) {
    install_signal_handlers();
    plan_ = RankPlan::get(content);
    settings_ = check_part(world_, plan_, method_);
    Packed where;
    where.put(place_of(settings_));
    leader_.answer(Answer::done, where);
  }

  void make() {
    kokkos_.emplace(settings_);
    simulation_ = method_->make_simulation(settings_.backend);
    report(true);
  }

  void report(bool arrived) {
    Packed content;
    Report(*simulation_, arrived).put(content);
    leader_.answer(Answer::done, content);
  }

  void load() {
    simulation_->load(io::CheckpointReader(std::make_shared<EntriesOfLeader>(leader_)));
    report(true);
  }

  /// Does what takes long until it is done, and then waits for rank 0 to say that it is over for all; or, if it may be
  /// stopped, until rank 0 says so or a signal comes.
  template <class Action>
  void begin(bool may_stop, const Action& action) {
    bool over = false;
    const auto look = [&] {
      leader_.note_signals();
      over = over || leader_.has_command();
      return !may_stop || (!over && !leader_.noted_stop());
    };
    try {
      report(action(look));
    } catch (const InputError& error) {
      leader_.answer(Answer::input_error, error.what());
    } catch (const std::exception& error) {
      leader_.answer(Answer::run_error, error.what());
    }
    while (!leader_.has_command()) {
      leader_.note_signals();
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    leader_.command();
  }

  void give_field(Packed content) {
    const auto number = content.get<std::size_t>();
    const auto first = content.get<std::size_t>(), count = content.get<std::size_t>();
    const auto send = [&]<class T>(const io::Parts<T>& parts) {
      send_part(leader_, io::Content::of(parts), sizeof(T), first, count);
    };
    const auto visit = [&](const auto& data) {
      if constexpr (requires { data.size(); }) {
        send_part(leader_, {data.data(), {}}, sizeof(double), first, count);
      } else {
        send(data);
      }
    };
    std::visit(visit, fields_.at(number).data);
  }

  void give_particles() {
    const auto frames = simulation_->particles();
    leader_.answer(Answer::done);
    for (const ParticleFrame& frame : frames)
      for (const auto& positions : frame.positions) leader_.send(std::as_bytes(std::span(positions)));
  }

  const parallel::World& world_;
  Leader leader_;
  RankPlan plan_;
  KokkosSettings settings_;
  std::unique_ptr<Method> method_;
  std::optional<KokkosScope> kokkos_;
  std::unique_ptr<SimulationInterface> simulation_;
  std::vector<Field> fields_;
};

}  // namespace

int follow(const parallel::World& world) { return Follower(world).run(); }

}  // namespace tessera::program
