"""Where everything lies in a store, and what each file is to it."""

from enum import StrEnum

MIRROR = "sync-repo"
"""The folder that is mirrored elsewhere: older copies of what lies beside it."""

TRACES, METRICS, LEDGER_LINES = "traces", "time-metrics", "ledger"
DATABASE = "kei-memory.sqlite"

DEPTHS = {
    TRACES: 4,
    METRICS: 0,
    "affect": 0,
    "chatlogs": 2,
    "reports": 1,
    LEDGER_LINES: 0,
}
"""The folders of a store, and how many folders deep each goes."""

OWN = frozenset({*DEPTHS, MIRROR})

_ENDINGS = (".md", ".txt", ".log", ".json", ".jsonl")
_BESIDE_DATABASES = ("-wal", "-shm", "-journal")
_JSONL = ".jsonl"
_MARKERS = (".session-", ".task-")


class Role(StrEnum):
    """What a file is to its store."""

    TRACE = "trace"
    FIGURES = "figures"
    TASKS = "tasks"
    AGENT_EVENTS = "agent-events"
    MARKER = "marker"
    DATABASE = "database"
    LEDGER = "ledger"
    AGENT_LINES = "agent-lines"
    SKILL_LINES = "skill-lines"
    BACKLOG = "backlog"
    PAGE = "page"
    COVERED = "covered"
    """What is told better elsewhere, so that nothing is read."""


COPY = "-copy"
"""Ends the role of a mirrored file of which there is the original."""

GROWING = frozenset({Role.TRACE, Role.FIGURES, Role.AGENT_EVENTS})
"""What is only ever appended to."""

MIRRORED = GROWING | {Role.TASKS}
"""What is told once where there are an original and a copy."""


def role_of(path: str) -> Role | None:
    """What the file at a path is; None for what is no part of a store."""
    inside = original(path)
    folder, _, name = inside.rpartition("/")
    if not folder:
        return _at_the_top(name, mirrored=inside != path)
    top = folder.partition("/")[0]
    match top:
        case "traces":
            return _trace(folder, name)
        case "time-metrics":
            return _journal(name)
        case "ledger":
            return _ledger_lines(name) if inside != path else None
        case _:
            is_page = top in DEPTHS and name.endswith(_ENDINGS)
            return Role.PAGE if is_page else None


def original(path: str) -> str:
    """The path that a mirrored file is a copy of; any other path as it is."""
    return path.removeprefix(f"{MIRROR}/")


def goes_without_saying(path: str) -> bool:
    """Whether nothing need be said of a file that is not read."""
    name = path.rpartition("/")[2]
    hidden = name.startswith(".")
    return (
        hidden
        or name.endswith((".bg.log", ".meta.json"))
        or name.endswith(_BESIDE_DATABASES)
        or "/tool-results/" in path
    )


def _at_the_top(name: str, *, mirrored: bool) -> Role | None:
    if name == "agent-events.jsonl":
        return Role.AGENT_EVENTS
    if name == DATABASE and not mirrored:
        return Role.DATABASE
    if name in {"backlog.md", "audit-backlog.md"}:
        return Role.BACKLOG
    is_page = name.endswith(_ENDINGS) and not name.startswith(".")
    return Role.PAGE if is_page else None


def _trace(folder: str, name: str) -> Role | None:
    """Traces lie at the top of their folder, those of agents among the session's."""
    is_one = folder == TRACES or "/subagents" in folder
    return Role.TRACE if is_one and name.endswith(_JSONL) else None


def _journal(name: str) -> Role | None:
    if name.startswith(_MARKERS) and name.endswith(".start"):
        return Role.MARKER
    if name == "tasks.jsonl":
        return Role.TASKS
    return Role.FIGURES if name.endswith(_JSONL) else None


def _ledger_lines(name: str) -> Role | None:
    lines = {
        "agents.jsonl": Role.AGENT_LINES,
        "skill_invocations.jsonl": Role.SKILL_LINES,
    }
    return lines.get(name)
