"""Edits need the user's permission, store by store."""

import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.machine import Places
from store.state import permit, permitted


def test_nothing_is_permitted_at_first(places: Places) -> None:
    assert permitted(places) == frozenset()
    assert not places.state.exists()


def test_a_permission_is_remembered_until_it_is_revoked(places: Places) -> None:
    for store in ("/a", "/b", "/odd-\udcff"):
        permit(places, store, changes=True)
    permit(places, "/b", changes=False)
    permit(places, "/never", changes=False)

    assert permitted(places) == {"/a", "/odd-\udcff"}


def test_only_the_owner_can_permit_edits(places: Places) -> None:
    permit(places, "/a", changes=True)

    mode = (places.state / "permitted").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


@given(st.binary(max_size=100))
def test_an_unreadable_file_permits_nothing_more(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes
) -> None:
    folder = tmp_path_factory.mktemp("machine")
    places = Places(folder, folder, folder)
    permit(places, "/a", changes=True)
    with (folder / "permitted").open("ab") as file:
        file.write(b"{" + raw)

    assert "/other" not in permitted(places)
    permit(places, "/b", changes=True)
    assert "/b" in permitted(places)
