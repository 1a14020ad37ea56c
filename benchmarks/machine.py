"""The machine and the versions that the numbers belong to, printed as JSON."""

import json
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("boundcheck", "numpy", "scipy", "numba", "scikit-learn", "jax", "torch")


def processor() -> str:
    names = [line.split(":")[1].strip() for line in _cpuinfo() if line.startswith("model name")]
    return names[0] if names else platform.processor()


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def main() -> None:
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    facts = {"processor": processor(), "cores": os.cpu_count(), "load": load, "python": platform.python_version()}
    print(json.dumps({**facts, "packages": {p: installed(p) for p in PACKAGES}}))


if __name__ == "__main__":
    main()
