"""How much work a certificate may ask for: operations are counted, never timed, the same on every machine.

The unit is about one microsecond of a machine of today.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from flint import ctx

from .findings import Outcome, Rejection

MOST = 4_500_000

_left: ContextVar[list[float] | None] = ContextVar("left", default=None)


class TooMuch(Rejection):
    """The certificate asks for more work than it is given."""

    def __init__(self) -> None:
        super().__init__(Outcome.UNDECIDED, f"to recompute it takes more work than a certificate is given ({MOST} operations)")


@contextmanager
def allowance(most: float | None = None) -> Iterator[list[float]]:
    """All that is done inside may take MOST units together, what is around it too; or so many of its own.

    What is left stands in the list.
    """
    left = [most] if most is not None else _left.get() or [MOST]
    token = _left.set(left)
    try:
        yield left
    finally:
        _left.reset(token)


def spend(units: float) -> None:
    """Say so before the work is done; raises TooMuch where nothing is left of the allowance."""
    left = _left.get()
    if left is not None:
        left[0] -= units
        if left[0] < 0:
            raise TooMuch


def arithmetic(bits: float | None = None) -> float:
    """One operation on balls in a loop of Python."""
    return 1 + multiplication(bits)


def multiplication(bits: float | None = None) -> float:
    """One operation on balls inside a matrix."""
    bits = ctx.prec if bits is None else bits
    return 0.03 + bits / 8000 + (bits / 5000) ** 2


def elementary(bits: float | None = None) -> float:
    """A logarithm, an exponential, a sine."""
    kilobits = (ctx.prec if bits is None else bits) / 1000
    return 1 + 2 * kilobits + 2 * kilobits**2


def special(bits: float | None = None) -> float:
    """A gamma or an error function."""
    return 10 + 60 * ((ctx.prec if bits is None else bits) / 1000) ** 2


def rotations(bits: float | None = None) -> float:
    """The part of each entry of a cube in finding the eigenvectors of its side."""
    kilobits = (ctx.prec if bits is None else bits) / 1000
    return 0.6 + 3 * kilobits + 1.2 * kilobits**2


def on_rationals(bits: float) -> float:
    """One operation on rationals of that height."""
    return bits / 140


def on_integers(bits: float) -> float:
    """One operation on integers of that length inside a matrix."""
    limbs = bits / 64
    return 0.03 + 0.05 * limbs * (1 + limbs / 200)
