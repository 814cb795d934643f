"""Any name and any query give an answer in the right order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.search.fuzzy import Names, WithoutFrizbee
from store.search.fuzzy_frizbee import WithFrizbee

ANYTHING = st.text(st.characters(), max_size=40)
WORDY = st.text("abcde -_\n日é\ud800AB", max_size=60)
EVIL = [
    "a" * 4000,
    "a " * 4000,
    "ab" * 2000,
    "\x00\x1b[31m\x07",
    "\ud800redis\udfff",
    "\ufdfa" * 300,
    "日" * 4000,
    "e\u0301" * 2000,
    "_-" * 500,
    "\n" * 400,
]


@pytest.mark.parametrize("narrow", [WithFrizbee, WithoutFrizbee])
@given(
    names=st.lists(st.one_of(ANYTHING, WORDY), max_size=12),
    typed=st.lists(st.one_of(ANYTHING, WORDY), max_size=4),
    limit=st.integers(0, 12),
)
def test_every_property_of_a_page_holds(
    narrow: type[WithFrizbee | WithoutFrizbee],
    names: list[str],
    typed: list[str],
    limit: int,
) -> None:
    found = Names(names, narrow).similar(typed, limit)

    positions = [near.position for near in found]
    assert len(found) <= limit
    assert len(set(positions)) == len(positions)
    assert set(positions) <= set(range(len(names)))
    assert all(0 < near.score <= 1 and near.how for near in found)
    order = [(-near.score, near.position) for near in found]
    assert order == sorted(order)


@pytest.mark.parametrize("narrow", [WithFrizbee, WithoutFrizbee])
@given(word=st.from_regex("[a-z]{4,12}", fullmatch=True), data=st.data())
def test_a_word_with_one_typo_is_always_found(
    narrow: type[WithFrizbee | WithoutFrizbee], word: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(word) - 1))
    letter = data.draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz"))
    misspelt = data.draw(
        st.sampled_from(
            [
                word[:at] + letter + word[at + 1 :],
                word[:at] + letter + word[at:],
                word[:at] + word[at + 1 :],
                word[:at] + word[at : at + 2][::-1] + word[at + 2 :],
            ]
        )
    )

    found = Names(["", f"the {word} of all"], narrow).similar([misspelt], 1)

    assert [near.position for near in found] == [1]


@pytest.mark.parametrize("narrow", [WithFrizbee, WithoutFrizbee])
def test_hostile_names_and_needles(
    narrow: type[WithFrizbee | WithoutFrizbee],
) -> None:
    names = Names([*EVIL, "x" * 1_000_000, "Redis timeout " + "y" * 1_000_000], narrow)

    for needle in EVIL:
        assert len(names.similar([needle], 5)) <= 5
        names.similar(needle.split(), 5)
        names.similar([needle, "redis"], 5)
    assert [near.position for near in names.similar(["redsi"], 1)] != []
    assert names.similar(["timeuot"], 1)[0].position == len(EVIL) + 1
