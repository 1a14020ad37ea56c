"""What is undecided until it is judged: it has no truth value, no length and no number, and is not run through."""

from __future__ import annotations

from typing import Any, NoReturn


class Undecided:
    """Python asks for a truth value in `if`, `and`, `max`, `sorted` and a <= b <= c, and for entries in `sum` and `for`.

    All of these end in one sentence of the class that says what to write instead: `truth` where a truth value, `entries`
    where entries, and `number` where a number is asked for.
    """

    truth: str
    entries: str
    number: str

    def __bool__(self) -> NoReturn:
        raise TypeError(self.truth)

    def __iter__(self) -> NoReturn:
        raise TypeError(self.entries)

    def __len__(self) -> NoReturn:
        raise TypeError(self.entries)

    def __contains__(self, _: Any) -> NoReturn:
        raise TypeError(self.entries)

    def __float__(self) -> NoReturn:
        raise TypeError(self.number)

    def __int__(self) -> NoReturn:
        raise TypeError(self.number)

    def __index__(self) -> NoReturn:
        raise TypeError(self.number)

    def __complex__(self) -> NoReturn:
        raise TypeError(self.number)
