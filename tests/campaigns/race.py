"""Let programs write at the same time, and check that no write is lost."""

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from store import demo
from store.edits.engine import Engine
from store.errors import RecollectError
from tests.campaigns.campaign import Tally
from tests.store.edits.trial import Trial
from tests.tui.cli.changes.stores import AGENTS, GRAPH, NOTES, Desk, desk
from tests.tui.cli.machine import Machine

TIMES = 120
"""How often another program writes in a round."""

LOOKS = 20_000
"""How often a program looks for what it wrote: a file that is swapped back is gone for
an instant."""

LINGER = 4_000
"""How often it looks at most before it writes again."""

REFUSED = 3
"""The exit code of a command that met another program's write or lock."""

Program = Callable[[Path], object]
"""Writes, and leaves what came of it in a file of this name."""

Write = Callable[[Path, bytes], object]


class RaceCampaign:
    """Races of our own processes, of other programs with ours, and of commands."""

    def __init__(self, samples: Path, engine: Engine | None = None) -> None:
        """`engine` makes the changes, if not the real one of each process."""
        self.tally = Tally()
        self._samples, self._engine = samples, engine
        demo.write(samples, datetime(2026, 3, 1, tzinfo=UTC))

    def play(self, chance: Random, folder: Path) -> None:
        """Run one race."""
        races = (
            self.race_counts,
            self.race_numbers,
            self.race_lines,
            self.race_commands,
        )
        chance.choice(races)(chance, folder)

    def race_counts(self, chance: Random, folder: Path) -> None:
        """Our own processes count in one file."""
        trial = self._trial(folder)
        (trial.root / "a.md").write_bytes(b"0")
        programs = chance.randint(2, 5)

        def count(told: Path) -> None:
            for _ in range(TIMES // 4):
                while not _changed(trial, lambda raw: b"%d" % (int(raw) + 1)):
                    pass
            told.write_text("null")

        self._at_once(folder, [count] * programs)
        wanted, found = programs * (TIMES // 4), trial.raw("a.md")
        self.tally.counts["our writes"] += wanted
        if found != b"%d" % wanted:
            self.tally.faults.append(f"counted to {wanted}, but found {found}")
        self._settle(trial)

    def race_numbers(self, chance: Random, folder: Path) -> None:
        """Another program writes numbers and checks each; ours mark and undo."""
        trial, over = self._trial(folder), folder / "over"
        (trial.root / "a.md").write_bytes(b"0 \n")
        write = chance.choice((_rename, _rewrite))
        seeds = [chance.random() for _ in range(chance.randint(1, 3))]

        def theirs(told: Path) -> None:
            waits = [chance.randrange(LINGER) for _ in range(TIMES)]
            lost = [
                at for at in range(TIMES) if not _stays(write, trial, at, waits[at])
            ]
            told.write_text(json.dumps(lost))
            over.touch()

        def ours(seed: float) -> Program:
            chance = Random(seed)  # noqa: S311  # nothing secret
            return lambda told: self._mark(trial, chance, over, told)

        lost, *done = self._at_once(folder, [theirs, *map(ours, seeds)])
        self.tally.counts["their writes"] += TIMES
        self.tally.counts["our writes"] += sum(filter(None, done))
        self._settle(trial)
        kept = {path.read_bytes()[:-2] for path in trial.changes.glob("blobs/*")}
        gone = [number for number in lost if b"%d" % number not in kept]
        self.tally.counts["set aside for them"] += len(lost) - len(gone)
        if gone:
            way = write.__name__.strip("_")
            self.tally.faults.append(
                f"numbers lost that another wrote by {way}: {gone}"
            )

    def race_lines(self, chance: Random, folder: Path) -> None:
        """Programs add lines to one file; some of ours undo what they added."""
        trial = self._trial(folder)
        path = trial.root / "lines.jsonl"
        path.write_bytes(b"")
        undoes = chance.choice((0, 0.5))

        def ours(name: int) -> Program:
            return lambda told: _add(trial, f"ours {name}", undoes, told)

        def theirs(name: int) -> Program:
            return lambda told: _append(path, f"theirs {name}", told)

        programs = [ours(name) for name in range(chance.randint(1, 3))]
        programs += [theirs(name) for name in range(chance.randint(1, 2))]
        told = self._at_once(folder, programs)
        wanted = Counter[str](line for lines in told for line in lines or ())
        found = Counter(path.read_text("utf-8").splitlines())
        self.tally.counts["lines"] += wanted.total()
        if found != wanted:
            lost, more = list(wanted - found), list(found - wanted)
            self.tally.faults.append(f"lines lost: {lost[:9]}, not wanted: {more[:9]}")
        self._settle(trial)

    def race_commands(self, chance: Random, folder: Path) -> None:
        """Commands change and list a store that an agent adds notes to."""
        (folder / "home").mkdir()
        place = chance.choice((GRAPH, AGENTS, NOTES))
        work = desk(Machine(folder / "home"), self._samples, place)
        known = work.memories()
        if chance.random() < 0.5:
            shutil.rmtree(work.machine.cache)
        whole = [row["ref"] for row in known if not row["problems"]]
        refs = chance.sample(whole, 3)
        notes = {f"agent-{at}.md": _note(at) for at in range(9) if place == NOTES}

        def agent(told: Path) -> None:
            for name, text in notes.items():
                _rename(work.store / name, text.encode())
            told.write_text("null")

        listing = [_listing(work)] * chance.randint(1, 2)
        programs = [agent, *(_tagging(work, ref) for ref in refs), *listing]
        _, *answers = self._at_once(folder, programs)
        self.tally.counts["commands"] += len(answers)
        if None in answers:  # a process ended without an answer, which is a fault
            return
        wrong = _not_tagged(work, dict(zip(refs, answers[:3], strict=True)))
        wrong += _not_listed(len(known), answers[3:])
        wrong += [
            f"{name} is lost" for name in notes if _text(work, name) != notes[name]
        ]
        self.tally.faults += [f"{place}: {one}" for one in wrong]

    def _trial(self, folder: Path) -> Trial:
        trial = Trial.at(folder)
        if self._engine:
            trial.engine = self._engine
        return trial

    def _mark(self, trial: Trial, chance: Random, over: Path, told: Path) -> None:
        """Change the marks of numbers, and undo some, until their writer is done."""
        done = 0
        while not over.exists():
            done += _changed(trial, _marked)
            if not self._engine and chance.random() < 0.3:
                with suppress(RecollectError):
                    trial.engine.undo()
        told.write_text(json.dumps(done))

    def _settle(self, trial: Trial) -> None:
        """Check that no temporary files are left."""
        if not self._engine:
            left = trial.engine.recover() + list(map(str, trial.root.rglob(".reco*")))
            self.tally.faults += [f"left behind: {one}" for one in left]

    def _at_once(self, folder: Path, programs: Sequence[Program]) -> list[Any]:
        """Run each in a process of its own; returns their results."""
        told = [folder / f"told-{number}" for number in range(len(programs))]
        children = [_start(run, to) for run, to in zip(programs, told, strict=True)]
        ends = [os.waitpid(child, 0)[1] for child in children]
        self.tally.counts["processes"] += len(programs)
        if any(ends):
            self.tally.faults.append(f"processes ended with {ends}")
        return [json.loads(to.read_text()) if to.exists() else None for to in told]


def _start(run: Program, told: Path) -> int:
    child = os.fork()
    if not child:
        try:
            run(told)
            os._exit(0)
        finally:
            os._exit(1)
    return child


def _not_tagged(work: Desk, answers: Mapping[str, tuple[int, str]]) -> list[str]:
    """The records not tagged, or tagged although that was refused."""
    wrong: list[str] = []
    for ref, (code, error) in answers.items():
        is_tagged = "raced" in work.show(ref)["tags"]
        if code not in {0, REFUSED} or is_tagged != (code == 0):
            wrong.append(f"tag {ref} ended with {code}: {error}")
    return wrong


def _not_listed(rows: int, answers: Iterable[tuple[int, int]]) -> list[str]:
    """The lists that lack rows without saying so by their exit code."""
    return [
        f"{listed} of {rows} rows were listed"
        for code, listed in answers
        if code == 0 and listed < rows
    ]


def _text(work: Desk, name: str) -> str:
    path = work.store / name
    return path.read_text("utf-8") if path.exists() else ""


# What the programs do.


def _changed(trial: Trial, change: Callable[[bytes], bytes]) -> bool:
    """Change a file as it is now; False if another program came first."""
    with suppress(RecollectError):
        raw = trial.raw("a.md")
        if raw:
            trial.apply(trial.step("a.md", change(raw)))
            return True
    return False


def _marked(raw: bytes) -> bytes:
    """The same number, with or without a mark."""
    return raw[:-2] + (b"!\n" if raw.endswith(b" \n") else b" \n")


def _add(trial: Trial, name: str, undoes: float, told: Path) -> None:
    """Add lines through the engine; returns those that exist at the end."""
    added: list[str] = []
    chance = Random(name)  # noqa: S311  # nothing secret
    for number in range(TIMES // 4):
        line = f'{{"{name}":{number}}}'
        with suppress(RecollectError):
            change = trial.apply(trial.adding("lines.jsonl", line.encode())).change
            added.append(line)
            if chance.random() < undoes:
                trial.engine.undo(change)
                added.pop()
    told.write_text(json.dumps(added))


def _append(path: Path, name: str, told: Path) -> None:
    """Append lines as an agent does."""
    lines = [f'{{"{name}":{number}}}' for number in range(TIMES)]
    for line in lines:
        with path.open("ab", buffering=0) as file:
            file.write(f"{line}\n".encode())
    told.write_text(json.dumps(lines))


def _stays(write: Write, trial: Trial, number: int, waits: int) -> bool:
    """Write a number; returns whether it stays there for some time."""
    path, wanted = trial.root / "a.md", b"%d" % number
    write(path, wanted + b" \n")
    for _ in range(LOOKS):
        with suppress(FileNotFoundError):
            waits -= 1
            if path.read_bytes()[:-2] != wanted:
                continue
            if waits < 0:
                return True
    return False


def _rename(path: Path, raw: bytes) -> None:
    new = path.with_name(f"{path.name}.theirs")
    new.write_bytes(raw)
    new.replace(path)


def _rewrite(path: Path, raw: bytes) -> None:
    path.write_bytes(raw)


def _note(number: int) -> str:
    return f"---\nname: agent-{number}\ndescription: One of an agent\n---\n{number}\n"


def _tagging(work: Desk, ref: str) -> Program:
    def tag(told: Path) -> None:
        answer = work.run("tag", ref, "+raced")
        told.write_text(json.dumps([answer.code, answer.err]))

    return tag


def _listing(work: Desk) -> Program:
    def list_all(told: Path) -> None:
        answer = work.run("list", "memories", "--json")
        told.write_text(json.dumps([answer.code, len(answer.rows)]))

    return list_all
