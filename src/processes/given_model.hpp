// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <tessera/parallel/communicator.hpp>
#include <utility>
#include <vector>

#include "options/option_table.hpp"
#include "processes/compile.hpp"

namespace tessera::processes {

/// The model of the options --processes, --set and --scale-processes.
class GivenModel {
 public:
  /// Adds the options to `table`. They refer to this object.
  void add_options(program::OptionTable& table);
  /// `starts`: the files of --start and --starts; `lattice`: the size of the lattice.
  void add_start(program::OptionTable& table, std::function<std::vector<std::string>()> starts,
                 std::function<Lattice()> lattice);
  /// Collective. Reads the names of states in these files at rank 0. Throws InputError.
  void read_start(const parallel::Communicator& ranks);

  bool given() const { return !text_.empty(); }
  /// Throws InputError, "--processes FILE: ..." or with the line of the file.
  const CompiledModel& compiled() const;
  /// A run continues with rates that are known from this time on, if they are not from time 0 on.
  void begin_at(double time) { begin_ = time, ready_.reset(); }
  /// Throws InputError if the lattice is too small for the species that sites hold at time 0.
  void check_start() const;
  /// Throws InputError if a species is not one of the model, or a process does not move one or no particle of it.
  void check_tracked(const std::string& species) const;
  /// Name of the model and the values that are set, for summaries and plots.
  std::string title() const;
  /// What the user may have intended otherwise: keys that are ignored, and processes that can never happen.
  std::vector<std::string> notes() const;
  /// Adjustable parameters with their values, "NAME = VALUE"; empty without a file.
  std::vector<std::string> adjustable() const;
  /// What readers of an output file need: model_data(), title, units of parameters, and `description`, lines for
  /// --dry-run with the windows of time in a run until a time.
  program::Json data(double until) const;
  /// Values of the parameters that change with time, and of those in this set.
  std::vector<std::pair<std::string, double>> changing(double time, const std::set<std::string>& others) const;

 private:
  struct Ready {
    ModelFile file;
    CompiledModel compiled;
    double rate_window;
    Lattice lattice;
  };
  const Ready& ready() const;
  /// Names of states in the files of the start, "CO,O" or "CO@a,O@a"; "none": they have none.
  const std::string& start_names() const;
  /// The first difference to a recorded text, apart from comments and colours: "'k = 1' where NAME line 3 has 'k = 2'".
  std::string difference(const std::string& before) const;

  std::string name_, text_;
  Settings settings_;
  Scales scales_;
  double rate_window_ = 0.1, begin_ = 0;
  std::function<std::vector<std::string>()> starts_ = [] { return std::vector<std::string>(); };
  std::function<Lattice()> lattice_ = [] { return Lattice(); };
  mutable std::string start_names_;
  mutable std::shared_ptr<const Ready> ready_;
};

}  // namespace tessera::processes
