"""Speed against what users write today with NumPy, scikit-learn, JAX and PyTorch: `python -m benchmarks`."""
