"""The folders of the program's own files."""

import os
import stat
import sys
from pathlib import Path

import pytest

from store.machine import Places, make_private


@pytest.mark.skipif(sys.platform != "linux", reason="XDG is how Linux names its places")
def test_places_depend_on_the_platform(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("CACHE", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))

    places = Places.usual()

    assert places == Places(
        cache=tmp_path / "CACHE/recollect",
        state=tmp_path / "STATE/recollect",
        config=tmp_path / "CONFIG/recollect",
    )
    assert places.catalogue == tmp_path / "CACHE/recollect/catalogue.db"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_a_private_folder_is_only_for_its_owner(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        make_private(tmp_path / "own")
    finally:
        os.umask(before)

    assert stat.S_IMODE((tmp_path / "own").stat().st_mode) == 0o700


def test_a_folder_open_to_others_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    folder.chmod(0o755)

    make_private(folder)

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
