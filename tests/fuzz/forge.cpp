// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/fuzz/forge.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>

#include "io/checksum.hpp"
#include "io/hdf5_dataset.hpp"
#include "tests/fuzz/option_lines.hpp"

namespace tessera::testing {
namespace {

namespace hdf5 = io::hdf5;
using io::ElementType;
using Shape = std::vector<std::size_t>;

constexpr std::array all_types = {ElementType::float32, ElementType::float64, ElementType::int8,  ElementType::int16,
                                  ElementType::int32,   ElementType::int64,   ElementType::uint8, ElementType::uint16,
                                  ElementType::uint32,  ElementType::uint64};

/// Calls action(T()) with the type of the elements.
template <class Action>
void with_type(ElementType type, const Action& action) {
  switch (type) {
    case ElementType::float32:
      return action(float());
    case ElementType::float64:
      return action(double());
    case ElementType::int8:
      return action(std::int8_t());
    case ElementType::int16:
      return action(std::int16_t());
    case ElementType::int32:
      return action(std::int32_t());
    case ElementType::int64:
      return action(std::int64_t());
    case ElementType::uint8:
      return action(std::uint8_t());
    case ElementType::uint16:
      return action(std::uint16_t());
    case ElementType::uint32:
      return action(std::uint32_t());
    case ElementType::uint64:
      return action(std::uint64_t());
  }
}

template <class T>
T value_from(const std::string& text) {
  if (text == "min") return std::numeric_limits<T>::lowest();
  if (text == "max") return std::numeric_limits<T>::max();
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(std::strtod(text.c_str(), nullptr));
  } else if (text.starts_with('-')) {
    return static_cast<T>(std::strtoll(text.c_str(), nullptr, 10));
  } else {
    return static_cast<T>(std::strtoull(text.c_str(), nullptr, 10));
  }
}

/// An entry taken out of a file, to be changed and put back.
class Opened {
 public:
  Opened(hid_t file, const std::string& name) : in_checkpoint_(name.find('/') == std::string::npos) {
    const auto slash = name.rfind('/');
    const std::string group = in_checkpoint_ ? "checkpoint" : name.substr(0, slash);
    name_ = in_checkpoint_ ? name : name.substr(slash + 1);
    group_ = hdf5::open_group(file, group);
    if (!hdf5::has_link(group_.get(), name_)) throw std::runtime_error("no entry " + name);
    const auto dataset = hdf5::open_dataset(group_.get(), name_);
    const auto found = hdf5::element_type(dataset.get());
    is_text = !found;
    if (is_text) {
      text = name == "input" ? hdf5::read_text(dataset.get()) : "";
    } else {
      type = *found;
      shape = hdf5::shape_of(dataset.get());
      bytes.resize(hdf5::count_of(shape) * io::element_size(type));
      if (!bytes.empty()) hdf5::read_all(dataset.get(), type, hdf5::count_of(shape), bytes.data());
      type_before_ = type;
      shape_before_ = shape;
    }
  }

  void drop() const { hdf5::unlink(group_.get(), name_); }

  void put_back() const {
    if (!in_checkpoint_ && !is_text && type == type_before_ && shape == shape_before_) return write_in_place();
    drop();
    const auto dataset = is_text ? write_any_text() : hdf5::write_array(group_.get(), name_, type, shape, bytes.data());
    if (!in_checkpoint_) return;
    const std::uint64_t sum =
        is_text ? io::entry_checksum(name_, "text", {}, text.data(), text.size())
                : io::entry_checksum(name_, io::element_name(type), shape, bytes.data(), bytes.size());
    hdf5::write_attribute(dataset.get(), "checksum", ElementType::uint64, {}, &sum);
  }

  /// The numbers, as many as the shape now has, repeated or cut.
  void fill_shape() {
    const std::string before = bytes;
    bytes.resize(hdf5::count_of(shape) * io::element_size(type));
    for (std::size_t i = before.size(); i < bytes.size() && !before.empty(); ++i) bytes[i] = before[i % before.size()];
  }

  bool is_text = false;
  std::string text;
  ElementType type = ElementType::int8;
  Shape shape;
  std::string bytes;

 private:
  /// Also a text that is longer than any that the program writes.
  hdf5::Handle write_any_text() const {
    const hdf5::Handle fixed(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
    hdf5::checked(H5Tset_size(fixed.get(), std::max<std::size_t>(1, text.size())));
    hdf5::checked(H5Tset_cset(fixed.get(), H5T_CSET_UTF8));
    hdf5::Handle dataset(
        H5Dcreate2(group_.get(), name_.c_str(), fixed.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
    if (!text.empty()) hdf5::checked(H5Dwrite(dataset.get(), fixed.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
    return dataset;
  }

  /// Keeps how the dataset is stored: rows are appended to it.
  void write_in_place() const {
    const auto dataset = hdf5::open_dataset(group_.get(), name_);
    hdf5::checked(H5Dwrite(dataset.get(), hdf5::memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()));
  }

  bool in_checkpoint_;
  std::string name_;
  hdf5::Handle group_;
  ElementType type_before_ = ElementType::int8;
  Shape shape_before_;
};

template <class T>
void set_element(Opened& entry, std::size_t index, T value) {
  if ((index + 1) * sizeof value > entry.bytes.size()) throw std::runtime_error("no such element");
  std::memcpy(&entry.bytes[index * sizeof value], &value, sizeof value);
}

void set(Opened& entry, const std::string& index, const std::string& value) {
  with_type(entry.type, [&]<class T>(T) {
    const std::size_t count = entry.bytes.size() / sizeof(T);
    if (index != "all") return set_element(entry, std::stoul(index), value_from<T>(value));
    for (std::size_t i = 0; i < count; ++i) set_element(entry, i, value_from<T>(value));
  });
}

void retype(Opened& entry, const std::string& name) {
  const auto type = std::find_if(all_types.begin(), all_types.end(),
                                 [&](ElementType each) { return io::element_name(each) == name; });
  if (type == all_types.end()) throw std::runtime_error("no type " + name);
  std::string converted;
  with_type(entry.type, [&]<class From>(From) {
    with_type(*type, [&]<class To>(To) {
      for (std::size_t i = 0; i < entry.bytes.size(); i += sizeof(From)) {
        From from;
        std::memcpy(&from, &entry.bytes[i], sizeof from);
        // What does not fit becomes 0: the numbers do not matter here.
        const bool fits =
            static_cast<long double>(from) >= static_cast<long double>(std::numeric_limits<To>::lowest()) &&
            static_cast<long double>(from) <= static_cast<long double>(std::numeric_limits<To>::max());
        const To to = fits ? static_cast<To>(from) : To{0};
        converted.append(reinterpret_cast<const char*>(&to), sizeof to);
      }
    });
  });
  entry.type = *type;
  entry.bytes = converted;
}

void reshape(Opened& entry, const std::string& text) {
  entry.shape.clear();
  std::istringstream stream(text);
  for (std::string extent; text != "scalar" && std::getline(stream, extent, ',');)
    entry.shape.push_back(std::stoul(extent));
  entry.fill_shape();
}

void set_key(Opened& input, const std::string& key, const std::string& value) {
  const auto begin = input.text.find("\n" + key + " = ");
  if (begin == std::string::npos) {
    input.text += key + " = " + value + "\n";
  } else {
    const auto at = begin + key.size() + 4;
    input.text.replace(at, input.text.find('\n', at) - at, value);
  }
}

std::string unescaped(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  std::replace(text.begin(), text.end(), '~', '\n');
  return text;
}

void change_bytes(const std::filesystem::path& path, std::uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  const auto size = std::filesystem::file_size(path);
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::streamoff>(random() % size);
    file.seekg(at);
    const char now = static_cast<char>(file.get());
    file.seekp(at);
    file.put(static_cast<char>(now ^ static_cast<char>(1 + random() % 255)));
  }
}

void change_entry(const std::filesystem::path& path, const std::string& what, std::istringstream& words) {
  const hdf5::Handle access = hdf5::access_properties();
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()), H5Fclose);
  std::string name, first, second;
  words >> name >> first >> second;
  Opened entry(file.get(), what == "key" ? "input" : name);
  if (what == "drop") return entry.drop();
  if (what == "key") {
    set_key(entry, name, unescaped(first));
  } else if (what == "text") {
    entry.is_text = true;
    entry.text = unescaped(first);
  } else if (what == "long") {
    entry.is_text = true;
    entry.text.assign(std::stoul(first), 'x');
  } else if (entry.is_text) {
    throw std::runtime_error(name + " is a text");
  } else if (what == "set") {
    set(entry, first, second);
  } else if (what == "copy") {
    const std::size_t size = io::element_size(entry.type);
    std::memmove(&entry.bytes.at(std::stoul(second) * size), &entry.bytes.at(std::stoul(first) * size), size);
  } else if (what == "shape") {
    reshape(entry, first);
  } else if (what == "type") {
    retype(entry, first);
  } else {
    throw std::runtime_error("no operation " + what);
  }
  entry.put_back();
}

void collect(hid_t file, const std::string& group, std::vector<Entry>& entries) {
  if (!hdf5::has_link(file, group)) return;
  const auto opened = hdf5::open_group(file, group);
  for (const auto& name : hdf5::names_in(opened.get())) {
    const hdf5::Handle object(H5Oopen(opened.get(), name.c_str(), H5P_DEFAULT), H5Oclose);
    if (H5Iget_type(object.get()) == H5I_GROUP) {
      collect(file, group + "/" + name, entries);
      continue;
    }
    const auto dataset = hdf5::open_dataset(opened.get(), name);
    Entry entry{group == "checkpoint" ? name : group + "/" + name, !hdf5::element_type(dataset.get()), 1, {}};
    if (!entry.is_text) {
      entry.shape = hdf5::shape_of(dataset.get());
      entry.count = hdf5::count_of(entry.shape);
    }
    entries.push_back(entry);
  }
}

}  // namespace

void forge(const std::filesystem::path& file, const std::string& line) {
  std::istringstream operations(line);
  for (std::string operation; std::getline(operations, operation, ';');) {
    std::istringstream words(operation);
    std::string what;
    words >> what;
    if (what == "bytes") {
      std::uint64_t seed = 0;
      int count = 0;
      words >> seed >> count;
      change_bytes(file, seed, count);
    } else if (what == "cut") {
      std::uintmax_t bytes = 0;
      words >> bytes;
      std::filesystem::resize_file(file, bytes);
    } else {
      change_entry(file, what, words);
    }
  }
}

std::vector<Entry> entries_of(const std::filesystem::path& path) {
  const hdf5::Handle file = hdf5::open_to_read(path);
  std::vector<Entry> entries;
  for (const char* group : {"checkpoint", "observables", "fields", "history", "particles"})
    collect(file.get(), group, entries);
  return entries;
}

Forger::Forger(const std::filesystem::path& file)
    : entries_(entries_of(file)), bytes_(std::filesystem::file_size(file)) {
  const hdf5::Handle opened = hdf5::open_to_read(file);
  std::istringstream lines(Opened(opened.get(), "input").text);
  for (std::string line; std::getline(lines, line);)
    if (line.find(" = ") != std::string::npos) keys_.push_back(line.substr(0, line.find(" = ")));
}

std::string Forger::operation(std::mt19937_64& random, std::set<std::string>& changed) const {
  static const std::vector<std::string> numbers{
      "0",          "1",           "-1",   "2",    "-2",  "3",       "255", "1e-300", "-1e-300",   "1e300",
      "-1e300",     "0.5",         "nan",  "-nan", "inf", "-inf",    "min", "max",    "1e6",       "1e9",
      "2147483647", "-2147483648", "1e18", "7",    "-0",  "0x1p-52", "100", "65536",  "4294967295"};
  // Checkpoints are read, what was measured is only carried along.
  const Entry* entry = &one_of(entries_, random);
  for (int again = 0; again < 8 && entry->name.find('/') != std::string::npos; ++again)
    entry = &one_of(entries_, random);
  if (random() % 16 == 0)
    entry = &*std::find_if(entries_.begin(), entries_.end(), [](const Entry& e) { return e.name == "input"; });
  while (!changed.insert(entry->name).second) entry = &one_of(entries_, random);  // each once
  const auto element = [&] { return std::to_string(random() % std::max<std::size_t>(entry->count, 1)); };
  const auto kind = random() % 16;
  if (entry->is_text) {
    if (entry->name != "input") return "text " + entry->name + " " + std::to_string(random());
    if (random() % 8 == 0) return "long input " + std::to_string(std::uint64_t{1} << (random() % 24));
    return "key " + one_of(keys_, random) + " " + one_of(edge_values(), random);
  }
  if (kind == 1) return "drop " + entry->name;
  if (kind == 2) return "type " + entry->name + " " + io::element_name(one_of(all_types, random));
  if (kind == 3) {
    Shape shape = entry->shape;
    if (!shape.empty()) shape[random() % shape.size()] = random() % 40;
    if (random() % 3 == 0 && !shape.empty()) shape.pop_back();
    if (random() % 3 == 0) shape.push_back(1 + random() % 3);
    std::string text;
    for (const auto extent : shape) text += (text.empty() ? "" : ",") + std::to_string(extent);
    return "shape " + entry->name + " " + (text.empty() ? "scalar" : text);
  }
  if (kind < 6 && entry->count > 1) return "copy " + entry->name + " " + element() + " " + element();
  return "set " + entry->name + " " + (random() % 4 == 0 ? "all" : element()) + " " + one_of(numbers, random);
}

std::string Forger::structured(std::uint64_t seed) const {
  std::mt19937_64 random(seed);
  std::set<std::string> changed;
  std::string line = operation(random, changed);
  while (random() % 4 == 0) line += "; " + operation(random, changed);
  return line;
}

std::string Forger::damaged(std::uint64_t seed) const {
  std::mt19937_64 random(seed);
  if (random() % 8 == 0) return "cut " + std::to_string(random() % bytes_);
  return "bytes " + std::to_string(random() % 1000000) + " " + std::to_string(1 + random() % 30);
}

}  // namespace tessera::testing
