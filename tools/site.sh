#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# tools/site.sh [FOLDER]
#
# Makes a website with search from README.md and docs/ by MkDocs (Debian: mkdocs) in FOLDER (build-site); a link that leads
# nowhere is an error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

site=$(realpath -m "${1:-build-site}")
pages=$(mktemp -d)
trap 'rm -rf "$pages" "$pages.yml"' EXIT
# The pages at their places in the repository, so that links between them hold, with the files that they link to.
cp --parents -r README.md CHANGELOG.md CONTRIBUTING.md LICENSE CITATION.cff docs inputs packaging/README.md perf/README.md "$pages"
cat > "$pages.yml" <<END
site_name: Tessera
docs_dir: $pages
site_dir: $site
theme: readthedocs
strict: true
use_directory_urls: false
plugins: [search]
markdown_extensions: [tables, fenced_code, toc]
nav:
  - Tessera: README.md
  - Manual: docs/README.md
  - Tutorial:
$(printf '      - %s\n' docs/tutorial/README.md docs/tutorial/[1-9]*.md)
  - Installing: docs/installing.md
  - I want to ...: docs/howto.md
  - Questions: docs/faq.md
  - Glossary: docs/glossary.md
  - Kinetic Monte Carlo:
      - Method: docs/kmc.md
      - Algorithm: docs/kmc_algorithm.md
$(for model in sos ising potts hopping kawasaki epitaxy octahedron oxygen_pd100 oxygen_pt111; do
  echo "      - $(sed -n '1s/^# //p' "docs/models/$model.md"): docs/models/$model.md"
done)
      - Three dimensions: docs/space.md
      - Model files: docs/processes.md
      - kmcos and Zacros: docs/kmcos_zacros.md
      - Writing a model: docs/writing_a_model.md
  - Octahedron model:
      - Method: docs/kpz.md
      - Accuracy: docs/kpz_exact.md
  - Hard disks: docs/disks.md
  - Running and analysing:
      - Output: docs/output.md
      - Sweeps: docs/campaigns.md
      - Python: docs/python.md
      - Several processes: docs/parallel.md
      - Library: docs/library.md
  - Background:
      - The papers: docs/reproduce.md
      - 'Validation: kmc': docs/validation/kmc.md
      - 'Validation: model files': docs/validation/processes.md
      - 'Validation: kpz': docs/validation/kpz.md
      - 'Validation: disks': docs/validation/disks.md
      - 'Validation: error bars': docs/validation/error_bars.md
      - Performance: docs/performance.md
$(printf '      - %s\n' docs/performance/*.md)
      - Map of the code: docs/code.md
      - Changes: CHANGELOG.md
END
mkdocs build --quiet --config-file "$pages.yml"
echo "$site/index.html"
