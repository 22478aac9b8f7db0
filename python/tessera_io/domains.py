# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import numpy as np

from .errors import TesseraFileError
from .observables import Observable

# By name: the title, and the value from the sizes of the clusters of a box of so many sites, and the volume of a site.
QUANTITIES = {
    "cluster_density": ("clusters per site", lambda sizes, sites, volume: len(sizes) / sites),
    "cluster_size": ("sites of a cluster", lambda sizes, sites, volume: sizes.mean()),
    "cluster_size_of_site": ("sites of the cluster of a site", lambda sizes, sites, volume: (sizes**2).sum() / sizes.sum()),
    "largest_cluster": ("fraction of sites in the largest cluster", lambda sizes, sites, volume: sizes.max() / sites),
    "cluster_diameter": ("diameter of clusters", lambda sizes, sites, volume: np.cbrt(6 / np.pi * volume * (sizes**2).sum() / sizes.sum())),
}


class OfClusters(Observable):
    """A quantity of the clusters of a field, at the times of its rows."""

    def __init__(self, field, name, title, values):
        self.name, self._title, self._error = name, title, None
        self.unit = "" if name != "cluster_diameter" else "length" if field.sites else "cubic cells"
        self.value = np.array(values)
        self.step, self.time_unit = field.step, field.time_unit
        self.times = np.broadcast_to(field.times if field.times.ndim == self.value.ndim else field.times[:, None], self.value.shape)

    title = property(lambda self: self._title)


def clusters(run, of=None):
    """{name: Observable} of the clusters in each recorded lattice of three dimensions, such as grains of potts; see Field.clusters().

    cluster_density   their number per site
    cluster_size      mean number of their sites; cluster_size_of_site: mean over sites, sum s^2 / sum s
    largest_cluster   the fraction of all sites that are in the largest one
    cluster_diameter  in cubic cells, of a model from a file in units of cell_size: of a sphere of the mean volume, over sites, of their
                      clusters; the size of domains
    """
    field = next((one for one in run.fields.values() if one.box is not None), None)
    if field is None:
        raise TesseraFileError(f"{run.path}: has no field of three axes")
    sites = np.prod(field.shape) * max(1, len(field.sites))
    volume = abs(np.linalg.det(field.sides)) * np.prod(field.box) / sites
    found = {name: np.full((len(field), field.replicas), np.nan) for name in QUANTITIES}
    for row, replica in np.ndindex(len(field), field.replicas):
        _, sizes = field.clusters(row, replica, of)
        for name, (_, value) in QUANTITIES.items() if len(sizes) else ():
            found[name][row, replica] = value(sizes.astype(float), sites, volume)
    return {name: OfClusters(field, name, QUANTITIES[name][0], values if field.replicas > 1 else values[:, 0]) for name, values in found.items()}
