// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/run_loop.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tessera/core/error.hpp>
#include <tessera/parallel/rank_zero.hpp>

namespace tessera::program {
namespace {

constexpr double slow_disk = 1e8;  // bytes per second, to estimate the duration of the first checkpoint

/// An error of the simulation, which ends the run but not its file.
struct SimulationError : RunError {
  using RunError::RunError;
};

template <class Work>
auto of_simulation(const Work& work) {
  try {
    return work();
  } catch (const RunError& error) {
    throw SimulationError(error.what());
  }
}

}  // namespace

RunLoop::RunLoop(SimulationInterface& simulation, const Schedule& schedule, const RunTools& tools)
    : simulation_(simulation),
      schedule_(schedule),
      tools_(tools),
      averager_(schedule.average_from, simulation),
      measurements_{schedule.measurements(), &RunLoop::measure},
      fields_{schedule.field_times(), &RunLoop::record_fields},
      publish_seconds_(tools.bytes / slow_disk) {
  if (tools_.output != nullptr) tools_.output->time_unit(simulation_.time_unit());
  if (schedule_.measure_work > 0) measurements_.times.every = short_times(0);
}

/// The next time of a look at the rate, which is a part of the interval; infinity without.
double RunLoop::next_look() const {
  const double time = simulation_.time(), between = measurements_.times.every / 16;
  double number = std::floor(time / between) + 1;
  if (number * between <= time) ++number;
  const bool is_later = number * between > time;  // or the times have too few digits
  return is_later && time < schedule_.follows_until ? number * between : std::numeric_limits<double>::infinity();
}

/// At the time of a measurement; returns whether to measure. Chooses the interval: the first of the short_times() in
/// which the simulation does enough work; longer ones are tried once an interval has less than a quarter of it. Where
/// it follows the rate, the interval is then that of the present rate, also if it `is_late`.
bool RunLoop::adapt_interval(double time, bool is_late) {
  if (!(schedule_.measure_work > 0) || time == 0) return true;
  auto& [number, searches, last_time, last_work, since] = interval_;
  double& every = measurements_.times.every;
  const bool searched = searches != 0;
  const double rate = (simulation_.work() - last_work) / (time - last_time);
  const double enough = schedule_.measure_work / every;
  const bool is_other = is_late || (time < schedule_.follows_until && !searched && rate > 0 && rate < enough / 4);
  last_time = time;
  last_work = simulation_.work();
  if (is_other) {
    for (number = 0; short_times(static_cast<std::int64_t>(number)) * rate < schedule_.measure_work;) ++number;
    every = short_times(static_cast<std::int64_t>(number));
    measurements_.number = std::llround(time / every);
    searches = 0;
    averager_.leave_out_until(since = time);
    return true;
  }
  if (searched ? rate >= enough : rate < enough / 4) {
    searches = searched ? 0 : 1;
    averager_.leave_out_until(since = time);
  }
  if (searches == 0) return true;
  while (every <= time) every = short_times(static_cast<std::int64_t>(++number));
  measurements_.number = searched ? 1 : 0;
  return !searched;
}

void RunLoop::load() {
  loaded_ = true;
  const io::CheckpointReader none;
  std::optional<io::FileCheckpoint> checkpoint;
  parallel::at_rank_zero(tools_.ranks, [&] {
    checkpoint = tools_.output->continued().checkpoint();
    measurements_.number = checkpoint->scalar<std::int64_t>("next_measurement");
    fields_.number = checkpoint->scalar<std::int64_t>("next_field");
    if (schedule_.measure_work > 0) checkpoint->array("interval", interval_);
    if (measurements_.number < 0 || fields_.number < 0 || !(interval_[0] >= 0 && interval_[0] < 1e4))
      throw InputError("the checkpoint has negative numbers of measurements or fields; use an undamaged copy");
  });
  for (Recorder* one : {&measurements_, &fields_}) one->number = tools_.ranks.broadcast(one->number);
  interval_ = tools_.ranks.broadcast(interval_);
  if (schedule_.measure_work > 0) measurements_.times.every = short_times(static_cast<std::int64_t>(interval_[0]));
  averager_.leave_out_until(interval_[4]);
  simulation_.load(checkpoint ? *checkpoint : none);
  const double end = simulation_.ended_absorbed() ? simulation_.time() : std::numeric_limits<double>::infinity();
  parallel::at_rank_zero(tools_.ranks,
                         [&] { averager_.add(tools_.output->continued(), simulation_.times().size(), end); });
}

bool RunLoop::start() {
  return simulation_.start([this] { return tools_.stop_signal() == 0 && tools_.clock.elapsed() < last_moment(); });
}

/// Records rows at rank 0 without synchronizing the other ranks.
template <class Work>
void RunLoop::put(const Work& work) {
  if (tools_.output == nullptr || failure_) return;
  try {
    work();
  } catch (const std::exception& error) {
    if (tools_.ranks.size() == 1 || !parallel::can_be_agreed(error)) throw;
    failure_ = std::current_exception();
  }
}

void RunLoop::record(double stop, bool last) {
  // A run that ended before the stop by its amount of work may reach the stop after a restart with a later end.
  const bool reached = std::ranges::max(simulation_.times()) >= stop;
  constexpr double few = 100;
  const double done = simulation_.work() - interval_[3];  // since the last measurement
  const bool is_late = reached && look_ <= stop && done >= 4 * schedule_.measure_work + few;
  for (Recorder* one : {&measurements_, &fields_}) {
    const bool is_time = next(*one) <= stop || (one == &measurements_ && is_late);
    const bool due = is_time && (one == &fields_ || !reached || adapt_interval(stop, is_late));
    if (due || last) (this->*one->record)();
    if (due && reached) ++one->number;
  }
}

void RunLoop::measure() {
  const auto times = simulation_.times();
  const auto step = static_cast<std::int64_t>(simulation_.work());
  const auto measured = of_simulation([&] { return simulation_.measure(); });
  const bool absorbed = simulation_.ended_absorbed();  // a state that is not averaged
  put([&] {
    for (const auto& one : measured) {
      if (one.arguments > 0) {
        tools_.output->field(one.name, one.unit, step, times, one.values, {one.arguments});
        continue;
      }
      tools_.output->row(one, step, times);
      if (!one.is_diagnostic && !absorbed) averager_.add(one, times);
    }
    if (tools_.parameters) {
      const double time = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
      for (const auto& [name, value] : tools_.parameters(time)) tools_.output->parameter(name, step, time, value);
    }
    if (tools_.on_row) tools_.on_row(measured, step, times);
  });
}

void RunLoop::record_fields() {
  if (!schedule_.fields) return;
  const double start = tools_.clock.elapsed();
  const auto times = simulation_.times();
  const auto step = static_cast<std::int64_t>(simulation_.work());
  for (const Field& field : simulation_.fields()) {
    const auto write = [&](const io::Content& content) {
      const std::size_t count = times.size() * field.size();
      tools_.output->field({field.name, field.unit, step, times, field.type, content, count, field.shape});
    };
    parallel::write_gathered(tools_.ranks, io::element_size(field.type), write, field.data);
  }
  const auto frames = simulation_.particles();
  const double sweep = simulation_.time();
  parallel::at_rank_zero(tools_.ranks, [&] {
    for (const auto& frame : frames)
      tools_.output->particles(frame.name, frame.unit, static_cast<std::int64_t>(sweep), sweep, frame.box,
                               frame.positions);
  });
  written_seconds_ += tools_.clock.elapsed() - start;
}

void RunLoop::drain_history() {
  const auto drained = simulation_.drain_histories();  // by all ranks
  const std::size_t replicas = simulation_.times().size();
  put([&] {
    for (const auto& table : simulation_.tables_of(drained)) {
      if (table.empty()) continue;
      tools_.output->history(table);
      averager_.add(table, replicas);
    }
  });
}

double RunLoop::last_moment() const {
  constexpr double largest_reserve = 5;
  const double reserve = std::min(largest_reserve, 0.05 * tools_.clock.limit);
  return tools_.clock.limit - 2 * publish_seconds_ - longest_batch_ - reserve;
}

RunLoop::Due RunLoop::due() const {
  const WallClock& clock = tools_.clock;
  const double now = clock.elapsed();
  const double next_publish = last_publish_ + std::max(clock.checkpoint_every, publish_rest_);
  return {tools_.stop_signal(), now >= last_moment(), now >= last_show_ + tools_.progress.interval(),
          clock.requested() || (clock.checkpoint_every > 0 && now >= next_publish)};
}

RunLoop::Due RunLoop::agree() {
  Due any = due();
  if (failure_) any[failure] = 1;
  tools_.ranks.max(std::span(any));
  if (any[failure] != 0) parallel::agree_on_failure(tools_.ranks, failure_);
  return any;
}

Ending RunLoop::run() {
  if (!worth_writing() && agree()[signal] != 0) return Ending::stop_signal;
  Ending ending = Ending::error;
  try {
    ending = run_to_end();
  } catch (const SimulationError& error) {
    error_ = error.what();
    drain_history();
    parallel::agree_on_failure(tools_.ranks, failure_);
  }
  tools_.progress.clear();
  if ((ending != Ending::stop_signal && ending != Ending::wall_limit) || worth_writing()) publish();
  return ending;
}

Ending RunLoop::run_to_end() {
  began_ = last_publish_ = last_show_ = tools_.clock.elapsed();
  work_at_start_ = simulation_.work();
  time_at_start_ = simulation_.time();
  fraction_at_start_ = fraction_done(simulation_);
  const auto keep_going = [this] {
    const double now = tools_.clock.elapsed();
    longest_batch_ = std::max(longest_batch_, now - last_look_);
    last_look_ = now;
    return due() == Due();
  };
  while (true) {
    look_ = next_look();
    const double stop = std::min({next(measurements_), next(fields_), look_, simulation_.stopping_time()});
    last_look_ = tools_.clock.elapsed();
    const bool arrived =
        simulation_.time() >= stop || of_simulation([&] { return simulation_.advance(stop, keep_going); });
    const bool last = simulation_.finished();
    if (arrived || last) record(stop, last);
    drain_history();
    if (last) {
      parallel::agree_on_failure(tools_.ranks, failure_);
      return end();
    }
    if (arrived && ++records_ % 1000 == 0)
      of_simulation([&] { check_progress(schedule_, records_, fraction_done(simulation_) - fraction_at_start_); });
    const Due any = agree();
    if (any[signal] != 0) return Ending::stop_signal;
    if (any[limit] != 0) return Ending::wall_limit;
    if (any[show] != 0) {
      last_show_ = tools_.clock.elapsed();
      tools_.progress.show({.time = simulation_.time(),
                            .fraction = fraction_done(simulation_),
                            .rate = rate(),
                            .seconds = tools_.clock.elapsed() - began_,
                            .completed = fraction_done(simulation_) - fraction_at_start_});
    }
    if (any[write_file] != 0) publish();
  }
}

void RunLoop::publish() {
  const double start = tools_.clock.elapsed();
  tools_.before_publish();
  io::Averages averaged = averages();
  const double from = tools_.ranks.broadcast(averaged.from);  // rank 0 has the rows
  averaged.functions = simulation_.functions(std::isinf(from) ? 0 : from);
  io::CheckpointWriter no_file, *checkpoint = &no_file;
  std::exception_ptr reported;  // by rank 0
  // Rank 0 opens the checkpoint, to which all ranks then save their parts of the simulation.
  parallel::at_rank_zero(
      tools_.ranks,
      [&](const auto& save_at_all) {
        tools_.output->averages(averaged);
        tools_.output->publish([&](io::CheckpointWriter& of_file) {
          of_file.text("input", tools_.input);
          of_file.scalar("next_measurement", measurements_.number);
          of_file.scalar("next_field", fields_.number);
          if (schedule_.measure_work > 0) of_file.array("interval", interval_);
          checkpoint = &of_file;
          save_at_all();
        });
      },
      [&] {
        if (tools_.output != nullptr) return simulation_.save(*checkpoint);
        reported = parallel::failure_of([&] { simulation_.save(*checkpoint); });
      });
  if (reported) std::rethrow_exception(reported);
  last_publish_ = tools_.clock.elapsed();
  publish_seconds_ = last_publish_ - start;
  written_seconds_ += publish_seconds_;
  publish_rest_ = 9 * publish_seconds_;
}

}  // namespace tessera::program
