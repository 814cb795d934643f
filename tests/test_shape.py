"""Files and functions stay small enough to be read in one go."""

import ast
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.project import ROOMS, ROOT, sources

LINES_OF_A_FILE = 400
LINES_OF_THE_MEDIAN_FILE = 90
LINES_OF_A_FUNCTION = 50

FILES = sources(*ROOMS, "tests", "screenshots")


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node.name, node.end_lineno - node.lineno + 1


def test_no_file_is_long() -> None:
    long = {
        str(path.relative_to(ROOT)): count
        for path in FILES
        if (count := lines(path)) > LINES_OF_A_FILE
    }

    assert long == {}


def test_the_median_file_is_short() -> None:
    written = [count for path in FILES if (count := lines(path))]

    assert median(written) <= LINES_OF_THE_MEDIAN_FILE


def test_no_function_is_long() -> None:
    long = {
        f"{path.relative_to(ROOT)}: {name}": count
        for path in FILES
        for name, count in functions(path)
        if count > LINES_OF_A_FUNCTION
    }

    assert long == {}
