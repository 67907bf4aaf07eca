"""The coverage of intervals, noted collection by collection."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
NORMAL = 1.959963984540054
RESAMPLES = 400


class Shares(dict[str, list[float]]):
    """By the name of an interval: in each collection the share of the true figures that it holds."""

    def note(self, name: str, share: float) -> None:
        self.setdefault(name, []).append(float(share))
