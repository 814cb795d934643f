"""Several of our processes change one file, and no change is lost."""

import os

from store.edits.conflict import ChangedOnDiskError
from store.errors import LockedError
from tests.store.edits.trial import Trial

PROCESSES = 4
TIMES = int(os.environ.get("RECOLLECT_TEST_LOCKED", "40")) // 4


def test_no_change_of_any_process_is_lost(trial: Trial) -> None:
    (trial.root / "a.md").write_bytes(b"0")

    children = [_start(trial) for _ in range(PROCESSES)]
    ends = [os.waitpid(child, 0)[1] for child in children]

    assert ends == [0] * PROCESSES
    assert trial.raw("a.md") == b"%d" % (PROCESSES * TIMES)
    for _ in range(PROCESSES * TIMES):
        trial.engine.undo()
    assert trial.raw("a.md") == b"0"


def _start(trial: Trial) -> int:
    child = os.fork()
    if not child:
        try:
            for _ in range(TIMES):
                _add_one(trial)
            os._exit(0)
        finally:
            os._exit(1)
    return child


def _add_one(trial: Trial) -> None:
    """Retry until it succeeds."""
    while True:
        step = trial.step("a.md", b"%d" % (int(trial.raw("a.md") or b"0") + 1))
        try:
            trial.apply(step)
        except (ChangedOnDiskError, LockedError):
            continue
        return
