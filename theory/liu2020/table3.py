"""Table 3 as far as it can be told apart: accuracies and sampling times by data set, and what
Section 5.2 says of them.

The rows of the text at hand repeat and shift the cells of leverage-RFF and of the surrogate. Each method's
time about doubles from row to row, which puts its cells in order; of leverage-RFF only the times at the
largest s are used.
"""

from boundcheck import at_most
from boundcheck.report.findings import Finding

from . import paper

MULTIPLES = (1, 2, 4, 8, 16, 32, 64, 128)
RFF = {
    "EEG": (68.45, 71.44, 74.70, 76.96, 78.54, 78.96, 79.97, 79.79),
    "cod-RNA": (87.02, 87.12, 87.19, 87.27, 87.29, 87.27, 87.30, 87.30),
    "covtype": (73.70, 77.09, 79.10, 81.04, 82.42),
    "magic04": (73.62, 75.89, 77.78, 78.97, 80.04, 80.61, 80.91, 81.10),
}
QMC = {
    "EEG": (67.83, 70.89, 74.66, 77.01, 78.71, 78.83, 79.71, 79.51),
    "cod-RNA": (87.20, 87.65, 87.44, 87.29, 87.30, 87.33, 87.32, 87.32),
    "covtype": (74.71, 77.04, 79.07, 80.90, 82.37),
    "magic04": (71.74, 75.98, 77.27, 79.07, 79.95, 80.65, 80.85, 81.08),
}
OURS = {
    "EEG": (68.62, 72.72, 79.72, 84.97, 87.23, 89.38, 90.36, 91.02),
    "cod-RNA": (89.64, 90.12, 92.83, 93.49, 93.74, 93.71, 93.99, 93.48),
    "covtype": (73.99, 77.02, 79.05, 80.79, 82.18),
    "magic04": (73.61, 75.88, 77.77, 79.12, 80.74, 82.02, 82.37, 82.55),
}
SECONDS = {
    "EEG": (0.82, 3.91, 0.96),
    "cod-RNA": (6.79, 13.3, 7.78),
    "covtype": (24.5, 46.5, 28.6),
    "magic04": (0.73, 2.61, 0.87),
}
"""RFF, leverage-RFF and ours at the largest s."""


def gains(name: str) -> list[float]:
    """Ours less the better of RFF and QMC, in points, for each s."""
    return [
        round(ours - max(rff, qmc), 2)
        for rff, qmc, ours in zip(RFF[name], QMC[name], OURS[name], strict=True)
    ]


def against_the_text() -> Finding:
    """Gains at each s, beside what the text says of them."""
    rows = [(name, *gains(name), *[""] * (len(MULTIPLES) - len(gains(name)))) for name in RFF]
    eeg, rna = gains("EEG")[1:], gains("cod-RNA")[2:]
    below = [f"{m}d" for m, gain in zip(MULTIPLES[2:], rna, strict=True) if gain <= 6]
    remark = (
        f"'Around 1% to nearly 11%' on EEG from s = 2d on: {min(eeg)} to {max(eeg)}. 'Over 6% when s >= 4d' "
        f"on cod-RNA: not at s = {', '.join(below) or 'none'}, {min(rna)} to {max(rna)}. 'Similar' on "
        f"covtype: {min(gains('covtype'))} to {max(gains('covtype'))}. Better 'if more random features "
        f"are considered' on magic04: {gains('magic04')[-1]} at the largest s."
    )
    return Finding(
        "Table 3: ours less the better of RFF and QMC", ("data", *(f"{m}d" for m in MULTIPLES)), rows, remark
    )


@paper.row("table3.text.explicit", section="Section 5.2")
def gains_on_cod_rna():
    """On cod-RNA RFF and QMC are worse by over 6 percentage points for all s >= 4 d of Table 3.

    A reading: the cells of the text at hand are shifted; those of the paper's own method are told apart by
    their times. As a share of the accuracy of RFF and QMC the gain is over 6%, and the sentence is right.
    """
    ours, others = OURS["cod-RNA"], zip(RFF["cod-RNA"], QMC["cod-RNA"], strict=True)
    return [at_most(6, mine - max(other)) for mine, other in list(zip(ours, others, strict=True))[2:]]


@paper.row("table3.text.repaired", section="Section 5.2", repairs="table3.text.explicit")
def gains_on_cod_rna_repaired():
    """On cod-RNA RFF and QMC are worse than the method by over 5 points for all s >= 4 d of Table 3, as far as
    its cells can be told apart, and by over 6 for s >= 8 d.
    """
    ours, others = OURS["cod-RNA"], zip(RFF["cod-RNA"], QMC["cod-RNA"], strict=True)
    gains = [mine - max(other) for mine, other in zip(ours, others, strict=True)]
    return [at_most(5, gains[2]), *(at_most(6, gain) for gain in gains[3:])]


def times() -> Finding:
    """Sampling times at the largest s, beside 'about the similar time' and 'a substantial computational saving'."""
    rows = [(name, *t, t[2] / t[0], t[1] / t[2]) for name, t in SECONDS.items()]
    remark = (
        f"Ours takes {min(r[4] for r in rows):.2f} to {max(r[4] for r in rows):.2f} times as long as RFF; "
        f"leverage-RFF {min(r[5] for r in rows):.1f} to {max(r[5] for r in rows):.1f} times as long as ours."
    )
    columns = ("data", "RFF, seconds", "leverage-RFF", "ours", "ours / RFF", "leverage-RFF / ours")
    return Finding("Table 3: times at the largest s", columns, rows, remark)
