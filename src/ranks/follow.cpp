// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "ranks/follow.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
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

/// Of systems that are shared out rank 0 alone writes, and reads, what the simulations have.
class NoEntries : public io::CheckpointWriter::Target, public io::CheckpointReader::Entries {
 public:
  void write(const std::string&, io::ElementType, const io::Content&, std::size_t, const std::vector<std::size_t>&,
             const std::string&) override {
    refuse();
  }
  void write_text(const std::string&, const std::string&) override { refuse(); }
  bool has(const std::string&) const override { refuse(); }
  std::vector<std::size_t> shape(const std::string&) const override { refuse(); }
  void read(const std::string&, io::ElementType, void*, std::size_t, const std::vector<std::size_t>&) const override {
    refuse();
  }
  std::string text(const std::string&) const override { refuse(); }

 private:
  [[noreturn]] static void refuse() { throw std::logic_error("rank 0 has the file"); }
};

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
        tell_failure(error);
      }
    }
  }

 private:
  /// Where systems are shared out, RunError is one of all ranks; anything else ends the job: the others wait for this
  /// rank.
  void tell_failure(const std::exception& error) const {
    if (plan_.shared && dynamic_cast<const RunError*>(&error) == nullptr) throw;
    leader_.answer(Answer::run_error, error.what());
  }

  void obey(Command command, Packed content) {
    switch (command) {
      case Command::check:
        return check(std::move(content));
      case Command::make:
        return make(std::move(content));
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
      case Command::serve_fields:
        return simulation_->serve_fields();
      case Command::save:
        return save();
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

  void make(Packed content) {
    world_.use(content.get<parallel::Transport>());
    kokkos_.emplace(settings_);
    simulation_ = plan_.shared ? method_->make_shared({settings_.backend, world_.communicator().split(0), plan_.grid})
                               : method_->make_simulation(settings_.backend);
    report(true);
  }

  void report(bool arrived) {
    Packed content;
    Report(*simulation_, arrived).put(content);
    leader_.answer(Answer::done, content);
  }

  void save() {
    EntriesForLeader entries(leader_);
    NoEntries none;
    io::CheckpointWriter writer(plan_.shared ? static_cast<io::CheckpointWriter::Target&>(none) : entries);
    simulation_->save(writer);
    leader_.answer(Answer::done);
  }

  void load() {
    std::shared_ptr<const io::CheckpointReader::Entries> entries = std::make_shared<NoEntries>();
    if (!plan_.shared) entries = std::make_shared<EntriesOfLeader>(leader_);
    simulation_->load(io::CheckpointReader(entries));
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
      tell_failure(error);
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
    if (plan_.shared) return;
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
