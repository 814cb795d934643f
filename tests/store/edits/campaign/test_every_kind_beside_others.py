"""Every kind of change without disk space, and beside another writer."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import FileStep
from store.errors import LockedError, NotWrittenError
from tests.store.edits.campaign.harness import performed
from tests.store.edits.campaign.intruder import Intruder
from tests.store.edits.campaign.kinds import KINDS
from tests.store.edits.campaign.limits import limited
from tests.store.edits.campaign.plays import Play, Stand
from tests.store.edits.trial import Trial

SIZES = (1, 200, 700, 1500, 6000)
THEIRS = b"what another program wrote at that moment\n"
STRIDE = 3 * int(os.environ.get("RECOLLECT_TEST_STRIDE", "61"))
"""Before every how many-th call another program writes."""

pytestmark = [
    pytest.mark.usefixtures("allowed"),
    pytest.mark.parametrize("name", KINDS),
]


def test_without_room_a_change_is_complete_or_undone(name: str, tmp_path: Path) -> None:
    play = Play(tmp_path, KINDS[name])
    before, after, *_ = play.expected

    def attempts(trial: Trial) -> None:
        stand = play.set()
        for size in SIZES:
            with suppress(NotWrittenError):
                limited(size, lambda: play.acts[0](stand))
            stand.engine.recover()
            found = play.plain(stand.both())
            assert found in [play.plain(before), play.plain(after)]
            if not all(one.undone for one in stand.engine.past()):
                play.acts[1](stand)
            assert play.plain(stand.both()) == play.plain(before)
        play.acts[0](stand)
        assert play.plain(stand.both()) == play.plain(after)
        trial.close()

    with play.set() as trial:
        assert performed(trial, [attempts], lambda: None) == (1, None)


def test_a_file_put_in_place_by_another_program_stays(
    name: str, tmp_path: Path
) -> None:
    play = Play(tmp_path, KINDS[name])

    for path in _changed(play):
        for moment in _moments(play):
            with play.set() as trial:
                _change(play, trial, moment, path)
                assert path.read_bytes() == THEIRS, f"{path.name} at {moment}"


def _changed(play: Play) -> Iterator[Path]:
    """The replaced and removed files, without derived ones."""
    for step in play.draft.steps:
        if isinstance(step, FileStep) and step.before is not None and not step.remake:
            yield (step.root or play.place / "store") / step.path


def _moments(play: Play) -> range:
    with play.set() as trial:
        return range(1, _change(play, trial, 0, play.place), STRIDE)


def _change(play: Play, trial: Stand, moment: int, path: Path) -> int:
    """Make the change with an intruder before a call; returns the number of calls."""

    def come() -> None:
        new = path.with_name("theirs.tmp")
        new.write_bytes(THEIRS)
        new.replace(path)

    intruder = Intruder({moment: come})
    with suppress(ChangedOnDiskError, LockedError), intruder.at_work():
        play.acts[0](trial)
    return intruder.count
