# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import numpy as np


def text_of(value):
    """A text read by h5py, as str."""
    if isinstance(value, np.ndarray):
        value = value.item()
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def unit_of(dataset):
    """The attribute `unit` of a dataset; empty if it has none."""
    return text_of(dataset.attrs["unit"]) if "unit" in dataset.attrs else ""
