"""Wang (2019), Section 6, on any data: the distance of random features from kernel ridge regression."""
