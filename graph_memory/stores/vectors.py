"""Vectors on their way to the server."""

import numpy as np
from neo4j.vector import Vector

from graph_memory.ports import Floats


def sent(vector: Floats) -> Vector:
    """A vector as its bytes: as a list of 384 numbers it takes 0.06 ms longer to reach the server.

    Searches take it as it is. What is stored is `toFloatList` of it, for the store of Community holds no vectors.
    """
    return Vector(np.ascontiguousarray(vector, dtype=np.float32))
