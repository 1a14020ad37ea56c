"""Li, Ton, Oglic, Sejdinovic (2021). Towards a unified analysis of random Fourier features. JMLR 22(108)."""

from boundcheck import Paper

paper = Paper("li2021", "Towards a unified analysis of random Fourier features", "Li, Ton, Oglic, Sejdinovic", 2021)
