"""The pytest plugin: claims are items. Nothing of the engine is imported before a file that states a claim is."""

from boundcheck.plugin.collecting import (
    pytest_collect_file,
    pytest_pycollect_makeitem,
    pytest_pycollect_makemodule,
    pytest_runtest_makereport,
)
from boundcheck.plugin.options import pytest_addoption, pytest_configure, pytest_terminal_summary

__all__ = [
    "pytest_addoption", "pytest_collect_file", "pytest_configure", "pytest_pycollect_makeitem", "pytest_pycollect_makemodule",
    "pytest_runtest_makereport", "pytest_terminal_summary",
]  # fmt: skip
