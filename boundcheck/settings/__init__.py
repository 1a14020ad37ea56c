"""Settings: families of instances, what a claim quantifies over."""

from boundcheck.settings.data_set import DataSet
from boundcheck.settings.declared import setting
from boundcheck.settings.finite_law import FiniteLaw

__all__ = ["DataSet", "FiniteLaw", "setting"]
