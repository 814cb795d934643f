"""After a failed call the program continues, and the next change succeeds."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from store.errors import RecollectError
from tests.store.edits.campaign import acts
from tests.store.edits.campaign.acts import Act
from tests.store.edits.campaign.harness import DERIVED, hard
from tests.store.edits.campaign.intruder import Intruder
from tests.store.edits.trial import Here, Trial

STRIDE = max(1, int(os.environ.get("RECOLLECT_TEST_STRIDE", "61")) // 7)
LASTING = 12
"""How many calls in a row fail, so that taking back fails as well."""


def fails(number: int) -> Callable[[], None]:
    def fail() -> None:
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize(
    "act", [acts.link, acts.pin, acts.edit_linked, acts.row, acts.put_away]
)
@pytest.mark.parametrize("lasting", [1, LASTING])
def test_after_a_failure_the_next_change_succeeds(
    act: Act, lasting: int, tmp_path: Path
) -> None:
    first = furnished(tmp_path / "counted")
    before = hard(first.tree())
    counting = Intruder({})
    with counting.at_work():
        act(first)
    after = hard(first.tree())

    for at in range(1, counting.count + 1, STRIDE):
        trial = furnished(tmp_path / str(at))
        failing = {at + later: fails(errno.EIO) for later in range(lasting)}
        was_done = attempted(trial, act, Intruder(failing))
        assert whole(trial) in ((after,) if was_done else (before, after)), at

        trial.apply(trial.step("notes/next.md", b"next\n"))
        assert list(trial.root.rglob(".recollect-*")) == [], at
        trial.engine.undo()
        assert whole(trial) in (before, after), at


def whole(trial: Trial) -> dict[str, Here | None]:
    """The store after the next start."""
    with Trial(trial.root, trial.places) as later:
        later.engine.recover()
    assert trial.raw(DERIVED) in {b'{"count": 3}\n', b'{"count": 4}\n'}
    return hard(trial.tree())


def attempted(trial: Trial, act: Act, intruder: Intruder) -> bool:
    """Whether the change was reported as made."""
    try:
        with intruder.at_work():
            act(trial)
    except RecollectError:
        return False
    return True


def furnished(folder: Path) -> Trial:
    trial = Trial.at(folder)
    acts.furnish(trial)
    return trial
