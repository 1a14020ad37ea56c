"""theory/ in a wheel is the package `boundcheck_theory`, which no folder `theory/` hides: a build hook of hatchling."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

EDITABLE = "editable"
"""The version of a wheel that only names the checkout, where the folder stays what it is."""


class UnderItsOwnName(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != EDITABLE:
            build_data["force_include"]["theory"] = "boundcheck_theory"
