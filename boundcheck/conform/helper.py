"""The helper for tests: an AssertionError with the table of what does not conform."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from boundcheck.checking.verdict import Outcome
from boundcheck.conform.plan import Plan
from boundcheck.conform.result import Conformance
from boundcheck.conform.run import KernelLike, conformance

DECIDED = ("refuted",)


def assert_conforms(
    cls: Callable[..., Any],
    kernel: KernelLike = None,
    params: Mapping[str, Any] | None = None,
    *,
    kernel_params: Mapping[str, Any] | None = None,
    bound: float | None = None,
    plan: Plan | None = None,
    fail_on: Collection[str] = DECIDED,
    expected: Collection[str] = (),
) -> Conformance:
    """Assert that a feature map conforms with what theorems on random features need; the conformance, for more assertions.

    The arguments are those of `boundcheck.conform.conformance`: a class, its kernel, parameters of the constructor.
    `fail_on` are outcomes that fail, of "refuted", "inconclusive", "vacuous"; `expected` are items of the contract that are
    known to fail, say "data-independent" for a map that takes its features from the data, and must then fail.

        def test_my_features_conform():
            assert_conforms(MyFeatures, "gaussian", params={"gamma": 0.5})

    Raises AssertionError with the table of verdicts, MapError if the map cannot be examined, ValueError for an unknown
    outcome or item.
    """
    result = conformance(cls, kernel, params, kernel_params=kernel_params, bound=bound, plan=plan)
    failing = {item.name for item in result.found([Outcome[name.upper()] for name in _known(fail_on, [o.name.lower() for o in Outcome])])}
    wanted = set(_known(expected, [item.name for item in result.items]))
    if failing != wanted:
        raise AssertionError(_message(result, sorted(failing - wanted), sorted(wanted - failing)))
    return result


def _known(names: Collection[str], choices: list[str]) -> Collection[str]:
    for name in names:
        if name not in choices:
            raise ValueError(f"{name!r} is none of {', '.join(choices)}; write one of them.")
    return names


def _message(result: Conformance, failing: list[str], passing: list[str]) -> str:
    said = [f"{result.map} does not conform in {', '.join(failing)}"] if failing else []
    said += [f"expected to fail: {', '.join(passing)}"] if passing else []
    return "\n".join(["; ".join(said), *(f"{item.outcome.name:13}{item.name:17}{item.reason}" for item in result.items)])
