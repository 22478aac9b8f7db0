# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# TESSERA_VERSION_SOURCE, a source file with the version and the git revision, is written anew at each build in which
# they changed. Run as a script (cmake -P) this file writes it.

if(CMAKE_SCRIPT_MODE_FILE)
  include("${CMAKE_CURRENT_LIST_DIR}/GitRevision.cmake")
  tessera_git_revision("${SOURCE_DIR}" GIT_REVISION)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/version.cpp.in" "${OUTPUT}" @ONLY)
  return()
endif()

set(TESSERA_VERSION_SOURCE "${CMAKE_CURRENT_BINARY_DIR}/version.cpp")
add_custom_target(
  tessera_version
  COMMAND "${CMAKE_COMMAND}" "-DSOURCE_DIR=${CMAKE_CURRENT_SOURCE_DIR}" "-DVERSION=${PROJECT_VERSION}"
          "-DOUTPUT=${TESSERA_VERSION_SOURCE}" -P "${CMAKE_CURRENT_LIST_FILE}"
  BYPRODUCTS "${TESSERA_VERSION_SOURCE}"
  COMMENT "Looking up the git revision"
  VERBATIM
)
