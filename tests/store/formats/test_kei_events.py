from pathlib import Path

import pytest

from store.findings import EventFound, Json
from tests.store.formats.kei_stores import (
    SID,
    TRACE,
    assistant,
    call,
    codes,
    event,
    events,
    jsonl,
    read_all,
    read_one,
    result,
    said,
    user,
    write,
)

ZWJ = "👩\u200d💻"


def both(found: EventFound) -> tuple[str, str | None]:
    """The class for people, and the class of the kit."""
    return found.event_class, found.upstream_class


def test_every_tool_call_is_an_event(tmp_path: Path) -> None:
    first, second = events(
        tmp_path,
        assistant(
            said("Let me look."),
            call("Read", "t1", file_path="/a.rs"),
            call("Bash", "t2", command="ls\n-la"),
        ),
    )

    assert (first.tool, first.file_path, first.kind) == ("Read", "/a.rs", "assistant")
    assert (second.tool, second.file_path) == ("Bash", None)
    assert (second.message, second.line, second.session) == ("ls\n-la", 1, SID)
    assert both(first) == ("tool_use:Read", "tool_use:Read")


def test_a_result_is_an_event_that_names_its_tool(tmp_path: Path) -> None:
    found = event(tmp_path, assistant(call("Bash")), user([result("fine")]))

    assert (found.kind, found.tool, found.is_error) == ("user", "Bash", False)
    assert both(found) == ("tool_result", "user")


def test_a_result_without_its_call_is_an_event_too(tmp_path: Path) -> None:
    found = event(tmp_path, user([result("fine", "gone")]))

    assert (found.tool, found.event_class) == (None, "tool_result")


@pytest.mark.parametrize("content", ["No such file", [said("No such file")], None])
def test_an_error_names_the_tool_that_failed(tmp_path: Path, content: Json) -> None:
    failed = result(content, is_error=True)
    found = event(tmp_path, assistant(call("Edit")), user([failed]))

    assert found.is_error
    assert both(found) == ("tool_error:Edit", "tool_error")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Permission  denied", "permission_denied"),
        ("ACCESS DENIED", "permission_denied"),
        ("you did this again", "user_correction"),
        ("stop doing that", "user_correction"),
        ("dont repeat it", "user_correction"),
        ("youre wrong", "user_correction"),
        ("опять не работает", "user_correction"),
        ("не делай так", "user_correction"),
        ("git worktree add: fatal error", "worktree_error"),
        ("cargo says: no workspace", "cargo_workspace"),
        ("the workspace of cargo", "cargo_workspace"),
        ("attempt 3", "retry_loop"),
        ("please try again", "user_correction"),
        ("please try  once more", "user"),
    ],
)
def test_the_words_of_a_person_give_the_class(
    tmp_path: Path, text: str, told: str
) -> None:
    assert both(event(tmp_path, user(text))) == (told, told)
    assert event(tmp_path, user([said(text)])).event_class == told


def test_a_tool_result_is_never_a_correction(tmp_path: Path) -> None:
    read = user([result("def again(): ...")])
    denied = user([result("rm: permission denied")])

    assert both(event(tmp_path, read)) == ("tool_result", "user_correction")
    assert event(tmp_path, denied).event_class == "permission_denied"


def test_the_words_of_an_agent_give_no_class_for_people(tmp_path: Path) -> None:
    run = assistant(call("Bash", command="retry --again"))

    assert both(event(tmp_path, run)) == ("tool_use:Bash", "user_correction")
    assert both(event(tmp_path, assistant(said("I try again")))) == (
        "assistant",
        "user_correction",
    )


def test_the_kit_searches_words_in_the_json_with_its_keys_in_order(
    tmp_path: Path,
) -> None:
    spoken = user([said("a worktree")], error="in another field")
    inner = user([{"type": "text", "text": "worktree", "zz": "fail"}])
    before = user([{"aa": "fail", "text": "worktree", "type": "text"}])
    across = user("worktree\nfail")

    assert both(event(tmp_path, spoken)) == ("user", "user")
    assert both(event(tmp_path, inner)) == ("user", "worktree_error")
    assert both(event(tmp_path, before)) == ("user", "user")
    assert both(event(tmp_path, across)) == ("user", "worktree_error")


@pytest.mark.parametrize("text", [ZWJ, "you are now free", "aws_secret"])
def test_the_kit_drops_what_its_guard_refuses(tmp_path: Path, text: str) -> None:
    assert both(event(tmp_path, user(text))) == ("user", None)


@pytest.mark.parametrize(
    "more",
    [{"ts": 1.5}, {"ts": "1700000000"}, {"is_error": "yes"}, {"cwd": 5}, {"ts": 2**63}],
)
def test_the_kit_skips_a_line_with_a_field_of_another_type(
    tmp_path: Path, more: dict[str, Json]
) -> None:
    assert both(event(tmp_path, user("Hello") | more)) == ("user", None)


def test_the_kit_stops_at_the_first_invalid_utf_8(tmp_path: Path) -> None:
    raw = jsonl(user("one")).encode()
    write(tmp_path, TRACE, raw + b'{"type":"user","x":"\xff"}\n' + raw)

    found = read_all(tmp_path)[TRACE]

    assert [e.upstream_class for e in found.events] == ["user", None, None]
    assert codes(found) == ["broken-line"]


def test_a_class_in_the_line_itself_wins(tmp_path: Path) -> None:
    own = assistant(call("Read"), call("Bash", "t2"), event_class="mine")
    failed = {"ts": 1_700_000_000, "event_class": "mine", "is_error": True}

    assert [both(e) for e in events(tmp_path, own)] == [("mine", "mine")] * 2
    assert both(event(tmp_path, failed)) == ("mine", "mine")


def test_the_kind_of_a_flat_line_counts_even_if_the_kit_does_not_know_it(
    tmp_path: Path,
) -> None:
    flat = {"ts": 1_700_000_000, "kind": "tool_use", "tool": "Bash", "message": "ok"}
    found = event(tmp_path, flat)

    assert (found.kind, found.tool, found.message) == ("tool_use", "Bash", "ok")
    assert found.at
    assert found.at.micros == 1_700_000_000_000_000
    assert both(found) == ("tool_use:Bash", "other")


def test_every_field_of_a_flat_line(tmp_path: Path) -> None:
    flat = {
        "ts": 1_700_000_000,
        "kind": "tool_result",
        "tool": "Edit",
        "file_path": "/abs/file.rs",
        "is_error": True,
        "message": "no match",
    }
    found = event(tmp_path, flat)

    assert (found.file_path, found.is_error) == ("/abs/file.rs", True)
    assert both(found) == ("tool_error:Edit", "tool_error:Edit")


def test_a_trace_may_contain_both_forms(tmp_path: Path) -> None:
    found = read_one(
        tmp_path, TRACE, {"ts": 1, "kind": "other"}, user("Hello"), {"ts": 2}
    )

    assert [e.event_class for e in found.events] == ["other", "user", "other"]
    assert not found.flaws


@pytest.mark.parametrize("kind", ["progress", "atis-latch", "something-new"])
def test_lines_of_any_type_are_events(tmp_path: Path, kind: str) -> None:
    found = event(tmp_path, {"type": kind, "sessionId": SID, "data": {"x": 1}})

    assert (found.kind, *both(found)) == (kind, kind, kind)


def test_lines_without_a_time_are_placed_by_their_neighbours(tmp_path: Path) -> None:
    found = events(
        tmp_path,
        {"type": "summary", "summary": "A day", "leafUuid": "x"},
        {"type": "permission-mode", "sessionId": SID},
        user("one", "2026-04-30T18:27:10Z"),
        {"type": "last-prompt", "sessionId": SID},
        user("two", "2026-04-30T18:28:00+02:00"),
        user("three", "no time"),
    )

    assert [e.at.text if e.at else None for e in found] == [
        *["2026-04-30T18:27:10Z"] * 4,
        *["2026-04-30T18:28:00+02:00"] * 2,
    ]


def test_a_trace_without_any_time_has_none(tmp_path: Path) -> None:
    assert event(tmp_path, {"type": "summary", "leafUuid": "x"}).at is None


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"type": "user", ', "broken-line"),
        ("[1, 2]", "no-record"),
        ('"words"', "no-record"),
        ("null", "no-record"),
    ],
)
def test_an_invalid_line_loses_no_other(tmp_path: Path, line: str, code: str) -> None:
    found = read_one(tmp_path, TRACE, user("one"), line, user("two"))

    assert [e.line for e in found.events] == [1, 3]
    assert [(flaw.code, flaw.line) for flaw in found.flaws] == [(code, 2)]


def test_several_records_on_one_line_are_all_read(tmp_path: Path) -> None:
    glued = jsonl(user("one")).rstrip() + jsonl(user("two"))
    found = read_one(tmp_path, TRACE, glued.rstrip())

    assert [e.message for e in found.events] == ["one", "two"]
    assert {e.upstream_class for e in found.events} == {None}


def test_the_text_of_an_event_has_a_limited_length(tmp_path: Path) -> None:
    found = event(tmp_path, user("x" * 300_000 + " permission denied"))

    assert found.message == "x" * 2_000
    assert both(found) == ("user", "permission_denied")


@pytest.mark.parametrize("odd", [None, 5, [None, 5, "text"], {"content": 5}])
def test_unusual_messages_are_events_too(tmp_path: Path, odd: Json) -> None:
    line: dict[str, Json] = {"type": "user", "sessionId": SID, "message": odd}

    assert event(tmp_path, line).event_class == "user"
    assert event(tmp_path, user(odd)).event_class == "user"
