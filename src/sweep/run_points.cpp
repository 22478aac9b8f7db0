// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "sweep/run_points.hpp"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <thread>

#include "exit_status.hpp"
#include "shown_text.hpp"
#include "stop_signal.hpp"
#include "sweep/child.hpp"
#include "sweep/record.hpp"
#include "sweep/sweep_progress.hpp"

namespace tessera::program {
namespace {

namespace fs = std::filesystem;

constexpr auto poll = std::chrono::milliseconds(10);

/// Near the wall limit no run begins: it would end before it has computed anything.
double last_start(const WallClock& clock) { return 0.9 * clock.limit; }

bool is_finished(const SweepFolder& folder, const Point& point) {
  const auto record = read_record(folder.record(point.name));
  std::error_code error;
  return record && record->finished && record->course == point.course && fs::exists(folder.output(point.name), error);
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The last line that a run has said, for people.
std::string last_line(const fs::path& log) {
  std::string text = content(log);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const auto newline = text.rfind('\n');
  constexpr std::size_t longest = 300;
  return shown(newline == std::string::npos ? text : text.substr(newline + 1), longest);
}

/// The runs that are under way, and those that wait.
class Pool {
 public:
  Pool(const RunsOfPoints& runs, const SweepFolder& folder, const std::vector<Point>& points,
       const std::vector<std::size_t>& numbers, const WallClock& clock)
      : runs_(runs),
        folder_(folder),
        points_(points),
        waiting_(numbers.rbegin(), numbers.rend()),
        clock_(clock),
        jobs_(static_cast<std::size_t>(runs.share.jobs)) {}

  bool busy() const {
    return std::ranges::any_of(jobs_, [](const auto& job) { return job.has_value(); });
  }
  bool waits() const { return !waiting_.empty(); }
  std::size_t running() const {
    return static_cast<std::size_t>(std::ranges::count_if(jobs_, [](const auto& job) { return job.has_value(); }));
  }
  std::size_t finished() const { return finished_; }
  double seconds() const { return seconds_; }
  bool interrupted() const { return interrupted_; }
  const std::vector<std::string>& failures() const { return failures_; }

  void fill() {
    for (std::size_t slot = 0; slot < jobs_.size() && waits(); ++slot) {
      if (jobs_[slot]) continue;
      const Point& point = points_[waiting_.back()];
      const Child child(arguments(point, slot), out_of(point), folder_.log(point.name));
      jobs_[slot] = Job{&point, child, clock_.elapsed()};
      waiting_.pop_back();
    }
  }

  void collect() {
    for (auto& job : jobs_) {
      if (!job) continue;
      const auto status = job->child.status();
      if (!status) continue;
      conclude(*job, *status);
      job.reset();
    }
  }

  void signal(int number) {
    for (const auto& job : jobs_)
      if (job) job->child.signal(number);
  }

 private:
  struct Job {
    const Point* point;
    Child child;
    double start;
  };

  fs::path out_of(const Point& point) const {
    return folder_.record(point.name).parent_path() / ("." + point.name + ".out");
  }

  std::vector<std::string> arguments(const Point& point, std::size_t slot) const {
    std::vector<std::string> words = runs_.program;
    words.push_back(runs_.method);
    const auto add = [&](const std::string& key, const std::string& value) {
      words.push_back("--" + key);
      words.push_back(value);
    };
    words.insert(words.end(), point.arguments.begin(), point.arguments.end());
    const auto output = folder_.output(point.name).string();
    std::error_code error;
    add(fs::exists(output, error) ? "restart" : "output", output);
    add("backend", backend_name(point.backend));
    if (point.backend == Backend::openmp && !point.sequential) add("threads", std::to_string(runs_.share.threads));
    if (point.backend == Backend::cuda)
      add("device", std::to_string(runs_.share.devices[slot % runs_.share.devices.size()]));
    add("checkpoint-every", write_value(runs_.run.checkpoint_every));
    if (runs_.run.wall_limit.value > 0) add("wall-limit", write_value(clock_.limit - clock_.elapsed()));
    words.emplace_back("--quiet");
    words.emplace_back("--json");
    return words;
  }

  void conclude(const Job& job, int status) {
    const Point& point = *job.point;
    const bool unfinished = status == exit_wall_limit || (status > exit_signal && status < 2 * exit_signal) ||
                            (status > 1000 && stop_signal() != 0) ||
                            (status == exit_failed && clock_.elapsed() > last_start(clock_));
    const std::string summary = content(out_of(point));
    std::error_code error;
    fs::remove(out_of(point), error);
    if (status == exit_done || (unfinished && !summary.empty())) {
      write_record(folder_.record(point.name), point.course, summary);
      fs::remove(folder_.log(point.name), error);
    }
    if (status == exit_done) {
      ++finished_;
      seconds_ += clock_.elapsed() - job.start;
    } else if (unfinished) {
      interrupted_ = true;
      fs::remove(folder_.log(point.name), error);
    } else {
      const std::string ended = status > 1000 ? "was ended by signal " + std::to_string(status - 1000)
                                              : "has exit status " + std::to_string(status);
      const std::string line = last_line(folder_.log(point.name));
      failures_.push_back(point.title + ": " + (line.empty() ? "the run " + ended : line));
    }
  }

  const RunsOfPoints& runs_;
  const SweepFolder& folder_;
  const std::vector<Point>& points_;
  std::vector<std::size_t> waiting_;  // the next one at the end
  const WallClock& clock_;
  std::vector<std::optional<Job>> jobs_;
  std::size_t finished_ = 0;
  double seconds_ = 0;
  bool interrupted_ = false;
  std::vector<std::string> failures_;
};

}  // namespace

std::vector<std::size_t> unfinished(const SweepFolder& folder, const std::vector<Point>& points,
                                    const std::vector<std::size_t>& numbers) {
  std::vector<std::size_t> left;
  for (const std::size_t number : numbers)
    if (!is_finished(folder, points[number])) left.push_back(number);
  return left;
}

PointsEnding run_points(const RunsOfPoints& runs, const SweepFolder& folder, const std::vector<Point>& points,
                        const std::vector<std::size_t>& numbers, const WallClock& clock, ProgressStyle style) {
  Pool pool(runs, folder, points, numbers, clock);
  SweepProgress progress(style, std::cerr, numbers.size());
  bool told = false;
  while (pool.busy() || pool.waits()) {
    const bool stop = stop_signal() != 0;
    if (stop && !told) pool.signal(stop_signal());
    told = stop;
    if (stop || clock.elapsed() > last_start(clock)) {
      if (!pool.busy()) break;
    } else {
      pool.fill();
    }
    if (clock.asked()) {
      checkpoint_begins();
      pool.signal(SIGUSR1);
    }
    progress.show({pool.finished(), pool.running(), pool.failures().size(), pool.seconds(), clock.elapsed()});
    std::this_thread::sleep_for(poll);
    pool.collect();
  }
  progress.clear();
  PointsEnding ending;
  ending.failures = pool.failures();
  if (pool.waits() || pool.interrupted()) ending.ending = stop_signal() != 0 ? Ending::stop_signal : Ending::wall_limit;
  return ending;
}

}  // namespace tessera::program
