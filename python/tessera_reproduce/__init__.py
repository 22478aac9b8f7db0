# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Figures and tables of the papers from runs of the program: `python3 -m tessera_reproduce NAME`."""
