"""The journals of figures, each line as its own writer puts it."""

import json
from collections.abc import Iterator
from datetime import datetime

from store.demo.days import micros
from store.demo.kei.measured import Measured, Moment, agent_id
from store.demo.tree import Tree

Line = dict[str, object]


def put_journals(tree: Tree, root: str, measured: Measured) -> None:
    """Put every journal."""
    journals = {
        "time-metrics/sessions.jsonl": _sessions,
        "time-metrics/tasks.jsonl": _tasks,
        "time-metrics/numeric-claims.jsonl": _claims,
        "time-metrics/agent-toolstats.jsonl": _toolstats,
        "agent-events.jsonl": _events,
    }
    for path, write in journals.items():
        told = sorted(write(measured), key=lambda entry: entry[0])
        lines = (json.dumps(line, ensure_ascii=False) for _, line in told)
        tree.put(f"{root}/{path}", "\n".join(lines) + "\n", told[-1][0])


def epoch(moment: datetime) -> int:
    """Seconds since 1970."""
    return micros(moment) // 1_000_000


def _stamp(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def _span(moment: Moment) -> Line:
    return {
        "start_epoch": epoch(moment.start),
        "end_epoch": epoch(moment.end),
        "duration_s": moment["seconds"],
        "ts": _stamp(moment.end),
    }


def _sessions(measured: Measured) -> Iterator[tuple[datetime, Line]]:
    for one in measured.sessions:
        yield one.end, {"kind": "session", "id": one.session, **_span(one)}


def _tasks(measured: Measured) -> Iterator[tuple[datetime, Line]]:
    """Tasks of all four writers; agents are told when sent off and when done."""
    for one in measured.agents:
        about: Line = {"kind": "task", "id": one.agent, "desc": one["desc"]}
        start = epoch(one.start)
        at_once = {"start_epoch": start, "end_epoch": start, "duration_s": 0}
        yield (
            one.start,
            {**about, "type": one["type"], **at_once, "ts": _stamp(one.start)},
        )
        if one["seconds"]:
            done: Line = {"agent_id": "", "duration_s": one["seconds"]}
            tokens = {"total_tokens": sum(one["tokens"]), "source": "task-notification"}
            yield one.end, {**about, **done, **tokens, "ts": _stamp(one.end)}
    for one in measured.timed:
        start = {"name": one["name"], "start_epoch": epoch(one.start)}
        yield one.start, {"kind": "start", **start, "ts": _stamp(one.start)}
        if "seconds" in one.facts:
            yield one.end, {"exit": one["exit"], "kind": "stop", **start, **_span(one)}
    for one in measured.done:
        kept = {key: one[key] for key in ("name", "metric", "source")}
        yield one.end, {"kind": "task", **kept, **_span(one)}


def _claims(measured: Measured) -> Iterator[tuple[datetime, Line]]:
    for one in measured.claims:
        yield (
            one.start,
            {
                "kind": "claim",
                "value": one["value"],
                "evidence_tier": one["tier"],
                "pointer": one["pointer"],
                "ts": _stamp(one.start),
                "session_id": one.session,
            },
        )


def _toolstats(measured: Measured) -> Iterator[tuple[datetime, Line]]:
    for one in measured.agents:
        if "outcome" in one.facts:
            yield (
                one.end,
                {
                    "agent_id": one.agent,
                    "outcome": one["outcome"],
                    "stubs": 0,
                    "ts": epoch(one.end),
                    "tool_use_count": sum(one["tools"].values()),
                    "duration_ms": one["seconds"] * 1000,
                    "tool_stats": one["tools"],
                    "tokens_in": one["tokens"][0],
                    "tokens_out": one["tokens"][1],
                },
            )


def _events(measured: Measured) -> Iterator[tuple[datetime, Line]]:
    for one in measured.agents:
        about = {"subagent_type": one["type"], "model": one["model"]}
        yield (
            one.start,
            _event(
                one.start, "agent_spawn", one.agent, **about, prompt_preview=one["desc"]
            ),
        )
        if "outcome" in one.facts:
            ms = one["seconds"] * 1000
            done = {"outcome": one["outcome"], "duration_ms": ms, "cost_usd": None}
            yield one.end, _event(one.end, "agent_done", one.agent, **done)
    for one in measured.skills:
        agent = agent_id(one["agent"])
        told = {"agent_id": agent, "skill": one["skill"], "success": one["success"]}
        yield one.start, _event(one.start, "skill_use", f"s{epoch(one.start)}", **told)


def _event(at: datetime, event: str, own: str, **more: object) -> Line:
    return {"ts": f"{at:%Y-%m-%dT%H:%M:%S}.000Z", "event": event, "id": own, **more}
