"""The results as lines for the terminal and as one Markdown page."""

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.limits import LIMITS

Result = dict[str, Any]


def line(r: Result) -> str:
    best, plain = (f"{mark(r, kind)}{r[kind] or float('nan'):6.1f} of {r['target'][kind]:g}" for kind in ("best", "plain"))
    peers = ", ".join(f"{name} {ratio:.1f}" for name, (ratio, *_) in r["ratios"].items())
    return f"{r['key']:22} {milliseconds(r['seconds']['boundcheck']):>10}  best {best}  plain {plain}  ({peers})"


def mark(r: Result, kind: str) -> str:
    return " " if r[kind] is None else "+" if r[kind] >= r["target"][kind] else "-"


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms"


def growth(parts: list[Result]) -> str:
    return "\n".join(
        f"{p['what']:44} ~ {p['variable']}^{p['exponent']:.2f} (theory {p['theory']:g}), largest {p['variable']} = {p['sizes'][-1]}: "
        f"{milliseconds(p['seconds'][-1])}, {p['megabytes'][-1]:.0f} MB"
        for p in parts
    )


def facts(found: dict[str, Result]) -> str:
    return "\n".join(f"{name:54} {fact['value']:.2f} {fact['unit']} (at most {fact['limit']:g})" for name, fact in found.items())


KINDS = {"best": "", "plain": " against NumPy, SciPy and scikit-learn"}
PARTS: dict[str, Callable[[Any], str]] = {"growth": growth, "scaling": facts, "startup": facts}


def markdown(results: Result) -> str:
    return "\n".join(_page(results)) + "\n"


def _page(results: Result) -> Iterator[str]:
    machine = results["machine"]
    packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items() if version)
    yield "# Benchmarks\n"
    yield f"`python -m benchmarks` on {machine['processor']}, {machine['cores']} cores, load {machine['load']:.1f}; {packages}.\n"
    if results["ratios"]:
        yield from _ratios(results["ratios"])
    if "growth" in results:
        yield from _growth(results["growth"])
    if "scaling" in results:
        yield from _facts("Grids, workers and threads", results["scaling"])
    if "startup" in results:
        yield from _facts("Start-up and threads inside workers", results["startup"])
    yield from _missed(results)


def _ratios(ratios: list[Result]) -> Iterator[str]:
    yield "Ratios of CPU time, peer over boundcheck: medians over interleaved rounds, one thread each, with quartiles. The goal is"
    yield "for the fastest peer, and in parentheses for the fastest of NumPy, SciPy and scikit-learn.\n"
    yield "| task | size | boundcheck | fastest peer | goal | peers |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for r in ratios:
        peers = ", ".join(f"{name} {m:.1f} ({low:.1f} to {high:.1f})" for name, (m, low, high) in r["ratios"].items())
        plain = "" if r["plain"] is None else f" ({r['plain']:.1f})"
        best = "" if r["best"] is None else f"{r['best']:.1f}{plain}"
        goal = f"{r['target']['best']:g} ({r['target']['plain']:g})"
        yield f"| {r['task']} | {r['size']} | {milliseconds(r['seconds']['boundcheck'])} | {best} | {goal} | {peers} |"


def _growth(parts: list[Result]) -> Iterator[str]:
    yield "\n## Growth\n"
    yield "CPU time and peak memory, with the exponent fitted on the larger half of the sizes.\n"
    yield "| what | exponent | theory | sizes | CPU time | peak memory |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for p in parts:
        sizes, times = ", ".join(map(str, p["sizes"])), ", ".join(map(milliseconds, p["seconds"]))
        memory = ", ".join(f"{mb:.0f}" for mb in p["megabytes"])
        yield f"| {p['what']} | {p['exponent']:.2f} | {p['theory']:g} | {p['variable']} = {sizes} | {times} | {memory} MB |"


def _facts(title: str, facts: dict[str, Result]) -> Iterator[str]:
    yield f"\n## {title}\n"
    yield "| what | measured | goal |"
    yield "| --- | --- | --- |"
    for name, fact in facts.items():
        yield f"| {name} | {fact['value']:.2f} {fact['unit']} | at most {fact['limit']:g} |"


def _missed(results: Result) -> Iterator[str]:
    """What misses its goal, by how much, and why."""
    yield "\n## Goals missed\n"
    for r in results["ratios"]:
        found = [f"{r[kind]:.1f} of {r['target'][kind]:g}{where}" for kind, where in KINDS.items() if mark(r, kind) == "-"]
        if found:
            yield f"- {r['task']}: {', '.join(found)}. {LIMITS.get(r['key'], '')}"
    for name, fact in {**results.get("scaling", {}), **results.get("startup", {})}.items():
        if fact["value"] > fact["limit"]:
            yield f"- {name}: {fact['value']:.2f} {fact['unit']}, at most {fact['limit']:g}. {LIMITS.get(name, '')}"
