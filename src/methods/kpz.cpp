// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <bit>
#include <boost/algorithm/string.hpp>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <tessera/core/error.hpp>
#include <tessera/core/kokkos_ext/visit_backend.hpp>
#include <tessera/kpz/any_simulation.hpp>
#include <tessera/kpz/memory.hpp>
#include <tessera/kpz/parameters.hpp>
#include <utility>
#include <vector>

#include "run/method.hpp"

namespace tessera::program {
namespace {

/// Measured deviations of W^2 and the velocity from those of the exact process at p = 1, q = 0, in percent: in growth
/// after t = 64, then in the steady state of square lattices with sides of 16, 32, 64 and 128; "-" where not measured.
/// They are those of a scheme with the default domain, border and interval: the tables of docs/kpz_exact.md. W^2 in
/// growth is that at t = 256, with which those at t >= 64 agree within two errors; the velocity is that from t = 64 to
/// 256.
struct MeasuredDeviations {
  const char* scheme;
  int cell;  ///< TC=cell,cell
  std::string_view roughness, velocity;
};
constexpr MeasuredDeviations measured_deviations[] = {
    {"DTrDB", 1, "-2.00(9) -1.94(6) -1.9(1) -1.9(1) -1.8(4)", "0.27(4) -0.51(3) -0.08(4) 0.20(6) 0.1(2)"},
    {"DTrDB", 2, "-0.9(1) - -1.1(1) -0.9(1) -1.2(4)", "0.05(4) - -0.34(4) -0.13(6) -0.1(2)"},
    {"DTrDB", 3, "-0.5(1) - - -0.4(1) -0.5(4)", "-0.04(5) - - -0.16(6) 0.3(2)"},
    {"DTrDB", 4, "-0.2(1) - - - -", "-0.07(4) - - - -"},
    {"DTrDT", 1, "-2.28(9) -1.92(6) -2.3(1) -2.2(1) -1.9(4)", "0.25(5) -0.58(3) -0.16(4) 0.14(7) 0.2(2)"},
    {"DTrDT", 2, "-1.23(9) - -1.2(1) -1.1(1) -0.7(4)", "0.01(4) - -0.36(4) -0.13(6) 0.1(2)"},
    {"DTrDT", 3, "-0.6(1) - - - -", "-0.03(4) - - - -"},
    {"DTrDT", 4, "-0.1(1) - - - -", "-0.06(6) - - - -"},
    {"DTDB", 1, "-1.8(1) -1.74(6) -1.6(1) -1.5(1) -1.0(4)", "0.28(4) -0.61(3) -0.04(4) 0.19(6) 0.3(2)"},
    {"DBDB", 1, "- 17.48(7) 14.7(1) 9.9(2) 5.3(4)", "-0.48(6) -6.48(3) -3.16(4) -1.46(7) -0.8(2)"},
    {"cDBDB", 1, "- 25.88(8) 10.7(1) 3.4(1) 0.3(4)", "-0.57(4) -16.53(3) -5.47(5) -1.78(6) -0.6(2)"}};
constexpr double latest_time = 1e12;

/// 0, and 2^k and 3 * 2^(k-1): 1, 2, 3, 4, 6, 8, 12, 16, 24, ...
std::vector<double> logarithmic_times() {
  std::vector<double> times{0, 1};
  for (double time = 2; time < latest_time; time *= 2) {
    times.push_back(time);
    times.push_back(1.5 * time);
  }
  return times;
}

/// Times of measurements that include all waiting times: logarithmic_times() if these do. Otherwise 0 and a geometric
/// series from 1 to the first waiting time, from each to the next, and beyond the last one, with ratios near sqrt(2),
/// rounded to integers; none between closer waiting times.
std::vector<double> times_through(const std::vector<double>& waiting_times) {
  std::vector<double> times = logarithmic_times();
  if (std::includes(times.begin(), times.end(), waiting_times.begin(), waiting_times.end())) return times;
  times = {0};
  const auto add = [&](double time) {
    if (time > times.back()) times.push_back(time);
  };
  double last = 1, ratio = std::sqrt(2.0);
  for (const double next : waiting_times) {
    if (next > last) {
      add(last);
      const auto parts = static_cast<int>(std::round(2 * std::log2(next / last)));
      if (parts > 0) ratio = std::pow(next / last, 1.0 / parts);
      for (int i = 1; i < parts; ++i)
        if (const double time = std::round(last * std::pow(ratio, i)); time < next) add(time);
      last = next;
    } else {
      add(next);
    }
  }
  add(last);
  for (double time = last * ratio; time < latest_time; time *= ratio) add(std::round(time));
  return times;
}

/// Reads increasing times of 0 or more: "1,10,100". Throws InputError; `others`: other allowed values, for its message.
std::vector<double> read_times(const std::string& text, const std::string& others = {}) {
  std::vector<std::string> words;
  boost::algorithm::split(words, text, boost::algorithm::is_any_of(","));
  std::vector<double> times;
  for (const std::string& word : words) {
    double time = 0;
    try {
      read_value(word, time);
    } catch (const InputError&) {
      throw InputError("must be " + others + "times in Monte Carlo steps: T1,T2,...");
    }
    if (!(time >= 0 && std::isfinite(time))) throw InputError("must be times, 0 or more");
    if (!times.empty() && time <= times.back()) throw InputError("must be increasing times");
    times.push_back(time);
  }
  return times;
}

/// Whether --measure-times is a list, and not `log` or `auto`.
bool is_list_of_times(const std::string& text) { return text != "log" && text != "auto"; }

class Kpz : public Method {
 public:
  void add_options(OptionTable& table) override {
    add_system(table);
    add_course(table);
    add_decomposition(table);
  }

  void choose_interval() override {
    const bool averages = average_from_.is_chosen || !std::isinf(average_from_.time);
    if (averages && measure_every_ == 0 && measure_times_ == "auto" && p_.waiting_times.empty() && p_.steps > 0)
      measure_every_ = std::max(1.0, std::floor(thousandth_of(p_.steps)));
  }

  void check(Backend) const override {
    if (measure_every_ > 0 && measure_times_ != "auto")
      throw InputError("--measure-every " + write_value(measure_every_) + ": cannot be combined with --measure-times");
    if (p_.steps == 0) throw InputError("no stopping time given; use --steps");
    kpz::validate(p_);
    check_averages(schedule(), p_.steps, p_.replicas);
    constexpr double most_heights = 1 << 28;
    if (has_fields_ && static_cast<double>(p_.nx) * p_.ny * p_.replicas > most_heights)
      throw InputError("--fields end: the heights of all sites would take more than 1 GiB; use --fields never");
    if (!has_fields_ && field_every_ > 0)
      throw InputError("--field-every " + write_value(field_every_) + ": has no effect with --fields never");
  }

  std::vector<WithoutEffect> without_effect() const override {
    const auto& times = schedule().measure_times;
    const auto& waiting = p_.waiting_times;
    const bool unmeasured = is_list_of_times(measure_times_) && !times.empty() && times.back() > p_.steps;
    return {
        {{"device-layer", "block-layer", "thread-cell", "domain", "border", "async-interval"},
         sequential(),
         "has no effect; it requires --method domain"},
        {{"measure-times"}, unmeasured, "the run ends before the last of these times", WithoutEffect::Typed::reported},
        {{"waiting-times"},
         !waiting.empty() && waiting.back() >= p_.steps,
         "the run ends before the last of these times, when its autocorrelations begin",
         WithoutEffect::Typed::reported},
    };
  }

  /// Those of W^2 and the velocity; in the steady state of a square lattice as large as the smallest side. Nothing for
  /// sequential dynamics and at p = q, where every scheme has the steady state of sequential dynamics.
  std::vector<KnownBias> known_biases() const override {
    if (sequential() || p_.p == p_.q) return {};
    KnownBias roughness{"roughness", "docs/kpz_exact.md", 64, "", ""}, velocity = roughness;
    velocity.observable = "velocity";
    const auto side = static_cast<unsigned>(std::min(p_.nx, p_.ny));
    const std::size_t place = static_cast<std::size_t>(std::countr_zero(side)) - 3;  // of this side in a row
    const bool as_measured = kpz::domain_side(p_) == kpz::default_domain(p_) && p_.border == 0 &&
                             p_.async_interval == 0 && std::max(p_.p, p_.q) == 1 && std::min(p_.p, p_.q) == 0;
    for (const MeasuredDeviations& m : measured_deviations)
      if (as_measured && m.scheme == kpz::scheme_name(p_) && kpz::thread_cell(p_) == kpz::ThreadCell{m.cell, m.cell})
        for (const auto& [bias, known] : {std::pair(&roughness, m.roughness), std::pair(&velocity, m.velocity)}) {
          std::vector<std::string> words;
          boost::algorithm::split(words, known, boost::algorithm::is_any_of(" "));
          if (words[0] != "-") bias->growth = words[0];
          if (place >= 1 && place < words.size() && words[place] != "-") bias->steady = words[place];
        }
    return {roughness, velocity};
  }

  std::string algorithm() const override { return sequential() ? "sequential" : kpz::scheme_name(p_); }
  bool sequential() const override { return p_.method == kpz::Method::sequential; }

  std::string system() const override {
    std::string text = "octahedra, p = " + write_value(p_.p) + ", q = " + write_value(p_.q) + ", " +
                       write_value(p_.nx) + " x " + write_value(p_.ny);
    if (!sequential()) text += ", TC=" + cell() + ", domains of " + write_value(kpz::domain_side(p_));
    return text + (p_.replicas > 1 ? ", " + write_value(p_.replicas) + " replicas" : "");
  }

  Json model() const override {
    return {{"method", "octahedron model"}, {"parameters", {{"p", {{"symbol", "p"}}}, {"q", {{"symbol", "q"}}}}}};
  }
  std::uint64_t seed() const override { return p_.seed; }
  int replicas() const override { return p_.replicas; }
  std::unique_ptr<Method> part(Backend, int first, int count) const override {
    auto part = std::make_unique<Kpz>(*this);
    part->p_.seed += static_cast<std::uint64_t>(first);
    part->p_.replicas = count;
    return part;
  }

  Schedule schedule() const override {
    Schedule schedule;
    schedule.measure_every = measure_every_;
    if (!(measure_every_ > 0))
      schedule.measure_times = is_list_of_times(measure_times_) ? read_times(measure_times_)
                               : measure_times_ == "auto"       ? times_through(p_.waiting_times)
                                                                : logarithmic_times();
    schedule.field_every = field_every_;
    schedule.fields = has_fields_;
    schedule.average_from = average_from_;
    return schedule;
  }

  std::pair<std::string, std::int64_t> largest_entry() const override {
    return {"surface", std::int64_t{p_.replicas} * p_.ny * std::max(1, p_.nx / 32)};
  }
  double stopping_time() const override { return p_.steps; }

  bool can_be_shared(Backend) const override { return !sequential(); }
  parallel::Distribution distribution(const Execution& execution) const override {
    return kpz::distribute(p_, execution.ranks(), execution.grid);
  }

  MemoryNeeded memory(const Execution& execution) const override {
    return kpz::memory_needed(p_, has_fields_, distribution(execution));
  }

  std::unique_ptr<SimulationInterface> make_simulation(const Execution& execution) const override {
    if (sequential()) return kpz::make_sequential(p_);
    return visit_backend(execution.backend, [&]<class Space>(std::type_identity<Space>) {
      return kpz::make_simulation<Space>(p_, execution.ranks(), execution.grid);
    });
  }

 private:
  std::string cell() const {
    const auto [x, y] = kpz::thread_cell(p_);
    return write_pair(x, y);
  }

  void add_system(OptionTable& table) {
    table.group("System");
    table.add(pair_option("size", "NX[,NY]", "sides of the periodic lattice, powers of two",
                          "NX or NX,NY: one or two whole numbers of sites", p_.nx, p_.ny));
    table.add("p", "P", "probability of deposition where an octahedron fits", Role::trajectory, p_.p).can_change = true;
    table.add("q", "Q", "probability of removal where there is one to remove", Role::trajectory, p_.q).can_change =
        true;
    table.add("seed", "N", "replica r has seed N + r; independent runs need seeds R apart", Role::trajectory, p_.seed);
    table.add("replicas", "R", "number of independent systems", Role::trajectory, p_.replicas);
  }

  void add_course(OptionTable& table) {
    table.group("Run (times in Monte Carlo steps, MCS: one attempt per site on average)");
    table.add("steps", "TIME", "time at which the run ends; required", Role::course, p_.steps);
    const auto set_times = [this](const std::string& text) {
      if (is_list_of_times(text)) read_times(text, "auto, log, or ");
      measure_times_ = text;
    };
    table
        .add({"measure-times", "LIST|log|auto",
              "times of measurements; log: 0, 1, 2, 3, 4, 6, 8, 12, 16, ...; auto: log, or similar times with all "
              "waiting times",
              "", Role::trajectory, set_times, [this] { return measure_times_; }})
        .has_commas = true;
    table.add("measure-every", "TIME", "time between measurements, instead of --measure-times", Role::trajectory,
              measure_every_);
    table.add("average-from", "TIME|auto", "average over later measurements; auto: chosen; inf: none", Role::course,
              average_from_);
    table.add_switch("structure-factor", "measure S(k) of all wave vectors along the axes", Role::course,
                     p_.structure_factor);
    table
        .add({"waiting-times", "LIST", "waiting times s of the autocorrelations C(t, s)", "", Role::trajectory,
              [this](const std::string& text) { p_.waiting_times = read_times(text); },
              [this] { return joined(p_.waiting_times, ",", write_value<double>, ","); }})
        .has_commas = true;
    table.add_choice("fields", "whether to write the heights of all sites", Role::trajectory, has_fields_,
                     {{"end", true}, {"never", false}});
    table.add("field-every", "TIME", "time between these fields; 0: only at the end", Role::trajectory, field_every_);
  }

  void add_decomposition(OptionTable& table) {
    table.group("Method (each of these options changes the trajectory)");
    table.add_choice("method", "domain: parallel; sequential: random-sequential dynamics on one core", Role::trajectory,
                     p_.method, {{"domain", kpz::Method::domain}, {"sequential", kpz::Method::sequential}});
    table.add_choice("device-layer", "double tiling with random origin, double tiling, dead border, coarse dead border",
                     Role::trajectory, p_.device_layer,
                     {{"dtr", kpz::DeviceLayer::double_tiling_random},
                      {"dt", kpz::DeviceLayer::double_tiling},
                      {"db", kpz::DeviceLayer::dead_border},
                      {"cdb", kpz::DeviceLayer::coarse_dead_border}});
    table.add_choice("block-layer", "single-hit dead border or double tiling", Role::trajectory, p_.block_layer,
                     {{"db", kpz::BlockLayer::dead_border}, {"dt", kpz::BlockLayer::double_tiling}});
    Option cell =
        pair_option("thread-cell", "LX,LY", "log2 of the sides of a thread cell in units of 4 sites; 1,1 is fastest",
                    "LX,LY: two whole numbers", p_.thread_cell_x, p_.thread_cell_y);
    cell.text = [this] { return this->cell(); };
    table.add(cell);
    table.add("domain", "N", "side of a domain in sites, a power of two; 0: at most 128", Role::trajectory, p_.domain);
    table.add("border", "N", "db, cdb: width of the dead border; 0: 5 for db, 1 for cdb", Role::trajectory, p_.border);
    table.add("async-interval", "X", "db, cdb: sweeps before the origin moves; 0: 1/2 for db, 1 for cdb",
              Role::trajectory, p_.async_interval);
  }

  kpz::Parameters p_;
  std::string measure_times_ = "auto";
  double measure_every_ = 0, field_every_ = 0;
  AverageFrom average_from_;
  bool has_fields_ = true;  ///< the heights of all sites
};

}  // namespace

std::unique_ptr<Method> make_kpz() { return std::make_unique<Kpz>(); }

}  // namespace tessera::program
