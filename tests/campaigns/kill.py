"""Kill the program within a random call, and check the next start."""

import os
import select
import signal
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from unittest.mock import patch

from store import demo
from tests.campaigns.campaign import Tally
from tests.store.edits.campaign import acts, kills
from tests.store.edits.campaign.acts import Act
from tests.store.edits.campaign.harness import (
    LOCK,
    Outcome,
    Stage,
    Wound,
    hard,
    undo_all,
)
from tests.store.edits.campaign.kinds import KINDS
from tests.store.edits.campaign.plays import Play
from tests.store.edits.campaign.shim import Fault, Shim
from tests.store.edits.trial import Trial
from tests.tui.cli.changes.stores import AGENTS, GRAPH, NOTES, Desk, desk
from tests.tui.cli.machine import Machine

KILLS = 6
"""How often the work of one round is begun and killed."""

LONGEST = 0.4
"""Seconds after which a command is over on a quiet machine."""

NOW = "2026-03-01T12:00:00Z"

PATIENCE = 60.0
"""Seconds after which a command hangs."""

COMMANDS: Sequence[Sequence[str]] = (
    ("tag", "{}", "+campaign"),
    ("tag", "{}", "{}", "{}", "+campaigns"),
    ("pin", "{}"),
    ("archive", "{}"),
    ("delete", "{}", "--yes"),
    ("rename", "{}", "A title of the campaign"),
    ("merge", "{}", "{}", "--yes"),
    ("touch", "{}"),
    ("new", "--title", "A memory of the campaign"),
    ("rebuild", "index", "--yes"),
    ("undo", "--yes"),
    ("redo", "--yes"),
    ("sync",),
)
"""Commands with room for refs."""


Run = Callable[..., object]


class KillCampaign:
    """Kills changes by the engine, changes by formats, and whole commands."""

    def __init__(
        self, samples: Path, changes: dict[str, Act] = acts.ALL, run: Run = Desk.run
    ) -> None:
        """`changes` are those by the engine; `run` carries out a command."""
        self.tally = Tally()
        self._samples, self._changes, self._run = samples, changes, run
        self._can_trace = kills.why_not() is None
        demo.write(samples, datetime(2026, 3, 1, tzinfo=UTC))

    def play(self, chance: Random, folder: Path) -> None:
        """Kill work of one kind a few times."""
        work = (self.kill_changes, self.kill_kind, self.kill_commands)
        chance.choice(work)(chance, folder)

    def kill_changes(self, chance: Random, folder: Path) -> None:
        """Up to three changes by the engine; at the end all of them are undone."""
        names = chance.choices(sorted(self._changes), k=chance.randint(1, 3))
        stage = Stage(folder, [self._changes[name] for name in names])
        counting, outcome = Shim(None, Fault.EIO), Outcome()
        calls = stage.count(lambda: counting.count, counting.install)
        for _ in range(KILLS):
            wound, told = self._wound(chance, calls)
            later = self._wound(chance, calls)[0] if chance.random() < 0.3 else None
            name = f"{names} killed at {told}"
            self._count(stage.play(wound, name, outcome, later) < len(names))
            with Trial.again(stage.place) as trial:
                undo_all(trial)
                if hard(trial.tree()) != hard(stage.expected[0]):
                    outcome.bad.append(f"{name}: undo does not lead to the start")
        self.tally.faults += outcome.bad

    def kill_kind(self, chance: Random, folder: Path) -> None:
        """A change as its format makes it, undone and redone."""
        settings = folder / "config/recollect/config.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text("[claudia]\nwrites = true\n", encoding="utf-8")
        name = chance.choice(sorted(KINDS))
        with patch.dict(os.environ, XDG_CONFIG_HOME=str(folder / "config")):
            play = Play(folder, KINDS[name])
            calls = play.calls()
            for _ in range(KILLS):
                wound, told = self._wound(chance, calls)
                wrong, is_killed = play.wounded(wound)
                self._count(is_killed)
                self.tally.faults += [
                    f"{name} killed at {told}: {one}" for one in wrong
                ]

    def kill_commands(self, chance: Random, folder: Path) -> None:
        """Commands on a separate machine; at the end all of them are undone."""
        (folder / "home").mkdir()
        place = chance.choice((GRAPH, AGENTS, NOTES))
        work = desk(Machine(folder / "home"), self._samples, place)
        refs = [row["ref"] for row in work.memories()]
        first = _bytes(work)
        for _ in range(KILLS):
            template = chance.choice(COMMANDS)
            words = [word.format(chance.choice(refs)) for word in template]
            before, past = _bytes(work), _past(work)
            told = self._killed(chance, work, words)
            wrong = _wrong(work, folder / "fresh")
            if _past(work) == past and _bytes(work) != before:
                wrong.append("the store changed, and history does not say so")
            self.tally.faults += [f"{words} killed {told}: {one}" for one in wrong]
        while work.run("undo", "--yes").code == 0:
            pass
        if _bytes(work) != first:
            self.tally.faults.append(f"{place}: undo does not lead to the start")

    def _killed(self, chance: Random, work: Desk, words: Sequence[str]) -> str:
        """Have a command killed, within a call or after some time; returns how."""
        wound, told = self._trace(chance)
        wait = chance.uniform(0, LONGEST)
        if not self._can_trace or chance.random() < 0.5:
            wound, told = None, f"after {wait:.3f} s"
        child = os.fork()
        if not child:
            os.setsid()
            if wound:
                wound()
            self._run(work, *words)
            os._exit(0)
        handle = os.pidfd_open(child)
        is_over = select.select([handle], [], [], PATIENCE if wound else wait)[0]
        if wound and not is_over:
            self.tally.faults.append(f"{words} hangs")
        os.close(handle)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        self._count(os.WIFSIGNALED(status))
        return told

    def _wound(self, chance: Random, calls: int) -> tuple[Wound, str]:
        """A way to end a process within a call, and its name."""
        if self._can_trace and chance.random() < 0.5:
            return self._trace(chance)
        number = chance.randint(1, calls + 1)
        return Shim(number, Fault.LAST).install, f"call {number}"

    def _trace(self, chance: Random) -> tuple[Wound, str]:
        call = chance.choice(kills.CALLS)
        number = 1 + int(chance.expovariate(0.25))
        return partial(kills.kill_at, call, number), f"{call} {number}"

    def _count(self, is_killed: bool) -> None:  # noqa: FBT001  # its only argument
        self.tally.counts["begun"] += 1
        self.tally.counts["killed"] += is_killed


def _bytes(work: Desk) -> dict[str, bytes]:
    found = work.contents()
    found.pop(LOCK, None)
    return found


def _past(work: Desk) -> list[object]:
    return [(row["change"], row["undone"]) for row in work.rows("history")]


def _wrong(work: Desk, fresh: Path) -> list[str]:
    """The faults after a kill; the first command recovers."""
    wrong: list[str] = []
    for kind in ("memories", "edges", "problems"):
        words = ("list", kind, "--json", "--now", NOW)
        known, read = work.run(*words), work.run(*words, XDG_CACHE_HOME=str(fresh))
        if known.code or (known.code, known.out) != (read.code, read.out):
            wrong.append(f"{kind} are not those that a new catalogue lists {known.err}")
    checks = work.machine.run("doctor")
    if checks.code:
        wrong.append(f"doctor: {checks.out}{checks.err}")
    return wrong
