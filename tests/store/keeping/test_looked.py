"""When the user last looked, store by store."""

import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.keeping.looked import MOST, last_looks, look
from store.places import Places
from store.private import NotWrittenError

KILN, OVEN = Path("/home/mira/kiln/.memory"), Path("/home/mira/oven/.memory")


def test_nobody_looked_before_the_first_time(places: Places) -> None:
    assert last_looks(places) == {}
    assert not places.state.exists()


def test_the_last_look_at_each_store_counts(places: Places) -> None:
    look(places, [KILN, OVEN], 1_770_000_000_000_000)
    look(places, [KILN], 1_780_000_000_123_456)

    assert last_looks(places) == {
        str(KILN): 1_780_000_000_123_456,
        str(OVEN): 1_770_000_000_000_000,
    }
    assert stat.S_IMODE((places.state / "looked").stat().st_mode) == 0o600


def test_a_path_may_hold_bytes_that_are_no_text(places: Places) -> None:
    odd = Path("/home/mira/\udcff\u2028/.memory")
    look(places, [odd], 1)

    assert last_looks(places) == {str(odd): 1}


def test_stores_that_nobody_looks_at_any_more_are_forgotten(places: Places) -> None:
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
def test_what_is_no_look_counts_as_none(places: Places, raw: bytes) -> None:
    look(places, [KILN], 1)
    (places.state / "looked").write_bytes(raw)

    assert last_looks(places) == {}


@given(st.binary(max_size=40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_stands_there_one_can_look_again(places: Places, raw: bytes) -> None:
    places.state.mkdir(parents=True, exist_ok=True)
    (places.state / "looked").write_bytes(raw)

    look(places, [KILN], 5)

    assert last_looks(places)[str(KILN)] == 5


def test_a_look_that_cannot_be_kept_is_told(places: Places) -> None:
    places.state.write_bytes(b"")

    with pytest.raises(NotWrittenError, match="cannot be written"):
        look(places, [KILN], 1)
