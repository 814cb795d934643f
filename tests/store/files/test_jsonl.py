import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import RefusedError, UnreadableError
from store.files import json_read as lines
from store.files.beneath import Root
from store.files.json_read import LONGEST, Line, parse, read_lines


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("jsonl")


@pytest.fixture(scope="module")
def root(folder: Path) -> Iterator[Root]:
    with Root(folder) as root:
        yield root


def read(root: Root, raw: bytes, since: int = 0, number: int = 1) -> list[Line]:
    (root.path / "lines.jsonl").write_bytes(raw)
    return list(read_lines(root, "lines.jsonl", since, number))


def test_each_line_knows_its_offset(root: Root) -> None:
    raw = b'\xef\xbb\xbf{"a":1}\r\n\n \n{"b":"\xe2\x80\xa8"}\n{"c":3'
    assert read(root, raw) == [
        Line(1, 0, 12, b'{"a":1}', ended=True),
        Line(4, 15, 12, b'{"b":"\xe2\x80\xa8"}', ended=True),
        Line(5, 27, 6, b'{"c":3', ended=False),
    ]


def test_an_empty_file_has_no_lines(root: Root) -> None:
    assert read(root, b"") == []
    assert read(root, b"\n\n \r\n") == []


def test_an_overlong_line_is_skipped_with_its_offset(root: Root) -> None:
    raw = b"1\n" + b"x" * (LONGEST + 1) + b"\n2\n" + b"y" * LONGEST + b"\n"
    found = read(root, raw)
    assert [(line.number, line.size) for line in found] == [
        (1, 2),
        (2, LONGEST + 2),
        (3, 2),
        (4, LONGEST + 1),
    ]
    assert [line.raw is None for line in found] == [False, True, False, False]
    assert read(root, b"x" * (LONGEST + 3 * 1024 * 1024))[0] == Line(
        1, 0, LONGEST + 3 * 1024 * 1024, None, ended=False
    )


@given(
    raw=st.lists(st.sampled_from([b"\n", b"\r", b" ", b"\xef\xbb\xbf", b"ab", b"\0"]))
    .map(b"".join)
    .flatmap(lambda raw: st.tuples(st.just(raw), st.integers(0, len(raw)))),
    block=st.integers(1, 7),
    longest=st.integers(1, 9),
)
def test_any_bytes_give_the_same_lines_at_any_block_size(
    root: Root, raw: tuple[bytes, int], block: int, longest: int
) -> None:
    whole, cut = raw
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "LONGEST", longest)
        expected = read(root, whole)
        patch.setattr(lines, "_BLOCK", block)
        assert read(root, whole) == expected
        before = [line for line in read(root, whole[:cut]) if line.ended]
        offset = before[-1].offset + before[-1].size if before else 0
        number = before[-1].number + 1 if before else 1
        assert before + read(root, whole, offset, number) == expected
    assert all(
        whole[line.offset : line.offset + line.size].endswith(b"\n") is line.ended
        for line in expected
    )


def test_anything_but_a_plain_file_is_refused(root: Root) -> None:
    (root.path / "inner").mkdir(exist_ok=True)
    with pytest.raises(RefusedError):
        list(read_lines(root, "inner"))
    with pytest.raises(UnreadableError):
        list(read_lines(root, "absent.jsonl"))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(st.lists(VALUES.filter(lambda value: not isinstance(value, int)), min_size=1))
def test_values_joined_on_one_line_are_all_read(values: list[object]) -> None:
    parsed = parse("".join(map(json.dumps, values)).encode())
    assert (parsed.values, parsed.problem) == (tuple(values), None)


@given(st.binary() | st.text(st.sampled_from('[]{}":,0 eE.-u\\\0')).map(str.encode))
def test_no_bytes_make_parsing_fail(raw: bytes) -> None:
    parsed = parse(raw)
    assert parsed.values or parsed.problem or not raw.strip(b" \t\r\n\xef\xbb\xbf")


ODD: list[tuple[bytes, tuple[object, ...], str]] = [
    (rb'"cut \ud83d"', ("cut \ud83d",), ""),
    (b'{"a":1}{"b":', ({"a": 1},), "Invalid JSON"),
    (b'"a\x1bb"', ("a\x1bb",), "raw control characters"),
    (b'"caf\xff"', ("caf�",), "Not valid UTF-8"),
    (b"\0\0\0", (), "NUL bytes"),
    (b"\0\0{}", ({},), "NUL bytes"),
    (b"1e999", (math.inf,), "Invalid JSON number (1e999)"),
    (b"-Infinity", (-math.inf,), "Invalid JSON number (-Infinity)"),
    (b"[" * 100_000 + b"]" * 100_000, (), "Nested too deeply"),
    (b"1" * 5000, (), "too many digits"),
]


@pytest.mark.parametrize(("raw", "values", "problem"), ODD)
def test_invalid_json_is_reported(
    raw: bytes, values: tuple[object, ...], problem: str
) -> None:
    parsed = parse(raw)
    assert parsed.values == values
    assert problem in (parsed.problem or "")
    assert bool(problem) is bool(parsed.problem)


def test_huge_integers_are_exact_on_request() -> None:
    assert parse(b"18446744073709551616", exact=True).values == (2**64,)
    assert parse(b"18446744073709551616").values == (float(2**64),)
