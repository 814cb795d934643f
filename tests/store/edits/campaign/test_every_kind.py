"""Every kind of change of every format, undone and redone, whatever fails meanwhile."""

from pathlib import Path

import pytest

from tests.store.edits.campaign.harness import Outcome, performed
from tests.store.edits.campaign.kinds import KINDS
from tests.store.edits.campaign.plays import Play, Stand
from tests.store.edits.campaign.shim import Shim


@pytest.mark.usefixtures("allowed")
@pytest.mark.parametrize("name", KINDS)
def test_it_is_done_or_not_and_undo_gives_the_first_bytes_back(
    name: str, tmp_path: Path
) -> None:
    play, outcome = Play(tmp_path, KINDS[name]), Outcome()
    before, after, undone, redone = play.expected
    assert before == undone != after == redone

    for fault, at in play.faults():
        wrong = injected(play, Shim(at, fault))
        outcome.injections += 1
        outcome.bad += [f"{fault.name} at {at}: {one}" for one in wrong]

    assert outcome.bad == []
    assert outcome.injections > 0


def injected(play: Play, shim: Shim) -> list[str]:
    """What is wrong after a fault, and after the next start."""
    trial = play.set()
    acked, error = performed(trial, play.acts, shim.install)
    wrong: list[str] = []
    was = play.plain(play.expected[acked])
    if error and "next start" not in error and play.plain(trial.both()) != was:
        wrong.append(f"said «{error}», and the stores are not as they were")
    with Stand.again(play.place) as later:
        later.engine.recover()
        found = later.both()
        if later.engine.recover() or later.both() != found:
            wrong.append("a second recovery did something")
    known = [play.plain(each) for each in play.expected[acked : acked + 2]]
    if play.plain(found) not in known:
        wrong.append(f"mixed after {acked}")
    return wrong + [
        f"{path} is none that ever was"
        for path in play.derived
        if found.get(path) not in [each.get(path) for each in play.expected]
    ]
