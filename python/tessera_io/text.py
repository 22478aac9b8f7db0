# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import math


def text_of(value):
    """A text read by h5py, as str."""
    value = value.item() if hasattr(value, "item") else value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def unit_of(dataset):
    """The attribute `unit` of a dataset; empty if it has none."""
    return text_of(dataset.attrs["unit"]) if "unit" in dataset.attrs else ""


def number(text):
    return math.nan if text is None else float(text)


def with_error(value, error):
    """A number with its error in the last digits, one, or two if it begins with less than 3: "6.945(29)", "3.04(7)e4". Without an
    error, or with one of 0, six digits; "-" without a value."""
    value, error = number(value), number(error)
    if not 1e-12 * abs(value) < error < math.inf:
        return "-" if math.isnan(value) else f"{value:.6g}"
    first, largest = (math.floor(math.log10(one)) for one in (error, max(abs(value), error)))
    last = first - (error / 10.0**first < 2.95)
    power = largest if (last > 0 and largest > 3) or largest < -4 else 0
    digits, unit = power - last, 10.0**last
    return f"{round(value / unit) * unit / 10.0**power:.{max(0, digits)}f}({round(error / unit) * (unit if digits < 0 else 1):.0f})" + f"e{power}" * bool(power)
