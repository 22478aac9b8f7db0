# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors

# tessera_git_revision(<source_dir> <variable>): the commit the sources are of, with "-modified" after it when the work
# tree differs. Sources without a repository: the environment variable TESSERA_GIT_REVISION, then the commit that git
# wrote into an archive, else "unknown".
function(tessera_git_revision source_dir variable)
  set(revision "$ENV{TESSERA_GIT_REVISION}")
  find_program(git_program git)
  if(NOT revision AND git_program AND EXISTS "${source_dir}/.git")
    execute_process(
      COMMAND "${git_program}" -c "safe.directory=*" describe --always --abbrev=40 --exclude=* --dirty=-modified
      WORKING_DIRECTORY "${source_dir}"
      OUTPUT_VARIABLE revision
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
    )
  endif()
  if(NOT revision AND EXISTS "${source_dir}/cmake/archive_revision.txt")
    file(READ "${source_dir}/cmake/archive_revision.txt" revision)
    string(STRIP "${revision}" revision)
  endif()
  if(NOT revision MATCHES "^[0-9a-f]+(-modified)?$")
    set(revision "unknown")
  endif()
  set(${variable} "${revision}" PARENT_SCOPE)
endfunction()
