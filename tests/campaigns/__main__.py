"""Run campaigns: `python -m tests.campaigns kill race keys --minutes 10`."""

import argparse
import secrets
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.campaigns.campaign import Campaign, Tally, replay, run
from tests.campaigns.keys import KeysCampaign
from tests.campaigns.kill import KillCampaign
from tests.campaigns.race import RaceCampaign

CAMPAIGNS: dict[str, Callable[[Path], Campaign]] = {
    "kill": KillCampaign,
    "race": RaceCampaign,
    "keys": KeysCampaign,
}


def main() -> int:
    """Run each campaign; 1 if any of them found a fault."""
    asked = _arguments()
    has_faults = False
    for name in asked.campaigns or CAMPAIGNS:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            campaign = CAMPAIGNS[name](Path(folder).resolve())
            if asked.round is None:
                _say(f"{name}: {asked.minutes} min, seed {asked.seed}")
                run(campaign, asked.minutes * 60, asked.seed, _say)
            else:
                replay(campaign, asked.seed, asked.round, _say)
        _say(f"{name}: {_figures(campaign.tally)}")
        has_faults = has_faults or bool(campaign.tally.faults)
    return int(has_faults)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns")
    parser.add_argument("campaigns", nargs="*", help=f"of {', '.join(CAMPAIGNS)}")
    parser.add_argument("--minutes", type=float, default=10, help="for each of them")
    parser.add_argument("--seed", default=secrets.token_hex(4))
    parser.add_argument("--round", type=int, help="repeat only this round")
    asked = parser.parse_args()
    if unknown := set(asked.campaigns) - set(CAMPAIGNS):
        parser.error(f"unknown campaign {unknown.pop()!r}")
    return asked


def _figures(tally: Tally) -> str:
    told = [f"{count} {name}" for name, count in tally.counts.items()]
    for name, values in tally.figures.items():
        told.append(f"{min(values):.0f}–{max(values):.0f} {name}")
    return f"{', '.join(told)}; {len(tally.faults)} faults"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
