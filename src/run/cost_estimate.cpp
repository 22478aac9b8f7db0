// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/cost_estimate.hpp"

#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <tessera/io/checkpoint.hpp>
#include <variant>

#include "io/checkpoint_target.hpp"
#include "io/hdf5_handle.hpp"

namespace tessera::program {
namespace {

constexpr double first_trial = 0.1, shortest_trial = 0.4, longest_trial = 3.2;  // each twice as long as the one before
constexpr double chunk = 4096;                                                  // smallest size of a dataset of rows
constexpr double structure = 60000;                                             // groups, provenance, VTKHDF
constexpr double largest_trial = 500e6;  // largest checkpoint that is written to memory

/// Size of a checkpoint, measured by a file in memory; for a large state, the size of the state.
double checkpoint_bytes(const SimulationInterface& simulation) {
  const auto state = static_cast<double>(simulation.bytes());
  if (state > largest_trial) return state;
  const auto access = io::hdf5::access_properties();
  constexpr std::size_t increment = 1 << 16;
  io::hdf5::checked(H5Pset_fapl_core(access.get(), increment, false));
  const io::hdf5::Handle file(H5Fcreate("checkpoint in memory", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
  io::CheckpointGroup checkpoint(file.get());
  simulation.save(checkpoint);
  io::hdf5::checked(H5Fflush(file.get(), H5F_SCOPE_GLOBAL));
  hsize_t bytes = 0;
  io::hdf5::checked(H5Fget_filesize(file.get(), &bytes));
  return static_cast<double>(bytes);
}

double in_chunks(double rows, double bytes) { return std::ceil(rows * bytes / chunk) * chunk; }

/// Size of the rows of one observable: value, time and step, and mean and errors if there are any.
double row_bytes(const Observable& observable, double rows) {
  const auto values = static_cast<double>(observable.values.size());
  double bytes = in_chunks(rows, 8 * values) + 2 * in_chunks(rows, 8);
  if (observable.values.size() > 1) bytes += 2 * in_chunks(rows, 8);
  if (!observable.errors.empty()) bytes += in_chunks(rows, 8 * values);
  return bytes;
}

struct ElementBytes {
  double operator()(const std::vector<double>&) const { return sizeof(double); }
  template <class T>
  double operator()(const parallel::Gather<T>&) const {
    return sizeof(T);
  }
};

/// Size of one row of all fields and particles.
double field_bytes(SimulationInterface& simulation) {
  constexpr double bytes_of_particle = 24;
  const auto replicas = static_cast<double>(simulation.times().size());
  double bytes = bytes_of_particle * replicas * static_cast<double>(simulation.particles_of_replica());
  for (const auto& field : simulation.fields()) {
    double cells = replicas;
    for (const std::size_t extent : field.shape) cells *= static_cast<double>(extent);
    bytes += cells * std::visit(ElementBytes(), field.data);
  }
  return bytes;
}

}  // namespace

double fraction_done(const SimulationInterface& simulation) {
  return std::clamp(std::max(simulation.time() / simulation.time_goal(), simulation.work() / simulation.work_goal()),
                    0.0, 1.0);
}

double stops(double every, const std::vector<double>& times, bool at_start, double end) {
  if (!times.empty()) {
    const auto before = std::ranges::count_if(times, [&](double time) { return time <= end; });
    return static_cast<double>(before) + (std::ranges::find(times, end) == times.end() ? 1 : 0);
  }
  if (!(every > 0)) return at_start && end > 0 ? 2 : 1;
  constexpr double rounding = 1e-9;
  const double whole = std::floor(end / every);
  return whole + 1 + (end - whole * every > rounding * every ? 1 : 0);
}

CostEstimate estimate_cost(SimulationInterface& simulation, const Schedule& schedule,
                           const std::function<bool()>& keep_going, const std::function<double()>& clock,
                           const parallel::Communicator& ranks) {
  CostEstimate cost;
  const double begin = clock();
  const double functions = simulation.leave_out_functions();
  const double done_before = fraction_done(simulation);
  double speed = 0, before = 0, work = 0;
  for (double trial = first_trial; trial <= longest_trial && !simulation.finished(); trial *= 2) {
    before = speed;
    work = simulation.work();
    const double done = fraction_done(simulation), start = clock();
    simulation.advance(simulation.time_goal(), [&] { return keep_going() && clock() < start + trial; });
    cost.measured = ranks.broadcast(clock() - start);
    speed = (fraction_done(simulation) - done) / cost.measured;
    constexpr double accuracy = 0.1;
    if (trial >= shortest_trial && std::abs(speed - before) <= accuracy * speed) break;
  }
  if (simulation.finished()) {
    cost.measured = cost.seconds = clock() - begin;
  } else {
    cost.reaches_its_goal = speed > 0;
    cost.seconds = speed > 0 ? (1 - done_before) / speed : std::numeric_limits<double>::infinity();
  }
  cost.seconds += functions;
  cost.rate = (simulation.work() - (simulation.finished() ? 0 : work)) / cost.measured;

  const bool in_time = simulation.time() / simulation.time_goal() >= simulation.work() / simulation.work_goal();
  const double fraction = fraction_done(simulation);
  const double projected = in_time || !(fraction > 0) ? simulation.time_goal() : simulation.time() / fraction;
  const double end = simulation.ended_absorbed() ? std::ranges::max(simulation.times()) : projected;
  cost.absorbed_at = std::ranges::max(simulation.absorbed());
  cost.measurements = stops(schedule.measure_every, schedule.measure_times, true, end);
  if (schedule.measure_work > 0 && fraction > 0)
    cost.measurements += simulation.work() / fraction / schedule.measure_work;
  const double before_measuring = clock();
  const auto observables = simulation.measure();
  cost.seconds += cost.measurements * (1 - done_before) * (clock() - before_measuring);
  const double field = schedule.fields ? field_bytes(simulation) : 0;
  cost.fields = field > 0 ? stops(schedule.field_every, {}, false, end) : 0;
  cost.checkpoint_bytes = checkpoint_bytes(simulation);
  cost.file_bytes = structure + cost.checkpoint_bytes + cost.fields * field;
  for (const auto& observable : observables) cost.file_bytes += row_bytes(observable, cost.measurements);
  cost.spent = clock() - begin;
  return cost;
}

}  // namespace tessera::program
