"""The tasks, one module for each part of the compiled layer; each peer as its users would write it."""

from benchmarks.tasks import counts, features, kernels, leverage, ridge, sgd, small, spectral

__all__ = ["counts", "features", "kernels", "leverage", "ridge", "sgd", "small", "spectral"]
