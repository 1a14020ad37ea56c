"""Hard to break: boundcheck under faults, load and hostile input, measured; `python -m tests.reliability` writes reports/reliability.md."""
