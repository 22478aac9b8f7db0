// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "sweep/sweep_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <system_error>
#include <tessera/core/error.hpp>

#include "shown_text.hpp"
#include "sweep/record.hpp"
#include "sweep/values.hpp"

namespace tessera::program {
namespace {

namespace fs = std::filesystem;

const std::string first_line = "# tessera sweep ";

/// The values that an option has in a grid: those of an axis, the fixed one, or the default.
std::vector<std::string> values_in(const Grid& grid, const Option& option) {
  for (const auto& axis : grid.axes)
    if (axis.option == option.name) return axis.values;
  for (const auto& word : grid.fixed)
    if (word.key == option.name) return {word.value};
  return {canonical(option, option.initial)};
}

bool includes(const std::vector<std::string>& all, const std::vector<std::string>& some) {
  return std::ranges::all_of(some, [&](const auto& value) { return std::ranges::find(all, value) != all.end(); });
}

/// Whether the sweep `before` goes on with these values of an option, or is extended by them.
bool continues(const Option& option, const std::vector<std::string>& before, const std::vector<std::string>& now) {
  if (before.size() == 1 && now.size() == 1) return option.role == Role::course || before == now;
  return before.size() > 1 && now.size() > 1 && includes(now, before);
}

}  // namespace

void SweepFolder::claim(const Grid& grid, const OptionTable& table) const {
  const std::string where = "--folder " + quoted_word(path_.string()) + ": ";
  std::error_code error;
  if (fs::exists(path_, error) && !fs::is_directory(path_)) throw InputError(where + "is a file");
  const bool is_sweep = fs::exists(input(), error);
  if (!is_sweep && fs::exists(path_, error)) {
    for (const auto& entry : fs::directory_iterator(path_))
      if (!entry.path().filename().string().starts_with('.'))
        throw InputError(where + "is no sweep, and is not empty; give another folder");
  }
  fs::create_directories(path_ / "points", error);
  if (error) throw InputError(where + "cannot be made: " + error.message());
  const FolderLock lock(*this);
  if (fs::exists(input(), error)) {
    if (method_of_sweep(*this) != grid.method)
      throw InputError(where + "holds a sweep of " + method_of_sweep(*this) + "; give another folder");
    const Grid before = grid_of_sweep(*this, table);
    for (const auto& option : table.options()) {
      if (!can_vary(option)) continue;
      const auto values = values_in(before, option);
      if (!continues(option, values, values_in(grid, option)))
        throw InputError(where + "holds a sweep with " + option.name + " = " +
                         quoted_word(joined_values(option, values)) +
                         (values.size() > 1 ? "; give these values, and more if you like, or another folder"
                                            : "; give that, or another folder"));
    }
  }
  try {
    write_whole(input(), input_of_sweep(grid, table));
  } catch (const RunError& failure) {
    throw InputError(where + failure.what());
  }
}

std::string input_of_sweep(const Grid& grid, const OptionTable& table) {
  std::string text = first_line + grid.method + "\n";
  for (const auto& option : table.options()) {
    if (!can_vary(option)) continue;
    const std::string values = joined_values(option, values_in(grid, option));
    if (!values.empty()) text += option.name + " = " + values + "\n";
  }
  return text;
}

std::string method_of_sweep(const SweepFolder& folder) {
  std::ifstream file(folder.input());
  std::string line;
  if (!std::getline(file, line) || !line.starts_with(first_line))
    throw InputError("'" + folder.path().string() + "': holds no sweep");
  return line.substr(first_line.size());
}

Grid grid_of_sweep(const SweepFolder& folder, const OptionTable& table) {
  return read_grid(method_of_sweep(folder), read_input_file(folder.input(), table), table);
}

FolderLock::FolderLock(const SweepFolder& folder)
    : file_(::open((folder.path() / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  struct flock whole{};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (file_ >= 0) {
    [[maybe_unused]] const int ignored = ::fcntl(file_, F_SETLKW, &whole);
  }
}

FolderLock::~FolderLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace tessera::program
