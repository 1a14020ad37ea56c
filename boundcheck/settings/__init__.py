"""Settings: families of instances, what a claim quantifies over."""

from boundcheck.settings.declared import setting
from boundcheck.settings.random_features import RandomFeatures
from boundcheck.settings.random_inputs import RandomDesign, RandomInputs
from boundcheck.settings.weighted_features import WeightedFeatures

__all__ = ["RandomDesign", "RandomFeatures", "RandomInputs", "WeightedFeatures", "setting"]
