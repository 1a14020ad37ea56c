"""Ridge leverage scores and the effective dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.tape.library import eye

COMPILED = 16
"""Points from which on the compiled form is faster."""


def ridge_leverage_scores(Z: Any, p: Any, K: Any, ridge: Any) -> Any:
    """p_j z_j^T (K + ridge I)^-1 z_j for each column z_j of Z (n x m), p (m,), K (n x n); ridge is n lam."""
    A = K + ridge * eye(K.shape[0])
    if isinstance(A, np.ndarray) and A.shape[0] >= COMPILED:
        from boundcheck.features.compiled import ridge as compiled

        return compiled.leverage_scores(Z, p, K, float(ridge) / A.shape[0])
    return p * np.sum(Z * np.linalg.solve(A, Z), axis=0)


def effective_dimension(K: Any, ridge: Any) -> Any:
    """Tr K (K + ridge I)^-1."""
    values = np.linalg.eigvalsh(K)
    return np.sum(values / (values + ridge))
