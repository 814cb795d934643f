"""Another program writes at any moment of a change: not one byte of it is lost."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from store.edits.refusals import ChangedOnDiskError, LockedError
from store.files.replacing import looking, renaming
from tests.store.edits.campaign.intruder import Deed, Intruder
from tests.store.edits.trial import FILES, Trial

THEIRS = b"theirs\n"
OURS = b"ours, and more than there was\n"
WAS = FILES["a.md"]
STRIDE = max(1, int(os.environ.get("RECOLLECT_TEST_STRIDE", "61")) // 9)
"""Before every how many-th call."""


def renames(path: Path) -> None:
    new = path.with_name("theirs.tmp")
    new.write_bytes(THEIRS)
    new.replace(path)


def rewrites(path: Path) -> None:
    path.write_bytes(THEIRS)


def appends(path: Path) -> None:
    with path.open("ab") as file:
        file.write(THEIRS)


def removes(path: Path) -> None:
    path.unlink(missing_ok=True)


INTRUSIONS: dict[str, tuple[Callable[[Path], None], set[bytes | None]]] = {
    "renames": (renames, {THEIRS}),
    "rewrites": (rewrites, {THEIRS}),
    "appends": (appends, {WAS + THEIRS, OURS + THEIRS, THEIRS}),
    "removes": (removes, {None}),
}
"""What the other does, and what may be there in the end."""


@pytest.mark.parametrize("name", INTRUSIONS)
@pytest.mark.parametrize("after", [OURS, None], ids=["swap", "withdraw"])
def test_what_another_writes_at_any_moment_stays(
    name: str, after: bytes | None, tmp_path: Path
) -> None:
    assert lost(tmp_path, name, after) == []


@pytest.mark.parametrize("name", INTRUSIONS)
def test_where_names_cannot_be_swapped_a_moment_remains(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renaming, "_EXCHANGE", 1 << 20)
    monkeypatch.setattr(renaming, "_ANEW", 1 << 20)

    moments = lost(tmp_path, name, OURS, stride=1)

    known = {"renames": 1, "removes": 2}
    assert len(moments) <= known.get(name, 0)


@pytest.mark.parametrize("pause", [1, 4, 16, 1000])
def test_what_is_written_into_a_file_that_was_open_is_kept(
    pause: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "PATIENCE", 0)
    found: list[bool] = []

    for moment in moments(tmp_path):
        trial = Trial.at(tmp_path / str(moment))
        writer = Slow(trial.root / "a.md")
        deeds = {moment: writer.open, moment + pause: writer.write}
        changed(trial, deeds, OURS)
        writer.write()
        trial.engine.recover()
        kept = [path.read_bytes() for path in trial.changes.glob("blobs/*")]
        found.append(any(THEIRS in raw for raw in (trial.raw("a.md") or b"", *kept)))

    assert all(found)


class Slow:
    """Opens a file, and writes into it some time later, once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle: int | None = None
        self._has_written = False

    def open(self) -> None:
        flags = os.O_WRONLY | os.O_APPEND
        self._handle = os.open(self._path, flags)

    def write(self) -> None:
        if self._handle is None:
            self.open()
        if not self._has_written and self._handle is not None:
            os.write(self._handle, THEIRS)
            os.close(self._handle)
            self._has_written = True


def lost(
    folder: Path, name: str, after: bytes | None, stride: int = STRIDE
) -> list[int]:
    """The moments at which what the other did is not there afterwards."""
    intrude, expected = INTRUSIONS[name]
    found: list[int] = []
    for moment in moments(folder, stride, after):
        with Trial.at(folder / str(moment)) as trial:
            path = trial.root / "a.md"
            changed(trial, {moment: lambda path=path: intrude(path)}, after)
            if trial.raw("a.md") not in expected:
                found.append(moment)
    return found


def moments(
    folder: Path, stride: int = STRIDE, after: bytes | None = OURS
) -> Iterator[int]:
    """Before which calls of a change somebody can come."""
    with Trial.at(folder / "counted") as trial:
        calls = changed(trial, {}, after)
    yield from range(1, calls + 1, stride)


def changed(trial: Trial, deeds: Mapping[int, Deed], after: bytes | None) -> int:
    """Change a file while somebody is at work; how many calls that took."""
    intruder = Intruder(deeds)
    draft = trial.draft(trial.step("a.md", after))
    with suppress(ChangedOnDiskError, LockedError), intruder.at_work():
        trial.engine.apply(trial.root, draft)
    return intruder.count
