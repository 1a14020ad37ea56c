"""Verify theorems numerically: state a claim as a function, get a verdict that can be checked."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_EXPORTS = {
    "boundcheck.words.claims": "Claim Paper theorem",
    "boundcheck.domains": (
        "Bits Box Channel Correlation Count Family Few JointLaw LowRank Matrix NonNegative Orthogonal PSD Permutation Points Positive"
        " PositiveDefinite Real Signs Simplex Size Spectrum SquareMatrix Subset Symmetric SymmetricBetween Unit UnitRows UnitVector"
        " Vector between integers"
    ),
    "boundcheck.words.hypotheses": "assume at_least marked",
    "boundcheck.features.data_set": "DataSet",
    "boundcheck.features.leverage": "effective_dimension ridge_leverage_scores",
    "boundcheck.words.linalg": (
        "eigenvalues expm frobenius inverse inverse_sqrt largest_eigenvalue logdet logm norm nuclear opnorm psd_power"
        " psd_sqrt smallest_eigenvalue solve symmetric trace"
    ),
    "boundcheck.laws.quantities": "indicator quantity",
    "boundcheck.words.scalars": "arcsin ceil cos erf exp floor gammaln largest log maximum minimum pi sign sin smallest sqrt",
    "boundcheck.settings": "FiniteLaw setting",
    "boundcheck.words.statements": "E P at_most both equal less loewner of_order rate",
}
_HOME = {name: module for module, names in _EXPORTS.items() for name in names.split()}

if TYPE_CHECKING:
    from boundcheck.domains import (
        PSD,
        Bits,
        Box,
        Channel,
        Correlation,
        Count,
        Family,
        Few,
        JointLaw,
        LowRank,
        Matrix,
        NonNegative,
        Orthogonal,
        Permutation,
        Points,
        Positive,
        PositiveDefinite,
        Real,
        Signs,
        Simplex,
        Size,
        Spectrum,
        SquareMatrix,
        Subset,
        Symmetric,
        SymmetricBetween,
        Unit,
        UnitRows,
        UnitVector,
        Vector,
        between,
        integers,
    )  # fmt: skip
    from boundcheck.features.data_set import DataSet
    from boundcheck.features.leverage import effective_dimension, ridge_leverage_scores
    from boundcheck.laws.quantities import indicator, quantity
    from boundcheck.settings import FiniteLaw, setting
    from boundcheck.words.claims import Claim, Paper, theorem
    from boundcheck.words.hypotheses import assume, at_least, marked
    from boundcheck.words.linalg import (
        eigenvalues,
        expm,
        frobenius,
        inverse,
        inverse_sqrt,
        largest_eigenvalue,
        logdet,
        logm,
        norm,
        nuclear,
        opnorm,
        psd_power,
        psd_sqrt,
        smallest_eigenvalue,
        solve,
        symmetric,
        trace,
    )  # fmt: skip
    from boundcheck.words.scalars import (
        arcsin,
        ceil,
        cos,
        erf,
        exp,
        floor,
        gammaln,
        largest,
        log,
        maximum,
        minimum,
        pi,
        sign,
        sin,
        smallest,
        sqrt,
    )  # fmt: skip
    from boundcheck.words.statements import E, P, at_most, both, equal, less, loewner, of_order, rate

__all__ = [
    "PSD", "Bits", "Box", "Channel", "Claim", "Correlation", "Count", "DataSet", "E", "Family", "Few", "FiniteLaw",
    "JointLaw", "LowRank", "Matrix", "NonNegative", "Orthogonal", "P", "Paper", "Permutation", "Points", "Positive",
    "PositiveDefinite", "Real", "Signs", "Simplex", "Size", "Spectrum", "SquareMatrix", "Subset", "Symmetric",
    "SymmetricBetween", "Unit", "UnitRows", "UnitVector", "Vector", "arcsin", "assume", "at_least", "at_most",
    "between", "both", "ceil", "cos", "effective_dimension", "eigenvalues", "equal", "erf", "exp", "expm", "floor", "frobenius", "gammaln",
    "indicator", "integers", "inverse", "inverse_sqrt", "largest", "largest_eigenvalue", "less", "loewner", "log", "logdet", "logm",
    "marked", "maximum", "minimum", "norm", "nuclear", "of_order", "opnorm", "pi", "psd_power", "psd_sqrt", "quantity", "rate",
    "ridge_leverage_scores", "setting", "sign", "sin", "smallest", "smallest_eigenvalue", "solve", "sqrt", "symmetric", "theorem", "trace",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: `boundcheck --help` loads neither numpy nor numba."""
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'boundcheck' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
