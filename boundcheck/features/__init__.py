"""The mathematics of random features, and what serves them: audits, conformance, data, compiled kernels."""
