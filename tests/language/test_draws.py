"""Each draw of the table, with all of its arguments: what is enumerated has the mean and the second moment that NumPy draws."""

import ast
from pathlib import Path

import numpy as np
import pytest

from boundcheck.checking.certificate import unread
from boundcheck.checking.observe import observe
from boundcheck.tape.table import OF_DRAWS
from boundcheck.words.claims import Claim
from boundcheck.words.loading import load_claims

from .programs import recipes
from .recipes import DRAWS

TRIALS, DEVIATIONS = 40_000, 6
FINITE = {"binomial", "choice", "hypergeometric", "integers", "multinomial", "multivariate_hypergeometric", "permuted"}
SMOOTH = {"exponential", "normal", "random", "standard_exponential", "standard_normal", "uniform"}
GIVEN = {"{s}": "1.5", "{p}": "0.75", "{h}": "0.3", "{k}": "2"}
HEAD = '''"""A claim for each draw."""

import numpy as np

from boundcheck import E, Real, equal, quantity, theorem
'''
CLAIM = '''

@theorem("draws")
def draw{k}(t: Real):
    """Its mean, each entry with a weight of its own, and its second moment."""
    x = quantity(lambda rng, size: rng.{name}({arguments}))
    score = x @ np.arange(1, 1 + {entries}) if {entries} else x
    return equal(E(score), t), equal(E(score**2), t)
'''


def _drawn() -> list[tuple[str, str]]:
    """The names and arguments of all draws that have an entry for each trial."""
    lines = recipes(DRAWS)
    for token, number in GIVEN.items():
        lines = [(name, text.replace(token, number)) for name, text in lines]
    return lines


DRAWN = _drawn()


def _draw(name: str, text: str, size: int) -> np.ndarray:
    """What NumPy draws."""
    return np.asarray(eval(f"rng.{name}({text})", {"rng": np.random.default_rng(7), "np": np, "size": size}))


def test_each_argument_of_a_draw_is_asked():
    asked: dict[str, set[str | None]] = {}
    for name, text in DRAWN:
        call = ast.parse(f"f({text})", mode="eval").body
        assert isinstance(call, ast.Call)
        asked.setdefault(name, set()).update(word.arg for word in call.keywords)
    assert asked == {name: signature.names for name, signature in OF_DRAWS.items()}


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Claim]:
    texts = [HEAD]
    for k, (name, text) in enumerate(DRAWN):
        entries = 0 if name == "permutation" else _draw(name, text, 3).reshape(3, -1).shape[1] * (_draw(name, text, 3).ndim > 1)
        texts.append(CLAIM.format(k=k, name=name, arguments=text, entries=entries))
    file = Path(tmp_path_factory.mktemp("draws")) / "draws.py"
    file.write_text("".join(texts), encoding="utf-8")
    return {claim.id: claim for claim in load_claims(file)}


@pytest.mark.parametrize("k", range(len(DRAWN)), ids=[name for name, _ in DRAWN])
def test_moments_are_those_that_numpy_draws(k: int, claims: dict[str, Claim]):
    (name, text), claim = DRAWN[k], claims[f"draws.draw{k}"]
    assert unread(claim, {"t": 0.0}) is None
    if name == "permutation":
        return
    seen = observe(claim, {"t": 0.0})
    assert isinstance(seen, list)
    assert all(o.pending is None for o in seen) == (name in FINITE | SMOOTH)
    if seen[0].pending is None:
        drawn = _draw(name, text, TRIALS)
        score = drawn @ np.arange(1, 1 + drawn.shape[1]) if drawn.ndim > 1 else drawn
        for o, values in zip(seen, (score, score**2), strict=True):
            assert abs(o.lhs - values.mean()) <= DEVIATIONS * values.std() / TRIALS**0.5
