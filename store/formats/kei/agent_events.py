"""The journal of agents: sent off, done, which tools and skills they used."""

from store.findings import EventFound
from store.formats.kei.growing import Record
from store.formats.kei.values import number, text, told

_MS = 1000


def event_of(record: Record, line: int) -> EventFound | None:
    """The event that a line tells of; None where it tells of none."""
    kind = text(record, "event")
    if kind is None:
        return None
    tool = text(record, "tool")
    return EventFound(
        kind=kind,
        line=line,
        session=text(record, "session_id", "sessionId"),
        at=told(record, "ts"),
        tool=tool,
        is_error=record.get("success") is False or record.get("outcome") == "fail",
        event_class=f"{kind}:{tool}" if tool else kind,
        message=_words(kind, record) or None,
    )


def _words(kind: str, record: Record) -> str:
    """What there is to tell of it, in one line."""
    match kind:
        case "agent_spawn":
            kinds = ("subagent_type", "model", "branch")
            about = " · ".join(filter(None, (text(record, key) for key in kinds)))
            return ": ".join(filter(None, (about, text(record, "prompt_preview"))))
        case "agent_done":
            return " · ".join(_done(record))
        case "skill_use":
            return text(record, "skill") or ""
        case _:
            return text(record, "agent_id") or ""


def _done(record: Record) -> list[str]:
    parts = [text(record, "outcome") or ""]
    took = number(record.get("duration_ms"))
    if took is not None:
        parts.append(f"{took / _MS:g} s")
    uses = number(record.get("tool_use_count"))
    if uses is not None:
        parts.append(f"{uses:g} tool uses")
    cost = number(record.get("cost_usd"))
    if cost is not None:
        parts.append(f"${cost:g}")
    return [part for part in parts if part]
