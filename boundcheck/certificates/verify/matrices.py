"""Matrices: product, inverse, determinant, Cholesky, and a three-valued test of positive semidefiniteness."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from math import prod

from flint import arb, arb_mat, fmpq, fmpq_mat

from .arrays import Array, Shape, broadcast, checked, stretch
from .findings import demand
from .functions import sqrt
from .numbers import HALF, HEIGHT, NAN, ZERO, Number, Truth, add, common, div, eq, finite, mul, shorten, sub
from .work import arithmetic, multiplication, on_integers, on_rationals, spend

Matrix = list[list[Number]]
LARGEST_SIDE = 400
MATRIX = 30
"""What a matrix of a batch takes besides its entries."""

EXACT_SIDE = 24
EXACT_HEIGHT = 200


def over_batch(function: Callable[..., Matrix], *arrays: Array) -> Array:
    """Apply a function of matrices to the last two axes; the leading axes broadcast."""
    demand(all(len(array.shape) >= 2 for array in arrays), "linear algebra needs at least two axes")
    lead = broadcast(*(array.shape[:-2] for array in arrays))
    batches = [matrices(array, lead) for array in arrays]
    spend(MATRIX * prod(lead))
    results = [function(*operands) for operands in zip(*batches, strict=True)]
    demand(bool(results), "an empty batch of matrices")
    shape = (len(results[0]), len(results[0][0]) if results[0] else 0)
    return Array(checked(lead + shape), list(chain.from_iterable(chain.from_iterable(results))))


def matrices(array: Array, lead: Shape = ()) -> list[Matrix]:
    """The matrices of a batch, broadcast to the leading shape."""
    rows, columns = array.shape[-2:]
    data, size = stretch(array, checked((*lead, rows, columns))), rows * columns
    spend(0.1 * len(data))
    starts = range(0, len(data), size) if size else []
    return [[list(data[k : k + columns]) for k in range(s, s + size, columns)] for s in starts]


def matmul(left: Array, right: Array) -> Array:
    """NumPy's @, one-dimensional operands included."""
    demand(min(len(left.shape), len(right.shape)) >= 1, "matmul of a scalar")
    row, column = len(left.shape) == 1, len(right.shape) == 1
    a = Array((1, *left.shape), left.data) if row else left
    b = Array((*right.shape, 1), right.data) if column else right
    demand(a.shape[-1] == b.shape[-2], f"matmul of shapes {left.shape} and {right.shape}")
    if a.shape[-1] == 0:
        shape = checked((*broadcast(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1]))
        full = Array(shape, [ZERO] * prod(shape))
    else:
        full = over_batch(multiply, a, b)
    shape = full.shape[:-2] + full.shape[-2:-1] * (not row) + full.shape[-1:] * (not column)
    return Array(shape, full.data)


def multiply(a: Matrix, b: Matrix) -> Matrix:
    """Exact where the entries are, and their common denominators are short."""
    cube, exact = len(a) * len(b) * len(b[0]), _all_exact(a) and _all_exact(b)
    bits = max(map(common, a)) + max(map(common, transpose(b))) if exact else 2 * HEIGHT
    if bits >= 2 * HEIGHT:
        spend(cube * multiplication())
        return entries(balls(a) * balls(b))
    spend(cube * on_integers(bits + _height(a) + _height(b)))
    return entries(rationals(a) * rationals(b))


def entries(matrix: fmpq_mat | arb_mat) -> Matrix:
    spend(matrix.nrows() * matrix.ncols())
    return [[ZERO if x == 0 else shorten(x) for x in row] for row in matrix.tolist()]


def balls(matrix: Matrix) -> arb_mat:
    spend(len(matrix) * len(matrix[0]))
    return arb_mat([[arb(x) for x in row] for row in matrix])


def rationals(matrix: Matrix) -> fmpq_mat:
    exact = [x for x in chain.from_iterable(matrix) if isinstance(x, fmpq)]
    return fmpq_mat(len(matrix), len(matrix[0]), exact)


def transpose(matrix: Matrix) -> Matrix:
    return [list(column) for column in zip(*matrix, strict=True)]


def _all_exact(matrix: Matrix) -> bool:
    return all(isinstance(x, fmpq) for row in matrix for x in row)


def _height(matrix: Matrix) -> int:
    """Bits of the longest of its rationals."""
    return max((x.height_bits() for row in matrix for x in row if isinstance(x, fmpq)), default=0)


def length(matrix: Matrix) -> int:
    """Bits of its entries over their common denominator, about."""
    return _height(matrix) + common(chain.from_iterable(matrix))


def is_short(matrix: Matrix) -> bool:
    """Small enough for elimination in rational arithmetic."""
    if len(matrix) > EXACT_SIDE:
        return False
    return _all_exact(matrix) and _height(matrix) <= EXACT_HEIGHT and length(matrix) <= HEIGHT


def check_square(matrix: Matrix) -> int:
    """The side of a square matrix that is not too large."""
    side = len(matrix)
    demand(side == len(matrix[0]), "expected a square matrix")
    demand(side <= LARGEST_SIDE, f"linear algebra beyond {LARGEST_SIDE} rows")
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


def _remainder(x: Number, row: list[Number], other: list[Number], length: int) -> Number:
    for k in range(length):
        x = sub(x, mul(row[k], other[k]))
    return x


def check_symmetric(a: Matrix) -> None:
    """Balls that overlap their mirror image are taken as symmetric."""
    side = check_square(a)
    mirrored = all(eq(a[i][j], a[j][i]) is not False for i in range(side) for j in range(i))
    demand(mirrored, "expected a symmetric matrix")


def psd(a: Matrix) -> Truth:
    """Is x^T A x >= 0 for all x? Balls decide unless A is nearly singular; else short rationals."""
    check_symmetric(a)
    spend(len(a) ** 3 * (0.06 + multiplication()) + 3 * len(a) ** 2 * arithmetic())
    rounded = _eliminate([[_symmetric_part(a, i, j) for j in range(i + 1)] for i in range(len(a))])
    return _no_negative_root(a) if rounded is None and _all_exact(a) and length(a) <= HEIGHT else rounded


def _symmetric_part(a: Matrix, i: int, j: int) -> Number:
    x, y = a[i][j], a[j][i]
    middle = x if x is y else mul(HALF, add(x, y))
    return ZERO if middle == 0 else arb(middle)


def _no_negative_root(a: Matrix) -> bool:
    """All roots of the characteristic polynomial are real, so the signs of its coefficients tell."""
    spend(len(a) ** 4 * on_integers(length(a)) / 10)
    coefficients = rationals(a).charpoly().coeffs()
    return all(c * (-1) ** (len(a) - k) >= 0 for k, c in enumerate(coefficients))


def _eliminate(rows: Matrix) -> Truth:
    """LDL^T of a lower triangle: every pivot is positive, or zero with zeros below it."""
    for k, (*_, pivot) in enumerate(rows):
        below = [row[k] for row in rows[k + 1 :]]
        if not all(map(finite, [pivot, *below])):
            return None
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
