"""The user comes back to where they were."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from store.keeping.last import LONGEST, MOST, Last, keep_last, read_last
from store.places import Places

HERE = [Path("/a"), Path("/b")]
LEFT = Last(store="/a", view="edges", query="redis", split=2, theme="nord")


def test_there_is_none_at_first(places: Places) -> None:
    assert read_last(places, HERE) == Last()
    assert not places.state.exists()


def test_each_choice_of_stores_has_its_own_and_the_theme_is_one(
    places: Places,
) -> None:
    keep_last(places, HERE, LEFT)
    keep_last(places, [Path("/c")], Last(view="events", theme="ansi"))

    assert read_last(places, HERE) == replace(LEFT, theme="ansi")
    assert read_last(places, [Path("/c")]).view == "events"
    assert read_last(places, [Path("/d")]) == Last(theme="ansi")


def test_a_theme_that_was_chosen_holds_until_another_is(places: Places) -> None:
    keep_last(places, HERE, LEFT)
    keep_last(places, HERE, replace(LEFT, theme=None))

    assert read_last(places, HERE).theme == LEFT.theme


def test_the_order_of_stores_does_not_matter_and_their_names_may_be_no_text(
    places: Places,
) -> None:
    odd = [Path("/odd-\udcff"), *HERE]
    left = replace(LEFT, store="/odd-\udcff")
    keep_last(places, odd, left)

    assert read_last(places, reversed(odd)) == left


def test_what_was_left_longest_ago_gives_way(places: Places) -> None:
    for number in range(MOST + 1):
        keep_last(places, [Path(f"/{number}")], LEFT)
        if number == 1:
            keep_last(places, [Path("/0")], LEFT)

    assert read_last(places, [Path("/1")]) == Last(theme="nord")
    assert read_last(places, [Path("/0")]) == LEFT


def test_a_query_that_was_pasted_is_not_remembered(places: Places) -> None:
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
def test_damage_is_as_if_nothing_were_there(places: Places, damage: bytes) -> None:
    places.state.mkdir()
    (places.state / "last").write_bytes(damage)

    assert read_last(places, HERE) == Last()
    keep_last(places, HERE, LEFT)
    assert read_last(places, HERE) == LEFT


def test_a_field_that_makes_no_sense_is_as_if_it_were_not_there(
    places: Places,
) -> None:
    keep_last(places, HERE, LEFT)
    file = places.state / "last"
    text = file.read_text().replace('"edges"', "7").replace(": 2", ": true")
    file.write_text(text.replace('"redis"', "null"))

    assert read_last(places, HERE) == Last(store="/a", theme="nord")


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
def test_any_state_comes_back(
    tmp_path_factory: pytest.TempPathFactory, last: Last
) -> None:
    folder = tmp_path_factory.mktemp("machine")
    places = Places(folder, folder, folder)

    keep_last(places, HERE, last)

    assert read_last(places, HERE) == last
