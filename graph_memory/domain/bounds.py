"""Bounds of what is measured from 0 to 1."""


def within_one(value: float) -> float:
    """`value`, or the end of 0..1 that it lies beyond."""
    return min(1.0, max(0.0, value))
