"""Liu, Huang, Chen, Yang, Suykens (2020). Random Fourier features via fast surrogate leverage weighted
sampling. AAAI.
"""

from boundcheck import Few, Paper

paper = Paper(
    "liu2020",
    "Random Fourier features via fast surrogate leverage weighted sampling",
    "Liu, Huang, Chen, Yang, Suykens",
    2020,
)

__all__ = ["Few", "paper"]
