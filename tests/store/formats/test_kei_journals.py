from pathlib import Path

import pytest

from store.findings import Json
from tests.store.formats.kei_stores import (
    AGENT_EVENTS,
    CLAIMS,
    SESSIONS,
    SID,
    TASKS,
    TOOLSTATS,
    codes,
    jsonl,
    measures,
    read_all,
    read_one,
    write,
)

START = {"kind": "start", "name": "audit", "start_epoch": 1_777_438_080}
STOP = {
    "kind": "stop",
    "name": "audit",
    "start_epoch": 1_777_438_080,
    "end_epoch": 1_777_438_665,
    "duration_s": 585,
    "exit": -1,
    "ts": "2026-04-29T04:57:45Z",
}
SENT: dict[str, Json] = {
    "kind": "task",
    "id": "toolu_1",
    "desc": "Review the diff",
    "type": "reviewer",
    "start_epoch": 1_777_438_080,
    "end_epoch": 1_777_438_081,
    "duration_s": 1,
    "ts": "2026-04-29T04:48:01Z",
}
DONE: dict[str, Json] = {
    "kind": "task",
    "id": "toolu_1",
    "agent_id": "",
    "desc": "Review the \\u0064iff",
    "duration_s": 585,
    "duration_ms": 585_123,
    "total_tokens": 40_000,
    "source": "task-notification",
    "ts": "2026-04-29T04:57:45Z",
}


def test_the_time_of_a_session(tmp_path: Path) -> None:
    (found,) = measures(
        tmp_path,
        SESSIONS,
        {
            "kind": "session",
            "id": SID,
            "start_epoch": 1_777_473_449,
            "end_epoch": 1_777_473_560,
            "duration_s": 111,
            "ts": "2026-04-29T14:39:20Z",
        },
    )

    assert (found.kind, found.id, found.session, found.duration_s) == (
        *("session", SID, SID),
        111,
    )
    assert found.start
    assert found.end
    assert found.at
    assert found.start.iso == "2026-04-29T14:37:29Z"
    assert found.end.iso == "2026-04-29T14:39:20Z"
    assert found.at.text == "2026-04-29T14:39:20Z"


def test_a_session_may_be_timed_often_and_may_be_unknown(tmp_path: Path) -> None:
    one = {"kind": "session", "id": SID, "duration_s": 5}
    nobody = {"kind": "session", "id": "unknown", "duration_s": 7}
    found = measures(tmp_path, SESSIONS, one, one, nobody)

    assert [m.session for m in found] == [SID, SID, None]
    assert found[2].id == "unknown"


def test_a_task_as_agents_write_it_by_hand(tmp_path: Path) -> None:
    (found,) = measures(
        tmp_path,
        TASKS,
        {
            "kind": "task",
            "name": "wave10",
            "duration_s": 585,
            "metric": {"new_atomars": 25, "new_rules": 1},
            "source": "~/.claude/agents/_manifests/",
        },
    )

    assert (found.name, found.duration_s, found.source) == (
        *("wave10", 585),
        "~/.claude/agents/_manifests/",
    )
    assert found.metric == {"new_atomars": 25, "new_rules": 1}


def test_a_start_and_its_stop_are_one_task(tmp_path: Path) -> None:
    (found,) = measures(tmp_path, TASKS, START, STOP)

    assert (found.kind, found.name, found.exit, found.line) == ("task", "audit", -1, 2)
    assert (found.fields["state"], found.fields["lines"]) == ("finished", [1, 2])
    assert found.fields["records"] == [START, STOP]
    assert found.end
    assert found.end.iso == "2026-04-29T04:57:45Z"


def test_starts_and_stops_may_be_alone(tmp_path: Path) -> None:
    lost = {**STOP, "name": "other"}
    found = measures(tmp_path, TASKS, START, START, lost)

    assert [(m.line, m.fields["state"], m.end is None) for m in found] == [
        (1, "unfinished", True),
        (2, "running", True),
        (3, "unstarted", False),
    ]


def test_a_task_without_a_name_is_named_after_its_purpose(tmp_path: Path) -> None:
    (found,) = measures(tmp_path, TASKS, SENT)

    assert (found.name, found.id) == ("Review the diff", "toolu_1")
    assert found.fields["type"] == "reviewer"


def test_a_task_by_the_notice_of_its_end(tmp_path: Path) -> None:
    (found,) = measures(tmp_path, TASKS, DONE)

    assert (found.start, found.end, found.source) == (None, None, "task-notification")
    assert found.metric == {"total_tokens": 40_000}
    assert found.fields["duration_ms"] == 585_123


@pytest.mark.parametrize("order", [(SENT, DONE), (DONE, SENT)])
def test_a_background_agent_took_the_longer_time(
    tmp_path: Path, order: tuple[dict[str, Json], ...]
) -> None:
    (found,) = measures(tmp_path, TASKS, *order)

    assert (found.duration_s, found.source) == (585, "task-notification")
    assert found.end
    assert found.end.iso == "2026-04-29T04:57:45Z"
    assert found.fields["records"] == list(order)
    assert found.metric == {"total_tokens": 40_000}


def test_a_journal_cut_within_a_letter_is_read_on(tmp_path: Path) -> None:
    raw = jsonl({"kind": "task", "name": "one", "desc": "é"}).encode()
    cut = raw.replace("é".encode(), "é".encode()[:1])
    write(tmp_path, TASKS, cut + raw)
    found = read_all(tmp_path)[TASKS]

    assert [m.fields["desc"] for m in found.measures] == ["�", "é"]
    assert codes(found) == ["broken-line"]


def test_a_claim_and_its_proof(tmp_path: Path) -> None:
    (found,) = measures(
        tmp_path,
        CLAIMS,
        {
            "kind": "claim",
            "value": "wave 5 took 18 min",
            "evidence_tier": "FROM-JOURNAL",
            "pointer": "tasks.jsonl#wave5-2026-04-29",
            "ts": "2026-04-29T05:00:00Z",
            "session_id": SID,
        },
    )

    assert (found.metric, found.source) == ("wave 5 took 18 min", "FROM-JOURNAL")
    assert (found.pointer, found.session) == ("tasks.jsonl#wave5-2026-04-29", SID)
    assert found.fields["points_to"] == {
        "file": "tasks.jsonl",
        "id": "wave5-2026-04-29",
    }


@pytest.mark.parametrize(
    ("pointer", "proof"),
    [
        ("REAL:tasks.jsonl#a b", {"file": "tasks.jsonl", "id": "a b"}),
        ("time-metrics/sessions.jsonl#x", {"file": "sessions.jsonl", "id": "x"}),
        (
            "~/.claude/memory/time-metrics/tasks.jsonl#1 ",
            {"file": "tasks.jsonl", "id": "1"},
        ),
        ("ESTIMATE-HTC:by feeling", None),
        ("tasks.jsonl", None),
        ("tasks.jsonl# ", None),
    ],
)
def test_evidence_has_several_forms(tmp_path: Path, pointer: str, proof: Json) -> None:
    (found,) = measures(tmp_path, CLAIMS, {"kind": "claim", "pointer": pointer})

    assert (found.pointer, found.fields.get("points_to")) == (pointer, proof)


@pytest.mark.parametrize("tier", ["REAL", "FROM-JOURNAL", "ESTIMATE-HTC"])
def test_claims_of_every_tier(tmp_path: Path, tier: str) -> None:
    claim = {"kind": "claim", "value": "", "evidence_tier": tier, "pointer": "x"}
    (found,) = measures(tmp_path, CLAIMS, claim)

    assert (found.source, found.session, found.metric) == (tier, None, "")


def test_tools_that_an_agent_used(tmp_path: Path) -> None:
    (found,) = measures(
        tmp_path,
        TOOLSTATS,
        {
            "agent_id": "toolu_1",
            "outcome": "partial",
            "stubs": 2,
            "ts": 1_777_438_665,
            "tool_use_count": 14,
            "duration_ms": 12_500,
            "tool_stats": {"Bash": 9},
            "tokens_in": 100,
            "tokens_out": None,
        },
    )

    assert (found.kind, found.id, found.duration_s) == ("toolstats", "toolu_1", 12.5)
    assert found.metric == {"tool_use_count": 14, "tokens_in": 100}
    assert found.fields["outcome"] == "partial"
    assert found.fields["tool_stats"] == {"Bash": 9}
    assert found.at
    assert found.at.iso == "2026-04-29T04:57:45Z"


def test_the_four_kinds_of_agent_events(tmp_path: Path) -> None:
    ts = "2026-04-29T05:00:00.000Z"
    found = read_one(
        tmp_path,
        AGENT_EVENTS,
        {
            "ts": ts,
            "event": "agent_spawn",
            "id": "a",
            "subagent_type": "reviewer",
            "model": "sonnet",
            "prompt_preview": "Look",
        },
        {
            "ts": ts,
            "event": "agent_done",
            "id": "a",
            "outcome": "fail",
            "duration_ms": 1500,
            "tool_use_count": 3,
            "cost_usd": 0.12,
        },
        {"ts": ts, "event": "tool_use", "id": "b", "agent_id": "main", "tool": "Bash"},
        {"ts": ts, "event": "skill_use", "id": "c", "skill": "audit", "success": False},
    )

    assert [e.kind for e in found.events] == [
        *("agent_spawn", "agent_done", "tool_use", "skill_use")
    ]
    assert [e.message for e in found.events] == [
        "reviewer · sonnet: Look",
        "fail · 1.5 s · 3 tool uses · $0.12",
        "main",
        "audit",
    ]
    assert [e.is_error for e in found.events] == [False, True, False, True]
    assert found.events[2].event_class == "tool_use:Bash"
    assert {e.at.text for e in found.events if e.at} == {ts}


@pytest.mark.parametrize("path", [SESSIONS, TASKS, CLAIMS, AGENT_EVENTS])
def test_a_line_of_unknown_kind_is_reported(tmp_path: Path, path: str) -> None:
    found = read_one(tmp_path, path, {"kind": "decision"}, {"x": 1})

    assert [(f.code, f.line) for f in found.flaws] == [
        ("unknown-record", 1),
        ("unknown-record", 2),
    ]


def test_unusual_values_lose_no_record(tmp_path: Path) -> None:
    (found,) = measures(
        tmp_path,
        SESSIONS,
        {
            "kind": "session",
            "id": 7,
            "start_epoch": -1,
            "end_epoch": 10**30,
            "duration_s": "x",
            "ts": [],
        },
    )

    assert (found.id, found.duration_s, found.at) == (None, None, None)


def test_marks_show_what_is_running(tmp_path: Path) -> None:
    write(tmp_path, SESSIONS, jsonl({"kind": "session", "id": "x"}))
    write(tmp_path, f"time-metrics/.session-{SID}.start", "1777473449\n")
    write(
        tmp_path,
        "time-metrics/.task-toolu_9.start",
        '{"id":"toolu_9","desc":"Review","type":"fork","start_epoch":1777473449}',
    )
    write(tmp_path, "time-metrics/.session-odd.start", "no number")
    found = read_all(tmp_path)

    (session,) = found[f"time-metrics/.session-{SID}.start"].measures
    (task,) = found["time-metrics/.task-toolu_9.start"].measures
    assert (session.kind, session.session, session.end) == ("session", SID, None)
    assert (task.kind, task.id, task.name) == ("task", "toolu_9", "Review")
    for running in (session, task):
        assert running.fields["state"] == "running"
        assert running.start
        assert running.start.iso == "2026-04-29T14:37:29Z"
    assert codes(found["time-metrics/.session-odd.start"]) == ["no-start"]
