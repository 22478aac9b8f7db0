// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gmock/gmock.h>

#include <string>

#include "processes/compile.hpp"
#include "tests/complaint.hpp"
#include "tests/processes/models.hpp"

namespace tessera::processes {
namespace {

/// A document of kmcos 0.3 with the lattice of square_lattice() and these elements in <process_list>; the first one has
/// line 16.
std::string document(const std::string& processes) {
  return R"xml(<?xml version="1.0" ?>
<kmc version="(0, 3)">
    <meta author="A &amp; B" debug="0" email="" model_dimension="2" model_name="test"/>
    <species_list default_species="empty">
        <species color="#ffffff" name="empty" representation="" tags=""/>
        <species name="CO" representation="Atoms('CO',
            [[0,0,0],[0,0,1.2]])" tags=""/> <species name="O"/>
    </species_list>
    <!-- <parameter name="none"
      value="1"/> -->
    <parameter_list><parameter adjustable="True" max="0.0" min="0.0" name="k" scale="linear" value="2.5"/></parameter_list>
    <lattice cell_size="3.5 0.0 0.0 0.0 3.5 0.0 0.0 0.0 10.0" default_layer="sc" representation="" substrate_layer="sc">
        <layer color="#ffffff" name="sc"><site default_species="default_species" pos="0.5  0.5 0.5" tags="" type="a"/></layer>
    </lattice>
    <process_list>
)xml" + processes +
         "</process_list>\n<output_list><output item=\"kmc_time\"/></output_list>\n</kmc>\n";
}
std::string element(const std::string& kind, const std::string& species, const std::string& offset,
                    const std::string& more = "") {
  return "<" + kind + " coord_layer=\"sc\" coord_name=\"a\" coord_offset=\"" + offset + "\" " +
         (kind == "bystander" ? "allowed_species" : "species") + "=\"" + species + "\"" + more + "/>\n";
}
std::string up(const std::string& name = "up", const std::string& rate = "k") {
  return "<process enabled=\"True\" name=\"" + name + "\" rate_constant=\"" + rate + "\">\n" +
         element("condition", "empty", "0 0 0") + element("action", "CO", "0 0 0") + "</process>\n";
}
std::string about_xml(const std::string& text) {
  return complaint([&] { compile(read_model(text, "m.xml"), {}); });
}

TEST(Xml, HasAUnitOfTime) {
  std::string text = document(up());
  EXPECT_EQ(read_model(text, "m.xml").time_unit, "s");
  EXPECT_EQ(read_model(text.insert(text.find("debug="), "time_unit=\"1/lam\" "), "m.xml").time_unit, "1/lam");
}

TEST(Xml, EqualsTheIniFile) {
  const ModelFile xml =
      read_model(document(up() +
                          "<process name=\"react\" rate_constant=\"k*2\" otf_rate=\"base_rate*\nexp(nr_CO_far)\" "
                          "tof_count=\"{'CO2':1}\">" +
                          element("condition", "CO", "0 0 0") + element("condition", "O", "1 0 0") +
                          element("action", "empty", "0 0 0") + element("action", "empty", "1 0 0") +
                          element("bystander", "CO O", "0 1 0", " flag=\"far\"") +
                          element("bystander", "CO", "0 -1 0") + "</process>"),
                 "m.xml");
  const ModelFile ini =
      read_model(square_lattice() + process("up", "k", "empty@a", "CO@a") +
                     process("react", "k*2", "CO@a + O@a.(1,0,0)", "empty@a + empty@a.(1,0,0)",
                             "otf_rate = base_rate*\n exp(nr_CO_far)\ntof_count = {'CO2': 1}\nbystanders = "
                             "['CO', 'O']@a.(0,1,0)|far + CO@a.(0,-1,0)|"),
                 "m.ini");
  EXPECT_EQ(xml.name, ini.name);
  EXPECT_EQ(xml.species, ini.species);
  EXPECT_EQ(xml.colours, ini.colours);
  EXPECT_TRUE(xml.ignored.empty());
  EXPECT_EQ(description(xml, compile(xml, {})), description(ini, compile(ini, {})));
  ASSERT_EQ(xml.processes.size(), 2u);
  EXPECT_EQ(xml.processes[1].bystanders, ini.processes[1].bystanders);
  EXPECT_EQ(xml.processes[1].otf_rate.text, ini.processes[1].otf_rate.text);
  EXPECT_FALSE(
      read_model(document(up() + "<process enabled=\"False\" " + up("not").substr(24)), "").processes[1].enabled);
}

TEST(Xml, ReportsErrorsWithLines) {
  EXPECT_EQ(about_xml(document(up())), "");
  EXPECT_EQ(about_xml(document(up() + up())), "m.xml line 20: [Process up]: is already given in line 16");
  EXPECT_EQ(about_xml(document(up() + "<!-- <process>\n -->" + up("wrong", "1/("))),
            "m.xml line 21: rate_constant of wrong: '1/(': is incomplete at its end");
  EXPECT_EQ(about_xml(document("<process name=\"a > b\"\n/>" + up("wrong", "1 &lt;&#9; 2)"))).substr(0, 13),
            "m.xml line 16");
  EXPECT_EQ(about_xml(document(up("wrong", "&#27;"))),
            "m.xml line 16: has control characters; a model file is plain text");
  EXPECT_EQ(about_xml(document("<process name=\"p\" rate_constant=\"1\">" + element("condition", "NO", "0 0 0") +
                               "</process>")),
            "m.xml line 16: species 'NO' is not defined; valid species are empty, CO and O");
  EXPECT_EQ(
      about_xml(document("<process name=\"p\" rate_constant=\"1\"><condition species=\"CO\" coord=\"a\"/></process>")),
      "m.xml line 16: XML: 'coord' is not known in <condition>; must be species, coord_name, coord_offset, coord_layer "
      "or "
      "implicit");
  EXPECT_EQ(about_xml(document("<process name=\"p\" rate_constant=\"1\"/>")),
            "m.xml line 16: [Process p]: needs `conditions = ...`");
}

TEST(Xml, RefusesWhatIsNotKnown) {
  const std::string process =
      "m.xml line 17: XML: 'conditon' is not known in <process>; must be condition, action or bystander";
  EXPECT_EQ(about_xml(document("<process name=\"p\" rate_constant=\"1\">\n<conditon/></process>")), process);
  for (const auto& [more, message] : std::initializer_list<std::pair<std::string, std::string>>{
           {"<process name=\"p\"\n speed=\"1\"/>",
            "17: XML: 'speed' is not known in <process>; must be name, rate_constant, otf_rate, energy, enabled, "
            "tof_count or "
            "orientations"},
           {"<process name=\"p\"\n name=\"q\"/>", "17: XML: name: is already given"},
           {"<process name=p/>", "16: XML: name: needs a value in quotes"},
           {"<process name=\"p\"", "16: XML: '>' is missing"},
           {"<process name=\"p/>", "16: XML: '<' must be written as &lt; in a value"},
           {"<process name=\"a &nbsp; b\"/>",
            "16: XML: '&nbsp;' is not known; '&' must be written as &amp; in a value"},
           {"<process name=\"&#xd800;\"/>",
            "16: XML: '&#xd800;' is not known; '&' must be written as &amp; in a value"},
           {"<process/>text", "16: XML: '<' is missing"},
           {"text", "16: XML: '<' is missing"},
           {"\n</kmc>", "17: XML: </kmc> must not be in <process_list>"},
           {"<!DOCTYPE x [", "16: XML: '!DOCTYPE' is not known in <process_list>; must be process"},
           {"<?>", "16: XML: '?' is not known in <process_list>; must be process"},
           {"<![CDATA[x]]>", "16: XML: '![CDATA[x]]' is not known in <process_list>; must be process"},
           {"<!-->", "19: XML: '-->' is missing"}})
    EXPECT_EQ(about_xml(document(more)), "m.xml line " + message) << more;
}

TEST(Xml, IsRefusedWithoutModel) {
  EXPECT_EQ(about_xml("<html/>"), "m.xml line 1: XML: 'html' is not known in <XML>; must be kmc");
  EXPECT_EQ(about_xml("<kmc>\n<meta>\n</kmc>\n"), "m.xml line 3: XML: </kmc> must not be in <meta>");
  EXPECT_EQ(about_xml("<kmc"), "m.xml line 1: XML: '>' is missing");
  EXPECT_EQ(about_xml("<kmc>\n"), "m.xml line 2: XML: </kmc> is missing");
  EXPECT_EQ(about_xml("</kmc>"), "m.xml line 1: XML: </kmc> must not be in <XML>");
  EXPECT_EQ(about_xml("<"), "m.xml line 1: XML: '' is not known in <XML>; must be kmc");
  EXPECT_EQ(about_xml("<?xml version='1.0'\n"), "m.xml line 2: XML: '?>' is missing");
  std::string deep;
  for (int i = 0; i < 1'000'000; ++i) deep += "<a>";
  const std::string message =
      "m.xml line 2: XML: 'a' is not known in <kmc>; must be meta, species_list, parameter_list, "
      "lattice, process_list, output_list or connected_variables";
  EXPECT_EQ(about_xml("<kmc>\n" + deep), message);
  EXPECT_EQ(about_xml("<kmc>\n<?>" + deep).substr(0, 44), "m.xml line 2: XML: '?' is not known in <kmc>");
}

}  // namespace
}  // namespace tessera::processes
