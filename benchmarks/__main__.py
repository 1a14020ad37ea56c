"""`python -m benchmarks`: the table of ratios, growth, scaling and start-up, each part in processes of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click

from benchmarks import report

ONE_THREAD = {name: "1" for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "JAX_ENABLE_X64")}
ENVIRONMENT = {**os.environ, **ONE_THREAD, "JAX_PLATFORMS": "cpu"}  # read before NumPy is loaded, so set for the child
TASKS = (
    "fourier_features gaussian_kernel laplace_kernel audit_trial leverage_scores bernstein random_ridge "
    "averaged_sgd max_count_tail population_looks population_gradients verdict_on_matrices verdict_on_vectors verdict_on_a_tail"
).split()
PARTS = ("growth", "scaling", "startup")


@click.command()
@click.option("--only", multiple=True, type=click.Choice([*TASKS, *PARTS]), help="This part only; may be repeated.")
@click.option("--quick", is_flag=True, help="Small sizes and few rounds: does it run at all?")
@click.option("--rounds", type=click.IntRange(min=1), help="Interleaved rounds of each task.  [default: 9, quick: 3]")
@click.option("-o", "markdown", type=click.Path(path_type=Path), help="Write the tables as Markdown.")
@click.option("--json", "data", type=click.Path(path_type=Path), help="Write all numbers as JSON.")
def main(only: tuple[str, ...], quick: bool, rounds: int | None, markdown: Path | None, data: Path | None) -> None:
    """Compare boundcheck with NumPy, scikit-learn, JAX and PyTorch by CPU time, one thread each."""
    chosen, flags = only or (*TASKS, *PARTS), ["--quick"] if quick else []
    ratios: list[dict[str, Any]] = []
    results: dict[str, Any] = {"machine": child("machine"), "ratios": ratios}
    for key in [key for key in TASKS if key in chosen]:
        ratios.append(child("child", key, str(rounds or (3 if quick else 9)), *flags))
        click.echo(report.line(ratios[-1]))
    for part in [part for part in PARTS if part in chosen]:
        results[part] = child(part, *flags)
        click.echo(report.PARTS[part](results[part]))
    if data:
        data.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    if markdown:
        markdown.write_text(report.markdown(results), encoding="utf-8")


def child(module: str, *arguments: str) -> Any:
    """What a module prints as JSON in a process of its own; its errors go to the terminal."""
    command = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
    done = subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.PIPE, check=False, text=True)
    if done.returncode:
        raise click.ClickException(f"{' '.join(command[1:])} failed; the lines above say why.")
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    main()
