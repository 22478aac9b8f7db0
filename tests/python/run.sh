#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# run.sh MODULES TEST...: runs tests with the first Python that has the modules (a list with commas, or none); exit status 77 if there is
# none.
set -euo pipefail
modules=$1
shift
# No bytecode among the sources.
[[ -n ${PYTHONPYCACHEPREFIX:-} ]] || export PYTHONDONTWRITEBYTECODE=1
cd "$(dirname "${BASH_SOURCE[0]}")"
for python in python3 /usr/bin/python3; do
  # What we use of others must not be about to vanish; what they use of one another is their affair.
  status=0
  "$python" -c '
import importlib, sys, unittest, warnings
try:
    assert sys.version_info >= (3, 9)
    for module in filter(None, sys.argv[1].split(",")):
        importlib.import_module(module)
except Exception:
    sys.exit(77)
warnings.filterwarnings("error", "", DeprecationWarning, r"tessera_|[a-z_]*_test$|__main__")
unittest.main(module=None, argv=["unittest", *sys.argv[2:]], warnings=False)' "$modules" "${@##*/}" || status=$?
  # 77: without the modules; 127: there is no such Python.
  ((status == 77 || status == 127)) || exit "$status"
done
echo "skipped: no Python 3.9 or newer on this machine has ${modules:-started} (Debian: python3-h5py, python3-matplotlib)"
exit 77
