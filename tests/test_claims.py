"""Claims: their ids, provenance and parameters, and what a wrong declaration is told."""

import sys
from pathlib import Path
from typing import Any

import pytest

from boundcheck import Count, Paper, Unit, Vector, at_most, setting, theorem
from boundcheck.words.claims import Claim, NotAClaim
from boundcheck.words.loading import CannotLoad, load_claims, select

paper = Paper("doe2020", "On nothing")


@theorem("Folklore")
def small(x: Unit, n: Count):
    """A product is small.

    Only this line is a remark.
    """
    return at_most(x / n, 1)


@paper.lemma(3, section="Appendix A")
def third(v: Vector("n")):  # type: ignore[valid-type]
    return at_most(0, v @ v)


@paper.step("eq7", step_of="lemma3")
def seventh(x: Unit):
    return at_most(x, 1)


@paper.theorem(1, repairs="lemma3", step_of=("eq7", "doe2020.lemma2"))
def repaired(x: Unit):
    return at_most(x, 1)


@setting
class Pair:
    """Two numbers."""

    low: Unit
    high: Unit


def test_ids_and_sources():
    assert (small.id, small.source, small.kind) == ("test_claims.small", "Folklore", "theorem")
    assert (third.id, third.source, third.kind) == ("doe2020.lemma3", "doe2020, lemma 3 (Appendix A)", "lemma")
    assert (seventh.id, seventh.step_of) == ("doe2020.eq7", ("doe2020.lemma3",))
    assert repaired.repairs == "doe2020.lemma3"
    assert repaired.step_of == ("doe2020.eq7", "doe2020.lemma2")


def test_a_claim_is_its_body():
    assert small.summary == "A product is small."
    assert third.summary == "doe2020.lemma3"
    assert list(small.parameters) == ["x", "n"]
    assert small(x=0.5, n=2).lhs == 0.25
    assert "return at_most(x / n, 1)" in small.statement
    assert small.location.startswith("tests/test_claims.py:")
    assert Path(small.file) == Path(__file__).resolve()


def test_the_fingerprint_follows_the_text(tmp_path):
    def written(text: str) -> str:
        path = tmp_path / f"f{abs(hash(text))}.py"
        path.write_text(f"from boundcheck import Unit, at_most, theorem\n\n@theorem('s')\ndef f(x: Unit):\n    return {text}\n")
        return load_claims(path)[0].fingerprint

    assert written("at_most(x, 1)") == written("at_most(x, 1)")
    assert written("at_most(x, 1)") != written("at_most(x, 2)")


def test_a_setting_is_one_parameter():
    @theorem("s")
    def ordered(case: Pair):
        return at_most(case.low, case.high)

    assert ordered.parameters["case"].label == "Pair"
    raw = {"low": 0.25, "high": 0.5}
    assert ordered(case=ordered.parameters["case"].build(raw)).rhs == 0.5


def unannotated(x):
    return at_most(x, 1)


def plain_type(x: float):
    return at_most(x, 1)


def unknown_name(x: "Nowhere"):  # type: ignore[name-defined] # noqa: F821
    return at_most(x, 1)


@pytest.mark.parametrize("body", [unannotated, plain_type])
def test_parameters_need_domains(body):
    with pytest.raises(NotAClaim, match=f"{body.__name__}: annotate the parameter 'x' with a domain"):
        theorem("s")(body)


def test_annotations_need_to_be_known():
    with pytest.raises(NotAClaim, match=r"an annotation cannot be read .*Nowhere"):
        theorem("s")(unknown_name)


def test_a_theorem_needs_a_source():
    with pytest.raises(NotAClaim, match="Write where the theorem comes from"):
        theorem(plain_type)  # type: ignore[arg-type]


def test_fields_of_a_setting_need_domains():
    with pytest.raises(TypeError, match="Wrong: annotate the field 'x'"):

        @setting
        class Wrong:
            x: float


HEADER = "from boundcheck import Paper, Unit, at_most, theorem\n\n"
CLAIM = "@theorem('s')\ndef {name}(x: Unit):\n    return at_most(x, 1)\n\n"


def test_claims_are_loaded_in_the_order_of_their_ids(tmp_path):
    (tmp_path / "one.py").write_text(HEADER + CLAIM.format(name="b") + CLAIM.format(name="a"))
    (tmp_path / "two.py").write_text(HEADER + CLAIM.format(name="c"))
    (tmp_path / "_private.py").write_text("raise RuntimeError\n")
    assert [c.id for c in load_claims(tmp_path)] == ["one.a", "one.b", "two.c"]
    assert [c.id for c in load_claims(tmp_path / "two.py", tmp_path / "one.py")] == ["one.a", "one.b", "two.c"]


def test_a_file_states_only_its_own_claims(tmp_path, monkeypatch):
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "inner.py").write_text(HEADER + CLAIM.format(name="inside"))
    (package / "outer.py").write_text(HEADER + "from pkg.inner import inside\n" + CLAIM.format(name="outside"))
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert [c.id for c in load_claims(package / "outer.py")] == ["outer.outside"]


def test_a_module_of_the_same_name_elsewhere_is_never_judged_in_its_place(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    for folder, bound in (("a", "1"), ("b", "2")):
        package = tmp_path / folder / "twofold"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("")
        (package / "claims.py").write_text(HEADER + CLAIM.format(name="f").replace("1)", f"{bound})"))
    assert "at_most(x, 1)" in load_claims(tmp_path / "a" / "twofold" / "claims.py")[0].statement
    with pytest.raises(CannotLoad, match=r"is called twofold\.claims, and so is"):
        load_claims(tmp_path / "b" / "twofold" / "claims.py")


def test_two_claims_of_one_name_clash(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.py").write_text(HEADER + "\n" * (folder == "b") + CLAIM.format(name="f"))
    with pytest.raises(CannotLoad, match=r"Two claims are called same\.f"):
        load_claims(tmp_path / "a" / "same.py", tmp_path / "b" / "same.py")


def chosen(*wanted: str) -> list[str]:
    return [c.id for c in select([small, third, seventh, repaired], wanted)]


def test_claims_are_selected_by_id_paper_or_label():
    assert chosen("doe2020.lemma3") == ["doe2020.lemma3"]
    assert chosen("doe2020") == ["doe2020.eq7", "doe2020.lemma3", "doe2020.theorem1"]
    assert chosen("eq7") == ["doe2020.eq7"]
    assert chosen("small", "small") == ["test_claims.small"]
    with pytest.raises(CannotLoad, match=r"no claim 'doe2020.lemma4' \(did you mean doe2020.lemma3\?\)"):
        chosen("doe2020.lemma4")
    with pytest.raises(CannotLoad, match="no claim 'xyz';"):
        chosen("small", "xyz")


def test_claims_can_be_keys():
    again: Any = {small: 1, third: 2}
    assert again[small] == 1
    assert isinstance(small, Claim)
