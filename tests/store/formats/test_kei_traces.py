import json
from pathlib import Path

import pytest

from store.errors import UnreadableError
from store.files.json_read import PIECE
from store.findings import Findings, Json
from store.formats.port import Passage, Place, Source
from tests.store.formats.kei_stores import (
    SID,
    TRACE,
    assistant,
    call,
    jsonl,
    opened,
    read_all,
    read_one,
    result,
    said,
    scanned,
    together,
    user,
    write,
)

AGENT = f"traces/{SID}/subagents/agent-a07a9762b84dff5e9.jsonl"


def passage(store: Path, path: str, key: str) -> Passage:
    with opened(store) as kei:
        source = next(s for s in kei.scan() if isinstance(s, Source) and s.path == path)
        (found,) = [m for m in kei.read(source).messages if m.key == key]
        place = Place(found.offset, found.extent, found.line, found.key)
        return kei.passage(source, place)


def test_a_trace_is_a_conversation_of_the_session_in_its_name(
    tmp_path: Path,
) -> None:
    found = read_one(
        tmp_path,
        TRACE,
        {"type": "custom-title", "customTitle": "Redis", "sessionId": SID},
        user("Why do bookings time out?", uuid="u1", cwd="/src", gitBranch="main"),
        assistant(said("Let me see."), call("Read"), uuid="u2", parentUuid="u1"),
        user([result("…", is_error=True)], uuid="u3", parentUuid="u2"),
    )
    (about,) = found.sessions

    assert (about.session, about.titles[0].text) == (SID, "Redis")
    assert about.lines == {"custom-title": 1, "user": 2, "assistant": 1}
    assert [(m.kind, m.uuid, m.parent) for m in found.messages] == [
        ("prompt", "u1", None),
        ("reply", "u2", "u1"),
        ("tool_result", "u3", "u2"),
    ]
    prompt, reply, answer = found.messages
    assert (prompt.text, prompt.cwd, prompt.branch) == (
        "Why do bookings time out?",
        "/src",
        "main",
    )
    assert (reply.tools, reply.calls) == (("Read",), ("t1",))
    assert (answer.answers, answer.errors) == (("t1",), 1)


def test_the_lines_of_one_reply_are_one_message(tmp_path: Path) -> None:
    first, second = assistant(said("One.")), assistant(said("Two."))
    for line in (first, second):
        message = line["message"]
        assert isinstance(message, dict)
        message["id"] = "msg_1"
    (reply,) = read_one(tmp_path, TRACE, first, second).messages

    assert reply.text.split() == ["One.", "Two."]


@pytest.mark.parametrize("answer", [{"stdout": "ok"}, "Error: no", [said("ok")]])
def test_other_output_of_a_tool_may_have_any_form(tmp_path: Path, answer: Json) -> None:
    line = user([result("ok")], toolUseResult=answer, toolUseID="t1", uuid="u1")
    found = read_one(tmp_path, TRACE, line)

    assert not found.flaws
    kinds = [part["type"] for part in passage(tmp_path, TRACE, "u1").parts]
    assert kinds == ["tool_result", "toolUseResult"]


def test_blocks_of_every_kind_are_kept_and_pictures_folded(tmp_path: Path) -> None:
    picture: Json = {"type": "image", "source": {"type": "base64", "data": "AAAA"}}
    thought: Json = {"type": "thinking", "thinking": "Hm.", "signature": "x" * 400}
    hidden: Json = {"type": "redacted_thinking", "data": "…"}
    read_one(
        tmp_path,
        TRACE,
        user([said("See"), picture], uuid="u1"),
        assistant(thought, hidden, said("I see."), uuid="u2"),
    )

    kinds = [part["type"] for part in passage(tmp_path, TRACE, "u1").parts]
    assert kinds == ["text", "image"]
    parts = passage(tmp_path, TRACE, "u2").parts
    assert [p["type"] for p in parts] == ["thinking", "redacted_thinking", "text"]
    assert "AAAA" not in json.dumps(passage(tmp_path, TRACE, "u1").parts)


def test_a_flat_line_is_a_message_too(tmp_path: Path) -> None:
    flat = {"ts": 1_700_000_000, "kind": "tool_use", "tool": "Bash", "message": "done"}
    (message,) = read_one(tmp_path, TRACE, flat, {"ts": 5}).messages

    assert (message.kind, message.tools) == ("tool_use", ("Bash",))
    assert "done" in message.text
    whole = passage(tmp_path, TRACE, message.key)
    assert whole.parts == ({"type": "text", "text": "done"},)
    assert whole.fields == {k: v for k, v in flat.items() if k != "message"}


def test_the_trace_of_an_agent_belongs_to_its_session(tmp_path: Path) -> None:
    write(tmp_path, TRACE, jsonl(user("Look into it.")))
    about_it = '{"agentType": "Explore", "description": "Count the retries"}'
    write(tmp_path, AGENT.replace(".jsonl", ".meta.json"), about_it)
    found = read_one(tmp_path, AGENT, user("Count.", isSidechain=True))
    (about,) = found.sessions

    assert [title.text for title in about.titles] == ["Count the retries"]

    assert (about.session, about.agent) == (SID, "a07a9762b84dff5e9")
    assert about.parent == TRACE
    assert [event.session for event in found.events] == [SID]


def test_other_files_of_the_kit_beside_traces_are_not_traces(tmp_path: Path) -> None:
    write(tmp_path, TRACE, jsonl(user("Hello")))
    write(tmp_path, "traces/session-end.bg.log", "dumped\n")
    write(tmp_path, AGENT.replace(".jsonl", ".meta.json"), '{"agentType": "x"}')

    assert set(scanned(tmp_path)) == {TRACE}


def test_long_lines_are_read_and_endless_ones_reported(tmp_path: Path) -> None:
    long = user("x" * 200_000)
    found = read_one(tmp_path, TRACE, long, '"' + "x" * (17 << 20) + '"', user("end"))

    assert [event.line for event in found.events] == [1, 3]
    assert [flaw.line for flaw in found.flaws] == [2]


def test_a_large_trace_is_read_in_pieces(tmp_path: Path) -> None:
    lines = [assistant(call("Read", f"t{n}"), at=None) for n in range(3)]
    fill = [user("y" * (1 << 20), None) for _ in range(9)]
    ends = [user([result("no", f"t{n}", is_error=True)]) for n in range(3)]
    write(tmp_path, TRACE, jsonl(*lines, *fill, *ends))

    with opened(tmp_path) as kei:
        (source,) = (s for s in kei.scan() if isinstance(s, Source))
        first = kei.read(source)
        second = kei.read(source, first.mark)

    assert (first.more, second.more) == (True, False)
    assert PIECE <= first.mark.offset < PIECE + (2 << 20)
    assert [e.event_class for e in second.events[-3:]] == ["tool_error:Read"] * 3
    assert together(first, second) == read_all(tmp_path)[TRACE]


def test_a_rewritten_trace_is_read_again(tmp_path: Path) -> None:
    write(tmp_path, TRACE, jsonl(user("one"), user("two")))
    with opened(tmp_path) as kei:
        (source,) = (s for s in kei.scan() if isinstance(s, Source))
        before = kei.read(source)
        write(tmp_path, TRACE, jsonl(user("three"), user("four"), user("five")))
        after = kei.read(source, before.mark)

    assert after.anew
    assert [event.message for event in after.events] == ["three", "four", "five"]


def test_an_unfinished_line_waits_for_its_end(tmp_path: Path) -> None:
    write(tmp_path, TRACE, jsonl(user("one")) + '{"type": "user", "mess')
    found = read_all(tmp_path)[TRACE]

    assert found.tail
    assert (found.tail.code, found.tail.line) == ("unfinished-line", 2)
    assert [event.line for event in found.events] == [1]


def test_the_last_line_needs_no_newline(tmp_path: Path) -> None:
    write(tmp_path, TRACE, jsonl(user("one"), user("two")).rstrip())
    found = read_all(tmp_path)[TRACE]

    assert [event.line for event in found.events] == [1, 2]
    assert found.tail is None


def test_damage_of_the_first_hundred_lines_is_reported(tmp_path: Path) -> None:
    found = read_one(tmp_path, TRACE, *["{"] * 500, user("end"))

    assert [flaw.line for flaw in found.flaws] == [*range(1, 102)]
    assert "only counted" in found.flaws[100].message
    assert [event.line for event in found.events] == [501]


def test_only_traces_have_messages(tmp_path: Path) -> None:
    write(tmp_path, "time-metrics/sessions.jsonl", '{"kind": "session"}\n')
    with opened(tmp_path) as kei:
        (source,) = (s for s in kei.scan() if isinstance(s, Source))
        with pytest.raises(UnreadableError, match="no message"):
            kei.passage(source, Place(0, 10, 1, "x"))
        assert kei.read(source._replace(path="traces/gone.jsonl")) != Findings()
