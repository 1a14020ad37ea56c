"""What a claim's text may call in another module."""

import time

TENTH = 0.1


def seventh():
    return 1 / 7


def now():
    return time.time()
