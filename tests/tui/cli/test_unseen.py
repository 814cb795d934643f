"""Memories that their agent never sees."""

import os
from pathlib import Path

import pytest

from store.agents import INDEX, Surroundings, context_of
from store.formats.notes.notes import cut_at
from tests.tui.cli.machine import Machine

NOTE = "---\nname: {0}\ndescription: about {0}\ntype: project\n---\n\nText.\n"


def notes(machine: Machine, names: list[str], index: list[str]) -> Path:
    """A project with memories, the first of them the newest."""
    folder = machine.home / "kilnbook/.claude/memory"
    folder.mkdir(parents=True)
    for age, name in enumerate(names):
        file = folder / f"{name}.md"
        file.write_text(NOTE.format(name), "utf-8")
        os.utime(file, (9_000_000 - age, 9_000_000 - age))
    (folder / INDEX).write_text("".join(index), "utf-8")
    return folder


def unseen(machine: Machine, store: Path, query: str) -> dict[str, str]:
    """The memories that match a query, each with why it is not seen."""
    answer = machine.run("list", "memories", query, "-s", store, "--json")
    assert answer.code == 0, answer.err
    return {row["title"]: row["unseen"] for row in answer.rows}


def line(name: str) -> str:
    return f"- [{name}]({name}.md) — about {name}\n"


def test_memories_below_the_cut_and_unlisted_ones_are_never_seen(
    machine: Machine,
) -> None:
    index = ["- talk\n"] * 199 + [line("last"), line("below"), line("both")]
    index[0] = line("both")
    store = notes(machine, ["last", "below", "both", "unlisted"], index)

    assert unseen(machine, store, "is:unseen") == {
        "below": "cut",
        "unlisted": "unlisted",
    }
    assert unseen(machine, store, "-is:unseen") == {"last": None, "both": None}
    assert unseen(machine, store, "unseen:cut") == {"below": "cut"}
    shown = machine.in_terminal("show", "below", "-s", store, columns=120).out
    assert "MEMORY.md" in shown or "below" in shown


def test_a_memory_is_beyond_the_scan_if_200_are_newer(machine: Machine) -> None:
    names = [f"n{number:03}" for number in range(202)]
    store = notes(machine, names, [])
    assert unseen(machine, store, "is:unseen") == {
        "n200": "unscanned",
        "n201": "unscanned",
    }

    (store / "n000.md").unlink()
    assert unseen(machine, store, "is:unseen") == {"n201": "unscanned"}
    os.utime(store / "n201.md")
    assert unseen(machine, store, "is:unseen") == {"n200": "unscanned"}


def test_an_index_that_is_short_enough_hides_nothing(machine: Machine) -> None:
    names = ["a1", "b2"]
    store = notes(machine, names, [line(name) for name in names])

    assert unseen(machine, store, "is:unseen") == {}


@pytest.mark.parametrize(
    "lines",
    [
        ["x\n"] * 200,
        ["x\n"] * 201,
        ["y" * 124 + "\n"] * 200,
        ["y" * 125 + "\n"] * 199,
        ["y" * 25_001],
        [],
    ],
)
def test_the_cut_is_the_same_everywhere(tmp_path: Path, lines: list[str]) -> None:
    memory = tmp_path / ".memory"
    memory.mkdir()
    raw = "".join(lines).encode()
    (memory / INDEX).write_bytes(raw)

    (part,) = context_of("claude", Surroundings(tmp_path, tmp_path))

    cut = cut_at(raw)
    assert part.note == (f"cut at line {cut} of {len(lines)}" if cut else None)
