"""Pools of workers: the same results from all of them, and none lost with a worker."""

import os
import signal
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boundcheck import running as module
from boundcheck.checking.plan import PLANS, Plan
from boundcheck.commands.main import main
from boundcheck.report.reading import read
from boundcheck.running import NoWorkers, Workers

CLAIMS = '''"""Claims of each kind of verdict."""

from boundcheck import P, Unit, at_most, quantity, sqrt, theorem


@theorem("s")
def holds(x: Unit, y: Unit):
    return at_most(sqrt(x * y), (x + y) / 2)


@theorem("s")
def is_false(x: Unit, y: Unit):
    return at_most(sqrt(x * y), 0.9 * (x + y) / 2)


@theorem("s")
def sampled(x: Unit):
    return P(quantity(lambda rng, size: rng.uniform(0, x, size)) <= 0.9 * x) >= 0.5
'''


def square(x: int) -> int:
    return x * x


def killed_once(x: int, mark: str) -> int:
    """Kills the process that runs it for 3, the first time."""
    if x == 3 and not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.05)
    return x * x


def where(x: int) -> int:
    """The process that runs it, after time for another to take the next."""
    time.sleep(0.3)
    return os.getpid()


def always_killed(x: int) -> int:
    return os.kill(os.getpid(), signal.SIGKILL) or x


@pytest.fixture(scope="module")
def cluster():
    """Two workers behind a scheduler on loopback."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as running:
        yield running


def squares(workers: Workers, function: Any = square, *more: Any) -> dict[int, int]:
    return dict(workers.results({k: (function, (k, *more)) for k in range(8)}))


@pytest.mark.parametrize("count", [1, 2])
def test_processes_of_this_machine(count):
    assert squares(Workers(count)) == {k: k * k for k in range(8)}


def test_a_lost_process_costs_nothing(tmp_path):
    assert squares(Workers(2), killed_once, str(tmp_path / "mark")) == {k: k * k for k in range(8)}
    assert (tmp_path / "mark").exists()


def test_a_task_that_kills_its_workers_is_given_up(monkeypatch):
    monkeypatch.setattr(module, "MOST_LOSSES", 1)
    with pytest.raises(NoWorkers, match="Workers were lost 2 times, at 0 or beside it; go on with --resume --workers 1"):
        squares(Workers(2), always_killed)


@pytest.fixture(scope="module")
def nodes():
    """Two nodes of Ray, a core each, of this machine."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster  # pyright: ignore[reportMissingImports]

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)  # of this module, which its workers import
        running = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        running.add_node(num_cpus=1)
    yield running
    running.shutdown()


@pytest.mark.parametrize(
    ("text", "workers"),
    [
        ("3", Workers(3)),
        ("dask:2", Workers(2, "dask")),
        ("ray:1", Workers(1, "ray")),
        ("dask:tcp://h:8786", Workers(os.cpu_count() or 1, "dask", "tcp://h:8786")),
        ("ray:auto", Workers(os.cpu_count() or 1, "ray", "auto")),
        ("dask", Workers(os.cpu_count() or 1, "dask")),
    ],
)
def test_workers_by_their_names(text, workers):
    assert Workers.of(text) == workers


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_of_ray_and_a_worker_that_it_loses(nodes, tmp_path):
    workers = Workers.of(f"ray:{nodes.address}")
    assert squares(workers) == {k: k * k for k in range(8)}
    assert len(set(dict(workers.results({k: (where, (k,)) for k in range(8)})).values())) == 2
    assert squares(workers, killed_once, str(tmp_path / "mark")) == {k: k * k for k in range(8)}
    assert (tmp_path / "mark").exists()
    with pytest.raises(NoWorkers, match=r"Workers were lost .* times, at \d; go on with --resume --workers 1"):
        squares(workers, always_killed)


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_and_a_worker_that_it_loses(cluster, tmp_path):
    workers = Workers.of(f"dask:{cluster.scheduler_address}")
    assert len(set(dict(workers.results({k: (where, (k,)) for k in range(8)})).values())) == 2
    assert squares(workers) == {k: k * k for k in range(8)}
    assert squares(workers, killed_once, str(tmp_path / "mark")) == {k: k * k for k in range(8)}
    assert (tmp_path / "mark").exists()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("backend", "fixture", "address"), [("dask", "cluster", "scheduler_address"), ("ray", "nodes", "address")])
def test_a_report_is_the_same_on_a_cluster(backend, fixture, address, request, tmp_path, monkeypatch):
    there = f"{backend}:{getattr(request.getfixturevalue(fixture), address)}"
    monkeypatch.setitem(PLANS, "quick", Plan("quick", instances=12, work=120, trials=1500, sampled_instances=2))
    (tmp_path / "mine.py").write_text(CLAIMS)
    made = []
    for name, options in {"here": ["--workers", "1"], "there": ["--workers", there]}.items():
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        result = CliRunner().invoke(main, ["check", str(tmp_path / "mine.py"), "--reports", "r", *options])
        assert result.exit_code == 1, result.output
        report = read(Path("r/verdicts.json")).json()
        del report["volatile"]
        made.append((report, Path("r/certificates/mine.is_false.json").read_bytes()))
    assert made[0] == made[1]


def test_backends_and_clusters_that_are_not_there(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(CLAIMS)
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    monkeypatch.setattr(module, "find_spec", lambda name: None if name == "ray" else find_spec(name))

    def says(*options: str) -> str:
        result = CliRunner().invoke(main, ["check", str(tmp_path / "mine.py"), "--reports", str(tmp_path / "r"), *options])
        assert result.exit_code == 2
        return result.output.replace("\n", " ")

    assert "There is no ray here; run pip install 'boundcheck[ray]'." in says("--workers", "ray:2")
    for wrong in ("0", "-1", "many", "loky:auto", "tcp://127.0.0.1:1", "spark:2", "dask:0"):
        sentence = f"'{wrong}' are no workers; write a number from 1 on, dask:ADDRESS or ray:ADDRESS."
        assert sentence in " ".join(says("--workers", wrong).split())
    if find_spec("ray"):
        monkeypatch.setattr(module, "find_spec", find_spec)
        assert "No Ray cluster answers at 127.0.0.1:1; start one, or give --workers a number." in says("--workers", "ray:127.0.0.1:1")
    pytest.importorskip("distributed")
    assert "No Dask scheduler answers at tcp://127.0.0.1:1;" in says("--workers", "dask:tcp://127.0.0.1:1")
    assert "No Dask scheduler answers at nonsense://x;" in says("--workers", "dask:nonsense://x")
