"""The kill campaign finds nothing, and would notice bad writers."""

from pathlib import Path

import pytest

from store.edits import engine
from store.edits.journal import ChangeFolder
from store.edits.recovery import Settled
from tests.campaigns.campaign import search
from tests.campaigns.kill import KillCampaign
from tests.store.edits.campaign import acts
from tests.store.edits.campaign.naive import Renaming, as_engine
from tests.store.edits.trial import Trial
from tests.tui.cli.changes.stores import Desk

MOST = 20
"""How many rounds it may take to see a fault."""


def tag_without_journal(trial: Trial) -> None:
    trial.engine = as_engine(Renaming())
    acts.tag(trial)


def write_behind_the_journal(work: Desk, *_words: str) -> None:
    (work.store / "stray.md").write_bytes(b"stray\n")


def recover_nothing(_folder: ChangeFolder) -> list[Settled]:
    return []


@pytest.mark.parametrize("name", ["kill_changes", "kill_kind", "kill_commands"])
def test_kills_leave_all_or_nothing(name: str, tmp_path: Path) -> None:
    campaign = KillCampaign(tmp_path / "samples")

    assert search(getattr(campaign, name), campaign.tally, tmp_path, 1) == ""
    assert campaign.tally.counts["begun"] > 0


def test_a_half_done_change_is_noticed(tmp_path: Path) -> None:
    campaign = KillCampaign(tmp_path / "samples", {"tag": tag_without_journal})

    assert "mixed after" in search(
        campaign.kill_changes, campaign.tally, tmp_path, MOST
    )


def test_an_unrecovered_change_of_a_format_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "recover", recover_nothing)
    campaign = KillCampaign(tmp_path / "samples")

    assert "mixed after" in search(campaign.kill_kind, campaign.tally, tmp_path, MOST)


def test_a_command_that_bypasses_the_journal_is_noticed(tmp_path: Path) -> None:
    campaign = KillCampaign(tmp_path / "samples", run=write_behind_the_journal)

    found = search(campaign.kill_commands, campaign.tally, tmp_path, MOST)

    assert "the store changed, and history does not say so" in found
    assert "undo does not lead to the start" in found
