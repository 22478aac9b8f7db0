#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# tools/source_archive.sh [--recipe] [REVISION]
#
# Writes the sources of a commit (HEAD), as git has them, to dist/tessera-VERSION.tar.gz: the same bytes in each clone.
# Prints the line of Spack's recipe with the checksum; --recipe puts it there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

into_recipe=false
if [[ ${1:-} == --recipe ]]; then
  into_recipe=true
  shift
fi
if (($# > 1)) || [[ ${1:-} == -* ]]; then
  sed -n '5s/^# //p' "tools/${0##*/}" >&2
  exit 2
fi
revision=$(git rev-parse --verify "${1:-HEAD}^{commit}")
version=$(git show "$revision:CMakeLists.txt" | sed -n 's/^project(tessera VERSION \([0-9.]*\).*/\1/p')
archive=dist/tessera-$version.tar.gz
mkdir -p dist
git -c tar.umask=0022 archive --prefix="tessera-$version/" "$revision" | gzip --no-name --best >"$archive"
checksum=$(sha256sum "$archive")
line="    version(\"$version\", sha256=\"${checksum%% *}\")"
echo "$archive of $revision:" >&2
echo "$line"
if $into_recipe; then
  recipe=spack/repo/spack_repo/tessera/packages/tessera/package.py
  sed -i -e "/^    version(\"$version\", /d" -e "/^    version(\"main\"/a\\$line" "$recipe"
fi
