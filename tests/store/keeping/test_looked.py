"""When the user last looked."""

import stat

import pytest

from store.keeping.looked import last_look, look
from store.places import Places
from store.private import NotWrittenError


def test_nobody_looked_before_the_first_time(places: Places) -> None:
    assert last_look(places) is None
    assert not places.state.exists()


def test_the_last_look_counts(places: Places) -> None:
    look(places, 1_770_000_000_000_000)
    look(places, 1_780_000_000_123_456)

    assert last_look(places) == 1_780_000_000_123_456
    assert stat.S_IMODE((places.state / "looked").stat().st_mode) == 0o600
    assert [path.name for path in places.state.iterdir()] == ["looked"]


@pytest.mark.parametrize("raw", [b"", b"soon\n", b"-1\n", b"9" * 100, "٣".encode()])
def test_what_is_no_instant_counts_as_no_look(places: Places, raw: bytes) -> None:
    look(places, 1)
    (places.state / "looked").write_bytes(raw)

    assert last_look(places) is None


def test_a_look_that_cannot_be_kept_is_told(places: Places) -> None:
    places.state.write_bytes(b"")

    with pytest.raises(NotWrittenError, match="cannot be written"):
        look(places, 1)
