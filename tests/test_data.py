"""Data sets: every format read exactly, every fault told by its place, and nothing but DataError raised."""

import csv
import gzip
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from boundcheck.features.data import BUNDLED, DataError, Sample, load

ROOT = Path(__file__).parent.parent
GOOD = "a,b,y\n1,2,3\n4,5,6\n"
SVM = "1 1:0.5 3:2\n-1 2:1e-3 # comment\n+1\n"


@pytest.fixture
def write(tmp_path: Path):
    def write(name: str, content: str | bytes) -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def fault(source: str, *words: str, target: str | None = None) -> None:
    """Loading raises one sentence that holds the words."""
    with pytest.raises(DataError) as caught:
        load(source, target)
    message = str(caught.value)
    assert [word for word in words if word not in message] == [], message
    assert message.endswith(".")
    assert "\n" not in message
    assert len(message) < 400 + len(source)


# formats


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "a;b;y\n1;2;3\n4;5;6",
        "a\tb\ty\n1\t2\t3\n4\t5\t6\n",
        "a b  y\n 1   2 3 \n4\t5 6\n",
        "a, b, y\r\n1, 2, 3\r\n\r\n4, 5, 6\r\n",
        "a,b,y\r1,2,3\r4,5,6\r",
        '"a","b",y\n"1",2,3\n4,"5",6\n',
        '"a" "b" "y"\n1 "2"  3\n4 5 6\n',
        "\ufeffa,b,y\n1,2,3\n4,5,6\n",
        "\n\na,b,y\n1e0,+2.,.3e1\n4,5,6",
    ],
    ids=["comma", "semicolon", "tab", "blank", "crlf", "cr", "quotes", "quoted-blank", "bom", "spellings"],
)
def test_delimiters_and_line_ends(write, text: str):
    data = load(write("t.csv", text))
    assert (data.name, data.columns, data.target) == ("t", ("a", "b"), "y")
    np.testing.assert_array_equal(data.X, [[1, 2], [4, 5]])
    np.testing.assert_array_equal(data.y, [3, 6])


@pytest.mark.parametrize("delimiter", [",", ";", "\t", " "])
def test_every_float_comes_back_bit_by_bit(write, delimiter: str):
    bits = np.random.default_rng(1).integers(0, 2**64, (400, 4), dtype=np.uint64).view(np.float64)
    values = bits[np.isfinite(bits).all(axis=1)]
    rows = "\n".join(delimiter.join(map(repr, row)) for row in values.tolist())
    data = load(write("t.txt", rows))
    assert len(values) > 300
    assert data.X.tobytes() == values[:, :3].tobytes()
    assert data.y.tobytes() == values[:, 3].tobytes()


def test_gzip_is_told_by_content(write):
    packed = gzip.compress(GOOD.encode())
    assert load(write("t.csv.gz", packed)).name == "t"
    assert load(write("t.csv", packed)).columns == ("a", "b")


def test_arrays_are_what_kernels_take(write):
    data = load(write("t.csv", GOOD), target="a")
    assert data.X.dtype == data.y.dtype == np.float64
    assert data.X.flags.c_contiguous
    assert data.y.flags.c_contiguous
    assert data.X.flags.owndata
    assert "X=" not in repr(data)


def test_target_by_name_or_index(write):
    named = load(write("t.csv", GOOD), target="b")
    assert (named.columns, named.target, named.y.tolist()) == (("a", "y"), "b", [2, 5])
    plain = load(write("u.csv", "1,2,3\n4,5,6\n"), target="0")
    assert (plain.columns, plain.target, plain.y.tolist()) == (("1", "2"), "0", [1, 4])


def test_semicolon_in_a_name_and_years_in_a_header(write):
    assert load(write("t.csv", '"a;b",c,y\n1,2,3\n')).columns == ("a;b", "c")
    assert load(write("u.csv", "id,2010,2011\n1,2,3\n")).columns == ("id", "2010")
    assert load(write("v.csv", ",b,y\n1,2,3\n")).columns == ("column 0", "b")


@pytest.mark.parametrize("name", ["t.libsvm", "t.svm", "t.txt", "cpusmall_scale"])
def test_libsvm(write, name: str):
    data = load(write(name, "# head\n" + SVM))
    assert (data.columns, data.target) == (("1", "2", "3"), "label")
    np.testing.assert_array_equal(data.X, [[0.5, 0, 2], [0, 1e-3, 0], [0, 0, 0]])
    np.testing.assert_array_equal(data.y, [1, -1, 1])
    assert load(write(name + ".gz", gzip.compress(SVM.encode()))).X.shape == (3, 3)
    assert load(write(name, SVM), target="2").columns == ("1", "3", "label")


def test_libsvm_agrees_with_csv(write):
    values = np.random.default_rng(2).normal(size=(50, 5)) * (np.random.default_rng(3).random((50, 5)) < 0.5)
    values[0] = 1.0
    pairs = [" ".join(f"{j}:{v!r}" for j, v in enumerate(row[:4], 1) if v) for row in values.tolist()]
    lines = [f"{y!r} {row}" for y, row in zip(values[:, 4].tolist(), pairs, strict=True)]
    sparse = load(write("t.svm", "\n".join(lines)))
    np.testing.assert_array_equal(sparse.X, values[:, :4])
    np.testing.assert_array_equal(sparse.y, values[:, 4])


def test_txt_may_be_a_plain_table(write):
    assert load(write("t.txt", "1 2 3\n4 5 6\n")).X.shape == (2, 2)


def test_bundled():
    pytest.importorskip("sklearn")
    sets = [load(name) for name in BUNDLED]
    assert [data.X.shape for data in sets] == [(442, 10), (178, 13), (569, 30), (150, 4), (1797, 64)]
    assert [data.name for data in sets] == list(BUNDLED)
    assert {data.target for data in sets} == {"target"}
    assert all(data.X.flags.c_contiguous and len(data.columns) == data.X.shape[1] for data in sets)


def test_bundled_target_may_be_a_feature():
    pytest.importorskip("sklearn")
    assert "target" in load("diabetes", target="bmi").columns


# faults of the file


def test_missing_file_suggests_a_bundled_set():
    fault("diabets", "no file", "'diabets'", "did you mean 'diabetes'", "breast_cancer")
    fault("/nowhere/t.csv", "no file", "/nowhere/t.csv")
    fault("a\0b", "no file")
    fault("x" * 5000, "no file")


def test_directory_and_device(tmp_path: Path):
    fault(str(tmp_path), "is a directory; name a file in it")
    fault(os.devnull, "not a regular file")


@pytest.mark.parametrize("name", ["t.csv", "t.svm", "t.txt", "t.csv.gz"])
@pytest.mark.parametrize("content", [b"", b"\n \n\t\n", b"\xef\xbb\xbf"])
def test_empty(write, name: str, content: bytes):
    zipped = gzip.compress(content) if name.endswith("gz") and content else content
    fault(write(name, zipped), "is empty")


def test_header_only(write):
    fault(write("t.csv", "a,b,y\n"), "a header and no rows")


def test_one_column(write):
    fault(write("t.csv", "y\n1\n2\n"), "one column only")
    fault(write("t.svm", "1\n2\n"), "one column only")


def test_truncated_and_damaged_gzip(write):
    packed = gzip.compress(GOOD.encode())
    fault(write("t.csv.gz", packed[:-9]), "ends in the middle of its gzip stream")
    fault(write("t.csv.gz", packed[:-8] + b"\0\0\0\0" + packed[-4:]), "damaged gzip")
    fault(write("t.csv.gz", packed[:12] + b"\xff" * 8 + packed[20:]), "damaged gzip")
    fault(write("t.csv.gz", GOOD), "is not gzip")


def test_binary(write):
    fault(write("t.csv", b"a,b\n1,2\n3,\0004\n"), "line 3", "NUL byte")
    fault(write("t.csv", GOOD.encode("utf-16")), "UTF-8")
    fault(write("t.csv", "größe,y\n1,2\n".encode("latin-1")), "not text in UTF-8")
    fault(write("t.npy", np.random.default_rng(0).bytes(4096)))


def test_pickle_is_never_run(write, tmp_path: Path):
    mark = tmp_path / "mark"
    bomb = f"cos\nsystem\n(S'touch {mark}'\ntR.".encode()
    for name in ("t.pkl", "t.csv", "t.npy"):
        fault(write(name, bomb))
    assert not mark.exists()


def test_larger_than_two_gib(tmp_path: Path):
    path = tmp_path / "t.csv"
    path.touch()
    os.truncate(path, 2 * 2**30 + 1)
    fault(str(path), "larger than 2 GiB")


def test_unpacks_to_more_than_two_gib(write, monkeypatch):
    monkeypatch.setattr("boundcheck.features.data.MAX_BYTES", 10_000)
    fault(write("t.csv.gz", gzip.compress(b"1,2,3\n" * 2000)), "unpacks to more than 2 GiB")


def test_endless_line(write, monkeypatch):
    monkeypatch.setattr("boundcheck.features.data.MAX_LINE", 1000)
    fault(write("t.csv", "a,y\n1,2\n" + "1," * 2000), "line 3", "longer than 32 MiB")


def test_matrix_larger_than_four_gib(write, monkeypatch):
    fault(write("t.svm", "1 1000000:1\n" * 537), "larger than 4 GiB")
    monkeypatch.setattr("boundcheck.features.data.table.MAX_CELLS", 6)
    assert load(write("t.csv", "1,2\n3,4\n5,6\n")).X.shape == (3, 1)
    fault(write("t.csv", "1,2\n3,4\n5,6\n7,8\n"), "larger than 4 GiB")


def test_unreadable_file(write, monkeypatch):
    path = write("t.csv", GOOD)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("boundcheck.features.data._unpacked", refuse)
    fault(path, "cannot be read (Permission denied)")


# faults of the content


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b,y\n1,2,3\n4,5\n", ["line 3 ", "2 cells, not 3"]),
        ("a,b,y\n\n1,2,3\n\n4,5,6,7\n", ["line 5 ", "4 cells, not 3"]),
        ("a b y\n1 2 3\n4\n", ["line 3 ", "1 cell, not 3"]),
        ("a,b,y\n1,x,3\n", ["line 2, column 'b'", "'x' is not a number"]),
        ("1,2,3\n4,5,1_0\n", ["line 2, column '2'", "'1_0'"]),
        ("a,b,y\n1,,3\n", ["line 2, column 'b'", "the cell is empty"]),
        ("1,?,3\n4,5,6\n", ["line 1, column '1'", "'?' is not a number"]),
        ("1,2,\n4,5,\n", ["line 1, column '2'", "the cell is empty"]),
        ('a,b,y\n1,"u""v",3\n', ["line 2, column 'b'", "'u\"v'"]),
        ("a;b;y\n1;2,5;3\n", ["line 2, column 'b'", "'2,5' is not a number"]),
        (
            "a,b,y\n1,,3\n" + "NA,5,6\n" * 2 + "7,nan,9\n,1,2\n",
            [
                "line 2, column 'b': the cell is empty (4 more without a number:"
                " line 3, column 'a'; line 4, column 'a'; line 5, column 'b'; ...); put"
            ],
        ),
        ("a,b,y\n1,NA,3\n4,x,6\n", ["line 3, column 'b': 'x' is not a number; put"]),
        ("a,b,y\n1,2,3\n4,nan,6\n", ["line 3, column 'b'", "nan is not finite"]),
        ("a,b,y\n\n1,2,3\n4,5,-inf\n", ["line 4, column 'y'", "-inf is not finite"]),
        ("a,b,y\n1,2,1e999\n", ["line 2, column 'y'", "inf is not finite"]),
        ("1,nan\n3,4\n", ["line 1, column '1'", "nan is not finite"]),
    ],
)
def test_bad_rows_and_cells(write, text: str, words: list[str]):
    fault(write("t.csv", text), *words)


def test_long_cells_and_names_are_cut(write):
    fault(write("t.csv", f"{'n' * 9999},y\n{'z' * 9999},1\n"), "line 2", "nnn...'", "zzz...'")


def test_quotes_that_csv_refuses(write):
    fault(write("t.csv", f'a,y\n"{"1" * (csv.field_size_limit() + 1)}",2\n'), "line 2 is not CSV", "quotes")


def test_missing_target(write):
    path = write("t.csv", "Height,Weight,y\n1,2,3\n")
    fault(path, "no column 'wieght'", "'Height', 'Weight', 'y'", "did you mean 'Weight'", target="wieght")
    fault(path, "no column 'Y'", "did you mean 'y'", target="Y")
    fault(path, "no column '0'", target="0")
    fault(write("u.csv", ",".join(map(str, range(50)))), "'11' and 38 more", target="50")
    fault(write("v.csv", "a,a,y\n1,2,3\n"), "2 columns 'a'", target="a")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 1:2\n1 5\n", ["line 2", "'5' is not an index:value pair"]),
        ("1 1:2\n\n1 a:5\n", ["line 3", "'a:5' is not an index:value pair"]),
        ("1 qid:3 1:2\n", ["line 1", "'qid:3'"]),
        ("1 1_0:2\n", ["line 1", "'1_0:2' is not an index:value pair"]),
        ("1 " + "9" * 5000 + ":2\n", ["line 1", "999...' is not an index:value pair"]),
        ("1 1:2:3\n", ["line 1, column '1'", "'2:3' is not a number"]),
        ("1 1:\n", ["line 1, column '1'", "'' is not a number"]),
        ("1 1:1\n1 2:nan\n", ["line 2, column '2'", "'nan' is not finite"]),
        ("x 1:1\n", ["line 1, column 'label'", "'x' is not a number"]),
        ("inf 1:1\n", ["line 1, column 'label'", "'inf' is not finite"]),
        ("1,2 1:1\n", ["line 1, column 'label'", "'1,2' is not a number"]),
        ("1 0:1\n", ["line 1", "'0:1' is not positive", "from 1"]),
        ("1 -3:1\n", ["line 1", "'-3:1' is not positive"]),
        ("1 1000001:1\n", ["line 1", "'1000001:1' is above 1000000"]),
        ("1 2:1 2:3\n", ["line 1", "index 2 comes after 2"]),
        ("1 3:1 2:3\n", ["line 1", "index 2 comes after 3"]),
    ],
)
def test_bad_libsvm(write, text: str, words: list[str]):
    fault(write("t.svm", text), *words)


def test_scikit_learn_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    fault("wine", "'wine'", "pip install 'boundcheck[data]'")


def test_import_is_light():
    heavy = "{'pandas', 'sklearn', 'scipy', 'numba'} & set(sys.modules)"
    code = f"import sys, boundcheck.features.data; print({heavy} or 'light')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert run.stdout.strip() == "light"


# fuzz


JUNK = [b"\0", b"\xff", b",", b":", b"\n", b"\r", b'"', b"-", b"e9", b"nan", b" ", b"_", b"#", b"\t"]


def corrupted(content: bytes, rng: np.random.Generator) -> bytes:
    """One to three cuts, flips, insertions or copies at random places."""
    for _ in range(rng.integers(1, 4)):
        i, j = sorted(rng.integers(0, len(content) + 1, 2).tolist())
        junk = JUNK[rng.integers(len(JUNK))]
        content = [
            content[:i],
            content[:i] + content[j:],
            content[:i] + junk + content[i:],
            content[:i] + bytes([rng.integers(256)]) + content[i + 1 :],
            content[:j] + content[i:],
        ][rng.integers(5)]
    return content


@pytest.mark.parametrize("name", ["t.csv", "t.txt", "t.svm", "t.csv.gz", "t.svm.gz"])
def test_fuzz_raises_nothing_but_data_error(write, name: str):
    rng = np.random.default_rng(2019)
    rows = rng.normal(size=(12, 4)).round(3).tolist()
    dense = "\n".join(["a,b,c,y", *(",".join(map(str, row)) for row in rows)])
    sparse = "\n".join(f"{y} " + " ".join(f"{j}:{v}" for j, v in enumerate(row, 1)) for *row, y in rows)
    content = (sparse if "svm" in name else dense).encode()
    content = gzip.compress(content, mtime=0) if name.endswith("gz") else content
    outcomes = {"read": 0, "refused": 0}
    for _ in range(500):
        try:
            data = load(write(name, corrupted(content, rng)))
        except DataError:
            outcomes["refused"] += 1
            continue
        outcomes["read"] += 1
        assert np.isfinite(data.X).all()
        assert np.isfinite(data.y).all()
        assert data.X.shape == (len(data.y), len(data.columns))
    assert min(outcomes.values()) > 0


# split and scaling


def sample(n: int = 20) -> Sample:
    X = np.random.default_rng(5).normal(3.0, 10.0, (n, 3))
    return Sample("s", X, X @ [1.0, 2.0, 3.0], ("a", "b", "c"), "y")


def test_split_is_a_seeded_partition():
    data = sample()
    train, test = data.split(15, seed=7)
    again, _ = data.split(15, seed=7)
    other, _ = data.split(15, seed=8)
    assert (train.X.shape, test.y.shape, train.columns, test.target) == ((15, 3), (5,), ("a", "b", "c"), "y")
    np.testing.assert_array_equal(train.X, again.X)
    assert not np.array_equal(train.X, other.X)
    assert sorted([*train.y, *test.y]) == sorted(data.y)
    np.testing.assert_array_equal(train.y, train.X @ [1.0, 2.0, 3.0])
    assert train.X.flags.c_contiguous


@pytest.mark.parametrize("n_train", [-1, 0, 20, 21])
def test_split_out_of_range(n_train: int):
    with pytest.raises(DataError, match=rf"'s' has 20 rows; choose n_train from 1 to 19, not {n_train}\."):
        sample().split(n_train, seed=0)


def test_scaling_of_wang_section_6_1():
    data = sample()
    scaled = data.scaled()
    low, high = data.X.min(axis=0), data.X.max(axis=0)
    np.testing.assert_allclose(scaled.X, 2 * (data.X - low) / (high - low) - 1, atol=1e-14)
    np.testing.assert_array_equal([scaled.X.min(axis=0), scaled.X.max(axis=0)], [[-1] * 3, [1] * 3])
    centred = data.y - data.y.mean()
    np.testing.assert_allclose(scaled.y, centred / abs(centred).max(), atol=1e-14)
    assert abs(scaled.y).max() == 1
    assert (scaled.X.flags.c_contiguous, scaled.columns) == (True, data.columns)


def test_what_is_constant_becomes_zero():
    X = np.column_stack([np.full(10, 0.1), np.arange(10.0), np.zeros(10)])
    scaled = Sample("s", X, np.full(10, 0.1), ("a", "b", "c"), "y").scaled()
    np.testing.assert_array_equal(scaled.X[:, [0, 2]], 0)
    np.testing.assert_array_equal(scaled.y, 0)


@pytest.mark.parametrize("unit", [1.7e308, 5e-324])
def test_scaling_neither_overflows_nor_underflows(unit: float):
    X = np.array([[-unit], [0.0], [unit]])
    scaled = Sample("s", X, X[:, 0], ("a",), "y").scaled()
    np.testing.assert_array_equal(scaled.X[:, 0], [-1, 0, 1])
    np.testing.assert_array_equal(scaled.y, [-1, 0, 1])
