"""Section 5, three ways: weights as printed, unbiased weights, and plain features at the ridge that printed weights amount to.

    python -m theory.liu2020.comparison [DATA] [--target NAME] [--clip 0.001] [--out reports]

The weights of (9) and (14), as printed, make the kernel s times too large (liu2020.alg1.weights): ridge regression with lam is then
that with unbiased weights and lam / s. So each sampler is fitted once, at the paper's grid of lam and at that grid over s. Inputs are
clipped to quantiles and scaled to [0, 1]^d: EEG has gross outliers, and without clipping all other inputs nearly coincide. Unlike
the paper: at most TRAIN training and TEST test examples, SEEDS splits instead of 10. The pool has l = s features, as in the paper.
"""

import argparse
import json
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

from boundcheck.data import DataError, DataSet, load
from boundcheck.plots import Curve, Panel
from boundcheck.plots import draw as draw_panels
from theory.liu2020.classification import LAMS, Task, chosen_accuracy, split
from theory.liu2020.samplers import METHODS, Drawn, Floats, draw
from theory.liu2020.table3 import RFF

MULTIPLES = (1, 2, 4, 8, 16, 32, 64, 128)
TRAIN, TEST, SEEDS, KERNEL_POINTS = 1000, 3000, 3, 500


def kernel_error(X: Floats, drawn: Drawn) -> float:
    """||K - Z Z^T|| / ||K|| on at most KERNEL_POINTS inputs, with unbiased weights."""
    X = X[:KERNEL_POINTS]
    squares = np.sum(X * X, axis=1)
    K = np.exp(-np.maximum(squares[:, None] + squares - 2 * X @ X.T, 0))
    Z = drawn.features(X)
    return float(np.abs(np.linalg.eigvalsh(K - Z @ Z.T)).max() / np.linalg.eigvalsh(K)[-1])


def one_fit(task: Task, method: str, s: int, seed: int) -> dict[str, float]:
    """Accuracy at the grid and at the grid over s, the ridges chosen, the kernel error, and the seconds that sampling took."""
    rng = np.random.default_rng([seed, s, METHODS.index(method)])
    start = perf_counter()
    drawn = draw(method, task.X, task.y, s, rng)
    seconds = perf_counter() - start
    grids = [LAMS, tuple(lam / s for lam in LAMS)]
    (lam, plain), (over, divided) = chosen_accuracy(drawn.features(task.X), drawn.features(task.X_test), task, grids)
    error = kernel_error(task.X, drawn)
    return {"lam": lam, "accuracy": plain, "lam_over_s": over, "accuracy_over_s": divided, "error": error, "seconds": seconds}


def run(data: DataSet, clip: float, multiples: tuple[int, ...] = MULTIPLES, seeds: int = SEEDS) -> list[dict]:
    """A row for each number of features and method: means over the seeds, and deviations of the accuracies."""
    rows = []
    for m in multiples:
        s = m * data.X.shape[1]
        for method in METHODS:
            fits = [one_fit(split(data, clip, (TRAIN, TEST), seed), method, s, seed) for seed in range(seeds)]
            mean = {key: float(np.mean([f[key] for f in fits])) for key in fits[0]}
            sd = {f"sd_{key}": float(np.std([f[key] for f in fits], ddof=1)) for key in ("accuracy", "accuracy_over_s")}
            rows.append({"s": s, "multiple": m, "method": method, **mean, **sd})
        print(f"s = {s}: done", file=sys.stderr, flush=True)
    return rows


def column(rows: list[dict], method: str, key: str) -> Floats:
    """One number of a method for each s."""
    return np.array([r[key] for r in rows if r["method"] == method])


def conclusions(rows: list[dict]) -> list[str]:
    """Sentences made of the numbers; gains are means over s, from 2 d on, in percentage points of accuracy."""

    def points(method: str, key: str) -> Floats:
        return 100 * column(rows, method, key)[1:]

    base, divided = points("RFF", "accuracy"), points("RFF", "accuracy_over_s")
    printed, unbiased = points("surrogate", "accuracy_over_s"), points("surrogate", "accuracy") - base
    leverage = points("leverage", "accuracy_over_s") - base, points("leverage", "accuracy") - base
    gain, ridge, sampling = printed - base, divided - base, printed - divided
    due = "to the ridge" if ridge.mean() > 3 * abs(sampling.mean()) else "to both" if gain.mean() > 0 else "to neither"
    return [
        f"The surrogate with printed weights is {span(gain)} points against RFF at the same lam (paper, EEG: +1 to nearly +11); leverage "
        f"with printed weights {span(leverage[0])}.",
        f"RFF at lam / s, what printed weights amount to, is {span(ridge)} against RFF at lam; the surrogate with printed weights is "
        f"{span(sampling)} against that: the gain here is due {due}.",
        f"With unbiased weights, at the same lam, the surrogate is {span(unbiased)} against RFF, leverage {span(leverage[1])}.",
        f"RFF at lam is {100 * column(rows, 'RFF', 'accuracy')[-1]:.1f}% right at the largest s (paper, EEG: {RFF['EEG'][-1]:.1f}%). Where "
        "these differ, ridge or normalisation are not the paper's, and only differences between samplers at equal ridges carry over.",
        *kernel_sentences(rows),
        time_sentence(rows),
    ]


def span(x: Floats) -> str:
    """Mean and range over s."""
    return f"{x.mean():+.1f} ({x.min():+.1f} to {x.max():+.1f})"


def time_sentence(rows: list[dict]) -> str:
    """How sampling time grows, from 4 d on, and what it is at the largest s."""

    def slope(method: str) -> float:
        s, seconds = column(rows, method, "s")[2:], column(rows, method, "seconds")[2:]
        return float(np.polyfit(np.log(s), np.log(seconds), 1)[0])

    slopes = ", ".join(f"{slope(m):.1f} ({m})" for m in METHODS)
    largest = ", ".join(f"{column(rows, m, 'seconds')[-1]:.2f} ({m})" for m in METHODS)
    return f"Seconds of sampling grow like s to the power {slopes}; at the largest s they are {largest}. QMC forms no features of the data."


def kernel_sentences(rows: list[dict]) -> list[str]:
    """Which sampler has the least kernel error."""
    errors = {m: column(rows, m, "error") for m in METHODS}
    best = [min(METHODS, key=lambda m: errors[m][j]) for j in range(len(errors["RFF"]))]
    ratio = errors["surrogate"] / errors["RFF"]
    return [
        f"QMC has the least kernel error at {best.count('QMC')} of {len(best)} sizes; the surrogate's, with unbiased weights, is "
        f"{ratio.min():.1f} to {ratio.max():.1f} times that of RFF. With printed weights the kernel is s times too large.",
    ]


def markdown(name: str, clip: float, rows: list[dict]) -> str:
    """The report: conclusions, then a table."""
    head = "| s | method | at lam | at lam / s (as printed) | kernel error | seconds |\n| --- | --- | --- | --- | --- | --- |\n"
    lines = [
        f"| {r['s']} | {r['method']} | {100 * r['accuracy']:.1f} ± {100 * r['sd_accuracy']:.1f} | "
        f"{100 * r['accuracy_over_s']:.1f} ± {100 * r['sd_accuracy_over_s']:.1f} | {r['error']:.3f} | {r['seconds']:.3f} |"
        for r in rows
    ]
    setting = (
        f"Accuracy in %, mean ± deviation over {SEEDS} splits; kernel exp(-|x - x'|^2), columns clipped at the quantiles {clip:g} and "
        f"{1 - clip:g} and scaled to [0, 1]; at most {TRAIN} training examples; lam from {LAMS} by 5-fold cross-validation."
    )
    return "\n\n".join([f"# Liu et al. 2020, Section 5, on {name}", setting, *conclusions(rows), head + "\n".join(lines)]) + "\n"


def panels(rows: list[dict]) -> list[Panel]:
    """Accuracy at lam and at lam / s, kernel error and seconds, all against s."""

    def curves(key: str) -> list[Curve]:
        return [Curve(m, column(rows, m, "s").tolist(), column(rows, m, key).tolist()) for m in METHODS]

    return [
        Panel("unbiased weights, lam", "s", "accuracy", curves("accuracy"), "x"),
        Panel("printed weights, or lam / s", "s", "accuracy", curves("accuracy_over_s"), "x"),
        Panel("unbiased weights", "s", "kernel error", curves("error"), "xy"),
        Panel("sampling", "s", "seconds", curves("seconds"), "xy"),
    ]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m theory.liu2020.comparison", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", nargs="?", default="breast_cancer", help="a path, or the name of a bundled data set")
    parser.add_argument("--target", help="the column with the labels; the last one if not given")
    parser.add_argument("--clip", default=0.001, type=float, help="columns are clipped at this quantile and its mirror image")
    parser.add_argument("--out", default="reports", type=Path)
    given = parser.parse_args(argv)
    try:
        data = load(given.data, given.target)
        given.out.mkdir(parents=True, exist_ok=True)
        if not 0 <= given.clip < 0.5:
            raise DataError("--clip wants a quantile from 0 up to 0.5.")
    except (DataError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    rows = run(data, given.clip)
    stem = given.out / f"liu2020-comparison-{data.name}"
    stem.with_suffix(".md").write_text(markdown(data.name, given.clip, rows), encoding="utf-8")
    stem.with_suffix(".json").write_text(json.dumps({"data": data.name, "clip": given.clip, "rows": rows}, indent=1), encoding="utf-8")
    draw_panels(panels(rows), stem.with_suffix(".svg"), f"Liu et al. 2020 on {data.name}")
    print("\n".join(conclusions(rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
