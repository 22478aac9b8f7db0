// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/io/lattice_file.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "io/failure.hpp"
#include "tessera/io/input_file.hpp"
#include "tessera/io/unit_cell.hpp"

namespace tessera::io {
namespace {

constexpr std::size_t most_states = std::size_t{1} << 40, longest_word = 400, any_sites = 0, any_axes = 0;

/// Appends numbers of type T as states. Reports a number that does not fit into a state.
template <class T>
void append(std::vector<std::int64_t>& states, const T* numbers, std::size_t count, const Faults& faults) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::in_range<std::int64_t>(numbers[i]))
      faults.report("the number " + std::to_string(numbers[i]) + " is too large for a state");
    states.push_back(static_cast<std::int64_t>(numbers[i]));
  }
}

/// Calls use(T()) with the integer type of this size. Returns false if there is none.
template <class Use>
bool with_integer(bool is_signed, std::size_t bytes, const Use& use) {
  const auto fits = [&](auto with_sign, auto without) {
    if (bytes != sizeof(without)) return false;
    is_signed ? use(with_sign) : use(without);
    return true;
  };
  return fits(std::int8_t(), std::uint8_t()) || fits(std::int16_t(), std::uint16_t()) ||
         fits(std::int32_t(), std::uint32_t()) || fits(std::int64_t(), std::uint64_t());
}

/// Product of the extents. Throws if it is zero or too large.
std::size_t size_of(const LatticeStates& lattices, const Faults& faults) {
  std::size_t size = 1;
  for (const std::size_t extent : {lattices.lattices, lattices.nz, lattices.ny, lattices.nx}) {
    if (extent == 0 || extent > most_states / size) faults.report("must have between 1 and 2^40 numbers");
    size *= extent;
  }
  return size;
}

StatesOrigin origin_of(const InputFile& file) {
  const auto text = [&](const std::string& name) { return file.has(name) ? file.text(name) : std::string(); };
  const auto input = [&](const std::string& name) {
    return between("\n" + text("/checkpoint/input"), "\n" + name + " = ", "\n").value_or("");
  };
  StatesOrigin origin{input("model"), text("/provenance/model"), {}, input("lattice")};
  if (file.has("/fields")) origin.fields = file.names("/fields");
  return origin;
}

LatticeStates read_hdf5(const std::string& dataset, std::size_t sites, std::size_t axes, const Faults& faults) {
  const InputFile file(faults.path);
  if (!file.has(dataset)) faults.report("has no " + dataset + "; use an output file of tessera kmc");
  const std::vector<std::size_t> shape = file.shape(dataset);
  if (axes == any_axes) axes = shape.size() == 4 ? 3 : 2;
  if (shape.size() != axes + 1)
    faults.report(dataset + " is not an array of lattices with " + std::to_string(axes) + " axes");
  LatticeStates lattices{shape[0], shape[axes - 1], shape[axes], {}, origin_of(file), axes == 3 ? shape[1] : 1};
  const std::size_t size = size_of(lattices, faults);
  if (size / lattices.lattices != sites && sites != any_sites) return lattices;
  lattices.states.reserve(size);
  const ElementType type = file.type(dataset);
  const std::string name = element_name(type);
  if (type == ElementType::float32 || type == ElementType::float64)
    faults.report(dataset + " has elements of type " + name + ", not whole numbers");
  with_integer(name.front() != 'u', element_size(type), [&]<class T>(T) {
    const std::vector<T> numbers = file.read<T>(dataset);
    append(lattices.states, numbers.data(), numbers.size(), faults);
  });
  return lattices;
}

/// Reads the header of an .npy file: a version, the length, and a Python dictionary in ASCII, without its blanks.
std::string npy_header(std::ifstream& file, const Faults& faults) {
  unsigned char start[12] = {};
  file.read(reinterpret_cast<char*>(start), 10);
  std::size_t length = start[8] | std::size_t{start[9]} << 8;
  if (start[6] >= 2) {
    file.read(reinterpret_cast<char*>(start + 10), 2);
    length |= std::size_t{start[10]} << 16 | std::size_t{start[11]} << 24;
  }
  constexpr std::size_t longest = 65536;
  if (!file || length > longest) faults.report("is not a valid .npy file: its header is damaged");
  std::string header(length, '\0');
  if (!file.read(header.data(), static_cast<std::streamsize>(length)))
    faults.report("is not a valid .npy file: it ends in its header");
  std::erase(header, ' ');
  return header;
}

/// Value of a key in the header, after `begin` and up to one of `ends`.
std::string npy_value(const std::string& header, const std::string& key, const std::string& begin, const char* ends,
                      const Faults& faults) {
  const auto value = between(header, "'" + key + "':" + begin, ends);
  if (!value) faults.report("is not a valid .npy file: its header has no " + key);
  return *value;
}

LatticeStates read_npy(std::ifstream& file, std::size_t sites, std::size_t axes, const Faults& faults) {
  const std::string header = npy_header(file, faults);
  if (header.find("'descr':[") != std::string::npos)
    faults.report("is an array of records; save one of their fields, such as states['spin']");
  const std::string type = npy_value(header, "descr", "'", "'", faults);
  const std::string order = npy_value(header, "fortran_order", "", ",}", faults);
  const std::string shape = npy_value(header, "shape", "(", ")", faults);
  if (order != "False") faults.report("is in Fortran order; save numpy.ascontiguousarray(states)");
  std::vector<std::size_t> extents;
  std::istringstream numbers(shape);
  for (double extent = 0; numbers >> extent; numbers.ignore())
    extents.push_back(static_cast<std::size_t>(std::clamp(extent, 0.0, static_cast<double>(most_states + 1))));
  const std::string sides = axes == 3 ? "nz, ny, nx)" : "ny, nx)";
  if (shape.find_first_not_of("0123456789,") != std::string::npos || extents.size() < axes || extents.size() > axes + 1)
    faults.report("has the shape (" + printable(shape) + "); it must be (" + sides + " or (replicas, " + sides);
  if (extents.size() == axes) extents.insert(extents.begin(), 1);
  LatticeStates lattices{extents[0], extents[axes - 1], extents[axes], {}, {}, axes == 3 ? extents[1] : 1};
  const std::size_t size = size_of(lattices, faults);
  if (size / lattices.lattices != sites) return lattices;
  const bool is_whole =
      type.size() == 3 && (type[0] == '|' || type[0] == '<') && std::strchr("iub", type[1]) != nullptr;
  const bool known =
      is_whole && with_integer(type[1] == 'i', static_cast<std::size_t>(type[2] - '0'), [&]<class T>(T) {
        const auto position = file.tellg();
        std::error_code error;
        if (std::filesystem::file_size(faults.path, error) !=
                static_cast<std::uintmax_t>(position) + size * sizeof(T) ||
            error)
          faults.report("is not a valid .npy file: its length does not match its shape");
        lattices.states.reserve(size);
        std::vector<T> batch(std::min(size, std::size_t{1} << 20));
        for (std::size_t at = 0; at < size; at += batch.size()) {
          const std::size_t count = std::min(batch.size(), size - at);
          if (!file.read(reinterpret_cast<char*>(batch.data()), static_cast<std::streamsize>(count * sizeof(T))))
            faults.report("cannot be read");
          append(lattices.states, batch.data(), count, faults);
        }
      });
  if (!known)
    faults.report("has elements of type '" + printable(type) + "'; use whole numbers, such as states.astype('int32')");
  return lattices;
}

/// The number that a word is; nothing if it is a name.
std::optional<std::int64_t> number_of(const std::string& word) {
  std::int64_t state = 0;
  const char* const last = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), last, state);
  return error == std::errc() && end == last ? std::optional(state) : std::nullopt;
}

/// Calls on_word(word) for each word between blanks or commas, outside comments, and on_line() at the end of each
/// line. Words of more than `longest_word` bytes are cut.
template <class OnWord, class OnLine>
void scan_text(std::ifstream& file, const OnWord& on_word, const OnLine& on_line) {
  std::string word;
  bool in_comment = false;
  const auto end_word = [&] {
    if (!word.empty()) on_word(std::exchange(word, ""));
  };
  for (char piece[4096]; file;) {
    file.read(piece, sizeof piece);
    for (const char c : std::string_view(piece, static_cast<std::size_t>(file.gcount()))) {
      const bool is_between = std::string_view(" \t\r,\n#").find(c) != std::string_view::npos;
      if (is_between || word.size() > longest_word) end_word();
      in_comment = c == '#' || (in_comment && c != '\n');
      if (c == '\n') on_line();
      if (!is_between && !in_comment) word += c;
    }
  }
  if (file.bad()) return;
  end_word();
  on_line();
}

LatticeStates read_text(std::ifstream& file, std::size_t sites, const Faults& faults,
                        const std::function<std::int64_t(const std::string&)>& named) {
  LatticeStates lattices{1, 0, 0, {}};
  std::size_t line = 1, width = 0, count = 0;
  const auto refuse = [&](const std::string& what) { faults.report("line " + std::to_string(line) + ": " + what); };
  const auto on_word = [&](const std::string& word) {
    const std::string quoted = "'" + printable(word, 40) + "': ";
    std::optional<std::int64_t> state = number_of(word);
    if (word.size() > longest_word || (!state && !named))
      refuse(quoted +
             "must be a whole number; a file that is neither HDF5 nor .npy has whole numbers between blanks or commas, "
             "and a header begins with #");
    try {
      if (!state) state = named(word);
    } catch (const InputError& error) {
      refuse(quoted + error.what());
    }
    ++width;
    if (count < sites) lattices.states.push_back(*state);
    const std::size_t most = 2 * sites + 1'000'000;  // up to it the size can be named
    if (count++ == most)
      faults.report("has more than " + std::to_string(most) + " numbers, but the lattice has " + std::to_string(sites) +
                    " sites");
  };
  const auto on_line = [&] {
    if (width > 0 && lattices.ny++ == 0) lattices.nx = width;
    if (width > 0 && width != lattices.nx)
      refuse("has " + std::to_string(width) + " numbers, but the first row has " + std::to_string(lattices.nx));
    width = 0;
    ++line;
  };
  scan_text(file, on_word, on_line);
  if (file.bad()) faults.report("cannot be read");
  size_of(lattices, faults);
  return lattices;
}

}  // namespace

LatticeStates read_lattice_states(const std::filesystem::path& path, const std::string& dataset, std::size_t sites,
                                  const std::function<std::int64_t(const std::string&)>& named, std::size_t axes) {
  const Faults faults{path};
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) faults.report("no such file");
  if (!std::filesystem::is_regular_file(status)) faults.report("is not a regular file");
  std::ifstream file(path, std::ios::binary);
  const std::string first = first_bytes(file);
  if (first == hdf5_signature) return read_hdf5(dataset, sites, axes, faults);
  if (!file) faults.report("cannot be read");
  if (first.starts_with(byte_order_mark)) file.seekg(byte_order_mark.size());
  if (first.starts_with("\x93NUMPY")) return read_npy(file, sites, axes, faults);
  if (axes != 2) faults.report("must be an output file of tessera kmc or an .npy file: a text has two axes");
  return read_text(file, sites, faults, named);
}

std::set<std::string> state_names(const std::filesystem::path& path) {
  std::set<std::string> names;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return names;
  std::ifstream file(path, std::ios::binary);
  const std::string first = first_bytes(file);
  if (first.starts_with(byte_order_mark)) file.seekg(byte_order_mark.size());
  const auto add = [&](const std::string& word) {
    if (!number_of(word)) names.insert(word);
  };
  if (first == hdf5_signature) {
    const LatticeStates from = read_hdf5("/checkpoint/state", any_sites, any_axes, {path});
    for (const auto& [name, cells] : UnitCell(from.origin->description).held(from.states)) names.insert(name);
  } else if (!first.starts_with("\x93NUMPY")) {
    scan_text(file, add, [] {});
  }
  return names;
}

}  // namespace tessera::io
