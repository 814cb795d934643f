"""Another program writes at any moment of a change, and loses no byte."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.edits.conflict import ChangedOnDiskError
from store.errors import LockedError
from store.files import replace as renaming
from store.files import writable as leases
from store.files import writable as looking
from tests.store.edits.campaign.intruder import Deed, Intruder
from tests.store.edits.trial import FILES, Trial

THEIRS = b"theirs\n"
OURS = b"ours, and more than there was\n"
LINE = b"a line of ours\n"
WAS = FILES["a.md"]
STRIDE = max(1, int(os.environ.get("RECOLLECT_TEST_STRIDE", "61")) // 9)
"""Before every how many-th call."""


def renames(path: Path, raw: bytes = THEIRS) -> None:
    new = path.with_name("theirs.tmp")
    new.write_bytes(raw)
    new.replace(path)


def rewrites(path: Path, raw: bytes = THEIRS) -> None:
    written(path, os.O_TRUNC | os.O_CREAT, raw)


def appends(path: Path, raw: bytes = THEIRS) -> None:
    written(path, os.O_APPEND | os.O_CREAT, raw)


def removes(path: Path) -> None:
    path.unlink(missing_ok=True)


def written(path: Path, how: int, raw: bytes) -> None:
    """Write into a file, unless it cannot be opened without waiting."""
    handle = os.open(path, os.O_WRONLY | os.O_NONBLOCK | how, 0o644)
    os.write(handle, raw)
    os.close(handle)


INTRUSIONS: dict[str, tuple[Callable[[Path], None], set[bytes | None]]] = {
    "renames": (renames, {THEIRS}),
    "rewrites": (rewrites, {THEIRS, THEIRS + LINE}),
    "appends": (
        appends,
        {
            *(WAS + THEIRS, OURS + THEIRS, THEIRS),
            *(WAS + LINE + THEIRS, WAS + THEIRS + LINE),
        },
    ),
    "removes": (removes, {None}),
}
"""What the other does, and what may be there in the end."""


def swapped(trial: Trial) -> Deed:
    return partial(trial.apply, trial.step("a.md", OURS))


def withdrawn(trial: Trial) -> Deed:
    return partial(trial.apply, trial.step("a.md", None))


def added(trial: Trial) -> Deed:
    return partial(trial.apply, trial.adding("a.md", LINE[:-1]))


def cut(trial: Trial) -> Deed:
    added(trial)()
    return trial.engine.undo


WAYS: dict[str, Callable[[Trial], Deed]] = {
    "swap": swapped,
    "withdraw": withdrawn,
    "add": added,
    "cut": cut,
}
"""What is done meanwhile, to a file as it is by then."""


@pytest.mark.parametrize("name", INTRUSIONS)
@pytest.mark.parametrize("way", WAYS)
def test_bytes_that_another_program_writes_at_any_moment_stay(
    name: str, way: str, tmp_path: Path
) -> None:
    assert lost(tmp_path, name, way) == []


@pytest.mark.parametrize("way", WAYS)
@given(
    others=st.dictionaries(
        st.integers(1, 90), st.sampled_from([renames, rewrites, appends]), min_size=2
    )
)
def test_of_several_writes_between_our_calls_the_last_one_stays(
    way: str, others: dict[int, Callable[..., None]]
) -> None:
    with TemporaryDirectory() as folder, Trial.at(Path(folder)) as trial:
        path = trial.root / "a.md"
        comers = {
            moment: Patient(partial(one, raw=b"theirs, %d\n" % moment), path)
            for moment, one in others.items()
        }
        changed(WAYS[way](trial), {at: one.come for at, one in comers.items()})
        waited = [at for at in sorted(comers) if comers[at].wait()]
        came = waited or [at for at in sorted(comers) if comers[at].has_come]
        assert all(b"theirs, %d\n" % at in path.read_bytes() for at in came[-1:])
        assert list(trial.root.rglob(".recollect-*")) == []


@pytest.mark.parametrize("name", INTRUSIONS)
@pytest.mark.parametrize("way", ["add", "cut"])
def test_without_leases_truncation_can_be_missed_for_a_moment(
    name: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take(_handle: int) -> None:
        """Like a system without leases."""

    monkeypatch.setattr(leases, "_take", take)

    moments = lost(tmp_path, name, way, stride=1)

    known = {("appends", "cut"): 1, ("rewrites", "cut"): 1}
    assert len(moments) <= known.get((name, way), 0)


@pytest.mark.parametrize("name", INTRUSIONS)
def test_without_atomic_exchange_a_moment_remains(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renaming, "_EXCHANGE", 1 << 20)
    monkeypatch.setattr(renaming, "_ANEW", 1 << 20)

    moments = lost(tmp_path, name, "swap", stride=1)

    known = {"renames": 1, "removes": 2}
    assert len(moments) <= known.get(name, 0)


@pytest.mark.parametrize("pause", [1, 4, 16, 1000])
def test_bytes_written_to_a_file_that_was_open_are_kept(
    pause: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "PATIENCE", 0)
    found: list[bool] = []

    for moment in moments(tmp_path):
        trial = Trial.at(tmp_path / str(moment))
        writer = Slow(trial.root / "a.md")
        deeds = {moment: writer.open, moment + pause: writer.write}
        changed(swapped(trial), deeds)
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


def lost(folder: Path, name: str, way: str, stride: int = STRIDE) -> list[int]:
    """The calls at which the other program's write was lost."""
    intrude, expected = INTRUSIONS[name]
    found: list[int] = []
    for moment in moments(folder, stride, way):
        with Trial.at(folder / str(moment)) as trial:
            other = Patient(intrude, trial.root / "a.md")
            changed(WAYS[way](trial), {moment: other.come})
            other.wait()
            if trial.raw("a.md") not in expected:
                found.append(moment)
    return found


class Patient:
    """Another program, which waits while it may not open the file."""

    def __init__(self, intrude: Callable[[Path], None], path: Path) -> None:
        self._intrude, self._path = intrude, path
        self._waits = False
        self.has_come = False

    def come(self) -> None:
        self.has_come = True
        try:
            self._intrude(self._path)
        except BlockingIOError:
            self._waits = True

    def wait(self) -> bool:
        """Continue if it has been waiting; returns whether it has."""
        if self._waits:
            self._intrude(self._path)
        return self._waits


def moments(folder: Path, stride: int = STRIDE, way: str = "swap") -> Iterator[int]:
    """The calls of a change before which another program can write."""
    with Trial.at(folder / "counted") as trial:
        calls = changed(WAYS[way](trial), {})
    yield from range(1, calls + 1, stride)


def changed(act: Deed, deeds: Mapping[int, Deed]) -> int:
    """Change a file beside an intruder; returns the number of calls."""
    intruder = Intruder(deeds)
    with suppress(ChangedOnDiskError, LockedError), intruder.at_work():
        act()
    return intruder.count
