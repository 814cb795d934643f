"""Bytes stored under their digest."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.edits.backups import Blobs, name_of
from store.errors import BackupLostError


@given(st.lists(st.binary(), max_size=5))
def test_stored_bytes_can_be_read(
    tmp_path_factory: pytest.TempPathFactory, raws: list[bytes]
) -> None:
    blobs = Blobs(tmp_path_factory.mktemp("kept") / "blobs")

    blobs.keep(raws)
    blobs.keep(raws)

    assert [blobs.read(name_of(raw)) for raw in raws] == raws
    assert len(blobs.sizes()) == len(set(raws))


def test_a_damaged_blob_is_never_returned_and_replaced_when_seen_again(
    tmp_path: Path,
) -> None:
    blobs = Blobs(tmp_path)
    blobs.keep([b"memory"])
    (tmp_path / name_of(b"memory")).write_bytes(b"memorx")

    with pytest.raises(BackupLostError, match="damaged"):
        blobs.read(name_of(b"memory"))

    blobs.keep([b"memory"])
    assert blobs.read(name_of(b"memory")) == b"memory"


def test_a_missing_blob_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BackupLostError, match=r"is missing\."):
        Blobs(tmp_path).read(name_of(b"memory"))


def test_blobs_are_private(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")

    blobs.keep([b"secret"])

    assert blobs.folder.stat().st_mode & 0o777 == 0o700
    assert (blobs.folder / name_of(b"secret")).stat().st_mode & 0o777 == 0o600


def test_unfinished_and_unused_blobs_are_removed(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    blobs.keep([b"one", b"another"])
    (tmp_path / f"{name_of(b'third')}.new").write_bytes(b"thir")

    blobs.sweep()
    freed = blobs.drop_but({name_of(b"one")})

    assert set(blobs.sizes()) == {name_of(b"one")}
    assert freed == len(b"another")


def test_many_bytes_are_named_like_the_blob_that_has_them(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    kept, other = b"a" * 2_000_000, b"b" * 2_000_000
    blobs.keep([kept])

    assert blobs.name(bytes(bytearray(kept))) == name_of(kept)
    assert blobs.name(other) == name_of(other)
