// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/io/point_file.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "io/failure.hpp"
#include "tessera/io/input_file.hpp"

namespace tessera::io {
namespace {

constexpr std::size_t longest_line = 4096;
constexpr double farthest = 1e9;
/// First bytes of a GSD file.
constexpr std::string_view gsd_signature = "\xdf\x65\xdf\x65\xdf\x65\xdf\x65";
static_assert(gsd_signature.size() == hdf5_signature.size());

/// The index of a row, of which there are `rows`.
std::size_t index_of(std::int64_t row, std::size_t rows, const Faults& faults) {
  const auto count = static_cast<std::int64_t>(rows);
  if (row < -count || row >= count)
    faults.report("has " + std::to_string(rows) + (rows == 1 ? " snapshot" : " snapshots") + ", and no row " +
                  std::to_string(row));
  return static_cast<std::size_t>(row < 0 ? row + count : row);
}

Points read_group(const InputFile& file, const std::string& group, std::int64_t row, const Faults& faults) {
  const std::string position = group + "/position/value", edges = group + "/box/edges/value";
  for (const std::string& dataset : {position, edges})
    if (!file.has(dataset)) faults.report("has no " + dataset + "; use an output file of tessera disks");
  const auto shape = file.shape(position), of_edges = file.shape(edges);
  if (shape.size() != 3 || shape[2] != 3 || of_edges != std::vector<std::size_t>{shape[0], 3, 3})
    faults.report(group + " is not a trajectory of disks");
  const std::size_t at = index_of(row, shape[0], faults);
  const auto box = file.read_row<double>(edges, at);
  const auto positions = file.read_row<double>(position, at);
  Points result{std::array{box[0], box[4]}};
  result.points.reserve(shape[1]);
  for (std::size_t i = 0; i < shape[1]; ++i) result.points.push_back({positions[3 * i], positions[3 * i + 1]});
  return result;
}

std::vector<Points> read_hdf5(const PointSelection& selection, const Faults& faults) {
  const InputFile file(faults.path);
  if (!file.has("/particles")) faults.report("has no /particles; use an output file of tessera disks");
  const auto groups = file.names("/particles");
  const std::size_t wanted = selection.first_replica + selection.replicas;
  if (groups.size() != 1 && groups.size() < wanted)
    faults.report("has disks for " + std::to_string(groups.size()) +
                  " replicas; it must have disks for one replica or for each");
  std::vector<Points> all;
  for (std::size_t r = selection.first_replica; r < (groups.size() == 1 ? selection.first_replica + 1 : wanted); ++r)
    all.push_back(read_group(file, "/particles/" + groups[groups.size() == 1 ? 0 : r], selection.row, faults));
  return all;
}

/// The lines of a text file.
class Lines {
 public:
  /// From this position of the file on, which follows `before` lines.
  Lines(std::ifstream& file, const Faults& faults, const std::function<void()>& watch, std::streamoff position = 0,
        std::size_t before = 0)
      : file_(file), faults_(faults), watch_(watch), number_(before) {
    file.clear();
    file.seekg(position);
  }

  /// The next line; false at the end.
  bool next(std::string& line) {
    watch_();
    std::string text(longest_line + 1, '\0');
    if (!file_.getline(text.data(), static_cast<std::streamsize>(text.size()))) {
      if (!file_.eof())
        faults_.report("line " + std::to_string(number_ + 1) + " is longer than " + std::to_string(longest_line) +
                       " characters, or cannot be read");
      return false;
    }
    line = text.substr(0, static_cast<std::size_t>(file_.gcount() - (file_.eof() ? 0 : 1)));
    if (++number_ == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    return true;
  }
  std::size_t number() const { return number_; }
  [[noreturn]] void report(const std::string& what) const {
    faults_.report("line " + std::to_string(number_) + ": " + what);
  }

 private:
  std::ifstream& file_;
  const Faults& faults_;
  const std::function<void()>& watch_;
  std::size_t number_;
};

bool is_near(const std::array<double, 2>& point) {
  return std::abs(point[0]) < farthest && std::abs(point[1]) < farthest;
}

/// Refuses a file with many more disks than the run. For fewer disks the message of the caller names the box, too.
void require_few(std::size_t found, std::size_t disks, const Lines& lines) {
  if (found > 2 * disks + 1'000'000)
    lines.report("has at least " + std::to_string(found) + " disks, but the run has " + std::to_string(disks));
}

/// From the first line on, which has been read.
Points read_lines(std::string line, std::size_t disks, Lines& lines) {
  Points result;
  bool has_line = true;
  for (; has_line; has_line = lines.next(line)) {
    std::ranges::replace(line, ',', ' ');
    std::istringstream words(line.substr(0, line.find('#')));
    std::array<double, 2> point{};
    std::string more;
    if (!(words >> point[0])) {
      if (words.str().find_first_not_of(" \t\r") == std::string::npos) continue;
    } else if (words >> point[1] && !(words >> more) && is_near(point)) {
      result.points.push_back(point);
      result.lines.push_back(lines.number());
      require_few(result.points.size(), disks, lines);
      continue;
    }
    lines.report("must be two numbers, x and y, in diameters and below 1e9; a header must begin with #");
  }
  return result;
}

/// Number of columns before the coordinates, and before the radius, in a line of extended XYZ.
struct Columns {
  std::optional<std::size_t> position, radius;
  std::size_t all = 0;

  Columns(const std::string& properties, const Lines& lines) {
    std::istringstream text(properties);
    for (std::string name, type, count; std::getline(text, name, ':');) {
      if (!std::getline(text, type, ':') || !std::getline(text, count, ':') || count.size() != 1 || count[0] < '1' ||
          count[0] > '9')
        lines.report("must have Properties=NAME:TYPE:COUNT:...");
      const auto columns = static_cast<std::size_t>(count[0] - '0');
      if (name == "pos" && columns >= 2) position = all;
      if (name == "radius") radius = all;
      all += columns;
    }
    if (!position) lines.report("must have Properties=... with pos:R:3");
  }
};

/// The frame whose comment is `comment`.
Points read_frame(const std::string& comment, std::size_t count, Lines& lines) {
  const auto sides = between(comment, "Lattice=\"", "\"");
  if (!sides) lines.report("must be that of extended XYZ, with Lattice=\"...\" and Properties=...");
  std::istringstream lattice(*sides);
  std::array<double, 9> edges{};
  for (double& edge : edges)
    if (!(lattice >> edge)) lines.report("must have Lattice=\"Lx 0 0 0 Ly 0 0 0 Lz\"");
  if (!(edges[0] > 0 && edges[4] > 0 && edges[0] < farthest && edges[4] < farthest) || edges[1] != 0 || edges[3] != 0)
    lines.report("must have the Lattice of a rectangle, \"Lx 0 0 0 Ly 0 0 0 Lz\"");
  const Columns columns(between(comment + " ", "Properties=", " \"").value_or("species:S:1:pos:R:3"), lines);
  Points result;
  double radius = 0.5;
  for (std::size_t i = 0; i < count; ++i) {
    std::string line;
    if (!lines.next(line)) lines.report("the file ends within a snapshot");
    std::istringstream text(line);
    std::vector<std::string> words;
    for (std::string word; text >> word;) words.push_back(word);
    std::array<double, 3> numbers{0, 0, radius};  // x, y, radius
    bool right = words.size() >= columns.all;
    const auto read = [&](std::size_t column, double& number) {
      std::istringstream word(right ? words[column] : "");
      right = right && word >> number && word.eof();
    };
    read(*columns.position, numbers[0]);
    read(*columns.position + 1, numbers[1]);
    if (columns.radius) read(*columns.radius, numbers[2]);
    if (!right || !is_near({numbers[0], numbers[1]}) || !(numbers[2] > 0))
      lines.report("must have the numbers that Properties names");
    if (i > 0 && numbers[2] != radius) lines.report("must have the radius of the disks before");
    radius = numbers[2];
    result.points.push_back({numbers[0], numbers[1]});
    result.lines.push_back(lines.number());
  }
  result.box = {edges[0] / (2 * radius), edges[4] / (2 * radius)};
  for (auto& point : result.points) point = {point[0] / (2 * radius), point[1] / (2 * radius)};
  return result;
}

/// Whether a line is the number of points with which a frame of XYZ begins.
bool is_count(const std::string& line, std::size_t& count) {
  std::istringstream words(line);
  std::string more;
  constexpr std::size_t most = std::size_t{1} << 32;
  return line.find_first_not_of("0123456789 \t\r") == std::string::npos && words >> count && !(words >> more) &&
         count <= most;
}

Points read_xyz(std::ifstream& file, const PointSelection& selection, const std::function<void()>& watch,
                const Faults& faults) {
  struct Frame {
    std::size_t disks, lines;  ///< lines before its comment
    std::streamoff position;   ///< of its comment
  };
  std::vector<Frame> frames;
  std::size_t count = 0;
  std::string line;
  for (Lines lines(file, faults, watch); lines.next(line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (!is_count(line, count)) lines.report("must be the number of disks of a snapshot");
    frames.push_back({count, lines.number(), file.tellg()});
    for (std::size_t i = 0; i <= count; ++i)
      if (!lines.next(line)) lines.report("the file ends within a snapshot");
  }
  const Frame& wanted = frames[index_of(selection.row, frames.size(), faults)];
  Lines lines(file, faults, watch, wanted.position, wanted.lines);
  lines.next(line);
  require_few(wanted.disks, selection.disks, lines);
  return read_frame(line, wanted.disks, lines);
}

}  // namespace

std::vector<Points> read_points(const std::filesystem::path& path, const PointSelection& selection,
                                const std::function<void()>& watch) {
  const Faults faults{path};
  std::ifstream file(path, std::ios::binary);
  const std::string begin = first_bytes(file);
  if (begin == hdf5_signature) return read_hdf5(selection, faults);
  if (begin == gsd_signature) {
    const auto xyz = std::filesystem::path(path).replace_extension(".xyz");
    faults.report("is a GSD file; convert it by python3 -m tessera_io.export " + printable(path.string()) +
                  " --to extxyz, and start from " + printable(xyz.string()));
  }
  if (begin.starts_with("\x93NUMPY")) faults.report("is a .npy file; write the positions by numpy.savetxt()");
  if (!file) faults.report("cannot be read");
  Lines lines(file, faults, watch);
  std::string line;
  std::size_t count = 0;
  if (!lines.next(line)) return {Points()};
  if (is_count(line, count)) return {read_xyz(file, selection, watch, faults)};
  index_of(selection.row, 1, faults);
  return {read_lines(line, selection.disks, lines)};
}

}  // namespace tessera::io
