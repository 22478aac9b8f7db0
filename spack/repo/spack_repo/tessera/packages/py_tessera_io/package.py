# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
from spack_repo.builtin.build_systems.python import PythonPackage
from spack_repo.tessera.packages.tessera.package import Tessera

from spack.package import *


class PyTesseraIo(PythonPackage):
    """Runs Tessera; reads, exports, plots and reproduces its results."""

    git = Tessera.git
    url = Tessera.url

    license("BSD-3-Clause")

    for number, source in Tessera.versions.items():
        version(str(number), **source)

    variant("plot", default=True, description="Pictures, by Matplotlib")
    variant("frames", default=False, description="Tables of pandas and xarray")
    variant("gsd", default=False, description="Export to GSD")

    build_directory = "python"

    depends_on("py-setuptools@61:", type="build")
    with default_args(type=("build", "run")):
        depends_on("python@3.9:")
        depends_on("py-h5py@3.0:")
        depends_on("py-numpy@1.20:")
        depends_on("py-scipy@1.6:")
        depends_on("py-matplotlib@3.5:", when="+plot")
        depends_on("py-pandas@1.3:", when="+frames")
        depends_on("py-xarray@0.20:", when="+frames")
        depends_on("py-gsd@2.7:", when="+gsd")
