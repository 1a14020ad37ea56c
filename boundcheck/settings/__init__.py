"""Settings: families of instances, what a claim quantifies over."""

from boundcheck.settings.declared import setting
from boundcheck.settings.finite_law import FiniteLaw

__all__ = ["FiniteLaw", "setting"]
