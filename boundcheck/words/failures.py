"""What a text that fails is told: what happened, in words, and what to write instead."""

from __future__ import annotations

import re
import traceback
from pathlib import Path

import numpy as np

ENGINE = Path(__file__).resolve().parents[1]

OUTSIDE = (
    r"^(math domain error|expected a .+|factorial\(\) not defined for .+"
    r"|[nk] must be a non-negative integer|isqrt\(\) argument must be nonnegative)$"
)
"""What functions of `math` say of numbers that they are not defined for."""

Rows = tuple[tuple[type[BaseException], str, str], ...]
"""A kind of error, a pattern of what it says, and what that is in words, with the groups of the pattern."""

UNDEFINED: Rows = (
    (ZeroDivisionError, "", "a division by zero"),
    (np.linalg.LinAlgError, "[Ss]ingular", "a matrix without an inverse"),
    (np.linalg.LinAlgError, "positive definite", "a matrix that is not positive definite"),
    (np.linalg.LinAlgError, "square", "a matrix that is not square"),
    (np.linalg.LinAlgError, "", "a matrix of which this is not computed"),
    (OverflowError, "NaN|infinity", "the whole part of what is not finite"),
    (ValueError, "cannot convert float NaN", "the whole part of what is not finite"),
    (OverflowError, "", "a number too large for floats"),
    (FloatingPointError, "", "a number that floats do not have"),
    (ValueError, OUTSIDE, "a number where a function of math is not defined"),
)  # fmt: skip
"""Where a statement has no value on an instance."""

FIT = "do not fit together; let their domains share a dimension"
ENOUGH = "let the domain have enough, or decide by an if before"
KINDS = "kinds that do not go together are computed with or compared; take numbers, arrays or random quantities"

FAILS: Rows = (
    (np.exceptions.AxisError, r"axis (-?\d+) .* dimension (\d+)", "there is no axis {0} in an array of {1} axes; count them from 0"),
    (IndexError, "valid indices", "this is no index; a table at a random place is q.map(lambda k: table[k]), a whole number is int(x)"),
    (IndexError, r"index (-?\d+) .* with size (\d+)", f"there is no entry {{0}} among {{1}}; {ENOUGH}"),
    (IndexError, "", f"there is no such entry; {ENOUGH}"),
    (KeyError, "(.*)", "a dictionary has no entry {0}; give it one, or decide by an if before"),
    (UnboundLocalError, "variable '(.*?)'", "'{0}' has no value on this way through the body; give it one before the if"),
    (NameError, "name '(.*?)'", "'{0}' is not defined; define it above, or import it"),
    (AttributeError, "attribute '(.*?)'", "nothing here has a .{0}; the methods that there are stand in docs/language.md"),
    (RecursionError, "", "a function calls itself too often; write a loop"),
    (AssertionError, "^$", "an assert fails; write assume(...) for a hypothesis"),
    (TypeError, "NoneType", "a function that returns nothing is computed with; end it with a return"),
    (TypeError, "'complex'", "complex numbers have no order; compare np.abs(z), np.real(z) or np.imag(z)"),
    (TypeError, "not iterable|has no len|not subscriptable", "one number is used as if it were several; give it an array"),
    (TypeError, "not callable", "something is called that is no function; a product is a * (b + c)"),
    (TypeError, "as an integer|must be integers", "a whole number is needed here; int(x), floor(x) and ceil(x) make one"),
    (TypeError, "0-dimensional|length-1|size-1", "functions of math take one number; take those of NumPy for arrays"),
    (TypeError, "unsupported operand|not supported|concatenate", KINDS),
    (TypeError, "argument", "a function is not called with its arguments; docs/language.md has those of each"),
    (ValueError, r"shapes? (\(.*?\)).*?(\(.*?\))", f"arrays of shapes {{0}} and {{1}} {FIT}"),
    (ValueError, r"size (\d+) is different from (\d+)", f"sizes {{1}} and {{0}} {FIT}"),
    (ValueError, "match exactly|same shape", f"arrays of these shapes {FIT}"),
    (ValueError, "zero-size array|empty sequence|argument is empty", f"there is no largest or smallest of no entries; {ENOUGH}"),
    (ValueError, "truth value of an array", "an array is neither true nor false; write np.all(...), np.any(...) or np.where(...)"),
    (ValueError, "values to unpack", "there are not as many values as names on the left; give each a name"),
    (SystemExit, "", "it ends the process; return a statement"),
)  # fmt: skip
"""Where a text is wrong, and what to write instead."""


def undefined(error: BaseException) -> str | None:
    """Why a statement has no value on an instance; None where the text is to blame."""
    return _found(UNDEFINED, error)


def told(error: BaseException) -> str:
    """One sentence on an error of a text: what happened, and what to write instead; ours says it by itself."""
    if words := undefined(error):
        return f"{words}; leave out such instances by assume(...)"
    text = _text(error)
    if _is_ours(error):
        return text
    saying = f' that says "{text}"' if text else ""
    return (
        _found(FAILS, error)
        or f"this line raises an error{saying}; leave out such instances by assume(...)"
    )


def _text(error: BaseException) -> str:
    return " ".join(str(error).split())


def _found(rows: Rows, error: BaseException) -> str | None:
    """The words of the first row that an error fits."""
    for kind, says, words in rows:
        if isinstance(error, kind) and (fits := re.search(says, _text(error))):
            return words.format(*fits.groups())
    return None


def _is_ours(error: BaseException) -> bool:
    """Whether boundcheck itself raised it, in words of its own."""
    if isinstance(error, RecursionError):  # it comes wherever the stack ends
        return False
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    file = frames[-1].f_code.co_filename if frames else ""
    return Path(file).resolve().is_relative_to(ENGINE)
