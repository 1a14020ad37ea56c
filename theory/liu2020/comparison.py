"""Table 3 and Figure 1 anew: is the gain of Algorithm 1 its sampling, or a ridge that its weights divide by
s?

    python -m theory.liu2020.comparison [DATA] [--target NAME] [--clip 0.001] [--splits 10] [--reports reports]

The weights of (9) and (14), as printed, make the kernel s times too large (liu2020.alg1.weights): ridge
regression at r is then that with unbiased weights at r / s. So each sampler is fitted once, with unbiased
weights, at several ridges r of Z^T Z + r I. The paper's (8) has r = n lam; r = 1, the largest lam of its grid
without the n, is where plain features come to the accuracy of its Table 3 on EEG. All examples are used, a
half to train on; the pool has l = s features, as in the paper.
"""

import json
import sys
from functools import partial
from pathlib import Path
from time import perf_counter

import click
import numpy as np

from boundcheck.commands import shell
from boundcheck.exits import Refused
from boundcheck.features.data import Sample, load
from boundcheck.features.kernels import Gaussian
from boundcheck.report import file_name
from boundcheck.report.findings import draw as draw_panels

from .classification import Task, accuracies, split
from .comparison_report import T_95, conclusions, markdown, panels, ridges
from .samplers import METHODS, Drawn, Floats, draw
from .table3 import MULTIPLES

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
    found = accuracies(
        drawn.features(task.X), task.y, drawn.features(task.X_test), task.y_test, ridges(len(task.y), s)
    )
    accuracy = [round(100 * float(share), 4) for share in found]
    return {
        "accuracy": accuracy,
        "error": round(kernel_error(task.X, drawn), 6),
        "seconds": round(seconds, 4),
    }


def run(data: Sample, clip: float, splits: int, multiples: tuple[int, ...] = MULTIPLES) -> list[dict]:
    """A row for each number of features, method and split."""
    rows = []
    for m in multiples:
        s = m * data.X.shape[1]
        for seed in range(splits):
            task = split(data, clip, seed)
            rows += [
                {"s": s, "multiple": m, "method": method, "split": seed, **one_fit(task, method, s, seed)}
                for method in METHODS
            ]
        print(f"s = {s}: done", file=sys.stderr, flush=True)
    return rows


@shell.command(help=(__doc__ or "").partition("\n\n")[0])
@shell.data("breast_cancer")
@shell.target
@click.option("--clip", default=0.001, help="Columns are clipped at this quantile and its mirror image.")
@click.option(
    "--splits", default=10, type=click.IntRange(min(T_95), max(T_95)), help="Random halves to train and test on."
)
@shell.reports
def main(data: str, target: str | None, clip: float, splits: int, reports: Path) -> None:
    loaded = load(data, target)
    if not 0 <= clip < 0.5:
        raise Refused("--clip wants a quantile from 0 up to 0.5.")
    name, rows = loaded.name, run(loaded, clip, splits)
    content = json.dumps({"data": name, "clip": clip, "rows": rows}) + "\n"
    texts = {".md": markdown(loaded, clip, rows), ".json": content}
    figure = partial(draw_panels, panels(rows), title=f"Liu et al. 2020 on {name}")
    shell.write_reports(reports, f"liu2020-comparison-{file_name(name)}", texts, figure)
    print("\n\n".join(conclusions(name, rows)))


if __name__ == "__main__":
    main()
