"""A session: its options, each --boundcheck-NAME or boundcheck_NAME of the ini file, and its summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from boundcheck.words.claims import Claim


@dataclass(frozen=True)
class Option:
    """A text with a default; it `takes` what `kind` makes of it without a ValueError, if that `fits`."""

    default: str
    takes: str
    help: str
    kind: Callable[[str], Any] = str
    fits: Callable[[Any], bool] = lambda value: True


BUDGETS, OPEN, YES = ("quick", "ci", "nightly"), ("skip", "fail"), ("no", "yes")
OPTIONS = {
    "budget": Option(
        "quick",
        "quick, ci or nightly",
        "How much to spend: quick, ci or nightly.",
        fits=BUDGETS.__contains__,
    ),
    "alpha": Option(
        "1e-6",
        "a number in (0, 1/2]",
        "Chance that the run calls any true claim false.",
        float,
        lambda alpha: 0 < alpha <= 0.5,
    ),
    "seed": Option(
        "0",
        "a whole number from 0 on",
        "Entropy of the whole run.",
        int,
        lambda seed: seed >= 0,
    ),
    "inconclusive": Option(
        "skip",
        "skip or fail",
        "What a claim does that stays open: skip or fail.",
        fits=OPEN.__contains__,
    ),
    "baseline": Option(
        "",
        "a file",
        "A committed report: what it calls REFUTED is expected to be refuted.",
    ),
    "prove": Option(
        "no",
        "no or yes",
        "Ask for proofs of what holds: no or yes.",
        fits=YES.__contains__,
    ),
    "reports": Option(
        "", "a folder", "Write certificates of refutations to this folder."
    ),
}


@dataclass(frozen=True)
class Settings:
    """The options of a session."""

    budget: str
    alpha: float
    seed: int
    inconclusive: str
    prove: str
    baseline: Path | None
    reports: Path | None

    @property
    def spelled(self) -> str:
        """The options that decide a verdict."""
        named = {
            "budget": self.budget,
            "seed": self.seed,
            "alpha": f"{self.alpha:g}",
        }
        return " ".join(
            f"--boundcheck-{name} {value}" for name, value in named.items()
        )


@dataclass
class Found:
    """The claims of all files, which share the error whatever -k selects; what the baseline expects."""

    claims: dict[str, Claim] = field(default_factory=dict)
    expected: dict[str, str] | None = None


SETTINGS, FOUND = pytest.StashKey[Settings](), pytest.StashKey[Found]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("boundcheck", "theorems verified numerically")
    for name, option in OPTIONS.items():
        help = f"{option.help} [default: {option.default or 'none'}]"
        group.addoption(f"--boundcheck-{name}", metavar=name.upper(), help=help)
        parser.addini(f"boundcheck_{name}", option.help, default=option.default)
    paths = "Files, and folders of files, that state claims, whatever they are called."
    parser.addini("boundcheck_paths", paths, type="paths", default=[])


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "boundcheck: a claim that boundcheck judges."
    )
    values = {name: _value(config, name) for name in OPTIONS}
    paths = {name: _path(config, name) for name in ("baseline", "reports")}
    config.stash[SETTINGS] = Settings(**{**values, **paths})
    config.stash[FOUND] = Found()


def _value(config: pytest.Config, name: str) -> Any:
    """The value of an option. Raises UsageError."""
    (text, given), option = _text(config, name), OPTIONS[name]
    try:
        if option.fits(value := option.kind(text)):
            return value
        raise ValueError
    except ValueError:
        where = (
            f"--boundcheck-{name}"
            if given
            else f"boundcheck_{name} of the ini file"
        )
        raise pytest.UsageError(
            f"{where} takes {option.takes}, not '{text}'."
        ) from None


def _text(config: pytest.Config, name: str) -> tuple[str, bool]:
    """The text of an option, and whether the command line gives it."""
    given = config.getoption(f"boundcheck_{name}")
    return (
        (given, True)
        if given is not None
        else (str(config.getini(f"boundcheck_{name}")), False)
    )


def _path(config: pytest.Config, name: str) -> Path | None:
    """Paths of the command line are relative to where pytest was called, those of ini files to the root."""
    text, given = _text(config, name)
    return (
        (config.invocation_params.dir if given else config.rootpath) / text
        if text
        else None
    )


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    judged = _verdicts(terminalreporter.stats)
    if not judged:
        return
    settings = config.stash[SETTINGS]
    terminalreporter.section("boundcheck")
    terminalreporter.line(_counts(judged))
    terminalreporter.line(
        f"budget {settings.budget}, seed {settings.seed};"
        f" the claims of all files collected share {settings.alpha:g} of false refutations"
    )
    if settings.baseline is not None and not settings.baseline.exists():
        terminalreporter.line(
            f"There is no baseline {settings.baseline}: no refutation was expected."
        )


def _verdicts(stats: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """The properties of each claim that got a verdict."""
    reports = (
        r
        for listed in stats.values()
        for r in listed
        if isinstance(r, pytest.TestReport)
    )
    properties = {
        r.nodeid: dict(r.user_properties) for r in reports if r.when == "call"
    }
    return [p for p in properties.values() if "boundcheck_outcome" in p]


def _counts(judged: list[dict[str, Any]]) -> str:
    counts = Counter(p["boundcheck_outcome"] for p in judged)
    expected = sum(
        p["boundcheck_outcome"] == p.get("boundcheck_expected") for p in judged
    )
    notes = {"REFUTED": f" ({expected} expected)"} if expected else {}
    said = ", ".join(
        f"{counts[name]} {name}{notes.get(name, '')}" for name in sorted(counts)
    )
    return f"{len(judged)} claim{'s' * (len(judged) != 1)}: {said}"
