"""The graph of claims, and what changed between reports."""

from dataclasses import replace
from typing import Any

from boundcheck.report.document import Document
from boundcheck.report.html import Graph, Node, changes, graph, page

from .reports import claim, whole
from .test_html import Elements


def of(*claims: dict[str, Any]) -> Graph:
    report = Document.of_json({**whole(), "claims": list(claims)})
    return graph(report, report.rows)


def told(node: Node) -> str:
    """`name` with its marks, and in brackets what is below."""
    marks = ("!" if node.first else "") + ("~" if node.repair else "") + ("*" if node.again else "")
    return node.name + marks + (f"({' '.join(map(told, node.below))})" if node.below else "")


def test_steps_stand_below_their_theorem_and_repairs_behind_what_they_repair(report):
    report = Document.of_json(report)
    found = graph(report, report.rows)
    assert [told(tree) for tree in found.trees] == ["lemma1(step1 step2! step3 repaired~)"]
    assert found.alone == 2


def test_a_repaired_step_stands_beside_the_printed_one_and_a_shared_step_leads_on_once():
    found = of(
        claim("a.t1", "REFUTED", 1), claim("a.t2", "HOLDS", 2), claim("a.s", "REFUTED", 3, step_of=["a.t1", "a.t2"]),
        claim("a.s.repaired", "HOLDS", 4, step_of=["a.t1"], repairs=["a.s"]), claim("a.alone", "HOLDS", 5),
    )  # fmt: skip
    assert [told(tree) for tree in found.trees] == ["t1(s!(repaired~))", "t2(s!*)"]
    assert found.alone == 1


def test_a_proof_that_fails_is_told_whether_its_theorem_is_refuted_or_holds():
    claims = [
        claim("a.t1", "HOLDS", 1), claim("a.t2", "HOLDS", 2), claim("a.s", "REFUTED", 3, step_of=["a.t1"]),
        claim("a.u", "HOLDS", 4, step_of=["a.t1", "a.t2"]),
    ]  # fmt: skip
    proofs = Document.of_json({**whole(), "claims": claims}).proofs
    assert {id: proof.first and proof.first.id for id, proof in proofs.items()} == {"a.t1": "a.s"}


def test_what_fails_comes_first_and_proofs_before_mere_repairs():
    found = of(
        claim("a.fine", "HOLDS", 1), claim("a.fine1", "HOLDS", 2, step_of=["a.fine"]), claim("a.pair", "REFUTED", 3),
        claim("a.pair.repaired", "HOLDS", 4, repairs=["a.pair"]), claim("a.proof", "REFUTED", 5),
        claim("a.q", "HOLDS", 6, step_of=["a.proof"]),
    )  # fmt: skip
    assert [tree.name for tree in found.trees] == ["proof", "pair", "fine"]


def test_circles_and_long_chains_end():
    circle = of(claim("a.x", "HOLDS", 1, step_of=["a.y"]), claim("a.y", "HOLDS", 2, step_of=["a.x"]))
    assert [told(tree) for tree in circle.trees] == ["x(y(x*))"]
    chain = [claim("a.c0", "HOLDS", 1), *(claim(f"a.c{k}", "HOLDS", k, step_of=[f"a.c{k - 1}"]) for k in range(1, 60))]
    names = [name for tree in of(*chain).trees for name in told(tree).replace("(", " ").replace(")", "").split()]
    assert {name.strip("*") for name in names} == {f"c{k}" for k in range(60)}


def test_the_page_has_each_claim_of_the_graph_as_a_link_in_a_list(report):
    elements = Elements(page(Document.of_json(report)))
    nodes = elements.of_class("node")
    names = [f"doe2020.{name}" for name in ("lemma1", "step1", "step2", "step3", "lemma1.repaired")]
    assert [(n["href"], n["id"]) for n in nodes] == [(f"#{name}", f"at-{name}") for name in names]
    assert elements.texts.count("fails first") == 2  # at the step, and where it is explained


def test_what_changed_between_reports_the_worst_first():
    old, new = whole(), whole()
    now = {r["id"]: r for r in new["claims"]}
    now["doe2020.step1"].update(outcome="REFUTED", tightness=None)
    now["doe2020.step3"].update(tightness=0.9)
    now["doe2020.lemma1.repaired"].update(fingerprint="f" * 16, tightness=0.3)
    old["claims"] = [{**r, "outcome": "REFUTED", "tightness": None} if r["id"] == "mine.open" else r for r in old["claims"]]
    new["claims"] = [r for r in new["claims"] if r["id"] != "mine.void"] + [claim("mine.young", "HOLDS", 30)]
    report = replace(Document.of_json(new), earlier=(("old.json", Document.of_json(old)),))
    found = [change["id"] for change in changes(report)]
    assert found == ["doe2020.step1", "mine.void", "doe2020.step3", "mine.open", "mine.young"]
    elements = Elements(page(report))
    assert elements.open == []
    shown = "".join(elements.texts)
    assert shown.count("old.json") == 1 + 5  # the table, and each claim that is not as it was
    assert "not there" in shown
    assert "1 claim has another text" in shown


def test_without_a_change_the_page_says_so(report):
    same = Document.of_json(report)
    assert changes(replace(same, earlier=(("a", same), ("b", same)))) == []
    assert "No verdict: the same claims" in page(replace(same, earlier=(("a", same),)))
    assert "What changed" not in page(same)


def test_a_page_of_a_few_claims_has_no_cards_and_no_columns(report):
    assert not Elements(page(Document.of_json(report))).of_class("chip")
    many = [claim(f"a.c{k}", "HOLDS", k) for k in range(40)]
    assert len(Elements(page(Document.of_json({**report, "claims": many}))).of_class("chip")) == 80
