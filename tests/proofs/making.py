"""Claims of bodies, and certificates under a seal that fits."""

from typing import Any

from boundcheck.verifier.seal import digest
from boundcheck.words.claims import Claim, make_claim


def claimed(body: Any) -> Claim:
    return make_claim(body, f"test.{body.__name__}", "here", "theorem")


def sealed(certificate: Any) -> Any:
    return {**certificate, "seal": digest(certificate)}
