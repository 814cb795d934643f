"""The fields of memories, of the edges between them, and of pages about them."""

from store.findings import Severity, Side
from store.search.language.fields.field import Field, Match, Type
from store.search.language.fields.states import STAGES
from store.search.language.kinds import (
    CONVERSATIONS,
    DOCUMENTS,
    EDGES,
    EPISODES,
    EVENTS,
    MEMORIES,
    PROBLEMS,
)

_NUMBER = (Type.NUMBER,)
_TIME = (Type.TIME,)
_CHOICE = (Type.CHOICE,)

FIELDS = (
    Field("type", "what kind of memory or link", MEMORIES | EDGES | EPISODES),
    Field("tags", "a tag", MEMORIES | EPISODES, aliases=("tag",)),
    Field("stage", "how far it faded", MEMORIES, _CHOICE, choices=STAGES),
    Field(
        "title",
        "what it is called",
        MEMORIES | EPISODES | CONVERSATIONS | DOCUMENTS,
        match=Match.PART,
    ),
    Field("description", "the line about it", MEMORIES, match=Match.PART),
    Field(
        "importance",
        "how much it matters",
        MEMORIES,
        (Type.NUMBER, Type.CHOICE),
        choices=("high", "medium", "low"),
    ),
    Field("confidence", "how sure its writer was", MEMORIES, _NUMBER),
    Field("strength", "how strong it is", MEMORIES | EDGES, _NUMBER),
    Field("created", "when it was made", MEMORIES | EDGES, _TIME),
    Field("updated", "when it was changed", MEMORIES, _TIME),
    Field("accessed", "when it was recalled", MEMORIES, _TIME, aliases=("seen",)),
    Field("modified", "when its file was written", MEMORIES, _TIME),
    Field("access_count", "how often", MEMORIES, _NUMBER, aliases=("uses",)),
    Field("links", "how many edges it has", MEMORIES, _NUMBER),
    Field("links_in", "how many edges lead to it", MEMORIES, _NUMBER),
    Field("links_out", "how many edges it leads along", MEMORIES, _NUMBER),
    Field("edge", "the type of one of its edges", MEMORIES | EDGES),
    Field("problems", "a problem's code", MEMORIES | EDGES, aliases=("problem",)),
    Field("from", "where it starts", EDGES, match=Match.PART, aliases=("from_title",)),
    Field("to", "where it leads", EDGES, match=Match.PART, aliases=("to_title",)),
    Field("from_type", "what kind of memory it starts at", EDGES),
    Field("to_type", "what kind of memory it leads to", EDGES),
    Field("context", "why it was made", EDGES, match=Match.PART),
    Field(
        "sides",
        "where it is written",
        EDGES,
        _CHOICE,
        aliases=("side",),
        choices=tuple(side.value for side in Side),
    ),
    Field("date", "the day of it", EPISODES, _TIME),
    Field("time", "the time of day", EPISODES, match=Match.BEGINS),
    Field("memory", "the memory it tells of", EPISODES, match=Match.PART),
    Field("link", "its link, as written", EPISODES, match=Match.PART),
    Field("summary", "what happened", EPISODES | CONVERSATIONS, match=Match.PART),
    Field("category", "what a page is about", DOCUMENTS),
    Field("text_bytes", "how long it is", DOCUMENTS, _NUMBER, aliases=("bytes",)),
    Field(
        "role",
        "what a page is for",
        DOCUMENTS,
        _CHOICE,
        choices=("core", "reflection", "memory-index", "document", "episode-file"),
    ),
    Field("code", "what is wrong", PROBLEMS),
    Field(
        "severity",
        "how bad it is",
        PROBLEMS,
        _CHOICE,
        choices=tuple(severity.value for severity in Severity),
    ),
    Field("message", "what it says", EVENTS | PROBLEMS, match=Match.PART),
    Field("fix", "the command that mends it", PROBLEMS, match=Match.PART),
)
"""In the order in which they are offered."""
