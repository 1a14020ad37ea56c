"""What stands in the way of a goal that is missed, from profiles on one core of a 2-core EPYC (Zen 4)."""

SHARED = "Two processes that share nothing, above, are the most that a second core brings at the moment."

LIMITS = {
    "verdict_on_vectors": "Hypothesis stops at an apparent violation in floats, which it meets among its first draws; here it is"
    " shrunk, recorded and verified.",
    "fourier_features": "Of 2.5 ns a feature, 0.6 are its inner product, summed in order and without FMA, so that all machines give the "
    "same bits, 0.6 its cosine, and 1.3 getting and writing 40 MB of fresh memory, which peers pay too.",
    "gaussian_kernel": "Writing 32 MB, half of them as a mirror image, takes 4 of 8 ms, exponentials 1.8, and sums of squares that keep "
    "every digit 2.1; JAX takes distances from one GEMM, which cancels for near points.",
    "laplace_kernel": "Writing 32 MB, half of them as a mirror image, takes 4 of 9 ms and exponentials 1.8; distances are three "
    "operations a coordinate.",
    "leverage_scores": "The triangular product takes 27 of 40 ms, at 45 GFLOP/s, features 6.",
    "bernstein": "Whitening by substitution and all eigenvalues of one n x n matrix, both LAPACK's, are most of it for everyone.",
    "averaged_sgd": "Making the features takes 2.5 of 3.2 ms, and their sines and cosines must be accurate to the last bits.",
    "max_count_tail": "The largest squarings, direct sums of 4000 products, take most of it: FFTs would lose the relative error.",
    "a trial of the audit at 6 values of s to 3200, over 3200 alone": "Features and Gram matrices are made once, but each s has its own "
    "Cholesky factors.",
    "regressions at the same, over 3200 alone": "Features and Gram matrices are made once, but each s and ridge has a Cholesky factor.",
    "two processes that share nothing, over one": "No second core is free, so that nothing can gain from one.",
    "a sweep on two workers, over one": SHARED,
    "Fourier features on two threads, over one": SHARED,
}
