"""All numbers that somebody chose: what is refused, what work costs, and where exact arithmetic gives way to balls.

None of them decides what is true. A smaller limit refuses more; a wrong price lets a file take longer or refuses it
sooner; a lower threshold makes wider balls, which decide less.
"""

# precision
# ---------

# Bits of balls, one after the other until a refutation is decided: twice a double's, then doubling; the last tells
# numbers apart that agree to 900 digits, and a tie of plain numbers still ends within its work.
PRECISIONS = (106, 212, 424, 1000, 3000)

# Of enclosures on boxes, which are far wider than rounding: a double's, and 27 more for long programs.
BITS = 80

# Rationals with numerators or denominators beyond so many bits become balls of the current precision: there are more
# digits than the last precision has. `python -m pytest tests/certificates/test_work.py` has what it keeps short.
HEIGHT = 4000

# Elimination is exact for matrices of so few rows with entries of so few bits; beyond, balls of 212 bits are faster
# than the growing fractions. Eigenvalues are roots of an exact polynomial up to BLOCK_SIDE rows, where multiple ones
# come out equal. Times by size: `python -m benchmarks.prices`.
EXACT_SIDE, EXACT_HEIGHT, BLOCK_SIDE = 24, 200, 8

# Binomial coefficients of more trials have hundreds of digits each; their ratios are taken, in balls.
EXACT_BINOMIALS = 1000

# Sides of a refutation are told with as many digits as a double has; near 1, where what is lacking counts, with more.
DIGITS, MANY_DIGITS, WIDE = 17, 40, 212

# work: the unit is about a microsecond, and `python -m benchmarks.prices` measures the prices
# -----------------------------------------------------------------------------------------------------------

# A certificate is recomputed within seconds on any machine: work is counted, never timed.
MOST = 4_500_000

# Of a node that is written as instructions, which are run later.
WRITING = 10

# Of a node that is computed, a matrix of a batch, an event or hypothesis, and an eigenbasis, besides their entries.
NODE, MATRIX, EVENT, BASIS = 40, 30, 20, 200

# Of an instruction on a box: its value, and its slope in one coordinate.
STEP, SLOPE = 0.5, 3.0

# Of a byte that is read.
READING = 0.2

# sizes: memory and recursion, which work does not bound before they are there
# ---------------------------------------------------------------------------------

# Bytes of a file, and of a part of it that is unpacked: parts may be small where what they hold is not.
LARGEST_FILE, LARGEST_PART = 20_000_000, 4_000_000

# Entries of one array, and of all nodes together: each is an object of Python.
LARGEST, MOST_ENTRIES = 4_000_000, 20_000_000

# As NumPy has it up to version 1.
MOST_AXES = 32

MOST_NODES = 100_000

# Digits of a number, and of an integer of JSON: Python reads them in the square of their number.
LONGEST_NUMBER, LONGEST_INTEGER = 20_000, 1000

# Events inside events, and instructions inside instructions that are compared part by part: Python's recursion.
DEEPEST_EVENT, DEEPEST = 50, 40

# Instructions of the scalar code of a proof: boxes go through all of them again and again.
MOST_INSTRUCTIONS = 6000

# Trials of a binomial law whose weights are powers, and of one whose weights are ratios, which take balls alone.
LARGEST_POPULATION, LARGEST_BINOMIAL = 20_000, 200_000

# Features that are drawn for a spectral deviation.
MOST_DRAWS = 100_000

# The points of a rule for moments grow as a power of its degree.
MOST_DEGREE = 24

# Recorded trials; the sizes of a rate, whose power as many as they are is taken; a seed as NumPy takes it.
MOST_TRIALS, MOST_SIZES = 10**10, 100
LARGEST_SEED, LONGEST_SEED = 2**128, 20

# Normal forms: instructions of a number that is written by its roots and logarithms, not by its ball; roots of an
# input that are one variable; the highest power, for a polynomial has as many terms.
MOST_NUMBERS, MOST_FOLDS, LARGEST_POWER = 40, 12, 40

# A line of a terminal, for the file may say anything.
LONGEST_LINE = 1000

# theorems of Rocq
# ----------------

# Bits of the bounds of names: the first is enough for most; `interval` has SPARE more of its own.
ROCQ_BITS, SPARE = (100, 300), 40

# Names that a file has, and atoms whose weights one of them adds up: coqc takes minutes beyond (`boundcheck formalize
# reports/certificates/*.json --check` says how long each took).
MOST_TERMS, CHUNK = 2500, 12

# Rows of a determinant that is written out: Leibniz' sum of five has 120 products of names.
MOST_LEIBNIZ = 4

# Bits of rationals that names are proved equal to, digits that are written in decimals (coqc reads decimals in the
# square of their number), and the binary exponent of a bound.
LONGEST, LONGEST_DECIMAL, LARGEST_EXPONENT = 1200, 60, 4000
