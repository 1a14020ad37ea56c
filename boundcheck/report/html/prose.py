"""Prose with mathematics in plain characters, `|x|^2 <= 2 lam`, typeset where it is certain what is meant.

Every sign keeps its place: a slash stays a slash and a bracket a bracket, so that nothing is read into a text
that it does not say. Names become letters, `^` and `_` exponents and indices, `<=` one sign, `sqrt(...)` a
root.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from markupsafe import Markup

from boundcheck.report.html.formulas import (
    GREEK,
    MINUS,
    THIN,
    element,
    gathered,
    juxtaposed,
    letter,
    number,
    operator,
    row,
)

TOKEN = re.compile(r"""
    (?P<code>`+)(?P<inside>[^`]+)(?P=code)
  | (?P<space>\s+)
  | (?P<word>[A-Za-z]\w*(?:\.\w[\w-]*)+\.? | [A-Za-z]+'[a-z]+ | \d+(?:\.\d+){2,} | \d{3,}[A-Za-z]\w* | \d+[A-Za-z]{2,}\w*)
  | (?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)
  | (?P<name>[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*)
  | (?P<sign><=|>=|!=|->|\.\.\.|\|\||[-+*/=<>^_|(){}\[\],'.⟨⟩])
  | (?P<other>.)
""", re.VERBOSE | re.DOTALL)  # fmt: skip
INNER_PRODUCT = re.compile(r"<(?=[^\s<>=])([^<>]*,[^<>]*[^\s<>=])>(?!=)")

SIGNS = {
    "<=": "≤",
    ">=": "≥",
    "!=": "≠",
    "->": "→",
    "...": "…",
    "||": "‖",
    "-": "−",
    "*": "·",
    ".": "·",
}
LONG = 30
BREAKING = {"=", "<=", ">=", "<", ">", "!=", "->", "+", "-"}
FUNCTIONS = set("log exp sin cos tan sqrt Tr tr det sup arg argmin argmax erf".split())
APPLIED = FUNCTIONS | set("max min rank dim sign diag floor inf".split())
"""Names of functions; those that are English words too only before a bracket or an index."""

BIG = {"sum": "∑", "prod": "∏", "int": "∫"}
ENGLISH = {"that", "what", "chat", "That", "What", "Chat"}
LABELLED = re.compile(
    r"(Appendix|Assumption|Algorithm|Case|Chapter|Condition|Figure|Lemma|Part|Section|Table|Theorem)s?$"
)
OPENING, CLOSING = "([{⟨", ")]}⟩"
FOLLOWING = set(
    "and or is are has in of at on to by as for with over from where".split()
)
"""Words that follow a letter, and never the article."""

TWO_LETTERS = set(
    "am an as at be by do go he if in is it me my no of on or so to up us we".split()
)


@dataclass(frozen=True)
class Token:
    """A piece of the text; `math` says whether it may stand in a formula, `sure` that it does so alone."""

    kind: str
    text: str
    math: bool = False
    sure: bool = False


def character_data(text: str) -> Markup:
    """The text as it stands between elements, where quotes need no escape."""
    return Markup(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


@lru_cache(4096)
def prose_html(text: str) -> Markup:
    """The text as HTML with its formulas as MathML; what stands in backticks is code."""
    tokens = _judged(_tokens(INNER_PRODUCT.sub(r"⟨\1⟩", text)))
    shown, k = [], 0
    while k < len(tokens):
        end = _end(tokens, k)
        if end > k:
            pieces = _pieces(tokens[k:end])
            if end < len(tokens) and tokens[end].text in (",", ".", ";", ":"):
                mark = element(
                    "mi", tokens[end].text
                )  # else a line could begin with it
                pieces[-1] = juxtaposed([pieces[-1], mark])
                end += 1
            shown += [element("math", piece) for piece in gathered(pieces)]
        else:
            end = k + 1
            shown.append(_plain(tokens[k]))
        k = end
    return Markup("").join(shown)


def _tokens(text: str) -> list[Token]:
    found = []
    for match in TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        if match["code"]:
            kind = "code"
        found.append(Token(kind, match["inside"] if kind == "code" else match[0]))
    return found


def _plain(token: Token) -> Markup:
    if token.kind == "code":
        return element("code", character_data(token.text))
    return character_data({"⟨": "<", "⟩": ">"}.get(token.text, token.text))


def _judged(tokens: list[Token]) -> list[Token]:
    """The tokens with what is known of each by itself, and then with what their neighbours tell."""
    for judge in (_alone, _by_neighbours):
        padded = [Token("start", ""), *tokens, Token("end", "")]
        tokens = [judge(padded, k) for k in range(1, len(padded) - 1)]
    return tokens


def _alone(tokens: list[Token], k: int) -> Token:
    before, token, after = tokens[k - 1 : k + 2]
    text = token.text
    if token.kind == "number":
        return Token(
            "number", text, after.text != "-", after.text == "^"
        )  # in `2-norm` a part of a word
    if token.kind == "name":
        sure = _is_name(text, after) and not _is_label(tokens, k)
        return Token("name", text, sure, sure)
    if token.kind == "sign":
        return Token("sign", text, _is_sign(before, text, after))
    return Token(token.kind, text, token.kind == "space")


def _is_name(text: str, after: Token) -> bool:
    base = text.partition("_")[0]
    if text in BIG or base in BIG:
        return "_" in text or after.text == "_" or text == "int"
    if text in APPLIED or base in APPLIED:
        return (
            after.text in ("(", "_", "^")
            or "_" in text
            or (text in FUNCTIONS and after.kind == "space")
        )
    if text in ENGLISH or text in ("a", "A", "I"):
        return False
    accented = re.fullmatch(r"([A-Za-z]|" + "|".join(GREEK) + r")(tilde|hat|bar)", base)
    return bool(base in GREEK or accented or re.fullmatch(r"[A-Za-z]\d{0,2}", base))


def _is_label(tokens: list[Token], k: int) -> bool:
    """Whether a letter is the name of a part of the paper: `Assumption B`."""
    return (
        len(tokens[k].text) == 1 and k > 1 and bool(LABELLED.match(tokens[k - 2].text))
    )


def _is_sign(before: Token, text: str, after: Token) -> bool:
    if text == "-":
        return _is_minus(before, after)
    if text == "'":
        return before.kind == "name" and after.kind not in ("name", "word")
    apart = before.kind in ("space", "start"), after.kind in ("space", "end")
    if text == ".":
        return (apart[0] or before.text in OPENING) and (
            apart[1] or after.text in (*CLOSING, ",")
        )
    return text != "_" or not any(apart)


def _is_minus(before: Token, after: Token) -> bool:
    """A minus stands apart, or between what is short: `n - 1`, `n-1`, and not `L-Lipschitz`."""
    if before.kind in ("space", "start") and after.kind in ("space", "end"):
        return True
    tight = before.kind in ("space", "start", "sign") or _is_short(before.text)
    return tight and after.kind in ("name", "number", "sign") and _is_short(after.text)


def _is_short(text: str) -> bool:
    return not re.match(r"[A-Za-z]{2}", text) or text.partition("_")[0] in GREEK


def _by_neighbours(tokens: list[Token], k: int) -> Token:
    """What only the neighbours tell: whether `a`, `A`, `I` are letters, and `Kt` beside a sign a name."""
    token = tokens[k]
    if token.kind != "name" or token.math:
        return token
    left, right = _neighbour(tokens, k, -1), _neighbour(tokens, k, 1)
    beside = _joins(left) or _joins(right)
    if token.text in BIG:
        beside = beside or (right.sure and "_" in right.text)
    elif token.text in ("a", "A"):
        closed = (
            right.kind in ("sign", "other", "end") and left.text + right.text != "()"
        )
        ends = right is tokens[k + 1] and closed
        factor = left is tokens[k - 1] and left.text == "(" and right.sure
        beside = (
            beside
            or ends
            or factor
            or right.text in FOLLOWING
            or token.text + left.text == "Aof"
        )
    elif token.text == "I":
        beside = beside or left.sure or (left.math and left.text in CLOSING)
    else:
        beside = (
            beside and len(token.text) == 2 and token.text.lower() not in TWO_LETTERS
        )
    is_letter = beside and not _is_label(tokens, k)
    return Token("name", token.text, is_letter, is_letter)


def _neighbour(tokens: list[Token], k: int, step: int) -> Token:
    k += step
    return tokens[k + step] if tokens[k].kind == "space" else tokens[k]


def _joins(token: Token) -> bool:
    """Whether a sign has letters on both of its sides."""
    apart = (*OPENING, *CLOSING, ",", "'", ".", "...")
    return token.math and token.kind == "sign" and token.text not in apart


def _end(tokens: list[Token], start: int) -> int:
    """Where the formula ends that begins here; `start` where none does."""
    k, depth = start, 0
    if tokens[k].kind == "space" or tokens[k].text in (
        *CLOSING,
        ",",
        ".",
        "^",
        "_",
        "-",
        "'",
    ):
        if not (
            tokens[k].text == "-"
            and tokens[k].math
            and k + 1 < len(tokens)
            and tokens[k + 1].sure
        ):
            return start
    while k < len(tokens):
        token = tokens[k]
        scripted = (
            k > start
            and tokens[k - 1].text in ("^", "_")
            and token.kind in ("name", "number", "sign")
        )
        if not (token.math or scripted) or (token.text == "," and not depth):
            break
        depth += (token.text in OPENING) - (token.text in CLOSING)
        if depth < 0:
            break
        k += 1
    while k > start and (
        tokens[k - 1].kind == "space" or tokens[k - 1].text in ("-", ",", ".", "^", "_")
    ):
        k -= 1
    balanced = _balanced(tokens[start:k])
    return (
        start + balanced
        if any(t.sure for t in tokens[start : start + balanced])
        else start
    )


def _balanced(tokens: list[Token]) -> int:
    """The length of the longest beginning whose brackets close."""
    depth, last = 0, 0
    for k, token in enumerate(tokens, 1):
        depth += (token.text in OPENING) - (token.text in CLOSING)
        last = k if depth == 0 else last
    while last and tokens[last - 1].kind == "space":
        last -= 1
    return last


def _pieces(tokens: list[Token]) -> list[Markup]:
    """A formula in pieces between which a line may break: before a relation, a plus or a minus.

    Where the formula is long it breaks inside of brackets and between factors, too, and never under a root or
    in an exponent.
    """
    starts, enclosed = [0], [False]
    for k, token in enumerate(tokens):
        if token.text in OPENING:
            enclosed.append(
                enclosed[-1]
                or len(tokens) < LONG
                or tokens[k - 1].text in ("sqrt", "^", "_")
            )
        if token.text in CLOSING:
            enclosed.pop()
        elif (
            k
            and not enclosed[-2 if token.text in OPENING else -1]
            and _breaks(tokens, k)
        ):
            starts.append(k)
    return [
        _piece(tokens[a:b], first=not a) for a, b in pairwise([*starts, len(tokens)])
    ]


def _piece(tokens: list[Token], first: bool) -> Markup:
    """A part of a formula; after another one it may begin with a sign between terms, or with a factor."""
    text = tokens[0].text
    if first or not (text in "+-" or _operand(tokens[0], OPENING)):
        return _formula(tokens)
    if text in "+-":
        return Markup(f'<mo form="infix">{SIGNS.get(text, text)}</mo>') + _formula(
            tokens[1:]
        )
    return THIN + _formula(tokens)


def _breaks(tokens: list[Token], k: int) -> bool:
    """Whether a line may break before a token."""
    before, space, token = tokens[max(k - 2, 0)], tokens[k - 1], tokens[k]
    factor = (
        len(tokens) >= LONG and _operand(before, CLOSING) and _operand(token, OPENING)
    )
    signed = token.text in BREAKING or (token.text == "/" and len(tokens) > 40)
    return space.kind == "space" and (signed or factor)


def _formula(tokens: list[Token]) -> Markup:
    """One formula, sign by sign; exponents and indices belong to what stands before them."""
    parts: list[Markup] = []
    k = 0
    while k < len(tokens):
        if tokens[k].kind == "space":
            inner = 0 < k < len(tokens) - 1
            if (
                inner
                and _operand(tokens[k - 1], CLOSING)
                and _operand(tokens[k + 1], OPENING)
            ):
                parts.append(THIN)
            k += 1
            continue
        if (
            tokens[k].text == "sqrt"
            and k + 1 < len(tokens)
            and tokens[k + 1].text == "("
        ):
            end = _closed(tokens, k + 1)
            base, k = element("msqrt", _formula(tokens[k + 2 : end - 1])), end
        else:
            base, k = _sign(tokens, k), k + 1
        part, k = _scripted(base, tokens, k)
        parts.append(part)
    return juxtaposed(parts)


def _scripted(base: Markup, tokens: list[Token], k: int) -> tuple[Markup, int]:
    """What stands at k and before with its primes, stars, exponents and indices, and where they end."""
    above: list[Markup] = []
    below: list[Markup] = []
    while k < len(tokens):
        if tokens[k].text == "'":
            above.append(operator("′"))
            k += 1
        elif (
            tokens[k].text == "*"
            and tokens[k - 1].kind == "name"
            and not _follows(tokens, k)
        ):
            above.append(operator("∗"))
            k += 1
        elif tokens[k].text in ("^", "_") and k + 1 < len(tokens):
            place = above if tokens[k].text == "^" else below
            script, k = _script(tokens, k + 1)
            place.append(script)
        else:
            break
    scripts = [
        row(*place) if len(place) > 1 else place[0] for place in (below, above) if place
    ]
    tag = "msubsup" if above and below else "msup" if above else "msub"
    return (element(tag, base, *scripts) if scripts else base), k


def _follows(tokens: list[Token], k: int) -> bool:
    """Whether an operand follows directly."""
    return k + 1 < len(tokens) and (
        tokens[k + 1].kind in ("name", "number") or tokens[k + 1].text == "("
    )


def _operand(token: Token, bracket: str) -> bool:
    return (
        token.kind in ("name", "number") or token.text == "||" or token.text in bracket
    )


def _script(tokens: list[Token], k: int) -> tuple[Markup, int]:
    """What is raised or lowered, and where it ends: a group, or a signed number or name, or -1/2."""
    if tokens[k].text in ("{", "("):
        end = _closed(tokens, k)
        inside = tokens[k + 1 : end - 1]
        shown = tokens[k:end] if tokens[k].text == "(" and len(inside) == 1 else inside
        return row(_formula(shown)), end
    start, k = k, k + (tokens[k].text in ("-", "+") and k + 1 < len(tokens)) + 1
    text = "".join(t.text for t in tokens[start:k])
    slash, below = (*(t.text for t in tokens[k : k + 2]), "", "")[:2]
    if (
        (text == "1" or re.fullmatch(r"-\d+", text))
        and slash == "/"
        and below.isdigit()
    ):
        k += 2
    found = {"T": operator("⊤"), "perp": operator("⊥"), "*": operator("∗")}.get(text)
    if found or (k - start == 1 and tokens[start].kind == "number"):
        return found or number(text), k
    while k < len(tokens) and tokens[k].text == "'":
        k += 1
    return row(_formula(tokens[start:k])), k


def _closed(tokens: list[Token], k: int) -> int:
    """Behind the bracket that closes the one at k; the end where none does."""
    depth = 0
    for end in range(k, len(tokens)):
        depth += (tokens[end].text in OPENING) - (tokens[end].text in CLOSING)
        if depth == 0:
            return end + 1
    return len(tokens) + 1


def _sign(tokens: list[Token], k: int) -> Markup:
    token = tokens[k]
    text = token.text
    if token.kind == "number":
        return number(text)
    if token.kind == "name":
        return _name(tokens, k)
    if text in (
        *OPENING,
        *CLOSING,
        "|",
        "||",
        "/",
    ):  # no operators: they neither stretch nor stand apart
        return element("mi", SIGNS.get(text, text))
    if text == "-" and not _operand(_before(tokens, k), CLOSING + "|'*"):
        return MINUS
    return operator(SIGNS.get(text, text))


def _before(tokens: list[Token], k: int) -> Token:
    """What stands before k but for spaces."""
    return next(
        (t for t in reversed(tokens[:k]) if t.kind != "space"), Token("start", "(")
    )


def _name(tokens: list[Token], k: int) -> Markup:
    text = tokens[k].text
    base, _, index = text.partition("_")
    if base in BIG:
        return (
            element("msub", operator(BIG[base]), letter(index))
            if index
            else operator(BIG[base])
        )
    if base in APPLIED and base != "inf":
        return (
            element("msub", element("mi", base), letter(index))
            if index
            else element("mi", base)
        )
    return operator("×") if _is_times(tokens, k) else letter(text)


def _is_times(tokens: list[Token], k: int) -> bool:
    """`2 x 3` and `n x n`."""
    if tokens[k].text != "x" or k < 2 or k + 2 >= len(tokens):
        return False
    left, right = tokens[k - 2], tokens[k + 2]
    spaced = tokens[k - 1].kind == tokens[k + 1].kind == "space"
    return spaced and (left.kind == right.kind == "number" or left.text == right.text)
