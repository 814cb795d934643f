"""What the path of a transcript tells: its session, its agent, who started that."""

import re
from typing import NamedTuple

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_SESSION = re.compile(rf"(?:.*_)?({_UUID})")
_FOLDER = re.compile(_UUID)
AGENTS = "subagents"
"""The folder of a session in which its agents' transcripts lie, however deep."""


class Named(NamedTuple):
    """What the path of a transcript tells."""

    session: str
    """The session: an identifier in the name, else all of the name."""
    agent: str | None = None
    """The agent, where the file is the transcript of one."""
    parent: str | None = None
    """The transcript of the session that started the agent."""

    @property
    def is_certain(self) -> bool:
        """Whether the name holds an identifier of a session."""
        return self.parent is not None or is_session(self.session)


def named(path: str) -> Named:
    """What the path of a transcript tells, without opening it."""
    folder, _, name = path.rpartition("/")
    stem = name[: -len(".jsonl")] if name.casefold().endswith(".jsonl") else name
    agent = stem.removeprefix("agent-") if stem.startswith("agent-") else None
    parts = folder.split("/")
    if AGENTS in parts and parts.index(AGENTS):
        parent = "/".join(parts[: parts.index(AGENTS)])
        session = session_of(parent.rpartition("/")[2])
        return Named(session, agent or stem, f"{parent}.jsonl")
    return Named(session_of(stem), agent)


def session_of(stem: str) -> str:
    """The session that a file is named after."""
    found = _SESSION.fullmatch(stem)
    return found[1] if found else stem


def is_session(folder: str) -> bool:
    """Whether a folder is called like a session."""
    return bool(_FOLDER.fullmatch(folder))


def sibling(path: str, session: str) -> str:
    """The transcript of a session that lies beside another file."""
    folder = path.rpartition("/")[0]
    return f"{folder}/{session}.jsonl" if folder else f"{session}.jsonl"
