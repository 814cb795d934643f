"""A report is run on every store; one that fails does not stop the others."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from store.answers.reports import ask_all
from store.discover import Found
from store.errors import (
    NothingFoundError,
    RecollectError,
    UnreadableError,
    WrongUseError,
)
from store.findings import Json
from store.reports import Row
from tests.store.formats.sample import SampleFormat, SampleStore

DAMAGED = UnreadableError("Can't read 'a.db': it is malformed.")
MISSING = NothingFoundError("No session 'x'.")

Said = list[int | RecollectError]
"""What a store answers: numbers, and the error that its answer ends with."""


class Oracle(SampleStore):
    """A store with prepared answers."""

    def __init__(self, title: str, said: Said) -> None:
        super().__init__(title, {})
        self._said = said

    def ask(self, report: str, words: Sequence[str], now: int) -> Iterator[Row]:
        """Every number, up to the error."""
        assert (report, words, now) == ("what", (), 0)
        for one in self._said:
            if isinstance(one, RecollectError):
                raise one
            yield {"number": one}


class OracleFormat(SampleFormat):
    """Stores with prepared answers."""

    def __init__(self, said: Mapping[Path, Said]) -> None:
        super().__init__({})
        self._said = said

    def open(self, path: Path) -> Oracle:
        """Open a store for reading."""
        return Oracle(path.name, self._said[path])


class Circle:
    """Several stores queried at once, and the errors reported meanwhile."""

    def __init__(self, *said: Said) -> None:
        told = {Path(f"/{number}"): one for number, one in enumerate(said)}
        oracles = OracleFormat(told)
        self._stores = [Found(path, oracles) for path in told]
        self.complaints: list[str] = []

    def rows(self) -> Iterator[tuple[Json, Json]]:
        """The store and the number of each row."""
        asked = ask_all(self._stores, "what", (), 0, self.complaints.append)
        return ((row["store"], row["number"]) for row in asked)


def test_a_damaged_store_is_reported_while_the_others_answer() -> None:
    circle = Circle([1], [DAMAGED], [2, 3])

    assert list(circle.rows()) == [("/0", 1), ("/2", 2), ("/2", 3)]
    assert circle.complaints == [f"/1 can't answer: {DAMAGED}"]


def test_rows_before_a_failure_are_shown() -> None:
    circle = Circle([1, DAMAGED])

    assert list(circle.rows()) == [("/0", 1)]
    assert len(circle.complaints) == 1


def test_a_store_without_rows_has_answered_too() -> None:
    circle = Circle([DAMAGED], [])

    assert list(circle.rows()) == []
    assert len(circle.complaints) == 1


def test_rows_missing_here_but_found_elsewhere_are_not_reported() -> None:
    circle = Circle([MISSING], [7], [MISSING])

    assert list(circle.rows()) == [("/1", 7)]
    assert circle.complaints == []


@pytest.mark.parametrize(
    ("said", "raised", "complaints"),
    [
        ([[MISSING], [MISSING]], MISSING, 0),
        ([[DAMAGED], [MISSING]], MISSING, 1),
        ([[DAMAGED], [DAMAGED]], DAMAGED, 1),
        ([[DAMAGED]], DAMAGED, 0),
    ],
)
def test_if_no_store_answers_it_is_an_error(
    said: list[Said], raised: RecollectError, complaints: int
) -> None:
    circle = Circle(*said)

    with pytest.raises(type(raised)) as error:
        list(circle.rows())

    assert error.value is raised
    assert len(circle.complaints) == complaints


def test_invalid_arguments_are_an_error_at_once() -> None:
    circle = Circle([DAMAGED], [WrongUseError("It takes no words.")], [1])

    with pytest.raises(WrongUseError):
        list(circle.rows())
    assert circle.complaints == []


def test_without_stores_nothing_is_reported() -> None:
    assert list(Circle().rows()) == []
