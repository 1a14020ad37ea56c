"""Conformance of a feature map of the user's with the contract that the theorems on random features need.

A map is a class in the style of scikit-learn: `MyFeatures(gamma=0.5, n_components=s, random_state=seed)`,
`fit(X)`, `transform(X)` of shape (n, s); `torch_map` makes one of a PyTorch module. The kernel is a name of
`boundcheck.features.conform.NAMED`, a function k(X, Y) that gives an (n, m) matrix, or a `Kernel`. In a test of your
library, with pytest or without: `assert_conforms`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

_EXPORTS = {
    "contract": "Conformance Design Item",
    "kernels": "Kernel NAMED",
    "maps": "MapError torch_map",
    "run": "assert_conforms conformance",
}
_HOME = {
    name: module for module, names in _EXPORTS.items() for name in names.split()
}

if TYPE_CHECKING:
    from boundcheck.features.conform.contract import Conformance, Design, Item
    from boundcheck.features.conform.kernels import NAMED, Kernel
    from boundcheck.features.conform.maps import MapError, torch_map
    from boundcheck.features.conform.run import assert_conforms, conformance

__all__ = [
    "NAMED", "Conformance", "Design", "Item", "Kernel", "MapError", "assert_conforms", "conformance", "torch_map"
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Import on demand: the command in this package must not load NumPy to print its help."""
    if name in _HOME:
        return getattr(
            import_module(f"boundcheck.features.conform.{_HOME[name]}"), name
        )
    raise AttributeError(
        f"module 'boundcheck.features.conform' has no attribute {name!r}"
    )
