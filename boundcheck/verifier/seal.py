"""Reading a certificate file, and the seal: SHA-256 of the canonical JSON of everything but itself."""

import hashlib
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Set
from math import isfinite
from pathlib import Path
from stat import S_ISREG
from typing import Any
from zlib import compress, decompressobj
from zlib import error as ZlibError

from .findings import Outcome, Rejection, demand, malformed, spend
from .limits import LARGEST_FILE, LARGEST_PART, LONGEST_INTEGER, READING

VERSION = 1

KEYS = {
    "certificate_version",
    "claim",
    "program",
    "laws",
    "hypotheses",
    "conclusion",
    "values",
    "seal",
}


def digest(certificate: dict[str, Any]) -> str:
    """The seal that `certificate` should carry."""
    # The seal tells a file that was altered by accident, or by hand, from one that was written so. It is no signature:
    # who alters a file may seal it again, and what is confirmed is confirmed of what the file says.
    body = {key: value for key, value in certificate.items() if key != "seal"}
    text = json.dumps(
        body, sort_keys=True, separators=(",", ":"), ensure_ascii=True
    )
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def check_form(certificate: Any, proof: Set[str] = KEYS) -> None:
    """Raise Rejection unless this is a sealed certificate of a known version; a `proof` has these keys."""
    demand(isinstance(certificate, dict), "a certificate is a JSON object")
    version = certificate.get("certificate_version")
    demand(
        type(version) is int and version > 0,
        "certificate_version must be a positive integer",
    )
    if version > VERSION:
        sentence = f"certificate version {version} is newer than {VERSION}: use a newer verifier"
        raise Rejection(Outcome.NEWER_VERSION, sentence)
    try:
        seal = digest(certificate)
    except (ValueError, TypeError, RecursionError):
        raise malformed("the certificate has no canonical JSON") from None
    if certificate.get("seal") != seal:
        raise Rejection(
            Outcome.BROKEN_SEAL,
            "the seal does not match the contents: the file was altered",
        )
    demand(
        certificate.keys() == proof
        or KEYS - {"values"} <= certificate.keys() <= KEYS,
        "the certificate has missing or unknown keys",
    )


def read(path: Path) -> Any:
    """The JSON value in the file; duplicate keys, infinite numbers and very long integers are refused."""
    try:
        raw = _bytes(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Rejection(
            Outcome.UNREADABLE, f"cannot read the file: {reason}"
        ) from None
    return _parsed(raw, "the file")


def packed(value: Any) -> str:
    """A value as the text of its compressed JSON."""
    return b64encode(
        compress(json.dumps(value, sort_keys=True).encode("ascii"))
    ).decode("ascii")


def unpacked(value: Any) -> Any:
    """What `packed` made a text of; anything else as it is. Raises Rejection."""
    if not isinstance(value, str):
        return value
    reader = decompressobj()
    try:
        # A few kilobytes may hold gigabytes: no more is unpacked than is read.
        raw = reader.decompress(b64decode(value, validate=True), LARGEST_PART)
    except (ValueError, ZlibError):
        raise malformed("a part is not packed as it should be") from None
    demand(
        reader.eof and not reader.unused_data,
        f"a part is packed from at most {LARGEST_PART} bytes",
    )
    spend(READING * len(raw))
    return _parsed(raw, "a part")


def _parsed(raw: bytes, what: str) -> Any:
    # Python's JSON would take NaN, let the last of two equal keys win, and read integers in the square of their digits.
    hooks = {
        "parse_constant": _refuse,
        "parse_int": _integer,
        "parse_float": _float,
    }
    try:
        return json.loads(
            raw.decode("utf-8"), object_pairs_hook=_unique, **hooks
        )
    except (ValueError, RecursionError):
        raise malformed(f"{what} is not well-formed JSON") from None


def _bytes(path: Path) -> bytes:
    """The contents of a regular file. No waiting for whoever writes into a pipe."""
    # A pipe would be waited for until somebody writes; a device has no end.
    with open(
        path,
        "rb",
        opener=lambda name, flags: os.open(
            name, flags | getattr(os, "O_NONBLOCK", 0)
        ),
    ) as file:
        if not S_ISREG(os.fstat(file.fileno()).st_mode):
            raise Rejection(
                Outcome.UNREADABLE,
                "cannot read the file: it is not a regular file",
            )
        raw = file.read(LARGEST_FILE + 1)
    if len(raw) > LARGEST_FILE:
        raise Rejection(
            Outcome.UNREADABLE, f"the file is larger than {LARGEST_FILE} bytes"
        )
    spend(READING * len(raw))
    return raw


def _integer(text: str) -> int:
    if len(text) > LONGEST_INTEGER:
        raise ValueError("an integer of too many digits")
    return int(text)


def _float(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        _refuse(text)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise ValueError("duplicate key")
    return result


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a number of JSON")
