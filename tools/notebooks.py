#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""tools/notebooks.py: executes the notebooks of docs/ and stores their outputs, without standard error and versions.

It needs jupyter-nbconvert and ipykernel (Debian: jupyter-nbconvert, python3-ipykernel), Matplotlib, h5py, and Tessera as for a
notebook (docs/python.md).
"""

import glob
import json
import os
import subprocess
import tempfile

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "notebooks")


def executed(path):
    """The notebook with its outputs. Its files are written to a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        with open(path, encoding="utf-8") as file, open(os.path.join(folder, "a.ipynb"), "w", encoding="utf-8") as copy:
            copy.write(file.read())
        subprocess.run(["jupyter-nbconvert", "--to", "notebook", "--execute", "--inplace", "a.ipynb"], cwd=folder, check=True)
        with open(os.path.join(folder, "a.ipynb"), encoding="utf-8") as file:
            return json.load(file)


def stripped(notebook):
    """Without what depends on the machine: standard error, times of execution, version of Python."""
    notebook["metadata"]["language_info"] = {"name": "python"}
    for cell in notebook["cells"]:
        cell["metadata"].pop("execution", None)
        if cell["cell_type"] == "code":
            cell["outputs"] = [output for output in cell["outputs"] if output.get("name") != "stderr"]
    return notebook


if __name__ == "__main__":
    for notebook_path in sorted(glob.glob(os.path.join(FOLDER, "*.ipynb"))):
        result = stripped(executed(notebook_path))
        with open(notebook_path, "w", encoding="utf-8") as written:
            json.dump(result, written, indent=1, ensure_ascii=False)
            written.write("\n")
