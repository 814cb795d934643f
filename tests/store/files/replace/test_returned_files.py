"""Others write while their file is being returned: their newest bytes survive."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from store.files.writable import ForeignError
from tests.store.edits.campaign.intruder import Intruder
from tests.store.files.replace.writable import Away, swapped

FIRST, SECOND = b"theirs\n", b"theirs, and newer\n"


def renames(path: Path) -> None:
    new = path.with_name("theirs")
    new.write_bytes(SECOND)
    new.replace(path)


def rewrites(path: Path) -> None:
    path.write_bytes(SECOND)


@pytest.mark.parametrize("again", [renames, rewrites])
def test_the_newest_write_of_another_program_survives(
    again: Callable[[Path], None], tmp_path: Path
) -> None:
    calls = swap_beside(tmp_path / "counted", Intruder({})).count
    lost: list[tuple[int, int]] = []

    for first in range(1, calls + 1):
        for second in range(first + 1, calls + 16, 3):
            path = tmp_path / f"{first}-{second}" / "store" / "a.md"
            intruder = Intruder(
                {
                    first: lambda path=path: path.write_bytes(FIRST),
                    second: lambda path=path: again(path),
                }
            )
            swap_beside(path.parent.parent, intruder)
            newest = SECOND if intruder.count >= second else FIRST
            if path.read_bytes() != newest:
                lost.append((first, second))

    assert lost == []


def swap_beside(folder: Path, intruder: Intruder) -> Intruder:
    """Replace a file beside an intruder."""
    root = folder / "store"
    root.mkdir(parents=True)
    (root / "a.md").write_bytes(b"old\n")
    away = Away(folder / "away")
    with suppress(ForeignError), intruder.at_work():
        swapped(root, "a.md", b"old\n", b"new\n", away)
    return intruder
