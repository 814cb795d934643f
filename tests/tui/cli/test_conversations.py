"""Conversations and messages in lists and in full."""

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.tui.cli import promises
from tests.tui.cli.kiln import make_transcripts, register
from tests.tui.cli.machine import Machine

STYLE = re.compile(r"\x1b\[[0-9;]*m")
NOON = "2026-03-01T12:00:00Z"


@pytest.fixture
def store(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Path:
    register(monkeypatch)
    return make_transcripts(machine.home)


def conversation(machine: Machine, store: Path) -> str:
    """The ref of the person's conversation."""
    rows = machine.run("list", "conversations", "--json", "-s", store).rows
    (ref,) = (row["ref"] for row in rows if row["parent"] is None)
    return ref


def messages(machine: Machine, store: Path, kind: str) -> list[str]:
    """The refs of the messages of a kind, in order of time."""
    rows = machine.run(
        "list", "messages", "--json", "-s", store, "--sort", "at", "--reverse"
    ).rows
    return [row["ref"] for row in rows if row["kind"] == kind]


@pytest.mark.parametrize("kind", ["conversations", "messages"])
def test_lists_have_the_promised_fields_in_order(
    machine: Machine, store: Path, kind: str
) -> None:
    rows = machine.run("list", kind, "--json", "-s", store).rows

    assert {tuple(row) for row in rows} == {tuple(promises.LISTS[kind])}


def test_a_conversation_has_its_counts(machine: Machine, store: Path) -> None:
    ref = conversation(machine, store)

    (row,) = machine.run("show", ref, "--json", "-s", store, "--now", NOON).rows

    assert list(row) == promises.CONVERSATION_IN_FULL
    assert list(row["tokens"]) == promises.TOKENS
    assert row["tokens"]["output"] == 15
    assert (row["tools"], row["tool_errors"], row["compactions"]) == (2, 1, 1)
    assert len(row["agents"]) == 1
    assert row["status"] == "ready"


def test_a_conversation_has_its_messages_as_in_lists(
    machine: Machine, store: Path
) -> None:
    ref = conversation(machine, store)
    listed = machine.run("list", "messages", "--json", "-s", store).rows

    (row,) = machine.run("show", ref, "--json", "-s", store).rows

    of_it = [message for message in listed if message["conversation"] == ref]
    assert row["transcript"] == sorted(of_it, key=lambda message: message["line"])
    assert len(of_it) == row["messages"]


def test_a_message_is_shown_with_its_parts(machine: Machine, store: Path) -> None:
    (call,) = messages(machine, store, "reply")[:1]

    (row,) = machine.run("show", call, "--json", "-s", store).rows

    assert list(row) == promises.MESSAGE_IN_FULL
    assert [part["type"] for part in row["parts"]] == ["text", "tool_use", "tool_use"]
    assert row["answered_by"] == messages(machine, store, "tool_result")


def test_a_conversation_reads_from_top_to_bottom(machine: Machine, store: Path) -> None:
    shown = machine.run("show", conversation(machine, store), "-s", store).out

    shown = re.sub("↳ (ok|failed): ", "↳ ", shown)
    facts, _, said = shown.partition("── 2026-03-01 ──\n")
    refs = {line[6:14] for line in said.splitlines() if line[:2] == "10"}
    for number, short in enumerate(sorted(refs, key=said.index)):
        said = said.replace(short, str(number))
    assert said.splitlines() == [
        "10:00 0  you",
        "       Which cone for the blue glaze?",
        "       The shelf is ␛[2Jcold.",
        "10:00 1  ∴ thinking",
        "10:00 2  agent",
        "       I look.",
        "",
        "       Read: nothing yet.",
        "10:00 2  ⏵ Read: /glazes.md",
        "10:00 2  ⏵ Bash: ls -la ls shelf",
        "10:00 3  ↳ cone 6",
        "10:00 4  ↳ no such shelf",
        "10:00 5  system: Conversation compacted",
        "       ──── compacted ────",
        "10:00 6  summary: It was about glazes.",
        "       · 31 min ·",
        "10:31 7  agent",
        "       Cone 6,",
        "         fired slowly.",
        "10:31 8  you",
        "       Thank you.",
    ]
    assert "→ started      Count the shelves.  conversation:" in facts
    assert "transcript" not in facts


def test_a_shortened_line_is_complete_in_its_message(
    machine: Machine, store: Path
) -> None:
    read = machine.run("show", conversation(machine, store), "-s", store).out
    (line,) = (line for line in read.splitlines() if "↳ " in line and "cone 6" in line)

    shown = machine.run("show", f"message:{line.split()[1]}", "-s", store).out

    assert shown.endswith(
        "\n⏵ Read\n  file_path: /glazes.md\n↳ ok\ncone 6\ncone 10\n",
    )


def test_a_thought_is_shown_in_its_message(machine: Machine, store: Path) -> None:
    (thought,) = messages(machine, store, "thinking")

    shown = machine.run("show", thought, "-s", store).out

    assert shown.endswith("\n∴ Cone six, surely.\n")


def test_a_message_shows_the_arguments_of_its_calls(
    machine: Machine, store: Path
) -> None:
    (call,) = messages(machine, store, "reply")[:1]

    shown = machine.run("show", call, "-s", store).out

    assert shown.endswith(
        "\nI look.\n\nRead: nothing yet.\n\n⏵ Read\n  file_path: /glazes.md\n\n"
        "⏵ Bash\n  command:\n    ls -la\n    ls shelf\n"
    )


def test_no_text_acts_on_the_terminal(machine: Machine, store: Path) -> None:
    refs = [conversation(machine, store), *messages(machine, store, "prompt")]

    for ref in refs:
        assert "\x1b" not in machine.run("show", ref, "-s", store).out
    assert "\x1b" not in machine.run("list", "messages", "-s", store).out


def test_a_pipe_gets_the_first_line_of_a_message(machine: Machine, store: Path) -> None:
    lines = machine.run("list", "messages", "-s", store).out.splitlines()

    cells = [line.split("\t") for line in lines]
    assert {len(row) for row in cells} == {6}
    assert "Which cone for the blue glaze?" in {row[3] for row in cells}
    assert "Read Bash" in {row[4] for row in cells}


def test_a_shorter_gap_divides_a_conversation(machine: Machine, store: Path) -> None:
    def count(*more: str) -> int:
        command = ("list", "conversations", "--json", "-s", store, *more)
        return len(machine.run(*command).rows)

    assert (count(), count("--gap", "29.5"), count("--gap", "45")) == (2, 3, 2)
    assert count() == 2


def test_the_gap_applies_to_every_command_about_conversations(
    machine: Machine, store: Path
) -> None:
    gap = ("--gap", "5", "-s", store)
    rows = machine.run("list", "conversations", "--json", *gap).rows
    halves = [row["ref"] for row in rows if row["parent"] is None]

    assert len(halves) == 2
    for half in halves:
        assert machine.run("show", half, *gap).code == 0
        assert machine.run("links", half, *gap).code == 0
    (stores,) = machine.run("stores", "--json", *gap).rows
    assert stores["conversations"] == 3
    assert machine.run("sync", "--json", *gap).rows[0]["changed"] == 0


@pytest.mark.parametrize("minutes", ["0", "-5", "soon", "nan", ""])
def test_a_gap_must_be_positive(machine: Machine, minutes: str) -> None:
    answer = machine.run("stores", f"--gap={minutes}")

    assert (answer.code, answer.out) == (2, "")
    assert f"invalid number of minutes {minutes!r}" in answer.err


def test_an_infinite_gap_divides_nothing(machine: Machine, store: Path) -> None:
    for minutes in ("inf", "1e300"):
        command = ("list", "conversations", "--json", "--gap", minutes, "-s", store)
        assert len(machine.run(*command).rows) == 2


def test_a_gap_and_no_sync_do_not_go_together(machine: Machine) -> None:
    answer = machine.run("stores", "--gap", "5", "--no-sync")

    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert "--no-sync" in answer.err


def test_on_a_terminal_a_call_takes_one_line(machine: Machine) -> None:
    store = make_transcripts(machine.home)
    ref = conversation(machine, store)

    shown = machine.in_terminal("show", ref, "-s", store, columns=30).out

    (line,) = (line for line in shown.splitlines() if "⏵ Bash" in line)
    assert line.startswith("\x1b[2m10:00 ")
    assert line.endswith("⏵ Bash: ls -l…\x1b[0m")


def test_on_a_terminal_text_is_broken_between_words(machine: Machine) -> None:
    store = make_transcripts(machine.home)
    ref = conversation(machine, store)

    whole = machine.run("show", ref, "-s", store).out
    shown = STYLE.sub("", machine.in_terminal("show", ref, "-s", store, columns=28).out)

    said = [line for line in whole.splitlines() if line.startswith(" " * 7)]
    assert any(len(line) > 28 for line in said)
    for line in said:
        assert " ".join(line.split()) in " ".join(shown.split())
    long = [line for line in shown.splitlines() if line.startswith(" " * 7)]
    assert max(map(cell_len, long)) <= 28


@pytest.mark.parametrize("columns", [40, 80, 120, 200])
@pytest.mark.parametrize("kind", ["conversations", "messages"])
def test_a_table_is_no_wider_than_the_terminal(
    machine: Machine, kind: str, columns: int
) -> None:
    store = make_transcripts(machine.home)
    rows = machine.run("list", kind, "--json", "-s", store).rows

    shown = machine.in_terminal("list", kind, "-s", store, columns=columns).out

    head, *lines = (STYLE.sub("", line) for line in shown.splitlines())
    assert len(lines) == len(rows)
    assert max(map(cell_len, [head, *lines])) <= columns
    assert [line[:8] for line in lines] == [
        r["ref"].partition(":")[2][:8] for r in rows
    ]
