"""What the comparison says: gains by ridge and by sampling with their intervals, two tables and three
panels.
"""

import numpy as np

from boundcheck.features.data import Sample
from boundcheck.report.findings import Curve, Panel

from .samplers import METHODS, Floats
from .table3 import MULTIPLES, OURS, RFF

T_95 = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}
"""The 97.5% quantile of Student's t for so many splits."""
NEAR = 2
"""Points of accuracy within which two runs of one experiment are taken to agree."""
ONE, OVER_S, OVER_SS, NONE, PRINTED = range(5)
"""Ridges: 1; 1 / s; 1 / s^2; the least of the paper's grid, 0.05; and 0.05 n, which is (8) at that lam."""


def ridges(n: int, s: int) -> tuple[float, ...]:
    """The five ridges r, in the order of their names above."""
    return (1.0, 1 / s, 1 / s**2, 0.05, 0.05 * n)


COLUMNS = {
    "plain, r = 1": ("RFF", ONE),
    "plain, r = 1 / s": ("RFF", OVER_S),
    "printed weights, r = 1": ("surrogate", OVER_S),
    "printed weights, r = 1 / s": ("surrogate", OVER_SS),
    "unbiased weights, r = 1": ("surrogate", ONE),
    "unbiased weights, r = 1 / s": ("surrogate", OVER_S),
    "plain, r = 0.05": ("RFF", NONE),
    "plain, r = 0.05 n": ("RFF", PRINTED),
}
"""Plain features, and Algorithm 1 with two kinds of weights: the sampler, and the ridge it is fitted at with
unbiased weights.
"""
OTHERS = {
    "QMC, r = 1": ("QMC", ONE),
    "leverage, unbiased, r = 1": ("leverage", ONE),
    "leverage, printed, r = 1": ("leverage", OVER_S),
}


def accuracy(rows: list[dict], column: tuple[str, int]) -> Floats:
    """Accuracies in %, splits x numbers of features."""
    method, ridge = column
    return numbers([r for r in rows if r["method"] == method], lambda r: r["accuracy"][ridge])


def of_sampler(rows: list[dict], method: str, key: str) -> Floats:
    """Kernel errors or seconds, splits x numbers of features."""
    return numbers([r for r in rows if r["method"] == method], lambda r: r[key])


def numbers(rows: list[dict], of) -> Floats:
    """One number of each row, splits x numbers of features; rows come by features, then by split."""
    splits = 1 + max(r["split"] for r in rows)
    return np.array([of(r) for r in rows]).reshape(-1, splits).T


def interval(x: Floats) -> tuple[Floats, Floats]:
    """Means over splits (axis 0), and half the widths of their 95% intervals of Student's t."""
    return x.mean(axis=0), T_95[len(x)] * x.std(axis=0, ddof=1) / np.sqrt(len(x))


def shown(x: Floats) -> str:
    """The mean of one number per split, and its interval."""
    mean, half = interval(x)
    return f"{mean:+.2f} ± {half:.2f}"


def verdict(whole: Floats, ridge: Floats, sampling: Floats) -> str:
    """What makes the gain, from gains per split: of all, of the ridge alone, of sampling at equal ridges."""
    (gain, half), (by_ridge, _), (by_sampling, wide) = interval(whole), interval(ridge), interval(sampling)
    if gain <= half:
        return "Algorithm 1 with printed weights gains nothing here"
    if by_sampling + wide < 0:
        return "the whole gain is due to the ridge, and leverage sampling takes some of it away"
    if by_sampling - wide <= 0:
        return "the gain is due to the ridge; that of leverage sampling cannot be told from 0"
    return "the gain is due to both" if by_ridge > 0 else "the gain is due to leverage sampling"


def name_in_paper(name: str) -> str | None:
    """How the paper writes the name of a data set, if it has the set."""
    return next((known for known in RFF if known.lower() == name.lower()), None)


def conclusions(name: str, rows: list[dict]) -> list[str]:
    """Sentences made of the numbers; gains are means over s, from 2 d on, in percentage points of
    accuracy.
    """
    plain, divided, printed, _, unbiased = (
        accuracy(rows, c)[:, 1:].mean(axis=1) for c in list(COLUMNS.values())[:5]
    )
    leverage = accuracy(rows, ("leverage", OVER_S))[:, 1:].mean(axis=1)
    lead = verdict(printed - plain, divided - plain, printed - divided)
    return [
        f"**Ridge or sampling: {lead}.** Against plain features at r = 1, Algorithm 1 with the weights as "
        f"printed gains {shown(printed - plain)} points; plain features at r = 1 / s, what those weights "
        f"amount to, gain {shown(divided - plain)}. At that equal ridge, leverage sampling makes "
        f"{shown(printed - divided)} points (that of Li et al. {shown(leverage - divided)}).",
        f"With unbiased weights Algorithm 1 makes {shown(unbiased - plain)} points against plain features "
        "at r = 1.",
        *against_the_paper(name_in_paper(name), rows),
        kernel_sentence(rows),
        time_sentence(rows),
        "Not known: what the code that Section 5 links does (it was not at hand), whether the authors' ridge has "
        "the n of (8), which lam cross-validation chose, and how outliers were treated. The splits share "
        "their examples: the intervals are about other splits of these data, not about other data. Unlike the "
        "paper, lam is not chosen by cross-validation.",
    ]


def against_the_paper(name: str | None, rows: list[dict]) -> list[str]:
    """How far our plain features are from both columns of Table 3, if it has the data set and the same
    numbers of features.
    """
    if not name or {r["multiple"] for r in rows} != set(MULTIPLES):
        return []
    sizes = len(RFF[name])  # covtype has the first few
    distance = [
        np.abs(accuracy(rows, COLUMNS[ours]).mean(axis=0)[:sizes] - source[name]).max()
        for ours, source in (("plain, r = 1", RFF), ("plain, r = 1 / s", OURS))
    ]
    least = accuracy(rows, COLUMNS["plain, r = 0.05 n"]).mean(axis=0)[sizes - 1]
    suffices = (
        "the factor s of (9) and (14) suffices for the gain of Table 3. That it made that gain is not shown; "
        "r = 1 was looked for, as the ridge where plain features come to the paper's RFF."
    )
    differs = "the factor s of (9) and (14) does not give the accuracies of Table 3 here."
    against = (
        ", which speaks against the n of (8) in the paper's runs" if abs(least - RFF[name][-1]) > NEAR else ""
    )
    return [
        f"Plain features at r = 1 are within {distance[0]:.1f} points of the paper's RFF at every s, plain "
        f"features at r = 1 / s within {distance[1]:.1f} points of the paper's own method: "
        f"{suffices if max(distance) <= NEAR else differs} At r = 0.05 n, the least ridge of (8) on the "
        f"paper's grid, they reach {least:.1f}% at the largest s, in the paper {RFF[name][-1]:.1f}%{against}."
    ]


def kernel_sentence(rows: list[dict]) -> str:
    """Which sampler has the least kernel error, and how that of the surrogate compares."""
    errors = {m: of_sampler(rows, m, "error").mean(axis=0) for m in METHODS}
    best = [min(METHODS, key=lambda m: errors[m][j]) for j in range(len(errors["RFF"]))]
    ratio = errors["surrogate"] / errors["RFF"]
    return (
        f"QMC has the least kernel error at {best.count('QMC')} of {len(best)} sizes; the surrogate's, with "
        f"unbiased weights, is {ratio.min():.1f} to {ratio.max():.1f} times that of plain features. With "
        "printed weights the kernel is s times too large."
    )


def time_sentence(rows: list[dict]) -> str:
    """Seconds of sampling at the largest s."""
    largest = ", ".join(f"{of_sampler(rows, m, 'seconds').mean(axis=0)[-1]:.2f} ({m})" for m in METHODS)
    return f"Seconds of sampling at the largest s: {largest}. QMC forms no features of the data."


def table(head: list[str], cells: list[list[str]]) -> str:
    """A Markdown table; cells by column."""
    lines = [head, ["---"] * len(head), *(list(row) for row in zip(*cells, strict=True))]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def with_intervals(x: Floats) -> list[str]:
    """Mean ± half the 95% interval, for each number of features."""
    return [f"{mean:.1f} ± {half:.1f}" for mean, half in zip(*interval(x), strict=True)]


def accuracy_table(name: str, rows: list[dict]) -> str:
    """Accuracies for each s, beside the rows of the paper if it has the data set."""
    multiples = sorted({r["multiple"] for r in rows})
    head, cells = ["s"], [[f"{m} d" for m in multiples]]
    known = name_in_paper(name)
    if known and tuple(multiples) == MULTIPLES:
        head += ["paper: RFF", "paper: ours"]
        cells += [
            [*(f"{x:.1f}" for x in source[known]), *[""] * (len(multiples) - len(source[known]))]
            for source in (RFF, OURS)
        ]
    chosen = {**COLUMNS, **OTHERS}
    return table([*head, *chosen], [*cells, *(with_intervals(accuracy(rows, c)) for c in chosen.values())])


def sampler_table(rows: list[dict]) -> str:
    """Kernel errors and seconds of each sampler."""
    sizes = sorted({r["s"] for r in rows})
    head = ["s", *(f"error, {m}" for m in METHODS), *(f"seconds, {m}" for m in METHODS)]
    cells = [
        [f"{x:.3f}" for x in of_sampler(rows, m, key).mean(axis=0)]
        for key in ("error", "seconds")
        for m in METHODS
    ]
    return table(head, [[str(s) for s in sizes], *cells])


def about_the_data(data: Sample) -> str:
    """Examples, columns and labels, and whether the paper has them."""
    n, d = data.X.shape
    cut = f"; labels are 1 where the target is above its median, {np.median(data.y):g}, else -1"
    foreign = (
        " The paper does not have these data, so that no cell of its Table 3 is beside these: they say where "
        "its comparison goes elsewhere, not whether it is right."
    )
    labels = cut if len(np.unique(data.y)) > 2 else ", two classes"
    return f"{n} examples with {d} columns{labels}." + ("" if name_in_paper(data.name) else foreign)


def markdown(data: Sample, clip: float, rows: list[dict]) -> str:
    """The report: conclusions, then two tables."""
    name, splits = data.name, 1 + max(r["split"] for r in rows)
    setting = (
        f"{about_the_data(data)} Accuracy in %, mean over {splits} random halves of all examples ± half the "
        f"95% interval of Student's t; kernel exp(-|x - x'|^2); columns clipped at the quantiles {clip:g} "
        f"and {1 - clip:g} and scaled to [0, 1]; ridge regression with Z^T Z + r I. Printed weights at r are "
        "unbiased weights at r / s. The frequencies are pairs (cos, sin)."
    )
    parts = [f"# Liu et al. 2020, Table 3 and Figure 1, on {name}", *conclusions(name, rows), setting]
    return "\n\n".join([*parts, accuracy_table(name, rows), sampler_table(rows)]) + "\n"


def panels(rows: list[dict]) -> list[Panel]:
    """Accuracy, kernel error and seconds against s."""
    sizes = sorted({r["s"] for r in rows})

    def band(label: str, column: tuple[str, int]) -> Curve:
        mean, half = interval(accuracy(rows, column))
        return Curve(label, sizes, mean.tolist(), (mean - half).tolist(), (mean + half).tolist())

    def curves(key: str) -> list[Curve]:
        return [Curve(m, sizes, of_sampler(rows, m, key).mean(axis=0).tolist()) for m in METHODS]

    return [
        Panel(
            "plain features and Algorithm 1",
            "s",
            "accuracy in %",
            [band(name, COLUMNS[name]) for name in list(COLUMNS)[:5]],
            "x",
        ),
        Panel("unbiased weights", "s", "kernel error", curves("error"), "xy"),
        Panel("sampling", "s", "seconds", curves("seconds"), "xy"),
    ]
