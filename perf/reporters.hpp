// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tessera::perf {

/// Says only once, not for each repetition, that a case has been left out.
template <class Reporter>
class LeftOutOnce : public Reporter {
 public:
  using Reporter::Reporter;
  void ReportRuns(const std::vector<typename Reporter::Run>& runs) override {
    const bool left_out = !runs.empty() && runs.front().real_accumulated_time <= 0;
    Reporter::ReportRuns(left_out ? std::vector<typename Reporter::Run>{runs.front()} : runs);
  }
};

/// google-benchmark's table, counters in columns.
class Table : public LeftOutOnce<benchmark::ConsoleReporter> {
 public:
  Table() : LeftOutOnce(isatty(STDOUT_FILENO) ? OO_ColorTabular : OO_Tabular) {}
};

/// google-benchmark's JSON without the name of the host, written at the end of the run, when all that a counter may
/// depend on is known.
class Json : public LeftOutOnce<benchmark::JSONReporter> {
 public:
  /// `complete` adds counters to a run.
  explicit Json(std::function<void(Run&)> complete) : complete_(std::move(complete)) {}

  bool ReportContext(const Context& context) override {
    std::ostream& out = GetOutputStream();
    std::stringstream text;
    SetOutputStream(&text);
    const bool go_on = JSONReporter::ReportContext(context);
    SetOutputStream(&out);
    for (std::string line; std::getline(text, line);)
      if (line.find("\"host_name\":") == std::string::npos) out << line << (text.eof() ? "" : "\n");
    return go_on;
  }

  void ReportRuns(const std::vector<Run>& runs) override { kept_.push_back(runs); }

  void Finalize() override {
    for (std::vector<Run>& runs : kept_) {
      for (Run& run : runs) complete_(run);
      LeftOutOnce::ReportRuns(runs);
    }
    JSONReporter::Finalize();
  }

 private:
  std::function<void(Run&)> complete_;
  std::vector<std::vector<Run>> kept_;
};

}  // namespace tessera::perf
