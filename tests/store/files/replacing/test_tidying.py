"""What an interrupted replacement left goes, unless somebody else wrote it."""

from pathlib import Path

import pytest

from store.files.replacing import Ground, tidy
from tests.store.files.replacing.ground import TEMP, Away

OLD, NEW, THEIRS = b"old\n", b"new bytes\n", b"theirs\n"


def tidied(
    root: Path, away: Away, before: bytes | None = OLD, after: bytes | None = NEW
) -> dict[str, bytes]:
    with Ground(root) as ground:
        tidy(ground.spot("a.md"), TEMP, before, after, away.care)
        tidy(ground.spot("a.md"), TEMP, before, after, away.care)
    return {path.name: path.read_bytes() for path in root.iterdir()}


@pytest.mark.parametrize("left", [NEW, OLD, NEW[:3], b""])
def test_ours_goes(root: Path, away: Away, left: bytes) -> None:
    (root / TEMP).write_bytes(left)

    assert tidied(root, away) == {"a.md": OLD}
    assert away.raws == []


def test_theirs_comes_back_where_ours_took_its_place(root: Path, away: Away) -> None:
    (root / TEMP).write_bytes(THEIRS)
    (root / "a.md").write_bytes(NEW)

    assert tidied(root, away) == {"a.md": THEIRS}
    assert away.raws == []


def test_theirs_comes_back_where_it_was_taken_away(root: Path, away: Away) -> None:
    (root / "a.md").rename(root / TEMP)
    (root / TEMP).write_bytes(THEIRS)

    assert tidied(root, away, after=None) == {"a.md": THEIRS}


def test_an_older_one_of_theirs_is_put_away(root: Path, away: Away) -> None:
    (root / TEMP).write_bytes(THEIRS)
    (root / "a.md").write_bytes(b"theirs, and newer\n")

    assert tidied(root, away) == {"a.md": b"theirs, and newer\n"}
    assert away.raws == [THEIRS]


def test_a_file_that_somebody_emptied_comes_back_empty(root: Path, away: Away) -> None:
    (root / TEMP).write_bytes(b"")
    (root / "a.md").write_bytes(NEW)

    assert tidied(root, away) == {"a.md": b""}


def test_the_second_name_of_three_steps_goes_too(root: Path, away: Away) -> None:
    (root / f"{TEMP}.old").hardlink_to(root / "a.md")

    assert tidied(root, away) == {"a.md": OLD}
