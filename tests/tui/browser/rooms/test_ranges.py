"""A range of time replaces another, and keeps the rest of the query."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.search.parse import parse
from tui.browser.rooms.episodes import ranged, ranges_menu

TODAY = date(2026, 1, 20)
TOKENS = [choice.value for choice in ranges_menu("", "episodes", TODAY)]
PARTS = ["redis", "-tag:old", "type:fix", '"a b"', "a|b", "since:7d", "on:2026-02-14"]


def test_every_range_is_understood() -> None:
    complaints = [parse(one, ["episodes"]).complaints for one in TOKENS]

    assert not any(complaints)
    assert "month:2025-12" in TOKENS
    assert "year:2025" in TOKENS


@pytest.mark.parametrize(
    ("text", "token", "expected"),
    [
        ("", "since:7d", "since:7d"),
        ("redis", "since:7d", "redis since:7d"),
        ("redis ", "since:7d", "redis since:7d"),
        ("redis since:7d", "since:30d", "redis since:30d"),
        ("since:7d redis on:2026-02", "month:2026-01", "redis month:2026-01"),
        ("since:7d", "", ""),
        ("-since:7d redis", "", "redis"),
        ("date>2026-01 in:2026-02 redis", "", "redis"),
        ("Redis  type:Fix", "", "Redis  type:Fix"),
    ],
)
def test_the_rest_of_the_query_stays(text: str, token: str, expected: str) -> None:
    assert ranged(text, "episodes", token) == expected


@given(st.lists(st.sampled_from(PARTS), max_size=5), st.sampled_from(TOKENS))
def test_a_range_is_in_the_query_only_once(parts: list[str], token: str) -> None:
    once = ranged(" ".join(parts), "episodes", token)

    assert ranged(once, "episodes", token) == once
    assert once.split().count(token) == (1 if token else 0)
    assert ranged(once, "episodes", "") == ranged(" ".join(parts), "episodes", "")


@pytest.mark.parametrize("token", TOKENS)
def test_the_current_range_is_marked(token: str) -> None:
    menu = ranges_menu(f"redis {token}".strip(), "episodes", TODAY)

    marked = [one.value for one in menu if any("✓" in text for text, _ in one.before)]
    assert marked == [token]
