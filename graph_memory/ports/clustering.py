"""What the core asks of a clustering."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt


class Clusterer(Protocol):
    """Finds what lies densely. Works on the processor alone and blocks: call it in a thread."""

    def __call__(self, rows: npt.NDArray[np.float64], *, eps: float, min_samples: int) -> Sequence[Sequence[int]]:
        """The places of the rows of each dense group, in ascending order; a row in none is noise.

        Args:
            rows: shape (points, dimensions), of unit length.
            eps: the distance, 1 - cosine, within which two rows are neighbours; a row that has `min_samples` of them,
                itself counted, is dense; a group is what dense rows reach.
        """
