"""Random keys find nothing wrong, and would notice a misbehaving browser."""

from pathlib import Path

import pytest

from tests.campaigns.campaign import search
from tests.campaigns.keys import KeysCampaign

SABOTAGED = "tests.campaigns.sabotaged"


def test_a_browser_survives_random_keys_and_undo_reverts_them(tmp_path: Path) -> None:
    campaign = KeysCampaign(tmp_path / "samples", keys=60)

    assert search(campaign.press_alone, campaign.tally, tmp_path, 1) == ""
    assert campaign.tally.counts["keys"] >= 60


@pytest.mark.parametrize(
    ("mistake", "sign"),
    [
        ("crash", "IndexError"),
        ("hang", "hangs"),
        ("leak", "grew from"),
        ("write", "stray.md"),
    ],
)
def test_a_misbehaving_browser_is_noticed(
    mistake: str, sign: str, tmp_path: Path
) -> None:
    campaign = KeysCampaign(
        tmp_path / "samples", (SABOTAGED, mistake), keys=90, patience=6
    )

    assert sign in search(campaign.press_alone, campaign.tally, tmp_path, 3)
