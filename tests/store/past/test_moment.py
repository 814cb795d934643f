"""A time can be written in many ways, and is shown in one."""

import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import WrongUseError
from store.past.rebuild import moment_of, shown_moment
from tests.store.catalogue.stores import micros

NOW = micros("2026-03-01T12:00:00Z")


@pytest.fixture(autouse=True)
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("said", "moment", "shown"),
    [
        ("2026-01-15", "2026-01-15T23:59:59.999999Z", "2026-01-15"),
        ("2026-01", "2026-01-31T23:59:59.999999Z", "2026-01-31"),
        ("2025", "2025-12-31T23:59:59.999999Z", "2025-12-31"),
        ("2026-01-15T10:30:00Z", "2026-01-15T10:30:00Z", "2026-01-15 10:30"),
        (" 2026-01-15 10:30:00 ", "2026-01-15T10:30:00Z", "2026-01-15 10:30"),
        ("yesterday", "2026-02-28T12:00:00Z", "2026-02-28 12:00"),
        ("30d", "2026-01-30T12:00:00Z", "2026-01-30 12:00"),
        ("6h", "2026-03-01T06:00:00Z", "2026-03-01 06:00"),
    ],
)
def test_a_time_is_understood_and_shown(said: str, moment: str, shown: str) -> None:
    assert moment_of(said, NOW) == micros(moment)
    assert shown_moment(micros(moment)) == shown


@pytest.mark.parametrize("said", ["", "soon", "2026-13-01", "tag:redis", "\0", "٣d"])
def test_an_invalid_time_is_refused(said: str) -> None:
    with pytest.raises(
        WrongUseError, match=r"; try 2026-01-15, 2026-01-15T10:30 or 30d\."
    ):
        moment_of(said, NOW)


@given(st.text(max_size=12) | st.from_regex(r"[0-9]{1,4}(-[0-9]{1,2}){0,2}|[0-9]+y"))
def test_any_text_is_a_time_or_refused(said: str) -> None:
    with suppress(WrongUseError):
        assert shown_moment(moment_of(said, NOW))
