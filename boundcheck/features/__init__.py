"""The mathematics of random features: leverage scores, deviations, ridge regression."""
