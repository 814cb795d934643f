"""What a format finds in one source, before it is placed among its neighbours.

Findings are what a single file says. Records (`store.records`) are what the catalogue
answers once the findings of all files are put together: an edge that three files
speak of is three claims here and one edge there.
"""

from store.findings.all import Findings
from store.findings.journals import AgentFound, EventFound, MeasureFound
from store.findings.memories import AccessFound, Claim, IndexEntry, MemoryFound
from store.findings.pages import DocumentFound, EpisodeFound, Mention
from store.findings.transcripts import (
    ConversationFound,
    MessageFound,
    Rank,
    SessionFound,
    TitleFound,
    Tokens,
)
from store.findings.words import (
    START,
    UNREADABLE,
    Flaw,
    Json,
    Mark,
    Severity,
    Side,
    Value,
    name_key,
    not_read,
)

__all__ = [
    "START",
    "UNREADABLE",
    "AccessFound",
    "AgentFound",
    "Claim",
    "ConversationFound",
    "DocumentFound",
    "EpisodeFound",
    "EventFound",
    "Findings",
    "Flaw",
    "IndexEntry",
    "Json",
    "Mark",
    "MeasureFound",
    "MemoryFound",
    "Mention",
    "MessageFound",
    "Rank",
    "SessionFound",
    "Severity",
    "Side",
    "TitleFound",
    "Tokens",
    "Value",
    "name_key",
    "not_read",
]
