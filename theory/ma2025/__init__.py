"""Ma, Yang, Yang (2025). On the generalization properties of learning the random feature models with
learnable activation.
"""

from boundcheck import Paper

paper = Paper(
    "ma2025",
    "On the Generalization Properties of Learning the Random Feature Models with Learnable Activation "
    "Functions",
    "Ma, Yang, Yang",
    2025,
)
