"""The command that takes a session up again, where it was left."""

import re
import shlex
from pathlib import Path

from store.records.conversation import Conversation

_SESSION = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def resuming(conversation: Conversation) -> str | None:
    """The command; None where the conversation belongs to no session of its agent."""
    session = conversation.session or ""
    if not _SESSION.fullmatch(session):
        return None
    command = shlex.join(["claude", "--resume", session])
    if not conversation.cwd:
        return command
    return f"cd {shlex.quote(conversation.cwd)} && {command}"


def folder_told(conversation: Conversation) -> str:
    """Whether the folder is still there that the session was held in."""
    if not conversation.cwd:
        return "Its folder is not known."
    try:
        is_there = Path(conversation.cwd).is_dir()
    except (OSError, ValueError):
        is_there = False
    return "Its folder is there." if is_there else "Its folder is not here any more."
