"""Lines of a transcript as messages: kinds, texts, tools, tokens, entries."""

from pathlib import Path

import pytest

from store.findings import Json, Tokens, without_thoughts
from tests.store.formats.transcripts_stores import (
    SESSION,
    Line,
    answers,
    assistant,
    boundary,
    calls,
    envelope,
    messages,
    put,
    says,
    thinks,
    user,
    uuid,
)

NAME = f"{SESSION}.jsonl"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (user("a", "Bake it."), "prompt"),
        (user("a", [says("Bake it.")], origin={"kind": "human"}), "prompt"),
        (user("a", [answers("t1")], isMeta=True), "tool_result"),
        (
            user("a", "This session is being continued…", isCompactSummary=True),
            "summary",
        ),
        (user("a", "Caveat: …", isMeta=True), "meta"),
        (user("a", "done", origin={"kind": "task-notification"}), "notification"),
        (user("a", "<command-name>/model</command-name>"), "command"),
        (user("a", "<bash-input>ls</bash-input>"), "command"),
        (user("a", "<bash-stdout>a b</bash-stdout>"), "output"),
        (user("a", "<local-command-stdout>ok</local-command-stdout>"), "output"),
        (user("a", [says("[Request interrupted by user]")]), "interrupt"),
        (user("a", "<task-notification>t</task-notification>"), "notification"),
        (user("a", "<agent-notification>t</agent-notification>"), "notification"),
        (assistant("a", says("Yes.")), "reply"),
        (assistant("a", thinks("Hm."), calls("t1", "Bash")), "tool_use"),
        (assistant("a", thinks("Hm.")), "thinking"),
        (assistant("a", {"type": "redacted_thinking", "data": "x"}), "thinking"),
        (boundary("a"), "system"),
        (envelope("a", type="hologram"), "other"),
        (envelope("a", type="attachment", attachment={"type": "date_change"}), "meta"),
    ],
)
def test_each_line_has_its_kind(tmp_path: Path, line: Line, kind: str) -> None:
    path = put(tmp_path / NAME, line, user("z", "and so on"))
    assert [m.kind for m in messages(path)] == [kind, "prompt"]


@pytest.mark.parametrize(
    "line",
    [
        {"type": "mode", "mode": "plan", "sessionId": SESSION},
        {"type": "file-history-snapshot", "messageId": uuid("a"), "snapshot": {}},
        {"type": "last-prompt", "lastPrompt": "x", "sessionId": SESSION},
        envelope("a", type="system", subtype="stop_hook_summary"),
        envelope("a", type="system", subtype="turn_duration", durationMs=5),
        envelope("a", type="progress", data={"type": "hook_progress"}),
        envelope("a", type="progress", data={"type": "waiting_for_task"}),
    ],
)
def test_lines_without_content_are_counted(tmp_path: Path, line: Line) -> None:
    path = put(tmp_path / NAME, line, user("b", "x"))
    assert [m.kind for m in messages(path)] == ["prompt"]


def test_the_lines_of_one_message_are_one_message(tmp_path: Path) -> None:
    path = put(
        tmp_path / NAME,
        assistant("a", thinks("Cone six."), second=1, message_id="m1"),
        assistant("b", says("I look."), second=2, message_id="m1"),
        assistant("c", calls("t1", "Read", file_path="/a"), second=3, message_id="m1"),
        user("d", [answers("t1", "x" * 5000)], 4),
        assistant(
            "e",
            calls("t2", "Bash", command="ls\n-l"),
            second=5,
            message_id="m1",
            message={"usage": {"input_tokens": 3, "output_tokens": 90}},
        ),
        user("f", [answers("t2", [says("gone")], is_error=True)], 6),
    )
    reply, first, second = messages(path)
    assert (reply.key, reply.kind, reply.line) == ("m1", "reply", 1)
    assert (reply.uuid, reply.model) == (uuid("a"), "claude-opus-4-6")
    assert reply.tools == ("Read", "Bash")
    assert reply.calls == ("t1", "t2")
    assert reply.tokens == Tokens(3, 90, 7, 11)
    assert reply.entries == 3, "a line of thoughts alone is none"
    assert reply.at
    assert reply.until
    assert reply.until.micros == (reply.at.micros or 0) + 4_000_000
    spoken = ("I look.\n\nRead: /a\n\nBash: ls -l", "Cone six.")
    assert without_thoughts(reply.kind, reply.text) == spoken
    assert first.answers == ("t1",)
    assert len(first.text) < 2100
    assert (second.answers, second.errors, second.text) == (("t2",), 1, "gone")


def test_messages_that_no_model_wrote_cost_nothing(tmp_path: Path) -> None:
    none: Line = {"input_tokens": 0, "output_tokens": None}
    lines = [
        assistant("a", says("x"), message={"model": "<synthetic>"}),
        assistant("b", says("x"), message={"usage": none}),
        assistant("c", says("x"), message={"usage": "much"}),
        assistant("d", says("x"), message={"usage": {"output_tokens": 1e9}}),
    ]
    found = messages(put(tmp_path / NAME, *lines))
    assert [message.tokens for message in found] == [None] * 4


def test_files_that_calls_write_are_named(tmp_path: Path) -> None:
    blocks: list[Json] = [
        calls("1", "Write", file_path="/a", content="x"),
        calls("2", "Edit", file_path="/b"),
        calls("3", "NotebookEdit", notebook_path="/c"),
        calls("4", "Read", file_path="/d"),
        calls("5", "MultiEdit", file_path=["odd"]),
    ]
    (found,) = messages(put(tmp_path / NAME, assistant("a", *blocks)))
    assert [write.path for write in found.writes] == ["/a", "/b", "/c"]


@pytest.mark.parametrize(
    ("content", "text", "kind"),
    [
        (
            "<system-reminder>x</system-reminder>\n<ide_selection>y</ide_selection> Go",
            "Go",
            "prompt",
        ),
        ([says("<ide_opened_file>a</ide_opened_file>"), says("Go")], "Go", "prompt"),
        ("<system-reminder>only</system-reminder>", None, "meta"),
        ("<system-reminder>never closed", None, "prompt"),
        ("<b>bold</b> Go", None, "prompt"),
        ([{"type": "image", "source": {"data": "QUFB"}}], "[image]", "prompt"),
    ],
)
def test_text_that_programs_put_before_a_prompt_is_not_part_of_it(
    tmp_path: Path, content: Json, text: str | None, kind: str
) -> None:
    (found,) = messages(put(tmp_path / NAME, user("a", content)))
    assert (found.kind, found.text) == (kind, text or content)


def test_a_prompt_typed_meanwhile_is_a_prompt(tmp_path: Path) -> None:
    queued: Line = {
        "type": "queued_command",
        "prompt": "Hurry.",
        "commandMode": "prompt",
    }
    done: Line = {**queued, "prompt": "built", "commandMode": "task-notification"}
    path = put(
        tmp_path / NAME,
        envelope("a", type="attachment", attachment=queued),
        envelope("b", type="attachment", attachment=done),
    )
    found = [(m.kind, m.text, m.entries) for m in messages(path)]
    assert found == [("prompt", "Hurry.", 0), ("notification", "built", 0)]


def test_a_prompt_that_left_the_queue_unsent_was_sent_in_between(
    tmp_path: Path,
) -> None:
    def operation(name: str, second: int, content: str | None = None) -> Line:
        said: Line = {"content": content} if content else {}
        about: Line = {
            "operation": name,
            "timestamp": f"2026-03-01T10:00:{second:02d}Z",
        }
        return {"type": "queue-operation", "sessionId": SESSION, **about, **said}

    path = put(
        tmp_path / NAME,
        operation("enqueue", 1, "sent"),
        operation("enqueue", 2, "handed over"),
        operation("enqueue", 3, '{"task_id": 1}'),
        operation("dequeue", 4),
        user("a", "sent", 5),
        operation("remove", 6),
        operation("remove", 7),
        operation("enqueue", 8, "taken back"),
        operation("popAll", 9, "taken back"),
        operation("remove", 10),
        operation("enqueue", 11, "still waiting"),
    )
    sent, waited = messages(path)
    assert (sent.text, sent.is_queued) == ("sent", False)
    assert (waited.text, waited.is_queued, waited.line) == ("handed over", True, 2)
    assert waited.at
    assert waited.at.text == "2026-03-01T10:00:02Z"


def test_a_compaction_divides_and_its_summary_follows(tmp_path: Path) -> None:
    path = put(
        tmp_path / NAME,
        user("a", "before"),
        boundary("b"),
        user("c", "This session is being continued…", isCompactSummary=True),
        user("d", "after"),
    )
    found = [(m.kind, m.is_compaction) for m in messages(path)]
    assert found == [
        ("prompt", False),
        ("system", True),
        ("summary", False),
        ("prompt", False),
    ]


@pytest.mark.parametrize(
    ("line", "entries"),
    [
        (user("a", "text"), 1),
        (user("a", [says("text"), {"type": "image"}]), 1),
        (user("a", "  \n "), 0),
        (user("a", "text", isMeta=True), 0),
        (user("a", "text", isSidechain=True), 0),
        (user("a", [answers("t"), says("text")]), 0),
        (user("a", "<command-name>/x</command-name>"), 1),
        (assistant("a", says("text")), 1),
        (assistant("a", calls("t", "Bash")), 1),
        (assistant("a", thinks("x")), 0),
        (assistant("a", says("text"), isSidechain=True), 0),
        (assistant("a", says("text"), isMeta=True), 1),
        (assistant("a", says("text"), message={"role": "user"}), 0),
        (envelope("a", type="system", content="text"), 0),
    ],
)
def test_entries_are_those_of_the_ingestion(
    tmp_path: Path, line: Line, entries: int
) -> None:
    (found,) = messages(put(tmp_path / NAME, line))
    assert found.entries == entries


def test_the_session_is_in_the_line_or_else_in_the_file_name(tmp_path: Path) -> None:
    path = put(
        tmp_path / f"2025-11-12T19-10-02-283Z_{SESSION}.jsonl",
        user("a", "own", sessionId="another"),
        {"type": "user", "message": {"role": "user", "content": "none"}},
    )
    own, none = messages(path)
    assert (own.session, none.session) == ("another", SESSION)
    assert (own.cwd, own.branch, own.parent) == ("/home/mira/kiln", "main", None)
    assert (none.cwd, none.uuid, none.at) == (None, None, None)
