"""Damage to the index is noticed, and the same command still answers in full."""

import os
import shutil
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.stores import make_store
from tests.examples import examples
from tests.store.catalogue.stores import NOON, linked, note, notes, own_id, write
from tests.tui.cli.machine import Answer, Machine

INDEX = "catalogue.db"
LOG = "catalogue.db-wal"

COMMANDS = (
    ("list", "memories"),
    ("list", "memories", "--json", "type:fix"),
    ("list", "edges", "--json"),
    ("list", "documents", "--json"),
    ("list", "memories", "--json", "--no-sync"),
    ("search", "later", "--json"),
    ("search", "body"),
    ("stores", "--json"),
    ("health", "--json"),
    ("show", own_id(1)),
    ("links", own_id(1), "--json"),
    ("export", own_id(1), "--format", "json"),
)


class Damage(NamedTuple):
    """The place and kind of a damage."""

    file: str
    kind: str
    place: float
    """A part of the length of the file; an empty one is no index, not a damaged one."""
    seed: int

    def be_done(self, cache: Path) -> None:
        path = cache / self.file
        raw = bytearray(path.read_bytes())
        chance = Random(self.seed)  # noqa: S311  # no secret
        at = int(self.place * len(raw)) or 1
        match self.kind:
            case "cut":
                del raw[at:]
            case "bytes":
                raw[at : at + 50] = chance.randbytes(len(raw[at : at + 50]))
            case "letters":
                raw[at : at + 50] = raw[at : at + 50].upper()
            case "scattered":
                for _ in range(50):
                    raw[chance.randrange(len(raw))] = chance.randrange(256)
            case _:
                raw[at : at + 4096] = bytes(len(raw[at : at + 4096]))
        path.write_bytes(raw)


DAMAGES = st.builds(
    Damage,
    st.sampled_from([INDEX, LOG]),
    st.sampled_from(["cut", "bytes", "letters", "scattered", "zeros"]),
    st.floats(0, 0.999),
    st.integers(0, 1000),
)


class Desk(NamedTuple):
    """A machine with stores that were read, and their index."""

    machine: Machine
    stores: Path
    pristine: Path

    def run(self, *words: str) -> Answer:
        return self.machine.run(*words, "-s", self.stores, "--now", NOON)

    def restore(self) -> None:
        """Restore the index with its old time."""
        shutil.rmtree(self.machine.cache)
        shutil.copytree(self.pristine, self.machine.cache)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A process was killed after reading the stores, so there is a log as well."""
    home = tmp_path_factory.mktemp("home")
    make_store(linked(home / "stores/a"), 100)
    notes(home / "stores/b/projects/-home-mira/memory", "one", "two")
    desk = Desk(Machine(home), home / "stores", home / "pristine")
    desk.run("sync")
    write(home / "stores/b/projects/-home-mira/memory", "two.md", note("two", "Later."))
    with desk.machine.terminal("sync", "--watch", "-s", desk.stores) as terminal:
        terminal.until(b"files read")
    shutil.copytree(desk.machine.cache, desk.pristine)
    assert (desk.pristine / LOG).stat().st_size > 0
    return desk


@pytest.fixture(scope="module")
def expected(desk: Desk) -> dict[tuple[str, ...], Answer]:
    """The answer of an index freshly read from the stores."""
    answers: dict[tuple[str, ...], Answer] = {}
    for words in COMMANDS:
        shutil.rmtree(desk.machine.cache)
        answers[words] = desk.run(*(word for word in words if word != "--no-sync"))
        assert answers[words].code == 0, words
        assert answers[words].out, words
    return answers


@examples(15)
@given(DAMAGES, st.sampled_from(COMMANDS))
def test_every_command_answers_as_with_a_fresh_index(
    desk: Desk,
    expected: dict[tuple[str, ...], Answer],
    damage: Damage,
    words: tuple[str, ...],
) -> None:
    desk.restore()
    damage.be_done(desk.machine.cache)

    answer = desk.run(*words)

    assert (answer.code, answer.out) == (0, expected[words].out)
    again = desk.run(*words)
    assert (again.code, again.out, again.err) == (0, expected[words].out, "")


@examples(15)
@given(DAMAGES, st.sampled_from(COMMANDS))
def test_damage_noticed_during_use_does_not_last(
    desk: Desk,
    expected: dict[tuple[str, ...], Answer],
    damage: Damage,
    words: tuple[str, ...],
) -> None:
    """A failing disk keeps the time of the file, and may change a letter."""
    desk.restore()
    path = desk.machine.cache / damage.file
    before = path.stat()
    damage.be_done(desk.machine.cache)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    answer = desk.run(*words)

    assert answer.code == 0 or "run the command again" in answer.err
    desk.run("sync", "--again", str(desk.stores))
    assert desk.run(*words).out == expected[words].out
