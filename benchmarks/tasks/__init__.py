"""The tasks: each times what a command or a claim runs, against the same as its peers' users would write it."""

from benchmarks.tasks import counts, deviation, features, kernels, leverage, ridge, search, sgd

__all__ = ["counts", "deviation", "features", "kernels", "leverage", "ridge", "search", "sgd"]
