# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Observables and fields as those of pandas and xarray."""

import numpy as np
import program
import tessera_io


class Frames(program.InFolder):
    runs = (
        "kmc --size 16 --replicas 2 --until-events-per-site 4 --measure-every 2 --field-every 4 --output kmc.h5",
        "kpz --size 32 --replicas 2 --steps 8 --waiting-times 2 --output kpz.h5",
        "disks --particles 64 --sweeps 20 --sample-every 5 --measure-every 10 --output one.h5",
    )

    def test_a_data_frame_has_means_and_errors_at_the_times_of_measurement(self):
        for file in ("kmc.h5", "kpz.h5", "one.h5"):
            with tessera_io.open(self.path(file)) as run:
                frame = run.to_dataframe()
                whole = run.observables["step_size" if file == "kmc.h5" else "acceptance"]
                np.testing.assert_array_equal(frame.index, whole.time)
                self.assertEqual(frame.index.name, "time")
                for name, observable in run.observables.items():
                    there = frame[name].dropna() if len(observable) < len(frame) else frame[name]
                    np.testing.assert_array_equal(there, observable.mean)
                    np.testing.assert_allclose(there.index, observable.time, rtol=1e-12)
                    if np.isfinite(observable.error).any():
                        self.assertEqual(frame.attrs["units"][name + "_error"], observable.unit)
                        np.testing.assert_array_equal(frame[name + "_error"].loc[there.index], observable.error)
                    else:
                        self.assertNotIn(name + "_error", frame)
                self.assertEqual(frame.attrs["units"]["time"], whole.time_unit)

    def test_named_observables_alone(self):
        with tessera_io.open(self.path("kmc.h5")) as run:
            self.assertEqual(list(run.to_dataframe("events").columns), ["step", "events", "events_error"])
            self.assertEqual(sorted(run.to_xarray("events")), ["events", "events_error"])
            with self.assertRaisesRegex(tessera_io.TesseraFileError, "no observable 'event'"):
                run.to_dataframe("event")

    def test_a_data_set_has_the_values_of_all_replicas(self):
        with tessera_io.open(self.path("kpz.h5")) as run:
            data = run.to_xarray()
            self.assertEqual((data.sizes["replica"], data.attrs["method"]), (2, "kpz"))
            for name, observable in run.observables.items():
                rows = slice(len(data.time) - len(observable), None)
                np.testing.assert_array_equal(data[name][rows], observable.value)
                np.testing.assert_array_equal(data[name + "_error"][rows], observable.error)
                self.assertTrue(np.isnan(data[name][: rows.start]).all())
                np.testing.assert_array_equal(data.time[rows], observable.time)
                self.assertEqual(data[name].attrs["units"], observable.unit)

    def test_fields(self):
        with tessera_io.open(self.path("kmc.h5")) as run:
            height = run.fields["height"].to_xarray()
            self.assertEqual((height.dims, height.name, height.attrs["units"]), (("row", "replica", "y", "x"), "height", "layers"))
            np.testing.assert_array_equal(height[-1, 1], run.fields["height"].snapshot(-1, 1))
            np.testing.assert_array_equal(height.time, run.fields["height"].time)
        with tessera_io.open(self.path("one.h5")) as run:
            self.assertEqual(run.fields["pair_distribution"].to_xarray().dims, ("row", "ring"))
