# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import contextlib
import io
import os
import unittest
from unittest import mock

import numpy as np
from program import InFolder, run

from tessera_io.plot import __main__ as plot
from tessera_io.plot import style, sweep

GRID = "--size 16 --phi 0:1:3 --seed 1,3,5,7 --replicas 2 --until-time 1 --quiet"


class Sweep(InFolder):
    @classmethod
    def prepare(cls):
        run(["sweep", "kmc", *GRID.split()], cls.folder)
        cls.swept = os.path.join(cls.folder, "kmc_sweep")

    def test_table_has_a_row_for_every_point(self):
        inputs, quantities = sweep.read_table(os.path.join(self.swept, "table.h5"))
        self.assertEqual(inputs["phi"].tolist(), [0] * 4 + [0.5] * 4 + [1] * 4)
        self.assertEqual(inputs["seed"].tolist(), [1, 3, 5, 7] * 3)
        self.assertEqual([q[0] for q in quantities[:4]], ["height_mean", "roughness", "moment_3", "moment_4"])
        name, unit, value, error = next(q for q in quantities if q[0] == "roughness")
        self.assertEqual((unit, len(value)), ("layers^2", 12))
        self.assertTrue((error > 0).all())

    def test_the_option_with_most_values_that_is_no_seed_is_the_abscissa(self):
        inputs, _ = sweep.read_table(os.path.join(self.swept, "table.h5"))
        self.assertEqual(sweep.abscissa(inputs), "phi")

    def test_draws_what_is_asked_for(self):
        stem = os.path.join(self.folder, "picture")
        with contextlib.redirect_stdout(io.StringIO()) as told:
            self.assertEqual(sweep.main([self.swept, "roughness", "--output", stem]), 0)
        self.assertEqual(told.getvalue(), stem + ".png\n")
        self.assertGreater(os.path.getsize(stem + ".png"), 1000)

    def test_the_folder_is_drawn_as_files_are(self):
        with contextlib.redirect_stdout(io.StringIO()) as told:
            self.assertEqual(plot.main([self.swept, "roughness", "--output", os.path.join(self.folder, "other")]), 0)
        self.assertEqual(told.getvalue(), os.path.join(self.folder, "other.png") + "\n")

    def test_options_are_typeset_as_in_other_pictures(self):
        drawn, inputs = mock.Mock(), {"packing-fraction": np.array([0.5, 0.7]), "size": np.array(["64", "64"])}
        sweep.draw(drawn, inputs, ("pressure", "", np.ones(2), np.zeros(2)), style)
        drawn.set_xlabel.assert_called_with(r"$\eta$")
        self.assertEqual(drawn.errorbar.call_args.kwargs["label"], "64 × 64")

    def test_unknown_names_and_folders_are_refused_in_a_line(self):
        for words in ([self.swept, "pressure"], ["nowhere"]):
            with contextlib.redirect_stderr(io.StringIO()) as told:
                self.assertEqual(sweep.main(words), 2)
            self.assertEqual(told.getvalue().count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
