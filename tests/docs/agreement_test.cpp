// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <tessera/io/input_file.hpp>
#include <tessera/kmc/models.hpp>

#include "methods/kpz_bias.hpp"
#include "tests/docs/documents.hpp"
#include "tests/matchers.hpp"
#include "tests/program/parsed_json.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

// A block after the comment <!-- PATH --> is the text of that file but for the licence. C++ has no other blocks: tests
// compile these files.
TEST(Documents, CodeEqualsTheTestedFiles) {
  int compared = 0;
  for (const std::string& document : documents())
    for (const Block& block : blocks_of(document)) {
      const bool is_file = !block.comment.empty() && std::filesystem::exists(source_folder() / block.comment);
      EXPECT_TRUE(is_file || block.language != "cpp") << document << ": no test compiles\n" << block.text;
      if (!is_file) continue;
      std::string text;
      for (const std::string& line : lines_of(block.comment))
        if (line.find("SPDX-") == std::string::npos) text += line + "\n";
      EXPECT_EQ(block.text, text) << document << ", " << block.comment;
      ++compared;
    }
  EXPECT_EQ(compared, 11);
}

// Tests are named by their suite, of disks by themselves.
TEST(Documents, NamedTestsExist) {
  std::string sources;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_folder() / "tests"))
    if (entry.path().extension() == ".cpp")
      for (const std::string& line : lines_of(std::filesystem::relative(entry.path(), source_folder()).string()))
        sources += line + "\n";
  const auto have = [&](const std::string& text) { return sources.find(text) != std::string::npos; };
  const std::regex name("`([A-Za-z0-9]+)`");
  int named = 0;
  for (const auto& row : table_rows("docs/validation/kmc.md", "what"))
    for (std::sregex_iterator i(row.at(2).begin(), row.at(2).end(), name), end; i != end; ++i, ++named) {
      const std::string suite = "(" + (*i)[1].str() + ",";
      EXPECT_TRUE(have("TEST" + suite) || have("TEST_F" + suite) || have("TEST_P" + suite)) << suite;
    }
  for (const auto& row : table_rows("docs/validation/disks.md", "what"))
    for (std::sregex_iterator i(row.at(2).begin(), row.at(2).end(), name), end; i != end; ++i, ++named)
      EXPECT_TRUE(have(", " + (*i)[1].str() + ")")) << (*i)[1];
  EXPECT_GT(named, 8);
}

TEST(Documents, LinksLeadToFilesAndHeadings) {
  const std::regex link(R"(\]\(([^)#:]*)(?:#([^)]*))?\))");
  for (const std::string& document : documents()) {
    for (const std::string& line : lines_of(document))
      for (std::sregex_iterator i(line.begin(), line.end(), link), end; i != end; ++i) {
        const auto path = std::filesystem::path(document).parent_path() / (*i)[1].str();
        const std::string target = (*i)[1].length() > 0 ? path.lexically_normal().string() : document;
        EXPECT_TRUE(std::filesystem::exists(source_folder() / target)) << document << ": " << target;
        if (!(*i)[2].matched) continue;
        bool found = false;
        for (const std::string& heading : lines_of(target)) {
          std::string anchor;
          for (const char c : heading.substr(std::min(heading.find_first_not_of("# "), heading.size())))
            if (c == ' ' || c == '-' || std::isalnum(static_cast<unsigned char>(c)) != 0)
              anchor += c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
          found = found || (heading.starts_with("#") && anchor == (*i)[2].str());
        }
        EXPECT_TRUE(found) << document << ": no heading for #" << (*i)[2];
      }
  }
}

/// All files below a folder of the repository with one of these endings, from the repository's root on.
std::set<std::string> files_below(const std::string& folder, const std::string& ending) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_folder() / folder))
    if (entry.path().extension() == ending)
      files.insert(std::filesystem::relative(entry.path(), source_folder()).string());
  return files;
}

TEST(MapOfTheCode, NamesFilesThatExist) {
  const std::string map = text_of("docs/code.md");
  const std::regex name("`([a-z_/]+/[a-z_/]*(?:\\.[a-z]+)?)`");
  int named = 0;
  for (std::sregex_iterator i(map.begin(), map.end(), name), end; i != end; ++i, ++named) {
    const std::string path = (*i)[1];
    bool found = false;
    for (const std::string& root :
         {std::string(), std::string("include/tessera/"), std::string("include/tessera/kmc/")})
      found = found || std::filesystem::exists(source_folder() / (root + path));
    EXPECT_TRUE(found) << path;
  }
  EXPECT_GT(named, 50);
}

TEST(MapOfTheCode, NamesExactlyTheKernels) {
  const std::regex launch(
      R"((?:parallel_(?:for|reduce|scan)|launch|sum(?:_over_\w+)?<[^<>]*>)\s*\([^"]{0,80}?((?:"tessera::[a-z_:]+"(?:\s*:\s*)?)+))");
  const std::regex label("tessera::([a-z]+::[a-z_]+)");
  std::set<std::string> launched, mapped;
  for (const std::string& header : files_below("include", ".hpp")) {
    const std::string text = text_of(header);
    for (std::sregex_iterator i(text.begin(), text.end(), launch), end; i != end; ++i) {
      const std::string labels = (*i)[1];
      for (std::sregex_iterator l(labels.begin(), labels.end(), label); l != end; ++l) launched.insert((*l)[1]);
    }
  }
  const std::string map = text_of("docs/code.md");
  const std::regex name("`([a-z]+::[a-z_]+)`");
  for (std::sregex_iterator i(map.begin(), map.end(), name), end; i != end; ++i) mapped.insert((*i)[1]);
  EXPECT_GT(launched.size(), 30u);
  EXPECT_EQ(mapped, launched);
}

/// What the help and the documents say of an option.
struct OptionText {
  std::string argument, value;
  bool operator==(const OptionText&) const = default;
};

void PrintTo(const OptionText& option, std::ostream* out) { *out << option.argument << " [" << option.value << "]"; }

std::map<std::string, OptionText> options_in_help(const std::string& command) {
  const TemporaryFolder folder;
  std::istringstream lines(run_tessera(folder, {command, "--help", "all"}).out);
  std::vector<std::string> joined;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("      ") && !joined.empty()) {
      joined.back() += line.substr(line.find_first_not_of(' ') - 1);
    } else {
      joined.push_back(line);
    }
  }
  std::map<std::string, OptionText> options;
  // A default is a word; text in brackets with blanks in it explains.
  const std::regex form(R"(  --([a-z0-9-]+)(?: (\S+))?  +.*?(?:\[([^\] ]+)\])?)");
  for (const std::string& line : joined) {
    std::smatch match;
    if (std::regex_match(line, match, form)) options[match[1]] = {match[2], match[3]};
  }
  return options;
}

class DocumentsOf : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, DocumentsOf, ::testing::Values("kmc", "disks", "kpz"),
                         [](const auto& method) { return std::string(method.param); });

/// The page of a model of kmc.
std::string page_of(const kmc::ModelEntry& model) { return "docs/models/" + std::string(model.name) + ".md"; }

// Models that share an option say the same of it.
TEST_P(DocumentsOf, OptionsAndDefaultsEqualTheHelp) {
  std::map<std::string, OptionText> documented;
  const std::regex form(R"(`--([a-z0-9-]+)(?: (\S+))?`)");
  std::vector<std::string> pages = {std::string("docs/") + GetParam() + ".md", "docs/output.md"};
  if (std::string(GetParam()) == "kmc")
    for (const kmc::ModelEntry& model : kmc::Models::models) pages.push_back(page_of(model));
  for (const std::string& page : pages)
    for (const auto& row : table_rows(page, "option")) {
      std::smatch match;
      ASSERT_TRUE(std::regex_match(row.at(0), match, form)) << row[0];
      const OptionText text{match[2], unquoted(row.at(1))};
      const auto [known, is_new] = documented.try_emplace(match[1], text);
      EXPECT_TRUE(is_new || (page.starts_with("docs/models/") && known->second == text)) << row[0] << " stands twice";
    }
  EXPECT_GT(documented.size(), 20u);
  EXPECT_EQ(documented, options_in_help(GetParam()));
}

TEST(Documents, OptionsOfASweepEqualItsHelp) {
  std::map<std::string, OptionText> documented;
  const std::regex form(R"(`--([a-z0-9-]+)(?: (\S+))?`)");
  for (const auto& row : table_rows("docs/campaigns.md", "option")) {
    std::smatch match;
    ASSERT_TRUE(std::regex_match(row.at(0), match, form)) << row[0];
    documented[match[1]] = {match[2], unquoted(row.at(1))};
  }
  EXPECT_EQ(documented, options_in_help("sweep"));
}

// A page for every model, with a row for every parameter that gives its bounds.
TEST(Documents, ModelsAndParametersEqualThoseOfTheProgram) {
  for (const kmc::ModelEntry& model : kmc::Models::models) {
    const std::string page = page_of(model);
    EXPECT_THAT(text_of("docs/kmc.md"), HasSubstr("[`" + std::string(model.name) + "`](models/"));
    EXPECT_THAT(text_of(page), HasSubstr("`--model " + std::string(model.name) + "`."));
    const auto rows = table_rows(page, "option");
    std::size_t taken = 0;
    for (const kmc::ModelParameter& parameter : kmc::Models::parameters()) {
      if (!model.takes(parameter.name)) continue;
      ++taken;
      std::ostringstream bounds;
      bounds << ", in [" << parameter.least << ", " << parameter.most << "]";
      const std::string option = std::string("`--") + parameter.name + " " + parameter.argument + "`";
      const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& cells) { return cells.at(0) == option; });
      ASSERT_NE(row, rows.end()) << page << " " << option;
      EXPECT_TRUE(row->at(2).ends_with(bounds.str())) << page << " " << option << ": " << row->at(2);
    }
    EXPECT_EQ(rows.size(), taken) << page;
  }
}

// Of 50 lines and 100 columns.
TEST(Documents, HelpFitsAScreenAndIsGrouped) {
  const TemporaryFolder folder;
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--help"},
                                                {"kmc", "--help"},
                                                {"kpz", "--help"},
                                                {"disks", "--help"},
                                                {"sweep", "--help"}}) {
    std::istringstream help(run_tessera(folder, words).out);
    int lines = 0, groups = 0;
    for (std::string line; std::getline(help, line); ++lines) {
      EXPECT_LE(line.size(), 100u) << words.front() << ": " << line;
      groups += std::regex_match(line, std::regex("[A-Z].*:"));
    }
    EXPECT_GT(lines, 8) << words.front();
    EXPECT_LE(lines, 50) << words.front();
    if (words.size() == 2 && words.front() != "sweep") {
      EXPECT_GE(groups, 6) << words.front();
    }
  }
}

/// "energy (J)", ... in the help for a model.
std::set<std::string> observables_in_help(const std::string& model) {
  const TemporaryFolder folder;
  const std::string help = run_tessera(folder, {"kmc", "--model", model, "--help"}).out;
  const std::string heading = "\nObservables:\n";
  const std::string list = help.substr(std::min(help.find(heading), help.size()));
  std::set<std::string> observables;
  const std::regex name(R"((\w+(?: \([^)]*\))?)(?:,|\n$))");
  for (std::sregex_iterator i(list.begin(), list.end(), name), end; i != end; ++i) observables.insert((*i)[1]);
  return observables;
}

// Those of the page of the model, and those of all models.
TEST(Documents, ObservablesEqualThoseOfTheFile) {
  const TemporaryFolder folder;
  for (const kmc::ModelEntry& entry : kmc::Models::models) {
    const std::string model(entry.name), file = model + ".h5";
    complete_run(folder, {"kmc", "--model", model, "--size", "16", "--until-time", "1", "--output", file, "--quiet"});
    const io::InputFile output(folder / file);
    std::set<std::string> observables;
    std::set<std::pair<std::string, std::string>> documented, written;  // name and unit
    for (const std::string group : {"/observables/", "/diagnostics/"})
      for (const std::string& name : output.names(group)) {
        const std::string value = group + name + "/value";
        const std::string unit = output.has_attribute(value, "unit") ? output.text_attribute(value, "unit") : "";
        written.emplace(name, unit);
        if (group == "/observables/") observables.insert(unit.empty() ? name : name + " (" + unit + ")");
      }
    const std::string of_time = output.text_attribute("/observables/events/time", "unit");
    for (const std::string& page : {std::string("docs/kmc.md"), page_of(entry)})
      for (const auto& row : table_rows(page, "name"))
        documented.emplace(unquoted(row.at(0)), row.at(1) == "as time" ? of_time : row.at(1));
    EXPECT_EQ(documented, written) << model;
    EXPECT_EQ(observables_in_help(model), observables);
  }
}

TEST(Documents, ObservablesOfDisksEqualThoseOfTheFile) {
  std::map<std::string, std::string> documented, written;
  for (const auto& row : table_rows("docs/disks.md", "name")) documented[unquoted(row.at(0))] = row.at(1);
  const TemporaryFolder folder;
  complete_run(folder, "disks --particles 64 --sweeps 10 --quiet"_words);
  const io::InputFile output(folder / "disks.h5");
  for (const std::string& name : output.names("/observables")) {
    const std::string value = "/observables/" + name + "/value";
    written[name] = output.has_attribute(value, "unit") ? output.text_attribute(value, "unit") : "";
  }
  EXPECT_EQ(documented, written);
}

TEST(Documents, JsonKeysEqualThoseOfTheProgram) {
  std::set<std::string> documented, written;
  const std::regex word("`([a-z_]+)`");
  // A run that reaches its stopping time has no keys of which the table says "only where ...".
  for (const auto& row : table_rows("docs/output.md", "key"))
    for (std::sregex_iterator i(row.at(0).begin(), row.at(0).end(), word), end; i != end; ++i)
      if (!row.at(1).starts_with("only where")) documented.insert((*i)[1]);
  const TemporaryFolder folder;
  const auto tree = parsed(run_tessera(folder, "kmc --size 16 --until-time 1 --json"_words).out);
  for (const auto& [key, value] : tree) written.insert(key);
  EXPECT_EQ(documented, written);
}

TEST(Documents, DeviationsOfSchemesEqualThoseOfTheProgram) {
  using Table = std::map<std::string, std::vector<std::string>>;
  Table steady = {}, growth = {}, velocity = {}, of_page = {}, of_growth = {}, of_velocity = {};
  for (const auto& row : table_rows("docs/kpz_exact.md", "deviation of the velocity, %"))
    of_velocity[row.at(0)] = {row.begin() + 1, row.end()};
  for (const auto& row : table_rows("docs/kpz_exact.md", "steady state: deviation of W^2, %"))
    if (row.at(0) != "sequential") of_page[row.at(0)] = {row.begin() + 1, row.end()};
  for (const auto& row : table_rows("docs/kpz_exact.md", "growth: deviation of W^2, %"))
    if (row.at(0).find("domain") == std::string::npos) of_growth[row.at(0)] = {row.at(6)};
  for (const auto& m : program::measured_deviations) {
    const std::string cell = std::to_string(m.cell), scheme = std::string(m.scheme) + ", TC=" + cell + "," + cell;
    const std::vector<std::string> roughness = program::words_of(m.roughness);
    steady[scheme] = {roughness.begin() + 1, roughness.end()};
    velocity[scheme] = program::words_of(m.velocity);
    if (roughness[0] == "-")
      of_growth.erase(scheme);  // grows with time
    else
      growth[scheme] = {roughness[0]};
    if (!of_page.contains(scheme)) of_page[scheme] = {"-", "-", "-", "-"};
  }
  EXPECT_EQ(steady, of_page);
  EXPECT_EQ(growth, of_growth);
  EXPECT_EQ(velocity, of_velocity);
}

TEST(Documents, SpeedsInTheReadmeEqualThePerformancePage) {
  std::set<std::string> measured;
  for (const std::string& line : lines_of("docs/performance.md")) {
    std::istringstream cells(line);
    for (std::string cell; line.starts_with("|") && std::getline(cells, cell, '|');)
      measured.insert(std::regex_replace(cell, std::regex("^ +| +$"), ""));
  }
  int compared = 0;
  for (const auto& row : table_rows("README.md", "rate"))
    for (std::size_t column = 1; column < row.size(); ++column)
      if (row[column] != "-") {
        EXPECT_TRUE(measured.contains(row[column])) << row[0] << ": " << row[column];
        ++compared;
      }
  EXPECT_GE(compared, 9);
}

// After the comment <!-- output of tessera ... -->: the lines that do not depend on the machine.
TEST(Documents, ExampleOutputIsWhatTheProgramPrints) {
  const TemporaryFolder folder;
  std::filesystem::create_directory_symlink(source_folder() / "inputs", folder / "inputs");
  const std::string prefix = "output of tessera ";
  int compared = 0;
  std::vector<Block> blocks = blocks_of("README.md");
  std::ranges::copy(blocks_of("docs/campaigns.md"), std::back_inserter(blocks));
  for (const Block& block : blocks) {
    if (!block.comment.starts_with(prefix)) continue;
    std::istringstream command(block.comment.substr(prefix.size()));
    std::vector<std::string> words;
    for (std::string word; command >> word;) words.push_back(word);
    const std::string printed = run_tessera(folder, words).out;
    std::istringstream lines(block.text);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("time ")) line = line.substr(0, line.find(','));
      if (std::regex_search(line, std::regex("_steps|_tiles|step_size"))) continue;
      EXPECT_THAT(printed, HasSubstr(line));
      ++compared;
    }
  }
  EXPECT_GE(compared, 8);
}

}  // namespace
}  // namespace tessera::testing
