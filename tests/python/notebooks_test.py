# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The notebooks of docs/: their cells run one after the other, in a namespace and a folder of their own."""

import contextlib
import glob
import io
import json
import os
import re

import formulas  # noqa: F401
import matplotlib
import program

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

NOTEBOOKS = sorted(glob.glob(os.path.join(program.SOURCE, "docs", "notebooks", "*.ipynb")))


def stored_text(path):
    """What the notebook printed when tools/notebooks.py executed it."""
    outputs = [output for cell in cells_of(path) for output in cell.get("outputs", [])]
    return "".join("".join(output["text"]) for output in outputs if output.get("name") == "stdout")


def cells_of(path):
    notebook = json.loads(program.read(path))
    assert notebook["nbformat"] == 4, path
    return notebook["cells"]


def values_of(text):
    """(value, error) of each number with an error, such as 0.398(14)."""
    return [(float(f"{whole}.{digits}"), int(error) / 10 ** len(digits)) for whole, digits, error in re.findall(r"(\d+)\.(\d+)\((\d+)\)", text)]


class Notebooks(program.InFolder):
    def execute(self, path):
        """(printed text, number of figures). The text equals the stored one, as input and seed determine each run."""
        os.makedirs(self.path(os.path.basename(path)))
        before = os.getcwd()
        os.chdir(self.path(os.path.basename(path)))
        self.addCleanup(os.chdir, before)
        self.addCleanup(plt.close, "all")
        names, printed = {"__name__": "__main__"}, io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            for number, cell in enumerate(cells_of(path)):
                if cell["cell_type"] == "code":
                    exec(compile("".join(cell["source"]), f"{path}, cell {number}", "exec"), names)
        os.chdir(before)
        self.assertEqual(printed.getvalue(), stored_text(path))
        return printed.getvalue(), len(plt.get_fignums())

    def test_one_of_each_method(self):
        self.assertEqual([os.path.basename(path) for path in NOTEBOOKS], ["disks.ipynb", "kmc.ipynb", "kpz.ipynb"])

    def test_outputs_are_stored_in_order_small_and_without_standard_error(self):
        for path in NOTEBOOKS:
            code = [cell for cell in cells_of(path) if cell["cell_type"] == "code"]
            self.assertEqual([cell["execution_count"] for cell in code], list(range(1, len(code) + 1)), path)
            outputs = [output for cell in code for output in cell["outputs"]]
            self.assertTrue({output["output_type"] for output in outputs} <= {"stream", "display_data"}, path)
            self.assertNotIn("stderr", [output.get("name") for output in outputs], path)
            self.assertGreaterEqual(sum("image/png" in output.get("data", {}) for output in outputs), 2, path)
            self.assertLess(os.path.getsize(path), 300_000, path)

    def test_links_lead_to_files(self):
        for path in NOTEBOOKS:
            for cell in cells_of(path):
                for link in re.findall(r"\]\(([^)#]*)\)", "".join(cell["source"]) if cell["cell_type"] == "markdown" else ""):
                    self.assertTrue(os.path.exists(os.path.join(os.path.dirname(path), link)), link)

    def test_kmc(self):
        printed, figures = self.execute(NOTEBOOKS[1])
        self.assertEqual(figures, 2)
        self.assertRegex(printed, r"^120 1/k_2: [0-9.]+\([0-9]+\) layers\n")
        self.assertIn("--phi large: must be a number", printed)

    def test_kpz(self):
        printed, figures = self.execute(NOTEBOOKS[2])
        self.assertEqual(figures, 3)
        ((beta, error),) = values_of(printed)
        # Early times have effective exponents below that of infinite times, 0.2414.
        self.assertTrue(0.17 < beta < 0.25 and 0 < error < 0.02, printed)

    def test_disks(self):
        printed, figures = self.execute(NOTEBOOKS[0])
        self.assertEqual(figures, 2)
        rows = list(zip(values_of(printed), re.findall("Henderson ([0-9.]+)", printed)))
        self.assertEqual(len(rows), 5)
        for (ours, error), theirs in rows:
            # Henderson's equation is right to 1 % up to here; four replicas give a third of the error of the error.
            self.assertLess(abs(ours - float(theirs)), 0.01 * float(theirs) + 8 * error)
