"""Conversations are divided as the settings of the program say that reads them."""

import json
from pathlib import Path

import pytest

from tests.store.formats.claudia_stores import small
from tests.tui.cli.machine import Machine


def session(machine: Machine, *minutes: int) -> Path:
    """A transcript with a prompt at each of some minutes."""
    folder = machine.home / ".claude/projects/-home-zoe-kiln"
    folder.mkdir(parents=True)
    lines = [
        {
            "type": "user",
            "uuid": f"00000000-0000-4000-8000-0000000000{number:02}",
            "sessionId": "4eb362e5-0000-4000-8000-000000000000",
            "timestamp": f"2026-02-20T{minute // 60:02}:{minute % 60:02}:00.000Z",
            "cwd": "/home/zoe/kiln",
            "message": {"role": "user", "content": f"Prompt {number}."},
        }
        for number, minute in enumerate(minutes)
    ]
    file = folder / "4eb362e5-0000-4000-8000-000000000000.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return machine.home / ".claude"


def settings(machine: Machine, text: str) -> Path:
    """A store of Claudia with these settings."""
    store = machine.home / ".claudia"
    if not store.exists():
        small(store, name="claudia.db")
    (store / "claudia.json").write_text(text, "utf-8")
    return store


def divided(machine: Machine, *options: str | Path) -> list[tuple[int, str]]:
    """The conversations: their entries and status."""
    answer = machine.run(
        "list", "conversations", "format:transcripts", "--json", *options
    )
    assert answer.code == 0, answer.err
    return sorted((row["entries"], row["status"]) for row in answer.rows)


MINUTES = (0, 20, 40, 100, 110, 115)


def test_a_gap_and_a_minimum_are_those_of_the_settings(machine: Machine) -> None:
    stores = ("-s", session(machine, *MINUTES))
    assert divided(machine, *stores) == [(6, "ready")]

    claudia = settings(
        machine,
        "// ours\n{extensions: {memory: {\n"
        "conversationGapMinutes: 30, minConversationMessages: 3}}}",
    )
    both = (*stores, "-s", claudia)
    assert divided(machine, *both) == [(3, "ready"), (3, "ready")]
    assert divided(machine, *both, "--gap", "15") == [
        (1, "skipped"),
        (1, "skipped"),
        (1, "skipped"),
        (3, "ready"),
    ]
    assert divided(machine, *stores) == [(6, "ready")], "the settings are not looked at"

    settings(machine, "{memory: {conversationGapMinutes: 59.5}}")
    assert divided(machine, *both) == [(3, "skipped"), (3, "skipped")]


def test_an_active_conversation_ends_at_the_next_look_of_the_program(
    machine: Machine,
) -> None:
    stores = ("-s", session(machine, *MINUTES))
    settings_ = "{memory: {conversationGapMinutes: 30, pollIntervalMs: POLL}}"
    claudia = settings(machine, settings_.replace("POLL", "600000"))

    def told(now: str) -> list[tuple[str, str | None]]:
        answer = machine.run(
            *("list", "conversations", "format:transcripts", "--sort", "last"),
            *("--now", f"2026-02-20T0{now}Z", "--json", *stores, "-s", claudia),
        )
        return [(row["status"], row["ready_at"]) for row in answer.rows]

    is_over = ("skipped", None)
    assert told("2:34:59") == [("active", "2026-02-20T02:35:00Z"), is_over]
    assert told("2:35:01") == [is_over, is_over]
    settings(machine, settings_.replace("POLL", "-1"))
    assert told("2:25:01") == [is_over, is_over]


@pytest.mark.parametrize(
    "text",
    [
        "{memory: {conversationGapMinutes: 30, watchPath: '~/elsewhere'}}",
        "{memory: {conversationGapMinutes: true}}",
        "{memory: {conversationGapMinutes: -1}}",
        "{memory: {conversationGapMinutes: 'soon'}}",
        "{memory: {conversationGapMinutes",
        "{conversationGapMinutes: 30}",
    ],
)
def test_other_settings_divide_nothing(machine: Machine, text: str) -> None:
    stores = ("-s", session(machine, *MINUTES), "-s", settings(machine, text))

    assert divided(machine, *stores) == [(6, "ready")]
