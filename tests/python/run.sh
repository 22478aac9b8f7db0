#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# run.sh MODULES TEST...: runs tests with the first Python that has the modules (a list with commas, or none); exit status 77 if there is
# none.
set -euo pipefail
modules=$1
shift
export PYTHONDONTWRITEBYTECODE=1
for python in python3 /usr/bin/python3; do
  if "$python" -c "import sys${modules:+,$modules}; assert sys.version_info >= (3, 9)" 2>/dev/null; then
    cd "$(dirname "${BASH_SOURCE[0]}")"
    # What we use of others must not be about to vanish; what they use of one another is their affair.
    exec "$python" -c '
import sys, unittest, warnings
warnings.filterwarnings("error", "", DeprecationWarning, r"tessera_|[a-z_]*_test$|__main__")
unittest.main(module=None, argv=["unittest", *sys.argv[1:]], warnings=False)' "${@##*/}"
  fi
done
echo "skipped: no Python 3.9 or newer on this machine has ${modules:-started} (Debian: python3-h5py, python3-matplotlib)"
exit 77
