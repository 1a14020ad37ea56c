"""Theory is written in a small language: what its claims call while a tape records is in the tables of language.py."""

import pytest

from boundcheck.checking.certificate import NotFinite, NotTraceable, Runs
from boundcheck.domains.instances import draw_instances
from boundcheck.tape import reading
from boundcheck.tape.language import outside
from boundcheck.words.hypotheses import AS_PRINTED
from boundcheck.words.loading import load_claims

PAPERS = ("li2021", "liu2020", "yashima2021", "wang2019", "ma2025")


@pytest.fixture
def found(monkeypatch):
    """What the functions that a tape records say that is not in the language."""
    sentences, made = set(), reading._Reader._made

    def noted(self, function):
        twin = made(self, function)
        if not function.__module__.startswith("theory."):
            return twin

        def called(*args, **kwargs):
            sentences.add(outside(function, self.is_text))
            return twin(*args, **kwargs)

        return called

    monkeypatch.setattr(reading._Reader, "_made", noted)
    return sentences


@pytest.mark.parametrize("paper", PAPERS)
def test_claims_say_what_is_in_the_language(paper, found):
    for claim in load_claims(f"theory/{paper}")[::5]:
        (raw,) = draw_instances(claim.parameters, 1, 0)
        try:
            Runs(claim, AS_PRINTED).trace(raw, 0)
        except (NotTraceable, NotFinite):
            continue
    assert found - {None} == set()
