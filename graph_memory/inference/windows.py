"""A long text as windows that a model can read, so that no part of it goes unseen."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def windows(tokens: Sequence[T], *, room: int, overlap: int) -> list[Sequence[T]]:
    """`tokens` as the fewest windows of at most `room`, neighbours sharing at least `overlap`.

    All windows of one text are equally long and evenly spaced: a short last window would count as much in the
    pooled vector as a full one.

    Args:
        room: most tokens in a window, greater than `overlap`.
        overlap: so many tokens of context a sentence on the seam keeps on one side, 0 or more.

    Returns: at least one window; the tokens themselves when they fit.
    """
    if len(tokens) <= room:
        return [tokens]
    surplus = len(tokens) - room
    steps = -(-surplus // (room - overlap))  # rounded up
    starts = [surplus * step // steps for step in range(steps + 1)]
    return [tokens[start : start + room] for start in starts]
