// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/check.hpp"

#include <algorithm>
#include <functional>
#include <iomanip>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <tessera/core/error.hpp>
#include <tessera/core/version.hpp>
#include <tessera/parallel/rank_zero.hpp>

#include "io/checksum.hpp"
#include "machine/machine.hpp"
#include "machine/standard_output.hpp"
#include "options/read_options.hpp"
#include "options/text.hpp"
#include "run/method.hpp"
#include "run/ranks.hpp"
#include "run/run_method.hpp"

namespace tessera::program {
namespace {

using Checksums = std::map<std::string, std::uint64_t>;  ///< by entry

/// Checksums of the entries of a checkpoint, but for those of the control of steps, which depend on the tiles.
class Summing : public io::CheckpointWriter {
 public:
  void write(const std::string& name, io::ElementType type, const io::Content& content, std::size_t count,
             const std::vector<std::size_t>& shape, const std::string& /*unit*/) override {
    static const std::set<std::string> of_steps{"accepted", "rejected",         "repaired", "step",
                                                "ceiling",  "ceiling_of_event", "overshot", "wide_halo"};
    if (of_steps.contains(name)) return;
    std::vector<std::byte> all(count * io::element_size(type));
    content.copy(0, count, io::element_size(type), all.data());
    sums[name] = io::entry_checksum(name, io::element_name(type), shape, all.data(), all.size());
  }
  Checksums sums;
};

/// What a run leaves.
struct Outcome {
  Checksums state = {}, observables = {};
  double work = 0, seconds = 0;

  std::uint64_t checksum() const {
    io::Checksum all;
    for (const auto& [name, sum] : state) all.add(sum);
    return all.value();
  }
  /// "differs in state": the first entry that is not that of the reference; empty: none.
  std::string difference(const Outcome& reference) const {
    for (const auto& [mine, its] : {std::pair(state, reference.state), {observables, reference.observables}})
      for (const auto& [name, sum] : its)
        if (!mine.contains(name) || mine.at(name) != sum) return "differs in " + name;
    return "";
  }
};

/// All of these ranks make the run, with these values in place of its options. Empty for a sequential run that is not
/// the reference.
std::optional<Outcome> outcome_of(const std::vector<std::string>& words, const OptionValues& values,
                                  Execution execution, const parallel::World& world,
                                  const parallel::Communicator& ranks, bool is_reference = false) {
  BoundMethod bound(method_named(words.front(), {}, ""));
  Method& method = *bound.method;
  read_options({words.begin() + 1, words.end()}, words.front(), bound.table, bound.run, ranks);
  for (const auto& [option, value] : values) bound.table.find(option)->set(value);
  method.use_cores(ranks.size() > 1 ? 0 : execution.threads);
  if (method.sequential() && !is_reference) return {};
  method.check(execution.backend);
  const bool can_be_shared = method.can_be_shared(execution.backend);
  execution.groups = {ranks, ranks_per_replica(bound.run, ranks.size(), method.replicas(), can_be_shared),
                      method.replicas()};
  const PartOfRank part = take_part(world, method, bound.run, available_for(execution), execution);
  std::vector<std::string> messages;
  connect(bound.run, execution, messages);
  const auto simulation = make_simulation(part.method ? *part.method : method, world, execution);
  const Kokkos::Timer timer;
  simulation->start([] { return true; });
  simulation->advance(method.stopping_time());
  Outcome outcome{.work = simulation->work(), .seconds = timer.seconds()};
  for (const Observable& one : simulation->measure())
    if (!one.is_diagnostic)
      outcome.observables[one.name] =
          io::entry_checksum(one.name, "", {}, one.values.data(), one.values.size() * sizeof one.values[0]);
  Summing archive;
  simulation->save(archive);
  outcome.state = archive.sums;
  return outcome;
}

/// A run of kmc by events one after the other, which has the trajectory of tiles.
const OptionValues by_events{{"method", "waiting-time"}};

}  // namespace

std::vector<CheckedRun> checked_runs() {
  // One line, as a recorded input has it.
  const std::string molecules =
      "\\n[SpeciesList]\\ndefault_species = empty\\n[Species empty]\\n[Species A]\\n[Lattice]"
      "\\ncell_size = 1 0 0 0 1 0 0 0 1\\n[Layer l]\\nsite s = (0, 0, 0)\\n[Parameter T]\\nvalue = 500"
      "\\n[Parameter k]\\nvalue = 1 + 0.5*sin(time)\\n[Process land]\\nrate_constant = k"
      "\\nconditions = empty@s + empty@s.(1, 0, 0)\\nactions = A@s + A@s.(1, 0, 0)\\norientations = 4"
      "\\n[Process leave]\\nrate_constant = 1\\nconditions = A@s + A@s.(1, 0, 0)"
      "\\nactions = empty@s + empty@s.(1, 0, 0)\\norientations = 4\\nenergy = 0.05 - 0.5*dE\\n[Process move]"
      "\\nrate_constant = 5\\nconditions = A@s + empty@s.(1, 0, 0)\\nactions = empty@s + A@s.(1, 0, 0)"
      "\\norientations = 4\\n[Cluster pair]\\nsites = A@s + A@s.(1, 0, 0)\\norientations = 2\\nenergy = 0.02";
  const std::string vacancies =
      "\\n[Meta]\\nmodel_dimension = 3\\n[SpeciesList]\\ndefault_species = atom\\n[Species atom]\\n[Species vacancy]"
      "\\n[Lattice]\\ncell_size = 0.5 0.5 0 0 0.5 0.5 0.5 0 0.5\\n[Layer l]\\nsite s = (0, 0, 0)\\n[Initial]"
      "\\nvacancy@s = number 200\\n[Process jump]\\nrate_constant = 1\\norientations = 48"
      "\\nconditions = vacancy@s + atom@s.(1, 0, 0)\\nactions = atom@s + vacancy@s.(1, 0, 0)";
  const auto run = [](const std::string& name, const std::string& words, std::uint64_t stored,
                      const std::string& model = "") {
    CheckedRun one{name, {}, stored};
    std::istringstream in(words);
    std::copy(std::istream_iterator<std::string>(in), {}, std::back_inserter(one.words));
    if (words.starts_with("kmc") && !words.ends_with("bkl")) {
      one.words.insert(one.words.end(), {"--method", "tile"});
      one.reference = by_events;
    }
    if (!model.empty()) one.words.insert(one.words.end(), {"--processes", model});
    return one;
  };
  return {
      run("growth of a crystal", "kmc --model sos --phi 1 --size 256 --until-time 30 --tile 64", 0x7228fc9671d49e0b),
      run("Ising model", "kmc --model ising --coupling 0.4 --size 256 --until-time 10 --tile 64", 0x3d4a85bb9b6e75f6),
      run("Ising model, 64 replicas", "kmc --size 32 --until-time 4 --replicas 64 --model ising", 0x26ccc4d44b05a1cb),
      run("lattice gas", "kmc --model hopping --attraction 0.5 --size 256 --until-time 10 --tile 64",
          0xff4e1f1db0c59ca6),
      run("epitaxy", "kmc --model epitaxy --diffusion 100 --size 256 --until-time 0.5 --tile 64", 0x324164013e7e67da),
      run("epitaxy, n-fold way", "kmc --model epitaxy --diffusion 100 --size 128 --until-time 1 --method bkl",
          0xbe6f93a08b9f022c),
      run("molecules, from a file", "kmc --size 192 --until-time 3 --tile 64", 0x6067042ab728c793, molecules),
      run("Potts model, fcc", "kmc --model potts --size 32,32,48 --lattice fcc --until-time 20", 0x01303370a4dbe1c3),
      run("vacancies, from a file", "kmc --size 32,32,48 --until-time 40", 0xc056ea5e4e9dd51d, vacancies),
      run("octahedron model", "kpz --size 1024 --steps 50", 0x988df0cc9235d7df),
      run("octahedron model, p and q", "kpz --size 512 --p 0.5 --q 0.3 --steps 20 --device-layer db",
          0x0df9d5ec708d5073),
      run("hard disks", "disks --particles 4096 --sweeps 200 --sample-every 50", 0xb0ca6c4a28a9e483),
      run("hard disks, 1e5", "disks --particles 102400 --sweeps 10 --sample-every 5", 0xe1292b536fa54087),
      run("hard disks, 64 replicas", "disks --particles 256 --replicas 64 --sweeps 50 --sample-every 10",
          0x123a4b469e340bc0),
  };
}

int check(std::vector<CheckedRun> runs, std::vector<std::string> words, const parallel::World& world) {
  const auto takes = [&](const char* word) { return std::erase(words, word) > 0; };
  const bool is_long = takes("--long"), in_json = takes("--json");
  if (!words.empty()) {
    method_named(words.front(), {"--long", "--json"}, "tessera check takes --long, --json and a run: METHOD [options]");
    runs = {{words.front(), words, {}, words.front() == "kmc" ? by_events : OptionValues()}};
  }
  const parallel::Communicator& ranks = world.communicator();
  Execution best;
  best.device = device_of_rank(world);
  best.backend = choose_backend("");
  best.threads = choose_threads(Backend::openmp, 0, world.ranks_in_node());
  check_kokkos(best);
  const Kokkos::ScopeGuard kokkos(kokkos_settings(best));
  Json rows = Json::array();
  bool all_equal = true;
  const auto add = [&](const std::string& name, const std::string& where, const Outcome& outcome,
                       const std::string& difference) {
    all_equal &= difference.empty();
    rows.push_back({{"run", name},
                    {"where", where},
                    {"work", outcome.work},
                    {"seconds", outcome.seconds},
                    {"checksum", outcome.checksum()},
                    {"difference", difference}});
    std::ostringstream line;
    line << std::left << std::setw(34) << name << std::setw(28) << where << std::right << std::setw(10)
         << write_value(outcome.work) << std::setw(8) << std::fixed << std::setprecision(2) << outcome.seconds << " s  "
         << (difference.empty() ? "equal" : difference) << "\n";
    if (!in_json) print(line.str());
  };
  for (int seed = 1; seed <= (is_long ? 30 : 1); ++seed)
    for (const CheckedRun& one : runs) {
      const std::string name = one.name + (is_long ? ", seed " + write_value(seed) : "");
      OptionValues values;
      if (is_long) values.emplace_back("seed", write_value(seed));
      Outcome reference;
      parallel::at_rank_zero(ranks, [&] {
        OptionValues of_reference = values;
        of_reference.insert(of_reference.end(), one.reference.begin(), one.reference.end());
        Execution on_host = best;
        on_host.backend = built_backends().front();
        reference = *outcome_of(one.words, of_reference, on_host, world, {}, true);
        const bool is_stored = seed > 1 || !one.stored || reference.checksum() == *one.stored;
        add(name, "reference", reference, is_stored ? "" : "differs from the stored result");
      });
      for (const Backend backend : built_backends()) {
        if (backend > best.backend) continue;  // there is no device
        Execution execution = best;
        execution.backend = backend;
        std::string where = backend_name(backend);
        if (backend == Backend::openmp) where += ", " + counted(best.threads, "thread");
        if (is_gpu(backend)) where += ", " + device_name(execution);
        if (ranks.size() > 1) where += ", " + counted(ranks.size(), "rank");
        const auto outcome = outcome_of(one.words, values, execution, world, ranks);
        if (outcome && ranks.rank() == 0) add(name, where, *outcome, outcome->difference(reference));
      }
    }
  all_equal = ranks.broadcast(all_equal);
  const std::string text = in_json ? text_of({{"version", version()}, {"equal", all_equal}, {"runs", rows}}) + "\n"
                                   : std::string(all_equal ? "all equal" : "there are differences") + "\n";
  return (ranks.rank() > 0 || print(text)) && all_equal ? exit_done : exit_failed;
}

}  // namespace tessera::program
