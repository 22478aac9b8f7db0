# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors


class ModelError(Exception):
    """A model that cannot be converted; the message has the file, the line and the reason."""
