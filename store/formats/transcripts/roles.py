"""What a file is to its store, told by its place and name."""

from store.formats.transcripts.naming import AGENTS, is_session

TRANSCRIPT = "transcript"
AGENT = "agent"
JOURNAL = "journal"
INDEX = "index"
HISTORY_ROLE = "history"
AGENT_FACTS = "agent-facts"
OUTPUT = "output"

GROWING = frozenset({TRANSCRIPT, AGENT, JOURNAL})
"""What is only ever appended to."""

OUTPUTS = "tool-results"
"""The folder of a session in which long outputs of tools lie."""

_NOTES = "memory"
_LINES = ".jsonl"
_FACTS = ".meta.json"


def role_of(path: str) -> str | None:
    """The role of a file; None for what is no part of a store of transcripts."""
    *folders, name = path.casefold().split("/")
    if name.endswith(_LINES):
        if name == "journal.jsonl" and AGENTS in folders:
            return JOURNAL
        return AGENT if AGENTS in folders or name.startswith("agent-") else TRANSCRIPT
    if name == "sessions-index.json":
        return INDEX
    if name.endswith(_FACTS) and (AGENTS in folders or name.startswith("agent-")):
        return AGENT_FACTS
    in_session = bool(folders) and is_session(folders[-1])
    if name.endswith(".txt") and (OUTPUTS in folders or in_session):
        return OUTPUT
    return None


def is_entered(folder: str) -> bool:
    """Whether a folder is looked into: not hidden ones, nor one that holds notes."""
    name = folder.rpartition("/")[2]
    return not name.startswith(".") and name.casefold() != _NOTES


def is_near(name: str) -> bool:
    """Whether a file is so like a transcript that it has to be said if it is not read.

    Everything else in the folders of a program is that program's own affair.
    """
    return _LINES in name.casefold() and not name.startswith(".")
