"""The browser reopens where the user left it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from store.machine import Places
from store.state import LAST_MOST as MOST
from store.state import LONGEST, Last, keep_last, read_last

HERE = [Path("/a"), Path("/b")]
LEFT = Last(
    store="/a", view="edges", query="redis", split=2, project="/p", theme="nord"
)


def test_at_first_there_is_no_state(places: Places) -> None:
    assert read_last(places, HERE) == Last()
    assert not places.state.exists()


def test_each_choice_of_stores_has_its_own_and_the_theme_is_shared(
    places: Places,
) -> None:
    keep_last(places, HERE, LEFT)
    keep_last(places, [Path("/c")], Last(view="events", theme="ansi"))

    assert read_last(places, HERE) == replace(LEFT, theme="ansi")
    assert read_last(places, [Path("/c")]).view == "events"
    assert read_last(places, [Path("/d")]) == Last(theme="ansi")


def test_a_chosen_theme_stays_until_another_is_chosen(places: Places) -> None:
    keep_last(places, HERE, LEFT)
    keep_last(places, HERE, replace(LEFT, theme=None))

    assert read_last(places, HERE).theme == LEFT.theme


def test_the_order_of_stores_does_not_matter_and_names_may_be_any_bytes(
    places: Places,
) -> None:
    odd = [Path("/odd-\udcff"), *HERE]
    left = replace(LEFT, store="/odd-\udcff")
    keep_last(places, odd, left)

    assert read_last(places, reversed(odd)) == left


def test_the_least_recently_used_state_is_dropped(places: Places) -> None:
    for number in range(MOST + 1):
        keep_last(places, [Path(f"/{number}")], LEFT)
        if number == 1:
            keep_last(places, [Path("/0")], LEFT)

    assert read_last(places, [Path("/1")]) == Last(theme="nord")
    assert read_last(places, [Path("/0")]) == LEFT


def test_a_pasted_query_is_not_remembered(places: Places) -> None:
    keep_last(places, HERE, replace(LEFT, query="x" * (LONGEST + 1)))

    assert read_last(places, HERE) == replace(LEFT, query="")


@pytest.mark.parametrize(
    "damage",
    [
        b"oops",
        b"[]",
        b'"torn',
        b"\xff",
        b'{"left": 3, "theme": 4}',
        b'{"left": {}}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_counts_as_missing(places: Places, damage: bytes) -> None:
    places.state.mkdir()
    (places.state / "last").write_bytes(damage)

    assert read_last(places, HERE) == Last()
    keep_last(places, HERE, LEFT)
    assert read_last(places, HERE) == LEFT


def test_an_invalid_field_counts_as_missing(
    places: Places,
) -> None:
    keep_last(places, HERE, LEFT)
    file = places.state / "last"
    text = file.read_text().replace('"edges"', "7").replace(": 2", ": true")
    file.write_text(text.replace('"redis"', "null"))

    assert read_last(places, HERE) == Last(store="/a", project="/p", theme="nord")


@given(
    st.builds(
        Last,
        store=st.none() | st.text(max_size=20),
        view=st.none() | st.text(max_size=20),
        query=st.text(max_size=50),
        split=st.integers(-5, 5),
        theme=st.none() | st.text(max_size=20),
    )
)
def test_any_state_is_restored(
    tmp_path_factory: pytest.TempPathFactory, last: Last
) -> None:
    folder = tmp_path_factory.mktemp("machine")
    places = Places(folder, folder, folder)

    keep_last(places, HERE, last)

    assert read_last(places, HERE) == last
