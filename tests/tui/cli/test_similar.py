"""`recollect similar`: the memories most similar to one."""

from pathlib import Path

import pytest

from tests.tui.cli.machine import Machine
from tests.tui.cli.promises import MEMORY

TITLE = "title:keepalive"


@pytest.fixture
def ref(machine: Machine, samples: Path) -> str:
    """A memory of the samples with similar ones."""
    listed = machine.run("list", "memories", TITLE, "-s", samples, "--json")
    return listed.rows[0]["ref"]


def test_json_has_the_memory_and_its_similarity(
    machine: Machine, samples: Path, ref: str
) -> None:
    answer = machine.run("similar", ref, "-s", samples, "--json", "--limit", "3")

    assert answer.code == 0
    assert len(answer.rows) == 3
    for row in answer.rows:
        assert list(row) == [*MEMORY, "score", "reason", "linked"]
        assert 0 < row["score"] <= 1
        assert row["reason"]
    assert ref not in [row["ref"] for row in answer.rows]


def test_linked_memories_are_marked_and_can_be_left_out(
    machine: Machine, samples: Path, ref: str
) -> None:
    many = ("-s", samples, "--json", "--limit", "200")
    everything = machine.run("similar", ref, *many).rows
    unlinked = machine.run("similar", ref, "--unlinked", *many).rows

    linked = {row["ref"] for row in everything if row["linked"]}
    ends = {row["ref"] for row in machine.run("links", ref, *many[:3]).rows}
    assert linked
    assert linked <= ends
    apart = [row["ref"] for row in everything if not row["linked"]]
    assert apart == [row["ref"] for row in unlinked]


def test_a_pipe_gets_one_line_each(machine: Machine, samples: Path, ref: str) -> None:
    answer = machine.run("similar", ref, "-s", samples, "--limit", "2")

    lines = [line.split("\t") for line in answer.out.splitlines()]
    assert len(lines) == 2
    assert all(cells[0].startswith("memory:") for cells in lines)


def test_a_person_gets_a_table(machine: Machine, samples: Path, ref: str) -> None:
    answer = machine.in_terminal("similar", ref, "-s", samples, columns=120)

    head, first, *_ = answer.out.splitlines()
    assert answer.code == 0
    assert "Score" in head
    assert "Why" in head
    assert "shared tag" in first


def test_a_prefix_of_a_ref_is_enough(machine: Machine, samples: Path, ref: str) -> None:
    short = machine.run("similar", ref[: len("memory:") + 8], "-s", samples)

    assert short.out == machine.run("similar", ref, "-s", samples).out


_UNKNOWN = (
    "recollect: No record matches 'zzzz'. To find its ref: recollect search 'zzzz'\n"
)


def test_an_ambiguous_or_unknown_name_is_reported(
    machine: Machine, samples: Path
) -> None:
    nothing = machine.run("similar", "zzzz", "-s", samples)
    many = machine.run("similar", "memory:", "-s", samples)
    other = machine.run("list", "episodes", "-s", samples, "--json", "--limit", "1")
    episode = machine.run("similar", other.rows[0]["ref"], "-s", samples)

    assert (nothing.code, nothing.err) == (1, _UNKNOWN)
    assert many.code == 1
    assert (episode.code, episode.out) == (1, "")
    assert "isn't a memory" in episode.err
