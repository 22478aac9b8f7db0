// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <boost/property_tree/json_parser.hpp>
#include <sstream>
#include <string>

namespace tessera::testing {

/// A JSON object.
inline boost::property_tree::ptree parsed(const std::string& text) {
  std::istringstream stream(text);
  boost::property_tree::ptree tree;
  boost::property_tree::read_json(stream, tree);
  return tree;
}

}  // namespace tessera::testing
