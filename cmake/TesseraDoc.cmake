# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# The target tessera_doc: pages of the public headers, which docs/library.md lists, by Doxygen.
find_package(Doxygen REQUIRED)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/library.md")
file(READ "${PROJECT_SOURCE_DIR}/docs/library.md" text)
string(REGEX REPLACE ".*## Public headers(.*)## The simulations.*" "\\1" text "${text}")
string(REGEX MATCHALL "tessera/[a-z_/]+\\.hpp" headers "${text}")
list(TRANSFORM headers PREPEND "${PROJECT_SOURCE_DIR}/include/")
list(JOIN headers "\" \"" TESSERA_DOC_INPUT)
set(TESSERA_DOC_INPUT "\"${TESSERA_DOC_INPUT}\" \"${PROJECT_SOURCE_DIR}/docs/library.md\"")
set(TESSERA_DOC_FAIL NO)
if(TESSERA_WARNINGS_AS_ERRORS)
  set(TESSERA_DOC_FAIL FAIL_ON_WARNINGS)
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/Doxyfile.in" "${PROJECT_BINARY_DIR}/Doxyfile" @ONLY)
add_custom_target(tessera_doc COMMAND Doxygen::doxygen "${PROJECT_BINARY_DIR}/Doxyfile" VERBATIM)
