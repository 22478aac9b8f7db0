# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Models of other programs as model files of `tessera kmc --processes`."""

from .lines import ModelError
from .zacros import convert_zacros

__all__ = ["ModelError", "convert_zacros"]
