#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# tools/site.sh [FOLDER]
#
# Makes a website with search from README.md and docs/ in FOLDER (build-site), with all options on a page, a reference of
# tessera_io and the notebooks. It loads nothing from other hosts. A link that leads nowhere is an error. Debian: apt-get
# install mkdocs python3-pymdownx python3-pygments libjs-katex fonts-katex jupyter-nbconvert
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

site=$(realpath -m "${1:-build-site}")
pages=$(mktemp -d)
trap 'rm -rf "$pages" "$pages.yml"' EXIT
# The pages at their places in the repository, so that links between them hold, with the files that they link to.
cp --parents -r README.md CHANGELOG.md CONTRIBUTING.md LICENSE CITATION.cff docs inputs packaging/README.md perf/README.md "$pages"
tools/site_pages.py "$pages"
mkdir "$pages/site"
cp -rL /usr/share/javascript/katex/{katex.min.css,katex.min.js,contrib/auto-render.js,fonts} "$pages/site"
echo "renderMathInElement(document.body, {delimiters: [{left: '\\\\(', right: '\\\\)', display: false}, {left: '\\\\[', right: '\\\\]', display: true}]});" \
  > "$pages/site/equations.js"
# Long lines of code are broken, not clipped, and tables have the width of the page.
{
  python3 -m pygments -S default -f html -a .codehilite
  echo '.wy-nav-content { max-width: 1000px; }'
  echo '.rst-content pre, .rst-content pre code { white-space: pre-wrap; overflow-wrap: anywhere; }'
  echo '.katex { font-size: 1.05em; }'
  echo '.rst-content td code { white-space: normal; overflow-wrap: anywhere; }'
  echo '.rst-content td:first-child { min-width: 11em; }'
  echo '.wy-table-responsive table td, .wy-table-responsive table th { white-space: normal; }'
} > "$pages/site/site.css"
cat > "$pages.yml" <<END
site_name: Tessera
docs_dir: $pages
site_dir: $site
theme: {name: readthedocs, highlightjs: false, navigation_depth: 3}
strict: true
use_directory_urls: false
plugins: [search]
markdown_extensions:
  - tables
  - fenced_code
  - toc
  - codehilite: {guess_lang: false}
  - pymdownx.arithmatex: {generic: true}
extra_css: [site/katex.min.css, site/site.css]
extra_javascript: [site/katex.min.js, site/auto-render.js, site/equations.js]
nav:
  - Start here:
      - Tessera: README.md
      - Manual: docs/README.md
      - Installing: docs/installing.md
      - I want to ...: docs/howto.md
      - All options: docs/options.md
      - Questions: docs/faq.md
      - Glossary: docs/glossary.md
  - Tutorial:
$(printf '      - %s\n' docs/tutorial/README.md docs/tutorial/[1-9]*.md)
  - From a question to a figure:
$(printf '      - %s\n' docs/papers/README.md docs/papers/[a-z]*.md)
  - Kinetic Monte Carlo:
      - Method: docs/kmc.md
      - Algorithm: docs/kmc_algorithm.md
$(for model in sos ising potts hopping kawasaki epitaxy octahedron oxygen_pd100 oxygen_pt111; do
  echo "      - $(sed -n '1s/^# //p' "docs/models/$model.md"): docs/models/$model.md"
done)
      - Three dimensions: docs/space.md
      - Model files: docs/processes.md
$(printf '      - docs/model_files/%s.md\n' interactions initial_states expressions observables changing_rates stiff_models \
  rate_control limits)
      - kmcos and Zacros: docs/kmcos_zacros.md
      - Writing a model: docs/writing_a_model.md
  - Octahedron model:
      - Method: docs/kpz.md
      - Accuracy: docs/kpz_exact.md
  - Hard disks:
      - Method: docs/disks.md
  - Running and analysing:
      - Output: docs/output.md
      - Sweeps: docs/campaigns.md
      - Python: docs/python.md
      - Reference of tessera_io: docs/tessera_io.md
$(for method in kmc kpz disks; do echo "      - 'Notebook: $method': docs/notebooks/$method.md"; done)
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
      - Citing, and contact: docs/citing.md
      - Changes: CHANGELOG.md
END
mkdocs build --quiet --config-file "$pages.yml"
echo "$site/index.html"
