"""Section 5: learning curves on the four squares beside the bound of Theorem 3, `python -m
theory.yashima2021.experiment`.
"""

from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from boundcheck.commands import shell
from boundcheck.exits import Refused
from boundcheck.report.findings import Curve, Finding, Panel

from ..experiment import record
from .squares import NOISE, Squares, Training, population_minimiser

MARGIN = np.log((1 - NOISE) / NOISE)
"""m(delta) = log((1 + 2 delta) / (1 - 2 delta)) at delta = 0.3."""


@dataclass(frozen=True)
class Learned:
    """What one model learned: its name, features (0: the kernel), runs, and per number of steps means and
    deviations.
    """

    name: str
    M: int
    runs: int
    excess: list[float]
    excess_sd: list[float]
    loss: list[float]
    loss_sd: list[float]
    exact: float

    def updates_until(self, error: float, steps: np.ndarray) -> int | None:
        """Updates after which the mean excess error is at most `error`, to the last recorded number of steps;
        None if never.
        """
        above = [i for i, e in enumerate(self.excess) if e > error]
        first = above[-1] + 1 if above else 0
        return int(self.updates(steps)[first]) if first < len(steps) else None

    def updates(self, steps: np.ndarray) -> np.ndarray:
        """Coefficients touched until each number of steps, as Figure 4 counts them."""
        return self.M * steps if self.M else steps * (steps + 1) // 2


def bound(steps: np.ndarray, lam: float, gamma: float) -> np.ndarray:
    """2 exp(-lam^2 (2 gamma + t) m^2 / (2^12 9 G^2 R^4)) with G = R = 1."""
    return 2 * np.exp(-(lam**2) * (2 * gamma + steps) * MARGIN**2 / (2**12 * 9))


def learn(training: Training, M: int, runs: int, seed: int) -> Learned:
    """Train one model `runs` times; run r sees the same examples whatever the model."""
    squares, excess, loss = Squares(), [], []
    for run in range(runs):
        X, y = squares.sample(int(training.steps[-1]), np.random.default_rng([seed, run]))
        if M:
            W = training.frequencies(M, np.random.default_rng([seed, run, M]))
            g = training.on_features(X, y, W, squares.axis)
        else:
            g = training.on_kernel(X, y, squares.axis)
        excess.append(squares.excess_error(g))
        loss.append(squares.loss(g))
    e, v = np.array(excess), np.array(loss)
    exact, name = float((e[:, -1] == 0).mean()), f"M = {M}" if M else "kernel"
    return Learned(
        name, M, runs, e.mean(0).tolist(), e.std(0).tolist(), v.mean(0).tolist(), v.std(0).tolist(), exact
    )


def panels(models: list[Learned], training: Training) -> list[Panel]:
    """Excess error against steps with the bound, excess error against updates, loss against steps."""
    steps = training.steps
    limit = Curve(
        "Theorem 3", steps.tolist(), bound(steps, training.lam, training.gamma).tolist(), style="k--"
    )
    errors = [Curve(m.name, steps.tolist(), _shown(m.excess)) for m in models]
    updates = [Curve(m.name, m.updates(steps).tolist(), _shown(m.excess)) for m in models]
    bands = [Curve(m.name, steps.tolist(), m.loss, _shifted(m, -1), _shifted(m, 1)) for m in models]
    return [
        Panel("Figures 2, 3: excess error", "steps", "excess error (mean)", [limit, *errors], "xy"),
        Panel(
            "Figure 4: the same by updates", "updates of coefficients", "excess error (mean)", updates, "xy"
        ),
        Panel("Figure 2: loss", "steps", "expected loss", bands, "x"),
    ]


def _shifted(model: Learned, sign: int) -> list[float]:
    """The mean loss and a deviation of a run."""
    return (np.array(model.loss) + sign * np.array(model.loss_sd)).tolist()


def _shown(values: list[float]) -> list[float]:
    """Zeros are left out of logarithmic axes."""
    return [x if x > 0 else float("nan") for x in values]


def sentences(models: list[Learned], training: Training, distance: float) -> list[str]:
    """What the numbers say."""
    steps, lam, gamma = training.steps, training.lam, training.gamma
    last = float(bound(steps[-1:], lam, gamma)[0])
    needed = np.log(2 / (1 - 2 * NOISE)) * 2**12 * 9 / (lam * MARGIN) ** 2 - 2 * gamma
    burn_in = 36 * 64 / (lam * MARGIN) ** 2 - 2 * gamma
    small = "small enough" if distance <= MARGIN / 2 else "not small enough"
    reached = [
        f"{m.name}: {m.excess[-1]:.2g} ({100 * m.exact:.0f}% of {m.runs} runs without an error on the grid)"
        for m in models
    ]
    counts = [(m.name, m.updates_until(0.001, steps)) for m in models]
    counted = "; ".join(f"{name}: {'never' if count is None else f'{count:.2g}'}" for name, count in counts)
    return [
        f"After {steps[-1]} steps the mean excess error is " + "; ".join(reached) + ".",
        f"Updates until the mean excess error stays at most 0.001: {counted}.",
        _error_and_loss(max(models, key=lambda m: m.M), steps),
        f"The bound of Theorem 3 is {last:.6f} there; no classifier has an excess error above "
        f"{1 - 2 * NOISE:.1f}.",
        f"It falls below that after {needed:.3g} steps, and its condition on T holds from {burn_in:.3g} "
        "steps on.",
        f"sup |g_lam - g_*| = {distance:.3f} on the grid against m / 2 = {MARGIN / 2:.3f}: lam = {lam:g} is "
        f"{small} for Proposition 4.",
        f"eta_1 = {2 / (lam * (gamma + 1)):.3f} against 1 / (L R^2) = 4 with R = 1, and 2 with features "
        "sqrt(2) cos(w^T x + b).",
    ]


def _error_and_loss(model: Learned, steps: np.ndarray) -> str:
    """How far the excess error falls in the last nine tenths of the steps, and how far the excess loss."""
    first, best = (
        int(np.searchsorted(steps, steps[-1] / 10)),
        -NOISE * np.log(NOISE) - (1 - NOISE) * np.log(1 - NOISE),
    )
    errors, losses = (
        [values[first] - least, values[-1] - least]
        for values, least in ((model.excess, 0.0), (model.loss, best))
    )
    fall = (
        f"the excess error falls from {errors[0]:.2g} to {errors[1]:.2g}, the excess loss from "
        f"{losses[0]:.2g} to {losses[1]:.2g}"
    )
    return f"With {model.name}, from {steps[first]} to {steps[-1]} steps {fall}."


def table(models: list[Learned], training: Training) -> Finding:
    """Mean excess error, its deviation from run to run and mean loss of every model, beside the bound."""
    columns = [column for m in models for column in (m.name, "sd", "loss")]
    curves = [curve for m in models for curve in (m.excess, m.excess_sd, m.loss)]
    limit = bound(training.steps, training.lam, training.gamma).tolist()
    setting = f"sigma = {training.sigma:g}, lam = {training.lam:g}, gamma = {training.gamma:g}"
    title = f"Yashima, Nitanda and Suzuki (2021), Section 5: mean excess error, {setting}"
    rows = list(zip(training.steps.tolist(), *curves, limit, strict=True))
    return Finding(
        title,
        ("steps", *columns, "Theorem 3"),
        rows,
        " ".join(sentences(models, training, _distance(training))),
    )


def _distance(training: Training) -> float:
    squares = Squares(cells=20)
    return float(
        np.abs(population_minimiser(squares, training.sigma, training.lam) - MARGIN * squares.side).max()
    )


@shell.command(help=__doc__)
@click.option("--runs", default=100, help="Runs of each model (the paper: 100).")
@click.option("--steps", default=12_000, help="Steps of a run (the paper: 12000).")
@click.option("--features", type=shell.Sizes(), default="100,200,500,1000", help="Numbers of features M.")
@click.option("--sigma", default=0.1, help="Width of the Gaussian kernel, which the paper does not say.")
@shell.seed("Of the data and of the features.")
@shell.reports
def main(runs: int, steps: int, features: tuple[int, ...], sigma: float, seed: int, reports: Path) -> None:
    if min(runs, steps) < 1 or not 0 < sigma < np.inf:
        raise Refused("Runs and steps are at least 1, and sigma is a positive number.")
    at = np.unique(np.geomspace(min(10, steps), steps, 28).astype(int))
    training = Training(sigma, 0.001, 500.0, at)
    models = [learn(training, M, runs, seed) for M in (*features, 0)]
    record(reports, "yashima2021-experiment", table(models, training), panels(models, training))


if __name__ == "__main__":
    main()
