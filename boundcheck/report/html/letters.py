"""Names of a program as the letters of a formula, and the small pieces of MathML."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eps": "ε", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ", "kappa": "κ",
    "lam": "λ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "chi": "χ",
    "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
    "infinity": "∞", "inf": "∞",
}  # fmt: skip
ACCENTS = {"tilde": "~", "hat": "^", "bar": "¯"}
SUBSCRIPTS = {"star": "*", "prime": "′", "dagger": "†"}


def element(tag: str, *children: Markup | str) -> Markup:
    """One element; texts among the children are escaped."""
    return Markup(f"<{tag}>") + Markup("").join(children) + Markup(f"</{tag}>")


def row(*children: Markup | str) -> Markup:
    return element("mrow", *children)


def sign(text: str) -> Markup:
    return element("mo", escape(text))


def words(text: str) -> Markup:
    return element("mtext", escape(text))


def number(value: object) -> Markup:
    return element("mn", escape(value))


def fenced(inner: Markup, left: str = "(", right: str = ")") -> Markup:
    return row(sign(left), inner, sign(right))


def raised(base: Markup, exponent: Markup) -> Markup:
    return element("msup", base, exponent)


def letter(name: str) -> Markup:
    """`lam` is λ, `d_eff` is d with an index, `fhat` has a hat."""
    base, _, index = name.strip("_").partition("_")
    if index in ACCENTS:
        return element("mover", _plain(base), sign(ACCENTS[index]))
    if index and len(base) > 2 and base not in GREEK:
        return element("mi", escape(name.strip("_").replace("_", "\u2009")))
    for accent, mark in ACCENTS.items():
        if base.endswith(accent) and 1 <= len(base) - len(accent) <= 2:
            return _indexed(element("mover", _plain(base.removesuffix(accent)), sign(mark)), index)
    split = re.fullmatch(r"([A-Za-z]|" + "|".join(GREEK) + r")([0-9]+)", base)
    if split and not index:
        base, index = split.groups()
    return _indexed(_plain(base), index)


def _plain(name: str) -> Markup:
    return element("mi", escape(GREEK.get(name, name)))


def _indexed(base: Markup, index: str) -> Markup:
    if not index:
        return base
    inner = number(index) if index.isdigit() else element("mi", escape(SUBSCRIPTS.get(index, GREEK.get(index, index.replace("_", ", ")))))
    return element("msub", base, inner)
