"""What stands in the way of a goal that is missed: profiles on one core, and what other techniques would take."""

SHARED = "Two processes that share nothing, above, are the most that a second core brings at the moment."

LIMITS = {
    "verdict_on_vectors": "Hypothesis stops at an apparent violation in floats, which it meets among its first draws; here it is"
    " shrunk, recorded and verified.",
    "fourier_features": "Of 2.1 ns a feature on a Xeon, 0.7 are its inner product, summed in order and without FMA, so that all machines "
    "give the same bits, 0.8 its cosine, the rest writing 40 MB, which peers pay too. Tried: BLAS and cosines in place take 1.3 times as "
    "long, guvectorize 2.8 times, vectors of 512 bits as long; memory used again 0.8 times. Single precision loses half of the digits.",
    "gaussian_kernel": "Sums of squares that keep every digit, exponentials, and writing 32 MB take about a third each. Tried: GEMM and "
    "exponentials in place take 2.0 times as long, and cancel for near points; one triangle and its mirror image .6 times, and five "
    "terms a pass .8 times, for twice the text.",
    "laplace_kernel": "As for the Gaussian kernel; distances are three operations a coordinate.",
    "leverage_scores": "The triangular product takes 27 of 40 ms, at 45 GFLOP/s, features 6.",
    "bernstein": "Of 4.8 ms on a Xeon, two products of 80 MFLOP at 55 GFLOP/s take 2.9, one eigenvalue 0.9, factor and inverse 0.6.",
    "averaged_sgd": "Making the features takes 2.5 of 3.2 ms, and their sines and cosines must be accurate to the last bits.",
    "max_count_tail": "The largest squarings, direct sums, take most of it: FFTs would lose the relative error. Tried: compiled sums of "
    "eight terms a pass, and ends cut closer, take .7 of the time, for four times the text.",
    "a trial of the audit at 6 values of s to 3200, over 3200 alone": "Features and Gram matrices are made once, but each s has its own "
    "Cholesky factors.",
    "regressions at the same, over 3200 alone": "Features and Gram matrices are made once, but each s and ridge has a Cholesky factor: 18 "
    "for 3 take 12 of the 22 ms more. Tried: single precision with refinement saves a fifth of each, which makes 1.65; one tridiagonal "
    "form for all ridges takes longer than their three factors.",
    "two processes that share nothing, over one": "No second core is free, so that nothing can gain from one.",
    "a sweep on two workers, over one": SHARED,
    "Fourier features on two threads, over one": SHARED,
}
