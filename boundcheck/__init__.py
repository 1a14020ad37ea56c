"""Verify theorems numerically: state a claim as a function, get a verdict that can be checked."""

from importlib import import_module
from typing import Any

__version__ = "0.2.0"

_EXPORTS = {
    "boundcheck.words.claims": "Claim Paper theorem",
    "boundcheck.domains": (
        "Array Bits Box Channel Correlation Count Family Few JointLaw LowRank Matrix NonNegative Orthogonal PSD Permutation Points Positive"
        " PositiveDefinite Real Signs Simplex Size Spectrum SquareMatrix Subset Symmetric SymmetricBetween Unit UnitRows UnitVector"
        " Vector between integers"
    ),
    "boundcheck.domains.classes": "Convex Smooth SmoothConvex",
    "boundcheck.words.functions": (
        "arcsin ceil cos erf exp floor gammaln largest log maximum minimum pi sign sin smallest sqrt"
        " eigenvalues expm frobenius identity inverse inverse_sqrt largest_eigenvalue logdet logm norm nuclear opnorm psd_power"
        " psd_sqrt smallest_eigenvalue solve spectral_radius symmetric trace"
    ),
    "boundcheck.words.hypotheses": "assume at_least marked",
    "boundcheck.features.leverage": "effective_dimension ridge_leverage_scores",
    "boundcheck.features.data_set": "DataSet",
    "boundcheck.laws.quantities": "indicator quantity",
    "boundcheck.running.session": "Verdict at check sharpen verify",
    "boundcheck.settings": "FiniteLaw setting",
    "boundcheck.words.statements": "E P at_most both equal less loewner of_order rate",
}
"""Every public name, once, by its module; __init__.pyi says the same to type checkers."""

_HOME = {
    name: module for module, names in _EXPORTS.items() for name in names.split()
}

__all__ = sorted(_HOME)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: `boundcheck --help` loads neither numpy nor numba."""
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'boundcheck' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
