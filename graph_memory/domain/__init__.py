"""Values and formulas of the memory. No I/O, no clock, no randomness: the time is always an argument."""
