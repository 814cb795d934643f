"""The user's last visit to each store."""

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.machine import NotWrittenError, Places
from store.state import LOOKED_MOST as MOST
from store.state import last_looks, look
from tests.examples import USUAL, examples

KILN, OVEN = Path("/home/mira/kiln/.memory"), Path("/home/mira/oven/.memory")


def test_before_the_first_visit_there_is_none(places: Places) -> None:
    assert last_looks(places) == {}
    assert not places.state.exists()


def test_the_last_visit_to_each_store_counts(places: Places) -> None:
    look(places, [KILN, OVEN], 1_770_000_000_000_000)
    look(places, [KILN], 1_780_000_000_123_456)

    assert last_looks(places) == {
        str(KILN): 1_780_000_000_123_456,
        str(OVEN): 1_770_000_000_000_000,
    }
    assert stat.S_IMODE((places.state / "looked").stat().st_mode) == 0o600


def test_a_path_may_contain_bytes_that_are_not_text(places: Places) -> None:
    odd = Path("/home/mira/\udcff\u2028/.memory")
    look(places, [odd], 1)

    assert last_looks(places) == {str(odd): 1}


def test_stores_not_visited_any_more_are_forgotten(places: Places) -> None:
    look(places, [OVEN], 1)
    look(places, [Path(f"/{number}") for number in range(MOST - 1)], 2)
    assert len(last_looks(places)) == MOST

    look(places, [KILN], 3)

    looks = last_looks(places)
    assert len(looks) == MOST
    assert str(OVEN) not in looks
    assert looks[str(KILN)] == 3


@pytest.mark.parametrize(
    "raw",
    [
        *(b"", b"soon\n", b"1770000000000000\n", b"[1]", b"[" * 100_000),
        *(b'{"/a": "1"}', b'{"/a": true}', b'{"/a": -1}', b'{"/a": 9e999}'),
    ],
)
def test_an_invalid_visit_counts_as_none(places: Places, raw: bytes) -> None:
    look(places, [KILN], 1)
    (places.state / "looked").write_bytes(raw)

    assert last_looks(places) == {}


@given(st.binary(max_size=40))
@examples(USUAL, keeps_fixtures=True)
def test_visits_work_whatever_the_file_contains(places: Places, raw: bytes) -> None:
    places.state.mkdir(parents=True, exist_ok=True)
    (places.state / "looked").write_bytes(raw)

    look(places, [KILN], 5)

    assert last_looks(places)[str(KILN)] == 5


def test_a_visit_that_cannot_be_saved_is_reported(places: Places) -> None:
    places.state.write_bytes(b"")

    with pytest.raises(NotWrittenError, match="Can't write"):
        look(places, [KILN], 1)
