"""How far the float value of each node of a tape can be from its exact value."""

from boundcheck.operations.rounding.radii import radii

__all__ = ["radii"]
