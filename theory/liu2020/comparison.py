"""Table 3 and Figure 1 anew: is the gain of Algorithm 1 due to its sampling, or to a ridge that its weights divide by s?

    python -m theory.liu2020.comparison [DATA] [--target NAME] [--clip 0.001] [--splits 10] [--out reports]

The weights of (9) and (14), as printed, make the kernel s times too large (liu2020.alg1.weights): ridge regression at r is then that
with unbiased weights at r / s. So each sampler is fitted once, with unbiased weights, at several ridges r of Z^T Z + r I. The paper's
(8) has r = n lam; r = 1, the largest lam of its grid without the n, is where plain features come to the accuracy of its Table 3.
All examples are used, a half to train on; the pool has l = s features, as in the paper.
"""

import argparse
import json
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

from boundcheck.data import DataError, DataSet, load
from boundcheck.features.kernels import Gaussian
from boundcheck.report.plots import draw as draw_panels
from theory.liu2020.classification import Task, accuracies, split
from theory.liu2020.comparison_report import T_95, conclusions, markdown, panels, ridges
from theory.liu2020.samplers import METHODS, Drawn, Floats, draw
from theory.liu2020.table3 import MULTIPLES

KERNEL_POINTS = 1000


def kernel_error(X: Floats, drawn: Drawn) -> float:
    """||K - Z Z^T|| / ||K|| on at most KERNEL_POINTS inputs, with unbiased weights."""
    X = X[:KERNEL_POINTS]
    K, Z = Gaussian(0.5**0.5).matrix(X, X), drawn.features(X)
    return float(np.abs(np.linalg.eigvalsh(K - Z @ Z.T)).max() / np.linalg.norm(K, 2))


def one_fit(task: Task, method: str, s: int, seed: int) -> dict:
    """The accuracy in % at each of the ridges, the kernel error, and the seconds that sampling took."""
    rng = np.random.default_rng([seed, s, METHODS.index(method)])
    start = perf_counter()
    drawn = draw(method, task.X, task.y, s, rng)
    seconds = perf_counter() - start
    found = accuracies(drawn.features(task.X), task.y, drawn.features(task.X_test), task.y_test, ridges(len(task.y), s))
    accuracy = [round(100 * float(share), 4) for share in found]
    return {"accuracy": accuracy, "error": round(kernel_error(task.X, drawn), 6), "seconds": round(seconds, 4)}


def run(data: DataSet, clip: float, splits: int, multiples: tuple[int, ...] = MULTIPLES) -> list[dict]:
    """A row for each number of features, method and split."""
    rows = []
    for m in multiples:
        s = m * data.X.shape[1]
        for seed in range(splits):
            task = split(data, clip, seed)
            rows += [{"s": s, "multiple": m, "method": method, "split": seed, **one_fit(task, method, s, seed)} for method in METHODS]
        print(f"s = {s}: done", file=sys.stderr, flush=True)
    return rows


def options_of(argv: list[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m theory.liu2020.comparison", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", nargs="?", default="breast_cancer", help="a path, or the name of a bundled data set")
    parser.add_argument("--target", help="the column with the labels; the last one if not given")
    parser.add_argument("--clip", default=0.001, type=float, help="columns are clipped at this quantile and its mirror image")
    parser.add_argument("--splits", default=10, type=int, choices=sorted(T_95), help="random halves to train and test on")
    parser.add_argument("--out", default="reports", type=Path)
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    given = options_of(argv)
    try:
        data = load(given.data, given.target)
        given.out.mkdir(parents=True, exist_ok=True)
        if not 0 <= given.clip < 0.5:
            raise DataError("--clip wants a quantile from 0 up to 0.5.")
    except (DataError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    rows = run(data, given.clip, given.splits)
    stem = given.out / f"liu2020-comparison-{data.name}"
    stem.with_suffix(".md").write_text(markdown(data.name, given.clip, rows), encoding="utf-8")
    stem.with_suffix(".json").write_text(json.dumps({"data": data.name, "clip": given.clip, "rows": rows}) + "\n", encoding="utf-8")
    draw_panels(panels(rows), stem.with_suffix(".svg"), f"Liu et al. 2020 on {data.name}")
    print("\n\n".join(conclusions(data.name, rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
