"""Damaged files of every format: one sentence and exit code 2, or numbers that an audit could use; nothing else, ever."""

import io
import zipfile

import numpy as np
import pytest
from click.testing import CliRunner

from boundcheck.commands.audit import command
from boundcheck.features.audit import run as module
from boundcheck.features.data import DataError, load
from tests.data_files import FILES, VALUES, saved


def parquet() -> bytes:
    pyarrow = pytest.importorskip("pyarrow")
    writer = pytest.importorskip("pyarrow.parquet")
    buffer = io.BytesIO()
    writer.write_table(pyarrow.table(dict(zip("abc", VALUES.T, strict=True))), buffer)
    return buffer.getvalue()


@pytest.fixture(params=[*FILES, "t.parquet"])
def file(request, tmp_path):
    path = tmp_path / request.param
    path.write_bytes(FILES[request.param] if request.param in FILES else parquet())
    return path


def mutated(content: bytes, rng: np.random.Generator) -> bytes:
    """One to four flips, cuts, copies or insertions at random places."""
    for _ in range(rng.integers(1, 5)):
        i, j = sorted(rng.integers(0, len(content) + 1, 2).tolist())
        junk = rng.bytes(int(rng.integers(1, 5)))
        content = [
            content[:i],
            content[:i] + content[j:],
            content[:i] + junk + content[i:],
            content[:i] + junk + content[i + len(junk) :],
            content[:j] + content[i:],
        ][rng.integers(5)]
    return content


def test_every_format_is_read(file):
    data = load(str(file))
    assert data.X.shape == (12, 2)
    digits = 3 if file.suffix == ".svm" else 12
    np.testing.assert_allclose(np.column_stack([data.X, data.y]), VALUES, atol=10.0**-digits)


def test_mutated_files(file, tmp_path, monkeypatch):
    """The audit itself is cut short, once the data are there: what is left to go wrong is tested elsewhere."""

    def usable(data, *_arguments):
        assert np.isfinite(data.X).all()
        assert np.isfinite(data.y).all()
        raise DataError("These data can be used.")

    monkeypatch.setattr(module, "audit", usable)
    good, rng, said = file.read_bytes(), np.random.default_rng(len(file.name)), set()
    for _ in range(35):
        file.write_bytes(mutated(good, rng))
        result = CliRunner().invoke(command, [str(file), "--reports", str(tmp_path / "out")])
        assert result.exit_code == 2, (result.output, result.exception)
        message = result.stderr.split("Error: ")[1]
        assert message.count("\n") == 1
        assert message.endswith(".\n")
        assert "\x1b" not in message
        said.add(message)
    assert len(said) > 2
    assert not list((tmp_path / "out").glob("*")) if (tmp_path / "out").exists() else True


# faults of arrays


def fault(path, content: bytes, *words: str) -> None:
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        load(str(path))
    assert [word for word in words if word not in str(caught.value)] == [], caught.value
    assert str(caught.value).endswith(".")


def header(shape: str, descr: str = "<f8") -> bytes:
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def test_pickles_are_never_read(tmp_path):
    objects = np.array([print, print], dtype=object)
    fault(tmp_path / "t.npz", saved(lambda file, x: np.savez(file, x, allow_pickle=True), objects), "not of numbers")
    fault(tmp_path / "t.npy", saved(lambda file, x: np.save(file, x, allow_pickle=True), objects), "not of numbers")


def test_a_header_cannot_ask_for_memory(tmp_path):
    fault(tmp_path / "t.npy", header("(1000000000000, 3)"), "larger than 4 GiB")
    fault(tmp_path / "t.npy", header("(100000, 300)") + b"\0" * 80, "middle of an array")
    fault(tmp_path / "t.npy", header("(-5, -5)"), "npy")
    fault(tmp_path / "t.npy", header("(2, 2)", "<U9"), "not of numbers")
    fault(tmp_path / "t.npy", header("(" * 5000), "damaged npy")


def test_a_bomb_is_not_unpacked(tmp_path):
    """3 TiB of zeros, or so it says: the header is read, the zeros are not."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.npy", header("(200000000000, 2)") + b"\0" * 10**6)
    fault(tmp_path / "t.npz", buffer.getvalue(), "larger than 4 GiB")


def test_what_arrays_are_wanted(tmp_path):
    a, b = VALUES[:, :2], VALUES[:, 2]
    fault(tmp_path / "t.npz", saved(np.savez, a=a, b=b), "arrays 'a', 'b'", "call the inputs X")
    fault(tmp_path / "t.npz", saved(np.savez, X=a, y=b[:5]), "12 rows of inputs and 5 targets")
    fault(tmp_path / "t.npz", saved(np.savez, X=b, y=b), "1 dimensions")
    fault(tmp_path / "t.npz", saved(np.savez), "0 arrays")
    fault(tmp_path / "t.npz", saved(np.savez, X=a * np.nan, y=b), "row 1, column '0'", "not finite")
    fault(tmp_path / "t.npy", saved(np.save, np.empty((0, 3))), "no rows")
    fault(tmp_path / "t.npy", saved(np.save, VALUES[:, :1]), "one column only")
    (tmp_path / "t.npz").write_bytes(saved(np.savez, features=a, TARGET=b.reshape(-1, 1)))
    assert load(str(tmp_path / "t.npz")).target == "y"
    (tmp_path / "t.npz").write_bytes(saved(np.savez, X=a, y=b, extra=a))
    assert load(str(tmp_path / "t.npz"), "1").columns == ("0", "y")


def test_parquet_without_pyarrow(tmp_path, monkeypatch):
    monkeypatch.setattr("boundcheck.features.data.import_module", lambda _name: (_ for _ in ()).throw(ImportError()))
    fault(tmp_path / "t.parquet", b"PAR1", "pip install pyarrow")


def test_parquet_columns(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    writer = pytest.importorskip("pyarrow.parquet")
    for column, words in ((["u", "v"], ["column 'b'", "not numbers"]), ([1, None], ["column 'b'", "missing values"])):
        buffer = io.BytesIO()
        writer.write_table(pyarrow.table({"a": [1, 2], "b": column}), buffer)
        fault(tmp_path / "t.parquet", buffer.getvalue(), *words)
