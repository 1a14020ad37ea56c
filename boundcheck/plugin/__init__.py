"""The pytest plugin: claims are items. The engine is not imported before a file that states a claim is."""

from __future__ import annotations

import re
import sys
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from boundcheck.plugin.options import (
    pytest_addoption,
    pytest_configure,
    pytest_terminal_summary,
)

if TYPE_CHECKING:
    from boundcheck.plugin.items import ClaimItem

__all__ = ["pytest_addoption", "pytest_configure", "pytest_terminal_summary"]

IMPORTS_US = re.compile(
    rb"^[ \t]*(?:from|import)\b.*\bboundcheck\b", re.MULTILINE
)
"""A line of every file that states claims; a file without it is not imported for its claims."""


class ClaimFile(pytest.Module):
    """A module that imports boundcheck, and may state claims."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Its items; no claim that would be judged by what stands beside another file."""
        found = list(super().collect())
        loading = sys.modules.get(
            "boundcheck.words.loading"
        )  # where a claim was found
        if (
            loading is not None
            and not self.path.with_name("__init__.py").is_file()
        ):
            loading.require_own(self.path)
        return found

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException]
    ) -> object:
        """One sentence for what a user can mend, such as a function that cannot be made a claim."""
        exits = sys.modules.get("boundcheck.exits")
        if exits is not None and isinstance(excinfo.value, exits.Refused):
            return f"{self.path.name}: {excinfo.value}"
        return super().repr_failure(excinfo)


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(
    module_path: Path, parent: pytest.Collector
) -> pytest.Module | None:
    return (
        ClaimFile.from_parent(parent, path=module_path)
        if _imports_us(module_path)
        else None
    )


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, Any, Any]:
    """Files of `boundcheck_paths` and of a package on the command line are collected under any name."""
    found = yield
    known = any(isinstance(collector, ClaimFile) for collector in found)
    if not known and _is_named(file_path, parent) and _imports_us(file_path):
        return [*found, ClaimFile.from_parent(parent, path=file_path)]
    return found


def _is_named(file: Path, parent: pytest.Collector) -> bool:
    if file.suffix != ".py" or file.name.startswith(("_", ".")):
        return False
    paths = parent.config.getini("boundcheck_paths")
    packages = (
        f
        for f in file.parents
        if parent.session.isinitpath(f) and (f / "__init__.py").is_file()
    )
    return any(place in paths for place in (file, *file.parents)) or any(
        packages
    )


def _imports_us(file: Path) -> bool:
    try:
        return IMPORTS_US.search(file.read_bytes()) is not None
    except OSError:
        return False


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(
    collector: pytest.Collector, name: str, obj: Any
) -> list[ClaimItem] | None:
    """The claims that a module states, each once, and none that it imports."""
    claims = sys.modules.get("boundcheck.words.claims")
    if (
        claims is None
        or type(obj) is not claims.Claim
        or not isinstance(collector, pytest.Module)
    ):
        return None
    from boundcheck.plugin.items import (
        ClaimItem,
        enter,
    )  # a claim is there, and with it the engine
    from boundcheck.words import CannotLoad
    from boundcheck.words.loading import claims_of, require_named_once

    if claims_of(collector.obj).get(name) is not obj:
        return []
    try:
        require_named_once(collector.path, [name])
    except CannotLoad as error:
        raise collector.CollectError(str(error)) from None
    enter(collector, obj)
    return [ClaimItem.from_parent(collector, name=obj.id, claim=obj)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """A skipped claim is listed with the line that states it, not with ours."""
    report = yield
    items = sys.modules.get("boundcheck.plugin.items")
    ours = items is not None and isinstance(item, items.ClaimItem)
    if ours and report.skipped and isinstance(report.longrepr, tuple):
        path, line, _ = item.reportinfo()
        report.longrepr = (str(path), (line or 0) + 1, report.longrepr[2])
    return report
