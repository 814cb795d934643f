"""A version of a file: who made it when, and what it changed."""

from msgspec import Struct


class Version(Struct, frozen=True, kw_only=True):
    """One change of the file that a record lies in."""

    by: str
    """What made it: `call` of an agent's tool, `command` that an agent ran and that may
    have, `change` made from here, `commit` in git, `unknown` for all else."""
    what: str
    """The tool, the command, what was done, or what the commit says."""
    who: str | None
    """Who committed it; null where that is not told."""
    at: str | None
    """When; null where that is not known."""
    ref: str | None
    """The ref of the message that made the call, the name of the change or of the
    commit."""
    conversation: str | None
    """The ref of the conversation that it was made in."""
    session: str | None
    """The session that it was made in."""
    store: str
    """The absolute path of the store's root."""
    path: str
    """The file, relative to the store."""
    added: int | None
    """How many lines it added; null where that is not known …"""
    removed: int | None
    """… and how many it removed."""
    diff: str | None
    """The difference to the version before, as a unified diff; null where it is not
    known."""
