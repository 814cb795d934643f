"""The table in each format's README lists every requirement, with existing tests.

An entry names tests as `file`: words of one, the beginning of another…; `another`. The
file is that of its format, or a path relative to `tests/store`; a file alone means all
its tests.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.project import ROOT

TESTS = Path(__file__).parents[1]
ROWS = {
    "agent_memory": "S1-01…48, S1-51…58",
    "kei": "S0-01…63",
    "cognitive": "S2-01…24, S2-29…31, S2-33…46, S2-48, S2-52…59, S2-62, S2-63",
    "notes": "S3-01…17, S3-19…26, S3-31, S3-32, S3-37…48",
    "transcripts": "S4-04…18, S4-22, S4-25…48, S4-70…77, 1…16",
    "claudia": "S4-01…24, S4-26…28, S4-49…53, S4-55…70, S4-74, S4-77, S4-78, S4-80",
}
LINE = re.compile(r"^\| ((?:S\d-)?\d[^|]*) \| [^|]+ \| ([^|]+) \|$", re.MULTILINE)
NAMED = re.compile(r"`([\w/]+)`(?:: ([^;]+))?")


class Row(NamedTuple):
    """A line of a table."""

    room: str
    rows: str
    shown: str


def lines(room: str) -> list[Row]:
    page = ROOT / "store" / "formats" / room / "README.md"
    return [Row(room, *found) for found in LINE.findall(page.read_text("utf-8"))]


def numbered(rows: str) -> Iterator[tuple[str, int]]:
    """Rows one by one: `S1-06, S1-08…13` are seven."""
    for part in rows.split(", "):
        found = re.fullmatch(r"(?:(S\d)-)?(\d+)(?:…(\d+))?", part)
        assert found, part
        letter, begin, end = found.groups()
        for number in range(int(begin), int(end or begin) + 1):
            yield letter or "", number


def file_of(room: str, name: str) -> Path:
    if "/" in name:
        return TESTS / f"{name}.py"
    return TESTS / "formats" / f"test_{room}_{name}.py"


@cache
def found_in(file: Path) -> frozenset[str]:
    """The names of the tests in a file; a class that passes a contract counts."""
    return frozenset(
        node.name
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and node.name.lower().startswith("test")
    )


def is_there(test: str, tests: frozenset[str]) -> bool:
    words = test.removesuffix("…").replace("'", "").lower()
    name = "test_" + re.sub(r"\W+", "_", words).strip("_")
    if test.endswith("…"):
        return any(one.startswith(name) for one in tests)
    return name in tests


def missing(row: Row) -> Iterator[str]:
    """The tests that a row names and that do not exist."""
    for name, words in NAMED.findall(row.shown):
        file = file_of(row.room, name)
        tests = found_in(file) if file.exists() else frozenset[str]()
        if not tests:
            yield name
        elif words:
            told = (test.strip() for test in words.split(","))
            yield from (test for test in told if not is_there(test, tests))


EVERY = [row for room in ROWS for row in lines(room)]


@pytest.mark.parametrize("room", ROWS)
def test_a_table_lists_every_requirement_once(room: str) -> None:
    told = [each for row in lines(room) for each in numbered(row.rows)]

    assert sorted(told) == sorted(numbered(ROWS[room]))


@pytest.mark.parametrize("row", EVERY, ids=lambda row: f"{row.room}-{row.rows}")
def test_every_row_names_existing_tests(row: Row) -> None:
    assert NAMED.search(row.shown)
    assert list(missing(row)) == []
