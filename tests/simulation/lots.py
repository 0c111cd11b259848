"""Draws from one seed. Only `Random.random` is used, whose sequence Python promises to keep."""

import random
import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")
_SLOT = re.compile(r"\{(\w+)\}")


class Lots:
    """Chances, choices and filled templates; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def chance(self, share: float) -> bool:
        return self._random.random() < share

    def between(self, least: float, most: float) -> float:
        return least + (most - least) * self._random.random()

    def whole(self, least: int, most: int) -> int:
        """A whole number, both ends included."""
        return least + int(self._random.random() * (most - least + 1))

    def one(self, values: Sequence[T]) -> T:
        return values[int(self._random.random() * len(values))]

    def some(self, values: Sequence[T], count: int) -> list[T]:
        """Distinct ones, in drawn order; all where there are fewer."""
        left, drawn = list(values), list[T]()
        while left and len(drawn) < count:
            drawn.append(left.pop(int(self._random.random() * len(left))))
        return drawn

    def filled(self, template: str, slots: Mapping[str, Sequence[str]]) -> str:
        """The template with each slot drawn; it begins with a capital letter."""
        text = _SLOT.sub(lambda match: self.one(slots[match[1]]), template)
        return text[:1].upper() + text[1:]
