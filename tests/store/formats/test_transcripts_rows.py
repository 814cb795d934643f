"""Every row of the format's table names tests that are there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project import ROOT

PAGE = ROOT / "store" / "formats" / "transcripts" / "README.md"
TESTS = Path(__file__).parents[1]
ROW = re.compile(r"^\| (S4-[^|]+|\d+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
NAMED = re.compile(r"`([\w/]+)`: ([^;]+)")


def named() -> Iterator[tuple[str, str, str]]:
    """Every file and every test that a row names."""
    for row, _, shown in ROW.findall(PAGE.read_text("utf-8")):
        for file, tests in NAMED.findall(shown):
            for test in tests.split(", "):
                yield row, file, test.strip()


def path_of(file: str) -> Path:
    if "/" in file:
        return TESTS / f"{file}.py"
    return TESTS / "formats" / f"test_transcripts_{file}.py"


def test_every_row_says_where_it_is_shown() -> None:
    rows = ROW.findall(PAGE.read_text("utf-8"))
    assert len(rows) > 35
    silent = [row for row, _, shown in rows if not NAMED.search(shown)]
    told = [row for row, _, shown in rows if shown == "catalogue"]
    assert silent == told


@pytest.mark.parametrize(("row", "file", "test"), list(named()))
def test_every_named_test_is_there(row: str, file: str, test: str) -> None:
    if file == "contract":
        return
    text = path_of(file).read_text("utf-8")
    begin = re.sub(r"\W+", "_", test.removesuffix("…")).strip("_")
    end = r"\w*" if test.endswith("…") else ""
    assert re.search(rf"^def test_{begin}{end}\(", text, re.MULTILINE), row
