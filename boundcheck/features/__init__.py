"""The mathematics of random features: kernels, leverage scores, deviations, ridge regression, pools."""
