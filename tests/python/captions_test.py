# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""What captions and titles of pictures tell of the runs."""

import re
import unittest
import warnings
from types import SimpleNamespace

import drawing
import matplotlib
from tessera_io.described import Description
from tessera_io.plot import caption, sweep
from tessera_io.plot.swept import read_table


def described(method, title=None, others=(), **parameters):
    """A description as the program writes it: the parameters of the model with (symbol, unit), and those of other models."""
    known = {name: {"symbol": symbol, "unit": unit} for name, (symbol, unit) in parameters.items()}
    return Description(method=method, parameters=known, without_effect=list(others), **({"title": title} if title else {}))


KMC, UNITS = "kinetic Monte Carlo", {"T": ("", "K"), "p_CO": ("", "bar")}
MODELS = {
    "kpz": described("octahedron model", p=("p", ""), q=("q", "")),
    "disks": described("hard disks", **{"packing-fraction": ("eta", "")}, particles=("N", "")),
    "sos": described(KMC, "solid-on-solid", ["flux", "diffusion"], phi=("phi", "")),
    "epitaxy": described(KMC, "molecular-beam epitaxy", ["phi"], flux=("F", "layers/s"), diffusion=("D", "1/s"), **{"bond-energy": ("E", "k_B T")}),
    "octahedron": described(KMC, "octahedron", p=("p", ""), q=("q", "")),
    "": described(KMC, "own"),
}


def run_of(kind, path="one.h5", replicas=1, description=None, **options):
    """What a caption reads of a file with these options."""
    given = {name.replace("_", "-"): value for name, value in options.items()}
    return SimpleNamespace(method=kind, path=path, replicas=replicas, input=given, description=description or MODELS[options.get("model", kind)])


class Words(unittest.TestCase):
    def test_the_scheme_of_updates_is_named(self):
        scheme = {"device_layer": "dtr", "block_layer": "db", "thread_cell": "2,2", "p": "1", "q": "0", "size": "64,64", "seed": "1"}
        domain, sequential = run_of("kpz", method="domain", **scheme), run_of("kpz", method="sequential", **scheme)
        self.assertEqual(caption.of_run(domain), "octahedron model, DTrDB, TC=2,2, $p$ = 1, $q$ = 0, 64 × 64, seed 1")
        self.assertEqual(caption.of_run(sequential), "octahedron model, sequential, $p$ = 1, $q$ = 0, 64 × 64, seed 1")
        self.assertIn("octahedron model, DTrDB, $p$", caption.of_several([domain], ["thread-cell"]))
        self.assertIn("octahedron model, $p$", caption.of_several([domain, sequential]))
        self.assertIn("octahedron model, $p$", caption.of_several([domain], ["device-layer"]))
        for method, words in (("sequential", "hard disks, sequential, "), ("mpmc", "hard disks, $")):
            self.assertIn(words, caption.of_run(run_of("disks", method=method, packing_fraction="0.7", particles="64")))
        for method, words in (("bkl", "solid-on-solid, BKL, "), ("tile", "solid-on-solid, $"), ("waiting-time", "solid-on-solid, $")):
            self.assertIn(words, caption.of_run(run_of("kmc", model="sos", method=method, phi="1", size="64,64")))

    def test_settings_of_a_model_file_are_listed(self):
        runs = [run_of("kmc", path, processes="text", model="", set=values) for path, values in (("a", "y=0.4,k=1e5"), ("b", "y=0.5,k=1e5"))]
        self.assertEqual(caption.differences(runs), ["$y$ = 0.4", "$y$ = 0.5"])
        self.assertIn("$k$ = $10^{5}$", caption.of_several(runs))
        self.assertNotIn("$y$ = ", caption.of_several(runs))
        self.assertNotIn("$k$ = ", caption.of_several(runs[:1], ["k"]))
        runs[1].input["set"] = "k=1e5"
        self.assertEqual(caption.differences(runs), ["$y$ = 0.4", "$y$ = default"])

    def test_parameters_have_their_units(self):
        epitaxy = run_of("kmc", model="epitaxy", flux="1", diffusion="1e+05", bond_energy="2", size="64,64")
        self.assertIn("$F$ = 1 layers/s, $D$ = $10^{5}$ 1/s, $E$ = 2 $k_\\mathrm{B}$ $T$", caption.of_run(epitaxy))
        kinetics = run_of("kmc", description=described(KMC, "own", **UNITS), model="", set="T=600,p_CO=10,y=2")
        self.assertIn("$T$ = 600 K, $p_{\\mathrm{CO}}$ = 10 bar, $y$ = 2", caption.of_run(kinetics))
        reduced = run_of("kmc", model="", set="T=0.5")
        self.assertIn("$T$ = 0.5", caption.of_run(reduced))
        self.assertNotIn("0.5 K", caption.of_run(reduced))

    def test_runs_in_one_figure_are_described_separately(self):
        scheme = {"method": "domain", "device_layer": "dtr", "block_layer": "db", "thread_cell": "2,2", "p": "1", "q": "0", "size": "64,64"}
        kpz = run_of("kpz", "a.h5", 8, **scheme, seed="1")
        kmc = run_of("kmc", "b.h5", 4, model="octahedron", p="1", q="0", size="32,32", seed="1")
        self.assertEqual(caption.of_groups([[kpz], [kmc]], ["a.h5", "b.h5"]), [
            "a.h5: octahedron model, DTrDB, TC=2,2, $p$ = 1, $q$ = 0, 64 × 64, 8 replicas",
            "b.h5: kinetic Monte Carlo, octahedron, $p$ = 1, $q$ = 0, 32 × 32, 4 replicas",
        ])
        other = run_of("kpz", "c.h5", 2, **{**scheme, "q": "0.5", "size": "128,64"}, seed="2")
        self.assertEqual(caption.of_groups([[kpz], [other]], ["$q$ = 0", "$q$ = 0.5"]), [
            "octahedron model, DTrDB, TC=2,2, $p$ = 1", "$q$ = 0: 64 × 64, 8 replicas", "$q$ = 0.5: 128 × 64, 2 replicas",
        ])

    def test_captions_of_disks_describe_the_run(self):
        disks = {"packing_fraction": "0.7", "particles": "64", "start": "lattice", "equilibrate": "50", "sweeps": "400", "sample_every": "5"}
        text = caption.of_run(run_of("disks", **disks))
        self.assertIn("$N$ = 64, start: lattice, equilibration: 50 sweeps, 400 sweeps, samples every 5 sweeps", text)
        self.assertNotIn("equilibration", caption.of_several([run_of("disks", **disks)], ["equilibrate"]))

    def test_seeds_are_labels_only_if_nothing_else_differs(self):
        runs = [run_of("kmc", model="sos", phi=phi, seed=seed) for phi, seed in (("1", "7"), ("2", "8"))]
        self.assertEqual(caption.differences(runs), ["$\\phi$ = 1", "$\\phi$ = 2"])
        runs[1].input["phi"] = "1"
        self.assertEqual(caption.differences(runs), ["seed = 7", "seed = 8"])

    def test_labels_omit_parameters_of_other_models_and_distinguish_runs(self):
        # The input of a run has all options of kmc.
        sos, epitaxy = (run_of("kmc", f"{name}.h5", model=name, phi="1", flux=flux, diffusion="1e+05") for name, flux in (("sos", "1"), ("epitaxy", "2")))
        self.assertEqual(caption.differences([sos, epitaxy]), ["model = solid-on-solid", "model = molecular-beam epitaxy"])
        again = run_of("kmc", "again.h5", model="sos", phi="2", flux="3")
        self.assertEqual(caption.differences([sos, again]), ["$\\phi$ = 1", "$\\phi$ = 2"])
        twin = run_of("kmc", "twin.h5", model="sos", phi="2")
        self.assertEqual(caption.differences([sos, again, twin]), ["sos.h5", "again.h5", "twin.h5"])
        homonyms = [run_of("kmc", f"{folder}/kmc.h5", model="sos", phi="2") for folder in "ab"]
        self.assertEqual(caption.differences(homonyms), ["a/kmc.h5", "b/kmc.h5"])


class Captions(drawing.Drawn):
    runs = (
        "kpz --size 16 --steps 200 --waiting-times 2 --method sequential --output single.h5",
        "kpz --size 16 --steps 200 --waiting-times 2 --replicas 3 --output several.h5",
        "kpz --size 16 --steps 8 --waiting-times 0,2 --output zero.h5",
        "kpz --size 32 --steps 8 --output domains.h5",
        "sweep kpz --size 32;256 --steps 8 --folder sizes",
        "kmc --size 16 --until-time 1e-5 --measure-every 1e-7 --average-from 5e-6 --output short.h5",
        "kmc --model ising --size 16 --coupling 0.2 --until-time 1 --output quench.h5",
        "kmc --restart quench.h5 --change --coupling 0.6 --until-time 2",
        "disks --particles 64 --packing-fraction 0.72 --sweeps 35 --sample-every 5 --r-max 2 --q-max 8 --output disks.h5",
        "disks --particles 64 --packing-fraction 0.7 --sweeps 40 --sample-every 5 --r-max 2 --output others.h5",
        "disks --particles 64 --packing-fraction 0.5 --sweeps 200 --sample-every 5 --r-max 2 --output long.h5",
        "sweep kmc --model ising --size 16 --coupling 0.2,0.3 --until-time 100 --measure-every 0.5 --average-from 2 --folder averaged",
        "sweep kmc --model ising --size 16 --coupling 0.2,0.3 --until-time 2 --folder ends",
    )

    def text(self, *words):
        """All words of the pictures of a command."""
        texts = [text for fig in self.figures(*words).values() for text in fig.findobj(matplotlib.text.Text)]
        return "\n".join(text.get_text().replace("\n", " ") for text in texts)

    def test_omitted_points_are_reported_if_known(self):
        names = ["height_autocorrelation", "slope_autocorrelation"]
        self.assertIn("points that are not positive are left out", self.text("single.h5", *names))
        self.assertIn("of points that do not exceed their errors", self.text("several.h5", *names))

    def test_a_waiting_time_of_0_has_no_ratio_of_times(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            text = self.text("zero.h5", "slope_autocorrelation")
        self.assertIn("$s$ = 0 is left out", text)
        self.assertEqual(re.findall(r"^\$s\$ = . MCS$", text, re.MULTILINE), ["$s$ = 2 MCS"])

    def test_a_known_bias_is_in_the_caption(self):
        steady = "known bias of roughness $W^2$ in %: −0.90(10) in growth from time 64 on, −1.10(10) in the steady state"
        self.assertIn(steady, self.text("domains.h5", "roughness"))
        self.assertIn("known bias of velocity $v$ in %: ", self.text("domains.h5", "velocity"))
        self.assertNotIn("known bias", self.text("domains.h5", "acceptance"))
        self.assertNotIn("known bias", self.text("single.h5", "roughness"))
        self.assertIn(steady.replace(":", " of runs with domains:"), self.text("domains.h5", "roughness", "--beside", "single.h5"))
        self.assertIn("−0.90(10) in growth from time 64 on, −1.10(10) or unknown in the steady state", self.text("sizes", "roughness"))

    def test_times_are_typeset(self):
        self.assertIn(r"mean from time $5 \times 10^{-6}$ on", self.text("short.h5", "roughness"))

    def test_captions_report_functions_of_disks_that_may_not_be_stationary(self):
        for words in (["g"], ["S"]):
            self.assertRegex(self.text("disks.h5", *words), r"mean over the samples.*(not stationary|the window is too short)")
        self.assertRegex(self.text("disks.h5", "g", "--beside", "others.h5"), r"stationarity not confirmed: .*\\eta.* = 0.72")

    def test_captions_of_functions_describe_their_band(self):
        self.assertNotIn("band", self.text("disks.h5", "g"))  # of few samples
        self.assertIn("; band: standard error over blocks of samples", self.text("long.h5", "g"))
        self.assertRegex(self.text("long.h5", "g", "--replica", "0"), r"mean over the samples after sweep \d+ of replica 0")

    def test_captions_of_snapshots_report_changes_of_parameters(self):
        self.assertIn("$K$ = 0.6 from time 1 on", self.text("quench.h5", "spin"))
        self.assertIn("dotted: $K$ = 0.6 from time 1 on", self.text("quench.h5", "energy"))

    def test_captions_of_sweeps_give_the_times_of_values(self):
        self.assertRegex(self.text("averaged", "energy"), "means from time 2 on bars")
        swept = read_table(self.path("averaged"))
        for run, start in zip(swept.runs, (2.5, 7)):
            run.input["average-from"], run.start = "auto", start
        options = SimpleNamespace(compare=None)
        told = sweep.sentences_of([swept], [""], ["coupling"], ["energy"], options, "coupling", [])
        self.assertIn("means from times 2.5 to 7 on, chosen automatically", told)
        self.assertIn("values at the ends of the runs", self.text("ends", "energy"))


if __name__ == "__main__":
    unittest.main()
