"""A conversation as lines: results, pauses, days."""

import pytest

from store.answers.conversations import apart
from store.derive.conversations import Tokens
from store.findings import Json
from store.kinds.conversations import Conversation, ConversationInFull
from store.kinds.journals import Agent
from store.kinds.messages import Message, MessageInFull
from tui.output.record import (
    fields_of,
    in_units,
    lines_of_conversation,
    lines_of_message,
    text_of,
)
from tui.output.text import Line


def message(number: int, kind: str, text: str, at: str | None = None) -> Message:
    return Message(
        ref=f"message:{number:014x}",
        store="/kiln",
        conversation="conversation:c1",
        session=None,
        source="s.jsonl",
        line=number,
        uuid=None,
        role=None,
        kind=kind,
        at=at,
        text=text,
        tools=(),
    )


def conversation(
    *messages: Message, failed: tuple[str, ...] | None = None
) -> ConversationInFull:
    row = Conversation(
        ref="conversation:c1",
        store="/kiln",
        session=None,
        source="s.jsonl",
        project=None,
        cwd=None,
        branch=None,
        title="Glazes",
        first=None,
        last=None,
        entries=0,
        messages=len(messages),
        prompts=0,
        tools=0,
        tool_errors=0,
        status="ready",
        tokens=Tokens(input=0, output=0, cache_read=0, cache_creation=0),
        models=(),
        files_written=(),
        compactions=0,
        parent=None,
    )
    return ConversationInFull(
        conversation=row,
        agent=None,
        agents=(),
        unanswered=0,
        summary=None,
        lines={},
        fields={},
        failed=failed,
        transcript=messages,
    )


def texts(*messages: Message, failed: tuple[str, ...] | None = None) -> list[str]:
    return [
        line.text
        for line in lines_of_conversation(conversation(*messages, failed=failed))
    ]


def test_a_result_says_whether_its_call_failed_if_known() -> None:
    worked, broke = message(1, "tool_result", "12\n13"), message(2, "tool_result", "no")

    known = [*lines_of_conversation(conversation(worked, broke, failed=(broke.ref,)))]
    unknown = texts(worked, broke)

    assert known == [
        Line("      00000000  ↳ ok: 12", "dim", folded=True),
        Line("      00000000  ↳ failed: no", "red", folded=True),
    ]
    assert unknown == ["      00000000  ↳ 12", "      00000000  ↳ no"]


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ("2026-03-01T10:10:00Z", []),
        ("2026-03-01T10:10:01Z", ["· 10 min ·"]),
        ("2026-03-01T09:00:00Z", []),
        ("2026-03-02T11:05:00Z", ["· 1 d 1 h ·", "── 2026-03-02 ──"]),
        ("when the kiln was cold", []),
        (None, []),
    ],
)
def test_a_pause_and_a_new_day_are_shown(at: str | None, told: list[str]) -> None:
    first = message(1, "prompt", "Hot?", "2026-03-01T10:00:00Z")

    shown = texts(first, message(2, "reply", "Yes.", at))

    assert [line.strip() for line in shown[3:-2]] == told
    assert shown[0] == "── 2026-03-01 ──"
    assert shown[-2].endswith("  agent")


def test_time_that_goes_back_and_forth_is_not_a_pause() -> None:
    times = ("10:00:00", "09:30:00", "10:01:00")
    said = [
        message(n, "prompt", "Hot?", f"2026-03-01T{t}Z") for n, t in enumerate(times)
    ]

    assert not any("·" in line for line in texts(*said))


def test_text_that_looks_like_a_tool_stays_text() -> None:
    says = "Read: the book.\n\nI read it.\n\nRead: /book.md\n\nBash"

    assert apart(says, ["Read", "Bash"]) == (
        "Read: the book.\n\nI read it.",
        ["Read: /book.md", "Bash"],
    )
    assert apart(says, []) == (says, [])
    assert apart("Read: a\nb", ["Read"]) == ("Read: a\nb", [])


def test_the_text_of_a_long_conversation_is_its_beginning() -> None:
    many = (message(number, "tool_result", "x") for number in range(6_000))

    text = text_of(conversation(*many))

    assert text.count("\n") < 5_100
    assert text.endswith("… For the rest, use `recollect show`.")


def test_unknown_parts_are_shown_unchanged() -> None:
    whole = MessageInFull(
        message=message(1, "other", "x"),
        answers=(),
        answered_by=(),
        parts=(
            {"type": "image", "media_type": "image/png", "bytes": 12_000},
            {"type": "\x1b[2J", "deep": {"list": [1, {"b": None, "c": "d\ne"}]}},
            {"type": "tool_use", "name": None, "input": "just words"},
            {"type": "tool_result", "tool_use_id": ["no", "word"], "content": None},
            {"type": "text", "text": 5},
        ),
        fields={},
    )

    assert [line.text for line in lines_of_message(whole, ())] == [
        "[image/png 12 kB]",
        "",
        "type: ␛[2J",
        "deep:",
        "  list:",
        "    1: 1",
        "    2:",
        "      c:",
        "        d",
        "        e",
        "",
        "⏵ tool",
        "  just words",
        "",
        "↳ ok",
        "",
    ]


def test_a_field_with_only_empty_parts_is_left_out() -> None:
    shown = fields_of(conversation())

    assert "title          Glazes" in shown
    assert "tokens" not in shown


@pytest.mark.parametrize(
    ("name", "value", "end"),
    [
        ("created", "2026-02-28T12:00:00+00:00", " (1 d ago)"),
        ("created", "2026-03-01T15:00:00.000Z", " (in 3 h)"),
        ("created", "yesterday", "yesterday"),
        ("created", "9999-12-31T23:59:59-23:00", "9999-12-31T23:59:59-23:00"),
        ("started", 1_772_366_370, " (now)"),
        ("duration", 1260.0, "21 min"),
        ("fades in", 0.8, "1 day"),
        ("size", 1500, "2 kB"),
        ("strength", 999.0, "pinned"),
        ("cache read", 86240, "86,240"),
        ("pinned", True, "yes"),
        ("line", 15, "15"),
    ],
)
def test_people_see_ages_and_units(name: str, value: object, end: str) -> None:
    now = 1_772_366_400_000_000  # 2026-03-01T12:00:00Z

    assert in_units(name, value, now).endswith(end)


def test_fields_are_shown_in_words_and_their_parts_as_written() -> None:
    columns: dict[str, Json] = {
        "started": "x",
        "started_ts": 1_772_366_370,
        "meta": {"my_key": 20480},
    }
    agent = Agent(ref="agent:1", store="/kiln", path="a.db", columns=columns)

    lines = fields_of(agent, 1_772_366_400_000_000).split("\n")
    assert lines[-2:] == ["meta", "  my_key  20,480"]
    assert lines[3] == "started  x"
    assert lines[4].endswith(" (now)")
    assert "  my_key         20480" in fields_of(agent).split("\n")
