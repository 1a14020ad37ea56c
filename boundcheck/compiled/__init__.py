"""The compiled layer: arrays in, arrays out; the only place where Numba is imported."""
