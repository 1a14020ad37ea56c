"""Wang (2019). Simple and almost assumption-free out-of-sample bound for random feature mapping.
arXiv 1909.11207.
"""

from boundcheck import Few, Paper

paper = Paper(
    "wang2019",
    "Simple and almost assumption-free out-of-sample bound for random feature mapping",
    "Wang",
    2019,
)


__all__ = ["Few", "paper"]
