"""The claims that the runs judge are no tests: some are false."""

collect_ignore = ["mixed.py"]
