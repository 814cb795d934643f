"""New users get more hints at the first starts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.machine import Places
from store.state import count_start, starts


def test_starts_are_counted(places: Places) -> None:
    assert starts(places) == 0
    assert [count_start(places) for _ in range(4)] == [1, 2, 3, 4]
    assert starts(places) == 4


@pytest.mark.parametrize("damage", [b"", b"oops", b"-1", b"9" * 50, "²".encode()])
def test_with_a_damaged_count_the_user_is_not_new(
    places: Places, damage: bytes
) -> None:
    places.state.mkdir()
    (places.state / "starts").write_bytes(damage)

    assert starts(places) > 3
    assert count_start(places) > 3


@given(st.binary(max_size=30))
def test_no_bytes_crash_the_program(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes
) -> None:
    folder = tmp_path_factory.mktemp("machine")
    (folder / "starts").write_bytes(raw)
    places = Places(folder, folder, folder)

    before = starts(places)

    assert count_start(places) in {before, before + 1}
