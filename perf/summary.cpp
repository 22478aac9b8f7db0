// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <ostream>
#include <string>
#include <vector>

namespace tessera::perf {
namespace {

[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...) {
  char buffer[256];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return buffer;
}

/// A figure to three digits, as in 9.05e+08, 12.3, 0.0037.
std::string figure(double value) { return text(value >= 1e5 ? "%.2e" : "%.3g", value); }

/// A dash where there is none.
std::string figure_if_any(double value) { return value == 0 ? "-" : figure(value); }

/// The columns of the figures that any of the results has, in the order in which they come.
std::vector<Figure> columns_of(const std::vector<Result>& results) {
  std::vector<Figure> columns;
  for (const Result& r : results)
    for (const Figure& f : r.figures)
      if (std::none_of(columns.begin(), columns.end(), [&](const Figure& c) { return c.name == std::string(f.name); }))
        columns.push_back(f);
  return columns;
}

/// The rows of a Markdown table, padded so that it can be read as it is; the first row is the head.
void write_table(std::ostream& out, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < widths.size(); ++c) {
      const std::string padding(widths[c] - rows[r][c].size(), ' ');
      out << "| " << (c == 0 ? rows[r][c] + padding : padding + rows[r][c]) << ' ';
    }
    out << "|\n";
    if (r > 0) continue;
    for (std::size_t c = 0; c < widths.size(); ++c)
      out << '|' << std::string(widths[c] + 1, '-') << (c == 0 ? '-' : ':');
    out << "|\n";
  }
}

std::string outcome(const Verdict& v) {
  const double ratio = v.at_most ? v.target / v.measured : v.measured / v.target;
  const std::string result = v.met() ? "met" : "missed";
  return result + (v.measured > 0 ? text(" by %.1f %%", 100 * std::fabs(ratio - 1)) : "") +
         (v.applies ? "" : " (stated for another machine)");
}

std::string quoted(const std::string& value) {
  std::string result = "\"";
  for (const char c : value) {
    if (static_cast<unsigned char>(c) < 0x20) {
      result += text("\\u%04x", c);
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string member(const char* name, double value) { return quoted(name) + ": " + text("%.6g", value); }

}  // namespace

void write_markdown(std::ostream& out, const Context& context, const std::vector<Result>& results,
                    const std::vector<Verdict>& verdicts) {
  for (const auto& [name, value] : context) out << "- " << name << ": " << value << '\n';
  out << "\nMedian, least and most of the repetitions. The references run on one core: kmc/bkl, kpz/sequential, "
         "disks/sequential.\n\n";
  const std::vector<Figure> columns = columns_of(results);
  std::vector<std::vector<std::string>> rows{
      {"case", "rate", "least", "most", "unit", "x Serial", "x reference", "target"}};
  for (const Figure& column : columns) rows.front().emplace_back(column.heading);
  for (const Result& r : results) {
    if (!r.measured()) continue;
    rows.push_back({r.what.name, figure(r.rate), figure(r.least), figure(r.most), r.what.unit.text,
                    figure_if_any(r.over_serial), figure_if_any(r.over_reference), figure_if_any(r.what.target)});
    for (const Figure& column : columns)
      rows.back().push_back(r.has(column.name) ? figure(r.figure(column.name)) : "-");
  }
  write_table(out, rows);
  out << '\n';
  for (const Result& r : results)
    if (!r.measured()) out << "- " << r.what.name << (r.failed ? " failed: " : " left out: ") << r.left_out << '\n';
  if (verdicts.empty()) return;
  out << '\n';
  rows = {{"target", "at", "figure", "measured", "unit", "outcome"}};
  for (const Verdict& v : verdicts)
    rows.push_back({v.what, v.at_most ? "most" : "least", figure(v.target), figure(v.measured), v.unit, outcome(v)});
  write_table(out, rows);
}

void write_json(std::ostream& out, const Context& context, const std::vector<Result>& results,
                const std::vector<Verdict>& verdicts) {
  const auto list = [&](const char* name, const std::vector<std::string>& items, const char* after) {
    out << quoted(name) << ": [";
    for (std::size_t i = 0; i < items.size(); ++i) out << (i == 0 ? "\n  {" : ",\n  {") << items[i] << '}';
    out << "\n]" << after;
  };
  out << "{\n\"context\": {";
  for (std::size_t i = 0; i < context.size(); ++i)
    out << (i == 0 ? "\n  " : ",\n  ") << quoted(context[i].first) << ": " << quoted(context[i].second);
  out << "\n},\n";
  std::vector<std::string> measured, left_out, targets;
  for (const Result& r : results) {
    std::string line = quoted("name") + ": " + quoted(r.what.name);
    if (!r.measured()) {
      left_out.push_back(line + ", " + quoted("reason") + ": " + quoted(r.left_out));
      continue;
    }
    line += ", " + quoted("unit") + ": " + quoted(r.what.unit.text);
    const auto add = [&](const char* name, double value) { line += ", " + quoted(name) + ": " + text("%.6g", value); };
    add("repetitions", r.repetitions);
    add("rate", r.rate);
    add("least", r.least);
    add("most", r.most);
    if (r.over_serial > 0) add("over_serial", r.over_serial);
    if (r.over_reference > 0) add("over_reference", r.over_reference);
    if (r.what.target > 0) add("target", r.what.target);
    for (const Figure& f : r.figures) add(f.name, f.value);
    measured.push_back(line);
  }
  for (const Verdict& v : verdicts)
    targets.push_back(quoted("target") + ": " + quoted(v.what) + ", " + quoted("at") + ": " +
                      quoted(v.at_most ? "most" : "least") + ", " + member("figure", v.target) + ", " +
                      member("measured", v.measured) + ", " + quoted("unit") + ": " + quoted(v.unit) + ", " +
                      quoted("met") + ": " + (v.met() ? "true" : "false") + ", " + quoted("stated_for_this_machine") +
                      ": " + (v.applies ? "true" : "false"));
  list("results", measured, ",\n");
  list("left_out", left_out, ",\n");
  list("targets", targets, "\n}\n");
}

}  // namespace tessera::perf
