// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "sweep/record.hpp"

#include <unistd.h>

#include <boost/property_tree/json_parser.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <tessera/core/error.hpp>

#include "json.hpp"
#include "value_text.hpp"

namespace tessera::program {
namespace {

using Tree = boost::property_tree::ptree;

double number(const std::string& text) {
  double value = std::numeric_limits<double>::quiet_NaN();
  if (text != "null") read_value(text, value);
  return value;
}

/// The quantities of one object: a name, and perhaps name_error after it.
std::vector<Record::Quantity> quantities(const Tree& tree, const Tree& units) {
  std::vector<Record::Quantity> all;
  const std::string error = "_error";
  for (const auto& [name, value] : tree) {
    if (!all.empty() && name == all.back().name + error) {
      all.back().error = number(value.data());
    } else {
      all.push_back({name, units.get<std::string>(Tree::path_type(name, '/'), ""), number(value.data())});
    }
  }
  return all;
}

}  // namespace

void write_whole(const std::filesystem::path& path, const std::string& text) {
  const auto temporary = path.parent_path() / ("." + path.filename().string() + ".tmp-" + std::to_string(::getpid()));
  {
    std::ofstream file(temporary, std::ios::binary);
    file << text;
    file.close();
    if (!file) {
      const std::string reason = std::strerror(errno);
      std::error_code error;
      std::filesystem::remove(temporary, error);
      throw RunError("cannot write '" + path.string() + "': " + reason);
    }
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) throw RunError("cannot write '" + path.string() + "': " + error.message());
}

void write_record(const std::filesystem::path& path, const std::string& course, const std::string& summary) {
  write_whole(path, "{\n  \"course\": " + json_string(course) + ",\n  \"summary\": " + summary + "}\n");
}

std::optional<Record> read_record(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  try {
    Tree tree;
    boost::property_tree::read_json(file, tree);
    const Tree& summary = tree.get_child("summary");
    const Tree& units = summary.get_child("units");
    Record record;
    record.course = tree.get<std::string>("course");
    record.finished = summary.get<bool>("finished");
    record.time = number(summary.get<std::string>("time"));
    record.wall_seconds = number(summary.get<std::string>("wall_seconds"));
    record.observables = quantities(summary.get_child("observables"), units);
    if (const auto averages = summary.get_child_optional("averages.observables"))
      record.averages = quantities(*averages, units);
    return record;
  } catch (const boost::property_tree::ptree_error&) {
    return std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace tessera::program
