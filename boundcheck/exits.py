"""The exit codes, one meaning each, and what a command refuses."""

FINE = 0
"""Nothing that was asked about failed."""

WORSE = 1
"""A claim is refuted, or a verdict is worse than its baseline."""

USAGE = 2
"""Something was asked wrongly, or the text of a claim fails; the other claims are judged."""

UNDECIDED = 3
"""Something stays open where a decision was demanded."""

UNTRUSTWORTHY = 4
"""The engine contradicts itself; its verdicts count for nothing."""

NOTHING = 5
"""Nothing was selected."""

INTERRUPTED = 130
"""The user interrupted; what was done is kept."""

TERMINATED = 143
"""Something asked the run to end, as `timeout`, CI and docker do; what was done is kept."""


class Refused(Exception):
    """What a user can cause and mend: the message says how, `code` is that of a command that ends in it."""

    code = USAGE

    def _render_traceback_(self) -> list[str]:
        """What notebooks show of it: the sentence alone."""
        return [f"{type(self).__name__}: {self}"]


class Undecided(Refused):
    """What was asked for cannot be decided or done yet; the message says why."""

    code = UNDECIDED
