# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""`tessera check` on this machine: its own runs, and one of the user's."""

import json
import unittest

import program


class Check(program.InEmptyFolder):
    def test_all_backends_give_the_stored_results(self):
        found = json.loads(program.run(["check", "--json"], self.folder))
        self.assertTrue(found["equal"], [run for run in found["runs"] if run["difference"]])
        places = {run["where"].partition(",")[0] for run in found["runs"]}
        self.assertLess({"reference"}, places)
        for place in places - {"reference"}:
            self.assertGreater(len([run for run in found["runs"] if run["where"].startswith(place)]), 10)
        self.assertGreater(min(run["work"] for run in found["runs"]), 1e4)

    def test_a_run_of_the_user(self):
        lines = program.run("check kmc --model sos --size 64 --until-time 2 --method tile --tile 32".split(), self.folder).splitlines()
        self.assertEqual(lines[-1], "all equal")
        self.assertEqual({line.split()[-1] for line in lines[:-1]}, {"equal"})
        self.assertGreater(len(lines), 2)


if __name__ == "__main__":
    unittest.main()
