"""Settings: families of instances, what a claim quantifies over."""

from boundcheck.settings.circle import Corners, Directions, UniformOnCircle
from boundcheck.settings.data_set import DataSet
from boundcheck.settings.declared import setting
from boundcheck.settings.finite_law import FiniteLaw
from boundcheck.settings.random_features import RandomFeatures
from boundcheck.settings.random_inputs import RandomDesign, RandomInputs
from boundcheck.settings.ridge_pair import RidgePair
from boundcheck.settings.sign_features import SignFeatures
from boundcheck.settings.weighted_features import WeightedFeatures

__all__ = [
    "Corners", "DataSet", "Directions", "FiniteLaw", "RandomDesign", "RandomFeatures", "RandomInputs", "RidgePair",
    "SignFeatures", "UniformOnCircle", "WeightedFeatures", "setting",
]  # fmt: skip
