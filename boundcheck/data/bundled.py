"""The small data sets that come with scikit-learn, which is imported only when one is asked for."""

from __future__ import annotations

import numpy as np

from boundcheck.data.table import DataError, Table

BUNDLED = ("diabetes", "wine", "breast_cancer", "iris", "digits")


def read_bundled(name: str) -> Table:
    """One of BUNDLED; its last column is 'target'. Raises DataError if scikit-learn is not there."""
    try:
        from sklearn import datasets
    except ImportError:
        raise DataError(
            f"The data set {name!r} comes with scikit-learn; run pip install 'boundcheck[data]'."
        ) from None
    bunch = getattr(datasets, f"load_{name}")()
    values = np.column_stack([bunch.data, bunch.target]).astype(np.float64)
    return Table(name, (*map(str, bunch.feature_names), "target"), values)
