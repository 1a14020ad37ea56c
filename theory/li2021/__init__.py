"""Li, Ton, Oglic, Sejdinovic (2021). Towards a unified analysis of random Fourier features. JMLR 22(108)."""

from boundcheck import Paper, integers

paper = Paper(
    "li2021", "Towards a unified analysis of random Fourier features", "Li, Ton, Oglic, Sejdinovic", 2021
)

Few = integers(1, 3)
"""A number of features small enough that every draw of them is enumerated."""
