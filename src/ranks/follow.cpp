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
#include "ranks/followers.hpp"
#include "ranks/leader.hpp"
#include "ranks/packed.hpp"
#include "ranks/protocol.hpp"
#include "ranks/rank_groups.hpp"
#include "ranks/rank_settings.hpp"
#include "ranks/shared_simulation.hpp"
#include "stop_signal.hpp"

namespace tessera::program {
namespace {

/// Of systems that are shared out the head of the group alone writes, and reads, what the simulations have.
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
  [[noreturn]] static void refuse() { throw std::logic_error("the head of the group has the entries"); }
};

class Follower {
 public:
  explicit Follower(const parallel::World& world) : world_(world), leader_(world.communicator()) {}

  int run() {
    while (true) {
      auto [command, content] = next_command();
      // What is read in parts has been read: those who serve the fields may go on.
      if (command != Command::field_part) fields_.clear();
      if (command == Command::end) return end(content.get<int>());
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
  bool shares() const { return groups_.own.size() > 1; }
  bool is_member() const { return groups_.own.rank() > 0; }

  /// Signals are passed on until it comes; not before it is settled whom this rank follows.
  std::pair<Command, Packed> next_command() {
    while (true) {
      if (members_) members_->hear();
      if (simulation_) leader_.note_signals();
      if (leader_.has_command()) return leader_.command();
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }

  int end(int status) {
    if (members_) members_->end(status);
    return status;
  }

  /// Where systems are shared out, RunError is one of all ranks; anything else ends the job: the others wait for this
  /// rank.
  void tell_failure(const std::exception& error) const {
    if (shares() && dynamic_cast<const RunError*>(&error) == nullptr) throw;
    leader_.answer(Answer::run_error, error.what());
  }

  void obey(Command command, Packed content) {
    switch (command) {
      case Command::group:
        groups_ = RankGroups(world_.communicator(), content.get<int>());
        return;
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
        return give(simulation_->drain_histories());
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
    leader_.answer(Answer::done, Packed::of(values));
  }

  void check(Packed content) {
    install_signal_handlers();
    plan_ = content.get<RankPlan>();
    settings_ = check_part(world_, groups_.own, plan_, method_);
    leader_.answer(Answer::done, Packed::of(place_of(settings_)));
  }

  void make(Packed content) {
    world_.use(content.get<parallel::Transport>());
    kokkos_.emplace(settings_);
    leader_ = Leader(is_member() ? groups_.own : groups_.heads);
    if (!is_member()) members_ = std::make_unique<Followers>(world_, groups_.own, 1);
    simulation_ = make_of_group(*method_, {settings_.backend, groups_.own, plan_.grid}, members_.get());
    report(true);
  }

  void report(bool arrived) { leader_.answer(Answer::done, Packed::of(Report(*simulation_, arrived))); }

  void save() {
    EntriesForLeader entries(leader_);
    NoEntries none;
    io::CheckpointWriter writer(is_member() ? static_cast<io::CheckpointWriter::Target&>(none) : entries);
    simulation_->save(writer);
    leader_.answer(Answer::done);
  }

  void load() {
    std::shared_ptr<const io::CheckpointReader::Entries> entries = std::make_shared<NoEntries>();
    if (!is_member()) entries = std::make_shared<EntriesOfLeader>(leader_);
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
    next_command();
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
    if (is_member()) return;
    for (const ParticleFrame& frame : frames)
      for (const auto& positions : frame.positions) leader_.send(std::as_bytes(std::span(positions)));
  }

  const parallel::World& world_;
  Leader leader_;
  RankGroups groups_;
  std::unique_ptr<Followers> members_;  ///< of the head of a group, from Command::make on
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
