// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// Reads the documents of the source folder.
namespace tessera::testing {

std::filesystem::path source_folder();

/// The Markdown documents, relative to the source folder: README.md and docs/*.md, sorted.
std::vector<std::string> documents();

/// The input files, relative to the source folder: inputs/**.ini, sorted.
std::vector<std::string> input_files();

/// The model files of --processes.
std::vector<std::string> model_files();

/// The method that an input file is for: its name begins with it; with any other name it is for kmc.
std::string method_of(const std::string& input_file);

/// The lines of a file of the source folder.
std::vector<std::string> lines_of(const std::string& file);

/// The same as one text.
std::string text_of(const std::string& file);

/// A fenced block of a document.
struct Block {
  std::string language;  ///< word after the fence
  std::string comment;   ///< text of the HTML comment in the line before it, if there is one
  std::string text;
};

std::vector<Block> blocks_of(const std::string& document);

/// The rows of the tables whose header begins with this cell, cell by cell, "\|" read as "|".
std::vector<std::vector<std::string>> table_rows(const std::string& document, const std::string& header);

/// A cell without the back quotes around it.
std::string unquoted(const std::string& cell);

}  // namespace tessera::testing
