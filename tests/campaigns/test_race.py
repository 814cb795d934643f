"""The race campaign finds nothing, and would notice bad writers."""

from pathlib import Path
from random import Random

import pytest

from tests.campaigns import race
from tests.campaigns.campaign import search
from tests.campaigns.race import RaceCampaign
from tests.store.edits.campaign.naive import Renaming, as_engine

MOST = 12
"""How many rounds it may take to see a fault, each twice as long as the one before: in
a short one, programs may happen to run one after the other."""


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "TIMES", 40)
    monkeypatch.setattr(race, "LINGER", 1000)


@pytest.mark.parametrize("name", ["race_counts", "race_numbers", "race_lines"])
def test_nothing_is_lost(name: str, tmp_path: Path) -> None:
    campaign = RaceCampaign(tmp_path / "samples")

    assert search(getattr(campaign, name), campaign.tally, tmp_path, 1) == ""


@pytest.mark.parametrize("name", ["race_counts", "race_numbers"])
def test_losses_of_a_careless_writer_are_noticed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = RaceCampaign(tmp_path / "samples", as_engine(Renaming()))

    def play(chance: Random, folder: Path) -> None:
        getattr(campaign, name)(chance, folder)
        monkeypatch.setattr(race, "TIMES", race.TIMES * 2)

    assert search(play, campaign.tally, tmp_path, MOST)
