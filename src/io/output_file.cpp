// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/io/output_file.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "io/atomic_file.hpp"
#include "io/failure.hpp"
#include "io/file_parts.hpp"
#include "io/in_child.hpp"
#include "io/rows.hpp"
#include "io/source.hpp"
#include "io/writable_file.hpp"
#include "tessera/core/error.hpp"
#include "tessera/io/input_file.hpp"

namespace tessera::io {
namespace {

/// The file to write.
std::filesystem::path writable_target(const std::filesystem::path& path, bool may_exist) {
  auto target = hdf5::reachable(without_links(path));
  require_writable(target, may_exist);
  return target;
}

}  // namespace

class OutputFile::State {
 public:
  State(const std::filesystem::path& path, const std::string& method, bool may_exist)
      : path_(path),
        target_(writable_target(path, may_exist)),
        claim_(target_),
        temporary_(temporary_path(target_)),
        method_(method) {
    if (!may_exist) require_free(target_);  // the previous holder of the claim may have published
    present_ = KnownFile::at(target_);
    remove_stale_temporaries(target_, claim_.exclusive());
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { abandon(); }

  /// Prepares the continuation of a published file.
  void continue_file(const std::filesystem::path& source) {
    base_ = KnownFile::at(source);
    const InputFile& file = continued_.emplace(source);
    file.require_method(method_);
    try {
      in_child([&] { rehearse_continuation(file); }, claim_.lock());
    } catch (const RunError& stopped) {
      throw RunError("cannot continue '" + source.string() + "': " + stopped.what());
    } catch (const Failure& failure) {
      throw InputError("cannot continue '" + source.string() + "': " + printable(failure.what()) +
                       "; the file is damaged; use an undamaged copy");
    }
    if (!base_ || !base_->is_at(source) || !base_->untouched())
      throw InputError("cannot read '" + source.string() +
                       "': another program has replaced or changed it while it was read; try again");
    const CheckpointReader::Source& open = file.source();
    identity_ = open.reading("/checkpoint", [&] { return content_identity(open.file.get()); });
    if (base_->is_at(target_)) present_ = base_;
    for (GrowingTables* tables : all_) tables->learn(file);
    restart_ = next_restart(file);
  }

  const InputFile& continued() const {
    if (!continued_) throw std::invalid_argument("continued() of a file that continues none");
    return *continued_;
  }

  /// Calls an action that writes. On failure it removes the temporary file and throws a RunError with the reason.
  template <class Action>
  void writing(Action&& action) {
    require_intact();
    broken_ = true;
    try {
      try {
        action();
      } catch (const Failure&) {
        file_.require_written();  // a failed write may be the cause of the HDF5 error
        throw;
      }
      file_.require_written();
      broken_ = false;
    } catch (const Failure& failure) {
      abandon();
      throw RunError(cannot_write(path_) + failure.what());
    } catch (...) {
      abandon();
      throw;
    }
  }

  /// The open temporary file, a copy of the last published one.
  hid_t file() {
    if (!file_ && base_) open_copy();
    if (!file_) file_ = {temporary_, hdf5::WritableFile::Opening::create};
    return file_.get();
  }

  /// Counts numbers of rows, which are in memory until publish() or until they are too many.
  void keep(std::size_t numbers) {
    pending_bytes_ += numbers * sizeof(double);
    if (pending_bytes_ > most_pending_bytes) writing([&] { flush_rows(file()); });
  }

  void publish(const std::function<void(CheckpointWriter&)>& save) {
    if (!provenance) throw std::invalid_argument("publish() before provenance()");
    writing([&] {
      const hid_t open = file();
      flush_rows(open);
      write_averages(open, averages, time_unit);
      write_provenance(open, *provenance, restart_);
      write_identity(open, method_, *provenance);
      write_time_unit(open, time_unit);
      {
        CheckpointGroup checkpoint(open);
        file_.writes().are_repeated = true;
        save(checkpoint);
        checkpoint.text(contents_entry, contents_of(open));
        file_.writes().are_repeated = false;
        checkpoint.remove_unclaimed();
      }
      write_vtkhdf(open);
      const std::uint64_t identity = content_identity(open);
      file_.close();
      sync(temporary_);
      require_nothing_else_there();
      present_ = replace(temporary_, target_);
      sync(directory_of(target_));
      continued_.reset();
      const bool is_former = base_ && base_->is_at(temporary_) && base_->untouched();
      base_ = present_;
      identity_ = identity;
      has_former_ = is_former && is_unused(temporary_);
      if (!has_former_) discard(temporary_);
    });
  }

  void require_intact() const {
    if (broken_) throw RunError(cannot_write(path_) + "an earlier attempt failed");
  }

  const std::filesystem::path& path() const { return path_; }

  GrowingTables observables{"observables"}, diagnostics{"diagnostics"}, slow_modes{"slow_modes"},
      parameters{"parameters"}, histories{"history"}, fields{"fields"};
  Averages averages;
  std::optional<Provenance> provenance;
  std::string time_unit;

 private:
  void flush_rows(hid_t open) {
    for (GrowingTables* tables : all_) tables->flush(open);
    pending_bytes_ = 0;
  }

  void abandon() noexcept {
    file_.abandon();
    discard(temporary_);
  }

  /// Opens a copy of `base_`. Throws Failure if another program has changed that file.
  void open_copy() {
    bool is_ours = false;
    try {
      if (has_former_) copy_contents(*base_, temporary_, file_.writes().blocks);
      if (!std::exchange(has_former_, false) || !base_->untouched()) {
        discard(temporary_);
        copy_contents(*base_, temporary_);
      }
      file_ = {temporary_, hdf5::WritableFile::Opening::change};
      is_ours = content_identity(file_.get()) == identity_;
    } catch (const Failure&) {
      if (base_->untouched()) throw;
    }
    if (!is_ours)
      throw Failure("another program has changed the file that this run continues; restart from a copy of its own");
  }

  /// Throws Failure if another program has written the output, which a claim does not prevent.
  void require_nothing_else_there() const {
    const auto existing = KnownFile::at(target_);
    if (!existing || (present_ && existing->same_as(*present_))) return;
    // Some file systems round times later or change inode numbers: only the content is decisive.
    if (present_ && present_ == base_ && has_content(target_, identity_)) return;
    throw Failure("another program has written a file of this name, which is kept; use another path");
  }

  std::array<GrowingTables*, 6> all_{&observables, &diagnostics, &slow_modes, &parameters, &histories, &fields};
  std::filesystem::path path_;    // as the user gave it
  std::filesystem::path target_;  // without symbolic links
  NameClaim claim_;
  std::filesystem::path temporary_;
  std::string method_;
  std::shared_ptr<const KnownFile> present_;  // the file that publish() may replace
  std::shared_ptr<const KnownFile> base_;     // the file that the next temporary file is a copy of
  std::uint64_t identity_ = 0;                // of the content of `base_`
  bool has_former_ = false;                   // whether the temporary file is the version before `base_`
  std::optional<InputFile> continued_;        // until the first publish()
  std::size_t restart_ = 0, pending_bytes_ = 0;
  hdf5::WritableFile file_;
  bool broken_ = false;
};

OutputFile::OutputFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

OutputFile OutputFile::create(const std::filesystem::path& path, const std::string& method, bool overwrite) {
  return OutputFile(std::make_unique<State>(path, method, overwrite));
}

OutputFile OutputFile::append(const std::filesystem::path& path, const std::string& method) {
  return continue_from(path, path, method, true);
}

OutputFile OutputFile::continue_from(const std::filesystem::path& source, const std::filesystem::path& path,
                                     const std::string& method, bool overwrite) {
  InputFile(source).require_method(method);
  std::error_code error;
  const bool same = std::filesystem::equivalent(source, path, error);
  if (same && ::access(path.c_str(), W_OK) != 0)
    throw InputError(cannot_write(path) + system_reason(errno) + "; make the file writable");
  auto state = std::make_unique<State>(path, method, overwrite || same);
  state->continue_file(source);
  return OutputFile(std::move(state));
}

const std::filesystem::path& OutputFile::path() const { return state_->path(); }
const InputFile& OutputFile::continued() const { return state_->continued(); }

void OutputFile::time_unit(const std::string& unit) { state_->time_unit = unit; }

void OutputFile::row(const Observable& observable, std::int64_t step, std::span<const double> times) {
  state_->require_intact();
  auto& rows = observable.is_diagnostic  ? state_->diagnostics
               : observable.is_slow_mode ? state_->slow_modes
                                         : state_->observables;
  rows.add(observable, step, times);
  state_->keep(2 * observable.values.size() + observable.errors.size() + 3);  // and times, step, mean and error
}

void OutputFile::parameter(const std::string& name, std::int64_t step, double time, double value) {
  state_->require_intact();
  state_->parameters.add({name, "", {value}}, step, std::span(&time, 1));
  state_->keep(3);
}

void OutputFile::field(const FieldRow& row) {
  state_->require_intact();
  state_->fields.check(row);
  state_->writing([&] { state_->fields.append(state_->file(), row); });
}

void OutputFile::particles(const std::string& name, const std::string& unit, std::int64_t step, double time,
                           const std::array<double, 2>& box,
                           const std::vector<std::vector<std::array<double, 2>>>& positions) {
  require_name(name, "group of particles");
  if (positions.empty() || positions[0].empty())
    throw std::invalid_argument("particles '" + name + "': there are none");
  const std::size_t digits = std::to_string(positions.size() - 1).size();
  state_->writing([&] {
    for (std::size_t r = 0; r < positions.size(); ++r) {
      // Numbers of equal length, so that alphabetical order is that of the replicas.
      const std::string number = std::to_string(r);
      const std::string group =
          positions.size() == 1 ? name : name + "_" + std::string(digits - number.size(), '0') + number;
      append_particles(state_->file(), group, unit, step, time, box, positions[r]);
    }
  });
}

void OutputFile::history(const History& table) {
  state_->require_intact();
  state_->histories.add(table);
  state_->keep(table.columns.size() * table.columns[0].size());
}

void OutputFile::averages(const Averages& averages) { state_->averages = averages; }

void OutputFile::provenance(const Provenance& provenance) { state_->provenance = provenance; }

void OutputFile::publish(const std::function<void(CheckpointWriter&)>& save) { state_->publish(save); }

}  // namespace tessera::io
