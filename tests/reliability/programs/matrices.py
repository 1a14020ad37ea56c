"""Facts about matrices: ridge, projections, traces, determinants, eigenvalues and the Loewner order."""

from __future__ import annotations

from .facts import Fact, positive, random_array, real
from .pen import Pen


def matrix(pen: Pen) -> tuple[str, str, str]:
    """A matrix and its two sizes."""
    if pen.random:
        m, n = pen.number(1, 3), pen.number(1, 3)
        return random_array(pen, f"{m}, {n}"), str(m), str(n)
    a = pen.parameter("A", pen.one(['Matrix("m", "n")', "Matrix(2, 3)", "Matrix(3, 2)"]))
    return a, f"{a}.shape[0]", f"{a}.shape[1]"


def square(pen: Pen) -> tuple[str, str]:
    """A square matrix and its size."""
    if pen.random:
        n = pen.number(1, 3)
        return random_array(pen, f"{n}, {n}"), str(n)
    a = pen.parameter("S", 'SquareMatrix("k")')
    return a, f"len({a})"


def symmetric(pen: Pen) -> tuple[str, str]:
    """A symmetric matrix and its size."""
    if pen.random:
        a, n = square(pen)
        return pen.local(f"{a} + {a}.mT", "H"), n
    a = pen.parameter("H", 'Symmetric("k")')
    return a, f"len({a})"


def semidefinite(pen: Pen) -> tuple[str, str]:
    """A PSD matrix and its size: a Gram matrix, singular at times."""
    if not pen.random and pen.odds(2):
        a = pen.parameter("K", 'PSD("k")')
        return a, f"len({a})"
    a, _, n = matrix(pen)
    return pen.local(f"{pen.transposed(a)} @ {a}", "K"), n


def definite(pen: Pen) -> tuple[str, str]:
    """A positive definite matrix and its size."""
    if not pen.random and pen.odds(2):
        a = pen.parameter("D", 'PositiveDefinite("k")')
        return a, f"len({a})"
    a, n = semidefinite(pen)
    return pen.local(f"{a} + {pen.one(['np.eye', 'np.identity'])}({n})", "D"), n


def inverse(pen: Pen, a: str) -> str:
    return pen.one([f"np.linalg.inv({a})"] if pen.random else [f"inverse({a})", f"np.linalg.inv({a})", f"solve({a}, np.eye(len({a})))"])


def eigenvalues(pen: Pen, a: str) -> str:
    return pen.one([f"np.linalg.eigvalsh({a})"] if pen.random else [f"eigenvalues({a})", f"np.linalg.eigvalsh({a})"])


def frobenius(pen: Pen, a: str) -> str:
    ways = [f"np.sum({a}**2)", f"np.sum({a} * {a})", f"trace({a} @ {pen.transposed(a)})"]
    return pen.one(
        ways if pen.random else [*ways, f"frobenius({a}) ** 2", f'np.einsum("ij,ij->", {a}, {a})', f"np.sum(np.linalg.svdvals({a}) ** 2)"]
    )


# facts


def traces(pen: Pen) -> Fact:
    a, m, _ = matrix(pen)
    at = pen.transposed(a)
    return pen.one(
        [
            Fact(pen.trace(f"({a} @ {at})"), "==", pen.trace(f"({at} @ {a})")),
            Fact(pen.trace(f"({at} @ {a})"), "==", frobenius(pen, a)),
            Fact(f"({a} @ {at}) - {pen.transposed(f'({a} @ {at})')}", "==", f"np.zeros(({m}, {m}))", False),
            Fact(f"np.sum({at} @ {a})", "==", f"np.sum(np.sum({a}, axis={2 if pen.random else 1}) ** 2)"),
        ]
    )


def ridge(pen: Pen) -> Fact:
    a, m, n = matrix(pen)
    at, lam = pen.transposed(a), positive(pen, 0)
    small = pen.local(inverse(pen, pen.local(f"{at} @ {a} + {lam} * np.eye({n})", "G")), "R")
    large = pen.local(inverse(pen, pen.local(f"{a} @ {at} + {lam} * np.eye({m})", "G")), "R")
    return pen.one(
        [
            Fact(f"{small} @ {at}", "==", f"{at} @ {large}", False),
            Fact(pen.trace(f"({a} @ {small} @ {at})"), "==", f"{n} - {lam} * {pen.trace(small)}"),
            Fact(f"np.eye({m}) - {a} @ {small} @ {at}", "==", f"{lam} * {large}", False),
            Fact(pen.trace(f"({a} @ {small} @ {at})"), "<=", n),
            Fact("0", "<=", pen.trace(f"({a} @ {small} @ {at})")),
        ]
    )


def determinants(pen: Pen) -> Fact:
    a, n = square(pen)
    k, _ = semidefinite(pen)
    c, m, size = matrix(pen)
    ct = pen.transposed(c)
    det = "np.linalg.det"
    return pen.one(
        [
            Fact(f"{det}({a} @ {a})", "==", f"{det}({a}) ** 2"),
            Fact(f"{det}({a})", "==", f"{det}({pen.transposed(a)})"),
            Fact("0", "<=", f"{det}({k})"),
            Fact(f"{det}(2 * {a})", "==", f"2**{n} * {det}({a})"),
            Fact(f"{det}(np.eye({m}) + {c} @ {ct})", "==", f"{det}(np.eye({size}) + {ct} @ {c})"),
            Fact("1", "<=", f"{det}(np.eye({m}) + {c} @ {ct})"),
        ]
    )


def inverses(pen: Pen) -> Fact:
    d, n = definite(pen)
    r = pen.local(inverse(pen, d), "R")
    return pen.one(
        [
            Fact(f"{d} @ {r}", "==", f"np.eye({n})", False),
            Fact(f"{r} @ {d}", "==", f"np.eye({n})", False),
            Fact(inverse(pen, r), "==", d, False),
            Fact(f"np.linalg.det({d}) * np.linalg.det({r})", "==", "1"),
            Fact(f"({n}) ** 2", "<=", f"{pen.trace(d)} * {pen.trace(r)}"),
            Fact(pen.trace(f"({r} @ {d} @ {d})"), "==", pen.trace(d)),
        ]
    )


def spectra(pen: Pen) -> Fact:
    h, n = symmetric(pen)
    k, _ = semidefinite(pen)
    c = real(pen, 0)
    e = pen.local(eigenvalues(pen, h), "e")
    return pen.one(
        [
            Fact(f"np.sum({e})", "==", pen.trace(h)),
            Fact(f"np.sum({e} ** 2)", "==", frobenius(pen, h)),
            Fact(f"np.prod({e})", "==", f"np.linalg.det({h})"),
            Fact(f"np.sum({eigenvalues(pen, f'({h} + {c} * np.eye({n}))')})", "==", f"np.sum({e}) + {n} * {c}"),
            Fact(f"{h}[0, 0]", "<=", f"np.max({e})"),
            Fact(f"np.min({e})", "<=", f"{h}[0, 0]"),
            Fact("0", "<=", f"np.min({eigenvalues(pen, k)})"),
            Fact(f"np.max({eigenvalues(pen, k)})", "<=", pen.trace(k)),
            Fact(f"np.max({e})", "<=", f"sqrt({frobenius(pen, h)})"),
        ]
    )


def projections(pen: Pen) -> Fact:
    n = pen.number(2, 3)
    x = random_array(pen, f"{n}, 1") if pen.random else pen.local(f"{pen.parameter('v', f'Vector({n})')}[:, None]", "x")
    xt = pen.transposed(x)
    norm = f"np.sum({x} ** 2)"
    p = pen.local(f"{x} @ {xt} / (1e-3 + {norm})", "P")
    return pen.one(
        [
            Fact(f"{p} @ {x}", "==", f"{x} * ({norm} / (1e-3 + {norm}))", False),
            Fact(pen.trace(p), "<=", "1"),
            Fact(f"np.linalg.det({x} @ {xt})", "==", "0"),
            Fact(f"np.sum(({x} - {p} @ {x}) ** 2)", "<=", norm),
            Fact(f"np.linalg.det(np.eye({n}) + {x} @ {xt})", "==", f"1 + {norm}"),
            Fact(f"{p} @ {p}", "==", f"{p} * {pen.trace(p)}", False),
        ]
    )


def matrix_norms(pen: Pen) -> Fact:
    a, m, n = matrix(pen)
    if pen.random:
        return Fact(f"{a}[0, 0] ** 2", "<=", frobenius(pen, a))
    return pen.one(
        [
            Fact(f"opnorm({a})", "<=", f"frobenius({a})"),
            Fact(f"frobenius({a})", "<=", f"nuclear({a})"),
            Fact(f"opnorm({a}) ** 2", "==", f"opnorm({a}.T @ {a})"),
            Fact(f"nuclear({a})", "<=", f"sqrt(min({m}, {n})) * frobenius({a})"),
            Fact(f"opnorm({a} @ {a}.T)", "<=", f"trace({a}.T @ {a})"),
            Fact(f"np.max(np.abs({a}))", "<=", f"opnorm({a})"),
            Fact(f"np.linalg.norm({a}, 2)", "<=", f"np.linalg.norm({a})"),
        ]
    )


def loewner_orders(pen: Pen) -> Fact:
    """Orders of whole matrices; random ones are left to their eigenvalues."""
    k, n = semidefinite(pen)
    if pen.random:
        return Fact("0", "<=", f"np.min({eigenvalues(pen, k)})")
    lam = positive(pen, 0)
    return pen.one(
        [
            Fact(f"np.zeros(({n}, {n}))", "loewner", k, False),
            Fact(k, "loewner", f"trace({k}) * np.eye({n})", False),
            Fact(k, "loewner", f"{k} + {lam} * np.eye({n})", False),
            Fact(f"2 * {k}", "loewner", f"{k} @ {k} + np.eye({n})", False),
            Fact(f"inverse({k} + {lam} * np.eye({n}))", "loewner", f"np.eye({n}) / {lam}", False),
            Fact(f"{k} @ inverse({k} + {lam} * np.eye({n}))", "loewner", f"np.eye({n})", False),
        ]
    )


def rotations(pen: Pen) -> Fact:
    if pen.random:
        return traces(pen)
    q, x = pen.parameter("Q", 'Orthogonal("k")'), pen.parameter("y", 'Vector("k")')
    return pen.one(
        [
            Fact(f"norm({q} @ {x})", "==", f"norm({x})"),
            Fact(f"{q}.T @ {q}", "==", f"np.eye(len({x}))", False),
            Fact(f"np.linalg.det({q}) ** 2", "==", "1"),
            Fact(f"{q} @ {q}.T @ {x}", "==", x, False),
            Fact(f"np.sum({q}**2)", "==", f"len({x})"),
            Fact(f"np.max(np.abs({q}))", "<=", "1"),
        ]
    )


MATRICES = (traces, ridge, determinants, inverses, spectra, projections, matrix_norms, loewner_orders, rotations)
