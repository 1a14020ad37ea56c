"""Yashima, Nitanda, Suzuki (2021). Exponential convergence rates of classification errors. AISTATS."""

from boundcheck import Paper

paper = Paper(
    "yashima2021",
    "Exponential convergence rates of classification errors on learning with SGD and random features",
    "Yashima, Nitanda, Suzuki",
    2021,
)
