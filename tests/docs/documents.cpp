// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/docs/documents.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace tessera::testing {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      cells.back() += line[++i];
    } else if (line[i] == '|') {
      cells.back() = trimmed(cells.back());
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  cells.pop_back();
  return cells;
}

std::vector<std::string> files_in(const std::string& folder, const std::string& extension) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_folder() / folder))
    if (entry.path().extension() == extension)
      files.push_back(std::filesystem::relative(entry.path(), source_folder()).string());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::filesystem::path source_folder() { return TESSERA_SOURCE; }

std::vector<std::string> documents() {
  auto files = files_in("docs", ".md");
  files.insert(files.begin(), "README.md");
  return files;
}

std::vector<std::string> input_files() {
  std::vector<std::string> files = files_in("inputs", ".ini");
  std::erase_if(files, [](const std::string& file) { return file.starts_with("inputs/models/"); });
  return files;
}

std::vector<std::string> model_files() { return files_in("inputs/models", ".ini"); }

std::string method_of(const std::string& input_file) {
  const std::string name = std::filesystem::path(input_file).filename().string();
  for (const std::string method : {"kpz", "disks"})
    if (name.starts_with(method + "_")) return method;
  return "kmc";
}

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream stream(source_folder() / file);
  if (!stream) throw std::runtime_error("cannot read " + file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string text_of(const std::string& file) {
  std::string text;
  for (const std::string& line : lines_of(file)) text += line + "\n";
  return text;
}

std::vector<Block> blocks_of(const std::string& document) {
  std::vector<Block> blocks;
  bool inside = false;
  std::string before;
  for (const std::string& line : lines_of(document)) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) {
        const bool is_comment = before.starts_with("<!-- ") && before.ends_with(" -->");
        blocks.push_back({line.substr(3), is_comment ? before.substr(5, before.size() - 9) : "", ""});
      }
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
    before = line;
  }
  return blocks;
}

std::vector<std::vector<std::string>> table_rows(const std::string& document, const std::string& header) {
  std::vector<std::vector<std::string>> rows;
  bool inside = false;
  std::string before;
  for (const std::string& line : lines_of(document)) {
    if (line.starts_with("| ---")) {
      inside = before.starts_with("| " + header + " |");
    } else if (inside && line.starts_with("|")) {
      rows.push_back(cells_of(line));
    } else {
      inside = false;
    }
    before = line;
  }
  return rows;
}

std::string unquoted(const std::string& cell) {
  return cell.size() >= 2 && cell.front() == '`' && cell.back() == '`' ? cell.substr(1, cell.size() - 2) : cell;
}

}  // namespace tessera::testing
