"""Leftovers of an interrupted replacement are removed, except those of others."""

from pathlib import Path

import pytest

from store.files.replace import tidy
from store.files.writable import WritableRoot
from tests.store.files.replace.writable import TEMP, Away

OLD, NEW, THEIRS = b"old\n", b"new bytes\n", b"theirs\n"


def tidied(
    root: Path, away: Away, before: bytes | None = OLD, after: bytes | None = NEW
) -> dict[str, bytes]:
    with WritableRoot(root) as writable:
        tidy(writable.spot("a.md"), TEMP, before, after, away.hooks)
        tidy(writable.spot("a.md"), TEMP, before, after, away.hooks)
    return {path.name: path.read_bytes() for path in root.iterdir()}


@pytest.mark.parametrize("left", [NEW, OLD, NEW[:3], b""])
def test_our_leftovers_are_removed(root: Path, away: Away, left: bytes) -> None:
    (root / TEMP).write_bytes(left)

    assert tidied(root, away) == {"a.md": OLD}
    assert away.raws == []


def test_another_programs_file_returns_if_ours_took_its_place(
    root: Path, away: Away
) -> None:
    (root / TEMP).write_bytes(THEIRS)
    (root / "a.md").write_bytes(NEW)

    assert tidied(root, away) == {"a.md": THEIRS}
    assert away.raws == []


def test_another_programs_file_returns_if_we_removed_it(root: Path, away: Away) -> None:
    (root / "a.md").rename(root / TEMP)
    (root / TEMP).write_bytes(THEIRS)

    assert tidied(root, away, after=None) == {"a.md": THEIRS}


def test_an_older_version_of_another_program_is_kept_aside(
    root: Path, away: Away
) -> None:
    (root / TEMP).write_bytes(THEIRS)
    (root / "a.md").write_bytes(b"theirs, and newer\n")

    assert tidied(root, away) == {"a.md": b"theirs, and newer\n"}
    assert away.raws == [THEIRS]


def test_a_file_that_another_program_emptied_returns_empty(
    root: Path, away: Away
) -> None:
    (root / TEMP).write_bytes(b"")
    (root / "a.md").write_bytes(NEW)

    assert tidied(root, away) == {"a.md": b""}


def test_the_second_name_of_a_three_step_exchange_is_removed_too(
    root: Path, away: Away
) -> None:
    (root / f"{TEMP}.old").hardlink_to(root / "a.md")

    assert tidied(root, away) == {"a.md": OLD}
