"""The built-in reports on a memory folder: when its agent tidies it up."""

import re
from collections.abc import Iterable, Iterator

from store.errors import UnreadableError
from store.files.beneath import Kind, Root
from store.findings import Json
from store.formats.notes.format import Role, scan
from store.formats.port import Source
from store.machine import is_alive, pid_of
from store.reports import AnyReport, Given, Report, Rows
from store.times import written_at

LOCK = ".consolidate-lock"
"""Whose time says when memories were consolidated last."""

HOURS = 24
"""Hours from one consolidation to the next, at least."""

SCAN_MINUTES = 10
"""Minutes from one look at the sessions to the next, at least."""

SESSIONS = 5
"""Sessions since the last consolidation, at least."""

LOCK_HOURS = 1
"""Hours after which a lock counts as left behind."""

MEMORIES = 10
"""Memories from which on an agent loop consolidates them."""

_MICROS_PER_HOUR = 3_600_000_000
_SESSION = re.compile(r"(?!agent-).+\.jsonl")

_Gate = tuple[Json, ...]


def gates(root: Root, given: Given) -> Rows:
    """Each gate of a consolidation, with its present value and when it opens."""
    last, pid = _lock(root)
    yield _time_gate(last, given.now)
    sessions = list(_sessions(root))
    yield _scan_gate(max(sessions, default=None), last, given.now)
    yield _session_gate(sessions, last)
    yield _lock_gate(last, pid, given.now)
    count = sum(
        isinstance(one, Source) and one.role == Role.MEMORY for one in scan(root)
    )
    is_open = count >= MEMORIES
    yield (
        *("agent loop", "memories", count, f"at least {MEMORIES}", is_open),
        _now(is_open) or f"with {MEMORIES - count} more",
    )


def _now(is_open: bool) -> str:  # noqa: FBT001  # one word for a gate that is open
    return "open" if is_open else ""


def _time_gate(last: int | None, now: int) -> _Gate:
    if last is None:
        never = ("never consolidated", f"at least {HOURS} h ago", True, "open")
        return ("Claude Code", "time", *never)
    hours = (now - last) / _MICROS_PER_HOUR
    is_open = hours >= HOURS
    opens = _now(is_open) or written_at(last + HOURS * _MICROS_PER_HOUR)
    told = f"{hours:.1f} h ago"
    return ("Claude Code", "time", told, f"at least {HOURS} h ago", is_open, opens)


def _scan_gate(turn: int | None, last: int | None, now: int) -> _Gate:
    """The pause between two looks at the sessions, which no file tells.

    An agent looks when a turn ends while the gate of time is open, so the last turn is
    the latest that it can have been.
    """
    needs = f"no scan for {SCAN_MINUTES} min"
    if turn is None or turn < (last or 0) + HOURS * _MICROS_PER_HOUR:
        return ("Claude Code", "scan throttle", "not scanned", needs, True, "open")
    minutes = (now - turn) / _MICROS_PER_HOUR * 60
    is_open = minutes >= SCAN_MINUTES or None
    latest = written_at(turn + SCAN_MINUTES * _MICROS_PER_HOUR // 60)
    opens = "open" if is_open else f"at the latest {latest}"
    told = f"at the latest {minutes:.0f} min ago"
    return ("Claude Code", "scan throttle", told, needs, is_open, opens)


def _session_gate(sessions: Iterable[int], last: int | None) -> _Gate:
    count = sum(written > (last or 0) for written in sessions)
    is_open = count >= SESSIONS
    opens = _now(is_open) or f"with {SESSIONS - count} more"
    return ("Claude Code", "sessions", count, f"at least {SESSIONS}", is_open, opens)


def _lock_gate(last: int | None, pid: int | None, now: int) -> _Gate:
    expires = (last or 0) + LOCK_HOURS * _MICROS_PER_HOUR
    is_held = last is not None and pid is not None and now < expires and is_alive(pid)
    told = f"held by process {pid}" if is_held else "free"
    opens = f"when it ends, at the latest {written_at(expires)}" if is_held else "open"
    return ("Claude Code", "lock", told, "no live lock", not is_held, opens)


def _lock(root: Root) -> tuple[int | None, int | None]:
    """When memories were consolidated last, and the process in the lock."""
    try:
        blob = root.read(LOCK, limit=64)
    except UnreadableError:
        return None, None
    return blob.stamp.mtime_ns // 1000, pid_of(blob.raw)


def _sessions(root: Root) -> Iterator[int]:
    """When each transcript of the project was written last."""
    project = root.path.parent
    if project.parent.name != "projects":
        return
    try:
        with Root(project) as beside:
            for entry in beside.entries():
                if entry.kind is Kind.FILE and _SESSION.fullmatch(entry.name):
                    yield entry.stamp.mtime_ns // 1000
    except UnreadableError:
        return


REPORTS: tuple[AnyReport, ...] = (
    Report[Root](
        "gates",
        "when agents consolidate these memories: each gate, and when it opens",
        "agent gate value needs open opens",
        gates,
    ),
)
