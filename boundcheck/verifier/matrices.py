"""Matrices in rationals and balls: products, inverses, semidefiniteness; eigenvalues, functions of them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, count
from math import prod
from random import Random
from typing import Any

from flint import acb, acb_mat, arb, arb_mat, ctx, fmpq, fmpq_mat, fmpz_poly

from .arrays import Array, Shape, broadcast, checked, stretch
from .findings import (
    arithmetic,
    demand,
    multiplication,
    on_integers,
    on_rationals,
    rotations,
    spend,
)
from .functions import UNARY, power, sqrt
from .limits import BASIS, BLOCK_SIDE, EXACT_HEIGHT, EXACT_SIDE, HEIGHT, MATRIX
from .numbers import (
    HALF,
    NAN,
    ZERO,
    Number,
    Truth,
    add,
    ascending,
    common,
    div,
    eq,
    finite,
    mul,
    shorten,
    sub,
)

Matrix = list[list[Number]]


def over_batch(function: Callable[..., Matrix], *arrays: Array) -> Array:
    """Apply a function of matrices to the last two axes; the leading axes broadcast."""
    demand(
        all(len(array.shape) >= 2 for array in arrays),
        "linear algebra needs at least two axes",
    )
    lead = broadcast(*(array.shape[:-2] for array in arrays))
    batches = [matrices(array, lead) for array in arrays]
    spend(MATRIX * prod(lead))
    results = [function(*operands) for operands in zip(*batches, strict=True)]
    demand(bool(results), "an empty batch of matrices")
    shape = (len(results[0]), len(results[0][0]) if results[0] else 0)
    return Array(
        checked(lead + shape),
        list(chain.from_iterable(chain.from_iterable(results))),
    )


def matrices(array: Array, lead: Shape = ()) -> list[list[list[Any]]]:
    """The matrices of a batch, broadcast to the leading shape."""
    rows, columns = array.shape[-2:]
    data, size = stretch(array, checked((*lead, rows, columns))), rows * columns
    spend(0.1 * len(data))
    starts = range(0, len(data), size) if size else []
    return [
        [list(data[k : k + columns]) for k in range(s, s + size, columns)]
        for s in starts
    ]


def matmul(
    left: Array, right: Array, product: Callable[..., Any], zero: Any = ZERO
) -> Array:
    """NumPy's @, one-dimensional operands included; `product` multiplies two matrices of such entries."""
    demand(min(len(left.shape), len(right.shape)) >= 1, "matmul of a scalar")
    row, column = len(left.shape) == 1, len(right.shape) == 1
    a = Array((1, *left.shape), left.data) if row else left
    b = Array((*right.shape, 1), right.data) if column else right
    demand(
        a.shape[-1] == b.shape[-2],
        f"matmul of shapes {left.shape} and {right.shape}",
    )
    if a.shape[-1] == 0:
        shape = checked(
            (*broadcast(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1])
        )
        full = Array(shape, [zero] * prod(shape))
    else:
        full = over_batch(product, a, b)
    shape = (
        full.shape[:-2]
        + full.shape[-2:-1] * (not row)
        + full.shape[-1:] * (not column)
    )
    return Array(shape, full.data)


def multiply(a: Matrix, b: Matrix) -> Matrix:
    """Exact where the entries are, and their common denominators are short."""
    cube, exact = len(a) * len(b) * len(b[0]), _all_exact(a) and _all_exact(b)
    bits = (
        max(map(common, a)) + max(map(common, transpose(b)))
        if exact
        else 2 * HEIGHT
    )
    if bits >= 2 * HEIGHT:
        spend(cube * multiplication())
        return entries(balls(a) * balls(b))
    spend(cube * on_integers(bits + _height(a) + _height(b)))
    return entries(rationals(a) * rationals(b))


def entries(matrix: fmpq_mat | arb_mat) -> Matrix:
    spend(matrix.nrows() * matrix.ncols())
    return [
        [ZERO if x == 0 else shorten(x) for x in row] for row in matrix.tolist()
    ]


def balls(matrix: Matrix) -> arb_mat:
    spend(len(matrix) * len(matrix[0]))
    return arb_mat([[arb(x) for x in row] for row in matrix])


def rationals(matrix: Matrix) -> fmpq_mat:
    exact = [x for x in chain.from_iterable(matrix) if isinstance(x, fmpq)]
    return fmpq_mat(len(matrix), len(matrix[0]), exact)


def transpose(matrix: list[list[Any]]) -> list[list[Any]]:
    return [list(column) for column in zip(*matrix, strict=True)]


def _all_exact(matrix: Matrix) -> bool:
    return all(isinstance(x, fmpq) for row in matrix for x in row)


def _height(matrix: Matrix) -> int:
    """Bits of the longest of its rationals."""
    return max(
        (x.height_bits() for row in matrix for x in row if isinstance(x, fmpq)),
        default=0,
    )


def length(matrix: Matrix) -> int:
    """Bits of its entries over their common denominator, about."""
    return _height(matrix) + common(chain.from_iterable(matrix))


def is_short(matrix: Matrix) -> bool:
    """Small enough for elimination in rational arithmetic."""
    if len(matrix) > EXACT_SIDE:
        return False
    return (
        _all_exact(matrix)
        and _height(matrix) <= EXACT_HEIGHT
        and length(matrix) <= HEIGHT
    )


def check_square(matrix: Matrix) -> int:
    """The side of a square matrix."""
    side = len(matrix)
    demand(side == len(matrix[0]), "expected a square matrix")
    spend(side * side)
    return side


def inverse(a: Matrix) -> Matrix:
    """Indeterminate unless a is certainly invertible."""
    side = check_square(a)
    return solve(a, [[fmpq(i == j) for j in range(side)] for i in range(side)])


def solve(a: Matrix, b: Matrix) -> Matrix:
    """Indeterminate unless a is certainly invertible."""
    side = check_square(a)
    demand(side == len(b), "solve with sides of different length")
    cube = side * side * (side + len(b[0]))
    try:
        if is_short(a) and _all_exact(b) and length(b) <= HEIGHT:
            spend(cube * on_integers(length(a) + length(b)))
            return entries(rationals(a).solve(rationals(b)))
        spend(2 * cube * multiplication())
        return entries(balls(a).solve(balls(b)))
    except ZeroDivisionError:
        return [[NAN] * len(b[0]) for _ in b]


def determinant(a: Matrix) -> Number:
    cube = check_square(a) ** 3
    if is_short(a):
        spend(cube * on_integers(length(a)))
        return shorten(rationals(a).det())
    spend(cube * multiplication())
    return shorten(balls(a).det())


def cholesky(a: Matrix) -> Matrix:
    """The lower factor; indeterminate unless a is certainly positive definite."""
    check_symmetric(a)
    spend(len(a) ** 3 * (arithmetic() + on_rationals(_height(a))) / 3)
    factor: Matrix = [[ZERO] * len(a) for _ in a]
    for i, row in enumerate(factor):
        for j in range(i):
            row[j] = div(_remainder(a[i][j], row, factor[j], j), factor[j][j])
        square = _remainder(a[i][i], row, row, i)
        row[i] = sqrt(square) if square > 0 else NAN
    return factor


def _remainder(
    x: Number, row: list[Number], other: list[Number], length: int
) -> Number:
    for k in range(length):
        x = sub(x, mul(row[k], other[k]))
    return x


def check_symmetric(a: Matrix) -> None:
    """Balls that overlap their mirror image are taken as symmetric."""
    side = check_square(a)
    mirrored = all(
        eq(a[i][j], a[j][i]) is not False for i in range(side) for j in range(i)
    )
    demand(mirrored, "expected a symmetric matrix")


def psd(a: Matrix) -> Truth:
    """Is x^T A x >= 0 for all x? Balls decide unless A is nearly singular; else short rationals."""
    check_symmetric(a)
    spend(
        len(a) ** 3 * (0.06 + multiplication()) + 3 * len(a) ** 2 * arithmetic()
    )
    rounded = eliminate(
        [
            [_symmetric_part(a, i, j) for j in range(i + 1)]
            for i in range(len(a))
        ]
    )
    return (
        _no_negative_root(a)
        if rounded is None and _all_exact(a) and length(a) <= HEIGHT
        else rounded
    )


def _symmetric_part(a: Matrix, i: int, j: int) -> Number:
    x, y = a[i][j], a[j][i]
    # x^T A x is that of the symmetric part, whatever A is.
    middle = x if x is y else mul(HALF, add(x, y))
    return ZERO if middle == 0 else arb(middle)


def _no_negative_root(a: Matrix) -> bool:
    """All roots of the characteristic polynomial are real, so the signs of its coefficients tell."""
    # Descartes: det(t I - A) with real roots only has no negative one just if its coefficients alternate in sign, zeros
    # allowed.
    spend(len(a) ** 4 * on_integers(length(a)) / 10)
    coefficients = rationals(a).charpoly().coeffs()
    return all(
        c * (-1) ** (len(a) - k) >= 0 for k, c in enumerate(coefficients)
    )


def eliminate(rows: Matrix) -> Truth:
    """LDL^T of a lower triangle: every pivot is positive, or zero with zeros below it."""
    for k, (*_, pivot) in enumerate(rows):
        below = [row[k] for row in rows[k + 1 :]]
        if not all(map(finite, [pivot, *below])):
            return None
        # A PSD matrix has no negative entry on its diagonal, and a zero there has a zero row (its 2 x 2 minors are not
        # negative); what is left after a positive pivot, the Schur complement, is PSD just if the whole is. Balls hold the
        # exact pivots, since each step of elimination encloses its result.
        if pivot < 0 or (pivot == 0 and any(x != 0 for x in below)):
            return False
        if pivot == 0 and all(x == 0 for x in below):
            continue
        if not pivot > 0:
            return None
        for x, row in zip(below, rows[k + 1 :], strict=True):
            ratio = div(x, pivot)
            for j in range(k + 1, len(row)):
                row[j] = sub(row[j], mul(ratio, rows[j][k]))
    return True


def components(size: int, groups: Iterable[Sequence[int]]) -> list[list[int]]:
    """Partition range(size) so that the members of each group fall into one part."""
    parent = list(range(size))

    def root(item: int) -> int:
        while parent[item] != item:
            parent[item] = item = parent[parent[item]]
        return item

    for group in groups:
        for member in group[1:]:
            parent[root(member)] = root(group[0])
    parts: dict[int, list[int]] = {}
    for item in range(size):
        parts.setdefault(root(item), []).append(item)
    return list(parts.values())


# eigenvalues, singular values and spectral functions of symmetric matrices
#
# An approximate eigenbasis Q (exact numbers, found without any guarantee) is judged afterwards:
# with eps >= |Q^T Q - I| and delta >= |offdiag(Q^T A Q)|, Weyl and Ostrowski enclose the eigenvalues of A
# (Horn and Johnson, Matrix Analysis, 4.3.1 and 4.5.9), clusters and multiplicities included.


Function = Callable[[Number], Number]
Modulus = Callable[[arb, arb], arb]
log = UNARY["log"]


@dataclass(frozen=True)
class Eigenbasis:
    """Exact Q with |Q^T Q - I| <= eps < 1, and the matrix B = Q^T A Q."""

    A: arb_mat
    Q: arb_mat
    B: arb_mat
    eps: arb


def eigvalsh(a: Matrix) -> Matrix:
    """Ascending eigenvalues, as one row."""
    return [
        ascending(
            [
                value
                for part in _blocks(a)
                for value in _eigenvalues(_restrict(a, part))
            ]
        )
    ]


def eigenvectors(a: Matrix, lead: list[int]) -> Matrix:
    """Unit eigenvectors, eigenvalues ascending; entry |lead_k| (from 1) of column k has lead_k's sign.

    Indeterminate where an eigenvalue is not certainly apart from the others.
    """
    check_symmetric(a)
    demand(
        len(lead) == len(a) and all(1 <= abs(i) <= len(a) for i in lead),
        "every eigenvector has a leading entry",
    )
    with _higher_precision():
        basis = _eigenbasis(a)
        if basis is None:
            return [[NAN] * len(a) for _ in a]
        values = _enclosures(basis)
        order = sorted(range(len(a)), key=lambda k: values[k].mid())
        columns = [
            _oriented(_eigenvector(basis, values, k), i)
            for k, i in zip(order, lead, strict=True)
        ]
        return transpose(columns)


def eigvals(a: Matrix, part: str) -> Matrix:
    """Moduli ("abs"), real or imaginary parts of eigenvalues of any square matrix, ascending, as one row."""
    demand(part in PARTS, f"eigenvalues have no {str(part)[:20]!r}")
    roots = (
        _roots_exactly if check_square(a) and is_short(a) else _roots_of_balls
    )
    return [ascending(roots(a, part))]


PARTS: dict[str, Callable[[acb], arb]] = {
    "abs": abs,
    "real": lambda z: z.real,
    "imag": lambda z: z.imag,
}


def _roots_exactly(a: Matrix, part: str) -> list[Number]:
    """By the factors of the characteristic polynomial, so that multiple roots are no trouble."""
    n, bits = len(a), length(a)
    spend(
        BASIS
        + n**4 * (on_integers(bits) / 10 + multiplication())
        + n**3 * bits / 100
    )
    _, factors = rationals(a).charpoly().numer().factor()
    return [
        value
        for factor, times in factors
        for value in times * _roots_of_factor(factor, part)
    ]


def _roots_of_factor(factor: fmpz_poly, part: str) -> list[Number]:
    """Of an irreducible polynomial; exact for degree 1, or 2 without real roots, and on the unit circle."""
    c, *rest = map(fmpq, factor.coeffs())
    if len(rest) == 1:
        root = -c / rest[0]
        return [{"abs": abs(root), "real": root, "imag": ZERO}[part]]
    if len(rest) == 2 and rest[0] ** 2 < 4 * c * rest[1]:
        # A pair of conjugates m +- i h: their sum is 2 m and their product m^2 + h^2, which is rational even if h is not.
        middle, size = -rest[0] / (2 * rest[1]), c / rest[1]
        height = sqrt(size - middle**2)
        return {
            "abs": [sqrt(size)] * 2,
            "real": [middle] * 2,
            "imag": [-height, height],
        }[part]
    # Roots of unity: no ball would say that a modulus is 1.
    if part == "abs" and factor.is_cyclotomic():
        return [fmpq(1)] * len(rest)
    roots: list[tuple[acb, int]] = factor.complex_roots()  # pyright: ignore[reportAssignmentType]
    return [PARTS[part](root) for root, _ in roots]


def _roots_of_balls(a: Matrix, part: str) -> list[Number]:
    """Enclosures, clusters included; one that overlaps no other's mirror image is its own, hence real."""
    if not all(map(finite, (x for row in a for x in row))):
        return [NAN] * len(a)
    with _higher_precision():
        spend(BASIS + 12 * len(a) ** 3 * rotations())
        roots = acb_mat(balls(a)).eig(multiple=True, nonstop=True)
        for k, z in enumerate(roots):
            mirrored, others = acb(z.real, -z.imag), roots[:k] + roots[k + 1 :]
            # The conjugate of an eigenvalue of a real matrix is one. Those of a cluster come as several enclosures that
            # overlap; one that overlaps no other's mirror image holds one eigenvalue, and its conjugate too: it is real.
            if z.imag.contains(0) and not any(
                w.overlaps(mirrored) for w in others
            ):
                roots[k] = acb(z.real)
        return [PARTS[part](z) for z in roots]


def _eigenvector(basis: Eigenbasis, values: list[arb], k: int) -> list[Number]:
    """|q - v| <= sqrt(2) sin(q, v) <= sqrt(2) |A q - mu q| / gap for unit q, the nearer v (Davis-Kahan)."""
    spend(4 * len(values) ** 2 * multiplication())
    # Q was found without any guarantee. What counts is the residual: a unit vector q with |A q - mu q| = r has a distance
    # of at most r / gap, as a sine, to the eigenvector of the one eigenvalue that is nearer than gap to mu.
    q = _unit([basis.Q[i, k] for i in range(len(values))])
    mu = values[k].mid()
    image = (basis.A * arb_mat([[x] for x in q])).entries()
    missed = [y - mu * x for x, y in zip(q, image, strict=True)]
    residual = sum((d * d for d in missed), arb(0)).abs_upper().sqrt()
    gap = _smallest(
        [abs(value - mu) for j, value in enumerate(values) if j != k]
        or [arb(1)]
    )
    apart = all(
        not value.overlaps(values[k])
        for j, value in enumerate(values)
        if j != k
    )
    if not (apart and gap > 0):
        return [NAN] * len(q)
    error = (arb(2).sqrt() * residual / gap).upper() * arb(0, 1)
    return [x + error for x in q]


def _oriented(v: list[Number], lead: int) -> list[Number]:
    entry = v[abs(lead) - 1] if lead > 0 else -v[abs(lead) - 1]
    if entry > 0:
        return v
    return [-x for x in v] if entry < 0 else [NAN] * len(v)


def svdvals(a: Matrix) -> Matrix:
    """Descending singular values, as one row, from the smaller Gram matrix at doubled precision."""
    with ctx.workprec(2 * ctx.prec):
        # A ball around s^2 is that of s at half of the digits where s is small, hence the doubled precision.
        tall = len(a) > len(a[0])
        gram = multiply(transpose(a), a) if tall else multiply(a, transpose(a))
        (squares,) = eigvalsh(gram)
        return [[sqrt(value, known=True) for value in reversed(squares)]]


def psd_power(a: Matrix, t: fmpq, known: bool = False) -> Matrix:
    """a**t of a PSD matrix: an integer power times a fractional one, inverted if t < 0.

    The fractional one is indeterminate unless the matrix is certainly PSD, or `known` to be by its making.
    """
    demand(abs(t) <= 1000, "a matrix power beyond 1000")
    check_symmetric(a)
    result: Matrix = [
        [fmpq(i == j) for j in range(len(a))] for i in range(len(a))
    ]
    # Whole powers are products, without any eigenvalue: exact where the matrix is.
    for _ in range(int(abs(t).floor())):
        result = multiply(result, a)
    fraction = abs(t) - abs(t).floor()
    if fraction:
        result = multiply(result, _fractional(a, fraction, known))
    return inverse(result) if t < 0 else result


def psd_raise(a: Matrix, power: Matrix, known: bool = False) -> Matrix:
    """a**t of a PSD matrix for t that is known by a ball, as a 1 x 1 matrix; indeterminate for |t| > 1000.

    For t that may be 0 or less a must be definite, unless t is exactly 0, where it is the identity: 0**0 = 1.
    """
    demand(
        len(power) == 1 and len(power[0]) == 1, "an exponent is a 1 x 1 matrix"
    )
    ((t,),) = power
    if not abs(t) <= 1000:
        check_symmetric(a)
        return [[NAN] * len(a) for _ in a]
    return (
        psd_power(a, t, known) if isinstance(t, fmpq) else _raised(a, t, known)
    )


def _raised(a: Matrix, t: arb, known: bool) -> Matrix:
    """a**t, for t > 0 by a fractional power over and over: t / m is within (0, 1) wherever t is in its ball."""
    if t < 0:
        return inverse(_raised(a, -t, known))
    # Of an exponent that may be 0 nothing is known where a has a kernel, and the inverse says whether it has one.
    if not t > 0:
        whole = next(k for k in count(1) if -t < k)
        return multiply(
            _raised(a, t + whole, known), psd_power(a, fmpq(-whole))
        )
    m = next(k for k in count(1) if t < k)
    root = _fractional(a, t / m, known)
    return reduce(multiply, [root] * m)


def _fractional(a: Matrix, t: Number, known: bool) -> Matrix:
    """a**t for 0 < t < 1."""
    return _by_blocks(a, lambda x: power(x, t, known), _hoelder(t), known)


def psd_log(a: Matrix) -> Matrix:
    """Indeterminate unless the matrix is certainly positive definite."""
    return _by_blocks(a, log, lambda eta, m: eta / m if m > 0 else NAN)


def _hoelder(t: Number) -> Modulus:
    """|A^t - B^t| for PSD A, B >= m with |A - B| <= eta, 0 < t < 1 (Bhatia, Matrix Analysis, X.1)."""

    def modulus(eta: arb, m: arb) -> arb:
        rough = eta.upper() ** arb(t)
        return (
            rough.min(t * m ** arb(t - 1) * eta) if m > 0 else rough
        ).upper()

    return modulus


def _blocks(a: Matrix) -> list[list[int]]:
    check_symmetric(a)
    return components(
        len(a),
        (
            [i, *(j for j, x in enumerate(row) if not x == 0)]
            for i, row in enumerate(a)
        ),
    )


def _restrict(a: Matrix, part: list[int]) -> Matrix:
    """The block, mirrored from its lower triangle."""
    return [[a[max(i, j)][min(i, j)] for j in part] for i in part]


def _eigenvalues(a: Matrix) -> list[Number]:
    if len(a) == 1:
        return a[0]
    if (
        len(a) <= BLOCK_SIDE
        and all(isinstance(x, fmpq) for row in a for x in row)
        and length(a) <= HEIGHT
    ):
        return _roots_exactly(a, "real")
    with _higher_precision():
        basis = _eigenbasis(a)
        if basis is None:
            return [NAN] * len(a)
        return list(_enclosures(basis))


def _enclosures(basis: Eigenbasis) -> list[arb]:
    """The eigenvalues, in the order of the basis."""
    ball = arb(0, 1)
    # Q = U S with U orthogonal and S^2 = Q^T Q within eps of I. Eigenvalues of Q^T A Q are those of A times numbers of
    # [1 - eps, 1 + eps] (Ostrowski), and those of its diagonal move by at most the norm of what is off it (Weyl).
    stretching, shift = (
        1 + basis.eps * ball,
        _radius(_without_diagonal(basis.B)) * ball,
    )
    return [
        (basis.B[i, i] + shift) / stretching for i in range(basis.A.nrows())
    ]


def _by_blocks(
    a: Matrix, f: Function, modulus: Modulus, known: bool = False
) -> Matrix:
    """f(a) of a PSD matrix, block by block; exact on the diagonal."""
    result: Matrix = [[ZERO] * len(a) for _ in a]
    for part in _blocks(a):
        block = _restrict(a, part)
        value = (
            [[f(block[0][0])]]
            if len(part) == 1
            else _spectral_function(block, f, modulus, known)
        )
        for i, row in zip(part, value, strict=True):
            for j, x in zip(part, row, strict=True):
                result[i][j] = x
    return result


def _spectral_function(
    a: Matrix, f: Function, modulus: Modulus, known: bool
) -> Matrix:
    """Q f(D) Q^T, blown up by what Q lacks in orthogonality and Q D Q^T in accuracy.

    U, the orthogonal factor of Q, is within eps of it, so |Q D Q^T - U D U^T| <= eps (2 + eps) |D|.
    """
    with _higher_precision():
        basis = _eigenbasis(a)
        if basis is None:
            return [[NAN] * len(a) for _ in a]
        d = [basis.B[i, i].mid() for i in range(len(a))]
        # A PSD matrix has no negative eigenvalue; what rounding made negative is nearest to 0.
        d = [x if x > 0 else arb(0) for x in d]
        values = [arb(f(x)) for x in d]
        Q, loss = basis.Q, basis.eps * (2 + basis.eps)
        eta = (
            _radius(basis.A - Q * _diagonal(d) * Q.transpose())
            + _largest(d) * loss
        )
        least = _smallest(d) - eta
        # The function is one of PSD matrices: nothing is said of a matrix that may be none.
        if not (least >= 0 or known or psd(a)):
            return [[NAN] * len(a) for _ in a]
        error = (modulus(eta, least) + _largest(values) * loss) * arb(0, 1)
        result = Q * _diagonal(values) * Q.transpose()
        return [[x + error for x in row] for row in result.tolist()]


def _higher_precision():
    """Room for a basis that is accurate well beyond the precision asked for."""
    return ctx.workprec(3 * ctx.prec + 64)


def _eigenbasis(a: Matrix) -> Eigenbasis | None:
    """None when the entries are indeterminate or no usable basis is found."""
    A, side = balls(a), len(a)
    # Arb's eigensolver is asked for an approximation only; nothing below rests on how good it is.
    if not all(map(finite, A.entries())):
        return None
    spend(BASIS + side**3 * rotations())
    _, vectors = acb_mat(A.mid() + _separation(A)).eig(
        right=True, algorithm="approx"
    )
    columns = [
        _unit([vectors[i, j].real for i in range(side)]) for j in range(side)
    ]
    Q = arb_mat(columns).transpose().mid()
    eps = _radius(Q.transpose() * Q - _diagonal([arb(1)] * side))
    return Eigenbasis(A, Q, Q.transpose() * A * Q, eps) if eps < 1 else None


def _unit(column: list[arb]) -> list[arb]:
    length = sum((x * x for x in column), arb(0)).sqrt()
    return [x / length for x in column]


def _separation(A: arb_mat) -> arb_mat:
    """A tiny symmetric matrix that makes multiple eigenvalues simple, so that eigenvectors are definite."""
    random, side = Random(A.nrows()), A.nrows()
    scale = _radius(A).mid() * arb(2) ** -(ctx.prec // 2)
    noise = [
        [arb(random.randint(-1000, 1000)) / 1000 for _ in range(side)]
        for _ in range(side)
    ]
    return arb_mat(
        [
            [scale * noise[max(i, j)][min(i, j)] for j in range(side)]
            for i in range(side)
        ]
    ).mid()


def _diagonal(d: list[arb]) -> arb_mat:
    return arb_mat(
        [
            [x if i == j else arb(0) for j in range(len(d))]
            for i, x in enumerate(d)
        ]
    )


def _without_diagonal(B: arb_mat) -> arb_mat:
    return arb_mat(
        [
            [arb(0) if i == j else x for j, x in enumerate(row)]
            for i, row in enumerate(B.tolist())
        ]
    )


def _radius(E: arb_mat) -> arb:
    """An upper bound of the operator norm of a symmetric matrix: its largest row sum."""
    return _largest([sum((abs(x) for x in row), arb(0)) for row in E.tolist()])


def _largest(values: list[arb]) -> arb:
    """An upper bound of the absolute values."""
    bound = arb(0)
    for x in values:
        bound = bound.max(x.abs_upper())
    return bound.upper()


def _smallest(values: list[arb]) -> arb:
    bound = values[0]
    for x in values:
        bound = bound.min(x)
    return bound.lower()
