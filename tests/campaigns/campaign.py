"""A campaign: rounds of random work, each with its own seed, and its findings."""

import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Protocol


@dataclass
class Tally:
    """The work done so far, and the faults found."""

    counts: Counter[str] = field(default_factory=Counter[str])
    faults: list[str] = field(default_factory=list[str])
    figures: dict[str, list[float]] = field(
        default_factory=lambda: defaultdict[str, list[float]](list)
    )
    """What was measured, once a round."""


class Campaign(Protocol):
    """Does one round after another; each gets a new folder."""

    tally: Tally

    def play(self, chance: Random, folder: Path) -> None:
        """Do one round and add to the tally."""
        ...


Round = Callable[[Random, Path], None]
Report = Callable[[str], object]


def run(campaign: Campaign, seconds: float, seed: str, report: Report) -> Tally:
    """Play rounds until the time is over; report every fault with its round."""
    tally, end, number = campaign.tally, time.monotonic() + seconds, 0
    while time.monotonic() < end:
        replay(campaign, seed, number, report)
        number += 1
    tally.counts["rounds"] = number
    return tally


def replay(campaign: Campaign, seed: str, number: int, report: Report) -> None:
    """Play one round."""
    known = len(campaign.tally.faults)
    chance = Random(f"{seed} {number}")  # noqa: S311  # nothing secret
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        campaign.play(chance, Path(folder).resolve())
    for fault in campaign.tally.faults[known:]:
        report(f"round {number} of seed {seed}: {fault}")


def search(play: Round, tally: Tally, folder: Path, rounds: int) -> str:
    """Play rounds until a fault is found; returns it."""
    for number in range(rounds):
        place = folder / f"round-{number}"
        place.mkdir()
        play(Random(number), place)  # noqa: S311  # nothing secret
        if tally.faults:
            break
    return "\n".join(tally.faults)
