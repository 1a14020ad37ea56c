"""Finite laws, and the stand-in for a generator that enumerates them."""

from boundcheck.laws.enumerator import Enumerator
from boundcheck.laws.law import Law, NotFinite, TooLarge, at_most_atoms, require_enumerable

__all__ = ["Enumerator", "Law", "NotFinite", "TooLarge", "at_most_atoms", "require_enumerable"]
