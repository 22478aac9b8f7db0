// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/program/file_content.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstddef>
#include <vector>

namespace tessera::testing {
namespace {

/// Elements as they stand in the file; of texts of any length the names alone.
template <class Read>
std::string elements(hid_t type, hid_t space, const Read& read) {
  std::string text;
  hsize_t extents[H5S_MAX_RANK];
  const int rank = H5Sget_simple_extent_dims(space, extents, nullptr);
  for (int d = 0; d < rank; ++d) text += std::to_string(extents[d]) + " ";
  if (H5Tis_variable_str(type) > 0) return text;
  std::vector<char> bytes(H5Tget_size(type) * static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  if (!bytes.empty()) {
    EXPECT_GE(read(bytes.data()), 0);
  }
  return text + std::string(bytes.begin(), bytes.end());
}

herr_t add_attribute(hid_t object, const char* name, const H5A_info_t*, void* to) {
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute),
              space = H5Aget_space(attribute);
  auto& entry = *static_cast<std::string*>(to);
  entry += std::string(" @") + name + "=" +
           elements(type, space, [&](char* bytes) { return H5Aread(attribute, type, bytes); });
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(attribute);
  return 0;
}

struct Content {
  std::map<std::string, std::string> objects;
  bool with_steps;
};

herr_t add_object(hid_t file, const char* name, const H5O_info_t* info, void* to) {
  const std::string path = name;
  auto& [objects, with_steps] = *static_cast<Content*>(to);
  for (const char* outside : {".", "provenance", "checkpoint/input"})
    if (path == outside || path.starts_with(std::string(outside) + "/")) return 0;
  for (const char* of_steps :
       {"diagnostics", "history/steps", "checkpoint/step", "checkpoint/ceiling", "checkpoint/accepted",
        "checkpoint/rejected", "checkpoint/repaired", "checkpoint/overshot", "checkpoint/wide_halo",
        "checkpoint/finished", "checkpoint/ceiling_of_event"})
    if (!with_steps && (path == of_steps || path.starts_with(std::string(of_steps) + "/"))) return 0;
  auto& entry = objects[path];
  const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
  if (info->type == H5O_TYPE_DATASET) {
    const hid_t type = H5Dget_type(object), space = H5Dget_space(object), list = H5Dget_create_plist(object);
    // One that refers to others holds nothing of its own.
    const bool refers = H5Pget_layout(list) == H5D_VIRTUAL;
    if (!refers)
      entry = elements(type, space,
                       [&](char* bytes) { return H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes); });
    H5Pclose(list);
    H5Sclose(space);
    H5Tclose(type);
  }
  H5Aiterate(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_attribute, &entry);
  H5Oclose(object);
  return 0;
}

}  // namespace

std::map<std::string, std::string> file_content(const std::filesystem::path& path, bool with_steps) {
  Content content{{}, with_steps};
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_GE(file, 0) << path;
  if (file < 0) return {};
#if H5_VERSION_GE(1, 12, 0)
  const herr_t seen = H5Ovisit3(file, H5_INDEX_NAME, H5_ITER_INC, add_object, &content, H5O_INFO_BASIC);
#else
  const herr_t seen = H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, add_object, &content);
#endif
  EXPECT_GE(seen, 0) << path;
  H5Fclose(file);
  return content.objects;
}

void expect_same_content(const std::filesystem::path& path, const std::filesystem::path& expected, bool with_steps) {
  const auto content = file_content(path, with_steps), wanted = file_content(expected, with_steps);
  EXPECT_GT(wanted.size(), 20u) << expected << " has less than any run writes";
  for (const auto& [name, bytes] : wanted) {
    const auto found = content.find(name);
    if (found == content.end()) {
      ADD_FAILURE() << path << " lacks " << name;
    } else if (found->second != bytes) {
      ADD_FAILURE() << path << ": " << name << " is not the same";
    }
  }
  for (const auto& [name, bytes] : content) EXPECT_TRUE(wanted.contains(name)) << path << " has " << name;
}

}  // namespace tessera::testing
